package audit

import (
	"testing"

	"github.com/gazeward/gazeward/noise"
)

func TestLaws(t *testing.T) {
	for name, make := range map[string]func(float64) (*noise.Sampler, error){
		"rounded gaussian": noise.NewGaussian, "discrete laplace": noise.NewLaplace,
	} {
		for _, steps := range []float64{0.4, 3, 5000} {
			s, err := make(steps)
			if err != nil {
				t.Fatal(err)
			}
			const grid = 0x1p-8
			src := noise.Seeded(1)
			values := drawn(20_000, func() float64 { return float64(s.Draw(src)) * grid })
			law := Law{name, steps * grid, grid}
			if f, err := law.Test(values, 1e-6); err != nil || !f.Follows() {
				t.Errorf("%s of %v steps: %+v %v", name, steps, f, err)
			}
			if steps < 1 { // 0.7 times 0.4 steps is nearly nothing but zeros, as is the law
				continue
			}
			law.Scale /= 0.7
			if f, _ := law.Test(values, 1e-6); f.Distance <= f.Limit {
				t.Errorf("%s: 0.7 times the noise is not seen: %+v", name, f)
			}
			law.Scale *= 0.7
			values[17] += grid / 3
			if f, _ := law.Test(values, 1e-6); f.OffGrid != 1 {
				t.Errorf("%s: a value off the grid is not seen: %+v", name, f)
			}
		}
	}
	for _, bad := range []Law{{}, {"triangular", 1, 1}, {"discrete laplace", -1, 1}, {"rounded gaussian", 1, 0}} {
		if _, err := bad.Test([]float64{0}, 1e-6); err == nil {
			t.Errorf("%+v is a law", bad)
		}
	}
	if _, err := (Law{"discrete laplace", 1, 1}).Test(nil, 1e-6); err == nil {
		t.Error("no values follow a law")
	}
}

func drawn(n int, draw func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = draw()
	}
	return x
}
