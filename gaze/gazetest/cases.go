package gazetest

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Case is a recording with something odd about it.
type Case struct {
	Name      string
	Recording *gaze.Recording
}

// Cases returns recordings that every room has to survive: no panic, no NaN
// presented as a result, either an answer or an error. They are made afresh for
// each call, on a screen of 1280 × 960 px at 120 Hz.
func Cases() []Case {
	nan, inf := math.NaN(), math.Inf(1)
	constant := func(v float64, n int) []float64 {
		c := make([]float64, n)
		for i := range c {
			c[i] = v
		}
		return c
	}
	return []Case{
		{"no samples", samples(nil, []float64{}, []float64{})},
		{"no columns", &gaze.Recording{Header: header()}},
		{"one sample", samples(at(0), []float64{640}, []float64{480})},
		{"one lost sample", samples(at(0), []float64{nan}, []float64{nan})},
		{"all lost", samples(at(every(200)...), constant(nan, 200), constant(nan, 200))},
		{"one coordinate lost", samples(at(every(200)...), constant(nan, 200), constant(300, 200))},
		{"infinite", samples(at(every(200)...), constant(inf, 200), constant(-inf, 200))},
		{"huge", samples(at(every(200)...), alternate(1e300, -1e300, 200), constant(math.MaxFloat64, 200))},
		{"constant", samples(at(every(200)...), constant(640, 200), constant(480, 200))},
		{"off screen", samples(at(every(200)...), constant(-5000, 200), constant(1e5, 200))},
		{"on the last edge", samples(at(every(200)...), constant(1280, 200), constant(960, 200))},
		{"repeated stamps", samples(at(repeated(200)...), alternate(100, 1100, 200), constant(480, 200))},
		{"one stamp", samples(at(constant(0, 200)...), alternate(100, 1100, 200), constant(480, 200))},
		{"backward stamps", samples(at(backward(200)...), constant(640, 200), constant(480, 200))},
		{"clock restarts", samples(at(append(every(100), every(100)...)...), constant(640, 200), constant(480, 200))},
		{"one long gap", samples(at(append(every(100), 3600)...), constant(640, 101), constant(480, 101))},
		{"extreme stamps", extremeStamps()},
		{"every other lost", samples(at(every(200)...), alternate(640, nan, 200), alternate(480, nan, 200))},
		{"jumping", samples(at(every(200)...), alternate(0, 1279, 200), alternate(0, 959, 200))},
		{"pupil only", pupilOnly()},
		{"no geometry", noGeometry()},
		{"unknown unit", unknownUnit()},
		{"odd events", oddEvents()},
		{"south pole", pole()},
	}
}

func header() gaze.Header {
	return gaze.Header{Participant: "P1", Session: "1", Stimulus: "shop-window", Rate: 120, Unit: gaze.Pixels,
		Screen: gaze.Screen{Width: 1280, Height: 960, WidthCm: 35.456, HeightCm: 26.592, DistanceCm: 60}}
}

func samples(t []time.Duration, x, y []float64) *gaze.Recording {
	r := &gaze.Recording{Header: header()}
	r.Samples.T = t
	r.Samples.Tracks[gaze.Right] = gaze.Track{X: x, Y: y}
	return r
}

func at(seconds ...float64) []time.Duration {
	t := make([]time.Duration, len(seconds))
	for i, s := range seconds {
		t[i] = time.Duration(s * float64(time.Second))
	}
	return t
}

func every(n int) []float64 {
	t := make([]float64, n)
	for i := range t {
		t[i] = float64(i) / 120
	}
	return t
}

func repeated(n int) []float64 {
	t := every(n)
	for i := range t {
		t[i] = t[i/4*4]
	}
	return t
}

func backward(n int) []float64 {
	t := every(n)
	for i := range t {
		t[i] = -t[i]
	}
	return t
}

func alternate(a, b float64, n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		if c[i] = a; i%2 == 1 {
			c[i] = b
		}
	}
	return c
}

func extremeStamps() *gaze.Recording {
	t := []time.Duration{math.MinInt64, 0, math.MaxInt64, math.MinInt64, 1, math.MaxInt64 - 1}
	return samples(t, []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6})
}

func pupilOnly() *gaze.Recording {
	r := samples(at(every(200)...), nil, nil)
	r.Samples.Tracks[gaze.Right].Pupil = alternate(3, 3.1, 200)
	r.Samples.Signals = []gaze.Signal{{Name: "eyelid", Values: alternate(0, 1, 200)}}
	return r
}

func noGeometry() *gaze.Recording {
	r := People(1)[0]
	r.Screen.WidthCm, r.Screen.HeightCm, r.Screen.DistanceCm = 0, 0, 0
	return r
}

func unknownUnit() *gaze.Recording {
	r := People(1)[0]
	r.Unit, r.Screen = gaze.UnitUnknown, gaze.Screen{}
	return r
}

// oddEvents states fixations of both eyes, out of order, of no, negative and
// endless length, off screen, and without a position.
func oddEvents() *gaze.Recording {
	ms := time.Millisecond
	nan := math.NaN()
	return &gaze.Recording{Header: header(), Fixations: []gaze.Fixation{
		{Eye: gaze.Left, Start: 500 * ms, Duration: 200 * ms, X: 100, Y: 100, Pupil: nan},
		{Eye: gaze.Right, Start: 500 * ms, Duration: 200 * ms, X: 101, Y: 101, Pupil: nan},
		{Eye: gaze.Right, Start: 0, Duration: 0, X: 300, Y: 300, Pupil: nan},
		{Eye: gaze.Right, Start: 100 * ms, Duration: -200 * ms, X: 300, Y: 300, Pupil: nan},
		{Eye: gaze.Right, Start: 900 * ms, Duration: 100 * ms, X: nan, Y: 300, Pupil: nan},
		{Eye: gaze.Right, Start: 1000 * ms, Duration: 100 * ms, X: -3, Y: 300, Pupil: nan},
		{Eye: gaze.Right, Start: 1100 * ms, Duration: math.MaxInt64, X: 640, Y: 480, Pupil: nan},
	}}
}

// pole looks straight down and turns around.
func pole() *gaze.Recording {
	yaw := make([]float64, 200)
	pitch := make([]float64, 200)
	for i := range yaw {
		yaw[i], pitch[i] = float64(i)*3.6-360, -90
	}
	r := samples(at(every(200)...), yaw, pitch)
	r.Unit, r.Frame, r.Screen = gaze.Degrees, gaze.InWorld, gaze.Screen{}
	return r
}
