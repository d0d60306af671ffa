package noise

import (
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

// Broken twins, each with a fault that was made somewhere, have to fail the battery that the sampler passes.
func TestMutantsAreCaught(t *testing.T) {
	const n = 1 << 19
	scaled := func(law Law, scale float64) func() []int64 {
		return func() []int64 {
			if law == Laplace {
				return draws(laplaceSampler(t, scale), n, 11)
			}
			return draws(gaussianSampler(t, scale), n, 11)
		}
	}
	edit := func(draw func() []int64, f func(x []int64, i int) int64) func() []int64 {
		return func() []int64 {
			x := draw()
			y := make([]int64, len(x))
			for i := range x {
				y[i] = f(x, i)
			}
			return y
		}
	}
	abs := func(z int64) int64 { return max(z, -z) }
	laplace, gauss, wide := scaled(Laplace, 40), scaled(Gaussian, 40), scaled(Gaussian, 1e6)
	for name, m := range map[string]struct {
		law  Law
		nom  float64
		draw func() []int64
	}{
		"laplace scale × 0.9":        {Laplace, 40, scaled(Laplace, 36)},
		"laplace scale × 0.7":        {Laplace, 40, scaled(Laplace, 28)},
		"gaussian scale × 0.9":       {Gaussian, 40, scaled(Gaussian, 36)},
		"gaussian scale × 0.7":       {Gaussian, 1e6, scaled(Gaussian, 7e5)},
		"magnitude off by one":       {Laplace, 40, edit(laplace, func(x []int64, i int) int64 { return offByOne(x[i], 1) })},
		"magnitude short by one":     {Gaussian, 40, edit(gauss, func(x []int64, i int) int64 { return offByOne(x[i], -1) })},
		"zero twice as likely":       {Laplace, 8, func() []int64 { return signedGeometric(t, n) }},
		"sign reused from magnitude": {Gaussian, 40, edit(gauss, func(x []int64, i int) int64 { return abs(x[i]) * (1 - 2*(abs(x[i])&1)) })},
		"sign of the neighbour":      {Laplace, 40, edit(laplace, func(x []int64, i int) int64 { return withSign(abs(x[i]), x[i&^1]) })},
		"draws used twice":           {Gaussian, 40, edit(gauss, func(x []int64, i int) int64 { return x[i&^1] })},
		"never beyond the table":     {Laplace, 40, edit(laplace, func(x []int64, i int) int64 { return max(-200, min(200, x[i])) })},
		"lowest digit stuck":         {Gaussian, 1e6, edit(wide, func(x []int64, i int) int64 { return x[i] &^ 1 })},
		"digit 9 stuck":              {Gaussian, 1e6, edit(wide, func(x []int64, i int) int64 { return x[i] | 512 })},
		"the other law":              {Gaussian, 40, scaled(Laplace, 28.28)},
	} {
		if err := lawOf(m.law, m.nom).Battery(m.draw()); err == nil {
			t.Errorf("%s: passed", name)
		}
	}
	// Low parts never refused: in cells as wide as half the scale the battery sees it.
	s := odd(Laplace, 16, layout{cells: 100, shift: 3}, 0)
	s.limit, s.bound = rareCell, 0
	if stattest.DiscreteLaplace(16).Battery(draws(s, n, 12)) == nil {
		t.Error("low parts never refused: passed")
	}
}

func withSign(m, like int64) int64 {
	if like < 0 {
		return -m
	}
	return m
}

func offByOne(z, by int64) int64 {
	if z == 0 {
		return 0
	}
	return withSign(max(z, -z)+by, z)
}

// signedGeometric forgets that 0 has one sign only.
func signedGeometric(t *testing.T, n int) []int64 {
	x := draws(laplaceSampler(t, 8), 2*n+n/2, 13)
	var y []int64
	for _, z := range x {
		if z > 0 {
			y = append(y, z-1)
		} else if z < 0 {
			y = append(y, z+1)
		}
	}
	return y[:n]
}
