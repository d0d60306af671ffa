package series

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
)

// Signals is one recording: its feature signals over its windows.
type Signals struct {
	Subject   string      // whose recordings they are
	Session   string      // tables of one session are one recording as a unit of privacy; empty = those of one Recording
	Recording string      // names the table among those of the subject
	Condition string      // what it is of; people are compared and averaged within a condition
	Values    [][]float64 // signal by signal, all of one length; NaN = no value
	At        []int       // window of each value, where windows were left out; nil = none was
}

// owner names the unit that a table belongs to, for units of whole tables.
func (s *Signals) owner(u dp.Unit) string {
	switch {
	case u != dp.Recording:
		return s.Subject
	case s.Session != "":
		return s.Subject + "\x00session\x00" + s.Session
	}
	return s.Subject + "\x00table\x00" + s.Recording
}

// Windows is the number of values of each signal.
func (s *Signals) Windows() int {
	if len(s.Values) == 0 {
		return 0
	}
	return len(s.Values[0])
}

// Bounds are the public smallest and largest value of a signal. Values outside
// count as the bound.
type Bounds struct{ Lo, Hi float64 }

// span and mid turn values into shares of the range, −½ to ½.
func (b Bounds) span() float64 { return b.Hi - b.Lo }
func (b Bounds) mid() float64  { return b.Lo + (b.Hi-b.Lo)/2 }

func (b Bounds) check() error {
	if !(b.Lo < b.Hi) || !(b.span() >= 1e-150 && b.span() <= 1e150) || math.IsInf(b.Lo, 0) {
		return fmt.Errorf("series: the lower bound must be below the upper bound, both finite, got lower %v and upper %v", b.Lo, b.Hi)
	}
	return nil
}

// Gaps says what is done where a signal has no value.
type Gaps uint8

// Rules for missing values. Interpolation is linear between the values of the
// same chunk, so that no chunk depends on another; at its ends the nearest
// value is held, and a chunk without any value lies in the middle of its
// bounds.
const (
	RefuseGaps Gaps = iota
	Interpolate
)

var gapNames = []string{"refuse", "interpolate"}

func (g Gaps) String() string { return gapNames[g] }

// ErrGap is returned for missing values where none are allowed.
var ErrGap = errors.New("series: a signal has windows without a value: interpolate them, or leave out the recording or the signal")

// Seen counts what was odd about signals. It is private: for the curator's
// eyes, and never to stand beside a release.
type Seen struct {
	Values  int // in all
	Outside int // outside their bounds, clamped
	Missing int // no number
}

// Look counts what a release under these bounds would clamp or fill in.
func Look(recordings []Signals, bounds []Bounds) Seen {
	var s Seen
	for i := range recordings {
		for f, signal := range recordings[i].Values {
			b := boundsOf(bounds, f)
			s.Values += len(signal)
			for _, v := range signal {
				switch {
				case math.IsNaN(v):
					s.Missing++
				case v < b.Lo || v > b.Hi:
					s.Outside++
				}
			}
		}
	}
	return s
}

// boundsOf a signal: its own, or those of all.
func boundsOf(bounds []Bounds, signal int) Bounds {
	switch {
	case len(bounds) == 1:
		return bounds[0]
	case signal < len(bounds):
		return bounds[signal]
	}
	return Bounds{math.Inf(-1), math.Inf(1)}
}

// fill writes a chunk with its gaps closed; empty stands for a chunk without
// any value. It reports whether there was a gap.
func fill(dst, x []float64, empty float64) (gaps bool) {
	last := -1 // of the values there are
	for t, v := range x {
		dst[t] = v
		if math.IsNaN(v) {
			gaps = true
			continue
		}
		for g := last + 1; g < t; g++ {
			if last < 0 {
				dst[g] = v
				continue
			}
			share := float64(g-last) / float64(t-last)
			dst[g] = x[last]*(1-share) + v*share
		}
		last = t
	}
	for g := last + 1; g < len(x); g++ {
		dst[g] = empty
		if last >= 0 {
			dst[g] = x[last]
		}
	}
	return gaps
}

// normalise turns values into shares of the public range around its middle, in
// [−½, ½] whatever they are: 0 for what is no number, such as a gap between
// opposite infinities.
func normalise(x []float64, b Bounds) {
	mid, span := b.mid(), b.span()
	for t, v := range x {
		if x[t] = math.Max(-0.5, math.Min(0.5, (v-mid)/span)); math.IsNaN(x[t]) {
			x[t] = 0
		}
	}
}
