package gaze_test

import (
	"strings"
	"testing"

	"github.com/gazeward/gazeward/gaze"
)

func TestUnitsHaveNamesThatReadBack(t *testing.T) {
	for u := gaze.UnitUnknown; u <= gaze.Millimetres; u++ {
		if got, err := gaze.ParseUnit(u.String()); err != nil || got != u {
			t.Errorf("%v came back as %v, %v", u, got, err)
		}
		if got, err := gaze.ParseUnit(" " + strings.ToUpper(u.String())); err != nil || got != u {
			t.Errorf("%v in capitals came back as %v, %v", u, got, err)
		}
	}
	for spelling, want := range map[string]gaze.Unit{"pixels": gaze.Pixels, "dva": gaze.Degrees, "°": gaze.Degrees,
		"normalised": gaze.Normalized, "radian": gaze.Radians, "millimeters": gaze.Millimetres, "": gaze.UnitUnknown} {
		if got, err := gaze.ParseUnit(spelling); err != nil || got != want {
			t.Errorf("%q: %v, %v", spelling, got, err)
		}
	}
	if u, err := gaze.ParseUnit("furlong"); err == nil {
		t.Errorf("furlong is taken for %v", u)
	}
}

func TestNamesOutOfRangeDoNotPanic(t *testing.T) {
	for _, got := range []string{gaze.Unit(200).String(), gaze.Eye(200).String(), gaze.PupilUnit(200).String(),
		gaze.Frame(200).String(), gaze.Origin(200).String()} {
		if !strings.Contains(got, "(200)") {
			t.Errorf("got %q", got)
		}
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	add := func(s string) {
		t.Helper()
		if s == "" || seen[s] {
			t.Errorf("name %q is empty or used twice", s)
		}
		seen[s] = true
	}
	for e := gaze.Cyclopean; e <= gaze.Right; e++ {
		add(e.String())
	}
	for f := gaze.OnScreen; f <= gaze.EyeInHead; f++ {
		add(f.String())
	}
	for o := gaze.TopLeft; o <= gaze.Center; o++ {
		add(o.String())
	}
	clear(seen)
	for u := gaze.PupilUnknown; u <= gaze.PupilPixels; u++ {
		add(u.String())
	}
}

func TestBestAndEyes(t *testing.T) {
	var r gaze.Recording
	if _, _, ok := r.Best(); ok || len(r.Eyes()) != 0 {
		t.Error("a recording without positions has a best eye")
	}
	r.Samples.Tracks[gaze.Left] = gaze.Track{X: []float64{1}, Y: []float64{2}}
	r.Samples.Tracks[gaze.Right] = gaze.Track{Pupil: []float64{3}}
	if track, eye, ok := r.Best(); !ok || eye != gaze.Left || track.X[0] != 1 {
		t.Errorf("best of a left eye and a right pupil is %v, %v", eye, ok)
	}
	r.Samples.Tracks[gaze.Right] = gaze.Track{X: []float64{1}, Y: []float64{2}}
	if _, eye, _ := r.Best(); eye != gaze.Right {
		t.Errorf("best of both eyes is %v", eye)
	}
	r.Samples.Tracks[gaze.Cyclopean] = gaze.Track{X: []float64{1}, Y: []float64{2}}
	if _, eye, _ := r.Best(); eye != gaze.Cyclopean || len(r.Eyes()) != 3 {
		t.Errorf("best of all is %v, eyes %v", eye, r.Eyes())
	}
}
