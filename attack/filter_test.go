package attack

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// slow are series that vary slowly, as features of overlapping windows do.
func slow(n, count int, src *noise.Source) (all [][]float64) {
	for range count {
		x, v := make([]float64, n), 0.0
		level := 0.0
		for t := range x {
			v = 0.95*v + 0.05*src.NormFloat64()
			level = 0.98*level + v
			x[t] = 3 + level
		}
		all = append(all, x)
	}
	return all
}

// noisy adds noise of standard deviation sd, correlated from step to step.
func noisy(all [][]float64, sd, keep float64, src *noise.Source) (out [][]float64) {
	for _, x := range all {
		y, u := make([]float64, len(x)), src.NormFloat64()
		for t, v := range x {
			if t > 0 {
				u = keep*u + math.Sqrt(1-keep*keep)*src.NormFloat64()
			}
			y[t] = v + sd*u
		}
		out = append(out, y)
	}
	return out
}

// Independent noise on slow series is mostly taken out; noise that is as slow
// as the series is not.
func TestFiltersReconstruct(t *testing.T) {
	src := noise.Seeded(7)
	truth := slow(600, 20, src)
	white := noisy(truth, 2, 0, src)
	for _, v := range []struct {
		f    Filter
		most float64
	}{{Wiener{Noise: []float64{4}}, 0.15}, {MovingAverage{8}, 0.2}} {
		r, err := Reconstruct(v.f, truth, white)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.2f → %.2f, %.0f %% of the noise's power gone", r.Filter, r.Before, r.After, 100*r.Reduction)
		if r.Reduction < 1-v.most || math.Abs(r.Before-2) > 0.1 {
			t.Errorf("%+v", r)
		}
	}
	drawn := func(zero []float64, src *noise.Source) ([]float64, error) {
		return noisy([][]float64{zero}, 2, 0.98, src)[0], nil
	}
	power, err := NoisePower(600, 400, drawn, src)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Reconstruct(Wiener{Noise: power}, truth, noisy(truth, 2, 0.98, src))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("slow noise, %s: %.2f → %.2f", r.Filter, r.Before, r.After)
	if r.Reduction < -0.1 || r.Reduction > 0.6 {
		t.Errorf("noise as slow as the series: %+v", r)
	}
}

func TestNoisePower(t *testing.T) {
	src := noise.Seeded(8)
	const n, draws = 64, 4000
	p, err := NoisePower(n, draws, func(zero []float64, src *noise.Source) ([]float64, error) {
		return noisy([][]float64{zero}, 3, 0, src)[0], nil
	}, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range p { // |DFT|² of white noise: n·variance, relative deviation at most √2
		near(t, "power", v/(9*n), 1, 6*math.Sqrt2/math.Sqrt(draws))
	}
}

func TestMovingAverageByDefinition(t *testing.T) {
	src := noise.Seeded(9)
	x := make([]float64, 30)
	for i := range x {
		x[i] = src.NormFloat64()
	}
	for _, half := range []int{0, 1, 4, 50} {
		got, err := MovingAverage{half}.Apply(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			sum, n := 0.0, 0.0
			for j := max(0, i-half); j <= min(len(x)-1, i+half); j++ {
				sum, n = sum+x[j], n+1
			}
			near(t, "mean", got[i], sum/n, 1e-12)
		}
	}
}

// Without noise nothing is taken out; of nothing but noise nothing much is left.
func TestWienerLimits(t *testing.T) {
	src := noise.Seeded(10)
	x := slow(128, 1, src)[0]
	kept, err := Wiener{Noise: []float64{0}}.Apply(x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x {
		near(t, "kept", kept[i], x[i], 1e-9)
	}
	var before, after float64
	for _, y := range noisy([][]float64{make([]float64, 512)}, 1, 0, src) {
		z, err := Wiener{Noise: []float64{1}}.Apply(y)
		if err != nil {
			t.Fatal(err)
		}
		for i := range y {
			before, after = before+y[i]*y[i], after+z[i]*z[i]
		}
	}
	if after > 0.15*before {
		t.Errorf("%.2f of the power of pure noise is left", after/before)
	}
}

func TestFiltersRefuse(t *testing.T) {
	for _, err := range []error{
		second(MovingAverage{-1}.Apply([]float64{1, 2})), second(Wiener{Noise: []float64{1}}.Apply([]float64{1})),
		second(Wiener{}.Apply([]float64{1, 2, 3})), second(Wiener{Noise: []float64{1, 2, 3}}.Apply([]float64{1, 2})),
		second(Reconstruct(MovingAverage{1}, nil, nil)), second(Reconstruct(MovingAverage{1}, [][]float64{{1}}, [][]float64{{1, 2}})),
		second(NoisePower(1, 1, nil, nil)),
	} {
		if err == nil {
			t.Error("accepted")
		}
	}
}

func second[T any](_ T, err error) error { return err }
