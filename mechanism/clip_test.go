package mechanism

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func squared(z []int64) (s int64) {
	for _, v := range z {
		s += v * v
	}
	return s
}

// TestClipHoldsWhateverTheVector: nothing negative, and no more than K, on any
// vectors, many of them just at the bound, where rounding decides.
func TestClipHoldsWhateverTheVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		norm := math.Exp(rapid.Float64Range(-200, 200).Draw(t, "log norm"))
		g := math.Exp2(math.Floor(math.Log2(norm)) - 20)
		k := int64(math.Floor(norm / g * (norm / g)))
		a := rapid.SliceOfN(rapid.OneOf(
			rapid.Float64Range(0, 2), rapid.Just(1.0), rapid.SampledFrom([]float64{0, -1, -1e300, 5e-324, 1e-300, 1e154, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}),
		), 1, 40).Draw(t, "vector")
		if rapid.Bool().Draw(t, "at the bound") {
			at := math.Sqrt(norm * norm / float64(len(a)))
			for i := range a {
				a[i] = math.Nextafter(at, at*rapid.Float64Range(0.5, 2).Draw(t, "side"))
			}
		} else {
			for i := range a {
				a[i] *= norm
			}
		}
		before, z := slices.Clone(a), make([]int64, len(a))
		AddClipped(z, a, norm, g, k)
		energy := 0.0
		for i, v := range z {
			if v < 0 || !(a[i] > 0) && v != 0 {
				t.Fatalf("entry %d, of %v, is %d", i, a[i], v)
			}
			if math.Float64bits(a[i]) != math.Float64bits(before[i]) {
				t.Fatal("the clip changed its input")
			}
			if a[i] > 0 {
				energy += a[i] * a[i]
			}
		}
		if n := squared(z); n > k {
			t.Fatalf("Σz² = %d exceeds K = %d", n, k)
		}
		if energy < norm*norm*(1-1e-12) {
			for i, v := range z { // nothing is lost but the rounding toward zero
				if d := math.Max(a[i], 0)/g - float64(v); d < 0 || d > 1.001 {
					t.Fatalf("entry %d: %v steps became %d without a clip", i, a[i]/g, v)
				}
			}
		}
	})
}

// Rounding toward zero is not enough: three entries of m steps each, at a norm
// of √3·m whose square is rounded below 3m². The integer check has the last word.
func TestIntegerCheckIsNeeded(t *testing.T) {
	needed := 0
	for m := int64(1 << 19); m < 1<<19+2000; m++ {
		norm := math.Sqrt(3) * float64(m)
		k := int64(math.Floor(norm * norm))
		z := make([]int64, 3)
		AddClipped(z, slices.Repeat([]float64{float64(m)}, 3), norm, 1, k)
		if n := squared(z); n > k {
			t.Fatalf("m = %d: Σz² = %d exceeds K = %d", m, n, k)
		}
		if z[0] < m-1 {
			t.Fatalf("m = %d became %d", m, z[0])
		}
		if 3*m*m > k {
			needed++
		}
	}
	if needed < 100 {
		t.Errorf("only %d such cases were tried", needed)
	}
}
