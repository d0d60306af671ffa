package estimate

import (
	"math"
	"slices"
)

// Normal is a source of random numbers. What is drawn from it decides nothing
// about privacy, so a seeded one will do.
type Normal interface {
	NormFloat64() float64
	Float64() float64
}

// Sample draws a map from what the models hold possible after the release:
// a model by its evidence, then its most probable weights after weights and
// measurement have been shaken by their own laws, which is the posterior itself
// where the model is linear (randomised maximum a posteriori; Papandreou and
// Yuille 2010). Its distance from Map shows the picture's error, lost structure
// included. Draws from several goroutines need sources of their own.
func (p *Picture) Sample(src Normal) []float64 {
	f := p.evidence.choose(src.Float64())
	m := f.model.twin(f.amplitude)
	for i := range m.c.y {
		m.c.y[i] += m.c.sigma * src.NormFloat64()
	}
	prior := make([]float64, len(f.weights))
	for i := range prior {
		prior[i] = src.NormFloat64()
	}
	w := slices.Clone(f.weights)
	descend(func(w, g []float64) float64 {
		v := m.value(w, g) - dot(w, prior)
		axpy(g, prior, -1)
		return v
	}, w, 60, 0.01)
	m.expose(w)
	return p.evidence.picture(fit{mass: m.mass})
}

// twin is a model of its own measurement and scratch space, at an amplitude.
func (m *model) twin(amplitude float64) *model {
	c, f, b := *m.c, *m.f, *m.c.blur
	c.y, f.tmp, b.between = slices.Clone(c.y), slices.Clone(f.tmp), slices.Clone(b.between)
	c.blur = &b
	t := newModel(&c, &f, m.base, m.trend)
	t.amplitude = amplitude
	return t
}

// choose picks a fit by its evidence; u is uniform.
func (e *evidence) choose(u float64) fit {
	best := e.best()
	total := 0.0
	for _, f := range e.fits {
		total += math.Exp(f.log - best)
	}
	for _, f := range e.fits {
		if u -= math.Exp(f.log-best) / total; u < 0 {
			return f
		}
	}
	return e.fits[0]
}

func (e *evidence) best() float64 {
	best := math.Inf(-1)
	for _, f := range e.fits {
		best = max(best, f.log)
	}
	return best
}
