package audit

import (
	"testing"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

func TestMutantsAreCaught(t *testing.T) {
	all, err := Mutants()
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			if r := run(t, Audit{}, m.Right, uint64(i)); r.Verdict != Holds {
				t.Errorf("the right twin is flagged: %+v", r)
			}
			r := run(t, Audit{}, m.Wrong, uint64(i))
			if r.Verdict != Above {
				t.Errorf("not caught: %+v", r)
			}
			t.Logf("claimed %v, shown %+v", m.Wrong.Claim.Terms(), r.Lower)
		})
	}
}

// NOISE.md: 2 × 200 000 draws show 7.5 for inverse-CDF Laplace, 0 for a table.
func TestLowBitsShowTheFloatLeak(t *testing.T) {
	m, err := floats()
	if err != nil {
		t.Fatal(err)
	}
	a := Audit{Trials: 200_000, Confidence: 0.999}
	if r := run(t, a, m.Wrong, 1); r.Lower.Epsilon < 7 {
		t.Errorf("inverse-CDF Laplace of ε = 1 shows only %v", r.Lower.Epsilon)
	}
	if r := run(t, a, m.Right, 1); r.Lower.Epsilon > 0.2 {
		t.Errorf("noise on a lattice shows %v in its low bits", r.Lower.Epsilon)
	}
}

// A random half of the people without noise: what person B alone can add is
// seen with probability ½, which is a lower bound on δ at every ε.
func TestLeaks(t *testing.T) {
	c := Case{
		Claim: dp.Guarantee{Measure: dp.Approximate, Epsilon: 100, Delta: 0.01}, Events: Leaks,
		Draw: func(side bool, src *noise.Source) (float64, error) {
			if side && src.Bernoulli(1, 2) {
				return 7, nil
			}
			return 0, nil
		},
		Never: func(x float64) bool { return x == 7 },
	}
	r := run(t, Audit{}, c, 1)
	if r.Verdict != Above || r.Lower.Delta < 0.49 || r.Lower.Delta > 0.5 {
		t.Errorf("%+v", r)
	}
	c.Claim.Delta = 0.5
	if r := run(t, Audit{}, c, 1); r.Verdict != Holds {
		t.Errorf("a true δ is refuted: %+v", r)
	}
	c.Never = func(x float64) bool { return x == 0 }
	if _, err := (Audit{}).Run(c, noise.Seeded(1)); err == nil {
		t.Error("a false Never was believed")
	}
	c.Never = nil
	if _, err := (Audit{}).Run(c, noise.Seeded(1)); err == nil {
		t.Error("leaks without Never were audited")
	}
	// The same without knowing the support: values seen on one side only.
	c.Events, c.Claim.Epsilon, c.Claim.Delta = Atoms, 1, 0.01
	if r := run(t, Audit{}, c, 2); r.Verdict != Above || r.Lower.Delta < 0.49 {
		t.Errorf("atoms: %+v", r)
	}
}
