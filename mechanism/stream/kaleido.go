package stream

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Kaleido is the stream mechanism of Li, Roy Chowdhury, Fawaz and Kim (USENIX
// Security 2021), (ε, w, r)-differential privacy: whatever moves by at most r
// within any closed window w changes the law of the output by at most e^ε.
//
// The calibration is the corrected one of PROOF.md unless Published is set.
type Kaleido struct {
	Epsilon float64       // required
	Window  time.Duration // w; required
	Radius  float64       // r, in Surface.Unit; required
	Surface Surface
	Skip    time.Duration // t_skip: least time between two tests; default 50 ms
	// TestShare of ε goes to tests, 1/h in the paper; default 0.5.
	TestShare float64
	Threshold float64 // l_thresh, in Surface.Unit; default half the radius
	// Publications per window, of equal ε and evenly paced; 0 = each spends half of
	// what is left, as in the paper.
	Publications int
	Smooth       Smooth
	// Published is the paper's calibration: test noise of scale 1/ε_test, ⌈w/t⌉
	// tests, noise in floating point. Its guarantee is void.
	Published bool
}

// Defaults of the paper.
const (
	DefaultSkip      = 50 * time.Millisecond
	DefaultTestShare = 0.5
)

// largest ε, number of looks in a window, and window.
const (
	maxEpsilon = 200
	maxLooks   = 1 << 20
	maxWindow  = 24 * time.Hour
)

// kaleido is the mechanism with everything public resolved.
type kaleido struct {
	Kaleido
	tests       int     // in a closed window
	testEpsilon float64 // of one test
	rule        rule
}

// Check reports parameters that make no mechanism.
func (m Kaleido) Check() error { _, err := m.resolve(); return err }

func checkWindow(epsilon float64, window time.Duration) error {
	switch {
	case !(epsilon > 0):
		return fmt.Errorf("stream: epsilon must be positive, got %v", epsilon)
	case epsilon > maxEpsilon:
		return fmt.Errorf("stream: epsilon must be at most %d, got %v", maxEpsilon, epsilon)
	case window <= 0 || window > maxWindow:
		return fmt.Errorf("stream: window must be positive and at most %v, got %v", maxWindow, window)
	}
	return nil
}

// looks is how many instants at least skip apart a closed window holds.
func looks(window, skip time.Duration) int { return int(min(window/skip+1, maxLooks+1)) }

func (m Kaleido) resolve() (*kaleido, error) {
	if err := checkWindow(m.Epsilon, m.Window); err != nil {
		return nil, err
	}
	if err := m.Surface.resolve(m.Radius); err != nil {
		return nil, err
	}
	if err := m.defaults(); err != nil {
		return nil, err
	}
	if err := m.Smooth.check(&m.Surface); err != nil {
		return nil, err
	}
	k := &kaleido{Kaleido: m, tests: looks(m.Window, m.Skip)}
	if m.Published {
		k.tests = int((m.Window + m.Skip - 1) / m.Skip)
	}
	k.testEpsilon = dp.RoundDown(m.Epsilon * m.TestShare / float64(k.tests))
	return k, k.calibrate()
}

func (m *Kaleido) defaults() error {
	if m.Skip == 0 {
		m.Skip = DefaultSkip
	}
	if m.TestShare == 0 {
		m.TestShare = DefaultTestShare
	}
	if m.Threshold == 0 {
		m.Threshold = m.Radius / 2
	}
	switch {
	case m.Skip < 0:
		return fmt.Errorf("stream: skip must be positive, got %v", m.Skip)
	case looks(m.Window, m.Skip) > maxLooks:
		return fmt.Errorf("stream: a skip of %v makes more than %d tests in a window of %v", m.Skip, maxLooks, m.Window)
	case !(m.TestShare > 0 && m.TestShare < 1):
		return fmt.Errorf("stream: test share must lie between 0 and 1, got %v", m.TestShare)
	case !(m.Threshold > 0) || math.IsInf(m.Threshold, 0):
		return fmt.Errorf("stream: threshold must be positive, got %v %s", m.Threshold, m.Surface.Unit)
	case m.Publications < 0 || m.Publications > looks(m.Window, m.Skip):
		return fmt.Errorf("stream: publications must lie between 0 and the %d tests of a window, got %d", looks(m.Window, m.Skip), m.Publications)
	case m.Published && m.Publications > 0:
		return fmt.Errorf("stream: the published calibration knows no number of publications, got %d", m.Publications)
	}
	return nil
}

// calibrate fixes ledger and noise from public numbers.
func (k *kaleido) calibrate() error {
	k.rule = rule{
		surface: k.Surface, smooth: k.Smooth, radius: k.Radius, grid: gridOf(k.Radius), skip: k.Skip, window: k.Window, open: k.Published,
		room: looks(k.Window, k.Skip), budget: dp.RoundDown(k.Epsilon - k.Epsilon*k.TestShare),
	}
	if k.Publications > 0 {
		k.rule.share, k.rule.pace = whole/int64(k.Publications), k.Window/time.Duration(k.Publications)
	}
	if k.Published {
		k.rule.floor = 1
		k.rule.near = &test{steps: 1, threshold: k.Threshold / k.Radius, scale: 1 / (k.testEpsilon * k.Radius)}
		return nil
	}
	if err := errors.Join(k.rule.payable(), k.rule.drawable()); err != nil {
		return err
	}
	steps, err := testSteps(k.testEpsilon)
	k.rule.near = &test{steps: steps, threshold: math.Floor(k.Threshold / k.Radius * steps)}
	return err
}

// payable sets the floor of publications and refuses budgets below it.
func (r *rule) payable() error {
	r.floor = int64(math.Ceil(math.Min(least/r.budget, 1) * float64(whole)))
	if !(r.budget > least) || r.worth(whole) == 0 {
		return fmt.Errorf("stream: epsilon is too small: a publication would have less than %.2g", least)
	}
	return nil
}

// maxRate of noise on the sphere, per radian.
const maxRate = 1 << 12

func (r *rule) drawable() error {
	if least := r.epsilon(r.worth(whole)) / maxRate * 180 / math.Pi; r.surface.Sphere && r.radius < least {
		return fmt.Errorf("stream: for noise on the sphere at this epsilon the radius must be at least %.2g deg, got %v", least, r.radius)
	}
	return nil
}

// testSteps is how many steps a radius has, so that two distances that differ by
// at most a radius are floored to integers at most testEpsilon·testTable apart:
// 2 covers flooring and the errors of the distance.
func testSteps(epsilon float64) (float64, error) {
	delta := math.Floor(math.Min(epsilon, 32) * testTable)
	if delta < 64 {
		return 0, fmt.Errorf("stream: epsilon is too small for so many tests: a test would have %.2g", epsilon)
	}
	return delta - 2, nil
}

// prepare builds what a stream needs.
func (m Kaleido) prepare() (*kaleido, error) {
	k, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if m.Published {
		k.rule.geometry = printedPlane{k.Radius}
		return k, nil
	}
	if k.rule.geometry, err = newGeometry(k.Surface, k.Radius); err != nil {
		return nil, err
	}
	k.rule.near.table, err = testNoise()
	return k, err
}

// Stream is the state for one recording, to be fed sample by sample.
func (m Kaleido) Stream(src *noise.Source) (*Stream, error) {
	k, err := m.prepare()
	if err != nil {
		return nil, err
	}
	return k.rule.stream(src)
}

// printedFault is why the calibration of the paper promises nothing.
const printedFault = "the noise of tests has scale 1/ε_test where r/ε_test is needed, ⌈w/t⌉ tests are counted where ⌊w/t⌋+1 fit into a window, and the noise is drawn in floating point (PROOF.md, section 5)"

// Guarantee implements [mechanism.Mechanism].
func (m Kaleido) Guarantee() dp.Guarantee {
	_ = m.Surface.resolve(m.Radius) // fills in the unit; faults are reported below
	g := guarantee(m.Epsilon, m.Radius, m.Surface)
	k, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Delta = m.Surface.delta(looks(k.Window, k.Skip))
	if m.Published {
		return g.Voided(printedFault)
	}
	return g
}

func guarantee(epsilon, radius float64, s Surface) dp.Guarantee {
	return dp.Guarantee{
		Measure: dp.Geo, Epsilon: epsilon, Radius: radius, RadiusUnit: s.Unit,
		Unit: dp.Window, Neighbours: dp.ShiftedWithin, Model: dp.Local,
		Unprotected: []string{
			"time stamps, relative to the start of each recording, and how long recordings are",
			"which samples are lost, blinks among them",
			"how many recordings there are, of whom (as pseudonyms), and what was shown",
			"anything that moves the gaze by much more than the radius, or for much longer than the window",
		},
	}
}

// Plan implements [mechanism.Mechanism].
func (m Kaleido) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: kaleidoName, Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	if m.Published {
		p.Calibration = mechanism.Published
	}
	k, err := m.prepare()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	k.rule.fill(&p)
	k.rule.expect(&p)
	k.compare(&p)
	p.Noise.TestScale, p.TestsPerWindow = k.testScale(), k.tests
	p.Parameters = k.parameters(p.Parameters)
	return p
}

