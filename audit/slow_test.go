//go:build slow

package audit

import "testing"

// MECHANISMS §10, at 10⁶ trials per side.
func TestMillionTrials(t *testing.T) {
	a := Audit{Trials: 1_000_000}
	for i, eps := range []float64{0.5, 1, 2} {
		if r := run(t, a, laplace(t, eps, 1), uint64(i)); r.Lower.Epsilon < 0.9*eps || r.Verdict != Holds {
			t.Errorf("Laplace ε = %v: %+v", eps, r)
		} else {
			t.Logf("Laplace ε = %v: %v", eps, r.Lower.Epsilon)
		}
		for _, factor := range []float64{0.9, 0.7} {
			if r := run(t, a, laplace(t, eps, factor), uint64(i)); r.Verdict != Above {
				t.Errorf("Laplace ε = %v × %v: %+v", eps, factor, r)
			}
		}
	}
	for i, mu := range []float64{0.2, 1, 2} {
		if r := run(t, a, gaussian(t, mu, 1), uint64(i)); r.Lower.Mu < 0.9*mu || r.Verdict != Holds {
			t.Errorf("Gaussian μ = %v: %+v", mu, r)
		} else {
			t.Logf("Gaussian μ = %v: %v", mu, r.Lower.Mu)
		}
		for _, factor := range []float64{0.9, 0.7} {
			if r := run(t, a, gaussian(t, mu, factor), uint64(i)); r.Verdict != Above {
				t.Errorf("Gaussian μ = %v × %v: %+v", mu, factor, r)
			}
		}
	}
}
