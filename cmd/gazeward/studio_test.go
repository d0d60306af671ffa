package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/studio"
)

// TestTheStudioAuditsAsTheCommandDoes: the same table from the same seed, and
// progress up to the end.
func TestTheStudioAuditsAsTheCommandDoes(t *testing.T) {
	var specs []mechanism.Spec
	for _, name := range [][2]string{{"heatmap", "gaussian"}, {"gaze", "kaleido"}, {"gaze", "jitter"}} {
		s, err := all.ByName(name[0], name[1])
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s)
	}
	const trials, seed = 2000, 3
	want, err := experiment.Audits{Specs: specs, Trials: trials, Seed: seed}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := make(chan int, 1)
	last <- 0
	got, err := auditInStudio(t.Context(), studio.AuditOrder{Specs: specs, Trials: trials, Seed: seed, Progress: func(percent int) {
		before := <-last
		if percent > 100 || percent < 0 {
			t.Errorf("%d percent", percent)
		}
		last <- max(before, percent)
	}})
	if err != nil || len(got.Rows) != len(want) || len(want) < 5 {
		t.Fatalf("%d rows, want %d: %v", len(got.Rows), len(want), err)
	}
	if percent := <-last; percent != 100 {
		t.Errorf("it ends at %d percent", percent)
	}
	for i, r := range got.Rows {
		if w := want[i]; r.Mechanism != w.Mechanism || r.Calibration != w.Calibration || r.Lower != w.Lower || r.Verdict != w.Verdict || r.Fault != w.Fault || (r.Layers.LowBits == nil) != (w.Layers.LowBits == nil) {
			t.Errorf("row %d is %+v, want %+v", i, r, w)
		}
	}
}

// TestTheStudioStopsAudits: within a mechanism, not after it, whatever is under
// audit: a mechanism, a baseline that may fail, a fault of the literature.
func TestTheStudioStopsAudits(t *testing.T) {
	for _, name := range [][2]string{{"heatmap", "gaussian"}, {"gaze", "dpgazesynth"}, {"heatmap", "selection-with"}} {
		s, err := all.ByName(name[0], name[1])
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		table, err := auditInStudio(ctx, studio.AuditOrder{Specs: []mechanism.Spec{s}, Trials: 5_000_000, Seed: 1, Progress: func(int) { stop() }})
		stop()
		if !errors.Is(err, context.Canceled) || len(table.Rows) != 0 {
			t.Errorf("%s: %d rows, %v", s.Name, len(table.Rows), err)
		}
		t.Logf("%s stopped after %v", s.Name, time.Since(began))
	}
}
