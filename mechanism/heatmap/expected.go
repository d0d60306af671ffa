package heatmap

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// expectedOn says what the table below was measured on.
const expectedOn = "simulated free viewing of one picture (gazeward experiment heatmap-expected); another stimulus may differ by ±0.1"

// expectedCC is the correlation of the default picture with the noise-free map
// against q, the noise floor of the plain picture relative to the mean of the
// map. Printed by gazeward experiment heatmap-expected.
var expectedCC = [...]struct{ q, cc float64 }{
	{0.01, 0.999}, {0.1, 0.99}, {1, 0.9}, {10, 0.4}, {100, 0.05},
}

// typicalPeak is the peak of the simulated map relative to its mean.
const typicalPeak = 12

// goodCC is the correlation from which a heatmap reads like the noise-free one.
const goodCC = 0.9

// ccAt interpolates the table in log q.
func ccAt(q float64) float64 {
	t := expectedCC[:]
	if q <= t[0].q {
		return t[0].cc
	}
	for i := 1; i < len(t); i++ {
		if q <= t[i].q {
			f := math.Log(q/t[i-1].q) / math.Log(t[i].q/t[i-1].q)
			return t[i-1].cc + f*(t[i].cc-t[i-1].cc)
		}
	}
	return t[len(t)-1].cc * t[len(t)-1].q / q
}

// RelativeFloor is the noise floor of the plain half-blur picture relative to
// the mean of a map of total dwell one, at n subjects and (epsilon, delta).
func (m HalfBlur) RelativeFloor(n, epsilon, delta float64) (float64, error) {
	h, err := m.resolve()
	if err != nil {
		return 0, err
	}
	return h.floor(n, epsilon, delta), nil
}

// floor is √2·C/(nμ) after the second blur, per cell, times the number of cells.
func (h *halfBlur) floor(n, epsilon, delta float64) float64 {
	rest := math.Sqrt(math.Max(0, h.Blur*h.Blur-h.Query*h.Query)) / h.Canvas.Cell
	kernelNorm := 1.0
	if rest > 0 {
		kernelNorm = math.Min(1, 1/(2*math.SqrtPi*rest))
	}
	cells := float64(h.Canvas.Rows() * h.Canvas.Cols())
	return math.Sqrt2 * h.norm / (n * dp.GaussianMu(epsilon, delta)) * kernelNorm * cells
}

func (h *halfBlur) expected() *mechanism.Expected {
	q := func(n, epsilon float64) float64 { return h.floor(n, epsilon, h.Delta) }
	return expect(float64(h.Subjects), h.Epsilon, q, expectedOn)
}

// looksPerPerson is what a person does to a picture in a few seconds, for
// mechanisms that do not normalise: ten fixations.
const looksPerPerson = 10

func (a *additive) expected() *mechanism.Expected {
	blur := a.Blur
	if blur == 0 {
		blur = 0.03 * a.Canvas.Width
	}
	cells := float64(a.Canvas.Rows() * a.Canvas.Cols())
	kernelNorm := a.Canvas.Cell / (2 * math.SqrtPi * blur)
	base := a.sigma() * kernelNorm * cells / looksPerPerson
	n0, e0 := float64(a.Subjects), a.Epsilon
	q := func(n, epsilon float64) float64 {
		b := *a
		b.Epsilon = epsilon
		if b.calibrate() != nil {
			return math.Inf(1)
		}
		return base * (b.scale * b.grid) / (a.scale * a.grid) * n0 / n
	}
	return expect(n0, e0, q, expectedOn+"; ten fixations per person, each counting one at most")
}

// expect evaluates the table at (n, ε) and looks for the n and the ε that
// bring the correlation to 0.9.
func expect(n, epsilon float64, q func(n, epsilon float64) float64, on string) *mechanism.Expected {
	at := q(n, epsilon)
	e := &mechanism.Expected{NoiseToPeak: at / typicalPeak, CC: ccAt(at), MeasuredOn: on}
	if v, ok := least(1, 1e9, func(v float64) bool { return ccAt(q(v, epsilon)) >= goodCC }); ok {
		e.SubjectsNeeded = int(math.Ceil(v))
	}
	if v, ok := least(1e-3, 1e3, func(v float64) bool { return ccAt(q(n, v)) >= goodCC }); ok {
		e.EpsilonNeeded = math.Ceil(v*100) / 100
	}
	e.InWords = inWords(e, n, epsilon)
	return e
}

// inWords says it to people.
func inWords(e *mechanism.Expected, n, epsilon float64) string {
	text := fmt.Sprintf("%.0f people at ε = %g: correlation with the noise-free map about %.2g; noise floor %.2g of the peak of a typical map", n, epsilon, e.CC, e.NoiseToPeak)
	if e.CC >= goodCC {
		return text
	}
	if e.SubjectsNeeded > 0 {
		text += fmt.Sprintf("; for %g you need about %d people", goodCC, e.SubjectsNeeded)
	}
	if e.EpsilonNeeded > 0 {
		text += fmt.Sprintf(", or ε = %.3g with these", e.EpsilonNeeded)
	}
	return text
}

// least is the smallest v in [lo, hi] that is good enough, to 0.1 %; good is
// monotone.
func least(lo, hi float64, good func(float64) bool) (float64, bool) {
	if !good(hi) {
		return 0, false
	}
	for hi/lo > 1.001 {
		mid := math.Sqrt(lo * hi)
		if good(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, true
}
