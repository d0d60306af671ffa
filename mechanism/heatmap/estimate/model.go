package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The mass that reaches the release is the public total times the mean clip
// factor, which is private: beforehand its logarithm is −0.35 ± 0.35, spanning
// factors of 0.35 to 1.
const clipMean, clipSpread = -0.35, 0.35

// unknownSpread replaces clipSpread where the total is not public.
const unknownSpread = 3.0

// levelSpread is the deviation of the logarithm of the density's level, which
// nobody knows where most of the mass may be in a few peaks.
const levelSpread = 2.0

// model explains a release by a density
//
//	mass(cell) = base(cell) · exp(level + trend + amplitude·z(cell))
//
// z being a field, trend a parabola (when it is on), all weights standard normal
// beforehand, and the total known up to the clip factor.
type model struct {
	c         *coarse
	f         *field
	base      []float64   // prior mass per coarse cell
	trend     [][]float64 // further surfaces, each with a weight
	amplitude float64

	mass, padded, z, a []float64
}

func newModel(c *coarse, f *field, base []float64, trend [][]float64) *model {
	return &model{
		c: c, f: f, base: base, trend: trend,
		mass: make([]float64, len(base)), z: make([]float64, len(base)),
		padded: make([]float64, len(c.y)), a: make([]float64, len(f.power)),
	}
}

// weights is the number of unknowns: level, trend, field.
func (m *model) weights() int { return 1 + len(m.trend) + len(m.a) }

// parabolas are the five terms of a paraboloid on the canvas, in coordinates
// from −1 to 1: with them a single blob anywhere is a smooth surface.
func parabolas(c *coarse) [][]float64 {
	t := make([][]float64, 5)
	for i := range c.cols * c.rows {
		u := 2*(float64(i%c.cols)+0.5)/c.wide - 1
		v := 2*(float64(i/c.cols)+0.5)/c.high - 1
		for k, x := range [5]float64{u, v, u*u - 1./3, v*v - 1./3, u * v} {
			t[k] = append(t[k], x)
		}
	}
	return t
}

// value is the negative logarithm of likelihood times prior, up to a constant,
// as an objective of the weights. It leaves the masses in m.mass.
func (m *model) value(w, g []float64) float64 {
	m.expose(w)
	clear(m.padded)
	for y := range m.c.rows {
		copy(m.c.row(m.padded, y), m.mass[y*m.c.cols:(y+1)*m.c.cols])
	}
	m.c.blur.apply(m.padded, m.padded)
	for i, v := range m.c.y {
		m.padded[i] -= v
	}
	scale := 1 / (m.c.sigma * m.c.sigma)
	misfit := scale * dot(m.padded, m.padded)
	m.c.blur.apply(m.padded, m.padded)
	total := floats.Sum(m.mass)
	spread := clipSpread
	if !m.c.known {
		spread = unknownSpread
	}
	off := (math.Log(total) - clipMean) / spread
	m.gradient(g, scale, off/(spread*total))
	axpy(g, w, 1)
	return 0.5 * (misfit + off*off + dot(w, w))
}

// expose computes the masses of the weights w.
func (m *model) expose(w []float64) {
	own := w[1+len(m.trend):]
	for i, p := range m.f.power {
		m.a[i] = m.amplitude * math.Sqrt(p) * own[i]
	}
	m.f.surface(m.z, m.a)
	for k, t := range m.trend {
		axpy(m.z, t, w[1+k])
	}
	for i, z := range m.z {
		m.mass[i] = m.base[i] * math.Exp(min(max(z+clipMean+levelSpread*w[0], -300), 30))
	}
}

// gradient writes that of misfit and total, given the blurred residual in
// m.padded and the derivative by the total.
func (m *model) gradient(g []float64, scale, total float64) {
	for y := range m.c.rows {
		r := m.c.row(m.padded, y)
		for x, v := range r {
			i := y*m.c.cols + x
			m.z[i] = (scale*v + total) * m.mass[i]
		}
	}
	g[0] = 0
	for _, v := range m.z {
		g[0] += levelSpread * v
	}
	for k, t := range m.trend {
		g[1+k] = dot(t, m.z)
	}
	own := g[1+len(m.trend):]
	m.f.adjoint(own, m.z)
	for i, p := range m.f.power {
		own[i] *= m.amplitude * math.Sqrt(p)
	}
}

// occam is half the log determinant of the posterior precision in units of the
// prior's: what the likelihood has to pay for the freedom it used.
func (m *model) occam(volume table) float64 {
	ld := 0.0
	for _, v := range m.mass {
		ld += volume.at(2 * math.Log(v*m.amplitude/m.c.sigma))
	}
	return 0.5 * (ld + m.trendVolume())
}

// trendVolume is ln det(1 + JᵀJ) of the trend's weights alone.
func (m *model) trendVolume() float64 {
	var j [][]float64
	for _, t := range m.trend {
		col := make([]float64, len(m.c.y))
		for i, v := range t {
			y, x := i/m.c.cols, i%m.c.cols
			m.c.row(col, y)[x] = v * m.mass[i] / m.c.sigma
		}
		m.c.blur.apply(col, col)
		j = append(j, col)
	}
	return lnDetGram(j)
}

// lnDetGram is ln det(1 + JᵀJ) of the columns j, by Gaussian elimination: the
// matrix is positive definite.
func lnDetGram(j [][]float64) float64 {
	a := make([][]float64, len(j))
	for r := range j {
		a[r] = make([]float64, len(j))
		for s := range j {
			a[r][s] = dot(j[r], j[s])
		}
		a[r][r]++
	}
	ld := 0.0
	for k := range a {
		ld += math.Log(a[k][k])
		for r := k + 1; r < len(a); r++ {
			axpy(a[r][k:], a[k][k:], -a[r][k]/a[k][k])
		}
	}
	return ld
}
