package series

import (
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// TestParallelCompositionIsFalseForSubjects: the papers print ε of a chunk for
// a participant. Two subjects who differ in all eight chunks of a recording are
// told apart better than the printed ε allows, and no better than the composed
// one. The printed claim is falsified with a false alarm of 1e-6.
func TestParallelCompositionIsFalseForSubjects(t *testing.T) {
	m := Laplace{Method: CFPA, Epsilon: 1, Cut: Cut{Features: 1, Length: 32, Chunk: 4, Unit: dp.Chunk}, Bounds: unit, Coefficients: 1}
	composed := m.Plan().Composed["subject"]
	if composed.Epsilon != 8 {
		t.Fatalf("composed %v", composed)
	}
	printed := m.Guarantee()
	printed.Unit = dp.Subject
	worst := pair(m)
	var prepared [2]*Prepared
	for i, input := range []any{worst.A, worst.B} {
		p, err := m.Prepare(input.([]Signals))
		if err != nil {
			t.Fatal(err)
		}
		prepared[i] = p
	}
	c := audit.Case{Mechanism: "series/cfpa", Claim: printed.Voided(ParallelReason), Draw: func(side bool, src *noise.Source) (float64, error) {
		p := prepared[0]
		if side {
			p = prepared[1]
		}
		r, err := p.Draw(src)
		if err != nil {
			return 0, err
		}
		return worst.Statistic(r.Coordinates[0]), nil
	}}
	s, err := audit.Collect(c.Draw, 60_000, noise.Seeded(8))
	if err != nil {
		t.Fatal(err)
	}
	r, err := audit.Audit{Rows: 2}.Judge(c, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("printed ε = %g per subject, shown ε ≥ %.3f, composed ε = %g", printed.Epsilon, r.Lower.Epsilon, composed.Epsilon)
	if r.Verdict != audit.Falsified || !(r.Lower.Epsilon > 2*printed.Epsilon && r.Lower.Epsilon < composed.Epsilon) {
		t.Errorf("%+v", r)
	}
	c.Claim = composed
	if r, err = (audit.Audit{Rows: 2}).Judge(c, s); err != nil || r.Verdict != audit.Holds {
		t.Errorf("composed: %+v, %v", r, err)
	}
}
