package feature_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

const ms = time.Millisecond

// failer is what both testing.TB and rapid.T are.
type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func tables(t failer, o feature.Options, all gaze.Seq) []*feature.Table {
	t.Helper()
	var out []*feature.Table
	for table, err := range o.Tables(all) {
		if err != nil {
			t.Fatalf("%v", err)
		}
		out = append(out, table)
	}
	return out
}

// differ describes the first value that is not within 1e-9 of the reference.
func differ(want [feature.Count][]float64, got *feature.Table) string {
	names := feature.Names()
	for k := range want {
		if !got.Has(k) {
			continue
		}
		if len(want[k]) != len(got.Columns[k]) {
			return fmt.Sprintf("%d windows, want %d", len(got.Columns[k]), len(want[k]))
		}
		for i, w := range want[k] {
			g := got.Columns[k][i]
			if !(math.Abs(g-w) <= 1e-9*math.Abs(w)+0x1p-48) {
				return fmt.Sprintf("%d %s, window %d: got %v, want %v", k, names[k], i, g, w)
			}
		}
	}
	return ""
}

func simulated(t testing.TB, scene simulate.Scene, c simulate.Cohort) []*gaze.Recording {
	t.Helper()
	c.Scenes = []simulate.Scene{scene}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(11)))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// On simulated people every window is what it is by itself.
func TestWindowsAreWhatTheyAreByThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		scene  simulate.Scene
		cohort simulate.Cohort
		o      feature.Options
	}{
		"pictures":        {simulate.ShopWindow(), simulate.Cohort{People: 2, Seconds: 12, Rate: 120, Loss: 0.03}, feature.Options{Window: 4 * time.Second}},
		"reading":         {simulate.TextPage(), simulate.Cohort{People: 1, Seconds: 8, Rate: 500}, feature.Options{Window: 3 * time.Second, Step: 170 * ms}},
		"panorama":        {simulate.Room(), simulate.Cohort{People: 2, Seconds: 10, Rate: 90}, feature.Options{Window: 2500 * ms, Step: 300 * ms, Alphabet: feature.Compass}},
		"stated blinks":   {simulate.ShopWindow(), simulate.Cohort{People: 1, Seconds: 20, Rate: 60, Truth: true}, feature.Options{Window: 5 * time.Second}},
		"neighbours only": {simulate.ShopWindow(), simulate.Cohort{People: 1, Seconds: 6, Rate: 250}, feature.Options{Window: time.Second, Step: 100 * ms, Detector: detect.IVT{Threshold: 40, Window: 1}}},
		"sparse windows":  {simulate.ShopWindow(), simulate.Cohort{People: 1, Seconds: 20, Rate: 120, Loss: 0.2}, feature.Options{Window: time.Second, Step: 3 * time.Second}},
		"tiny windows":    {simulate.ShopWindow(), simulate.Cohort{People: 1, Seconds: 4, Rate: 500}, feature.Options{Window: 15 * ms, Step: 7 * ms, Detector: detect.IVT{Threshold: 30}}},
	} {
		t.Run(name, func(t *testing.T) {
			all := simulated(t, c.scene, c.cohort)
			got := tables(t, c.o, gazetest.Seq(all...))
			for i, r := range all {
				want := reference(t, c.o, r)
				if got[i].Windows() < 5 {
					t.Fatalf("%d windows", got[i].Windows())
				}
				if d := differ(want, got[i]); d != "" {
					t.Fatalf("person %d: %s", i, d)
				}
			}
		})
	}
}

// wanderer draws gaze that nobody has: rests, drifts and jumps of any length,
// losses, holes in time, repeated and backward stamps.
func wanderer(t *rapid.T) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Unit: gaze.Degrees, PupilUnit: gaze.PupilMillimetres, Rate: 100}}
	if rapid.Bool().Draw(t, "directions") {
		r.Frame = gaze.InWorld
	}
	track := &r.Samples.Tracks[gaze.Right]
	track.X, track.Y, track.Pupil = []float64{}, []float64{}, []float64{}
	at, x, y := time.Duration(rapid.IntRange(-5, 5).Draw(t, "origin"))*time.Second, 0.0, 0.0
	for range rapid.IntRange(1, 40).Draw(t, "stretches") {
		speed := rapid.SampledFrom([]float64{0, 0.001, 0.05, 0.2, 0.4, 3, 40}).Draw(t, "deg per sample")
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "direction")
		lost := rapid.IntRange(0, 9).Draw(t, "lost") == 0
		step := rapid.SampledFrom([]time.Duration{10 * ms, 10 * ms, 10 * ms, 3 * ms, 60 * ms, 300 * ms, 0, -20 * ms}).Draw(t, "step")
		for range rapid.IntRange(1, 30).Draw(t, "samples") {
			x, y = x+speed*math.Cos(angle), math.Mod(y+speed*math.Sin(angle), 80)
			px, py := x, y
			if lost {
				px = math.NaN()
			}
			r.Samples.T = append(r.Samples.T, at)
			track.X, track.Y, track.Pupil = append(track.X, px), append(track.Y, py), append(track.Pupil, 3+math.Sin(x+y))
			at += step
		}
	}
	return r
}

// The same on random streams, whatever the windows and the pieces.
func TestRandomStreamsInPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := wanderer(rt)
		o := feature.Options{
			Window:   time.Duration(rapid.IntRange(1, 3000).Draw(rt, "window")) * ms,
			Step:     time.Duration(rapid.IntRange(20, 900).Draw(rt, "step")) * ms,
			Detector: detect.IVT{Threshold: 30, MinDuration: time.Duration(rapid.IntRange(0, 100).Draw(rt, "min")) * ms, Window: time.Duration(rapid.IntRange(1, 60).Draw(rt, "velocity")) * ms, MaxGap: 75 * ms},
		}
		want := reference(t, o, r)
		got := tables(rt, o, gazetest.Pieces(rapid.IntRange(1, 200).Draw(rt, "piece"), r))
		if d := differ(want, got[0]); d != "" {
			rt.Fatalf("%s", d)
		}
	})
}
