package detect_test

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

const ms = time.Millisecond

// screen has 37.8 px/deg at its centre.
func screen() gaze.Screen {
	return gaze.Screen{Width: 1280, Height: 960, WidthCm: 35.456, HeightCm: 26.592, DistanceCm: 60}
}

// step is a stretch of gaze that stays at (x, y) px for some samples.
type step struct {
	x, y float64
	n    int
}

// recording strings steps together at a rate.
func recording(rate gaze.Hertz, steps ...step) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Rate: rate, Unit: gaze.Pixels, Screen: screen()}}
	track := &r.Samples.Tracks[gaze.Right]
	for _, s := range steps {
		for range s.n {
			t := time.Duration(float64(len(r.Samples.T)) * float64(time.Second) / float64(rate))
			r.Samples.T = append(r.Samples.T, t)
			track.X, track.Y = append(track.X, s.x), append(track.Y, s.y)
		}
	}
	return r
}

func simulated(t testing.TB, scene simulate.Scene, rate gaze.Hertz, people int) []*gaze.Recording {
	t.Helper()
	c := simulate.Cohort{People: people, Seconds: 20, Rate: rate, Scenes: []simulate.Scene{scene}, Truth: true}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(7)))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// whole reports whether no blink hides the beginning, the end or the inside.
func whole(r *gaze.Recording, start, duration time.Duration) bool {
	for _, b := range r.Blinks {
		if b.Start < start+duration+50*ms && start < b.Start+b.Duration+50*ms {
			return false
		}
	}
	return start > 0 && start+duration < r.Samples.T[r.Samples.Len()-1]
}

func nearest[E any](all []E, at time.Duration, start func(E) time.Duration) (best E, ok bool) {
	distance := time.Duration(math.MaxInt64)
	for _, e := range all {
		if d := (start(e) - at).Abs(); d < distance {
			best, distance, ok = e, d, true
		}
	}
	return best, ok
}
