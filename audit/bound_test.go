package audit

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/internal/stattest"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// Closed forms for no and all successes; the classic table for 8 of 10.
func TestClopperPearsonVectors(t *testing.T) {
	near(t, "Lower(0, 10)", Lower(0, 10, 0.05), 0, 0)
	near(t, "Upper(10, 10)", Upper(10, 10, 0.05), 1, 0)
	near(t, "Lower(10, 10)", Lower(10, 10, 0.05), math.Pow(0.05, 0.1), 1e-14)
	near(t, "Upper(0, 5e5)", Upper(0, 500_000, 1e-6), -math.Expm1(math.Log(1e-6)/5e5), 1e-14)
	near(t, "Lower(1, 2)", Lower(1, 2, 0.05), 1-math.Sqrt(0.95), 1e-12)
	near(t, "Lower(8, 10)", Lower(8, 10, 0.025), 0.4439045376923585, 1e-12)
	near(t, "Upper(8, 10)", Upper(8, 10, 0.025), 0.9747892736731485, 1e-12)
	near(t, "Lower of nothing", Lower(0, 0, 0.05), 0, 0)
	near(t, "Upper of nothing", Upper(0, 0, 0.05), 1, 0)
}

// The defining equation P(X ≥ k | p = Lower) = beta, summed in logarithms, at
// the sizes and error probabilities of real audits.
func TestClopperPearsonDefinition(t *testing.T) {
	lchoose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return a - b - c
	}
	for _, v := range []struct {
		k, n int
		beta float64
	}{{3, 50_000, 5e-7}, {120, 50_000, 0.025}, {25_000, 50_000, 5e-9}, {499_000, 500_000, 5e-7}} {
		p := Lower(v.k, v.n, v.beta)
		var tail float64
		for j := v.k; j <= v.n; j++ {
			l := lchoose(float64(v.n), float64(j)) + float64(j)*math.Log(p) + float64(v.n-j)*math.Log1p(-p)
			if j > v.k+10 && l < -60 {
				break
			}
			tail += math.Exp(l)
		}
		if math.Abs(tail/v.beta-1) > 1e-5 {
			t.Errorf("P(X ≥ %d of %d) at the limit is %g, want %g", v.k, v.n, tail, v.beta)
		}
	}
}

// A mechanism that satisfies its claim must not be refuted by the exact
// probabilities of any event: laws and events in closed form.
func TestBoundsOfExactProbabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := rapid.Float64Range(0.01, 8).Draw(t, "eps")
		at := rapid.Float64Range(-2, 2).Draw(t, "threshold")
		mu := rapid.Float64Range(0.05, 4).Draw(t, "mu")
		laplace := func(x float64) float64 { // P(L > x), scale 1/eps, sensitivity 1
			if x < 0 {
				return 1 - math.Exp(eps*x)/2
			}
			return math.Exp(-eps*x) / 2
		}
		l := limits{laplace(at - 1), laplace(at)}
		rounding := 0x1p-50 / min(l.p, l.q, 1-l.p, 1-l.q) // of probabilities near 0 and 1, in their logarithms
		if got := l.epsilon(0); got > eps+1e-6+rounding {
			t.Fatalf("Laplace ε = %v refuted: %v at %v", eps, got, at)
		}
		g := limits{stattest.NormalCDF(mu - at), stattest.NormalCDF(-at)}
		if got := g.mu(); math.Abs(got-mu) > 1e-5 {
			t.Fatalf("Gaussian μ = %v shows %v at %v", mu, got, at)
		}
		delta := dp.GaussianDelta(mu, eps)
		if got := g.epsilon(delta); got > eps+1e-6 {
			t.Fatalf("(%v, %v) refuted: %v", eps, delta, got)
		}
		if got := g.delta(eps); got > delta+1e-9 {
			t.Fatalf("δ = %v refuted: %v", delta, got)
		}
		if got := g.rho(); got > mu*mu/2*(1+1e-9) {
			t.Fatalf("ρ = %v refuted: %v", mu*mu/2, got)
		}
	})
}

// The best event of a Laplace mechanism shows all of ε, that of a Gaussian 2/π
// of ρ (for small ρ).
func TestBoundsAreAttained(t *testing.T) {
	near(t, "ε of the best event", limits{0.5, 0.5 * math.Exp(-1)}.epsilon(0), 1, 1e-12)
	near(t, "ε of its complement", limits{1 - 0.5*math.Exp(-1), 0.5}.epsilon(0), 1, 1e-12)
	mu := 0.1
	half := limits{stattest.NormalCDF(mu / 2), stattest.NormalCDF(-mu / 2)}
	near(t, "ρ of the best event", half.rho()/(mu*mu/2), 2/math.Pi, 2e-2)
	near(t, "δ of disjoint outputs", limits{0.3, 0}.delta(5), 0.3, 0)
}

func TestBoundsOfUselessLimits(t *testing.T) {
	for _, l := range []limits{{0, 1}, {0, 0.5}, {0.5, 1}, {0.2, 0.7}} {
		b := l.bounds(dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-5, Mu: 0.3}, Thresholds)
		if b != (Bounds{}) {
			t.Errorf("%+v shows %+v", l, b)
		}
		for _, v := range []float64{l.epsilon(0), l.mu(), l.rho(), l.delta(1)} {
			if math.IsNaN(v) || v > 0 {
				t.Errorf("%+v gives %v", l, v)
			}
		}
	}
}
