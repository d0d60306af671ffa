package series

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Transform is an orthonormal change of coordinates.
type Transform uint8

// Transforms. Both keep 2k−1 of n coordinates.
const (
	Cosine  Transform = iota // DCT-II: no jump from the end of a chunk to its start
	Fourier                  // real DFT, scaled
)

var transformNames = []string{"cosine", "fourier"}

func (t Transform) String() string { return transformNames[t] }

func (t Transform) kind() kind {
	if t == Fourier {
		return orthonormal
	}
	return cosine
}

// Gaussian takes all coefficients of all signals of a unit as one vector, in
// shares of the signals' ranges, clips it to a public norm and adds one
// Gaussian (PROOF.md §3). Its error grows with the root of the number of
// signals and chunks.
type Gaussian struct {
	Epsilon      float64  // required
	Delta        float64  // required
	Cut          Cut      // required
	Bounds       []Bounds // public, one for all signals or one each; required
	Coefficients int      // k: 2k−1 coordinates of each chunk are kept; 0 = from public numbers
	Transform    Transform
	// Clip is the norm that is kept, in shares of the largest possible; 0 = 1:
	// nothing is clipped. Signals that stay in the middle of their ranges allow
	// less, and less noise.
	Clip float64
	Gaps Gaps
}

type gaussian struct {
	Gaussian
	mu    float64
	norm  float64 // L2 radius of a unit, in shares of the range
	steps int64   // the same on the lattice
	step  float64
	full  form
}

// Check reports parameters that make no mechanism.
func (m Gaussian) Check() error { _, err := m.resolve(); return err }

func checkDelta(delta float64) error {
	if !(delta >= 1e-100 && delta < 1) {
		return fmt.Errorf("series: delta must lie between 1e-100 and 1, got %v", delta)
	}
	return nil
}

func (m Gaussian) check() error {
	if err := checkEpsilon(m.Epsilon); err != nil {
		return err
	}
	if err := checkDelta(m.Delta); err != nil {
		return err
	}
	if err := m.Cut.check(); err != nil {
		return err
	}
	if err := checkBounds(m.Bounds, m.Cut.Features); err != nil {
		return err
	}
	most := m.Cut.chunkLength()/2 + 1
	switch {
	case m.Coefficients < 0 || m.Coefficients > most:
		return fmt.Errorf("series: coefficients must be between 1 and n/2+1 = %d for %d values, got %d", most, m.Cut.chunkLength(), m.Coefficients)
	case !(m.Clip >= 1e-6 && m.Clip <= 1):
		return fmt.Errorf("series: clip must lie between 0 and 1, got %v", m.Clip)
	case m.Cut.Unit == dp.Chunk && m.Cut.Chunk == 0:
		return fmt.Errorf("series: the unit chunk needs a chunk length: give chunk")
	}
	return nil
}

func (m Gaussian) resolve() (*gaussian, error) {
	m.Cut.defaults()
	if m.Clip == 0 {
		m.Clip = 1
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	g := &gaussian{Gaussian: m, mu: math.Min(dp.GaussianMu(m.Epsilon, m.Delta), 1<<13)}
	k := m.Coefficients
	if k == 0 {
		k = m.Cut.gaussianCoefficients(m.Transform.kind(), g.mu/m.Clip)
	}
	g.full = newForm(m.Transform.kind(), m.Cut.chunkLength(), k)
	g.norm = m.Clip * m.Cut.diagonal(m.Cut.Unit) / 2
	g.steps = gaussianSteps(g.mu)
	var err error
	g.step, err = stepFor(g.norm, g.steps, math.Sqrt(m.Cut.coordinates(g.full))/2)
	return g, err
}

// diagonal is the largest distance of two units' signals, for ranges of one.
func (c Cut) diagonal(u dp.Unit) float64 {
	windows := float64(c.chunkLength())
	if u != dp.Chunk {
		windows = float64(c.Length) * float64(c.tables(u))
	}
	return math.Sqrt(windows * float64(c.Features))
}

// coordinates of one unit, at most.
func (c Cut) coordinates(f form) float64 {
	return float64(c.chunksIn(c.Unit)) * float64(c.Features) * float64(f.size())
}

// gaussianCoefficients is publicCoefficients for Gaussian noise of this μ.
func (c Cut) gaussianCoefficients(kd kind, mu float64) int {
	n := c.chunkLength()
	curve := Curve{Dropped: triangleDropped(n, float64(c.Window)/float64(c.Step))}
	for i := range curve.Dropped {
		sigma := c.diagonal(c.Unit) / mu
		curve.Noise = append(curve.Noise, sigma*sigma*float64(newForm(kd, n, i+1).size())/float64(n))
	}
	return min(curve.Best(), maxDefault)
}

// sigma is the standard deviation of a coordinate, in shares of the range.
func (g *gaussian) sigma() float64 { return g.step * gaussianScale }

// Guarantee implements [mechanism.Mechanism].
func (m Gaussian) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Approximate, Epsilon: m.Epsilon, Delta: m.Delta, Unit: m.Cut.Unit, Neighbours: dp.ReplaceOne, Model: dp.Central,
		Unprotected: unprotected(m.Cut),
	}
	r, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Mu = r.exactMu()
	return g
}

// exactMu is 2R/σ, rounded up.
func (g *gaussian) exactMu() float64 { return dp.RoundUp(2 * float64(g.steps) / gaussianScale) }

