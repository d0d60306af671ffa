package gaze

import (
	"math"
	"time"
)

var nan = math.NaN()

// Hertz is a sampling rate.
type Hertz float64

// Track is one eye's columns, each of the length of Samples.T or nil when the
// file has none. NaN marks a lost sample.
type Track struct {
	X, Y       []float64 // in Recording.Unit
	Pupil      []float64 // in Recording.PupilUnit
	Confidence []float64 // 0..1, as the tracker gives it
}

// Present reports whether the track has positions.
func (t Track) Present() bool { return t.X != nil }

// Label is what a file says of a single sample.
type Label uint8

// Labels of samples.
const (
	Unlabelled Label = iota
	InFixation
	InSaccade
	InPursuit
	InBlink
	InNoise
	InOscillation // post-saccadic oscillation
)

// Signal is a named column beside the positions, for example a pupil or
// eyelid signal of a file without gaze. Its values have the samples' times.
type Signal struct {
	Name   string
	Unit   string // as in the file's header; empty = dimensionless or unknown
	Values []float64
}

// Samples are columns of equal length.
type Samples struct {
	T       []time.Duration // since the start of the recording, as in the file: may repeat
	Tracks  [3]Track        // indexed by Eye
	Labels  []Label         // nil when the file has none
	Signals []Signal
}

// Len is the number of samples.
func (s *Samples) Len() int { return len(s.T) }

// Fixation is a period of stable gaze.
type Fixation struct {
	Eye      Eye
	Start    time.Duration
	Duration time.Duration
	X, Y     float64 // centroid, in Recording.Unit
	Pupil    float64 // mean; NaN = unknown
}

// Saccade is a rapid movement between two fixations.
type Saccade struct {
	Eye            Eye
	Start          time.Duration
	Duration       time.Duration
	X0, Y0, X1, Y1 float64 // in Recording.Unit
	PeakVelocity   float64 // deg/s; NaN = unknown
	Amplitude      float64 // deg; NaN = unknown
}

// Blink is a period of closed eyes.
type Blink struct {
	Eye      Eye
	Start    time.Duration
	Duration time.Duration
}

// Header says who was recorded doing what, and in which unit and geometry.
type Header struct {
	Participant string // as in the file; the curator turns it into a pseudonym
	Session     string
	Task        string
	Trial       string
	Stimulus    string
	Rate        Hertz // nominal, as stated by the file; 0 = not stated
	Unit        Unit
	PupilUnit   PupilUnit
	Frame       Frame
	Screen      Screen
	Format      string // name of the reader
}

// Recording is one trial of one person. Readers stream long recordings in
// pieces: a piece with Continues set goes on with the recording yielded before.
type Recording struct {
	Header
	Samples   Samples
	Fixations []Fixation // as stated by the file, not detected by us; nil = none stated
	Saccades  []Saccade
	Blinks    []Blink
	Continues bool
}

// Eyes lists the eyes that have positions, in the order of the constants.
func (r *Recording) Eyes() []Eye {
	var eyes []Eye
	for e, t := range r.Samples.Tracks {
		if t.Present() {
			eyes = append(eyes, Eye(e))
		}
	}
	return eyes
}

// Best returns the track to use where one is wanted: cyclopean, else right,
// else left; and false when the recording has no positions.
func (r *Recording) Best() (*Track, Eye, bool) {
	for _, e := range [...]Eye{Cyclopean, Right, Left} {
		if t := &r.Samples.Tracks[e]; t.Present() {
			return t, e, true
		}
	}
	return nil, Cyclopean, false
}

// Lost reports whether a position is lost: not two finite numbers.
func Lost(x, y float64) bool {
	return math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0)
}
