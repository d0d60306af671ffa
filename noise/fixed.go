package noise

import (
	"math/big"
	"math/bits"
)

// Fixed point: an integer v stands for v·2^-prec. Every function says how far below the truth it may end.

// guard is how many bits are carried beyond the precision asked for. All errors made on the way stay below 2^(guard−8)
// units of the finer grid, so that down ends at most 2 units below the truth and never above it: PROOF.md, section 4.
func guard(prec uint) uint { return 40 + 4*uint(bits.Len(prec)) }

// down takes v, within 2^(guard−8) units of the truth, to guard bits fewer: v' <= truth <= v'+2, and v' >= 0.
func down(v *big.Int, guard uint) *big.Int {
	v = new(big.Int).Sub(v, new(big.Int).Lsh(big.NewInt(1), guard-8))
	if v.Sign() < 0 {
		return v.SetInt64(0)
	}
	return v.Rsh(v, guard)
}

// expNeg returns v with v <= e^−x·2^prec <= v+2, for x >= 0.
func expNeg(x *big.Rat, prec uint) *big.Int {
	whole := new(big.Int).Quo(x.Num(), x.Denom())
	if whole.Cmp(big.NewInt(int64(prec))) >= 0 {
		return new(big.Int) // e^−prec < 2^−prec
	}
	halvings := uint(whole.BitLen()) + 1 // then x/2^halvings < 1/2
	spare := 16 + 2*uint(bits.Len(prec)) // 4 units of error for each term stay below 2^(spare−2)
	work := prec + halvings + spare
	y := new(big.Int).Lsh(x.Num(), work-halvings)
	y.Quo(y, x.Denom())

	sum := new(big.Int).Lsh(big.NewInt(1), work)
	term, k := new(big.Int).Set(sum), new(big.Int)
	for i := int64(1); ; i++ { // Taylor, alternating: each term is wrong by less than 4 units
		term.Rsh(term.Mul(term, y), work)
		term.Quo(term, k.SetInt64(i))
		if term.Sign() == 0 {
			break
		}
		if i%2 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	for range halvings { // squaring doubles the error
		sum.Rsh(sum.Mul(sum, sum), work)
	}
	sum.Sub(sum, new(big.Int).Lsh(big.NewInt(1), halvings+spare-2)) // a quarter of a unit, more than all errors
	if sum.Sign() < 0 {
		return sum.SetInt64(0)
	}
	return sum.Rsh(sum, halvings+spare)
}

// arctanInverse returns arctan(1/n)·2^prec to within the number of its terms, at most prec.
func arctanInverse(n int64, prec uint) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), prec)
	power.Quo(power, big.NewInt(n))
	square, sum := big.NewInt(n*n), new(big.Int)
	for i := int64(1); power.Sign() != 0; i += 4 {
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(i)))
		power.Quo(power, square)
		sum.Sub(sum, new(big.Int).Quo(power, big.NewInt(i+2)))
		power.Quo(power, square)
	}
	return sum
}

// invSqrt2Pi returns 2^prec/√(2π) to within one unit.
func invSqrt2Pi(prec uint) *big.Int {
	work := prec + 64
	pi := arctanInverse(5, work) // Machin: π = 16 arctan(1/5) − 4 arctan(1/239)
	pi.Lsh(pi, 4)
	pi.Sub(pi, new(big.Int).Lsh(arctanInverse(239, work), 2))
	v := new(big.Int).Lsh(big.NewInt(1), 3*work-1)
	v.Quo(v, pi) // 2^(2·work)/(2π)
	return v.Rsh(v.Sqrt(v), work-prec)
}
