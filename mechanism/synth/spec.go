package synth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
)

// Specs lists the mechanisms of this room.
func Specs() []mechanism.Spec { return []mechanism.Spec{spec()} }

func spec() mechanism.Spec {
	return mechanism.Spec{
		Name:    "gaze/dpgazesynth",
		Summary: "windows start where planar Laplace noise says; a model of what all devices answer fills in the paths",
		Source:  "Ren et al. 2024, corrected: gazeward, mechanism/synth/PROOF.md",
		Fields: []mechanism.Field{
			{Name: "epsilon", Kind: mechanism.Number, Doc: "privacy loss ε of a window that is replaced by another one that starts within the radius"},
			{Name: "window", Kind: mechanism.Duration, Default: "500ms", Doc: "w: span of time that is protected"},
			{Name: "radius", Kind: mechanism.Length, Optional: true, Doc: "r: how far the first position of a window may lie at the price of its share of ε"},
			{Name: "radius-rule", Kind: mechanism.Choice, Default: RadiusFree, Choices: []string{RadiusFree, RadiusEq8, RadiusTable2},
				Doc: "free: as given; eq8: a sixth of a cell, table2: three cells, as the paper's equation 8 and its Table 2 have it"},
			{Name: "grid", Kind: mechanism.Count, Default: "30", Unit: "cells along a side", Doc: "G: moves are between cells of a G × G grid"},
			{Name: "width", Kind: mechanism.Number, Unit: "px or deg", Doc: "width of the screen"},
			{Name: "height", Kind: mechanism.Number, Unit: "px or deg", Doc: "height of the screen"},
			{Name: "rate", Kind: mechanism.Number, Unit: "Hz", Optional: true, Doc: "nominal samples per second; needed as published"},
			{Name: "split", Kind: mechanism.Text, Default: "0.6,0.2,0.2", Doc: "shares of ε for first positions, saccades (as published: run lengths) and moves"},
			{Name: "oracle", Kind: mechanism.Choice, Default: "subset", Choices: oracle.Names(), Doc: "frequency oracle of saccades and moves"},
			{Name: "levels", Kind: mechanism.Text, Optional: true, Doc: "grids on which moves are asked, coarse to fine, for example 1,6; default by total"},
			{Name: "total", Kind: mechanism.Count, Default: "0", Unit: "windows", Doc: "expected in all recordings, public; 0: not known"},
			{Name: "windows", Kind: mechanism.Count, Default: "0", Doc: "of one recording, public: the plan says what ε is for all of them; 0: not stated"},
			{Name: "aim", Kind: mechanism.Choice, Default: AimPaths, Choices: []string{AimPaths, AimPositions},
				Doc: "what paths are drawn for, of one release and at no cost: the density of gaze with durations and amplitudes, or the least error at each sample"},
			{Name: "pixels-per-degree", Kind: mechanism.Number, Optional: true, Unit: "px", Doc: "scale of the screen, for the speed of saccades; default a 57th of the width"},
			{Name: "calibration", Kind: mechanism.Choice, Default: mechanism.Guaranteed, Choices: []string{mechanism.Guaranteed, mechanism.Published},
				Doc: "published: the paper's mechanism, whose guarantee is void"},
			{Name: "clamp", Kind: mechanism.Choice, Default: "yes", Choices: []string{"yes", "no"}, Doc: "as published: whether noisy first positions are brought onto the screen"},
		},
		New:   build,
		Suite: suite(),
	}
}

func build(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := DPGazeSynth{
		Epsilon: p.Number("epsilon"), Window: p.Duration("window"), RadiusRule: p.Text("radius-rule"), Grid: p.Count("grid"),
		Area: Area{Unit: pixels, Width: p.Number("width"), Height: p.Number("height")}, Rate: gaze.Hertz(optional(p, "rate")),
		Oracle: p.Text("oracle"), Total: p.Count("total"), Windows: p.Count("windows"), Aim: p.Text("aim"), PerDegree: optional(p, "pixels-per-degree"),
		Published: p.Text("calibration") == mechanism.Published, Unclamped: p.Text("clamp") == "no",
	}
	switch l := p.Length("radius"); l.Unit {
	case gaze.LengthDegrees:
		m.Area.Unit, m.Radius = degrees, l.Value
	default:
		m.Radius = p.Pixels("radius")
	}
	if m.Area.Unit == degrees {
		m.PerDegree = 0
	}
	split, levels := p.Text("split"), p.Text("levels")
	if err := p.Err(); err != nil {
		return nil, err
	}
	if err := m.parse(split, levels); err != nil {
		return nil, err
	}
	if m.Window == 0 || m.Grid == 0 { // what was typed as zero is no default
		return nil, fmt.Errorf("synth: window and grid must be positive, got %v and %d", m.Window, m.Grid)
	}
	return m, m.Check()
}

// parse reads the lists.
func (m *DPGazeSynth) parse(split, levels string) error {
	parts := strings.Split(split, ",")
	if len(parts) != len(m.Split) {
		return fmt.Errorf("synth: split must have 3 parts, got %d", len(parts))
	}
	for i, s := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return fmt.Errorf("synth: split must be numbers with commas between them, got %.20q", s)
		}
		m.Split[i] = v
	}
	if levels == "" {
		return nil
	}
	for _, s := range strings.Split(levels, ",") {
		g, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return fmt.Errorf("synth: levels must be whole numbers with commas between them, got %.20q", s)
		}
		m.Levels = append(m.Levels, g)
	}
	return nil
}

// optional is a number; 0 when absent, and never when given: a typed zero is
// refused by Check as too small.
func optional(p mechanism.Params, name string) float64 {
	v := p.Number(name)
	switch {
	case math.IsNaN(v):
		return 0
	case v == 0:
		return math.SmallestNonzeroFloat64
	}
	return v
}
