package series

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/noise"
)

var kinds = []kind{plain, spectral, difference, cosine, orthonormal}

func drawForm(t *rapid.T) form {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	return newForm(rapid.SampledFrom(kinds).Draw(t, "kind"), n, rapid.IntRange(1, n/2+1).Draw(t, "k"))
}

// drawBox draws a signal of the box, corners among them.
func drawBox(t *rapid.T, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rapid.SampledFrom([]int{-512, -512, 512, 512, 0, 100, -3, 37}).Draw(t, "x")) / 1024
	}
	return x
}

func dot(a, b []float64) (s float64) {
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func sumAbs(a []float64) (s float64) {
	for _, v := range a {
		s += math.Abs(v)
	}
	return s
}

// matrix is M by its definition, row by row.
func matrix(f form) [][]float64 {
	var rows [][]float64
	add := func(at func(t int) float64) {
		row := make([]float64, f.n)
		for t := range row {
			row[t] = at(t)
		}
		if f.kind == difference { // M·D: column t is that of t minus that of t+1
			for t := range f.n - 1 {
				row[t] -= row[t+1]
			}
		}
		rows = append(rows, row)
	}
	n := float64(f.n)
	switch f.kind {
	case plain:
		for i := range f.n {
			add(func(t int) float64 { return map[bool]float64{true: 1}[t == i] })
		}
	case cosine:
		for j := range f.size() {
			scale := math.Sqrt(2 / n)
			if j == 0 {
				scale = math.Sqrt(1 / n)
			}
			add(func(t int) float64 { return scale * math.Cos(math.Pi*float64(j)*(2*float64(t)+1)/(2*n)) })
		}
	default:
		for j := range f.k {
			scale := 1.0
			if f.kind == orthonormal {
				scale = math.Sqrt(2 / n)
				if j == 0 || 2*j == f.n {
					scale = math.Sqrt(1 / n)
				}
			}
			angle := func(t int) float64 { return 2 * math.Pi * float64(j*t%f.n) / n }
			add(func(t int) float64 { return scale * math.Cos(angle(t)) })
			if j > 0 && 2*j != f.n {
				add(func(t int) float64 { return -scale * math.Sin(angle(t)) })
			}
		}
	}
	return rows
}

func TestCodecsAreTheirMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		rows, c, x := matrix(f), f.codec(), drawBox(t, f.n)
		if len(rows) != f.size() {
			t.Fatalf("%+v has %d coordinates, its matrix %d rows", f, f.size(), len(rows))
		}
		y, back := make([]float64, f.size()), make([]float64, f.n)
		c.forward(y, x)
		for i, row := range rows {
			if math.Abs(y[i]-dot(row, x)) > 1e-10 {
				t.Fatalf("%+v: coordinate %d is %v, want %v", f, i, y[i], dot(row, x))
			}
		}
		s := make([]float64, len(y))
		for i := range s {
			s[i] = float64(rapid.IntRange(-3, 3).Draw(t, "s"))
		}
		c.adjoint(back, s)
		for i := range back {
			want := 0.0
			for r := range rows {
				want += rows[r][i] * s[r]
			}
			if math.Abs(back[i]-want) > 1e-10 {
				t.Fatalf("%+v: adjoint %d is %v, want %v", f, i, back[i], want)
			}
		}
	})
}

// TestRowsAndTransformsAgree: few coordinates take another way to the same.
func TestRowsAndTransformsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		if f.kind == plain || f.kind == difference {
			f.kind = spectral
		}
		x, y := drawBox(t, f.n), make([]float64, f.size())
		f.transform().forward(y, x)
		rows, fast := make([]float64, len(y)), make([]float64, f.n)
		f.direct().forward(rows, x)
		for i := range y {
			if math.Abs(rows[i]-y[i]) > 1e-11 {
				t.Fatalf("%+v: coordinate %d is %v and %v", f, i, rows[i], y[i])
			}
		}
		f.transform().inverse(fast, y)
		f.direct().inverse(x, y)
		for i := range x {
			if math.Abs(x[i]-fast[i]) > 1e-11 {
				t.Fatalf("%+v: value %d is %v and %v", f, i, x[i], fast[i])
			}
		}
	})
}

func TestAllCoefficientsGiveTheSignalBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		f = newForm(f.kind, f.n, f.n)
		c, x := f.codec(), drawBox(t, f.n)
		y, back := make([]float64, f.size()), make([]float64, f.n)
		c.forward(y, x)
		c.inverse(back, y)
		for i := range x {
			if math.Abs(back[i]-x[i]) > 1e-10 {
				t.Fatalf("%+v: value %d is %v, want %v", f, i, back[i], x[i])
			}
		}
	})
}

