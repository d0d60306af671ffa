package metric_test

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/metric"
)

// path has a sample every 10 ms; a degree is 10 px.
func path(x ...float64) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Unit: gaze.Pixels}}
	t := &r.Samples.Tracks[gaze.Cyclopean]
	for i, v := range x {
		r.Samples.T = append(r.Samples.T, time.Duration(i)*10*time.Millisecond)
		t.X, t.Y = append(t.X, v), append(t.Y, 50)
	}
	return r
}

func repeated(v float64, n int) (out []float64) {
	for range n {
		out = append(out, v)
	}
	return out
}

func paths() *metric.Paths {
	return &metric.Paths{Width: 600, Height: 600, PixelsPerDegree: 10}
}

// TestPathsByHand: two fixations of 290 and 390 ms about a saccade of 20 deg, one
// sample lost, one off the screen.
func TestPathsByHand(t *testing.T) {
	p := paths()
	if err := p.Add(path(append(append(repeated(100, 30), repeated(300, 40)...), 700, math.NaN())...)); err != nil {
		t.Fatal(err)
	}
	p.Flush()
	if p.Samples != 71 || p.Off != 1 || p.Density[5*60+10] != 30 || p.Density[5*60+30] != 40 {
		t.Errorf("%d samples, %d off the screen, %v and %v in their cells", p.Samples, p.Off, p.Density[5*60+10], p.Density[5*60+30])
	}
	if p.Fixations != 2 || p.Saccades != 2 {
		t.Fatalf("%d fixations, %d saccades", p.Fixations, p.Saccades)
	}
	bin := func(v, low, high float64, n int) int { return int(math.Log(v/low) / math.Log(high/low) * float64(n)) }
	if p.Durations[bin(0.29, 0.2, 3, 20)] != 1 || p.Durations[bin(0.39, 0.2, 3, 20)] != 1 || p.Amplitudes[bin(20, 0.5, 40, 25)] != 1 {
		t.Errorf("durations %v, amplitudes %v", p.Durations, p.Amplitudes)
	}
	clamped := paths()
	clamped.Clamp = true
	if err := clamped.Add(path(700, -3)); err != nil || clamped.Density[5*60+59] != 1 || clamped.Density[5*60] != 1 || clamped.Off != 2 {
		t.Errorf("clamped: %v off the screen, %v", clamped.Off, err)
	}
}

// TestPathsInPieces: pieces count as the whole does.
func TestPathsInPieces(t *testing.T) {
	x := append(append(repeated(100, 33), repeated(400, 60)...), repeated(420, 25)...)
	whole, parts := paths(), paths()
	if err := whole.Add(path(x...)); err != nil {
		t.Fatal(err)
	}
	all := path(x...)
	for i := 0; i < len(x); i += 7 {
		to := min(i+7, len(x))
		piece := &gaze.Recording{Header: all.Header, Continues: i > 0}
		piece.Samples.T = all.Samples.T[i:to]
		piece.Samples.Tracks[gaze.Cyclopean] = gaze.Track{X: all.Samples.Tracks[0].X[i:to], Y: all.Samples.Tracks[0].Y[i:to]}
		if err := parts.Add(piece); err != nil {
			t.Fatal(err)
		}
	}
	e := whole.Compare(parts)
	if *e.Density != 0 || *e.Duration != 0 || *e.Amplitude != 0 || whole.Fixations != parts.Fixations || whole.Saccades != parts.Saccades {
		t.Errorf("%+v; %d and %d fixations", e, whole.Fixations, parts.Fixations)
	}
}

func TestPathsThatCannotBeCompared(t *testing.T) {
	empty, some := paths(), paths()
	if err := some.Add(path(repeated(100, 50)...)); err != nil {
		t.Fatal(err)
	}
	if err := empty.Add(path()); err != nil {
		t.Fatal(err)
	}
	if e := some.Compare(empty); e.Density != nil || e.Duration != nil || e.Amplitude != nil {
		t.Errorf("%+v", e)
	}
	if err := new(metric.Paths).Add(path(1)); err == nil {
		t.Error("no screen is no error")
	}
	short := path(1, 2)
	short.Samples.Tracks[0].Y = short.Samples.Tracks[0].Y[:1]
	if err := paths().Add(short); err == nil {
		t.Error("columns of two lengths are no error")
	}
}

func TestPathRMSE(t *testing.T) {
	a, b := path(0, 10, 20, math.NaN(), 30), path(3, 14, 20, 7, math.Inf(1))
	sum, mean, err := metric.PathRMSE(a, b)
	near(t, "sum", sum, err, 5)
	near(t, "mean", mean, err, 5/math.Sqrt(3))
	for name, other := range map[string]*gaze.Recording{"longer": path(1, 2), "none": {}, "lost": path(repeated(math.NaN(), 5)...), "beyond numbers": path(repeated(1e300, 5)...)} {
		if _, _, err := metric.PathRMSE(a, other); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
