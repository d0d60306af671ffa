package stream

import (
	"errors"
	"iter"
	"math"
	"sync"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Sample is one gaze point. NaN is a lost one.
type Sample struct {
	T    time.Duration
	X, Y float64
}

// rule is a mechanism with everything public resolved: when to look, whether to
// test, what to publish.
type rule struct {
	surface  Surface
	smooth   Smooth
	geometry geometry
	radius   float64
	grid     float64       // of what is handed out
	budget   float64       // ε of all publications of a closed window
	window   time.Duration // that the ledger remembers
	open     bool          // the ledger's window is half open: as printed
	room     int           // publications that a closed window can hold
	skip     time.Duration // at least this long from a look to the next
	pace     time.Duration // at least this long from a publication to the next look
	share    int64         // of a publication, in the ledger's units; 0 = half of what is left
	floor    int64         // what is less is not worth a publication
	near     *test         // nil: nothing is tested
}

// test is a noisy comparison of a distance with a threshold.
type test struct {
	table     *noise.Sampler // nil: continuous noise, as printed
	steps     float64        // per radius
	threshold float64        // steps
	scale     float64        // of continuous noise, radii
}

// testTable is the scale of the one table that the noise of all tests comes from.
const testTable = 1 << 26

var testNoise = sync.OnceValues(func() (*noise.Sampler, error) { return noise.NewLaplace(testTable) })

// passes reports whether a distance in radii is, with noise, within the
// threshold.
func (n *test) passes(distance float64, src *noise.Source) bool {
	if n.table == nil {
		z := src.ExpFloat64()
		if src.Uint64()&1 == 1 {
			z = -z
		}
		return distance <= n.threshold/n.steps+n.scale*z
	}
	return math.Floor(distance*n.steps)+float64(n.table.Draw(src)) <= n.threshold
}

// Stream is the state of one recording: samples go in and come out one by one. It
// is not safe for concurrent use.
type Stream struct {
	rule     *rule
	src      *noise.Source
	ledger   ledger
	due      time.Duration // before it nothing is looked at
	begun    bool
	said     point // published last
	smoother smoother
}

var errSource = errors.New("stream: a source of noise is required")

func (r *rule) stream(src *noise.Source) (*Stream, error) {
	if src == nil {
		return nil, errSource
	}
	s := &Stream{rule: r, src: src, ledger: newLedger(r.window, r.room, r.open)}
	s.Reset()
	return s, nil
}

// Reset begins a new recording: nothing is remembered of the one before, of its
// spending neither. A window of time that lies in both costs ε in each.
func (s *Stream) Reset() {
	s.ledger.reset()
	s.due, s.begun = math.MinInt64, false
	s.said = nowhere
	p, _ := s.rule.surface.prior()
	s.smoother.reset(p)
}

// Next takes a sample and returns what may be handed out in its place: what was
// published last, unless it is time for something new, smoothed if so asked.
// Before the first sample that is not lost this is NaN.
//
// A sample whose time stamp does not come a skip after the last look, one that
// repeats or runs back in particular, is answered without being looked at, and so
// is a lost one. Next allocates nothing and never fails.
func (s *Stream) Next(t time.Duration, x, y float64) (float64, float64) {
	if t >= s.due && t < never && !gaze.Lost(x, y) {
		s.look(t, point{x, y})
	}
	out := s.said
	if s.rule.smooth != (Smooth{}) {
		out = s.smoother.at(s.rule, t)
	}
	return out.x, out.y
}

// never is when nothing is looked at: there is no time after it.
const never time.Duration = math.MaxInt64

// look tests and publishes, where the budget allows it. A look that cannot be
// paid for is none: nothing is drawn, and the next sample is looked at.
func (s *Stream) look(t time.Duration, p point) {
	r := s.rule
	units := r.worth(s.ledger.left(t))
	if units == 0 || s.ledger.full() {
		return
	}
	s.due = after(t, r.skip)
	if s.begun && r.near != nil && r.near.passes(r.geometry.distance(p, s.said), s.src) {
		return
	}
	s.ledger.add(t, units)
	s.due, s.begun = after(t, max(r.skip, r.pace)), true
	s.publish(t, p, r.epsilon(units))
}

func (s *Stream) publish(t time.Duration, p point, epsilon float64) {
	r := s.rule
	s.said = r.surface.tidy(r.geometry.move(s.src, p, epsilon), r.grid)
	if r.smooth != (Smooth{}) {
		scale := r.radius / epsilon
		s.smoother.observe(r, t, s.said, 3*scale*scale)
	}
}

// worth is what a publication may spend of what is left: a fixed share, else half
// of it; 0 = nothing.
func (r *rule) worth(left int64) int64 {
	units := r.share
	if units == 0 {
		units = left / 2
	}
	if units > left || units < r.floor {
		return 0
	}
	return units
}

// epsilon of a spend, rounded down.
func (r *rule) epsilon(units int64) float64 {
	return dp.RoundDown(r.budget * float64(units) / float64(whole))
}

// All passes samples through the stream.
func (s *Stream) All(samples iter.Seq[Sample]) iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		for in := range samples {
			out := Sample{T: in.T}
			out.X, out.Y = s.Next(in.T, in.X, in.Y)
			if !yield(out) {
				return
			}
		}
	}
}
