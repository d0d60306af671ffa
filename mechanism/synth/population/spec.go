package population

import (
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// Names of the mechanisms.
const (
	centralName = "synthesis/population-central"
	localName   = "synthesis/population-local"
)

// Specs lists the mechanisms of this room, the default first.
func Specs() []mechanism.Spec { return []mechanism.Spec{centralSpec(), localSpec()} }

var (
	budgetFields = []mechanism.Field{
		{Name: "epsilon", Kind: mechanism.Number, Doc: "privacy loss ε of the whole release, per subject"},
		{Name: "subjects", Kind: mechanism.Count, Unit: "people", Doc: "enrolled subjects n; public"},
	}
	deltaField  = mechanism.Field{Name: "delta", Kind: mechanism.Number, Optional: true, Doc: "δ: probability that ε fails; default n^-1.5"}
	blurField   = mechanism.Field{Name: "blur", Kind: mechanism.Length, Optional: true, Doc: "standard deviation of the blur before the noise; default from public numbers"}
	shapeFields = []mechanism.Field{
		{Name: "width", Kind: mechanism.Count, Unit: "px", Doc: "width of the screen"},
		{Name: "height", Kind: mechanism.Count, Unit: "px", Doc: "height of the screen"},
		{Name: "pixels-per-degree", Kind: mechanism.Number, Unit: "px", Doc: "scale of the flat screen; from its geometry, or stated: never guessed"},
		{Name: "columns", Kind: mechanism.Count, Default: "60", Doc: "columns of cells of the dwell density"},
		{Name: "rows", Kind: mechanism.Count, Default: "60", Doc: "rows of cells"},
		{Name: "duration-bins", Kind: mechanism.Count, Default: "24", Doc: "logarithmic bins of the time between saccades, 0.02 to 30 s"},
		{Name: "amplitude-bins", Kind: mechanism.Count, Default: "14", Doc: "logarithmic bins of saccade amplitudes, 0.3 to 40 deg"},
		{Name: "direction-bins", Kind: mechanism.Count, Default: "12", Doc: "sectors of saccade directions"},
	}
	localFields = []mechanism.Field{
		{Name: "side", Kind: mechanism.Count, Optional: true, Unit: "blocks", Doc: "blocks of cells along a side that a place is told by; default from public numbers"},
		{Name: "oracle", Kind: mechanism.Choice, Default: "subset", Choices: oracle.Names(), Doc: "frequency oracle of the devices"},
	}
	priorFields = []mechanism.Field{
		{Name: "prior", Kind: mechanism.Choice, Default: PriorUniform, Choices: []string{PriorUniform, PriorCentre, PriorLayout}, Doc: "public prior of where people look"},
		{Name: "layout", Kind: mechanism.Text, Optional: true, Doc: "boxes of the page or picture as x,y,width,height[,weight] in px, separated by semicolons or lines, for prior layout"},
		{Name: "laws", Kind: mechanism.Choice, Default: LawsViewing, Choices: []string{LawsViewing, LawsReading}, Doc: "published laws of durations, amplitudes and directions as prior"},
	}
	outputFields = []mechanism.Field{
		{Name: "recordings", Kind: mechanism.Count, Optional: true, Doc: "synthetic recordings; default as many as subjects, at most 1000"},
		{Name: "duration", Kind: mechanism.Duration, Default: "30s", Doc: "length of each"},
		{Name: "rate", Kind: mechanism.Number, Default: "250", Unit: "Hz", Doc: "sampling rate"},
		{Name: "blinks", Kind: mechanism.Number, Default: "15", Unit: "per minute", Doc: "blinks; a public habit, not read off the data"},
	}
)

func centralSpec() mechanism.Spec {
	return mechanism.Spec{
		Name:    centralName,
		Summary: "nobody's gaze, from one noisy mean over all subjects",
		Source:  "gazeward, mechanism/synth/population/PROOF.md",
		Fields:  slices.Concat(budgetFields, []mechanism.Field{deltaField, blurField}, shapeFields, priorFields, outputFields),
		New:     newCentral,
		Suite:   centralSuite(),
	}
}

func localSpec() mechanism.Spec {
	return mechanism.Spec{
		Name:    localName,
		Summary: "nobody's gaze, from one answer of every subject's own device",
		Source:  "gazeward, mechanism/synth/population/PROOF.md",
		Fields:  slices.Concat(budgetFields, shapeFields, localFields, priorFields, outputFields),
		New:     newLocal,
		Suite:   localSuite(),
	}
}

func newLocal(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Local{Epsilon: p.Number("epsilon"), Subjects: p.Count("subjects"), Shape: shape(p), Side: p.Count("side"), Oracle: p.Text("oracle"), Output: output(p)}
	prior, err := prior(p)
	if err := p.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	m.Prior = prior
	if err := refuseZeros(p); err != nil {
		return nil, err
	}
	return m, m.Check()
}

func newCentral(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Central{
		Epsilon: p.Number("epsilon"), Subjects: p.Count("subjects"), Shape: shape(p), Blur: p.Pixels("blur"), Output: output(p),
	}
	delta := p.Number("delta")
	prior, err := prior(p)
	if err := p.Err(); err != nil {
		return nil, err
	}
	if p.Given("delta") {
		if m.Delta = delta; delta == 0 {
			return nil, fmt.Errorf("%s: delta must be positive, got 0", centralName)
		}
	}
	if err != nil {
		return nil, err
	}
	m.Prior = prior
	if err := refuseZeros(p); err != nil {
		return nil, err
	}
	return m, m.Check()
}

// refuseZeros refuses what was typed as zero and would become a default.
func refuseZeros(p mechanism.Params) error {
	for _, name := range []string{"columns", "rows", "duration-bins", "amplitude-bins", "direction-bins", "recordings"} {
		if p.Given(name) && p.Count(name) == 0 {
			return fmt.Errorf("population: %s must be at least 1, got 0", name)
		}
	}
	for _, name := range []string{"rate", "pixels-per-degree"} {
		if p.Number(name) == 0 {
			return fmt.Errorf("population: %s must be positive, got 0", name)
		}
	}
	if p.Duration("duration") == 0 {
		return fmt.Errorf("population: duration must be positive, got 0")
	}
	return nil
}

func shape(p mechanism.Params) Shape {
	return Shape{
		Screen:          gaze.Screen{Width: p.Count("width"), Height: p.Count("height")},
		PixelsPerDegree: p.Number("pixels-per-degree"), Columns: p.Count("columns"), Rows: p.Count("rows"),
		Durations: p.Count("duration-bins"), Amplitudes: p.Count("amplitude-bins"), Directions: p.Count("direction-bins"),
	}
}

// output reads what is generated; no blinks at all is −1 there.
func output(p mechanism.Params) Output {
	o := Output{Recordings: p.Count("recordings"), Length: p.Duration("duration"), Rate: gaze.Hertz(p.Number("rate")), BlinksPerMinute: p.Number("blinks")}
	if o.BlinksPerMinute == 0 {
		o.BlinksPerMinute = -1
	}
	return o
}

func prior(p mechanism.Params) (Prior, error) {
	out := Prior{Density: p.Text("prior"), Laws: p.Text("laws")}
	text := p.Text("layout")
	if text == "" {
		if out.Density == PriorLayout {
			return out, fmt.Errorf("population: prior %s needs a layout of boxes", PriorLayout)
		}
		return out, nil
	}
	var err error
	out.Boxes, err = ParseBoxes(text)
	return out, err
}

var suiteParams = map[string]string{
	"epsilon": "1", "subjects": "3", "width": "60", "height": "40", "pixels-per-degree": "10",
	"columns": "6", "rows": "4", "duration-bins": "3", "amplitude-bins": "2", "direction-bins": "2", "recordings": "1", "duration": "1s",
}

func suiteWith(more ...string) map[string]string {
	out := map[string]string{}
	for k, v := range suiteParams {
		out[k] = v
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// badParameters of both mechanisms.
var badParameters = []map[string]string{
	{"epsilon": "0"}, {"epsilon": "-1"}, {"subjects": "0"}, {"width": "0"}, {"height": "0"}, {"pixels-per-degree": "0"}, {"pixels-per-degree": "-3"},
	{"columns": "0"}, {"rows": "1000000"}, {"duration-bins": "0"}, {"amplitude-bins": "9999"}, {"direction-bins": "0"},
	{"prior": "layout"}, {"layout": "1,2,3,4"}, {"prior": "layout", "layout": "1,2,3"}, {"prior": "layout", "layout": "9999,0,5,5"},
	{"rate": "0"}, {"rate": "1e9"}, {"recordings": "0"}, {"duration": "0s"}, {"duration": "9999h"}, {"blinks": "600"},
}

func centralSuite() mechanism.Suite {
	return mechanism.Suite{
		Params: suiteWith("delta", "1e-3"),
		Bad:    append([]map[string]string{{"delta": "0"}, {"delta": "1"}, {"blur": "1e6px"}, {"blur": "1deg"}}, badParameters...),
		Inputs: func(m mechanism.Mechanism) map[string]any { return oddPeople(m.(Central).Shape, m.(Central).Subjects) },
		Run: func(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
			c, err := m.(Central).prepare()
			if err != nil {
				return mechanism.Output{}, err
			}
			return c.run(input, src)
		},
		Prepare: func(m mechanism.Mechanism) (mechanism.Runner, error) {
			c, err := m.(Central).prepare()
			return func(input any, src *noise.Source) (mechanism.Output, error) { return c.run(input, src) }, err
		},
		Zero: func(mechanism.Mechanism) any { return []*Person{} },
		Pair: centralPair,
	}
}

// run is the draw without what is made of it.
func (c *central) run(input any, src *noise.Source) (mechanism.Output, error) {
	people, ok := input.([]*Person)
	if !ok {
		return mechanism.Output{}, fmt.Errorf("population: want people, got %T", input)
	}
	raw, err := c.draw(people, src)
	return mechanism.Output{Values: raw, Guarantee: mechanism.Draw(c.plan, src).Guarantee}, err
}

// oddPeople are people that must break nothing.
func oddPeople(s Shape, subjects int) map[string]any {
	usual := func(cell int) *Person {
		return &Person{dwell: []dwell{{cell, 1}}, durations: make([]float64, s.Durations), steps: make([]float64, s.steps())}
	}
	odd := usual(0)
	odd.dwell = []dwell{{0, math.NaN()}, {1, math.Inf(1)}, {2, -1}, {3, 1e308}, {4, 5e-324}}
	odd.durations[0], odd.durations[1] = math.NaN(), -5
	for i := range odd.steps {
		odd.steps[i] = 1e308
	}
	many := make([]*Person, subjects+1)
	for i := range many {
		many[i] = usual(0)
	}
	misfit := usual(0)
	misfit.durations = misfit.durations[:1]
	return map[string]any{
		"nobody": []*Person{}, "people without data": []*Person{nil, {}}, "one place": []*Person{usual(0), usual(s.cells() - 1)},
		"odd numbers": []*Person{odd}, "cells outside": []*Person{usual(-1), usual(s.cells())}, "too many people": many, "another shape": []*Person{misfit},
	}
}

// centralPair is two people who share nothing.
func centralPair(m mechanism.Mechanism) mechanism.Pair {
	c, err := m.(Central).resolve()
	if err != nil {
		return mechanism.Pair{}
	}
	person := func(cell, run, step int) *Person {
		p := &Person{dwell: []dwell{{cell, 1}}, durations: make([]float64, c.Shape.Durations), steps: make([]float64, c.Shape.steps())}
		p.durations[run], p.steps[step] = 1, 1
		return p
	}
	a, b := person(0, 0, 0), person(c.Shape.cells()-1, c.Shape.Durations-1, c.Shape.steps()-1)
	x, y := make([]float64, c.len()), make([]float64, c.len())
	if c.vector(x, a) != nil || c.vector(y, b) != nil {
		return mechanism.Pair{}
	}
	return mechanism.Pair{A: []*Person{a}, B: []*Person{b}, Statistic: func(v []float64) float64 {
		s := 0.0
		for i := range v {
			s += (y[i] - x[i]) * v[i]
		}
		return s
	}}
}

func localSuite() mechanism.Suite {
	return mechanism.Suite{
		Params: suiteWith("amplitude-bins", "3", "direction-bins", "3"),
		Bad:    append([]map[string]string{{"epsilon": "41"}, {"side": "5000"}, {"oracle": "rappor"}}, badParameters...),
		Inputs: func(m mechanism.Mechanism) map[string]any { return oddPeople(m.(Local).Shape, m.(Local).Subjects) },
		Run: func(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
			l, err := m.(Local).prepare()
			if err != nil {
				return mechanism.Output{}, err
			}
			return l.run(input, src)
		},
		Prepare: func(m mechanism.Mechanism) (mechanism.Runner, error) {
			l, err := m.(Local).prepare()
			return func(input any, src *noise.Source) (mechanism.Output, error) { return l.run(input, src) }, err
		},
		Pair: localPair,
	}
}

// run is the reports without what is made of them.
func (l *local) run(input any, src *noise.Source) (mechanism.Output, error) {
	people, ok := input.([]*Person)
	if !ok {
		return mechanism.Output{}, fmt.Errorf("population: want people, got %T", input)
	}
	t, err := l.draw(people, src)
	if err != nil {
		return mechanism.Output{}, err
	}
	return mechanism.Output{Values: t.values(), Guarantee: mechanism.Draw(l.plan, src).Guarantee}, nil
}

// localPair is two people whose true answers lie in no common block.
func localPair(m mechanism.Mechanism) mechanism.Pair {
	l, err := m.(Local).resolve()
	if err != nil {
		return mechanism.Pair{}
	}
	s := &l.Shape
	ends := [2][Questions]int{{}, {s.cells() - 1, s.Durations - 1, s.Amplitudes - 1, s.Directions - 1}}
	var people [2]*Person
	for i, e := range ends {
		people[i] = &Person{dwell: []dwell{{e[0], 1}}, durations: make([]float64, s.Durations), steps: make([]float64, s.steps())}
		people[i].durations[e[1]], people[i].steps[e[2]*s.Directions+e[3]] = 1, 1
	}
	var weight []float64
	for _, o := range l.oracles {
		own := make([]float64, o.Domain())
		own[0], own[len(own)-1] = -1, 1
		weight = append(weight, own...)
	}
	return mechanism.Pair{A: people[:1], B: people[1:], Statistic: func(v []float64) float64 {
		s := 0.0
		for i, w := range weight {
			s += w * v[i]
		}
		return s
	}}
}
