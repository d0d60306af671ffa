package anonymity

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// EventSynthPD releases synthetic events that K−1 other people could have led
// to: (k, γ)-plausible deniability (Bindschaedler, Shokri and Gunter 2017;
// David-John et al. 2023). An event y is drawn around a person's event with
// probability density p; it is released only if at least K−1 other people who
// saw the same stimulus have an event around which the density of y falls into
// the same bucket ⌊−log_γ p⌋. Events that fail Attempts times are left out.
type EventSynthPD struct {
	K         int     // required; 2 to 8 in the papers
	Gamma     float64 // γ > 1: the ratio of densities that a bucket spans; required
	Bandwidth float64 // standard deviation of what is drawn, in standard deviations of the events; default 1
	Attempts  int     // default 20
	Detection
}

const whyDeniable = "plausible deniability is not differential privacy: whether an event is released depends on the data, without noise: one person less, and what was released cannot be"

// Statement implements [Mechanism].
func (m EventSynthPD) Statement() Statement {
	return Statement{Kind: "plausible deniability", K: m.K, Gamma: m.Gamma, Among: "the people who saw the same stimulus, event by event"}
}

func (m *EventSynthPD) defaults() {
	if m.Bandwidth == 0 {
		m.Bandwidth = 1
	}
	if m.Attempts == 0 {
		m.Attempts = 20
	}
}

// Check reports parameters that make no mechanism.
func (m EventSynthPD) Check() error {
	m.defaults()
	switch {
	case !(m.Gamma > 1) || m.Gamma > 1e12:
		return fmt.Errorf("anonymity: gamma must lie above 1 (a bucket would be empty) and not above 1e12, got %v", m.Gamma)
	case !(m.Bandwidth >= 1e-6) || m.Bandwidth > 1e3:
		return fmt.Errorf("anonymity: bandwidth must lie in 1e-6 to 1000, got %v", m.Bandwidth)
	case m.Attempts < 1 || m.Attempts > 1e6:
		return fmt.Errorf("anonymity: attempts must lie in 1 to 1000000, got %d", m.Attempts)
	}
	return errors.Join(checkK(m.K), m.check())
}

// Guarantee is void: nothing is promised.
func (m EventSynthPD) Guarantee() dp.Guarantee { return none(whyDeniable) }

// Plan implements [mechanism.Mechanism].
func (m EventSynthPD) Plan() mechanism.Plan {
	m.defaults()
	return planOf(m, "gaze/event-synth-pd", m.parameters(map[string]string{
		"k": strconv.Itoa(m.K), "gamma": format(m.Gamma), "bandwidth": format(m.Bandwidth), "attempts": strconv.Itoa(m.Attempts),
	}))
}

// Protect implements [mechanism.Paths].
func (m EventSynthPD) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	m.defaults()
	all, err := collect(pieces)
	if err != nil {
		return nil, err
	}
	var paths []path
	tried, passed := 0, 0
	for _, set := range sets(all) {
		c, err := m.crowdOf(set)
		if err != nil {
			return nil, err
		}
		for i := range set {
			made := m.synthesise(c, i, src)
			tried, passed = tried+len(c.events[i]), passed+len(made)
			if len(made) > 0 {
				paths = append(paths, path{set[i].Header, render(made, c.surface, set[i].period, src), set[i].period})
			}
		}
	}
	if passed == 0 {
		return nil, errors.New("anonymity: no event could be released: k is too large, or gamma or bandwidth too small, for these recordings")
	}
	r := release(m.Plan(), src, paths, true)
	if 2*passed < tried {
		r.Warnings = append(r.Warnings, errors.New("anonymity: more than half of the events could not be released"))
	}
	return r, nil
}

// dimensions of a fixation's and of a move's parameters.
const fixationDims, moveDims = 5, 3

// vector of an event's fixation (duration, position, deviations) or move
// (duration, place and width of the peak of velocity); what is positive as its
// logarithm.
type vector [fixationDims]float64

const leastDeviation = 1e-9 // of a position; 0 has no logarithm

func (e *event) fixation() vector {
	return vector{math.Log(e.seconds), e.x, e.y, math.Log(math.Max(e.dx, leastDeviation)), math.Log(math.Max(e.dy, leastDeviation))}
}

func (m move) vector() vector { return vector{math.Log(m.seconds), m.b, math.Log(m.c)} }

// crowd is the people who saw a stimulus, with the scale of their events.
type crowd struct {
	surface   surface
	events    [][]event // by recording; each person has at most one
	fixations kernel
	moves     kernel
}

// kernel draws around vectors, and knows how likely a draw was: a normal
// deviate in each coordinate that varies.
type kernel struct {
	dims    int
	scale   vector // 0 = the coordinate does not vary
	surface surface
	around  [][]vector // by recording
}

