package estimate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// evidence collects what models make of a release.
type evidence struct {
	p    Problem
	c    *coarse
	fits []fit
	flat float64 // log evidence of the best prior as it is
}

// fit is a model at its most probable weights.
type fit struct {
	mass      []float64 // per coarse cell
	log       float64   // evidence and prior weight
	model     *model
	amplitude float64
	weights   []float64
}

// The amplitudes tried, in nats of the density's logarithm.
const weakest, strongest = 0.25, 8

// strengths fits a model with a growing amplitude of its surface, each from
// the one before, until the evidence has clearly fallen. Beforehand a strength
// is as probable as it is small.
func (e *evidence) strengths(m *model) {
	if m.trend == nil {
		e.featureless(m)
	}
	w, volume := make([]float64, m.weights()), m.f.volume()
	best := math.Inf(-1)
	for m.amplitude = weakest; m.amplitude <= strongest; m.amplitude *= 2 {
		value := descend(m.value, w, 60, 0.01)
		m.expose(w)
		log := -value - m.occam(volume) - math.Log(m.amplitude/weakest)
		e.fits = append(e.fits, fit{slices.Clone(m.mass), log, m, m.amplitude, slices.Clone(w)})
		if best = max(best, log); log < best-10 {
			return
		}
		own := w[1+len(m.trend):]
		scaled(own, own, 0.5)
	}
}

// featureless notes the evidence of the prior itself, but for its total.
func (e *evidence) featureless(m *model) {
	w := make([]float64, m.weights())
	m.amplitude = 0
	if log := -descend(m.value, w, 20, 0.01); len(e.fits) == 0 || log > e.flat {
		e.flat = log
	}
}

// average weights the fits by their evidence.
func (e *evidence) average() *Picture {
	best := e.best()
	out := &Picture{Map: make([]float64, e.p.Width*e.p.Height), Structure: best - e.flat, evidence: e}
	sum := 0.0
	for _, f := range e.fits {
		if w := math.Exp(f.log - best); w > 1e-6 {
			sum += w
			axpy(out.Map, e.picture(f), w)
		}
	}
	scaled(out.Map, out.Map, 1/sum)
	return out
}

// picture is the fit's picture, of the public total.
func (e *evidence) picture(f fit) []float64 {
	scale := e.c.unit
	if e.c.known {
		scale /= floats.Sum(f.mass)
	}
	out := e.c.picture(e.p, f.mass)
	scaled(out, out, scale)
	return out
}
