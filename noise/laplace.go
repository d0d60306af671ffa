package noise

import (
	"math"
	"math/big"
)

// NewLaplace returns a sampler of the discrete Laplace law P(z) = (1−q)/(1+q)·q^|z|, q = e^(−1/scale), with the scale in
// grid steps, in (0, 2^40], taken as the exact value of the float64. With integer sensitivity Δ₁ in steps it gives exactly
// Δ₁/scale of pure ε (Ghosh, Roughgarden and Sundararajan 2009).
func NewLaplace(scale float64) (*Sampler, error) {
	if err := checkScale(scale); err != nil {
		return nil, err
	}
	l := laplace{layoutFor(scale, 512), scale}
	return newSampler(Laplace, scale, l, l.layout), nil
}

type laplace struct {
	layout
	scale float64
}

// masses are, with q = e^(−1/scale) and Q = q^width, 2q^first·Q^c·(1−Q)/(1+q) in cell c; half of that for the magnitude 0.
func (l laplace) masses(prec uint) masses {
	g := guard(prec)
	p := prec + g
	one := new(big.Int).Lsh(big.NewInt(1), p)
	times := func(a, b *big.Int) *big.Int { a = new(big.Int).Mul(a, b); return a.Rsh(a, p) }

	b := newRat(l.scale)
	q := expNeg(new(big.Rat).Inv(b), p)
	wide := expNeg(new(big.Rat).Quo(ratUint(l.width()), b), p)
	unit := new(big.Int).Lsh(one, p)
	unit.Quo(unit, new(big.Int).Add(one, q)) // 1/(1+q)
	zero := times(unit, new(big.Int).Sub(one, q))

	power := new(big.Int).Lsh(unit, 1) // 2q^first·Q^c/(1+q)
	if l.first() == 1 {
		power = times(power, q)
	}
	m := masses{cell: make([]*big.Int, l.cells)}
	left := new(big.Int).Sub(one, wide)
	for c := range m.cell {
		m.cell[c] = down(times(power, left), g)
		power = times(power, wide)
	}
	m.beyond, m.zero = down(power, g), new(big.Int)
	if l.first() == 1 {
		m.zero = down(zero, g)
	} else {
		m.cell[0] = down(zero, g)
	}
	return m
}

// keep has γ = low/scale in every cell.
func (l laplace) keep(_, low, v uint64, src *Source) bool {
	heads, sure := coin(v, float64(low)/l.scale)
	if !sure {
		g := new(big.Rat).Quo(ratUint(low), newRat(l.scale))
		heads = exactCoin(v, src, func(uint) (lo, hi *big.Rat) { return g, g })
	}
	return heads
}

func (l laplace) rejects(uint64) float64 { return float64(l.width()) / l.scale }

// beyond uses that the law has no memory: the excess over the table is distributed as the magnitude is, given that it is
// not 0, less 1. (Past 2^64, which has probability below e^(-2^23), the sum wraps: PROOF.md, section 6.)
func (l laplace) beyond(s *Sampler, src *Source) uint64 {
	for {
		if m := s.magnitude(src); m > 0 {
			return l.end() + m - 1
		}
	}
}

func (l laplace) stdDev() float64 {
	return math.Sqrt2 * math.Exp(-0.5/l.scale) / -math.Expm1(-1/l.scale)
}
