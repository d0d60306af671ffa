package synth

import (
	"errors"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Sample is one gaze point. NaN is a lost one.
type Sample struct {
	T    time.Duration
	X, Y float64
}

// windows cuts a recording into windows of time from its first sample on. A
// sample whose time stamp runs back counts to the window at hand, so that no
// window is ever seen twice; windows without a sample are none.
type windows struct {
	length time.Duration
	first  time.Duration
	begun  bool
	at     uint64
}

// index is the window of the next sample. Calls go forward in the recording.
func (w *windows) index(t time.Duration) uint64 {
	if !w.begun {
		w.first, w.begun, w.at = t, true, 0
	}
	if t > w.first { // the difference of two int64 fits a uint64
		w.at = max(w.at, (uint64(t)-uint64(w.first))/uint64(w.length))
	}
	return w.at
}

// span is a window as samples from..to of a recording.
type span struct{ from, to int }

// spans cuts time stamps into windows.
func spans(t []time.Duration, length time.Duration) []span {
	var out []span
	w, last := windows{length: length}, uint64(math.MaxUint64)
	for i, at := range t {
		if k := w.index(at); k != last {
			out, last = append(out, span{i, i}), k
		}
		out[len(out)-1].to = i + 1
	}
	return out
}

var errColumns = errors.New("synth: columns of samples have different lengths")

// track is the eye of a recording that is used; empty when it has none.
func track(r *gaze.Recording) (x, y []float64, eye gaze.Eye, err error) {
	t, eye, ok := r.Best()
	if !ok {
		return nil, nil, eye, nil
	}
	if n := r.Samples.Len(); len(t.X) != n || len(t.Y) != n {
		return nil, nil, eye, errColumns
	}
	return t.X, t.Y, eye, nil
}
