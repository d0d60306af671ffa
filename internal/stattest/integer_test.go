package stattest

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntegerLaws(t *testing.T) {
	for name, l := range map[string]Integer{
		"laplace 0.3": DiscreteLaplace(0.3), "laplace 8": DiscreteLaplace(8), "gaussian 0.4": RoundedGaussian(0.4),
		"gaussian 1.9": RoundedGaussian(1.9), "gaussian 2.1": RoundedGaussian(2.1), "gaussian 50": RoundedGaussian(50),
	} {
		var mass, variance, fourth float64
		for z := int64(-600); z <= 600; z++ {
			p, x := l.mass(z, z+1), float64(z)
			mass, variance, fourth = mass+p, variance+x*x*p, fourth+x*x*x*x*p
		}
		near(t, name+" mass", mass, 1, 1e-12)
		near(t, name+" variance", variance, l.StdDev*l.StdDev, 1e-9)
		near(t, name+" fourth moment", fourth, l.Fourth, 1e-9)
	}
}

func TestBattery(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	laplace := func(scale float64) int64 {
		up := int64(scale * r.ExpFloat64())
		down := int64(scale * r.ExpFloat64())
		return up - down
	}
	gauss := func(sigma float64) int64 { return int64(math.RoundToEven(sigma * r.NormFloat64())) }
	sample := func(draw func() int64) []int64 {
		x := make([]int64, 1_000_000)
		for i := range x {
			x[i] = draw()
		}
		return x
	}
	for name, c := range map[string]struct {
		law  Integer
		draw func() int64
		good bool
	}{
		"laplace 0.3":           {DiscreteLaplace(0.3), func() int64 { return laplace(0.3) }, true},
		"laplace 20":            {DiscreteLaplace(20), func() int64 { return laplace(20) }, true},
		"laplace 1e6":           {DiscreteLaplace(1e6), func() int64 { return laplace(1e6) }, true},
		"gaussian 0.3":          {RoundedGaussian(0.3), func() int64 { return gauss(0.3) }, true},
		"gaussian 300":          {RoundedGaussian(300), func() int64 { return gauss(300) }, true},
		"scale × 0.98":          {DiscreteLaplace(20), func() int64 { return laplace(19.6) }, false},
		"scale × 0.7":           {RoundedGaussian(300), func() int64 { return gauss(210) }, false},
		"another law":           {RoundedGaussian(300), func() int64 { return laplace(300 / math.Sqrt2) }, false},
		"off by one":            {RoundedGaussian(30), func() int64 { return gauss(30) + 1 }, false},
		"even only":             {RoundedGaussian(300), func() int64 { return gauss(150) * 2 }, false},
		"a digit stuck":         {RoundedGaussian(1e9), func() int64 { return gauss(1e9) &^ 1024 }, false},
		"truncated, not round":  {RoundedGaussian(2), func() int64 { return int64(2 * r.NormFloat64()) }, false},
		"two zeros":             {DiscreteLaplace(5), func() int64 { return int64(5*r.ExpFloat64()) * int64(1-2*r.IntN(2)) }, false},
		"one sign more":         {DiscreteLaplace(20), func() int64 { z := laplace(20); return z * int64(1-2*b2i(z < 0 && r.IntN(50) == 0)) }, false},
		"float low bits are 0s": {RoundedGaussian(1e15), func() int64 { return gauss(1e15) &^ 7 }, false},
	} {
		if err := c.law.Battery(sample(c.draw)); (err == nil) != c.good {
			t.Errorf("%s: verdict %v", name, err)
		}
	}
	twice := sample(func() int64 { return laplace(20) })
	for i := 0; i+1 < len(twice); i += 2 {
		twice[i+1] = twice[i]
	}
	if DiscreteLaplace(20).neighbours(twice) == nil {
		t.Error("every draw used twice: accepted")
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
