package noise

import (
	"math"
	"math/big"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

// scaled returns v·2^prec, rounded down.
func scaled(v *big.Float, prec uint) *big.Int {
	n, _ := new(big.Float).SetMantExp(v, int(prec)).Int(nil)
	return n
}

func TestExpNeg(t *testing.T) {
	two := big.NewInt(2)
	for _, x := range []float64{0, 0x1p-80, 1e-9, 0.1, 0.5, 1, 2.75, 17, 100, 250, 1000} {
		want := bigExp(new(big.Float).Neg(bigFloat(x)))
		for _, prec := range []uint{64, 128, 300} {
			got, truth := expNeg(newRat(x), prec), scaled(want, prec)
			if d := truth.Sub(truth, got); d.Sign() < 0 || d.Cmp(two) > 0 {
				t.Errorf("expNeg(%v) at 2^-%d is %v units below the truth", x, prec, d)
			}
		}
	}
	for _, x := range []float64{1e300, math.MaxFloat64} {
		if v := expNeg(newRat(x), 128); v.Sign() != 0 {
			t.Errorf("expNeg(%v) = %v", x, v)
		}
	}
}

func TestExpNegApprox(t *testing.T) {
	src, worst := Seeded(5), 0.0
	for i := range 1000 {
		g := 44.5 * src.Float64()
		if i%2 == 0 {
			g *= math.Exp2(-40 * src.Float64())
		}
		want := bigExp(new(big.Float).Neg(bigFloat(g)))
		d, _ := want.Sub(want, bigFloat(expNegApprox(g))).Float64()
		worst = max(worst, math.Abs(d))
	}
	if worst >= 0x1p-41 {
		t.Errorf("worst error is 2^%.1f, the claim is 2^-41", math.Log2(worst))
	}
}

func TestInvSqrt2Pi(t *testing.T) {
	v := new(big.Float).SetPrec(refPrec).SetInt(invSqrt2Pi(300))
	v.SetMantExp(v, -300)
	v.Mul(v, v)
	v.Mul(v, bigPi(t)).Mul(v, bigFloat(2)) // 1
	if v.Sub(v, bigFloat(1)); v.MantExp(nil) > -296 {
		t.Errorf("2π·(1/√2π)² is 1 + %g", v)
	}
}

// The coin's bits equal those of its threshold for 320 bits and differ then: nothing but exact arithmetic gets this right.
func TestExactCoinAtTheEdge(t *testing.T) {
	for _, x := range []*big.Rat{big.NewRat(3, 7), big.NewRat(1, 1000), big.NewRat(9, 2), newRat(0.1)} {
		xf := new(big.Float).SetPrec(refPrec).SetRat(x)
		g, _ := x.Float64()
		edge := scaled(bigExp(xf.Neg(xf)), 384)
		for d := int64(-3); d <= 3; d++ {
			var words []uint64
			u := new(big.Int).Add(edge, big.NewInt(d))
			for range 6 {
				words = append([]uint64{new(big.Int).And(u, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}, words...)
				u.Rsh(u, 64)
			}
			if _, sure := coin(words[0], g); sure {
				t.Fatalf("γ = %v: sure at the edge", x)
			}
			if d == 0 {
				continue // the bits after these decide
			}
			heads := exactCoin(words[0], scripted(words[1:]...), func(uint) (lo, hi *big.Rat) { return x, x })
			if heads != (d < 0) {
				t.Errorf("γ = %v, %+d units of 2^-384 from the edge: heads %v", x, d, heads)
			}
		}
	}
}

// Floating point and exact arithmetic agree where floating point is sure, and heads come up as often as they should.
func TestCoinsAgree(t *testing.T) {
	src := Seeded(6)
	g := gaussian{layout{cells: 50, shift: 4}, 100}
	const n = 4000
	heads, mean := int64(0), 0.0
	for range n {
		cell, low, v, f := src.uint64n(50), src.uint64n(16), src.Uint64(), src.Uint64()
		u := float64(low) + float64(f)*0x1p-64
		gamma := (u*u + u*float64(32*cell+1)) / (2 * 100 * 100)
		fast, sure := coin(v, gamma)
		exact := g.acceptExactly(32*cell+1, 0, low, v, newUniform(f), src)
		if sure && fast != exact {
			t.Fatalf("cell %d, low %d: floating point says %v", cell, low, fast)
		}
		mean += math.Exp(-gamma) / n
		if exact {
			heads++
		}
	}
	if err := stattest.Rate(heads, n, mean); err != nil {
		t.Error(err)
	}
	if _, sure := coin(1<<63, math.NaN()); sure {
		t.Error("sure of NaN")
	}
	if heads, sure := coin(1<<63, math.Inf(1)); heads || !sure {
		t.Error("e^−∞ came up")
	}
}
