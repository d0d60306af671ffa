package stream

import (
	"fmt"
	"math"
	"time"
)

// Smooth is what happens to positions after they were published, so that people
// who look at them see no jitter: causal, and free, since it knows nothing but
// what was published and public numbers.
type Smooth struct {
	// Filter weighs every publication by its known noise against where gaze was
	// said to be before: the Kalman filter of gaze that wanders about the centre
	// of the screen, or of the sphere around where it was.
	Filter bool
	// Glide is the time constant with which the output moves to a new position;
	// 0 = at once.
	Glide time.Duration
}

// What is supposed of gaze, from public recordings of reading and free viewing:
// its standard deviation along one axis and how long it remembers where it was.
const (
	spreadOnScreen = 0.3  // of the screen's smaller side
	spreadOnSphere = 20.0 // deg
	memory         = 1.5  // s
	maxGlide       = 10 * time.Second
)

// prior is gaze as the filter supposes it.
type prior struct {
	middle point   // where it wanders about
	spread float64 // standard deviation of one coordinate
	pulled bool    // it comes back to the middle
}

// prior is none where the screen is not known.
func (s *Surface) prior() (prior, bool) {
	if s.Sphere {
		return prior{spread: spreadOnSphere}, true
	}
	return prior{point{s.Width / 2, s.Height / 2}, spreadOnScreen * min(s.Width, s.Height), true}, s.Width > 0
}

func (m *Smooth) check(s *Surface) error {
	if m.Glide < 0 || m.Glide > maxGlide {
		return fmt.Errorf("stream: glide must lie between 0 and %v, got %v", maxGlide, m.Glide)
	}
	if _, known := s.prior(); m.Filter && !known {
		return fmt.Errorf("stream: smoothing by a filter needs the screen's width and height")
	}
	return nil
}

// smoother is the state behind a stream's output.
type smoother struct {
	prior    prior
	belief   point   // where gaze is
	variance float64 // of that belief, one coordinate
	seen     time.Duration
	out      point // on its way to belief
	last     time.Duration
	begun    bool
}

// remembered is e^(−Δt/memory).
func remembered(from, to time.Duration) float64 {
	return math.Exp(-max(0, float64(to)-float64(from)) / (memory * float64(time.Second)))
}

// observe takes a publication with its noise's variance along one coordinate.
func (s *smoother) observe(r *rule, t time.Duration, p point, variance float64) {
	if !r.smooth.Filter {
		s.belief = p
		return
	}
	s.wait(t, p, variance)
	gain := s.variance / (s.variance + variance)
	s.belief = r.geometry.between(s.belief, p, gain)
	s.variance *= 1 - gain
	s.seen, s.begun = t, true
}

// wait lets gaze wander until t; before the first publication p it may be
// anywhere.
func (s *smoother) wait(t time.Duration, p point, variance float64) {
	all := s.prior.spread * s.prior.spread
	switch a := remembered(s.seen, t); {
	case !s.begun && s.prior.pulled:
		s.belief, s.variance = s.prior.middle, all
	case !s.begun:
		s.belief, s.variance = p, variance
	case s.prior.pulled:
		s.belief = straight(s.prior.middle, s.belief, a)
		s.variance = a*a*s.variance + (1-a*a)*all
	default:
		s.variance += 2 * (1 - a) * all
	}
}

// at is the output at t.
func (s *smoother) at(r *rule, t time.Duration) point {
	if r.smooth.Glide == 0 || math.IsNaN(s.out.x) {
		s.out = s.belief
	} else if passed := float64(t) - float64(s.last); passed > 0 {
		s.out = r.geometry.between(s.out, s.belief, -math.Expm1(-passed/float64(r.smooth.Glide)))
	}
	s.last = max(s.last, t)
	return r.surface.tidy(s.out, r.grid)
}

func (s *smoother) reset(p prior) {
	*s = smoother{prior: p, belief: nowhere, out: nowhere, last: math.MinInt64}
}
