package experiment

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func kaleido(t *testing.T, epsilon, calibration string) mechanism.Paths {
	t.Helper()
	spec, err := all.ByName("gaze", "kaleido")
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.Build(map[string]string{"epsilon": epsilon, "calibration": calibration, "window": "500ms", "radius": "40px", "width": "1280", "height": "960"})
	if err != nil {
		t.Fatal(err)
	}
	return m.(mechanism.Paths)
}

// People are found in raw halves, hardly in protected ones; two draws of one
// seed agree, and a journal changes nothing.
func TestIdentification(t *testing.T) {
	cohort := simulate.Cohort{People: 8, Scenes: []simulate.Scene{simulate.ShopWindow(), simulate.TextPage()}, Seconds: 40, Rate: 60}
	src := noise.Seeded(4)
	seed := src.Uint64()
	e := &Identification{
		Protected: []Protected{
			{Name: Raw, Calibration: "none"},
			{Name: "kaleido", Calibration: mechanism.Guaranteed, Epsilon: 1, Mechanism: kaleido(t, "1", mechanism.Guaranteed)},
			{Name: "kaleido", Calibration: mechanism.Published, Epsilon: 1, Mechanism: kaleido(t, "1", mechanism.Published)},
			{Name: "population", Calibration: mechanism.Guaranteed, Epsilon: 1, Mechanism: kaleido(t, "1", mechanism.Guaranteed), Synthetic: true},
		},
		Recordings:      func(yield func(*gaze.Recording, error) bool) { cohort.Recordings(noise.Seeded(seed))(yield) },
		PixelsPerDegree: 40, Window: 5 * time.Second, Draws: 1,
		Label: func(h *gaze.Header) (string, bool) { return h.Stimulus, true },
		Work:  Work{Journal: filepath.Join(t.TempDir(), "cells.jsonl"), Seed: 1},
	}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	best := map[string]float64{}
	for _, r := range rows {
		if r.Attack == "task" {
			if r.Mechanism == Raw && r.Rate.Mean < 0.8 {
				t.Errorf("a picture and a page are not told apart on raw data: %+v", r)
			}
			continue
		}
		best[r.Mechanism] = max(best[r.Mechanism], r.Rate.Mean)
		if r.Mechanism == "kaleido" && (r.PerPerson == nil || r.Verdict != "no evidence") {
			t.Errorf("a guarantee per window is held against people: %+v", r)
		}
	}
	if best[Raw] < 0.6 || best["kaleido"] > best[Raw] {
		t.Errorf("identified at best: %v", best)
	}
	if last := rows[len(rows)-1]; last.Mechanism != "population" || last.People != 0 || last.Verdict == "" {
		t.Errorf("synthetic recordings: %+v", last)
	}
	e.Recordings = func(yield func(*gaze.Recording, error) bool) { yield(new(gaze.Recording), nil) }
	if _, err := e.clock(); err == nil {
		t.Error("recordings without samples have a clock")
	}
	e.Recordings = func(yield func(*gaze.Recording, error) bool) { cohort.Recordings(noise.Seeded(seed))(yield) }
	again, err := e.Run(context.Background())
	if err != nil || len(again) != len(rows) || again[3].Rate != rows[3].Rate {
		t.Errorf("out of the journal: %v", err)
	}
}

func TestHalves(t *testing.T) {
	r := &gaze.Recording{}
	r.Samples.T = []time.Duration{5, 6, 7, 8, 9}
	r.Samples.Tracks[gaze.Right] = gaze.Track{X: []float64{1, 2, 3, 4, 5}, Y: []float64{1, 2, 3, 4, 5}}
	one := func(yield func(*gaze.Recording, error) bool) { yield(r, nil) }
	for second, want := range map[bool][]float64{false: {1, 2}, true: {3, 4, 5}} {
		for h, err := range half(one, second, 0) {
			if err != nil || len(h.Samples.T) != len(want) || h.Samples.T[0] != 0 || h.Samples.Tracks[gaze.Right].X[0] != want[0] {
				t.Errorf("half %v: %+v %v", second, h.Samples, err)
			}
		}
	}
	for h := range half(one, false, time.Second) {
		if h.Samples.T[1] != time.Second {
			t.Errorf("the common clock: %v", h.Samples.T)
		}
	}
	if err := new(Identification).check(); err == nil {
		t.Error("nothing was identified")
	}
}
