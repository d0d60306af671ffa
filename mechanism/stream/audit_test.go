package stream

import (
	"testing"
	"time"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/noise"
)

func worstCaseOf(t *testing.T, m Kaleido) *worstCase {
	t.Helper()
	w, err := newWorstCase(m)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPrintedTestScaleIsCaught: the paper's calibration tells two people apart
// better than its ε allows; the corrected one does not, on the same pair.
func TestPrintedTestScaleIsCaught(t *testing.T) {
	const ms = time.Millisecond
	m := Kaleido{Epsilon: 1, Window: 200 * ms, Radius: 50, Skip: 50 * ms, Threshold: 500}
	for _, published := range []bool{true, false} {
		m.Published = published
		w := worstCaseOf(t, m)
		r, err := audit.Audit{Trials: 100_000, Rows: 2}.Run(audit.Case{Mechanism: kaleidoName, Claim: m.Guarantee(), Draw: w.loss}, noise.Seeded(3))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("published %v: at least %.3f of a nominal %v: %s", published, r.Lower.Epsilon, m.Epsilon, r.Verdict)
		if want := map[bool]audit.Verdict{true: audit.Falsified, false: audit.Holds}[published]; r.Verdict != want {
			t.Errorf("published %v: %s, want %s (%+v)", published, r.Verdict, want, r.Lower)
		}
		if published && r.Lower.Epsilon < 2 {
			t.Errorf("the printed calibration shows %v only", r.Lower.Epsilon)
		}
	}
}

// TestAuditSeesTheWholeWindow: with all tests and publications of a window the
// corrected calibration stays below its claim and shows a good part of it; with
// 0.7 times the noise it is caught.
func TestAuditSeesTheWholeWindow(t *testing.T) {
	const ms = time.Millisecond
	m := Kaleido{Epsilon: 1.5, Window: 200 * ms, Radius: 50, Skip: 50 * ms, Threshold: 100, TestShare: 0.2, Publications: 1}
	w := worstCaseOf(t, m)
	run := func(claim float64) audit.Result {
		g := m.Guarantee()
		g.Epsilon = claim
		r, err := audit.Audit{Trials: 100_000, Rows: 2}.Run(audit.Case{Mechanism: kaleidoName, Claim: g, Draw: w.loss}, noise.Seeded(4))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(m.Epsilon)
	if r.Verdict != audit.Holds || r.Lower.Epsilon < 0.5*m.Epsilon {
		t.Errorf("%s: %+v", r.Verdict, r.Lower)
	}
	t.Logf("at least %.3f of %v", r.Lower.Epsilon, m.Epsilon)
	// The same noise under a claim that would need more of it.
	if r := run(0.5 * m.Epsilon); r.Verdict != audit.Above {
		t.Errorf("half the claim: %s, %+v", r.Verdict, r.Lower)
	}
}
