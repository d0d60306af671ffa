package synth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// Why the mechanism as printed promises nothing (PROOF.md, section 5).
const (
	runsFault  = "a report has as many run lengths as the window has runs: their number is revealed"
	movesFault = "a report has one message for each move: their number is revealed"
)

var unprotected = []string{
	"time stamps, relative to the start of each recording, and how long recordings are",
	"windows in which no sample has a position",
	"how many recordings there are, of whom (as pseudonyms), and what was shown",
	"where a window starts, beyond the radius: a start k radii away costs k times as much",
}

// Guarantee implements [mechanism.Mechanism]. It is about one window that is
// replaced by any other whose first position lies within the radius.
func (m DPGazeSynth) Guarantee() dp.Guarantee {
	unit := m.Area.Unit
	if unit == "" {
		unit = pixels
	}
	g := dp.Guarantee{
		Measure: dp.Pure, Epsilon: m.Epsilon, Unit: dp.Window, Neighbours: dp.StartWithin, Radius: m.Radius, RadiusUnit: unit,
		Model: dp.Local, Unprotected: unprotected,
	}
	r, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Radius = r.Radius
	if m.Published {
		return g.Voided(runsFault).Voided(movesFault)
	}
	return g
}

// Plan implements [mechanism.Mechanism].
func (m DPGazeSynth) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "gaze/dpgazesynth", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	if m.Published {
		p.Calibration = mechanism.Published
	}
	r, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	s, err := newStarts(r.epsilons[0], r.Radius)
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	p.Noise = mechanism.Noise{Law: "planar laplace", Scale: 1 / s.rate, Sigma: math.Sqrt(3) / s.rate, Grid: s.step}
	p.Sensitivity = mechanism.Sensitivity{L1: math.Sqrt2 * r.Radius, L2: r.Radius}
	p.Parameters = r.parameters()
	p.Composed = r.composed(p.Guarantee)
	return p
}

// composed is what the guarantee amounts to for those who do not care where a
// window starts, and for all windows of a recording.
func (r *resolved) composed(g dp.Guarantee) map[string]dp.Guarantee {
	any := g
	any.Neighbours, any.Radius, any.RadiusUnit = dp.ReplaceOne, 0, ""
	any.Unprotected = unprotected[:len(unprotected)-1]
	if diagonal := math.Hypot(r.Area.Width, r.Area.Height); diagonal > r.Radius {
		any.Epsilon = dp.RoundUp(r.epsilons[0]*diagonal/r.Radius + r.epsilons[1] + r.epsilons[2])
	}
	out := map[string]dp.Guarantee{"window-any": any}
	if r.Windows > 0 {
		whole := any.Group(r.Windows)
		whole.Unit = dp.Recording
		out["recording"] = whole
	}
	return out
}

func (r *resolved) parameters() map[string]string {
	p := map[string]string{
		"window": r.Window.String(), "radius": format(r.Radius) + r.Area.Unit, "radius-rule": r.RadiusRule, "grid": strconv.Itoa(r.Grid),
		"width": format(r.Area.Width), "height": format(r.Area.Height),
		"epsilon-start": format(r.epsilons[0]), "epsilon-saccades": format(r.epsilons[1]), "epsilon-moves": format(r.epsilons[2]),
	}
	if r.Published {
		p["samples"], p["epsilon-move"] = strconv.Itoa(r.samples), format(r.moveEpsilon())
		p["run-noise"] = format(r.runScale()/runSteps) + " samples"
		p["positions"] = "brought onto the screen"
		if r.Unclamped {
			p["positions"] = "left where the noise put them"
		}
		return p
	}
	p["oracle"], p["levels"], p["aim"] = r.Oracle, strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Levels), " ", ","), "[]"), r.Aim
	if r.Area.Unit == pixels {
		p["pixels-per-degree"] = format(r.PerDegree)
	}
	return p
}

// format is a public parameter as people read it.
func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
