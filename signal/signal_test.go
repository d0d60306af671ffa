package signal

import (
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"slices"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"pgregory.net/rapid"
)

// values draws n numbers in steps of 1/64.
func values(t *rapid.T, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(rapid.IntRange(-1<<16, 1<<16).Draw(t, "x")) / 64
	}
	return x
}

func norm(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s)
}

// direct is the definition, summed with angles reduced exactly.
func direct(x []float64) []complex128 {
	n := len(x)
	out := make([]complex128, n/2+1)
	for j := range out {
		for t, v := range x {
			out[j] += complex(v, 0) * unit(j*t%n, n)
		}
	}
	return out
}

func near(t interface{ Fatalf(string, ...any) }, what string, got, want, size float64) {
	if !(math.Abs(got-want) <= 1e-11*(size+1e-300)) {
		t.Fatalf("%s: %v, want %v (off by %g of %g)", what, got, want, got-want, size)
	}
}

func TestCoefficientsAreTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		x := values(t, n)
		kept := slices.Clone(x)
		d := NewDFT(n)
		c := d.Coefficients(make([]complex128, d.Bins()), x)
		size := norm(x) * math.Sqrt(float64(n))
		for j, want := range direct(x) {
			near(t, fmt.Sprintf("n = %d, X[%d]", n, j), cmplx.Abs(c[j]-want), 0, size)
		}
		back := d.Sequence(make([]float64, n), c)
		for i := range back {
			near(t, fmt.Sprintf("n = %d, x[%d]", n, i), back[i], x[i], norm(x))
		}
		if !slices.Equal(x, kept) {
			t.Fatal("the input was modified")
		}
	})
}

// TestAllPlansAgree: powers of two against gonum, primes against the
// definition, lengths on both sides of every border.
func TestAllPlansAgree(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 8, 16, 30, 32, 64, 128, 1024, 4096, 8192, 1200, 7, 13, 127, 1021, 2 * 1021, 4093} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64(i*i)) + 0.3
		}
		d := NewDFT(n)
		got := d.Coefficients(make([]complex128, d.Bins()), x)
		want := fourier.NewFFT(n).Coefficients(nil, x)
		for j := range want {
			near(t, fmt.Sprintf("n = %d, X[%d]", n, j), cmplx.Abs(got[j]-want[j]), 0, norm(x)*math.Sqrt(float64(n)))
		}
		if imag(got[0]) != 0 || n%2 == 0 && imag(got[n/2]) != 0 {
			t.Errorf("n = %d: X[0] = %v, X[n/2] = %v must be real", n, got[0], got[n/2])
		}
		back := d.Sequence(make([]float64, n), got)
		for i := range back {
			near(t, fmt.Sprintf("n = %d, x[%d]", n, i), back[i], x[i], norm(x))
		}
	}
}

// TestInverseIgnoresWhatIsNotReal: coefficients 0 and n/2 have no imaginary
// part, whatever stands there.
func TestInverseIgnoresWhatIsNotReal(t *testing.T) {
	for _, n := range []int{2, 6, 7, 13, 14, 32} {
		d := NewDFT(n)
		c := make([]complex128, d.Bins())
		for j := range c {
			c[j] = complex(float64(j+1), float64(j*j))
		}
		clean := slices.Clone(c)
		c[0] += 5i
		if n%2 == 0 {
			clean[n/2] = complex(real(c[n/2]), 0)
			c[n/2] = complex(real(c[n/2]), -7)
		}
		want := d.Sequence(make([]float64, n), clean)
		for i, v := range d.Sequence(make([]float64, n), c) {
			near(t, fmt.Sprintf("n = %d", n), v, want[i], norm(want))
		}
	}
}

// TestErrorOfTheTransform against sums of 200 bits, whose angles are good to
// the last bit of a float64: 2^-44 of the norm is room enough.
func TestErrorOfTheTransform(t *testing.T) {
	for _, n := range []int{32, 127, 1200} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Cos(float64(3*i))*0.5 + math.Sin(float64(i)/9)*0.5
		}
		d := NewDFT(n)
		c := d.Coefficients(make([]complex128, d.Bins()), x)
		worst := 0.0
		for _, j := range []int{0, 1, 2, n / 4, n / 2} {
			re, im := exact(x, j)
			worst = max(worst, math.Hypot(real(c[j])-re, imag(c[j])-im))
		}
		if limit := math.Ldexp(norm(x)*math.Sqrt(float64(n)), -44); worst > limit {
			t.Errorf("n = %d: error %g above %g", n, worst, limit)
		}
	}
}

// exact sums in big floats.
func exact(x []float64, j int) (re, im float64) {
	r, i := new(big.Float).SetPrec(200), new(big.Float).SetPrec(200)
	for t, v := range x {
		w := unit(j*t%len(x), len(x))
		r.Add(r, new(big.Float).Mul(big.NewFloat(v), big.NewFloat(real(w))))
		i.Add(i, new(big.Float).Mul(big.NewFloat(v), big.NewFloat(imag(w))))
	}
	re, _ = r.Float64()
	im, _ = i.Float64()
	return re, im
}

func TestDCTIsOrthonormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 130).Draw(t, "n")
		x := values(t, n)
		d := NewDCT(n)
		c := d.Coefficients(make([]float64, n), x)
		near(t, "norm", norm(c), norm(x), norm(x))
		for j, got := range c {
			want := 0.0
			for i, v := range x {
				want += v * math.Cos(math.Pi*float64(j)*(2*float64(i)+1)/(2*float64(n)))
			}
			want *= math.Sqrt(2 / float64(n))
			if j == 0 {
				want /= math.Sqrt2
			}
			near(t, fmt.Sprintf("n = %d, X[%d]", n, j), got, want, norm(x))
		}
		for i, v := range d.Sequence(make([]float64, n), c) {
			near(t, fmt.Sprintf("n = %d, x[%d]", n, i), v, x[i], norm(x))
		}
	})
}

func TestDifferences(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5}
	d := Differences(make([]float64, 5), x)
	if !slices.Equal(d, []float64{3, -2, 3, -3, 4}) {
		t.Errorf("differences %v", d)
	}
	if back := CumulativeSums(d, d); !slices.Equal(back, x) { // in place
		t.Errorf("sums %v", back)
	}
	if got := Differences(x, x); !slices.Equal(got, []float64{3, -2, 3, -3, 4}) {
		t.Errorf("in place: %v", got)
	}
	if len(Differences(nil, nil)) != 0 || len(CumulativeSums(nil, nil)) != 0 {
		t.Error("nothing has differences")
	}
}

// TestPrimesAreFast: the work of a prime length is that of its neighbours, by
// the number of butterflies and not by the clock.
func TestPrimesAreFast(t *testing.T) {
	b := newBluestein(99991)
	if m := len(b.work); m > 3*99991 || !smooth(m) {
		t.Errorf("a prime length of 99991 is convolved over %d", m)
	}
}
