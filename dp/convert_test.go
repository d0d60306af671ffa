package dp

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol {
		t.Errorf("%s = %.9f, want %.9f ± %g", what, got, want, tol)
	}
}

func TestGaussianMuVectors(t *testing.T) { // MECHANISMS §2
	for _, v := range []struct{ eps, delta, sigma float64 }{
		{0.1, 1e-5, 30.749566}, {0.5, 1e-5, 7.031827}, {1, 1e-5, 3.730632}, {1, 1e-6, 4.224679},
		{2, 1e-5, 1.993812}, {3, 1e-5, 1.390593}, {5, 1e-6, 0.980049}, {8, 1e-6, 0.652935},
	} {
		near(t, "sigma/delta2", 1/GaussianMu(v.eps, v.delta), v.sigma, 6e-7)
		if got := GaussianDelta(GaussianMu(v.eps, v.delta), v.eps); got > v.delta {
			t.Errorf("(%g, %g): calibrated mu has delta %g above the target", v.eps, v.delta, got)
		}
	}
}

func TestZCDPVectors(t *testing.T) { // MECHANISMS §2, PROOFS C3
	for _, v := range []struct{ rho, delta, eps, exact float64 }{
		{0.03125, 1e-3, 0.688002, 0}, {0.1, 1e-6, 2.141939, 1.994527},
		{0.5, 1e-6, 5.221534, 4.886554}, {1, 1e-5, 7.077197, 6.572970},
	} {
		near(t, "zCDP epsilon", ZCDPEpsilon(v.rho, v.delta), v.eps, 6e-7)
		if v.exact > 0 {
			near(t, "exact epsilon", GaussianEpsilon(math.Sqrt(2*v.rho), v.delta), v.exact, 6e-7)
		}
	}
}

func TestGaussianCompositionVectors(t *testing.T) { // NOISE.md: sigma/delta = 10
	for k, want := range map[int]float64{1: 0.396857378, 10: 1.367571475, 100: 4.886554117, 1000: 19.423656474} {
		near(t, "composed epsilon", GaussianEpsilon(0.1*math.Sqrt(float64(k)), 1e-6), want, 2e-8)
	}
}

func TestConversionsRoundAgainstUs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu := math.Exp(rapid.Float64Range(math.Log(1e-4), math.Log(50)).Draw(t, "logMu"))
		delta := math.Exp(rapid.Float64Range(math.Log(1e-15), math.Log(0.4)).Draw(t, "logDelta"))
		eps := GaussianEpsilon(mu, delta)
		if GaussianDelta(mu, eps) > delta {
			t.Fatalf("mu %g delta %g: epsilon %g is too small", mu, delta, eps)
		}
		if eps > 0 {
			if back := GaussianMu(eps, delta); back < mu*(1-1e-6) {
				t.Fatalf("mu %g delta %g: round trip gives %g", mu, delta, back)
			}
		}
		if z := ZCDPEpsilon(mu*mu/2, delta); z < eps*(1-1e-8) {
			t.Fatalf("zCDP bound %g lies below the exact %g", z, eps)
		}
	})
}

func TestGaussianDeltaAgainstQuadrature(t *testing.T) {
	for _, v := range [][2]float64{{0.05, 0.1}, {1, 1}, {3, 0}, {6, 10}, {30, 200}, {1, 20}} {
		mu, eps := v[0], v[1]
		// δ = ∫ (p − e^ε q)₊ with p = N(μ,1), q = N(0,1); positive where x > ε/μ + μ/2.
		lo := eps/mu + mu/2
		var sum float64
		const h = 1e-4
		for i := range 400000 {
			x := lo + (float64(i)+0.5)*h
			sum += h * (math.Exp(-(x-mu)*(x-mu)/2) - math.Exp(eps-x*x/2)) / math.Sqrt(2*math.Pi)
		}
		if got := GaussianDelta(mu, eps); math.Abs(got-sum) > 1e-6*sum { // the midpoint rule itself errs by 2e-7
			t.Errorf("mu %g eps %g: delta %g, quadrature %g", mu, eps, got, sum)
		}
	}
}

func TestGaussianEdges(t *testing.T) {
	if GaussianEpsilon(0, 0.1) != 0 || !math.IsInf(GaussianEpsilon(1, 0), 1) || GaussianDelta(math.Inf(1), 5) != 1 {
		t.Error("edges of the Gaussian conversions are wrong")
	}
	if GaussianMu(1, 0) != 0 || GaussianMu(-1, 0.1) != 0 || GaussianMu(1, 1) != 0 {
		t.Error("impossible requests must permit nothing")
	}
}
