package series

import (
	"math"

	"github.com/gazeward/gazeward/signal"
)

// Curve is the expected squared error per value of one chunk for every number
// of coefficients k = 1, 2, …, split into what the coefficients that are left
// out carry, and what the noise adds. Index k−1. (PROOFS C8; PROOF.md §4.)
type Curve struct {
	Dropped []float64
	Noise   []float64
}

// Best is the k with the least expected squared error.
func (c Curve) Best() int {
	best := 0
	for i := range c.Dropped {
		if c.Dropped[i]+c.Noise[i] < c.Dropped[best]+c.Noise[best] {
			best = i
		}
	}
	return best + 1
}

// Curver computes curves for chunks of one length: one transform and two
// suffix sums each. It must not be used by two goroutines at once.
type Curver struct {
	kind  kind
	dft   *signal.DFT
	bins  []complex128
	work  []float64
	turn  []complex128 // 1/(n(exp(2πij/n) − 1))
	power []float64    // of the noise at λ = 1
}

// NewCurver makes one for FPA and CFPA, or DCFPA.
func NewCurver(m Method, n int) *Curver {
	c := &Curver{kind: m.kind(), dft: signal.NewDFT(n), work: make([]float64, n)}
	c.bins = make([]complex128, c.dft.Bins())
	for k := range c.bins {
		c.power = append(c.power, form{c.kind, n, k + 1}.power())
	}
	for j := 1; c.kind == difference && j < len(c.bins); j++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(n))
		c.turn = append(c.turn, 1/(complex(float64(n), 0)*complex(cos-1, sin)))
	}
	return c
}

// Curve is that of the chunk x under Laplace noise of scale λ(k) on every
// coordinate, in squares of x's unit.
func (c *Curver) Curve(x []float64, scale func(k int) float64) Curve {
	out := Curve{make([]float64, len(c.bins)), make([]float64, len(c.bins))}
	c.Dropped(out.Dropped, x)
	for i, p := range c.power {
		l := scale(i + 1)
		out.Noise[i] = l * l * p
	}
	return out
}

// Dropped writes the mean squared error of keeping k = 1, 2, … coefficients
// without noise.
func (c *Curver) Dropped(dst, x []float64) {
	n := c.dft.Len()
	if c.kind == difference {
		x = signal.Differences(c.work, x)
	}
	c.dft.Coefficients(c.bins, x)
	var energy, sum float64
	share := 1 / float64(n)
	for j := len(c.bins) - 1; j >= 0; j-- {
		dst[j] = energy + sum*sum
		if j == 0 {
			break
		}
		two := 2.0
		if 2*j == n {
			two = 1
		}
		re, im := real(c.bins[j])*share, imag(c.bins[j])*share // dividing complex numbers is slow
		if c.kind == difference {
			v := c.bins[j] * c.turn[j-1]
			re, im = real(v), imag(v)
			sum += two * re
		}
		energy += two * (re*re + im*im)
	}
}

// power is the mean squared error per value of noise of scale one.
func (f form) power() float64 {
	n, k := float64(f.n), float64(f.k)
	last := f.n%2 == 0 && f.k == f.n/2+1
	switch f.kind {
	case plain:
		return 2
	case difference:
		p := (n + 1) * (2*n + 1) / (3 * n * n)
		for j := 1; j < f.k; j++ {
			if last && j == f.k-1 {
				p += 1 / (n * n)
				break
			}
			sin := math.Sin(math.Pi * float64(j) / n)
			p += 4 / (n * n * sin * sin)
		}
		return p
	case spectral:
		if last {
			return 2 / (n * n) * (4*k - 6)
		}
		return 2 / (n * n) * (4*k - 3)
	}
	return 2 * float64(f.size()) / n
}
