package heatmap

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Additive is the heatmap of Liu et al. 2019: every cell of the mean map gets
// its own noise, under a cap on what one subject puts on one cell. Its
// sensitivity lets a subject look at every cell at once, so its noise grows
// with the square root (Gaussian) or the number (Laplace) of cells.
type Additive struct {
	Law      noise.Law // noise.Gaussian (Theorem 3.4) or noise.Laplace (Theorem 3.5)
	Epsilon  float64   // required
	Delta    float64   // Gaussian: required; Laplace: ignored
	Subjects int       // enrolled, public; required
	Canvas   Canvas    // required
	Cap      float64   // m: the most that counts of one subject on one cell, in the maps' unit; required
	// CapFromData says that Cap was read off the private data (the paper's
	// Algorithm 1): the guarantee is void.
	CapFromData bool
	Blur        float64      // px, of the picture; 0 = none
	Published   bool         // Theorem 3.4's σ instead of the analytic one; the same for Laplace
	Unit        dp.Unit      // Subject (default) or Recording
	Picture     Picture      // how the picture is made from the release
	Paid        dp.Guarantee // what choosing Cap cost (see [PaidCap]); zero = nothing
}

type additive struct {
	Additive
	grid  float64 // g, in the maps' unit
	steps int64   // ⌊cap/g⌋
	scale float64 // σ or b, grid steps
	l1    float64 // grid steps, of the sum
	l2    float64
	prepared
}

// CapReason is why Algorithm 1 of Liu et al. 2019 voids the guarantee.
const CapReason = "the cap was chosen on the private data (Liu et al. 2019, Algorithm 1), which Theorem 3.4 does not cover"

// Check reports parameters that make no mechanism.
func (m Additive) Check() error { _, err := m.resolve(); return err }

func (m Additive) resolve() (*additive, error) {
	gaussian := m.Law == noise.Gaussian
	if err := checkBudget(m.Epsilon, m.Delta, gaussian); err != nil {
		return nil, err
	}
	if err := checkSubjects(m.Subjects, m.Unit); err != nil {
		return nil, err
	}
	if err := m.Canvas.check(); err != nil {
		return nil, err
	}
	if !(m.Cap >= 1e-100 && m.Cap <= 1e100) {
		return nil, fmt.Errorf("heatmap: cap must be positive, between 1e-100 and 1e100, got %v", m.Cap)
	}
	if err := m.Picture.check(Shape{Canvas: m.Canvas, Blur: m.Blur}); err != nil {
		return nil, err
	}
	a := &additive{Additive: m}
	return a, a.calibrate()
}

// calibrate: Δ₂ = m√r and Δ₁ = mr on the sum over subjects, in grid steps.
func (a *additive) calibrate() error {
	r := float64(a.Canvas.Len())
	a.grid = step(a.Cap, a.Cap*r/a.Epsilon)
	a.steps = int64(math.Floor(a.Cap / a.grid))
	a.l1, a.l2 = float64(a.steps)*r, float64(a.steps)*math.Sqrt(r)
	err := a.fixScale()
	if err == nil && a.scale > noise.MaxScale {
		err = fmt.Errorf("heatmap: epsilon %v on %d cells asks for more noise than can be drawn", a.Epsilon, a.Canvas.Len())
	}
	return err
}

func (a *additive) fixScale() (err error) {
	t := table(a.Canvas.Len())
	if a.Law == noise.Laplace {
		t.Tail = 0
		epsilon, _, err := t.Charge(a.Epsilon, 0)
		if err != nil {
			return err
		}
		a.scale, err = calibrate.Laplace(epsilon, a.l1)
		return err
	}
	epsilon, delta, err := t.Charge(a.Epsilon, a.Delta)
	if err != nil {
		return err
	}
	if a.Published {
		a.scale, err = calibrate.GaussianLiu(epsilon, delta, a.l2)
	} else {
		a.scale, err = calibrate.Gaussian(epsilon, delta, a.l2)
	}
	return err
}