func (m *EventSynthPD) crowdOf(set []record) (*crowd, error) {
	if err := alike(set); err != nil {
		return nil, err
	}
	if len(set) < m.K {
		return nil, errSmallSet
	}
	s := surfaceOf(&set[0].Header)
	c := &crowd{surface: s, fixations: kernel{dims: fixationDims, surface: s}, moves: kernel{dims: moveDims}}
	some := 0
	for i := range set {
		e, err := events(&set[i], m.Detection)
		if err != nil {
			return nil, fmt.Errorf("anonymity: events: %w", err)
		}
		some += len(e)
		var f, v []vector
		for j := range e {
			f = append(f, e[j].fixation())
			if e[j].move.seen() {
				v = append(v, e[j].move.vector())
			}
		}
		c.events, c.fixations.around, c.moves.around = append(c.events, e), append(c.fixations.around, f), append(c.moves.around, v)
	}
	if some == 0 {
		return nil, errNoEvents
	}
	c.fixations.measure(m.Bandwidth)
	c.moves.measure(m.Bandwidth)
	return c, nil
}

// measure sets the scale to the bandwidth times the deviation of the events.
func (k *kernel) measure(bandwidth float64) {
	for d := range k.dims {
		sum, square, n := 0.0, 0.0, 0.0
		first, some := 0.0, false
		for _, person := range k.around {
			for _, v := range person {
				if !some {
					first, some = v[d], true
				}
				x := v[d] - first
				if d == 1 && k.surface.sphere {
					x = gaze.WrapDegrees(x)
				}
				sum, square, n = sum+x, square+x*x, n+1
			}
		}
		if variance := square/n - sum/n*sum/n; variance > 0 {
			k.scale[d] = bandwidth * math.Sqrt(variance)
		}
	}
}

func (k *kernel) draw(v vector, src *noise.Source) vector {
	for d := range k.dims {
		v[d] += k.scale[d] * src.NormFloat64()
	}
	return v
}

// surprise is −ln of the density of y drawn around v, in units of the scale.
func (k *kernel) surprise(y, v vector) float64 {
	s := 0.0
	for d := range k.dims {
		if k.scale[d] == 0 {
			continue
		}
		x := y[d] - v[d]
		if d == 1 && k.surface.sphere {
			x = gaze.WrapDegrees(x)
		}
		s += x * x / (2 * k.scale[d] * k.scale[d])
	}
	return s
}

func bucket(surprise, gamma float64) float64 { return math.Floor(surprise / math.Log(gamma)) }

// deniable reports whether k−1 people other than the one have a vector around
// which y is as likely, to the bucket, as around its origin.
func (k *kernel) deniable(y, origin vector, one int, m *EventSynthPD) bool {
	want, others := bucket(k.surprise(y, origin), m.Gamma), 0
	for i, person := range k.around {
		if others >= m.K-1 {
			break
		}
		if i == one {
			continue
		}
		for _, v := range person {
			if bucket(k.surprise(y, v), m.Gamma) == want {
				others++
				break
			}
		}
	}
	return others >= m.K-1
}

// attempt draws around a vector until a draw passes the test.
func (k *kernel) attempt(origin vector, one int, m *EventSynthPD, src *noise.Source) (vector, bool) {
	for range m.Attempts {
		if y := k.draw(origin, src); k.deniable(y, origin, one, m) {
			return y, true
		}
	}
	return vector{}, false
}

// Limits of what is drawn, so that a long tail makes no endless release.
const shortestEvent, longestFixation, longestMove = 0.001, 60, 1

// synthesise draws one person's events anew; those that fail are left out, and
// a move that fails is shown as the usual one.
func (m *EventSynthPD) synthesise(c *crowd, one int, src *noise.Source) []event {
	var out []event
	limit := func(v, most float64) float64 { return math.Min(most, math.Max(shortestEvent, math.Exp(v))) }
	for i := range c.events[one] {
		e := &c.events[one][i]
		f, ok := c.fixations.attempt(e.fixation(), one, m, src)
		if !ok {
			continue
		}
		made := event{seconds: limit(f[0], longestFixation), dx: math.Exp(f[3]), dy: math.Exp(f[4])}
		made.x, made.y = c.surface.place(f[1], f[2], 0, 0)
		if e.move.seen() {
			if v, ok := c.moves.attempt(e.move.vector(), one, m, src); ok {
				made.move = move{seconds: limit(v[0], longestMove), a: e.move.a, b: math.Min(1, math.Max(0, v[1])), c: math.Min(flattest, math.Max(narrowest, math.Exp(v[2])))}
			}
		}
		out = append(out, made)
	}
	return out
}