// TestHalfSpectrumScale: Σ(|Re|+|Im|) ≤ √(nk)·‖x‖₂, and every vector of signs
// attains it: x = Mᵀs has ‖Mx‖₁ ≥ sᵀMMᵀs = ‖Mᵀs‖² = nk (PROOF.md §1).
func TestHalfSpectrumScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		f := newForm(spectral, n, rapid.IntRange(1, n/2+1).Draw(t, "k"))
		c := f.codec()
		x, y, s := drawBox(t, n), make([]float64, f.size()), make([]float64, f.size())
		bound := math.Sqrt(float64(f.n) * float64(f.k))
		c.forward(y, x)
		if sumAbs(y) > bound*math.Sqrt(dot(x, x))*(1+1e-12) {
			t.Fatalf("%+v: %v above the bound", f, sumAbs(y))
		}
		for i := range s {
			s[i] = float64(2*rapid.IntRange(0, 1).Draw(t, "sign") - 1)
		}
		c.adjoint(x, s)
		c.forward(y, x)
		if got := sumAbs(y) / math.Sqrt(dot(x, x)); math.Abs(got-bound) > 1e-10*bound {
			t.Fatalf("%+v: signs reach %v of %v", f, got, bound)
		}
	})
}

func TestExactRadiusAgainstEveryCorner(t *testing.T) {
	for _, kd := range []kind{plain, spectral, difference} {
		for n := 1; n <= 11; n++ {
			for k := 1; k <= n/2+1; k++ {
				f := newForm(kd, n, k)
				c, y := f.codec(), make([]float64, f.size())
				want := 0.0
				for corner := range 1 << n {
					x := make([]float64, n)
					for i := range x {
						x[i] = float64(corner>>i&1) - 0.5
					}
					c.forward(y, x)
					want = math.Max(want, sumAbs(y))
				}
				got, exact := f.radius()
				if !exact || math.Abs(got-want) > 1e-7*want {
					t.Errorf("%+v: radius %v (exact %v), every corner gives %v", f, got, exact, want)
				}
				if _, r := f.ascend(64); r > got*(1+1e-9) || r < 0.999*want {
					t.Errorf("%+v: ascent reaches %v of %v", f, r, want)
				}
			}
		}
	}
}

// TestBoxRatios are those of PROOFS C8: how much of √(nk)·Δ₂ a box allows.
func TestBoxRatios(t *testing.T) {
	for _, v := range []struct {
		f          form
		want, give float64
	}{
		{newForm(difference, 32, 5), 0.236, 0.001}, {newForm(difference, 64, 5), 0.120, 0.001}, {newForm(difference, 128, 5), 0.061, 0.001},
		{newForm(difference, 128, 16), 0.20, 0.01},
		{newForm(spectral, 32, 5), 0.875, 0.075}, {newForm(spectral, 1200, 3), 0.875, 0.075}, {newForm(spectral, 64, 9), 0.875, 0.075},
	} {
		r, exact := v.f.radius()
		if got := 2 * r / v.f.bound(); math.Abs(got-v.want) > v.give {
			t.Errorf("%+v: %.4f of the published sensitivity (exact %v), want %v ± %v", v.f, got, exact, v.want, v.give)
		}
	}
}

// TestOtherBoundsOfTheBox: the three bounds of PROOFS C8 lie above the exact
// sensitivity.
func TestOtherBoundsOfTheBox(t *testing.T) {
	for _, f := range []form{newForm(spectral, 24, 4), newForm(difference, 24, 4), newForm(spectral, 17, 9), newForm(difference, 17, 9)} {
		r, _ := f.radius()
		entries, square := 0.0, 0.0
		for _, row := range f.rows() {
			entries += sumAbs(row)
			square += dot(row, row)
		}
		frobenius := math.Sqrt(float64(f.n)*float64(f.size())) * math.Sqrt(square) // the operator norm is less
		for name, bound := range map[string]float64{"√(nk)Δ₂": f.bound(), "Σ|M|": entries, "√(nm)‖M‖": frobenius} {
			if 2*r > bound*(1+1e-9) {
				t.Errorf("%+v: %v exceeds %s = %v", f, 2*r, name, bound)
			}
		}
	}
}

func TestClipsHoldForAnyIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.SliceOfN(rapid.Int64Range(-1<<52, 1<<52), 1, 50).Draw(t, "z")
		r := rapid.Int64Range(0, 1<<50).Draw(t, "r")
		a, b := slices.Clone(z), slices.Clone(z)
		clipL1(a, r)
		clipL2(b, r)
		var sum, square float64
		for i := range z {
			sum += math.Abs(float64(a[i]))
			square += float64(b[i]) * float64(b[i])
			if a[i] != 0 && (a[i] > 0) != (z[i] > 0) || b[i] != 0 && (b[i] > 0) != (z[i] > 0) {
				t.Fatalf("a sign turned: %d %d %d", z[i], a[i], b[i])
			}
		}
		if sum > float64(r)*(1+1e-15) || math.Sqrt(square) > float64(r)*(1+1e-15) {
			t.Fatalf("norms %v and %v above %d", sum, math.Sqrt(square), r)
		}
		inside := slices.Clone(a)
		clipL1(inside, r)
		if !slices.Equal(inside, a) {
			t.Fatal("what fits was clipped")
		}
	})
	edge := []int64{3, -4}
	if clipL2(edge, 5); !slices.Equal(edge, []int64{3, -4}) {
		t.Errorf("a norm of exactly 5 was clipped: %v", edge)
	}
	if clipL2(edge, 4); edge[0]*edge[0]+edge[1]*edge[1] > 16 || edge[0] < 2 {
		t.Errorf("clipped to %v", edge)
	}
	if clipL1(edge, 100); edge[0] == 0 {
		t.Errorf("%v", edge)
	}
}

// TestSquaresSaturate: a sum beyond 128 bits is not taken for a small one.
func TestSquaresSaturate(t *testing.T) {
	z := []int64{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64} // 4·2^126 = 2^128
	if hi, lo := squares(z); hi != math.MaxUint64 || lo != math.MaxUint64 {
		t.Errorf("%x %x", hi, lo)
	}
	clipL2(z, 100)
	norm := 0.0
	for _, v := range z {
		norm += float64(v) * float64(v)
	}
	if norm > 100*100 || norm < 90*90 {
		t.Errorf("clipped to %v", z)
	}
}

func TestLatticeTakesAnything(t *testing.T) {
	z := make([]int64, 5)
	toLattice(z, []float64{math.NaN(), math.Inf(1), 1e300, -2.6, 0.4}, 1)
	if !slices.Equal(z, []int64{0, 1 << 52, 1 << 52, -3, 0}) {
		t.Errorf("%v", z)
	}
}

// TestCurvesAgainstMonteCarlo: closed forms of PROOFS C8 for every k, odd and
// even lengths. One of some 150 comparisons errs by 6 standard errors with a
// probability below 1e-6.
func TestCurvesAgainstMonteCarlo(t *testing.T) {
	src := noise.Seeded(5)
	for _, method := range []Method{FPA, DCFPA} {
		for _, n := range []int{1, 2, 3, 8, 13, 32} {
			x := make([]float64, n)
			for i := range x {
				x[i] = 2 + math.Sin(float64(i*i)) + float64(i)/5
			}
			scale := func(k int) float64 { return 0.3 * math.Sqrt(float64(k)) }
			curve := NewCurver(method, n).Curve(x, scale)
			trials := MonteCarlo(method, x, scale, 4000, src)
			for k := range trials.Error {
				want := curve.Dropped[k] + curve.Noise[k]
				if math.Abs(trials.Error[k]-want) > 6*trials.Spread[k] || trials.Spread[k] > 0.1*want {
					t.Errorf("%v, n = %d, k = %d: closed form %v, runs %v ± %v", method, n, k+1, want, trials.Error[k], trials.Spread[k])
				}
				if wrong := curve.Dropped[k] + 0.49*curve.Noise[k]; k > 0 && math.Abs(trials.Error[k]-wrong) < 6*trials.Spread[k] && curve.Noise[k] > curve.Dropped[k] {
					t.Errorf("%v, n = %d, k = %d: 0.7 times the noise is not told apart", method, n, k+1)
				}
			}
		}
	}
}

// TestDroppedIsTheReconstruction without noise, to the last digits.
func TestDroppedIsTheReconstruction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		method := rapid.SampledFrom([]Method{FPA, DCFPA}).Draw(t, "method")
		x := drawBox(t, n)
		dropped := make([]float64, n/2+1)
		NewCurver(method, n).Dropped(dropped, x)
		for k := 1; k <= n/2+1; k++ {
			f := newForm(method.kind(), n, k)
			c, y, back := f.codec(), make([]float64, f.size()), make([]float64, n)
			c.forward(y, x)
			c.inverse(back, y)
			if want := squaredError(x, back); math.Abs(dropped[k-1]-want) > 1e-11*(1+want) {
				t.Fatalf("%v, n = %d, k = %d: %v, want %v", method, n, k, dropped[k-1], want)
			}
		}
	})
}

func ExampleCurver() {
	x := []float64{1, 2, 1, 2, 1, 2, 1, 2}
	curve := NewCurver(FPA, 8).Curve(x, func(k int) float64 { return 0.1 * math.Sqrt(float64(k)) })
	fmt.Println("best k:", curve.Best())
	// Output: best k: 5
}