// Guarantee implements [mechanism.Mechanism].
func (m Additive) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Pure, Epsilon: m.Epsilon, Unit: m.Unit, Neighbours: dp.ReplaceOne,
		Model: dp.Central, Unprotected: unprotected(m.Canvas.Steps),
	}
	a, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	if m.Law == noise.Gaussian {
		g.Measure, g.Delta = dp.Approximate, m.Delta
		g.Mu = dp.RoundUp(a.l2 / a.scale)
	}
	if m.Paid.Epsilon > 0 { // the cap's price adds up, and the sum is no Gaussian
		g.Epsilon, g.Mu = g.Epsilon+m.Paid.Epsilon, 0
		if why, void := m.Paid.Void(); void {
			g = g.Voided("cap: " + why)
		}
	}
	if m.CapFromData {
		g = g.Voided(CapReason)
	}
	return g
}

func (m Additive) name() string {
	if m.Law == noise.Laplace {
		return "heatmap/laplace"
	}
	return "heatmap/gaussian"
}

// Plan implements [mechanism.Mechanism].
func (m Additive) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: m.name(), Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	if m.Published {
		p.Calibration = mechanism.Published
	}
	a, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	unit := a.grid / float64(m.Subjects)
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: a.scale * unit, Sigma: a.sigma(), Grid: unit}
	if m.Law == noise.Laplace {
		p.Noise.Law = "discrete laplace"
	}
	p.Sensitivity = mechanism.Sensitivity{L1: a.l1 * unit, L2: a.l2 * unit}
	p.Parameters = map[string]string{
		"subjects": strconv.Itoa(m.Subjects), "width": format(m.Canvas.Width), "height": format(m.Canvas.Height),
		"cell": format(m.Canvas.Cell) + "px", "cap": format(m.Cap), "blur": format(m.Blur) + "px",
		"stimuli": strconv.Itoa(max(m.Canvas.Stimuli, 1)), "picture": m.Picture.name(PicturePlain),
	}
	p.Warnings = warnings(m.Subjects, p.Guarantee.Delta)
	p.Expected = a.expected()
	return p
}

// laplaceDeviation is the standard deviation of the discrete Laplace law
// P(z) ∝ exp(−|z|/b): √(2q)/(1−q), q = e^{−1/b}.
func laplaceDeviation(b float64) float64 {
	return math.Sqrt2 * math.Exp(-0.5/b) / -math.Expm1(-1/b)
}

// Release draws the noise and makes the picture; see [HalfBlur.Release].
func (m Additive) Release(maps Maps, src *noise.Source) (*Release, error) {
	a, err := m.prepare()
	if err != nil {
		return nil, err
	}
	r, err := a.draw(maps, src)
	if err != nil {
		return nil, err
	}
	return r, r.render(m.Picture)
}

func (m Additive) prepare() (*additive, error) {
	a, err := m.resolve()
	if err != nil {
		return nil, err
	}
	a.plan = m.Plan()
	if a.Law == noise.Laplace {
		a.sampler, err = noise.NewLaplace(a.scale)
	} else {
		a.sampler, err = noise.NewGaussian(a.scale)
	}
	return a, err
}

// draw is a release without its pictures.
func (a *additive) draw(maps Maps, src *noise.Source) (*Release, error) {
	sums := make([]int64, a.Canvas.Len())
	err := each(maps, a.Canvas, a.Subjects, func(v []float64) {
		for i, x := range v {
			sums[i] += int64(math.Min(amount(x)/a.grid, float64(a.steps)))
		}
	})
	if err != nil {
		return nil, err
	}
	raw, err := a.noisy(sums, a.grid, a.Subjects, src)
	if err != nil {
		return nil, err
	}
	return &Release{Release: mechanism.Draw(a.plan, src), Raw: raw, Shape: a.shape()}, nil
}

func (a *additive) shape() Shape {
	return Shape{Canvas: a.Canvas, Sigma: a.sigma(), Blur: a.Blur}
}

// sigma is the standard deviation of the noise in a cell of the mean map.
func (a *additive) sigma() float64 {
	s := a.scale
	if a.Law == noise.Laplace {
		s = laplaceDeviation(a.scale)
	}
	return s * a.grid / float64(a.Subjects)
}
