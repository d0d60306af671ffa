package stattest

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// Closed forms: k = 0 and k = n give powers; n = 1, 2 give roots; the 3-of-10 and 8-of-10 limits are the classic tables'.
func TestClopperPearson(t *testing.T) {
	near(t, "Upper(0,n)", Upper(0, 100, 0.05), 1-math.Pow(0.05, 0.01), 1e-12)
	near(t, "Lower(n,n)", Lower(100, 100, 0.05), math.Pow(0.05, 0.01), 1e-12)
	near(t, "Lower(1,2)", Lower(1, 2, 0.05), 1-math.Sqrt(0.95), 1e-10)
	near(t, "Upper(1,2)", Upper(1, 2, 0.05), math.Sqrt(0.95), 1e-10)
	near(t, "Lower(8,10)", Lower(8, 10, 0.025), 0.4439045376923585, 1e-9)
	near(t, "Upper(8,10)", Upper(8, 10, 0.025), 0.9747892736731485, 1e-9)
}

// The defining equations, summed over the binomial law itself.
func TestClopperPearsonDefinition(t *testing.T) {
	const n, beta = 40, 1e-6
	tail := func(k int, p float64) (s float64) { // P(X >= k)
		for j := k; j <= n; j++ {
			c, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(j) + 1)
			b, _ := math.Lgamma(float64(n-j) + 1)
			s += math.Exp(c - a - b + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
		}
		return s
	}
	for k := 1; k < n; k++ {
		lo, hi := ClopperPearson(int64(k), n, beta)
		near(t, "P(X >= k) at the lower limit", tail(k, lo), beta, 1e-6)
		near(t, "P(X > k) at the upper limit", 1-tail(k+1, hi), beta, 1e-6)
	}
	if Lower(0, 10, 0.01) != 0 || Upper(10, 10, 0.01) != 1 {
		t.Error("limits without a success, or without a failure, are not trivial")
	}
}

func TestNormalQuantile(t *testing.T) {
	near(t, "Φ⁻¹(0.975)", NormalQuantile(0.975), 1.959963984540054, 1e-13)
	near(t, "Φ⁻¹(1e-6)", NormalQuantile(1e-6), -4.753424308822899, 1e-12)
	near(t, "Φ⁻¹(1e-300)", NormalQuantile(1e-300), -37.04709629936120, 1e-13)
	for _, z := range []float64{-5, -1, 0.3, 4} {
		near(t, "Φ⁻¹(Φ(z))", NormalQuantile(NormalCDF(z)), z, 1e-9)
	}
}

func TestChiSquare(t *testing.T) {
	// 2 degrees of freedom: p = exp(-x²/2).
	p, err := ChiSquare([]int64{1040, 960, 1000}, []float64{1. / 3, 1. / 3, 1. / 3})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "p", p, math.Exp(-3.2/2), 1e-12)
	if p, _ := ChiSquare([]int64{1000, 1000, 1}, []float64{0.5, 0.5, 0}); p != 0 {
		t.Errorf("an impossible outcome has p = %v", p)
	}
	if _, err := ChiSquare([]int64{100, 100}, []float64{0.5, 0.5}); !errors.Is(err, ErrTooFew) {
		t.Errorf("200 counts: %v", err)
	}
	for _, bad := range [][]float64{{0.5}, {0.5, 0.6}, {math.NaN(), 1}, {-0.5, 1.5}} {
		if _, err := ChiSquare([]int64{1000, 1000}, bad); err == nil {
			t.Errorf("accepted probabilities %v", bad)
		}
	}
}

func TestVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 200_000
	norm, exp := make([]float64, n), make([]float64, n)
	var a, b, c [10]int64
	for i := range n {
		norm[i], exp[i] = 3+2*r.NormFloat64(), r.ExpFloat64()
		a[r.IntN(10)]++
		b[r.IntN(10)]++
		c[min(9, r.IntN(101)/10)]++ // the last cell has 11/101
	}
	fair := []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1}
	cdf := func(x float64) float64 { return 1 - math.Exp(-x) }
	for what, err := range map[string]error{
		"fit": Fit(a[:], fair), "same": SameLaw(a[:], b[:]), "rate": Rate(a[0], n, 0.1),
		"moments": NormalMoments(3, 2).Check(norm), "exponential": Kolmogorov(exp, cdf),
		"exponential moments": Moments{1, 1, 9}.Check(exp),
	} {
		if err != nil {
			t.Errorf("%s: rejected the right law: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"fit": Fit(c[:], fair), "same": SameLaw(a[:], c[:]), "rate": Rate(c[9], n, 0.1),
		"mean": NormalMoments(3.05, 2).Check(norm), "scale": NormalMoments(3, 2.05).Check(norm),
		"tails": LaplaceMoments(3, 2).Check(norm), "exponential": Kolmogorov(norm, cdf),
	} {
		if err == nil {
			t.Errorf("%s: accepted a wrong law", what)
		}
	}
}
