package population

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Central synthesises gaze from one noisy mean of many people (MECHANISMS §6,
// SYNTHESIS §3, PROOF.md). A trusted curator turns each subject, with all of
// their recordings, into one vector: blurred dwell density, time between
// saccades, amplitude × direction of saccades. Its norm is clipped, one rounded
// Gaussian covers all of it, and everything after the noise, estimation and
// synthetic gaze, costs nothing.
type Central struct {
	Epsilon  float64 // required
	Delta    float64 // default n^-1.5
	Subjects int     // enrolled, public; required
	Shape    Shape   // what is asked of a subject; its screen is required

	// Blur is the standard deviation in px of the blur before the noise; 0 = a
	// public function of the noise.
	Blur float64
	// Design is how the norm is shared out and clipped; the zero value leaves
	// it to public functions of n.
	Design Design

	Prior  Prior  // public; it costs nothing and is kept where the release says no more than it
	Output Output // what is generated
}

// central is the mechanism with everything public resolved.
type central struct {
	Central
	canvas  canvas
	weights [parts]float64 // from a share of one to a coordinate
	grid    float64        // g, in clip units
	k       int64          // bound on the integer squared norm
	sigma   float64        // grid steps
	prior   *laws
	sampler *noise.Sampler
	plan    mechanism.Plan
}

// Parts of a subject's vector, in its order.
const (
	blurredPart = iota // blurred dwell density
	columnPart         // dwell per column of cells
	rowPart            // dwell per row
	durationPart
	stepPart
	parts
)

// Laws of a model.
const (
	density = iota
	durations
	steps
	nLaws
)

// contribution grid: 2^20 steps in the clip (PROOFS C1).
const (
	contributionGrid = 0x1p-20
	squaredNorm      = 1 << 40
)

// Bounds on what makes a release.
const (
	maxEpsilon  = 1e6
	maxSubjects = 1 << 31
	maxSteps    = 1 << 36 // of noise, in grid steps
	maxLength   = 1 << 24 // coordinates of a vector
)

// Check reports parameters that make no mechanism.
func (m Central) Check() error { _, err := m.resolve(); return err }

func (m Central) resolve() (*central, error) {
	if err := checkBudget(m.Epsilon, m.Subjects); err != nil {
		return nil, err
	}
	if m.Delta == 0 {
		m.Delta = dp.RoundDown(math.Pow(float64(max(m.Subjects, 2)), -1.5))
	}
	if !(m.Delta > 0 && m.Delta < 1) {
		return nil, fmt.Errorf("population: delta must lie between 0 and 1, got %v", m.Delta)
	}
	var err error
	if m.Shape, err = m.Shape.withDefaults(); err != nil {
		return nil, err
	}
	if m.Output, err = m.Output.withDefaults(m.Subjects); err != nil {
		return nil, err
	}
	c := &central{Central: m, grid: contributionGrid, k: squaredNorm}
	if c.prior, err = m.Prior.laws(&m.Shape); err != nil {
		return nil, err
	}
	return c, c.calibrate()
}

func checkBudget(epsilon float64, subjects int) error {
	if !(epsilon >= 1e-9 && epsilon <= maxEpsilon) {
		return fmt.Errorf("population: epsilon must lie between 1e-9 and %g, got %v", float64(maxEpsilon), epsilon)
	}
	if subjects < 1 || subjects > maxSubjects {
		return fmt.Errorf("population: subjects must be between 1 and 2^31, got %d", subjects)
	}
	return nil
}

// calibrate fixes blur, clips and noise from public numbers.
func (c *central) calibrate() error {
	var err error
	if c.sigma, err = calibrate.Gaussian(c.Epsilon, c.Delta, math.Sqrt(2*float64(c.k))); err != nil {
		return fmt.Errorf("population: %w", err)
	}
	if c.sigma > maxSteps {
		return fmt.Errorf("population: epsilon %v, delta %v ask for more noise than can be drawn", c.Epsilon, c.Delta)
	}
	if c.Blur == 0 {
		c.Blur = c.defaultBlur()
	}
	if diagonal := math.Hypot(float64(c.Shape.Screen.Width), float64(c.Shape.Screen.Height)); !(c.Blur > 0 && c.Blur <= diagonal) {
		return fmt.Errorf("population: blur must lie between 0 and the screen's diagonal, %.4g px, got %v px", diagonal, c.Blur)
	}
	c.canvas = newCanvas(c.Shape, c.Blur)
	if c.len() > maxLength {
		return fmt.Errorf("population: at most %d numbers per subject, got %d: choose fewer columns or rows or a smaller blur", maxLength, c.len())
	}
	c.weights, err = c.Design.weights(c)
	return err
}

// size is the number of coordinates of a part.
func (c *central) size(part int) int {
	s := &c.Shape
	return [parts]int{c.canvas.len(), s.Columns, s.Rows, s.Durations, s.steps()}[part]
}

func (c *central) len() int {
	n := 0
	for part := range parts {
		n += c.size(part)
	}
	return n
}

// noise is the standard deviation of the noise in a coordinate of the mean, in
// clip units.
func (c *central) noise() float64 { return c.sigma * c.grid / float64(c.Subjects) }

// deviation is the same as a share of the part's total.
func (c *central) deviation(part int) float64 { return c.noise() / c.weights[part] }

// Guarantee implements [mechanism.Mechanism].
func (m Central) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Approximate, Epsilon: m.Epsilon, Delta: m.Delta, Unit: dp.Subject, Neighbours: dp.ReplaceOne, Model: dp.Central,
		Unprotected: []string{"the number of enrolled subjects", "the screen and what was shown on it"},
	}
	c, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Delta, g.Mu = c.Delta, dp.RoundUp(math.Sqrt(2*float64(c.k))/c.sigma)
	return g
}

