package noise

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// The scales at which tables are recomputed in big floats, digit for digit.
var provedScales = []float64{0.01, 0.3, 1, 8, 256, 1000, 1024, 1025, 1e5, 1 << 32, 1 << 40}

// realised adds up the columns of a table: the weight with which each cell is chosen, in units of 2^-tableBits.
func realised(tab *table) []*big.Int {
	w := make([]*big.Int, columns)
	for i := range w {
		w[i] = new(big.Int)
	}
	full := columnFull.big()
	for i, e := range tab.entry {
		threshold := weight{uint64(e >> (32 - topBits)), tab.low[i]}.big()
		w[i].Add(w[i], threshold)
		alias := w[e%columns]
		alias.Add(alias, new(big.Int).Sub(full, threshold))
	}
	return w
}

// reference returns the true masses of every stride-th cell of s, of zero if it has none, and beyond, to about refPrec bits.
// Cells it leaves out are nil.
func reference(t *testing.T, s *Sampler, stride int) (cells []*big.Float, zero, beyond *big.Float) {
	if s.law == Laplace {
		return referenceLaplace(s)
	}
	return referenceGaussian(t, s, stride)
}

func mul(a, b *big.Float) *big.Float { return new(big.Float).Mul(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).Sub(a, b) }

func referenceLaplace(s *Sampler) (cells []*big.Float, zero, beyond *big.Float) {
	one := bigFloat(1)
	power := func(z uint64) *big.Float { // q^z
		x := new(big.Float).Quo(new(big.Float).SetPrec(refPrec).SetUint64(z), bigFloat(s.scale))
		return bigExp(x.Neg(x))
	}
	q, wide := power(1), power(s.width())
	unit := new(big.Float).Quo(one, new(big.Float).Add(one, q))
	zero = mul(unit, sub(one, q))
	tail := mul(mul(bigFloat(2), unit), power(s.first())) // P(|Z| >= z), were half of the mass of 0 on either side
	for range s.cells {
		cells = append(cells, mul(tail, sub(one, wide)))
		tail = mul(tail, wide)
	}
	if s.first() == 0 {
		cells[0], zero = zero, new(big.Float).SetPrec(refPrec)
	}
	return cells, zero, tail
}

func referenceGaussian(t *testing.T, s *Sampler, stride int) (cells []*big.Float, zero, beyond *big.Float) {
	inside := func(z uint64) *big.Float { // P(|Z| < z) = 2(Φ((z−½)/σ) − ½)
		if z == 0 {
			return new(big.Float).SetPrec(refPrec)
		}
		x := new(big.Float).Quo(sub(new(big.Float).SetPrec(refPrec).SetUint64(z), bigFloat(0.5)), bigFloat(s.scale))
		if x.Cmp(bigFloat(40)) > 0 {
			return bigFloat(1) // to 2^-1000
		}
		return mul(bigFloat(2), bigNormal(t, x))
	}
	cells = make([]*big.Float, s.cells)
	for c := 0; c < s.cells; c += stride {
		from := s.first() + uint64(c)<<s.shift
		cells[c] = sub(inside(from+s.width()), inside(from))
	}
	return cells, inside(s.first()), sub(bigFloat(1), inside(s.end()))
}

// within fails the test unless v <= truth·2^prec <= v+units.
func within(t *testing.T, what string, v *big.Int, truth *big.Float, prec uint, units float64) {
	t.Helper()
	d := new(big.Float).SetMantExp(truth, int(prec))
	d.Sub(d, new(big.Float).SetInt(v))
	if slack := 0x1p-100; d.Cmp(bigFloat(-slack)) < 0 || d.Cmp(bigFloat(units+slack)) > 0 {
		t.Fatalf("%s: %v is %.4g units of 2^-%d below the truth", what, v, d, prec)
	}
}

// The realised table is proved: the columns give every cell a weight that is at most its probability and less than 3 units of 2^-95
// below, and the rare cell shares out exactly what is left. So the law is ideal up to decisions that exactRare
// and exactCoin make to any precision: Divergence is zero.
func TestRealisedTableIsProved(t *testing.T) {
	for _, law := range []Law{Laplace, Gaussian} {
		for _, scale := range provedScales {
			t.Run(fmt.Sprintf("%v %g", law, scale), func(t *testing.T) {
				t.Parallel()
				proveTable(t, law, scale)
			})
		}
	}
}

