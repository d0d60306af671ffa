package noise

import (
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

// The exact samplers of Canonne, Kamath and Steinke (2020), by rational coins only (their algorithm 1 is [Source.BernoulliExp]): slow, simple, and
// sharing nothing with the tables but the source.

// cksLaplace draws from P(z) ∝ e^(−|z|·s/t) (their algorithm 2).
func cksLaplace(src *Source, t, s uint64) int64 {
	for {
		u := src.uint64n(t)
		if !src.BernoulliExp(u, t) {
			continue
		}
		v := uint64(0)
		for src.BernoulliExp(1, 1) {
			v++
		}
		y := int64((u + t*v) / s)
		if neg := src.Bernoulli(1, 2); !neg {
			return y
		} else if y != 0 {
			return -y
		}
	}
}

// cksGaussian draws from the discrete Gaussian P(z) ∝ e^(−z²/2σ²) (their algorithm 3), for integer sigma.
func cksGaussian(src *Source, sigma uint64) int64 {
	t := sigma + 1
	for {
		y := cksLaplace(src, t, 1)
		d := int64(uint64(max(y, -y))*t) - int64(sigma*sigma) // (|y| − σ²/t)²/2σ² = d²/(2σ²t²)
		if src.BernoulliExp(uint64(d*d), 2*sigma*sigma*t*t) {
			return y
		}
	}
}

func histogram(n int, draw func() int64) []int64 {
	h := make([]int64, 81)
	for range n {
		h[40+max(-40, min(40, draw()))]++
	}
	return h
}

func TestAgainstExactReference(t *testing.T) {
	const n = 200_000
	for _, c := range []struct{ num, den uint64 }{{1, 2}, {1, 1}, {8, 1}, {7, 3}} {
		src := Seeded(20)
		scale := float64(c.num) / float64(c.den)
		if c.num == 7 {
			scale = 2.3333333333333335
		}
		s := laplaceSampler(t, scale)
		slow := histogram(n, func() int64 { return cksLaplace(src, c.num, c.den) })
		if err := stattest.SameLaw(slow, histogram(n, func() int64 { return s.Draw(src) })); err != nil {
			t.Errorf("scale %d/%d: %v", c.num, c.den, err)
		}
		less := laplaceSampler(t, 0.9*scale)
		if stattest.SameLaw(slow, histogram(n, func() int64 { return less.Draw(src) })) == nil {
			t.Errorf("scale %d/%d × 0.9: not told apart", c.num, c.den)
		}
	}
}

// The discrete Gaussian is another law than the rounded one: at σ = 8 nobody can tell, at σ = 1 its variance is 1 and not 1 + 1/12.
func TestRoundedIsNotDiscreteGaussian(t *testing.T) {
	const n = 200_000
	for _, sigma := range []uint64{1, 8} {
		src, s := Seeded(21), gaussianSampler(t, float64(sigma))
		err := stattest.SameLaw(histogram(n, func() int64 { return cksGaussian(src, sigma) }), histogram(n, func() int64 { return s.Draw(src) }))
		if (err == nil) != (sigma == 8) {
			t.Errorf("σ = %d: %v", sigma, err)
		}
	}
}
