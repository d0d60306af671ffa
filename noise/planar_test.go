package noise

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

// lambertRadius is ρ = −(W₋₁((p−1)/e)+1)/rate, the inverse of the radial law 1 − (1+ρ·rate)·e^(−ρ·rate) of the continuous planar
// Laplace law (Andrés et al. 2013), by Newton's method. It is a reference only.
func lambertRadius(p, rate float64) float64 {
	x := 1 + 2*p // ρ·rate
	for range 100 {
		x -= ((1 - p) - (1+x)*math.Exp(-x)) / (x * math.Exp(-x)) // the derivative of −(1+x)e^−x is xe^−x
	}
	return x / rate
}

func TestLambertVectors(t *testing.T) {
	for p, want := range map[float64]float64{0.1: 0.7597308691, 0.5: 2.3976385572, 0.9: 5.5567430998, 0.999: 13.1905906806} {
		if got := lambertRadius(p, 0.7); math.Abs(got-want) > 1e-9 {
			t.Errorf("ρ(%v) = %.10f, want %v", p, got, want)
		}
	}
}

func planar(t testing.TB, rate float64) *PlanarLaplace {
	t.Helper()
	return must[*PlanarLaplace](t)(NewPlanarLaplace(rate))
}

// On a fine grid the radius has the continuous law, and its quantiles are the vectors.
func TestPlanarRadius(t *testing.T) {
	const n, steps = 200_000, 1 << 20 // grid steps to a unit
	p, src := planar(t, 0.7/steps), Seeded(30)
	r, angle := make([]float64, n), make([]float64, n)
	for i := range r {
		dx, dy := p.Draw(src)
		r[i] = math.Hypot(float64(dx), float64(dy)) / steps
		angle[i] = math.Atan2(float64(dy), float64(dx))
	}
	if err := stattest.Kolmogorov(r, func(x float64) float64 { return 1 - (1+0.7*x)*math.Exp(-0.7*x) }); err != nil {
		t.Errorf("radius: %v", err)
	}
	if err := stattest.Kolmogorov(angle, func(a float64) float64 { return 0.5 + a/(2*math.Pi) }); err != nil {
		t.Errorf("angle: %v", err)
	}
	slices.Sort(r)
	for q, want := range map[float64]float64{0.1: 0.7597308691, 0.5: 2.3976385572, 0.9: 5.5567430998, 0.999: 13.1905906806} {
		k, _ := slices.BinarySearch(r, want)
		if err := stattest.Rate(int64(k), n, q); err != nil {
			t.Errorf("radius at %v: %v", q, err)
		}
	}
	gamma2 := stattest.Moments{Mean: 2 / 0.7, Variance: 2 / 0.49, Fourth: 24 / (0.49 * 0.49)}
	if err := gamma2.Check(r); err != nil {
		t.Error(err)
	}
}

// On a coarse grid every point has its own probability, e^(−rate·‖z‖) over the sum of all; a rate × 0.7 or the planar law rounded
// to the grid has others.
func TestPlanarLattice(t *testing.T) {
	const half, n = 12, 500_000
	for _, rate := range []float64{0.4, 0.7, 2} {
		var probs []float64
		total, inside := 0.0, 0.0
		for x := -200.; x <= 200; x++ {
			for y := -200.; y <= 200; y++ {
				p := math.Exp(-rate * math.Hypot(x, y))
				total += p
				if math.Abs(x) <= half && math.Abs(y) <= half {
					probs, inside = append(probs, p), inside+p
				}
			}
		}
		for i := range probs {
			probs[i] /= total
		}
		probs = append(probs, 1-inside/total)
		count := func(draw func() (int64, int64)) []int64 {
			counts := make([]int64, len(probs))
			for range n {
				dx, dy := draw()
				if max(dx, -dx, dy, -dy) > half {
					counts[len(counts)-1]++
				} else {
					counts[(dx+half)*(2*half+1)+dy+half]++
				}
			}
			return counts
		}
		src := Seeded(31)
		p, less := planar(t, rate), planar(t, rate/0.9)
		if err := stattest.Fit(count(func() (int64, int64) { return p.Draw(src) }), probs); err != nil {
			t.Errorf("rate %v: %v", rate, err)
		}
		if stattest.Fit(count(func() (int64, int64) { return less.Draw(src) }), probs) == nil {
			t.Errorf("rate %v: scale × 0.9 passed", rate)
		}
		rounded := func() (int64, int64) {
			r := (src.ExpFloat64() + src.ExpFloat64()) / rate
			sin, cos := math.Sincos(2 * math.Pi * src.Float64())
			return int64(math.Round(r * cos)), int64(math.Round(r * sin))
		}
		if stattest.Fit(count(rounded), probs) == nil {
			t.Errorf("rate %v: the continuous law, rounded, passed", rate)
		}
	}
}

// The exponent is never negative, is enclosed as tightly as asked, and floating point agrees with it.
func TestPlanarCoin(t *testing.T) {
	src := Seeded(32)
	for _, rate := range []float64{1e-9, 0.7, 3, 1e6} {
		p := planar(t, rate)
		if b := p.coord.scale; !wideEnough(b, rate) || wideEnough(b*(1-0x1p-50), rate) {
			t.Errorf("rate %v: coordinates of scale %v", rate, b)
		}
		for range 300 {
			dx, dy := p.coord.Draw(src), p.coord.Draw(src)
			lo, hi := p.exponent(dx, dy, 192)
			width := new(big.Rat).Sub(hi, lo)
			if lo.Sign() < 0 || width.Sign() < 0 || width.Cmp(newRat(0x1p-190)) > 0 {
				t.Fatalf("rate %v, (%d, %d): exponent in [%v, %v]", rate, dx, dy, lo, hi)
			}
			v := src.Uint64()
			fast := p.keep(dx, dy, v, Seeded(1))
			exact := exactCoin(v, Seeded(1), func(prec uint) (lo, hi *big.Rat) { return p.exponent(dx, dy, prec) })
			if fast != exact {
				t.Fatalf("rate %v, (%d, %d): floating point says %v", rate, dx, dy, fast)
			}
		}
	}
}

func TestPlanarRates(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 0x1p-40, 5e-324} {
		if p, err := NewPlanarLaplace(bad); err == nil || p != nil {
			t.Errorf("rate %v: accepted", bad)
		}
	}
	src := Seeded(33)
	for _, rate := range []float64{0x1p-39, 1e-6, 1, 1e3, 1e100, math.MaxFloat64} {
		p := planar(t, rate)
		for range 100 {
			if dx, dy := p.Draw(src); p.Rate() != rate || rate > 1e3 && (dx != 0 || dy != 0) {
				t.Errorf("rate %v: drew (%d, %d)", rate, dx, dy)
			}
		}
	}
	p := planar(t, 0.7)
	if n := testing.AllocsPerRun(1000, func() { p.Draw(src) }); n > 0 {
		t.Errorf("Draw allocates %v times", n)
	}
}

func TestPlanarGolden(t *testing.T) {
	src, p := Seeded(1), planar(t, 0.001)
	var got []int64
	for range 3 {
		dx, dy := p.Draw(src)
		got = append(got, dx, dy)
	}
	if !slices.Equal(got, goldenPlanar) {
		t.Errorf("%#v", got)
	}
}
