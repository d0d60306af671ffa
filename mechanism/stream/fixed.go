package stream

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Fixed publishes on a schedule: the first sample that is not lost, and then the
// first at least Every after the one before. Nothing is tested, so all of ε goes
// to the M = ⌊Window/Every⌋+1 publications that a closed window can hold, ε/M to
// each.
type Fixed struct {
	Epsilon float64       // required
	Window  time.Duration // required
	Radius  float64       // in Surface.Unit; required
	Surface Surface
	// Every is the time between publications; default what is expected to be
	// nearest to gaze as the filter of Smooth supposes it.
	Every  time.Duration
	Smooth Smooth
}

// fixed is the mechanism with everything public resolved.
type fixed struct {
	Fixed
	publications int // M
	rule         rule
}

// Check reports parameters that make no mechanism.
func (m Fixed) Check() error { _, err := m.resolve(); return err }

func (m Fixed) resolve() (*fixed, error) {
	if err := checkWindow(m.Epsilon, m.Window); err != nil {
		return nil, err
	}
	if err := m.Surface.resolve(m.Radius); err != nil {
		return nil, err
	}
	if err := m.Smooth.check(&m.Surface); err != nil {
		return nil, err
	}
	if m.Every == 0 {
		m.Every = m.bestEvery()
	}
	switch {
	case m.Every < 0:
		return nil, fmt.Errorf("stream: every must be positive, got %v", m.Every)
	case looks(m.Window, m.Every) > maxLooks:
		return nil, fmt.Errorf("stream: every %v makes more than %d publications in a window of %v", m.Every, maxLooks, m.Window)
	}
	f := &fixed{Fixed: m, publications: looks(m.Window, m.Every)}
	f.rule = rule{
		surface: m.Surface, smooth: m.Smooth, radius: m.Radius, grid: gridOf(m.Radius), skip: m.Every, window: m.Window,
		room: f.publications, budget: dp.RoundDown(m.Epsilon), share: whole / int64(f.publications),
	}
	if err := f.rule.payable(); err != nil {
		return nil, err
	}
	return f, f.rule.drawable()
}

func (m Fixed) prepare() (*fixed, error) {
	f, err := m.resolve()
	if err != nil {
		return nil, err
	}
	f.rule.geometry, err = newGeometry(m.Surface, m.Radius)
	return f, err
}

// Stream is the state for one recording, to be fed sample by sample.
func (m Fixed) Stream(src *noise.Source) (*Stream, error) {
	f, err := m.prepare()
	if err != nil {
		return nil, err
	}
	return f.rule.stream(src)
}

// Guarantee implements [mechanism.Mechanism].
func (m Fixed) Guarantee() dp.Guarantee {
	_ = m.Surface.resolve(m.Radius) // fills in the unit; faults are reported below
	g := guarantee(m.Epsilon, m.Radius, m.Surface)
	f, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Delta = m.Surface.delta(looks(f.Window, f.Every))
	return g
}

// Plan implements [mechanism.Mechanism].
func (m Fixed) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: fixedName, Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	f, err := m.prepare()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	f.rule.fill(&p)
	f.rule.expect(&p)
	p.Parameters["every"] = f.Every.String()
	p.Parameters["publications"] = strconv.Itoa(f.publications)
	return p
}

// Protect implements [mechanism.Paths].
func (m Fixed) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	r, err := m.prepared()
	if err != nil {
		return nil, err
	}
	return r.release(m.Plan(), pieces, src)
}

func (m Fixed) prepared() (*rule, error) {
	f, err := m.prepare()
	if err != nil {
		return nil, err
	}
	return &f.rule, nil
}
