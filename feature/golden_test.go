package feature_test

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// stay is a stretch of gaze at 100 Hz at a place in degrees, of which every
// other sample lies a little to the right and above; lost when x is NaN.
type stay struct {
	n            int
	x, y         float64
	right, above float64
	pupil, late  float64 // late: in the second half; 0 = the same
}

func stays(all ...stay) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Participant: "P1", Rate: 100, Unit: gaze.Degrees, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Origin: gaze.Center}}}
	track := &r.Samples.Tracks[gaze.Left]
	for _, s := range all {
		for i := range s.n {
			r.Samples.T = append(r.Samples.T, time.Duration(r.Samples.Len())*10*ms)
			odd := float64(i % 2)
			track.X, track.Y = append(track.X, s.x+odd*s.right), append(track.Y, s.y+odd*s.above)
			pupil := s.pupil
			if s.late > 0 && i >= s.n/2 {
				pupil = s.late
			}
			track.Pupil = append(track.Pupil, pupil)
		}
	}
	return r
}

// pointToPoint has velocities between neighbouring samples, so that a jump is a
// saccade of one interval and leaves the fixations around it whole.
var pointToPoint = detect.IVT{Threshold: 30, MinDuration: 60 * ms, Window: 1}

// Every feature of one window of 2 s, by hand. Fixations last 0.29, 0.39, 0.49,
// 0.19, 0.19 and 0.29 s; saccades go 2 right, 5 up, 3 right and 3 down, 1 left;
// a blink of 0.1 s hides the way from the third fixation to the fourth.
func TestEveryFeatureByHand(t *testing.T) {
	nan := math.NaN()
	r := stays(
		stay{n: 30, x: 0, y: 0, pupil: 3},
		stay{n: 40, x: 2, y: 0, right: 0.25, pupil: 3, late: 4},
		stay{n: 50, x: 2.25, y: 5, above: 0.125, pupil: 3},
		stay{n: 10, x: nan, y: nan, pupil: nan},
		stay{n: 20, x: -4, y: 5, pupil: 3},
		stay{n: 20, x: -1, y: 2, pupil: 3},
		stay{n: 30, x: -2, y: 2, pupil: 3},
	)
	got := tables(t, feature.Options{Window: 2 * time.Second, Detector: pointToPoint}, gazetest.Seq(r))[0]
	if got.Windows() != 1 || len(got.Absent) != 0 || got.Span != 2*time.Second {
		t.Fatalf("%d windows, absent %v, span %v", got.Windows(), got.Absent, got.Span)
	}
	diagonal := 3 * math.Sqrt2
	meanAmplitude := (2 + 5 + diagonal + 1) / 4
	words := func(n float64, length int) [6]float64 { // n different words, each once
		all := math.Pow(24, float64(length))
		return [6]float64{n, 1, 0, 1, n / all, n/all - n/all*n/all}
	}
	w1, w2, w3, w4 := words(4, 1), words(3, 2), words(2, 3), words(1, 4)
	want := [feature.Count]float64{
		3, 2, 1, 1, 1, 0.5, // six fixations, four saccades in 2 s: two small, two large; two to the right, one to the left
		4. / 6, 0.5, 0.5, 0.5, 0.25,
		meanAmplitude, (4+25+18+1)/4. - meanAmplitude*meanAmplitude, 5,
		1.84 / 6, (2*0.29*0.29+0.39*0.39+0.49*0.49+2*0.19*0.19)/6 - 1.84*1.84/36, 0.49,
		1. / 64 / 6, 1. / 256 / 6, 5. / 64 / 64 / 36, 5. / 256 / 256 / 36, // only the second wavers to the right, the third upwards
		18.5 / 6, 0.5 * 0.5 * 5 / 36, 0.25 / 6, 0.25 * 0.25 * 5 / 36, // the second: mean 3.5, variance 0.25
		0.1, 0, 0.5,
		w1[0], w1[1], w1[2], w1[3], w1[4], w1[5], w2[0], w2[1], w2[2], w2[3], w2[4], w2[5],
		w3[0], w3[1], w3[2], w3[3], w3[4], w3[5], w4[0], w4[1], w4[2], w4[3], w4[4], w4[5],
	}
	for i, name := range feature.Names() {
		if v := got.Columns[i][0]; !(math.Abs(v-want[i]) <= 1e-8*want[i]) { // positions are on a grid of 1e-9 deg
			t.Errorf("%d %s: got %v, want %v", i, name, v, want[i])
		}
	}
}

// Seven small saccades to and fro are the string r l r l r l r.
func TestWordsByHand(t *testing.T) {
	var all []stay
	for i := range 8 {
		all = append(all, stay{n: 25, x: float64(i % 2), pupil: 3})
	}
	got := tables(t, feature.Options{Window: 2 * time.Second, Detector: pointToPoint}, gazetest.Seq(stays(all...)))[0]
	for length, c := range map[int]struct{ distinct, most, total, squares float64 }{
		1: {2, 4, 7, 16 + 9}, // 4 r, 3 l
		2: {2, 3, 6, 9 + 9},  // 3 rl, 3 lr
		3: {2, 3, 5, 9 + 4},  // 3 rlr, 2 lrl
		4: {2, 2, 4, 4 + 4},  // 2 rlrl, 2 lrlr
	} {
		possible := math.Pow(24, float64(length))
		mean := c.total / possible
		want := [6]float64{c.distinct, c.most, 0, c.most, mean, c.squares/possible - mean*mean}
		for i, w := range want {
			if v := got.Columns[28+(length-1)*6+i][0]; math.Abs(v-w) > 1e-15 {
				t.Errorf("words of %d, statistic %d: got %v, want %v", length, i, v, w)
			}
		}
	}
}

// Windows of 1 s every 0.5 s over fixations of 0.4 s (40 samples): a fixation
// that straddles a border is cut there, and counts if what is left lasts 60 ms;
// a saccade that a border may have cut does not count.
func TestBorders(t *testing.T) {
	r := stays(stay{n: 45, x: 0, pupil: 3}, stay{n: 50, x: 5, pupil: 3}, stay{n: 6, x: 0, pupil: 3}, stay{n: 50, x: 5, pupil: 3})
	got := tables(t, feature.Options{Window: time.Second, Detector: pointToPoint}, gazetest.Seq(r))[0]
	if got.Windows() != 2 {
		t.Fatalf("%d windows", got.Windows())
	}
	// The first window ends after 5 of the 6 samples of the third fixation,
	// 40 ms; the second holds all of it, 50 ms, which is still too short.
	for i, want := range []struct{ fixations, saccades, longest float64 }{{2, 2, 0.49}, {2, 2, 0.48}} {
		if f, s, d := got.Columns[0][i], got.Columns[1][i], got.Columns[16][i]; f != want.fixations || s != want.saccades || d != want.longest {
			t.Errorf("window %d: %v fixations, %v saccades, the longest fixation %v", i, f, s, d)
		}
	}
	if d := got.Columns[14][1]; math.Abs(d-(0.44+0.48)/2) > 1e-12 { // cut at 0.5 s: 0.50 to 0.94
		t.Errorf("the cut fixation is not cut: mean duration %v", d)
	}
	jump := stays(stay{n: 51, x: 0, pupil: 3}, stay{n: 100, x: 5, pupil: 3})
	got = tables(t, feature.Options{Window: time.Second, Detector: pointToPoint}, gazetest.Seq(jump))[0]
	if a, b := got.Columns[1][0], got.Columns[1][1]; a != 1 || b != 0 {
		t.Errorf("%v saccades, then %v of the one from the second window's first sample", a, b)
	}
}
