package noise

import (
	"math"
	"math/big"
)

// A coin falls heads with probability e^−γ: when U < e^−γ for a uniform U. Of U, 64 bits are drawn at first; in all but 2^-39
// of the cases floating point decides with them, else more bits of U and of γ are drawn and computed until they do. So the
// probability is exact, whatever the precision.

// coinDoubt is more than the error of coin's e^−γ together with the 2^-64 that U is short of.
const coinDoubt = 0x1p-40

// coin compares the 64 bits v of U with e^−γ. It is not sure when they are too close. The caller vouches that g is within
// 2^-42 of γ >= 0, or above 44 together with it.
func coin(v uint64, g float64) (heads, sure bool) {
	d := expNegApprox(g) - float64(v)*0x1p-64
	return d > 0, math.Abs(d) > coinDoubt
}

// expNegApprox returns e^−g, g >= 0, wrong by less than 2^-41 (PROOF.md, section 5); NaN when g is NaN.
func expNegApprox(g float64) float64 {
	if g > 44 {
		return 0 // e^−44 < 2^-63
	}
	squarings := 0
	for g > 0.125 {
		g, squarings = g/2, squarings+1
	}
	p := 1.0
	for k := 10.0; k > 0; k-- { // Taylor; the first term left out is below 2^-58
		p = 1 - g*p/k
	}
	for range squarings {
		p *= p
	}
	return p
}

// An exponent encloses γ ever more tightly as prec grows; at 2^-prec or so it must be worth the bits that U has.
type exponent func(prec uint) (lo, hi *big.Rat)

// exactCoin decides the coin whose first 64 bits are v, however close.
func exactCoin(v uint64, src *Source, gamma exponent) bool {
	u := newUniform(v)
	for prec := uint(128); ; prec *= 2 {
		u.grow(prec, src)
		lo, hi := gamma(prec)
		if p := expNeg(hi, prec); u.num.Cmp(p) < 0 { // U < (num+1)·2^-prec <= e^−hi
			return true
		}
		if p := expNeg(lo, prec); u.num.Cmp(p.Add(p, big.NewInt(2))) >= 0 {
			return false
		}
	}
}

// A uniform is a real number in [0, 1) of which the first bits are drawn: it lies in [num, num+1)·2^-bits.
type uniform struct {
	num  *big.Int
	bits uint
}

func newUniform(first uint64) *uniform {
	return &uniform{new(big.Int).SetUint64(first), 64}
}

// grow draws more bits until there are bits of them, a multiple of 64.
func (u *uniform) grow(bits uint, src *Source) {
	for ; u.bits < bits; u.bits += 64 {
		u.num.Lsh(u.num, 64)
		u.num.Or(u.num, new(big.Int).SetUint64(src.Uint64()))
	}
}

// bounds returns the two ends of where it lies.
func (u *uniform) bounds() (lo, hi *big.Rat) {
	den := new(big.Int).Lsh(big.NewInt(1), u.bits)
	next := new(big.Int).Add(u.num, big.NewInt(1))
	return new(big.Rat).SetFrac(u.num, den), new(big.Rat).SetFrac(next, den)
}
