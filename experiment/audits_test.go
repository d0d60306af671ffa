package experiment

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// broken releases the signal with half of the noise that it claims.
func broken(s mechanism.Spec) mechanism.Spec {
	run := s.Suite.Prepare
	s.Suite.Prepare = func(m mechanism.Mechanism) (mechanism.Runner, error) {
		draw, err := run(m)
		return func(input any, src *noise.Source) (mechanism.Output, error) {
			out, err := draw(input, src)
			for i := range out.Values {
				out.Values[i] /= 2 // half of the noise, half of the signal …
			}
			signal, quiet := input.([][]float64), out.Values
			if len(signal) > 0 && signal[0][0] > 0 { // … and the whole signal again
				quiet[0] += m.Plan().Sensitivity.L1 / 2
			}
			return out, err
		}, err
	}
	return s
}

func laplaceSpec(t *testing.T) mechanism.Spec {
	t.Helper()
	for _, s := range heatmap.Specs() {
		if s.Name == "heatmap/laplace" {
			return s
		}
	}
	t.Fatal("there is no heatmap/laplace")
	return mechanism.Spec{}
}

func TestAuditsSeeABrokenMechanism(t *testing.T) {
	right := laplaceSpec(t)
	e := Audits{Specs: []mechanism.Spec{right, broken(right)}, Trials: 10_000, Seed: 3}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != e.Total() || len(rows) != 4 {
		t.Fatalf("%d rows, want 4: two calibrations of each", len(rows))
	}
	for i, r := range rows {
		if broken := i >= 2; r.Broken() != broken {
			t.Errorf("row %d, %s %s: %v, %+v", i, r.Mechanism, r.Calibration, r.Verdict, r.Lower)
		}
	}
	if again, err := e.Run(context.Background()); err != nil || again[0].Lower != rows[0].Lower {
		t.Errorf("the audit does not repeat: %+v %+v %v", rows[0].Lower, again[0].Lower, err)
	}
	if rows[0].Layers.Law == nil || !rows[0].Layers.Law.Follows() || rows[2].Layers.Law.Follows() {
		t.Errorf("the law of the noise: %+v, broken %+v", rows[0].Layers.Law, rows[2].Layers.Law)
	}
}

func TestMutants(t *testing.T) {
	m, err := AuditMutants(context.Background(), 0, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	if m.Caught != m.Run || m.Run < 8 || m.Flagged != 0 {
		t.Errorf("%+v", m)
	}
	if few, err := AuditMutants(context.Background(), 20, noise.Seeded(1)); err != nil || few.Caught == few.Run || len(few.Missed) != few.Run-few.Caught {
		t.Errorf("twenty draws catch %+v %v", few, err)
	}
}

// TestSeriesClaimsAreAudited: every calibration of every mechanism of signals
// is attacked. What is guaranteed holds; what the papers print is falsified,
// also where a chunk's ε is said to be a subject's, and what is stated of a
// subject instead holds on the same draws.
func TestSeriesClaimsAreAudited(t *testing.T) {
	e := Audits{Specs: series.Specs(), Trials: 4000, Seed: 5}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]audit.Verdict{}
	alarm := 0.0
	for _, r := range rows {
		name := r.Mechanism + " " + r.Calibration
		if r.Fault != "" {
			name += " fault"
		}
		seen[name] = r.Verdict
		want := audit.Holds
		if r.Calibration == mechanism.Published {
			want = audit.Falsified
		}
		if r.Verdict != want || r.Trials != 4000 || r.Broken() {
			t.Errorf("%s: %s (%s), %+v", name, r.Verdict, r.Why, r.Lower)
		}
		alarm += r.FalseAlarm
		for _, other := range []*audit.Result{r.Layers.LowBits, r.Layers.Leak, r.Composed} {
			if other != nil {
				alarm += other.FalseAlarm
			}
		}
		if r.Layers.Law != nil {
			alarm += r.FalseAlarm
		}
		if c := r.Composed; (c != nil) != (r.Fault != "") {
			t.Errorf("%s: composed %+v", name, c)
		} else if c != nil && (c.Verdict != audit.Holds || !(r.Claimed.Epsilon < r.Lower.Epsilon && r.Lower.Epsilon < c.Claimed.Epsilon)) {
			t.Errorf("%s: printed %v, shown %v, composed %+v", name, r.Claimed, r.Lower, c)
		}
	}
	if alarm > 1e-6*(1+1e-9) {
		t.Errorf("false alarms add up to %v", alarm)
	}
	for _, m := range []string{"lpa", "fpa", "cfpa", "dcfpa", "steil"} {
		if seen["series/"+m+" guaranteed"] == "" || seen["series/"+m+" published"] == "" {
			t.Errorf("%s has not both calibrations: %v", m, seen)
		}
	}
	if len(rows) != 14 || seen["series/cfpa published fault"] == "" || seen["series/dcfpa published fault"] == "" {
		t.Errorf("%d rows: %v", len(rows), seen)
	}
}

