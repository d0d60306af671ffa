package synth

import (
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// people looking at a shop window of 1280 × 960 px, or reading.
func people(t testing.TB, n int, seconds float64, scene simulate.Scene) []*gaze.Recording {
	t.Helper()
	c := simulate.Cohort{People: n, Seconds: seconds, Rate: 83, Scenes: []simulate.Scene{scene}}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(9)))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// shop is a mechanism for them.
func shop(epsilon float64) DPGazeSynth {
	return DPGazeSynth{Epsilon: epsilon, Area: screen, Radius: 48, Rate: 83}
}

// released are whole recordings of one release.
func released(t testing.TB, m DPGazeSynth, all []*gaze.Recording, seed uint64) []*gaze.Recording {
	t.Helper()
	r, err := m.Protect(sequence(all), noise.Seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := gaze.Collect(r.Recordings)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// windowsOf are the samples of every window of recordings.
func windowsOf(t testing.TB, m DPGazeSynth, all []*gaze.Recording) (out [][]Sample) {
	t.Helper()
	r, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	err = eachWindow(&r.DPGazeSynth, sequence(all), new([]outline), func(s []Sample, _ *windowed) error {
		out = append(out, append([]Sample(nil), s...))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