// testScale is the scale of the noise of a test, in the unit of positions.
func (k *kaleido) testScale() float64 {
	if k.Published {
		return 1 / k.testEpsilon
	}
	return k.Radius / k.rule.near.steps * testTable
}

// fill states noise, sensitivity and parameters.
func (r *rule) fill(p *mechanism.Plan) {
	p.Noise = r.noise()
	p.Sensitivity = mechanism.Sensitivity{L1: math.Sqrt2 * r.radius, L2: r.radius}
	p.Parameters = r.parameters()
}

// noise is that of the first publication after a pause, which is the least.
func (r *rule) noise() mechanism.Noise {
	n := mechanism.Noise{Law: "planar laplace", Scale: r.radius / r.epsilon(r.worth(whole)), Grid: r.grid}
	if r.surface.Sphere {
		n.Law = "spherical laplace"
	}
	n.Sigma = math.Sqrt(3) * n.Scale // of one coordinate
	return n
}

func (k *kaleido) parameters(p map[string]string) map[string]string {
	p["skip"] = k.Skip.String()
	p["test-share"] = format(k.TestShare)
	p["threshold"] = format(k.Threshold) + k.Surface.Unit
	p["publications"] = "each half of what is left"
	if k.Publications > 0 {
		p["publications"] = strconv.Itoa(k.Publications)
	}
	return p
}

// parameters that all schedules have.
func (r *rule) parameters() map[string]string {
	p := map[string]string{
		"window": r.window.String(), "radius": format(r.radius) + r.surface.Unit, "surface": surfacePlane, "smooth": smoothOff,
	}
	switch {
	case r.smooth.Glide > 0:
		p["smooth"], p["glide"] = smoothGlide, r.smooth.Glide.String()
	case r.smooth.Filter:
		p["smooth"] = smoothFilter
	}
	if r.surface.Sphere {
		p["surface"] = surfaceSphere
	}
	if r.surface.Width > 0 {
		p["width"], p["height"] = format(r.surface.Width), format(r.surface.Height)
	}
	return p
}

// format is a public parameter as people read it.
func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Protect implements [mechanism.Paths].
func (m Kaleido) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	r, err := m.prepared()
	if err != nil {
		return nil, err
	}
	return r.release(m.Plan(), pieces, src)
}

func (m Kaleido) prepared() (*rule, error) {
	k, err := m.prepare()
	if err != nil {
		return nil, err
	}
	return &k.rule, nil
}
