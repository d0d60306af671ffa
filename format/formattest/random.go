package formattest

import (
	"bytes"
	order "cmp"
	"math"
	"slices"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Random draws recordings of every shape, for round trips: one eye or both,
// losses, pupils, confidence, labels, signals, stated events, events without
// samples, settings that change from one to the next.
func Random(t *rapid.T) []*gaze.Recording {
	n := rapid.IntRange(1, 4).Draw(t, "recordings")
	all := make([]*gaze.Recording, n)
	for i := range all {
		all[i] = random(t)
	}
	return all
}

func random(t *rapid.T) *gaze.Recording {
	text := rapid.StringMatching(`[A-Za-zäß0-9_"',;:=/ .-]{0,8}`)
	r := &gaze.Recording{Header: gaze.Header{
		Participant: text.Draw(t, "participant"), Session: text.Draw(t, "session"), Task: text.Draw(t, "task"),
		Trial: text.Draw(t, "trial"), Stimulus: text.Draw(t, "stimulus"),
		Rate:      gaze.Hertz(rapid.SampledFrom([]float64{0, 60, 250, 1000, 119.88}).Draw(t, "rate")),
		Unit:      rapid.SampledFrom([]gaze.Unit{gaze.Pixels, gaze.Degrees, gaze.Normalized}).Draw(t, "unit"),
		PupilUnit: rapid.SampledFrom([]gaze.PupilUnit{gaze.PupilArea, gaze.PupilMillimetres}).Draw(t, "pupil unit"),
		Frame:     rapid.SampledFrom([]gaze.Frame{gaze.OnScreen, gaze.InWorld, gaze.EyeInHead}).Draw(t, "frame"),
	}}
	if rapid.Bool().Draw(t, "screen") {
		r.Screen = gaze.Screen{
			Width: 1920, Height: 1080, WidthCm: 52.1, HeightCm: 29.3, DistanceCm: rapid.SampledFrom([]float64{0, 60.5}).Draw(t, "distance"),
			Origin: rapid.SampledFrom([]gaze.Origin{gaze.TopLeft, gaze.BottomLeft, gaze.Center}).Draw(t, "origin"),
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "samples") > 0 {
		randomSamples(t, r)
	}
	randomEvents(t, r)
	return r
}

func randomSamples(t *rapid.T, r *gaze.Recording) {
	n := rapid.IntRange(1, 30).Draw(t, "n")
	at := time.Duration(0)
	for range n {
		r.Samples.T = append(r.Samples.T, at)
		at += time.Duration(rapid.SampledFrom([]int64{0, 1, 333333, 1e6, 16683350, 2e9}).Draw(t, "step"))
	}
	eyes := rapid.SampledFrom([][]gaze.Eye{{gaze.Cyclopean}, {gaze.Left}, {gaze.Right}, {gaze.Left, gaze.Right}, {gaze.Cyclopean, gaze.Left, gaze.Right}}).Draw(t, "eyes")
	pupil, confidence := rapid.Bool().Draw(t, "pupil"), rapid.Bool().Draw(t, "confidence")
	for _, e := range eyes {
		track := &r.Samples.Tracks[e]
		track.X, track.Y = numbers(t, n, -5000, 5000), numbers(t, n, -5000, 5000)
		if pupil {
			track.Pupil = numbers(t, n, 0.5, 4000)
		}
		if confidence {
			track.Confidence = numbers(t, n, 0, 1)
		}
	}
	if rapid.Bool().Draw(t, "labels") {
		r.Samples.Labels = make([]gaze.Label, n)
		for i := range n {
			r.Samples.Labels[i] = gaze.Label(rapid.IntRange(0, int(gaze.InOscillation)).Draw(t, "label"))
		}
	}
	for _, s := range []gaze.Signal{{Name: "openness"}, {Name: "size, total", Unit: "mm"}, {Name: "x [a]"}} {
		if rapid.IntRange(0, 2).Draw(t, "signal") == 0 {
			s.Values = numbers(t, n, -1e6, 1e6)
			r.Samples.Signals = append(r.Samples.Signals, s)
		}
	}
}

// numbers draws values with losses among them.
func numbers(t *rapid.T, n int, low, high float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		if rapid.IntRange(0, 4).Draw(t, "lost") == 0 {
			v[i] = math.NaN()
		} else {
			v[i] = rapid.Float64Range(low, high).Draw(t, "value")
		}
	}
	return v
}

func randomEvents(t *rapid.T, r *gaze.Recording) {
	least := 0
	if r.Samples.Len() == 0 {
		least = 1
	}
	span := rapid.Int64Range(0, 60e9)
	eye := rapid.SampledFrom([]gaze.Eye{gaze.Left, gaze.Right, gaze.Cyclopean})
	for range rapid.IntRange(least, 3).Draw(t, "fixations") {
		v := numbers(t, 3, 0.5, 2000)
		r.Fixations = append(r.Fixations, gaze.Fixation{
			Eye: eye.Draw(t, "eye"), Start: time.Duration(span.Draw(t, "start")), Duration: time.Duration(span.Draw(t, "duration")),
			X: v[0], Y: v[1], Pupil: v[2],
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "saccades") {
		v := numbers(t, 6, 0, 2000)
		r.Saccades = append(r.Saccades, gaze.Saccade{
			Eye: eye.Draw(t, "eye"), Start: time.Duration(span.Draw(t, "start")), Duration: time.Duration(span.Draw(t, "duration")),
			X0: v[0], Y0: v[1], X1: v[2], Y1: v[3], PeakVelocity: v[4], Amplitude: v[5],
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "blinks") {
		r.Blinks = append(r.Blinks, gaze.Blink{
			Eye: eye.Draw(t, "eye"), Start: time.Duration(span.Draw(t, "start")), Duration: time.Duration(span.Draw(t, "duration")),
		})
	}
	slices.SortStableFunc(r.Fixations, func(a, b gaze.Fixation) int { return order.Compare(a.Start, b.Start) })
	slices.SortStableFunc(r.Saccades, func(a, b gaze.Saccade) int { return order.Compare(a.Start, b.Start) })
	slices.SortStableFunc(r.Blinks, func(a, b gaze.Blink) int { return order.Compare(a.Start, b.Start) })
}

// Back reads a file of a file system and says what differs from what was
// written; the name of the reader does not count, nor whether a list that is
// empty is there.
func Back(f format.Format, fsys fstest.MapFS, name string, want []*gaze.Recording) string {
	in, err := format.NewInput(name, bytes.NewReader(fsys[name].Data))
	if err != nil {
		return err.Error()
	}
	in.FS, in.Format = fsys, f.Name
	got, err := gaze.Collect(f.Read(in, format.Options{}))
	if err != nil {
		return err.Error()
	}
	options := cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(gaze.Header{}, "Format")}
	return cmp.Diff(want, got, options)
}
