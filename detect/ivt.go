package detect

import (
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// IVT is the velocity-threshold identification of Salvucci and Goldberg 2000:
// an interval between two samples is fast or slow; runs of slow intervals are
// fixations, runs of fast ones saccades, so both partition the time. The samples
// at a boundary belong to both.
//
// Velocities are taken over a short window around the interval, since between
// neighbouring samples of a fast tracker noise alone exceeds the threshold
// (Olsen 2012). At rates below 1/Window the window is the interval itself, and
// this is the classical algorithm.
type IVT struct {
	Threshold       float64       // deg/s, required: at or above it is a saccade; 30 is usual
	MinDuration     time.Duration // shortest fixation reported; 0 = every slow run; 60 ms is usual
	MaxGap          time.Duration // loss or gap that ends an event; default 75 ms (Olsen 2012)
	Window          time.Duration // span of a velocity; default 20 ms (Olsen 2012); 1 ns = neighbouring samples
	PixelsPerDegree float64       // default: from the screen's geometry
}

// Standard is the I-VT with the usual settings: 30 deg/s (Olsen 2012), 60 ms,
// gaps of 75 ms, velocities over 20 ms.
func Standard() IVT {
	return IVT{Threshold: 30, MinDuration: 60 * time.Millisecond, MaxGap: defaultMaxGap, Window: defaultWindow}
}

const (
	defaultMaxGap = 75 * time.Millisecond
	defaultWindow = 20 * time.Millisecond
	maxWindow     = time.Second
)

// Validate refuses settings without meaning.
func (d IVT) Validate() error {
	switch {
	case !(d.Threshold > 0) || math.IsInf(d.Threshold, 0):
		return fmt.Errorf("detect: velocity threshold must be positive, got %g deg/s", d.Threshold)
	case d.MinDuration < 0 || d.MaxGap < 0:
		return fmt.Errorf("detect: durations must not be negative, got %v and %v", d.MinDuration, d.MaxGap)
	case d.Window < 0 || d.Window > maxWindow:
		return fmt.Errorf("detect: velocity window must be at most %v, got %v", maxWindow, d.Window)
	}
	return validScale(d.PixelsPerDegree)
}

func validScale(perDegree float64) error {
	if !(perDegree >= 0) || math.IsInf(perDegree, 0) {
		return fmt.Errorf("detect: pixels per degree must be positive, got %g", perDegree)
	}
	return nil
}

// Fixations finds the fixations of a recording.
func (d IVT) Fixations(rec *gaze.Recording) ([]gaze.Fixation, error) { return fixations(d, rec) }

// Saccades finds the saccades of a recording: every run at or above the
// threshold, with the distance from its first to its last sample as amplitude.
func (d IVT) Saccades(rec *gaze.Recording) ([]gaze.Saccade, error) {
	var out []gaze.Saccade
	s, err := d.Stream(Sink{Saccade: func(c gaze.Saccade) { out = append(out, c) }})
	if err != nil {
		return nil, err
	}
	if err := s.Add(rec); err != nil {
		return nil, err
	}
	s.Flush()
	return out, nil
}

// Stream returns a state to be fed with pieces of recordings.
func (d IVT) Stream(sink Sink) (*Stream, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if d.MaxGap == 0 {
		d.MaxGap = defaultMaxGap
	}
	if d.Window == 0 {
		d.Window = defaultWindow
	}
	return &Stream{algorithm: &ivt{settings: d, sink: sink}, pixelsPerDeg: d.PixelsPerDegree, maxGap: d.MaxGap}, nil
}

// ivt classifies intervals once the window around them is known.
type ivt struct {
	settings IVT
	sink     Sink
	measure  measure
	eye      gaze.Eye

	nodes []node // from the first that a window may still need
	next  int    // the interval nodes[next-1]..nodes[next] is the next to be classified
	left  int    // first node of the window around it
	right int    // last known node of the window around it

	open, fast bool
	slow       centroid
	takeoff    node
	peak       float64
}

func (v *ivt) begin(m measure, eye gaze.Eye) {
	v.measure, v.eye = m, eye
	v.flush()
}

// maxNodes bounds the memory of a window at absurd rates, where it is cut.
const maxNodes = 1 << 12

func (v *ivt) push(n node) {
	if len(v.nodes) >= maxNodes {
		v.finish()
		v.left = v.next - 1
	}
	if len(v.nodes) == cap(v.nodes) {
		v.compact()
	}
	v.nodes = append(v.nodes, n)
	v.next = max(v.next, 1)
	for v.next < len(v.nodes) && v.reach() < len(v.nodes)-1 {
		v.classify()
	}
}

// finish classifies what is left with the window cut at the last node.
func (v *ivt) finish() {
	for v.next >= 1 && v.next < len(v.nodes) {
		v.classify()
	}
}

// compact drops nodes that no window needs any more.
func (v *ivt) compact() {
	if drop := min(v.left, v.next-1); drop > 0 {
		kept := copy(v.nodes, v.nodes[drop:])
		v.nodes = v.nodes[:kept]
		v.left, v.next, v.right = v.left-drop, v.next-drop, max(0, v.right-drop)
	}
}

func (v *ivt) flush() {
	v.finish()
	if v.open {
		v.close(&v.nodes[v.next-1])
	}
	v.nodes, v.next, v.left, v.right, v.open = v.nodes[:0], 0, 0, 0, false
}

func (v *ivt) middle(i int) time.Duration { return v.nodes[i-1].t + (v.nodes[i].t-v.nodes[i-1].t)/2 }

// reach moves right to the last known node within half a window after the next
// interval.
func (v *ivt) reach() int {
	until := v.middle(v.next) + v.settings.Window/2
	v.right = max(v.right, v.next)
	for v.right+1 < len(v.nodes) && v.nodes[v.right+1].t <= until {
		v.right++
	}
	return v.right
}

func (v *ivt) classify() {
	i := v.next
	from := v.middle(i) - v.settings.Window/2
	for v.left < i-1 && v.nodes[v.left].t < from {
		v.left++
	}
	fast := v.velocity(v.left, v.reach()) >= v.settings.Threshold
	a, b := &v.nodes[i-1], &v.nodes[i]
	if v.open && fast != v.fast {
		v.close(a)
	}
	if !v.open {
		v.begins(a, fast)
	}
	if fast {
		v.peak = max(v.peak, v.sharp(i))
	} else {
		v.slow.add(b)
	}
	v.next++
}

func (v *ivt) begins(at *node, fast bool) {
	v.open, v.fast, v.peak = true, fast, 0
	v.takeoff = *at
	if !fast {
		v.slow = centroid{}
		v.slow.add(at)
	}
}

// velocity between two nodes, deg/s.
func (v *ivt) velocity(i, j int) float64 {
	a, b := &v.nodes[i], &v.nodes[j]
	return v.measure.angle(a.at, b.at) / (float64(b.t-a.t) * 1e-9)
}

// sharp is the velocity over half the window, for peaks: the whole window
// flattens those of small saccades.
func (v *ivt) sharp(i int) float64 {
	middle, reach := v.middle(i), v.settings.Window/4
	a, b := i-1, i
	for a > 0 && v.nodes[a-1].t >= middle-reach {
		a--
	}
	for b+1 < len(v.nodes) && v.nodes[b+1].t <= middle+reach {
		b++
	}
	return v.velocity(a, b)
}

// close reports the event at hand, which ends with the node last.
func (v *ivt) close(last *node) {
	v.open = false
	if !v.fast {
		if v.sink.Fixation != nil && v.slow.end-v.slow.start >= v.settings.MinDuration {
			v.sink.Fixation(v.slow.fixation(&v.measure, v.eye))
		}
		return
	}
	if v.sink.Saccade != nil {
		v.sink.Saccade(gaze.Saccade{Eye: v.eye, Start: v.takeoff.t, Duration: last.t - v.takeoff.t,
			X0: v.takeoff.x, Y0: v.takeoff.y, X1: last.x, Y1: last.y,
			PeakVelocity: v.peak, Amplitude: v.measure.angle(v.takeoff.at, last.at)})
	}
}
