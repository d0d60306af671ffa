package detect

import (
	"fmt"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Sink receives events as they end, in order of time. A nil function does not
// want them. What it is given refers to no buffer and may be kept.
type Sink struct {
	Fixation func(gaze.Fixation)
	Saccade  func(gaze.Saccade)
}

// Detector finds events in samples: [IVT] or [IDT].
type Detector interface {
	// Stream returns a state to be fed with pieces; it refuses bad parameters.
	Stream(Sink) (*Stream, error)
}

// algorithm is what differs between detectors. It sees valid samples at
// strictly increasing times without long gaps; flush ends such a stretch.
type algorithm interface {
	begin(m measure, eye gaze.Eye)
	push(n node)
	flush()
}

// Stream detects events in recordings that come in pieces, in memory bounded by
// a window of time. Samples whose time repeats or runs back a little are left
// out; a time that jumps back, a new recording, or a loss longer than the
// detector's MaxGap end what is going on.
type Stream struct {
	algorithm      algorithm
	pixelsPerDeg   float64
	maxGap         time.Duration
	measure        measure
	eye            gaze.Eye
	begun, reached bool // a recording has begun; a valid sample was seen since the last flush
	last           time.Duration

	Repeated int // samples left out because their time was not after the one before
}

// Add takes a recording or the next piece of one. It refuses, before any event,
// a recording whose positions cannot be turned into degrees; one without
// positions has no events.
func (s *Stream) Add(piece *gaze.Recording) error {
	_, eye, ok := piece.Best()
	if !piece.Continues || !s.begun {
		s.Flush()
		if !ok {
			return nil
		}
		m, err := newMeasure(&piece.Header, s.pixelsPerDeg)
		if err != nil {
			return err
		}
		s.measure, s.eye, s.begun = m, eye, true
		s.algorithm.begin(m, eye)
	}
	track := &piece.Samples.Tracks[s.eye]
	if !track.Present() {
		return nil
	}
	n := piece.Samples.Len()
	if len(track.X) != n || len(track.Y) != n || track.Pupil != nil && len(track.Pupil) != n {
		return fmt.Errorf("detect: columns of %d, %d and %d samples do not belong together", n, len(track.X), len(track.Y))
	}
	for i, t := range piece.Samples.T {
		var pupil float64
		if track.Pupil != nil {
			pupil = track.Pupil[i]
		}
		s.sample(t, track.X[i], track.Y[i], pupil)
	}
	return nil
}

func (s *Stream) sample(t time.Duration, x, y, pupil float64) {
	at, ok := s.measure.at(x, y)
	if !ok {
		return
	}
	if s.reached {
		switch dt := t - s.last; {
		case dt > s.maxGap || dt < -s.maxGap:
			s.algorithm.flush()
		case dt <= 0:
			s.Repeated++
			return
		}
	}
	s.last, s.reached = t, true
	s.algorithm.push(node{t, x, y, pupil, at})
}

// Flush ends the recording: pending events go to the sink.
func (s *Stream) Flush() {
	if s.begun {
		s.algorithm.flush()
	}
	s.begun, s.reached = false, false
}

// fixations runs a detector over one recording.
func fixations(d Detector, rec *gaze.Recording) ([]gaze.Fixation, error) {
	var out []gaze.Fixation
	s, err := d.Stream(Sink{Fixation: func(f gaze.Fixation) { out = append(out, f) }})
	if err != nil {
		return nil, err
	}
	if err := s.Add(rec); err != nil {
		return nil, err
	}
	s.Flush()
	return out, nil
}