func proveTable(t *testing.T, law Law, scale float64) {
	var s *Sampler
	if law == Laplace {
		s = laplaceSampler(t, scale)
	} else {
		s = gaussianSampler(t, scale)
	}
	const prec = 2 * tableBits
	w, rests := realised(s.table), s.rests(prec)
	cells, zero, beyond := reference(t, s, proofStride)
	total, worst := new(big.Int), 0.0
	for c, p := range cells {
		total.Add(total, w[c])
		if p == nil {
			continue
		}
		within(t, fmt.Sprint("weight of cell ", c), w[c], p, tableBits, 3)
		all := new(big.Int).Lsh(w[c], prec-tableBits)
		within(t, fmt.Sprint("weight and rest of cell ", c), all.Add(all, rests[c+2]), p, prec, 2)
		if p.Sign() > 0 && p.MantExp(nil) > -40 {
			worst = max(worst, relative(w[c], p))
		}
	}
	within(t, "beyond", rests[0], beyond, prec, 2)
	within(t, "zero", rests[1], zero, prec, 2)
	total.Add(total, w[rareCell])
	if total.Cmp(new(big.Int).Lsh(big.NewInt(1), tableBits)) != 0 {
		t.Errorf("weights add up to %v", total)
	}
	if d := s.Divergence(); d != (Divergence{}) {
		t.Errorf("divergence %v", d)
	}
	// Even without the exact rests: where a cell has 2^-40 or more.
	if worst > 0x1p-53 {
		t.Errorf("the table alone is off by 2^%.1f", math.Log2(worst))
	}
	t.Logf("table alone: |P̂/P − 1| <= 2^%.1f", math.Log2(worst))
}

// relative returns |w·2^-tableBits/p − 1|.
func relative(w *big.Int, p *big.Float) float64 {
	r := new(big.Float).SetMantExp(new(big.Float).SetPrec(refPrec).SetInt(w), -tableBits)
	r.Quo(r, p)
	f, _ := r.Sub(r, bigFloat(1)).Float64()
	return math.Abs(f)
}

// The ratio on which pure ε rests: ln P̂(z)/P̂(z+1) over all cells of the Laplace tables, the rests included, is 1/scale to 2^-80
// or better wherever the cell has 2^-40 or more.
func TestLaplaceRatio(t *testing.T) {
	for _, scale := range []float64{1, 8, 256, 1000, 1 << 20} {
		s := laplaceSampler(t, scale)
		const prec = 4 * tableBits
		w, rests := realised(s.table), s.rests(prec)
		full := func(c int) *big.Float {
			all := new(big.Int).Lsh(w[c], prec-tableBits)
			return new(big.Float).SetPrec(refPrec).SetInt(all.Add(all, rests[c+2]))
		}
		x := new(big.Float).Quo(new(big.Float).SetPrec(refPrec).SetUint64(s.width()), bigFloat(scale))
		step := bigExp(x) // e^(width/scale)
		for c := 1; c+1 < s.cells && full(c).MantExp(nil) > prec-40; c++ {
			r := new(big.Float).Quo(full(c), full(c+1))
			if d := r.Sub(r.Quo(r, step), bigFloat(1)); d.MantExp(nil) > -80 && d.Sign() != 0 {
				t.Fatalf("scale %v: ln P(%d)/P(%d) is 1/scale + %.3g", scale, c, c+1, d)
			}
		}
	}
}

// What the loops accept unseen, keep would always accept: the bound is above the largest exponent of the cells below limit.
func TestBoundIsSafe(t *testing.T) {
	for _, scale := range []float64{1025, 1500, 2048, 2049, 1e5, 1 << 20, 1<<32 + 1, 1 << 40} {
		for _, s := range []*Sampler{laplaceSampler(t, scale), gaussianSampler(t, scale)} {
			sure := big.NewRat(int64(s.bound), 1<<keepBits)
			largest := new(big.Rat).Quo(ratUint(s.width()), newRat(scale))
			if s.law == Gaussian {
				largest = s.ideal.(gaussian).exponent(uint64(s.limit-1)<<(s.shift+1)+1, 0, ratUint(s.width()))
			}
			// 1 − e^−γ <= γ, and that is all the bound needs.
			if sure.Cmp(largest) < 0 {
				t.Errorf("%v %v: bound %v is below the exponent %v", s.law, scale, sure, largest)
			}
			if f, _ := sure.Float64(); f > 0.02 {
				t.Errorf("%v %v: %v of the words are left to the slow path", s.law, scale, f)
			}
		}
	}
}
