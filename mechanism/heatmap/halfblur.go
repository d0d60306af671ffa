package heatmap

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap/estimate"
	"github.com/gazeward/gazeward/noise"
)

// HalfBlur is the half-blur heatmap (MECHANISMS §3, PROOF.md): every subject's
// dwell map is normalised, blurred with a part of the picture's point spread
// function, clipped to a public norm and summed; the rounded Gaussian noise is
// calibrated to √2 times that norm, because maps are not negative; the rest of
// the blur follows after the noise.
type HalfBlur struct {
	Epsilon  float64 // required
	Delta    float64 // required
	Subjects int     // enrolled, public; required
	Canvas   Canvas  // required; cells of at most Blur/1.5
	Blur     float64 // px, standard deviation of the picture's point spread function; required
	// Query is the standard deviation, in px, of the part of the blur that
	// comes before the noise; 0 = estimate.BestQuery for pictures that
	// deconvolve, else Blur/√2.
	Query float64
	// Places sets the clip: the norm of a map spread over that many separate
	// places; 0 = [DefaultPlaces].
	Places float64
	// Seen is how many of the stacked stimuli a subject typically sees, for the
	// joint clip; 0 = all.
	Seen float64
	// TimeBlur is the standard deviation in steps of the blur along time, where
	// Canvas.Steps > 1; half of its variance comes before the noise.
	TimeBlur float64
	Unit     dp.Unit // Subject (default) or Recording: whose maps are yielded
	Picture  Picture // how the picture is made from the release
}

// DefaultPlaces is the default clip of a free-viewing map of a few seconds: never
// worse than 5 and better for reading (estimate/NOTES.md).
const DefaultPlaces = 8

// defaultQuery is the query blur where none is given, from public numbers: what
// suits a picture that deconvolves (estimate.BestQuery), else the square root of
// the picture's blur, in the sense of B = B½·B½.
func (m HalfBlur) defaultQuery() float64 {
	if m.Picture.resolve(Shape{Canvas: m.Canvas, Query: m.Blur}) != PictureLogGaussian {
		return m.Blur / math.Sqrt2
	}
	q := estimate.BestQuery(m.Blur, math.Sqrt(2*m.Seen)/(float64(m.Subjects)*dp.GaussianMu(m.Epsilon, m.Delta)))
	return math.Max(q, m.Canvas.Cell)
}

// halfBlur is the mechanism with everything public resolved.
type halfBlur struct {
	HalfBlur
	blurrer
	norm  float64 // C, dwell mass per cell
	grid  float64 // g
	k     int64   // ⌊(C/g)²⌋: bound on the integer squared norm
	sigma float64 // grid steps
	prepared
}

// Check reports parameters that make no mechanism.
func (m HalfBlur) Check() error { _, err := m.resolve(); return err }

func (m HalfBlur) resolve() (*halfBlur, error) {
	if err := checkBudget(m.Epsilon, m.Delta, true); err != nil {
		return nil, err
	}
	if err := checkSubjects(m.Subjects, m.Unit); err != nil {
		return nil, err
	}
	if err := m.Canvas.check(); err != nil {
		return nil, err
	}
	if err := m.defaults(); err != nil {
		return nil, err
	}
	if err := m.Picture.check(Shape{Canvas: m.Canvas, Query: m.Query, Blur: m.Blur}); err != nil {
		return nil, err
	}
	h := &halfBlur{HalfBlur: m}
	h.blurrer = m.blurrer()
	if h.blurrer.len() > maxCells {
		return nil, fmt.Errorf("heatmap: at most %d cells with margins, got %d: choose larger cells or fewer stimuli", maxCells, h.blurrer.len())
	}
	return h, h.calibrate()
}

func (m *HalfBlur) defaults() error {
	if !(m.Blur > 0) || math.IsInf(m.Blur, 0) {
		return fmt.Errorf("heatmap: blur must be positive, got %v px", m.Blur)
	}
	if m.Places == 0 {
		m.Places = DefaultPlaces
	}
	if m.Seen == 0 {
		m.Seen = float64(max(m.Canvas.Stimuli, 1))
	}
	if m.Query == 0 {
		m.Query = m.defaultQuery()
	}
	switch {
	case !(m.Query > 0):
		return fmt.Errorf("heatmap: query blur must be positive, got %v px", m.Query)
	case m.Canvas.Cell > m.Query:
		return fmt.Errorf("heatmap: cells of %v px are too coarse for a query blur of %.4g px: at most %.4g px", m.Canvas.Cell, m.Query, m.Query)
	case !(m.Places >= 1 && m.Places <= maxCells):
		return fmt.Errorf("heatmap: places must lie between 1 and %d, got %v", maxCells, m.Places)
	case !(m.Seen >= 1e-6) || m.Seen > float64(max(m.Canvas.Stimuli, 1)):
		return fmt.Errorf("heatmap: seen must lie between 0 and the number of stimuli, got %v", m.Seen)
	case !(m.TimeBlur >= 0) || m.TimeBlur > min(float64(max(m.Canvas.Steps, 1)), maxBlur):
		return fmt.Errorf("heatmap: time blur must lie between 0 and the number of steps, at most %d, got %v", maxBlur, m.TimeBlur)
	}
	return nil
}