// Plan implements [mechanism.Mechanism].
func (m Central) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: centralName, Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	c, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	unit := c.grid / float64(c.Subjects)
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: c.sigma * unit, Sigma: c.sigma * unit, Grid: unit}
	l2 := math.Sqrt(2*float64(c.k)) * unit
	p.Sensitivity = mechanism.Sensitivity{L1: l2 * math.Sqrt(float64(c.len())), L2: l2}
	p.Parameters = c.parameters()
	p.Likeness, p.Warnings = c.likeness(), c.warnings()
	return p
}

// ErrSubjects is returned when the recordings are of more people than enrolled.
var ErrSubjects = errors.New("population: more participants than enrolled subjects")

// Protect implements [mechanism.Paths]: it gathers the people, draws, estimates
// and generates. The caller has charged Guarantee before.
func (m Central) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	g, err := Gather(m.Shape, pieces)
	if err != nil {
		return nil, err
	}
	r, err := m.Release(g, src)
	if err != nil {
		return nil, err
	}
	return &r.PathRelease, nil
}

// Release is what is known after the noise.
type Release struct {
	mechanism.PathRelease
	Raw   []float64 // Central: what was drawn, in units of a subject's largest norm; Local: reports per question and bin
	Model *Model    // what was made of it
}

// Release draws from gathered people, for curators who read before they charge.
// Fewer people than enrolled are subjects without data.
func (m Central) Release(g *Gathered, src *noise.Source) (*Release, error) {
	c, err := m.prepare()
	if err != nil {
		return nil, err
	}
	if !g.Shape.alike(&c.Shape) {
		return nil, errShape
	}
	raw, err := c.draw(g.People, src)
	if err != nil {
		return nil, err
	}
	return c.finish(raw, src)
}

// finish is everything after the noise: a function of raw and public numbers.
func (c *central) finish(raw []float64, src *noise.Source) (*Release, error) {
	r := &Release{PathRelease: mechanism.PathRelease{Release: mechanism.Draw(c.plan, src), Synthetic: true}, Raw: raw}
	var err error
	if r.Model, err = c.estimate(raw, src); err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, r.Model.warnings()...)
	r.Recordings, err = r.Model.Generate(c.Output, src)
	return r, err
}

func (m Central) prepare() (*central, error) {
	c, err := m.resolve()
	if err != nil {
		return nil, err
	}
	c.plan = m.Plan()
	c.sampler, err = noise.NewGaussian(c.sigma)
	return c, err
}

var errTable = errors.New("population: the sampler's table is worse than was charged for; nothing was drawn")

// draw sums the clipped vectors and adds the noise, once.
func (c *central) draw(people []*Person, src *noise.Source) ([]float64, error) {
	if len(people) > c.Subjects {
		return nil, ErrSubjects
	}
	if d := c.sampler.Divergence(); d.Eta > 0 || d.Tail > 0 {
		return nil, errTable
	}
	sums, one := make([]int64, c.len()), make([]float64, c.len())
	for _, p := range people {
		if err := c.vector(one, p); err != nil {
			return nil, err
		}
		mechanism.AddClipped(sums, one, 1, c.grid, c.k)
	}
	c.sampler.Add(sums, src)
	return toFloat(sums, c.grid/float64(c.Subjects))
}

// toFloat turns noisy sums into means. The integers must be exact in float64,
// else the low bits would say more than the noise hides.
func toFloat(sums []int64, unit float64) ([]float64, error) {
	out := make([]float64, len(sums))
	for i, z := range sums {
		if z <= -1<<53 || z >= 1<<53 {
			return nil, errors.New("population: a noisy sum exceeds 2^53 grid steps")
		}
		out[i] = float64(z) * unit
	}
	return out, nil
}

// vector writes a subject's coordinates. Whatever it writes, mechanism.AddClipped bounds.
func (c *central) vector(dst []float64, p *Person) error {
	clear(dst)
	if p == nil {
		return nil
	}
	if !p.fits(&c.Shape) {
		return errShape
	}
	c.canvas.spread(dst[:c.size(blurredPart)], p.dwell, c.weights[blurredPart])
	columns, rows := p.margins(&c.Shape)
	runs := slices.Clone(p.durations)
	c.Shape.weigh(runs, 1)
	for part, counts := range [parts][]float64{columnPart: columns, rowPart: rows, durationPart: runs, stepPart: p.steps} {
		normalise(dst[:len(counts)], counts, c.weights[part])
		dst = dst[c.size(part):]
	}
	return nil
}

// margins are a person's dwell per column and per row.
func (p *Person) margins(s *Shape) (columns, rows []float64) {
	columns, rows = make([]float64, s.Columns), make([]float64, s.Rows)
	for _, d := range p.dwell {
		columns[d.cell%s.Columns] += amount(d.seconds)
		rows[d.cell/s.Columns] += amount(d.seconds)
	}
	return columns, rows
}
