package anonymity

import (
	"math"
	"sort"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// event is a fixation and the way to the next one, as the parameters that are
// shared, averaged or drawn.
type event struct {
	seconds float64
	x, y    float64 // mean position
	dx, dy  float64 // standard deviation of position
	move    move
}

// move is a saccade: its time, and its velocity over the time from 0 to 1 as
// a·exp(−(t−b)²/c), a in positions per second. The zero value stands for one
// that was not seen, for example in a loss.
type move struct{ seconds, a, b, c float64 }

func (m move) seen() bool { return m.c > 0 }

// usual is the move that is shown where none was seen: symmetric, 40 ms.
var usual = move{seconds: 0.04, b: 0.5, c: 0.1}

// events finds a recording's events.
func events(r *record, d Detection) ([]event, error) {
	d.defaults()
	var out []event
	var fixations []gaze.Fixation
	ivt := detect.IVT{Threshold: d.Threshold, MinDuration: d.MinFixation, PixelsPerDegree: d.PixelsPerDegree}
	fixations, err := ivt.Fixations(r.Recording)
	if err != nil {
		return nil, err
	}
	s := surfaceOf(&r.Header)
	for i, f := range fixations {
		e, ok := r.fixation(s, f)
		if !ok {
			continue
		}
		if i+1 < len(fixations) {
			e.move = r.move(s, f.Start+f.Duration, fixations[i+1].Start)
		}
		out = append(out, e)
	}
	return out, nil
}

// within is the range of samples from one time to another, both included.
func (r *record) within(from, to time.Duration) (lo, hi int) {
	t := r.Samples.T
	lo = sort.Search(len(t), func(i int) bool { return t[i] >= from })
	hi = sort.Search(len(t), func(i int) bool { return t[i] > to })
	return lo, max(lo, hi)
}

func (r *record) fixation(s surface, f gaze.Fixation) (event, bool) {
	lo, hi := r.within(f.Start, f.Start+f.Duration)
	e := event{seconds: f.Duration.Seconds()}
	e.x, e.y = s.mean(r.x[lo:hi], r.y[lo:hi])
	n := 0.0
	for i := lo; i < hi; i++ {
		if !gaze.Lost(r.x[i], r.y[i]) {
			dx, dy := s.offset(e.x, e.y, r.x[i], r.y[i])
			e.dx, e.dy, n = e.dx+dx*dx, e.dy+dy*dy, n+1
		}
	}
	e.dx, e.dy = math.Sqrt(e.dx/n), math.Sqrt(e.dy/n)
	return e, e.seconds > 0 && finite(e.x, e.y, e.dx, e.dy)
}

// longest is the time up to which the gap between two fixations is a saccade.
const longest = 150 * time.Millisecond

// move fits the way between two fixations.
func (r *record) move(s surface, from, to time.Duration) move {
	if to-from > longest || to <= from {
		return move{}
	}
	lo, hi := r.within(from, to)
	var at, speed []float64
	for i := lo; i+1 < hi; i++ {
		step := (r.Samples.T[i+1] - r.Samples.T[i]).Seconds()
		v := s.distance(r.x[i], r.y[i], r.x[i+1], r.y[i+1]) / step
		if step > 0 && finite(v) {
			middle := (r.Samples.T[i] - from).Seconds() + step/2
			at, speed = append(at, middle/(to-from).Seconds()), append(speed, v)
		}
	}
	if len(at) < 2 {
		return move{}
	}
	m := profile(resample(at, speed))
	m.seconds = (to - from).Seconds()
	return m
}

// velocityPoints is the number of points of a velocity profile (David-John et
// al. 2023).
const velocityPoints = 30

// resample interpolates speeds at the middles of equal parts of the way.
func resample(at, speed []float64) (v [velocityPoints]float64) {
	j := 0
	for i := range v {
		t := (float64(i) + 0.5) / velocityPoints
		for j+2 < len(at) && at[j+1] < t {
			j++
		}
		f := 0.0
		if w := at[j+1] - at[j]; w > 0 {
			f = math.Min(1, math.Max(0, (t-at[j])/w))
		}
		v[i] = speed[j] + f*(speed[j+1]-speed[j])
	}
	return v
}

// Limits of a profile's shape: the peak lies on the way, and is neither a
// point nor flat.
const narrowest, flattest = 1e-3, 10

// profile fits a·exp(−(t−b)²/c) by least squares: Levenberg's steps from the
// moments of the speeds.
func profile(v [velocityPoints]float64) move {
	p := guess(v)
	if p.a == 0 {
		return move{}
	}
	damping, err := 1e-3, misfit(v, p)
	for range 30 {
		q, ok := step(v, p, damping)
		if !ok {
			break
		}
		if e := misfit(v, q); e < err {
			gain := err - e
			p, err, damping = q, e, damping/4
			if gain < 1e-9*err {
				break
			}
		} else {
			damping *= 8
		}
	}
	return p
}

func guess(v [velocityPoints]float64) (p move) {
	sum := 0.0
	for i, s := range v {
		t := (float64(i) + 0.5) / velocityPoints
		p.a = math.Max(p.a, s)
		p.b, sum = p.b+s*t, sum+s
	}
	if !(sum > 0) {
		return move{}
	}
	p.b /= sum
	for i, s := range v {
		t := (float64(i)+0.5)/velocityPoints - p.b
		p.c += 2 * s * t * t / sum
	}
	p.c = math.Min(flattest, math.Max(narrowest, p.c))
	return p
}

func misfit(v [velocityPoints]float64, p move) (e float64) {
	for i, s := range v {
		t := (float64(i)+0.5)/velocityPoints - p.b
		d := s - p.a*math.Exp(-t*t/p.c)
		e += d * d
	}
	return e
}

// step solves the damped normal equations of the three parameters.
func step(v [velocityPoints]float64, p move, damping float64) (move, bool) {
	var m [3][4]float64
	for i, s := range v {
		t := (float64(i)+0.5)/velocityPoints - p.b
		g := math.Exp(-t * t / p.c)
		slope := [3]float64{g, p.a * g * 2 * t / p.c, p.a * g * t * t / (p.c * p.c)}
		for j := range 3 {
			for k := range 3 {
				m[j][k] += slope[j] * slope[k]
			}
			m[j][3] += slope[j] * (s - p.a*g)
		}
	}
	for j := range 3 {
		m[j][j] *= 1 + damping
	}
	d, ok := cramer(m)
	if !ok {
		return p, false
	}
	p.a, p.b, p.c = p.a+d[0], p.b+d[1], p.c+d[2]
	p.a = math.Max(p.a, 0)
	p.b = math.Min(1, math.Max(0, p.b))
	p.c = math.Min(flattest, math.Max(narrowest, p.c))
	return p, true
}

// cramer solves three equations whose right sides are the last column.
func cramer(m [3][4]float64) (x [3]float64, ok bool) {
	det := func(a, b, c int) float64 {
		return m[0][a]*(m[1][b]*m[2][c]-m[1][c]*m[2][b]) -
			m[0][b]*(m[1][a]*m[2][c]-m[1][c]*m[2][a]) +
			m[0][c]*(m[1][a]*m[2][b]-m[1][b]*m[2][a])
	}
	d := det(0, 1, 2)
	x = [3]float64{det(3, 1, 2) / d, det(0, 3, 2) / d, det(0, 1, 3) / d}
	return x, d != 0 && finite(x[:]...)
}
