package detect

import (
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Blinks finds closed eyes: stretches in which the position is lost, or the
// pupil where the recording has one (NaN, zero or negative), or in which there
// are no samples at all for at least three sampling periods, that are as long as
// a blink. Shorter ones are tracker losses, longer ones somebody who looked
// away. A blink lasts from its first lost sample (without any: the last good
// one) to the next good one. Stretches at the beginning or end of a recording
// have unknown lengths and are no blinks.
type Blinks struct {
	MinDuration time.Duration // default 50 ms
	MaxDuration time.Duration // default 500 ms
}

// Detect finds the blinks of a recording.
func (b Blinks) Detect(rec *gaze.Recording) ([]gaze.Blink, error) {
	var out []gaze.Blink
	s, err := b.Stream(func(k gaze.Blink) { out = append(out, k) })
	if err != nil {
		return nil, err
	}
	s.Add(rec)
	return out, nil
}

// Stream returns a state to be fed with pieces of recordings; found receives
// every blink as it ends.
func (b Blinks) Stream(found func(gaze.Blink)) (*BlinkStream, error) {
	if b.MinDuration == 0 {
		b.MinDuration = 50 * time.Millisecond
	}
	if b.MaxDuration == 0 {
		b.MaxDuration = 500 * time.Millisecond
	}
	if b.MinDuration < 0 || b.MaxDuration < b.MinDuration {
		return nil, fmt.Errorf("detect: blinks must last from 0 up to a longer time, got %v to %v", b.MinDuration, b.MaxDuration)
	}
	return &BlinkStream{settings: b, found: found}, nil
}

// BlinkStream finds blinks in pieces of recordings.
type BlinkStream struct {
	settings Blinks
	found    func(gaze.Blink)
	open     bool // an open eye was seen
	shut     bool
	since    time.Duration // first shut sample, or the last open one
	period   time.Duration // between samples: as stated, else the last step
	stated   bool
	eye      gaze.Eye
}

// Add takes a recording or the next piece of one. Recordings without positions
// are searched by their pupils, of the first eye that has one.
func (s *BlinkStream) Add(piece *gaze.Recording) {
	if !piece.Continues {
		s.open, s.shut, s.period, s.stated = false, false, 0, false
		if piece.Rate > 0 {
			s.period, s.stated = time.Duration(float64(time.Second)/float64(piece.Rate)), true
		}
	}
	track, eye, ok := piece.Best()
	if !ok {
		if track, eye, ok = pupilOnly(piece); !ok {
			return
		}
	}
	s.eye = eye
	for i, t := range piece.Samples.T {
		s.sample(t, closed(track, i))
	}
}

func (s *BlinkStream) sample(t time.Duration, shut bool) {
	switch {
	case shut && s.open && !s.shut:
		s.shut, s.since = true, t
	case !shut:
		d := t - s.since
		gap := s.shut || s.period > 0 && d >= 3*s.period
		if s.open && gap && d >= s.settings.MinDuration && d <= s.settings.MaxDuration {
			s.found(gaze.Blink{Eye: s.eye, Start: s.since, Duration: d})
		} else if s.open && !s.shut && !s.stated && d > 0 {
			s.period = d
		}
		s.open, s.shut, s.since = true, false, t
	}
}

func pupilOnly(piece *gaze.Recording) (*gaze.Track, gaze.Eye, bool) {
	for _, e := range [...]gaze.Eye{gaze.Cyclopean, gaze.Right, gaze.Left} {
		if t := &piece.Samples.Tracks[e]; t.Pupil != nil {
			return t, e, true
		}
	}
	return nil, gaze.Cyclopean, false
}

func closed(t *gaze.Track, i int) bool {
	if t.X != nil && (i >= len(t.X) || i >= len(t.Y) || gaze.Lost(t.X[i], t.Y[i])) {
		return true
	}
	return t.Pupil != nil && (i >= len(t.Pupil) || !(t.Pupil[i] > 0) || math.IsInf(t.Pupil[i], 0))
}
