package gazetest_test

import (
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

func TestCasesAreNamedOnceAndMadeAfresh(t *testing.T) {
	names := map[string]bool{}
	again := gazetest.Cases()
	for i, c := range gazetest.Cases() {
		if c.Name == "" || names[c.Name] {
			t.Errorf("name %q", c.Name)
		}
		names[c.Name] = true
		if c.Recording == again[i].Recording || !gazetest.Equal(c.Recording, again[i].Recording) {
			t.Errorf("%s is not made afresh, or differently", c.Name)
		}
		n := c.Recording.Samples.Len()
		for _, track := range c.Recording.Samples.Tracks {
			for _, column := range [][]float64{track.X, track.Y, track.Pupil} {
				if column != nil && len(column) != n {
					t.Errorf("%s: a column of %d of %d samples", c.Name, len(column), n)
				}
			}
		}
	}
}

func TestCohorts(t *testing.T) {
	for name, all := range map[string][]*gaze.Recording{"people": gazetest.People(2), "readers": gazetest.Readers(2),
		"wanderers": gazetest.Wanderers(2), "annotated": gazetest.Annotated(2), "lossy": gazetest.Lossy(2, 0.3)} {
		if len(all) != 2 || all[0].Samples.Len() < 300 || all[0].Participant == all[1].Participant {
			t.Errorf("%s: %d recordings", name, len(all))
		}
	}
	for _, r := range gazetest.FixationsOnly(2) {
		if r.Samples.Len() != 0 || len(r.Fixations) < 5 {
			t.Errorf("%d samples, %d fixations", r.Samples.Len(), len(r.Fixations))
		}
	}
	lost := 0
	for _, x := range gazetest.Lossy(1, 0.5)[0].Samples.Tracks[gaze.Right].X {
		if gaze.Lost(x, 0) {
			lost++
		}
	}
	if lost < 60 {
		t.Errorf("%d of 360 samples lost, half was asked for", lost)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	for _, r := range append(gazetest.Annotated(1), gazetest.Wanderers(1)...) {
		before, c := gazetest.Clone(r), gazetest.Clone(r)
		for range gazetest.Pieces(7, c) { // spoils its own copies only
		}
		if d := gazetest.Diff(r, c); d != "" {
			t.Errorf("cutting changed its input: %s", d)
		}
		c.Samples.T[0]++
		c.Samples.Tracks[gaze.Right].X[0]++
		c.Samples.Tracks[gaze.Right].Pupil[0]++
		for i := range c.Samples.Signals {
			c.Samples.Signals[i].Values[0]++
		}
		for i := range c.Fixations {
			c.Fixations[i].X++
		}
		if d := gazetest.Diff(before, r); d != "" {
			t.Errorf("a clone's change reached the original: %s", d)
		}
		if gazetest.Diff(r, c) == "" || gazetest.Equal(r, c) {
			t.Error("differences are not seen")
		}
	}
}
