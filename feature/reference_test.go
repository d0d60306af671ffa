package feature_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
)

// The reference computes every window by itself: it cuts the recording to the
// window, gives the cut to the detectors, and takes means and variances in two
// passes over floating-point numbers. It shares no code with the room but the
// alphabet's size.

// reference returns the features of every window of a recording with one track.
func reference(t testing.TB, o feature.Options, r *gaze.Recording) [feature.Count][]float64 {
	t.Helper()
	o = o.Resolved()
	r = forward(r)
	var table [feature.Count][]float64
	for i := range expectedWindows(o, r) {
		from := r.Samples.T[0] + time.Duration(i)*o.Step
		values := window(t, o, between(r, from, from+o.Window))
		for k, v := range values {
			table[k] = append(table[k], v)
		}
	}
	return table
}

// forward leaves out samples whose time does not run forward.
func forward(r *gaze.Recording) *gaze.Recording {
	out := *r
	out.Samples = gaze.Samples{}
	for i, t := range r.Samples.T {
		if n := out.Samples.Len(); n == 0 || t > out.Samples.T[n-1] {
			appendSample(&out.Samples, &r.Samples, i)
		}
	}
	return &out
}

func appendSample(to, from *gaze.Samples, i int) {
	to.T = append(to.T, from.T[i])
	for e := range from.Tracks {
		a, b := &to.Tracks[e], &from.Tracks[e]
		if b.X != nil {
			a.X, a.Y = append(a.X, b.X[i]), append(a.Y, b.Y[i])
		}
		if b.Pupil != nil {
			a.Pupil = append(a.Pupil, b.Pupil[i])
		}
	}
}

func between(r *gaze.Recording, from, to time.Duration) *gaze.Recording {
	out := *r
	out.Samples, out.Blinks = gaze.Samples{}, nil
	for i, t := range r.Samples.T {
		if t >= from && t < to {
			appendSample(&out.Samples, &r.Samples, i)
		}
	}
	for _, b := range r.Blinks {
		if b.Start >= from && b.Start+b.Duration <= to {
			out.Blinks = append(out.Blinks, b)
		}
	}
	return &out
}

// expectedWindows counts windows that end at most half a sample after the last
// sample's period.
func expectedWindows(o feature.Options, r *gaze.Recording) int {
	n := r.Samples.Len()
	if n == 0 {
		return 0
	}
	last := r.Samples.T[n-1] - r.Samples.T[0]
	period := time.Duration(0)
	if r.Rate > 0 {
		period = time.Duration(float64(time.Second) / float64(r.Rate))
	}
	if n > 1 {
		mean, step := last/time.Duration(n-1), r.Samples.T[n-1]-r.Samples.T[n-2]
		if period == 0 {
			period = mean
		}
		period = min(period, mean, step)
	}
	count := 0
	for time.Duration(count)*o.Step+o.Window <= last+period+period/2 {
		count++
	}
	return count
}

func onGrid(v, quantum float64) float64 { return math.RoundToEven(v/quantum) * quantum }

