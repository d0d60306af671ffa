package experiment

import (
	"errors"
	"math"
	"testing"

	"github.com/gazeward/gazeward/attack"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// suspects are simulated people with three sessions each, and what change makes
// of them.
func suspects(t *testing.T, people int, change func(x, y float64, src *noise.Source) (float64, float64)) *Suspects {
	t.Helper()
	cohort := simulate.Cohort{People: people, Sessions: 4, Scenes: []simulate.Scene{simulate.ShopWindow()}, Seconds: 15, Rate: 120}
	s, src := &Suspects{PixelsPerDegree: 40}, noise.Seeded(6)
	for r, err := range gaze.Join(cohort.Recordings(noise.Seeded(8))) {
		if err != nil {
			t.Fatal(err)
		}
		track, eye, _ := r.Best()
		out := *r
		moved := gaze.Track{X: make([]float64, len(track.X)), Y: make([]float64, len(track.X))}
		for i := range track.X {
			moved.X[i], moved.Y[i] = change(track.X[i], track.Y[i], src)
		}
		out.Samples.Tracks[eye] = moved
		if err := s.Add(r, &out); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Those who release what they have are found out, and a claim per person falls;
// where nothing is left of people, nobody is found.
func TestSuspects(t *testing.T) {
	open := suspects(t, 10, func(x, y float64, _ *noise.Source) (float64, float64) { return x, y })
	all, err := open.Identify(0.1, 0, true, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Rate < 0.5 || a.Candidates != 10 {
			t.Errorf("%v: %+v", a, a.Result)
		}
		if a.Enrol == attack.Raw && a.PerPerson != nil && (a.PerPerson.Verdict != "claim falsified" || a.Verdict != attack.Falsified) {
			t.Errorf("%v: a claim of ε = 0.1 per person stands: %+v", a, a.PerPerson)
		}
		if a.Enrol == attack.Protected && a.Verdict != attack.NoEvidence {
			t.Errorf("%v: references that may share the noise are evidence: %v", a, a.Verdict)
		}
	}
	hidden := suspects(t, 10, func(x, _ float64, src *noise.Source) (float64, float64) {
		if math.IsNaN(x) {
			return x, x
		}
		return 1000 * src.Float64(), 700 * src.Float64()
	})
	all, err = hidden.Identify(3, 0, false, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.PerPerson != nil && (a.Rate > 0.5 || a.PerPerson.Verdict == "claim falsified") {
			t.Errorf("%v finds %v of people in noise", a, a.Rate)
		}
	}
}

func TestSuspectsRefuse(t *testing.T) {
	s := new(Suspects)
	if _, err := s.Identify(1, 0, true, noise.Seeded(1)); !errors.Is(err, ErrTooFew) {
		t.Errorf("nobody was identified: %v", err)
	}
	if all := thinned(make([][]float64, 1001)); len(all) != mostEvents {
		t.Errorf("%d events", len(all))
	}
}
