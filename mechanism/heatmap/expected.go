package heatmap

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// expectedOn says what the table below was measured on.
const expectedOn = "simulated free viewing of one picture (gazeward experiment heatmap-expected); another stimulus may differ by ±0.1"

// expectedCC is the mean correlation of the default half-blur picture with the
// noise-free map against q ([HalfBlur.RelativeFloor]), 20 draws a point, as
// gazeward experiment heatmap-expected prints it. One draw scatters by 0.01 at
// the seventh point, by 0.1 from the eighth on.
var expectedCC = [...]struct{ q, cc float64 }{
	{0.0071, 0.9995}, {0.0459, 0.999}, {0.123, 0.997}, {0.23, 0.992}, {0.426, 0.981}, {0.668, 0.960}, {0.948, 0.933},
	{1.71, 0.776}, {3.01, 0.55}, {5.33, 0.43}, {8.77, 0.32}, {13.5, 0.15},
}

// The noise-free map of the same people, relative to its mean.
const (
	typicalPeak   = 10.2
	typicalSpread = 1.43 // standard deviation
)

// goodCC is the correlation from which a heatmap reads like the noise-free one.
const goodCC = 0.9

// plainCC is the correlation where the noise stays in the picture: signal over
// signal and noise.
func plainCC(q float64) float64 { return 1 / math.Sqrt(1+q*q/(typicalSpread*typicalSpread)) }

// pictureCC interpolates the table in log q.
func pictureCC(q float64) float64 {
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

// RelativeFloor is q: the noise floor of the plain half-blur picture relative to
// the mean of a map of total dwell one, at n subjects and (epsilon, delta):
// √2·C/(nμ) after the second half of the blur, times the number of cells. The
// cells cancel out, and it is the same whatever part of the blur is queried.
func (m HalfBlur) RelativeFloor(n, epsilon, delta float64) (float64, error) {
	h, err := m.resolve()
	if err != nil {
		return 0, err
	}
	return h.floor(n, epsilon, delta), nil
}

func (h *halfBlur) floor(n, epsilon, delta float64) float64 {
	places := h.Canvas.Width * h.Canvas.Height / (2 * math.Pi * h.Blur * h.Blur)
	return math.Sqrt(2*h.Seen/h.Places) / (n * dp.GaussianMu(epsilon, delta)) * places
}

func (h *halfBlur) expected() *mechanism.Expected {
	q := func(n, epsilon float64) float64 { return h.floor(n, epsilon, h.Delta) }
	return curve{q, pictureCC}.expect(float64(h.Subjects), h.Epsilon, expectedOn)
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
	return curve{q, plainCC}.expect(n0, e0, expectedOn+"; ten fixations per person, each counting one at most")
}

// curve is what decides the worth of a mechanism: its relative noise at n
// subjects and ε, and the correlation that comes of it.
type curve struct {
	q  func(n, epsilon float64) float64
	cc func(q float64) float64
}

// expect says what (n, ε) brings, and which n and which ε would bring a
// correlation of 0.9.
func (c curve) expect(n, epsilon float64, on string) *mechanism.Expected {
	at := c.q(n, epsilon)
	e := &mechanism.Expected{NoiseToPeak: at / typicalPeak, CC: c.cc(at), MeasuredOn: on}
	good := func(n, epsilon float64) bool { return c.cc(c.q(n, epsilon)) >= goodCC }
	if v, ok := least(1, 1e9, func(v float64) bool { return good(v, epsilon) }); ok {
		e.SubjectsNeeded = int(math.Ceil(v))
	}
	if v, ok := least(1e-3, 1e3, func(v float64) bool { return good(n, v) }); ok {
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