func meanOf(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func varianceOf(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	m := meanOf(v)
	var sum float64
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return sum / float64(len(v))
}

func maxOf(v []float64) float64 {
	var most float64
	for _, x := range v {
		most = math.Max(most, x)
	}
	return most
}

func over(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

const degreeQuantum = 1.0 / (1 << 30)

// pupilQuantum is that of the recording's unit.
func pupilQuantum(r *gaze.Recording) float64 {
	if r.PupilUnit == gaze.PupilMillimetres {
		return degreeQuantum
	}
	return 1.0 / (1 << 20)
}

func window(t testing.TB, o feature.Options, r *gaze.Recording) (v [feature.Count]float64) {
	t.Helper()
	seconds := o.Window.Seconds()
	fixationFeatures(t, o, r, &v, seconds)
	n := saccadeFeatures(t, o, r, &v, seconds)
	v[6] = over(n, int(math.Round(v[0]*seconds)))
	found, err := o.Blinks.Detect(r)
	if err != nil {
		t.Fatal(err)
	}
	if r.Blinks != nil {
		found = r.Blinks
	}
	var durations []float64
	for _, b := range found {
		durations = append(durations, b.Duration.Seconds())
	}
	v[25], v[26], v[27] = meanOf(durations), varianceOf(durations), float64(len(durations))/seconds
	return v
}

func fixationFeatures(t testing.TB, o feature.Options, r *gaze.Recording, v *[feature.Count]float64, seconds float64) {
	t.Helper()
	all, err := o.Detector.Fixations(r)
	if err != nil {
		t.Fatal(err)
	}
	var durations, xVars, yVars, pupilMeans, pupilVars []float64
	for _, f := range all {
		durations = append(durations, f.Duration.Seconds())
		x, y, pupil := within(t, o, r, f)
		xVars, yVars = append(xVars, min(8192, varianceOf(x))), append(yVars, min(8192, varianceOf(y)))
		if len(pupil) > 0 {
			pupilMeans, pupilVars = append(pupilMeans, meanOf(pupil)), append(pupilVars, varianceOf(pupil))
		}
	}
	v[0] = float64(len(all)) / seconds
	v[14], v[15], v[16] = meanOf(durations), varianceOf(durations), maxOf(durations)
	v[17], v[18], v[19], v[20] = meanOf(xVars), meanOf(yVars), varianceOf(xVars), varianceOf(yVars)
	v[21], v[22], v[23], v[24] = meanOf(pupilMeans), varianceOf(pupilMeans), meanOf(pupilVars), varianceOf(pupilVars)
}

// within are the positions in degrees and the pupil sizes of a fixation.
func within(t testing.TB, o feature.Options, r *gaze.Recording, f gaze.Fixation) (x, y, pupil []float64) {
	t.Helper()
	s, err := detect.NewSight(&r.Header, o.Detector.PixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	track, _, _ := r.Best()
	for i, at := range r.Samples.T {
		p, ok := s.At(track.X[i], track.Y[i])
		if !ok || at < f.Start || at > f.Start+f.Duration {
			continue
		}
		right, up := s.Degrees(p)
		right = onGrid(right, degreeQuantum)
		if n := len(x); n > 0 && s.AllAround() {
			right = x[n-1] + math.Remainder(right-x[n-1], 360)
		}
		x, y = append(x, right), append(y, onGrid(up, degreeQuantum))
		if track.Pupil != nil && track.Pupil[i] > 0 && !math.IsInf(track.Pupil[i], 0) {
			pupil = append(pupil, onGrid(track.Pupil[i], pupilQuantum(r)))
		}
	}
	return x, y, pupil
}

// saccadeFeatures returns the number of saccades that count: those that begin
// after the first and end before the last valid sample.
func saccadeFeatures(t testing.TB, o feature.Options, r *gaze.Recording, v *[feature.Count]float64, seconds float64) int {
	t.Helper()
	all, err := o.Detector.Saccades(r)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := detect.NewSight(&r.Header, o.Detector.PixelsPerDegree)
	first, last := ends(&s, r)
	var amplitudes []float64
	var letters []int
	var large, right, left int
	for _, c := range all {
		if c.Start == first || c.Start+c.Duration == last {
			continue
		}
		amplitudes = append(amplitudes, onGrid(c.Amplitude, degreeQuantum))
		a, _ := s.At(c.X0, c.Y0)
		b, _ := s.At(c.X1, c.Y1)
		x0, y0 := s.Degrees(a)
		x1, y1 := s.Degrees(b)
		x0, y0, x1, y1 = onGrid(x0, degreeQuantum), onGrid(y0, degreeQuantum), onGrid(x1, degreeQuantum), onGrid(y1, degreeQuantum)
		across := x1 - x0
		if s.AllAround() {
			across = math.Remainder(across, 360) * math.Cos((y0+y1)/2*math.Pi/180)
		}
		if across == 0 {
			across = 0 // not -0, whose direction is the opposite one
		}
		if across > 0 {
			right++
		} else if across < 0 {
			left++
		}
		turn := math.Atan2(y1-y0, across) / (2 * math.Pi)
		if c.Amplitude >= o.SmallSaccade {
			large++
			n := o.Alphabet.Letters() - 8
			letters = append(letters, 8+((int(math.Round(turn*float64(n)))+n)%n))
		} else {
			letters = append(letters, (int(math.Round(turn*8))+8)%8)
		}
	}
	n := len(amplitudes)
	v[1], v[2], v[3] = float64(n)/seconds, float64(n-large)/seconds, float64(large)/seconds
	v[4], v[5] = float64(right)/seconds, float64(left)/seconds
	v[7], v[8], v[9], v[10] = over(n-large, n), over(large, n), over(right, n), over(left, n)
	v[11], v[12], v[13] = meanOf(amplitudes), varianceOf(amplitudes), maxOf(amplitudes)
	wordFeatures(letters, o.Alphabet.Letters(), v)
	return n
}

func ends(s *detect.Sight, r *gaze.Recording) (first, last time.Duration) {
	track, _, ok := r.Best()
	seen := false
	for i, t := range r.Samples.T {
		if !ok {
			break
		}
		if _, valid := s.At(track.X[i], track.Y[i]); valid {
			if !seen {
				first, seen = t, true
			}
			last = t
		}
	}
	return first, last
}

// wordFeatures counts every possible word, those that never occur too.
func wordFeatures(letters []int, base int, v *[feature.Count]float64) {
	all := 1.0
	for length := 1; length <= 4; length++ {
		all *= float64(base)
		counts, total := map[string]float64{}, 0.0
		for i := 0; i+length <= len(letters); i++ {
			counts[fmt.Sprint(letters[i:i+length])]++
			total++
		}
		var most, squares float64
		mean := total / all
		for _, c := range counts {
			most = math.Max(most, c)
			squares += (c - mean) * (c - mean)
		}
		at, never := 28+(length-1)*6, all-float64(len(counts))
		v[at], v[at+1], v[at+2], v[at+3] = float64(len(counts)), most, 0, most
		v[at+4], v[at+5] = mean, (squares+never*mean*mean)/all
	}
}
