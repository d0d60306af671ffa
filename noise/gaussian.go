package noise

import (
	"math"
	"math/big"
)

// NewGaussian returns a sampler of the rounded Gaussian law P(z) = Φ((z+½)/sigma) − Φ((z−½)/sigma), with sigma in grid steps,
// in (0, 2^40], taken as the exact value of the float64. Added to an integer it is round(x + N(0, sigma²)), so every guarantee
// of the continuous mechanism and its exact composition carry over as post-processing.
func NewGaussian(sigma float64) (*Sampler, error) {
	if err := checkScale(sigma); err != nil {
		return nil, err
	}
	g := gaussian{layoutFor(sigma, maxNarrow), sigma}
	return newSampler(Gaussian, sigma, g, g.layout), nil
}

type gaussian struct {
	layout
	sigma float64
}

// masses integrates the normal density from 0 over [0, ½] and then over each cell, [first−½+c·width, …+width].
func (g gaussian) masses(prec uint) masses {
	spare := guard(prec)
	p := prec + spare
	walk := newNormalWalk(g.sigma, p)
	zero := walk.advance(newRat(0.5), 1)[0]
	from := 0
	if g.first() == 0 {
		from = 1 // the first cell is [0, ½]
	}
	cells := walk.advance(ratUint(g.width()), g.cells-from)
	if from == 1 {
		cells = append([]*big.Int{zero}, cells...)
		zero = new(big.Int)
	}
	beyond := new(big.Int).Lsh(big.NewInt(1), p)
	beyond.Sub(beyond, zero)
	for c := range cells {
		beyond.Sub(beyond, cells[c])
		cells[c] = down(cells[c], spare)
	}
	m := masses{down(beyond, spare), new(big.Int), cells}
	if from == 0 {
		m.zero = down(zero, spare)
	}
	return m
}

// A normalWalk integrates 2φ(x/σ)/σ from 0 outwards by Taylor's series of e^(−xt−t²/2), whose coefficients b_k, scaled by the
// step, obey (k+1)·b_{k+1} = −(α·b_k + β·b_{k−1}) with α = x·h, β = h², h the step over σ.
type normalWalk struct {
	prec  uint
	sigma *big.Rat
	at    *big.Rat // distance from 0, in grid steps
	dense *big.Int // 2φ(at/σ)
}

func newNormalWalk(sigma float64, prec uint) *normalWalk {
	return &normalWalk{prec, newRat(sigma), new(big.Rat), invSqrt2Pi(prec + 1)}
}

// advance returns the masses of the next n intervals of this width.
func (w *normalWalk) advance(width *big.Rat, n int) []*big.Int {
	// Steps so short that α <= 1 for as long as the density counts.
	relative := new(big.Rat).Quo(width, w.sigma)
	parts := new(big.Int).Mul(relative.Num(), big.NewInt(int64(128+w.prec/64)))
	parts.Quo(parts, relative.Denom())
	parts.Add(parts, big.NewInt(1))
	h := new(big.Rat).Quo(relative, new(big.Rat).SetInt(parts))
	s := newNormalStep(h, new(big.Rat).Quo(w.at, w.sigma), w.prec)

	const extinct = 32 // bits of 2φ under which the mass left is below the error allowed
	out := make([]*big.Int, n)
	for i := range out {
		out[i] = new(big.Int)
		left := new(big.Int).Set(parts)
		for one := big.NewInt(1); left.Sign() > 0 && w.dense.BitLen() > extinct; left.Sub(left, one) {
			out[i].Add(out[i], s.take(w.dense))
		}
	}
	w.at.Add(w.at, new(big.Rat).Mul(width, new(big.Rat).SetInt64(int64(n))))
	return out
}

// A normalStep carries the density over one step after another, all of one length.
type normalStep struct {
	prec                uint
	h, beta, alpha      *big.Int
	betaFine, alphaFine *big.Int // 32 bits finer, as α grows by β at each step
	b0, b1, b2, k       *big.Int // scratch
}

func newNormalStep(h, x *big.Rat, prec uint) *normalStep {
	fixed := func(r *big.Rat, prec uint) *big.Int {
		v := new(big.Int).Lsh(r.Num(), prec)
		return v.Quo(v, r.Denom())
	}
	hh := new(big.Rat).Mul(h, h)
	return &normalStep{
		prec: prec, h: fixed(h, prec), beta: fixed(hh, prec), alpha: new(big.Int),
		betaFine: fixed(hh, prec+32), alphaFine: fixed(new(big.Rat).Mul(h, x), prec+32),
		b0: new(big.Int), b1: new(big.Int), b2: new(big.Int), k: new(big.Int),
	}
}

