package population

import (
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// audited has 1e-6 of false alarm over the rows of one test.
func audited(t *testing.T, trials int, right, wrong audit.Case) (seen audit.Bounds) {
	t.Helper()
	a := audit.Audit{Trials: trials, Rows: 2}
	r, err := a.Run(right, noise.Seeded(0x61))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != audit.Holds {
		t.Errorf("the claim %v is refuted: %+v", right.Claim, r.Lower)
	}
	twice, err := a.Run(wrong, noise.Seeded(0x62))
	if err != nil {
		t.Fatal(err)
	}
	if twice.Verdict != audit.Above {
		t.Errorf("the budget spent twice and counted once is not caught: %+v of %v", twice.Lower, wrong.Claim)
	}
	return r.Lower
}

// extremes are two people who share no answer and no coordinate.
func extremes(s Shape) (a, b *Person) {
	return someone(s, 0, 0, 0), someone(s, s.cells()-1, s.Durations-1, s.steps()-1)
}

// One device, of a person who looks at one end of everything or at the other: the
// most telling thing about its report is which of the two answers it holds, and
// that is e^ε likelier for the one than for the other, exactly. The audit of the
// whole report sees it and no more. The mutant reports twice, as a device that
// forgot its report would, and is charged once.
func TestAuditOfOneReport(t *testing.T) {
	for _, name := range []string{"oue", "subset"} {
		m := smallLocal(1)
		m.Oracle = name
		l, err := m.resolve()
		if err != nil {
			t.Fatal(err)
		}
		a, b := extremes(l.Shape)
		device := &Device{l}
		hint := func(p *Person, src *noise.Source) (float64, error) {
			r, err := device.Report(m.Question(src), p, src)
			if err != nil {
				return 0, err
			}
			last := l.oracles[r.Question].Domain() - 1
			return float64(r.Words[0]>>last&1) - float64(r.Words[0]&1), nil
		}
		reports := func(times int) audit.Draw {
			return func(side bool, src *noise.Source) (sum float64, err error) {
				p := map[bool]*Person{false: a, true: b}[side]
				for range times {
					h, err := hint(p, src)
					if err != nil {
						return 0, err
					}
					sum += h
				}
				return sum, nil
			}
		}
		c := audit.Case{Mechanism: localName, Claim: m.Guarantee(), Events: audit.Atoms, Grid: 1}
		right, wrong := c, c
		right.Draw, wrong.Draw = reports(1), reports(2)
		if seen := audited(t, 60_000, right, wrong); seen.Epsilon < 0.9*m.Epsilon {
			t.Errorf("%s: the audit sees ε = %v only of %v", name, seen.Epsilon, m.Epsilon)
		}
	}
}

// The mean of one person against that of the other, in the direction between
// them: they move it by the whole of the sensitivity. The mutant draws twice and
// is charged once.
func TestAuditOfTheMean(t *testing.T) {
	m := Central{
		Epsilon: 1, Delta: 1e-3, Subjects: 1, Blur: 1,
		Shape: Shape{Screen: gaze.Screen{Width: 60, Height: 40}, PixelsPerDegree: 10, Columns: 3, Rows: 2, Durations: 2, Amplitudes: 1, Directions: 2},
	}
	c, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	a, b := extremes(c.Shape)
	pair := mechanism.Pair{A: []*Person{a}, B: []*Person{b}}
	towards, from := make([]float64, c.len()), make([]float64, c.len())
	if err := c.vector(towards, b); err != nil {
		t.Fatal(err)
	}
	if err := c.vector(from, a); err != nil {
		t.Fatal(err)
	}
	draws := func(times int) audit.Draw {
		return func(side bool, src *noise.Source) (sum float64, err error) {
			people := map[bool]any{false: pair.A, true: pair.B}[side].([]*Person)
			for range times {
				raw, err := c.draw(people, src)
				if err != nil {
					return 0, err
				}
				for i, v := range raw {
					sum += (towards[i] - from[i]) * v
				}
			}
			return sum, nil
		}
	}
	row := audit.Case{Mechanism: centralName, Claim: m.Guarantee(), Events: audit.Thresholds}
	right, wrong := row, row
	right.Draw, wrong.Draw = draws(1), draws(2)
	if seen := audited(t, audit.Enough(row.Claim), right, wrong); seen.Mu < 0.7*row.Claim.Mu {
		t.Errorf("the audit sees μ = %v only of %v", seen.Mu, row.Claim.Mu)
	}
}