// Plan implements [mechanism.Mechanism]. Noise and sensitivity are those of
// orthonormal coordinates, in the unit of [Laplace.Plan].
func (m Gaussian) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "series/gaussian", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	g, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	unit := commonSpan(m.Bounds)
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: g.sigma() * unit, Sigma: g.sigma() * unit, Grid: g.step * unit}
	l2 := 2 * float64(g.steps) * g.step * unit
	p.Sensitivity = mechanism.Sensitivity{L1: l2 * math.Sqrt(m.Cut.coordinates(g.full)), L2: l2}
	p.Parameters = g.Cut.parameters(m.Bounds)
	p.Parameters["coefficients"] = strconv.Itoa(g.full.k)
	p.Parameters["coordinates-per-chunk"] = strconv.Itoa(g.full.size())
	p.Parameters["transform"], p.Parameters["clip"], p.Parameters["gaps"] = m.Transform.String(), format(g.Clip), m.Gaps.String()
	worth := g.sigma() * g.sigma() * float64(g.full.size()) / float64(g.full.n)
	p.Parameters["expected-squared-error"] = format(worth) + " of the squared range"
	p.Composed = g.composed()
	p.Warnings = worthWarnings(worth, m.Cut.Unit)
	return p
}

// composed is what the noise amounts to for other units, at the same δ. One
// unit's vectors are independent of another's, so that μ² adds; a part of a
// unit moves its vector by no more than its own diagonal.
func (g *gaussian) composed() map[string]dp.Guarantee {
	all := map[string]dp.Guarantee{}
	at := func(name string, u dp.Unit, mu float64) {
		r := g.Guarantee()
		r.Unit = u
		if u == dp.Window || g.Cut.chunksIn(u) != g.Cut.chunksIn(g.Cut.Unit) || g.Cut.units(u) > 1 {
			r.Mu = dp.RoundUp(mu)
			r.Epsilon = dp.GaussianEpsilon(r.Mu, r.Delta)
		}
		all[name] = r
	}
	mu := func(u dp.Unit) float64 {
		units := math.Sqrt(float64(g.Cut.units(u)))
		return math.Min(g.exactMu()*units, g.moves(u)/gaussianScale)
	}
	if g.Cut.Chunk > 0 {
		at("chunk", dp.Chunk, mu(dp.Chunk))
	}
	at("recording", dp.Recording, mu(dp.Recording))
	at("subject", dp.Subject, mu(dp.Subject))
	if g.Cut.Foreign {
		return all
	}
	_, touched := g.Cut.Touches()
	at("gaze", dp.Window, math.Min(mu(dp.Recording), mu(dp.Chunk)*math.Sqrt(float64(touched))))
	return all
}

// moves is how far another unit moves clipped integers: by its own diagonal,
// and by rounding and clipping, which reach all coordinates of every protected
// unit that it has a part in (PROOF.md §3).
func (g *gaussian) moves(u dp.Unit) float64 {
	each := 5*math.Sqrt(g.Cut.coordinates(g.full)) + 0x1p-28*float64(g.steps) + 4
	return g.Cut.diagonal(u)/g.step*(1+0x1p-40) + each*math.Sqrt(float64(g.Cut.units(u)))
}

// Accepts reports recordings that a release would refuse: ask before the charge.
func (m Gaussian) Accepts(recordings []Signals) error {
	m.Cut.defaults()
	return m.Cut.checkInput(recordings, m.Gaps)
}

// Prepare shapes the recordings for any number of draws.
func (m Gaussian) Prepare(recordings []Signals) (*Prepared, error) {
	g, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if err := m.Cut.checkInput(recordings, m.Gaps); err != nil {
		return nil, err
	}
	p := &Prepared{plan: m.Plan(), coefficients: g.full.k}
	if p.sampler, err = checked(gaussianNoise()); err != nil {
		return nil, err
	}
	p.pieces = make([]piece, len(recordings))
	inParallel(len(recordings), valuesIn(recordings), func(i int, w *bench) {
		p.pieces[i] = m.Cut.layout(&recordings[i], m.Bounds, func(n int) (form, float64) {
			return newForm(g.full.kind, n, g.full.k), g.step
		})
		for b := range p.pieces[i].blocks {
			w.encode(&p.pieces[i], &p.pieces[i].blocks[b])
		}
	})
	g.clip(p.pieces)
	return p, nil
}

// clip bounds the norm of every unit, in integers.
func (g *gaussian) clip(pieces []piece) {
	units := map[string][]int64{}
	for i := range pieces {
		p := &pieces[i]
		switch key := p.source.owner(g.Cut.Unit); g.Cut.Unit {
		case dp.Subject, dp.Recording:
			units[key] = append(units[key], p.whole...)
		case dp.Chunk:
			for part := p.blocks; len(part) > 0; part = part[g.Cut.Features:] {
				last := part[g.Cut.Features-1]
				clipL2(p.whole[part[0].at:last.at+last.size()], g.steps)
			}
		}
	}
	for _, z := range units {
		clipL2(z, g.steps)
	}
	for i := range pieces {
		p := &pieces[i]
		if g.Cut.Unit != dp.Chunk {
			key := p.source.owner(g.Cut.Unit)
			units[key] = units[key][copy(p.whole, units[key]):]
		}
	}
}

// Release draws the noise. The caller has charged Guarantee before.
func (m Gaussian) Release(recordings []Signals, src *noise.Source) (*Release, error) {
	p, err := m.Prepare(recordings)
	if err != nil {
		return nil, err
	}
	return p.Draw(src)
}

var _ mechanism.Mechanism = Gaussian{}