// take returns the mass of one step and moves the density to its end.
func (s *normalStep) take(dense *big.Int) *big.Int {
	s.alpha.Rsh(s.alphaFine, 32)
	s.alphaFine.Add(s.alphaFine, s.betaFine)
	prev, cur, next := s.b0.SetInt64(0), s.b1.Lsh(s.b1.SetInt64(1), s.prec), s.b2
	ratio, mass, part := new(big.Int).Set(cur), new(big.Int).Set(cur), new(big.Int)
	for i := int64(1); ; i++ {
		next.Mul(s.alpha, cur)
		next.Add(next, part.Mul(s.beta, prev))
		next.Neg(next.Rsh(next, s.prec))
		next.Quo(next, s.k.SetInt64(i))
		if next.BitLen() <= 1 && cur.BitLen() <= 1 {
			break
		}
		ratio.Add(ratio, next)
		mass.Add(mass, part.Quo(next, s.k.SetInt64(i+1)))
		prev, cur, next = cur, next, prev
	}
	mass.Rsh(mass.Mul(mass, s.h), s.prec)
	mass.Rsh(mass.Mul(mass, dense), s.prec)
	dense.Rsh(dense.Mul(dense, ratio), s.prec)
	return mass
}

// exponent returns γ = (t² + 2x·u)/(2σ²), t = skip+u, for a point u past x+skip: −ln of the density at x+t over what the
// envelope has there. x is given doubled, in half steps.
func (g gaussian) exponent(x2, skip uint64, u *big.Rat) *big.Rat {
	t := new(big.Rat).Add(ratUint(skip), u)
	t.Mul(t, t)
	t.Add(t, new(big.Rat).Mul(ratUint(x2), u))
	s := newRat(g.sigma)
	s.Mul(s, s)
	return t.Quo(t, s.Add(s, s))
}

// accept tosses the coin of that exponent for a point u uniform in [low, low+1), of which 64 more bits are drawn now and others
// only if they matter.
func (g gaussian) accept(x2, skip, low, v uint64, src *Source) bool {
	f := src.Uint64()
	u := float64(low) + float64(f)*0x1p-64
	t, x := float64(skip)+u, float64(x2)
	scale := 2 * g.sigma * g.sigma
	if (x+2*t+2)/scale < 0x1p20 { // else the bits of u not yet drawn could move γ by more than coin allows
		if heads, sure := coin(v, (t*t+x*u)/scale); sure {
			return heads
		}
	}
	return g.acceptExactly(x2, skip, low, v, newUniform(f), src)
}

func (g gaussian) acceptExactly(x2, skip, low, v uint64, fraction *uniform, src *Source) bool {
	return exactCoin(v, src, func(prec uint) (lo, hi *big.Rat) {
		fraction.grow(prec, src)
		lo, hi = fraction.bounds()
		return g.exponent(x2, skip, lo.Add(lo, ratUint(low))), g.exponent(x2, skip, hi.Add(hi, ratUint(low)))
	})
}

// keep takes a point of the cell, which begins at ½ + cell·width: rounding makes it the magnitude.
func (g gaussian) keep(cell, low, v uint64, src *Source) bool {
	return g.accept(cell<<(g.shift+1)+1, 0, low, v, src)
}

func (g gaussian) rejects(limit uint64) float64 {
	w := float64(g.width()) / g.sigma
	return w * w * (float64(limit) + 1)
}

// beyond draws from the tail past x = end−½: blocks of a width w are passed with probability e^(−xw/σ²) each, a point is
// taken uniformly in the one not passed, and kept with the density over this envelope.
func (g gaussian) beyond(_ *Sampler, src *Source) uint64 {
	end := g.end()
	x2 := 2*end - 1
	block := max(1, uint64(2*g.sigma/float64(x2)*g.sigma)) // so that xw/σ² is about 1
	for {
		skip := uint64(0)
		for g.pass(x2, block, src) {
			skip += block
		}
		low := src.uint64n(block)
		if g.accept(x2, skip, low, src.Uint64(), src) {
			return end + skip + low
		}
	}
}

// pass tosses the coin of exponent x·block/σ².
func (g gaussian) pass(x2, block uint64, src *Source) bool {
	v := src.Uint64()
	heads, sure := coin(v, float64(x2)*float64(block)/(2*g.sigma*g.sigma))
	if !sure {
		e := new(big.Rat).Mul(ratUint(x2), ratUint(block))
		s := newRat(g.sigma)
		e.Quo(e, s.Mul(s.Add(s, s), newRat(g.sigma)))
		heads = exactCoin(v, src, func(uint) (lo, hi *big.Rat) { return e, e })
	}
	return heads
}

// stdDev sums the variance where rounding shows; from σ = 2 on it is σ² + 1/12 to 30 digits.
func (g gaussian) stdDev() float64 {
	v := g.sigma*g.sigma + 1./12
	if g.sigma < 2 {
		v = 0
		for z := 1.0; z < 80; z++ { // Σ z²P(z) = Σ (2z−1)·P(|Z| >= z)
			v += (2*z - 1) * math.Erfc((z-0.5)/(g.sigma*math.Sqrt2))
		}
	}
	return math.Sqrt(v)
}
