package calibrate

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol {
		t.Errorf("%s = %.9f, want %.9f ± %g", what, got, want, tol)
	}
}

// The per-pixel cap m = 1, r = 300², n observers: Δ₂ = √r/n (MECHANISMS §3).
func TestLiuVectors(t *testing.T) {
	delta := func(n float64) float64 { return math.Pow(n, -1.5) }
	s, err := GaussianLiu(1, delta(900), 300./900)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "n=900 ε=1", s, 1.54226, 5e-6)
	s, _ = GaussianLiu(3, delta(300), 1)
	near(t, "n=300 ε=3", s, 1.49486, 5e-6)
	s, _ = GaussianLiu(1.5, delta(50000), math.Sqrt(1050*1680)/50000)
	near(t, "n=50000 ε=1.5", s, 0.10320, 5e-6)
	s, _ = Gaussian(1, delta(900), 300./900)
	near(t, "analytic n=900 ε=1", s, 1.14262, 5e-6)
	b, _ := Laplace(1, 90000./900)
	near(t, "laplace sd", b*math.Sqrt2, 141.42136, 5e-5)
	b, _ = Laplace(1.5, 1764000./50000)
	near(t, "laplace sd", b*math.Sqrt2, 33.262303, 5e-6)
}

func TestCalibrationsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := math.Exp(rapid.Float64Range(-5, 3).Draw(t, "logEps"))
		delta := math.Exp(rapid.Float64Range(-30, -0.7).Draw(t, "logDelta"))
		l2 := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "logL2"))
		s, err := Gaussian(eps, delta, l2)
		if err != nil {
			t.Fatal(err)
		}
		if d := dp.GaussianDelta(l2/s, eps); d > delta {
			t.Fatalf("delta %g above %g", d, delta)
		}
		liu, _ := GaussianLiu(eps, delta, l2)
		if liu < s*(1-1e-6) {
			t.Fatalf("Theorem 3.4 gives %g, below the analytic %g", liu, s)
		}
		if less := dp.GaussianDelta(l2/(s*0.999), eps); less <= delta {
			t.Fatalf("the scale is not the smallest: 0.999 of it still gives %g ≤ %g", less, delta)
		}
	})
}

func TestBadRequestsAreRefused(t *testing.T) {
	for _, v := range [][3]float64{{0, 1e-5, 1}, {-1, 1e-5, 1}, {1, 0, 1}, {1, 1, 1}, {1, 1e-5, 0}, {math.NaN(), 1e-5, 1}, {1, math.NaN(), 1}, {1, 1e-5, math.Inf(1)}} {
		if s, err := Gaussian(v[0], v[1], v[2]); err == nil {
			t.Errorf("Gaussian(%v) = %v", v, s)
		}
		if s, err := GaussianLiu(v[0], v[1], v[2]); err == nil {
			t.Errorf("GaussianLiu(%v) = %v", v, s)
		}
	}
	if _, err := Laplace(0, 1); err == nil {
		t.Error("epsilon 0 accepted")
	}
	if _, err := Laplace(1, math.Inf(1)); err == nil {
		t.Error("infinite sensitivity accepted")
	}
}

func TestTableCharge(t *testing.T) {
	eps, delta, err := Table{Draws: 1000, Eta: 1e-9, Tail: 1e-12}.Charge(1, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "epsilon left", eps, 1-1000*2e-9, 1e-12)
	near(t, "delta left", delta, (1e-5-1e-9)*(1-1e-6), 1e-17)
	for _, bad := range []Table{{Draws: 10, Eta: 0.5}, {Draws: 1e9, Eta: 1e-3}, {Draws: 1e9, Tail: 1e-6}, {Draws: 1, Eta: math.NaN()}} {
		if _, _, err := bad.Charge(1, 1e-5); err == nil {
			t.Errorf("%+v was charged", bad)
		}
	}
	if _, _, err := (Table{Draws: 1, Tail: 1e-30}).Charge(1, 0); err == nil {
		t.Error("a cut tail passed as pure")
	}
}