// TestComposedClaimsCount: what is stated instead of a printed claim is no void
// claim, and is broken where the same draws refute it.
func TestComposedClaimsCount(t *testing.T) {
	for _, s := range series.Specs() {
		if s.Name != "series/cfpa" {
			continue
		}
		s.Suite.Faults = slices.Clone(s.Suite.Faults)
		s.Suite.Faults[0].Composed.Epsilon = 2 // of 3
		rows, err := Audits{Specs: []mechanism.Spec{s}, Trials: 20_000, Seed: 5}.Run(context.Background())
		if err != nil || !rows[2].Broken() || rows[2].Verdict != audit.Falsified || rows[1].Broken() {
			t.Errorf("%+v %v", rows, err)
		}
	}
}

// TestAuditsAnyParameters: parameters that are typed are audited too, at every
// unit and where the number of coordinates is bought or read off the data.
func TestAuditsAnyParameters(t *testing.T) {
	for _, change := range []map[string]string{
		{"choose": "paid"}, {"choose": "paid", "coefficients": "", "length": "9"}, {"choose": "squared-error"}, {"length": "13"}, {"length": "8", "unit": "recording"},
		{"length": "8", "unit": "subject", "recordings": "2", "trials": "2"}, {"features": "2", "unit": "subject"}, {"features": "2", "lower": "0,-7", "upper": "2,5"}, {"lower": "", "upper": "", "calibration": "published"},
		{"choose": "squared-error", "coefficients": "", "calibration": "published"},
	} {
		s := series.Specs()[3]
		s.Suite.Params = maps.Clone(s.Suite.Params)
		maps.Copy(s.Suite.Params, change)
		s.Fields, s.Suite.Faults = slices.Clone(s.Fields), nil
		for i := range s.Fields {
			if s.Fields[i].Name == "calibration" {
				s.Fields[i].Choices = []string{cmp.Or(change["calibration"], mechanism.Guaranteed)}
			}
		}
		rows, err := Audits{Specs: []mechanism.Spec{s}, Trials: 5000, Seed: 7}.Run(context.Background())
		if err != nil || rows[0].Trials == 0 {
			t.Errorf("%v: %v %+v", change, err, rows)
			continue
		}
		_, void := rows[0].Claimed.Void()
		switch r := rows[0]; {
		case change["calibration"] == mechanism.Published && r.Verdict != audit.Falsified,
			!void && (r.Verdict != audit.Holds || r.Lower.Epsilon < 0.15), void && r.Verdict == NotAudited:
			t.Errorf("%v: %s (%s), %+v", change, r.Verdict, r.Why, r.Lower)
		}
	}
}

// TestAuditsStop within a row.
func TestAuditsStop(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s := laplaceSpec(t)
	run, drawn := s.Suite.Prepare, new(atomic.Int64)
	s.Suite.Prepare = func(m mechanism.Mechanism) (mechanism.Runner, error) {
		draw, err := run(m)
		return func(input any, src *noise.Source) (mechanism.Output, error) {
			if drawn.Add(1) == 1000 {
				stop()
			}
			return draw(input, src)
		}, err
	}
	rows, err := Audits{Specs: []mechanism.Spec{s}, Trials: 50_000}.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(rows) != 0 || drawn.Load() > 10_000 {
		t.Errorf("%d rows, %d draws, %v", len(rows), drawn.Load(), err)
	}
}
