package experiment

import (
	"context"
	"testing"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
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
	e := Audits{Specs: []mechanism.Spec{right, broken(right)}, Trials: 50_000, Seed: 3}
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
