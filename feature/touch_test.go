package feature_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// MECHANISMS §4: with windows of 30 s every 0.5 s one second of gaze touches
// 62 windows.
func TestTouches(t *testing.T) {
	for _, c := range []struct {
		o    feature.Options
		t    time.Duration
		want int
	}{
		{feature.Options{}, time.Second, 62},
		{feature.Options{}, 0, 60},
		{feature.Options{}, 1, 61},
		{feature.Options{Step: time.Second}, 10 * time.Second, 40},
		{feature.Options{Window: time.Second, Step: 3 * time.Second}, time.Second, 1},
		{feature.Options{Window: time.Second, Step: 3 * time.Second}, 2500 * ms, 2},
	} {
		if got := c.o.Touches(c.t); got != c.want {
			t.Errorf("%v of gaze touch %d windows of %+v, want %d", c.t, got, c.o, c.want)
		}
	}
}

// Whatever happens to a stretch of gaze, no window changes but those that hold
// some of it, to the last bit; and those are at most as many as Touches says.
func TestGazeTouchesNoOtherWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := forward(wanderer(rt))
		o := feature.Options{
			Window:   time.Duration(rapid.IntRange(10, 2000).Draw(rt, "window")) * ms,
			Step:     time.Duration(rapid.IntRange(20, 700).Draw(rt, "step")) * ms,
			Detector: detect.IVT{Threshold: 30, Window: time.Duration(rapid.IntRange(1, 300).Draw(rt, "velocity")) * ms, MaxGap: 75 * ms},
		}
		from := r.Samples.T[rapid.IntRange(0, r.Samples.Len()-1).Draw(rt, "from")]
		span := time.Duration(rapid.IntRange(0, 500).Draw(rt, "span")) * ms
		changed := gazetest.Clone(r)
		track := &changed.Samples.Tracks[gaze.Right]
		with := rapid.SampledFrom([]float64{math.NaN(), 0, 25, -170}).Draw(rt, "with")
		for i, at := range changed.Samples.T {
			if at >= from && at < from+span {
				track.X[i], track.Y[i], track.Pupil[i] = with, float64(i%7), 4
			}
		}
		before, after := tables(rt, o, gazetest.Seq(r))[0], tables(rt, o, gazetest.Seq(changed))[0]
		count := 0
		for i := range before.Windows() {
			start := r.Samples.T[0] + time.Duration(i)*o.Step
			if !differs(before, after, i) {
				continue
			}
			count++
			if start >= from+span || start+o.Window <= from {
				rt.Fatalf("window %d from %v to %v is changed by gaze from %v to %v", i, start, start+o.Window, from, from+span)
			}
		}
		if most := o.Touches(span); count > most {
			rt.Fatalf("%v of gaze change %d windows, at most %d", span, count, most)
		}
	})
}

func differs(a, b *feature.Table, window int) bool {
	for k := range a.Columns {
		if a.Has(k) && b.Has(k) && a.Columns[k][window] != b.Columns[k][window] {
			return true
		}
	}
	return false
}

// A stated blink changes no window but those that hold it: neither which eye's
// blinks count elsewhere, nor which of those that overlap.
func TestStatedBlinksTouchNoOtherWindow(t *testing.T) {
	r := gazetest.People(1)[0]
	length := int(r.Samples.T[r.Samples.Len()-1] / ms)
	rapid.Check(t, func(rt *rapid.T) {
		blinks := func(from, to, most int, name string) []gaze.Blink {
			return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) gaze.Blink {
				start := rapid.IntRange(from, to-1).Draw(rt, "start")
				return gaze.Blink{
					Eye: rapid.SampledFrom([]gaze.Eye{gaze.Cyclopean, gaze.Right, gaze.Left}).Draw(rt, "eye"), Start: r.Samples.T[0] + time.Duration(start)*ms,
					Duration: time.Duration(rapid.IntRange(1, to-start).Draw(rt, "duration")) * ms,
				}
			}), 0, most).Draw(rt, name)
		}
		o := feature.Options{Window: 400 * ms, Step: 150 * ms, BlinkSource: feature.StatedBlinks}
		rest := append([]gaze.Blink{}, blinks(0, length, 30, "rest")...)
		from := rapid.IntRange(0, length-500).Draw(rt, "from")
		span := time.Duration(rapid.IntRange(1, 500).Draw(rt, "span"))
		one, other := gazetest.Clone(r), gazetest.Clone(r)
		one.Blinks = append(slices.Clone(rest), blinks(from, from+int(span), 5, "one")...)
		other.Blinks = append(slices.Clone(rest), blinks(from, from+int(span), 5, "other")...)
		before, after := tables(rt, o, gazetest.Seq(one))[0], tables(rt, o, gazetest.Seq(other))[0]
		for i := range before.Windows() {
			start := time.Duration(i) * o.Step
			if differs(before, after, i) && (start >= (time.Duration(from)+span)*ms || start+o.Window <= time.Duration(from)*ms) {
				rt.Fatalf("window %d from %v is changed by blinks from %d ms on for %d ms", i, start, from, span)
			}
		}
	})
}
