package curator

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestSurvey counts people, sessions, recordings and what is no recording.
func TestSurvey(t *testing.T) {
	l := newLab(t)
	l.table(t, "a.csv", 4)
	l.table(t, "b.csv", 6) // the same people again, and two more
	l.write(t, "notes.txt", "Quokka came late.\n")
	d := l.open(t)
	var seen []int
	s, err := d.Survey(t.Context(), func(done, total int) { seen = append(seen, done, total) })
	if err != nil {
		t.Fatal(err)
	}
	if s.People != 6 || s.Sessions != 6 || s.Recordings != 10 || s.Failed != 1 || len(s.Files) != 3 || s.Nameless != 0 {
		t.Errorf("survey %+v", s)
	}
	if !slices.Equal(s.Stimuli, []string{"hill"}) {
		t.Errorf("stimuli %q", s.Stimuli)
	}
	if !slices.Equal(seen, []int{0, 3, 1, 3, 2, 3}) {
		t.Errorf("progress %v", seen)
	}
	for _, f := range s.Files {
		if f.File == "notes.txt" && f.Error == "" {
			t.Error("a file of words was read as a recording")
		}
	}
}

func TestSurveyStops(t *testing.T) {
	l := newLab(t)
	l.table(t, "a.csv", 4)
	l.table(t, "b.csv", 4)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := l.open(t).Survey(ctx, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled in the middle: %v", err)
	}
}

// TestRecording gives the one recording that was asked for, and no more of it
// than was asked for.
func TestRecording(t *testing.T) {
	l := newLab(t)
	l.table(t, "a.csv", 4)
	d := l.open(t)
	for n := range 4 {
		r, err := d.Recording(t.Context(), "a.csv", n, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		want := 40 + float64(n*17%200)
		if r.Samples.Len() != 60 || r.Samples.Tracks[0].X[0] != want || r.Screen.Width != screen.Width {
			t.Errorf("recording %d: %d samples, first x %v, screen %v", n, r.Samples.Len(), r.Samples.Tracks[0].X, r.Screen)
		}
	}
	if r, err := d.Recording(t.Context(), "a.csv", 4, 1e6); err == nil {
		t.Errorf("there is no fifth: %v", r)
	}
	if r, err := d.Recording(t.Context(), "../a.csv", 0, 1e6); err == nil {
		t.Errorf("a file outside of the data: %v", r)
	}
}
