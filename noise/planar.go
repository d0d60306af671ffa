package noise

import (
	"fmt"
	"math"
	"math/big"
)

// PlanarLaplace draws displacements on the integer lattice with P(z) ∝ exp(−rate·‖z‖₂), exactly. The normaliser is the same
// for every origin, so by the triangle inequality a release x+z is rate·d geo-indistinguishable for origins at distance d, in
// grid steps: the planar Laplace mechanism (Andrés et al. 2013) without its loss to floating point. It is immutable and
// safe for concurrent use.
//
// Both coordinates are drawn from the discrete Laplace law of scale b just above √2/rate, and kept with probability
// exp(−(rate·‖z‖₂ − ‖z‖₁/b)), which is at most 1 since ‖z‖₁ <= √2·‖z‖₂; nearly π/4 of them are.
type PlanarLaplace struct {
	rate  float64
	coord *Sampler
}

// NewPlanarLaplace takes the rate per grid step, ε/r in the usual terms, as the exact value of the float64. The mean
// displacement is 2/rate; √2/rate may be at most MaxScale.
func NewPlanarLaplace(rate float64) (*PlanarLaplace, error) {
	if !(rate > 0 && rate <= math.MaxFloat64) {
		return nil, fmt.Errorf("noise: planar rate must be positive and finite, got %v", rate)
	}
	b := math.Sqrt2 / rate
	for !wideEnough(b, rate) {
		b = math.Nextafter(b, math.Inf(1))
	}
	if b > MaxScale {
		return nil, fmt.Errorf("noise: planar rate must be above 2^-39.5 per grid step, got %v", rate)
	}
	coord, err := NewLaplace(b)
	return &PlanarLaplace{rate, coord}, err
}

// wideEnough reports whether b >= √2/rate, exactly.
func wideEnough(b, rate float64) bool {
	if math.IsInf(b, 1) {
		return true
	}
	r := new(big.Rat).Mul(newRat(b), newRat(rate))
	return r.Mul(r, r).Cmp(ratUint(2)) >= 0
}

// Rate returns the rate per grid step.
func (p *PlanarLaplace) Rate() float64 { return p.rate }

// Draw returns one displacement in grid steps.
func (p *PlanarLaplace) Draw(src *Source) (dx, dy int64) {
	for {
		dx, dy = p.coord.Draw(src), p.coord.Draw(src)
		if p.keep(dx, dy, src.Uint64(), src) {
			return dx, dy
		}
	}
}

// keep tosses the coin, whose first 64 bits are v.
func (p *PlanarLaplace) keep(dx, dy int64, v uint64, src *Source) bool {
	x, y := math.Abs(float64(dx)), math.Abs(float64(dy))
	if far := p.rate * math.Sqrt(x*x+y*y); far <= 64 { // else cancellation could cost more than coin allows
		if heads, sure := coin(v, max(0, far-(x+y)/p.coord.scale)); sure {
			return heads
		}
	}
	return exactCoin(v, src, func(prec uint) (lo, hi *big.Rat) { return p.exponent(dx, dy, prec) })
}

// exponent encloses rate·‖z‖₂ − ‖z‖₁/b, by the integer square root.
func (p *PlanarLaplace) exponent(dx, dy int64, prec uint) (lo, hi *big.Rat) {
	_, e := math.Frexp(p.rate)
	fine := prec + uint(max(0, e))
	x, y := new(big.Int).Abs(big.NewInt(dx)), new(big.Int).Abs(big.NewInt(dy))
	flat := new(big.Rat).SetInt(new(big.Int).Add(x, y))
	flat.Quo(flat, newRat(p.coord.scale))

	root := new(big.Int).Add(x.Mul(x, x), y.Mul(y, y))
	root.Sqrt(root.Lsh(root, 2*fine))
	end := func(n *big.Int) *big.Rat {
		r := new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), fine))
		r.Sub(r.Mul(r, newRat(p.rate)), flat)
		if r.Sign() < 0 {
			r.SetInt64(0)
		}
		return r
	}
	return end(root), end(new(big.Int).Add(root, big.NewInt(1)))
}
