package synth

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func TestShareKeepsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 40).Draw(t, "lengths")
		total, sum := rapid.IntRange(1, 100).Draw(t, "total"), 0
		for i, n := range share(append([]float64(nil), v...), total) {
			if n < 0 {
				t.Fatalf("run %d has %d samples", i, n)
			}
			sum += n
		}
		if sum != total {
			t.Fatalf("%d samples, want %d", sum, total)
		}
	})
}

func TestShareRoundsToTheLargestRemainders(t *testing.T) {
	got := share([]float64{1, 1, 1, -3, 2}, 8)
	for i, want := range []int{2, 2, 1, 0, 3} {
		if got[i] != want {
			t.Fatalf("%v", got)
		}
	}
}

// TestPrintedCountsAreFalsified: the numbers of runs and of moves tell two windows
// apart that start at one place, far beyond the nominal ε.
func TestPrintedCountsAreFalsified(t *testing.T) {
	judge := func(f mechanism.Fault, trials int) audit.Result {
		t.Helper()
		draw, err := f.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.Audit{Trials: trials, Rows: 3}.Run(audit.Case{Mechanism: f.Name, Claim: f.Claim, Draw: draw}, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: nominal ε = %v, at least %.2f shown: %s", f.Name, f.Claim.Epsilon, r.Lower.Epsilon, r.Verdict)
		return r
	}
	faults := suite().Faults
	if len(faults) != 2 {
		t.Fatalf("%d faults", len(faults))
	}
	for _, f := range faults {
		if r := judge(f, 4000); r.Verdict != audit.Falsified {
			t.Errorf("%+v", r)
		}
	}
	// The first position is not at fault.
	if r := judge(fault("start", func(r PrintedReport) float64 { return r.Start[0] }), 20_000); r.Verdict != audit.NotShown {
		t.Errorf("start: %+v", r)
	}
}

// TestPrintedModelLearns: with much budget the model is the true one.
func TestPrintedModelLearns(t *testing.T) {
	m := variants()["printed"]
	m.Epsilon, m.Split = 30, [3]float64{0.001, 0.001, 0.998}
	d, err := m.PrintedDevice()
	if err != nil {
		t.Fatal(err)
	}
	c, src := d.curator(), noise.Seeded(4)
	right := 0
	for i := range 1000 { // from the first cell three times of four to the right, else down
		s := looking(10, 10, 110, 110, 110)
		if i%4 == 3 {
			s = looking(10, 10, 10, 10, 10)
			for j := range s[2:] {
				s[2+j].Y = 100
			}
		} else {
			right++
		}
		r, _ := d.Window(s, src)
		if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	row := c.Moves().Row(0)
	if math.Abs(row[0]-0.75) > 0.1 || math.Abs(row[2]-0.25) > 0.1 {
		t.Errorf("row %v, want 0.75 to the right and 0.25 down", row)
	}
	p := &printer{resolved: d.resolved, cells: d.cells, model: c.Moves(), src: src}
	var went int64
	for range 2000 {
		if p.step(0) == 1 {
			went++
		}
	}
	if err := stattest.Rate(went, 2000, row[0]); err != nil {
		t.Error(err)
	}
}

// TestPrintedRunsHaveTheNoise: (2W−2)/ε₂ on every length, before they are brought
// to their sum.
func TestPrintedRunsHaveTheNoise(t *testing.T) {
	d, err := variants()["printed"].PrintedDevice()
	if err != nil {
		t.Fatal(err)
	}
	if want := (2*5 - 2) / 0.2; math.Abs(d.runs.Scale()/runSteps/want-1) > 1e-6 || d.samples != 5 {
		t.Errorf("W = %d, scale %v samples, want %v", d.samples, d.runs.Scale()/runSteps, want)
	}
	if want := 0.2 / 4; math.Abs(d.moves.Epsilon()/want-1) > 1e-6 {
		t.Errorf("a move has ε = %v, want %v", d.moves.Epsilon(), want)
	}
	if got := d.lengths(looking(math.NaN(), 10, 10, math.NaN(), 110, 10)); len(got) != 3 || got[0] != 3 || got[1] != 1 || got[2] != 1 {
		t.Errorf("runs %v", got)
	}
}
