package gaze_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// Whatever the length of the pieces, joining them gives the recordings back,
// and what is collected stays when the producer overwrites its buffers.
func TestJoinUndoesCutting(t *testing.T) {
	whole := append(gazetest.Annotated(3), gazetest.Wanderers(1)...)
	for _, c := range gazetest.Cases() {
		whole = append(whole, c.Recording)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "n")
		got, err := gaze.Collect(gazetest.Pieces(n, whole...))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(whole) {
			t.Fatalf("%d recordings came back as %d", len(whole), len(got))
		}
		for i := range whole {
			if d := gazetest.Diff(inOrder(whole[i]), inOrder(got[i])); d != "" {
				t.Fatalf("recording %d: %s", i, d)
			}
		}
	})
}

// inOrder leaves out what cutting at samples cannot keep: events that are out
// of order, and times that run back.
func inOrder(r *gaze.Recording) *gaze.Recording {
	c := gazetest.Clone(r)
	for i := 1; i < c.Samples.Len(); i++ {
		if c.Samples.T[i] < c.Samples.T[i-1] {
			c.Fixations, c.Saccades, c.Blinks = nil, nil, nil
		}
	}
	if len(c.Fixations) == 0 {
		c.Fixations = nil
	}
	return c
}

func pieces(all ...*gaze.Recording) gaze.Seq { return gazetest.Seq(all...) }

func piece(continues bool, n int, with func(*gaze.Recording)) *gaze.Recording {
	r := &gaze.Recording{Continues: continues}
	for i := range n {
		r.Samples.T = append(r.Samples.T, time.Duration(i))
	}
	with(r)
	return r
}

func TestJoinFillsColumnsThatSomePiecesLack(t *testing.T) {
	a := piece(false, 2, func(r *gaze.Recording) {
		r.Participant = "P1"
		r.Samples.Tracks[gaze.Left] = gaze.Track{X: []float64{1, 2}, Y: []float64{3, 4}}
		r.Samples.Signals = []gaze.Signal{{Name: "a", Values: []float64{5, 6}}}
	})
	b := piece(true, 1, func(r *gaze.Recording) {
		r.Samples.Tracks[gaze.Right] = gaze.Track{X: []float64{7}, Y: []float64{8}}
		r.Samples.Labels = []gaze.Label{gaze.InBlink}
		r.Samples.Signals = []gaze.Signal{{Name: "b", Values: []float64{9}}}
	})
	all, err := gaze.Collect(pieces(a, b))
	if err != nil || len(all) != 1 {
		t.Fatalf("%d recordings, %v", len(all), err)
	}
	nan := math.NaN()
	want := piece(false, 2, func(r *gaze.Recording) {
		r.Participant = "P1"
		r.Samples.T = append(r.Samples.T, 0)
		r.Samples.Tracks[gaze.Left] = gaze.Track{X: []float64{1, 2, nan}, Y: []float64{3, 4, nan}}
		r.Samples.Tracks[gaze.Right] = gaze.Track{X: []float64{nan, nan, 7}, Y: []float64{nan, nan, 8}}
		r.Samples.Labels = []gaze.Label{gaze.Unlabelled, gaze.Unlabelled, gaze.InBlink}
		r.Samples.Signals = []gaze.Signal{{Name: "a", Values: []float64{5, 6, nan}}, {Name: "b", Values: []float64{nan, nan, 9}}}
	})
	if d := gazetest.Diff(want, all[0]); d != "" {
		t.Error(d)
	}
}

// The first piece names the recording even when it has no samples yet.
func TestJoinKeepsTheFirstHeader(t *testing.T) {
	a := piece(false, 0, func(r *gaze.Recording) { r.Participant, r.Rate = "P1", 500 })
	b := piece(true, 3, func(*gaze.Recording) {})
	all, err := gaze.Collect(pieces(a, b))
	if err != nil || len(all) != 1 || all[0].Participant != "P1" || all[0].Rate != 500 || all[0].Samples.Len() != 3 {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestJoinKeepsTheDifferenceBetweenNoneAndNotStated(t *testing.T) {
	a := piece(false, 0, func(r *gaze.Recording) {
		r.Fixations = []gaze.Fixation{}
		r.Samples.Tracks[gaze.Right] = gaze.Track{X: []float64{}, Y: []float64{}}
	})
	all, _ := gaze.Collect(pieces(a))
	if all[0].Fixations == nil || all[0].Saccades != nil || !all[0].Samples.Tracks[gaze.Right].Present() {
		t.Errorf("fixations %v, saccades %v", all[0].Fixations, all[0].Saccades)
	}
}

func TestJoinWithoutABeginning(t *testing.T) {
	all, err := gaze.Collect(pieces(piece(true, 2, func(*gaze.Recording) {}), piece(true, 1, func(*gaze.Recording) {})))
	if err != nil || len(all) != 1 || all[0].Samples.Len() != 3 || all[0].Continues {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestCollectStopsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	all, err := gaze.Collect(func(yield func(*gaze.Recording, error) bool) {
		for i := range 4 {
			part, err := piece(false, 1, func(*gaze.Recording) {}), error(nil)
			if i == 2 {
				part, err = nil, broken
			}
			if !yield(part, err) {
				return
			}
		}
	})
	if !errors.Is(err, broken) || len(all) != 1 {
		t.Errorf("%d recordings, %v", len(all), err)
	}
}

func TestJoinStopsWhenAsked(t *testing.T) {
	n := 0
	for range gaze.Join(gazetest.Pieces(10, gazetest.People(3)...)) {
		if n++; n == 1 {
			break
		}
	}
	if n != 1 {
		t.Errorf("%d recordings after a break", n)
	}
}