func (m HalfBlur) blurrer() blurrer {
	b := blurrer{canvas: m.Canvas, space: kernel(m.Query / m.Canvas.Cell), time: kernel(m.timeQuery())}
	b.margin = max(int(math.Ceil(3*m.Blur/m.Canvas.Cell)), len(b.space)-1) // nothing leaks out of it
	b.lead = int(math.Ceil(3 * m.timeQuery()))
	return b
}

// timeQuery is the blur along time before the noise, in steps.
func (m HalfBlur) timeQuery() float64 { return m.TimeBlur / math.Sqrt2 }

// calibrate fixes clip, grid and noise from public numbers: C is the norm of
// Seen films of total dwell one, each spread over Places separate places.
func (h *halfBlur) calibrate() error {
	q := h.Query / h.Canvas.Cell
	h.norm = math.Sqrt(h.Seen/h.Places) / (2 * math.SqrtPi * q)
	if t := h.timeQuery(); t > 0 {
		h.norm /= math.Sqrt(2 * math.SqrtPi * math.Max(t, 0.5))
	}
	h.grid = step(h.norm, 0)
	steps := h.norm / h.grid
	h.k = int64(math.Floor(steps * steps))
	epsilon, delta, err := table(h.len()).Charge(h.Epsilon, h.Delta)
	if err != nil {
		return err
	}
	h.sigma, err = calibrate.Gaussian(epsilon, delta, math.Sqrt(2*float64(h.k)))
	if err == nil && h.sigma > maxSteps {
		err = fmt.Errorf("heatmap: epsilon %v, delta %v ask for more noise than can be drawn", h.Epsilon, h.Delta)
	}
	return err
}

// Guarantee implements [mechanism.Mechanism].
func (m HalfBlur) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Approximate, Epsilon: m.Epsilon, Delta: m.Delta, Unit: m.Unit,
		Neighbours: dp.ReplaceOne, Model: dp.Central, Unprotected: unprotected(m.Canvas.Steps),
	}
	h, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Mu = dp.RoundUp(math.Sqrt(2*float64(h.k)) / h.sigma)
	return g
}

// Plan implements [mechanism.Mechanism].
func (m HalfBlur) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "heatmap/halfblur", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	h, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	unit := h.grid / float64(h.Subjects)
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: h.sigma * unit, Sigma: h.sigma * unit, Grid: unit}
	l2 := math.Sqrt(2*float64(h.k)) * unit
	p.Sensitivity = mechanism.Sensitivity{L1: l2 * math.Sqrt(float64(h.len())), L2: l2}
	p.Parameters = h.parameters()
	p.Warnings = warnings(h.Subjects, h.Delta)
	p.Expected = h.expected()
	return p
}

func (h *halfBlur) parameters() map[string]string {
	return map[string]string{
		"subjects": strconv.Itoa(h.Subjects),
		"width":    format(h.Canvas.Width), "height": format(h.Canvas.Height),
		"cell": format(h.Canvas.Cell) + "px", "stimuli": strconv.Itoa(max(h.Canvas.Stimuli, 1)), "steps": strconv.Itoa(max(h.Canvas.Steps, 1)),
		"blur": format(h.Blur) + "px", "query": format(h.Query) + "px", "places": format(h.Places), "seen": format(h.Seen),
		"time-blur": format(h.TimeBlur), "clip": format(h.norm), "picture": h.Picture.name(PictureBest),
	}
}

// format is a public parameter as people read it; six digits are more than any
// of them means.
func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Release draws the noise and makes the pictures. maps yields at most Subjects
// vectors; those missing are subjects without data. The caller has charged
// Guarantee before.
func (m HalfBlur) Release(maps Maps, src *noise.Source) (*Release, error) {
	h, err := m.prepare()
	if err != nil {
		return nil, err
	}
	r, err := h.draw(maps, src)
	if err != nil {
		return nil, err
	}
	return r, r.render(h.Picture)
}

func (m HalfBlur) prepare() (*halfBlur, error) {
	h, err := m.resolve()
	if err != nil {
		return nil, err
	}
	h.plan = m.Plan()
	h.sampler, err = noise.NewGaussian(h.sigma)
	return h, err
}

// draw is a release without its pictures.
func (h *halfBlur) draw(maps Maps, src *noise.Source) (*Release, error) {
	sums, one := make([]int64, h.len()), make([]float64, h.len())
	err := each(maps, h.Canvas, h.Subjects, func(v []float64) {
		h.spread(one, v)
		mechanism.AddClipped(sums, one, h.norm, h.grid, h.k)
	})
	if err != nil {
		return nil, err
	}
	raw, err := h.noisy(sums, h.grid, h.Subjects, src)
	if err != nil {
		return nil, err
	}
	return &Release{Release: mechanism.Draw(h.plan, src), Raw: raw, Shape: h.shape()}, nil
}

func (h *halfBlur) shape() Shape {
	return Shape{
		Canvas: h.Canvas, Margin: h.margin, Lead: h.lead, Sigma: h.sigma * h.grid / float64(h.Subjects),
		Query: h.Query, Blur: h.Blur, TimeQuery: h.timeQuery(), TimeBlur: h.TimeBlur, Mass: 1,
	}
}
