package series

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// spent is the part of the stated loss that a pair takes, on the integers that
// get the noise, the largest over all k that may be bought.
func spent(t *testing.T, m mechanism.Mechanism, p mechanism.Pair) (most float64) {
	t.Helper()
	a, b := shapes(m, p.A.([]Signals)), shapes(m, p.B.([]Signals))
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%+v: %d and %d laws", m, len(a), len(b))
	}
	for k := range a {
		l1, l2 := 0.0, 0.0
		for i := range a[k] {
			for j, z := range a[k][i].whole {
				d := float64(z - b[k][i].whole[j])
				l1, l2 = l1+math.Abs(d), l2+d*d
			}
		}
		share := l1 / laplaceScale / m.Guarantee().Epsilon
		if mu := m.Guarantee().Mu; mu > 0 {
			share = math.Sqrt(l2) / gaussianScale / mu
		}
		most = max(most, share)
	}
	return most
}

// pairsOf are mechanisms for which audits need a pair, and the part of the
// loss that it should take: all but for the price of k. A Gaussian's k counts
// the clip's slack.
func pairsOf() map[string]struct {
	m     mechanism.Mechanism
	least float64
} {
	type row = struct {
		m     mechanism.Mechanism
		least float64
	}
	all := map[string]row{}
	for name, cut := range map[string]Cut{
		"one chunk": {Features: 1, Length: 8, Chunk: 8, Unit: dp.Chunk}, "a chunk of three": {Features: 2, Length: 20, Chunk: 8, Unit: dp.Chunk},
		"a recording of chunks": {Features: 1, Length: 20, Chunk: 8, Unit: dp.Recording}, "a subject of chunks": {Features: 1, Length: 9, Chunk: 8, Recordings: 4, Trials: 2},
	} {
		for _, method := range []Method{CFPA, DCFPA} {
			all[method.String()+", "+name] = row{Laplace{Method: method, Epsilon: 1, Cut: cut, Bounds: unit, Coefficients: 3}, 0.999}
		}
		all["paid, "+name] = row{Laplace{Method: CFPA, Epsilon: 1, Cut: cut, Bounds: unit, Choose: Paid}, 0.899}
		all["gaussian, "+name] = row{Gaussian{Epsilon: 1, Delta: 1e-3, Cut: cut, Bounds: []Bounds{{-3, 5}}, Coefficients: 2}, 0.999}
	}
	for name, cut := range map[string]Cut{
		"a recording": {Features: 1, Length: 7, Unit: dp.Recording}, "a session": {Features: 3, Length: 7, Trials: 3, Unit: dp.Recording}, "a subject": {Features: 2, Length: 7, Recordings: 3},
	} {
		all["lpa, "+name] = row{Laplace{Method: LPA, Epsilon: 1, Cut: cut, Bounds: unit}, 0.999}
		all["fpa, "+name] = row{Laplace{Method: FPA, Epsilon: 1, Cut: cut, Bounds: unit, Coefficients: 2}, 0.999}
		all["steil, "+name] = row{Laplace{Method: Steil, Epsilon: 1, Cut: cut, Bounds: unit, Block: 3}, 0.999}
	}
	all["mean"] = row{Mean{Epsilon: 1, Delta: 1e-3, Subjects: 5, Conditions: 3, Cut: Cut{Features: 2, Length: 7}, Bounds: unit, Coefficients: 2}, 0.999}
	return all
}

// TestPairsAreWorstNeighbours at every unit: an audit's two inputs differ in
// one unit, and take all of its ε and no more. (A pair that differs in more
// would refute claims that hold.)
func TestPairsAreWorstNeighbours(t *testing.T) {
	for name, v := range pairsOf() {
		p := pair(v.m)
		if share := spent(t, v.m, p); share > 1 || share < v.least {
			t.Errorf("%s: the pair takes %v of the loss", name, share)
		}
		draw, err := prepare(v.m)
		if err != nil {
			t.Fatal(err)
		}
		for _, input := range []any{p.A, p.B} {
			out, err := draw(input, noise.Seeded(1))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s := p.Statistic(out.Values); math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("%s: the statistic is %v", name, s)
			}
		}
	}
}

// TestPublishedClaimsAreFalsified: one of two people moves the noise of both.
func TestPublishedClaimsAreFalsified(t *testing.T) {
	for _, m := range []Laplace{
		{Method: LPA, Cut: Cut{Features: 1, Length: 2}}, {Method: FPA, Cut: Cut{Features: 1, Length: 4}, Coefficients: 2, Bounds: unit},
		{Method: CFPA, Cut: Cut{Features: 2, Length: 8, Chunk: 4, Unit: dp.Chunk}, Coefficients: 2}, {Method: DCFPA, Cut: Cut{Features: 1, Length: 8, Chunk: 4}, Coefficients: 2},
		{Method: Steil, Cut: Cut{Features: 1, Length: 4}, Block: 2}, {Method: CFPA, Cut: Cut{Features: 1, Length: 4, Chunk: 4, Unit: dp.Chunk}},
	} {
		m.Epsilon, m.Published = 1, true
		p := pair(m)
		draw, err := prepare(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.Audit{Trials: 3000, Rows: 6}.Run(audit.Case{Mechanism: "series/" + m.Method.String(), Claim: m.Guarantee(), Draw: drawn(p, draw)}, noise.Seeded(4))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: nominal ε = 1, shown ε ≥ %.2f", m.Method, r.Lower.Epsilon)
		if r.Verdict != audit.Falsified {
			t.Errorf("%v: %+v", m.Method, r)
		}
	}
}

func drawn(p mechanism.Pair, draw mechanism.Runner) audit.Draw {
	return func(side bool, src *noise.Source) (float64, error) {
		input := p.A
		if side {
			input = p.B
		}
		out, err := draw(input, src)
		if err != nil {
			return 0, err
		}
		return p.Statistic(out.Values), nil
	}
}

// TestParallelCompositionIsFalseForSubjects: the papers print ε of a chunk for
// a participant. Two subjects who differ in all chunks of a recording are told
// apart better than the printed ε allows, and no better than the composed one.
// The printed claim is falsified with a false alarm of 1e-6.
func TestParallelCompositionIsFalseForSubjects(t *testing.T) {
	for _, f := range []mechanism.Fault{atSubjectLevel(CFPA), atSubjectLevel(DCFPA)} {
		draw, err := f.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		s, err := audit.Collect(draw, 60_000, noise.Seeded(8))
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.Audit{Rows: 4}.Judge(audit.Case{Mechanism: "series/cfpa", Claim: f.Claim}, s)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: printed ε = %g, shown ε ≥ %.3f, composed ε = %g", f.Name, f.Claim.Epsilon, r.Lower.Epsilon, f.Composed.Epsilon)
		if r.Verdict != audit.Falsified || !(r.Lower.Epsilon > 2*f.Claim.Epsilon && r.Lower.Epsilon < f.Composed.Epsilon) || f.Composed.Unit != dp.Subject {
			t.Errorf("%+v", r)
		}
		if r, err = (audit.Audit{Rows: 4}).Judge(audit.Case{Mechanism: "series/cfpa", Claim: f.Composed}, s); err != nil || r.Verdict != audit.Holds {
			t.Errorf("composed: %+v, %v", r, err)
		}
	}
}
