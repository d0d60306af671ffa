package stream

import (
	"errors"
	"math"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
)

var nan = math.NaN()

var (
	errZero    = errors.New("stream: skip and test share must be positive, got zero")
	errEvery   = errors.New("stream: every must be positive, got zero")
	errNothing = errors.New("stream: no sample has a position")
)

// Specs lists the mechanisms of this room, the default first.
func Specs() []mechanism.Spec {
	return []mechanism.Spec{fixedSpec(), kaleidoSpec(), jitterSpec(), keepSpec(), coarseSpec()}
}

// Names of the mechanisms.
const (
	kaleidoName = "gaze/kaleido"
	fixedName   = "gaze/fixed"
	jitterName  = "gaze/jitter"
	keepName    = "gaze/temporal"
	coarseName  = "gaze/spatial"
)

// Choices as they are typed.
const (
	surfacePlane  = "plane"
	surfaceSphere = "sphere"
	smoothOff     = "off"
	smoothFilter  = "filter"
	smoothGlide   = "glide"
)

var (
	fieldEpsilon = mechanism.Field{Name: "epsilon", Kind: mechanism.Number, Doc: "privacy loss ε for gaze that moves by the radius within one window"}
	fieldWindow  = mechanism.Field{Name: "window", Kind: mechanism.Duration, Default: "500ms", Doc: "w: span of time that is protected"}
	fieldRadius  = mechanism.Field{Name: "radius", Kind: mechanism.Length, Doc: "r: how far gaze may move at the price of ε"}
	fieldSurface = mechanism.Field{Name: "surface", Kind: mechanism.Choice, Default: surfacePlane, Choices: []string{surfacePlane, surfaceSphere},
		Doc: "a screen, or directions around the head (radius in deg)"}
	fieldWidth  = mechanism.Field{Name: "width", Kind: mechanism.Number, Optional: true, Unit: "px or deg", Doc: "width of the screen that positions are clamped to; default not clamped"}
	fieldSmooth = mechanism.Field{Name: "smooth", Kind: mechanism.Choice, Optional: true, Choices: []string{smoothOff, smoothFilter, smoothGlide},
		Doc: "what follows the noise, at no price: filter weighs positions by their noise, glide also moves between them; default filter where the screen is known, off as published"}
	fieldGlide  = mechanism.Field{Name: "glide", Kind: mechanism.Duration, Default: "40ms", Doc: "time constant of smooth glide"}
	fieldHeight = mechanism.Field{Name: "height", Kind: mechanism.Number, Optional: true, Unit: "px or deg", Doc: "height of that screen"}
)

func kaleidoSpec() mechanism.Spec {
	s := mechanism.Spec{
		Name:    kaleidoName,
		Summary: "a noisy test decides whether to repeat the last position or to publish a new one; a ledger bounds every window",
		Source:  "Li et al. 2021, corrected: gazeward, mechanism/stream/PROOF.md",
		Fields: []mechanism.Field{
			fieldEpsilon, fieldWindow, fieldRadius,
			{Name: "skip", Kind: mechanism.Duration, Default: "50ms", Doc: "least time between two tests"},
			{Name: "test-share", Kind: mechanism.Number, Default: "0.5", Doc: "share of ε for tests, 1/h"},
			{Name: "threshold", Kind: mechanism.Length, Optional: true, Doc: "distance within which the last position is said again; default half the radius"},
			{Name: "publications", Kind: mechanism.Count, Optional: true, Doc: "publications per window, of equal ε; 0: each has half of what is left, as published; default 2"},
			fieldSmooth, fieldGlide, fieldSurface, fieldWidth, fieldHeight,
			{Name: "calibration", Kind: mechanism.Choice, Default: mechanism.Guaranteed, Choices: []string{mechanism.Guaranteed, mechanism.Published},
				Doc: "published: the paper's constants, whose guarantee is void"},
		},
		New: newKaleido,
		Suite: suite(map[string]string{"epsilon": "1", "window": "50ms", "skip": "60ms", "radius": "50px", "test-share": "0.01", "publications": "1"},
			map[string]string{"skip": "1ns"}, map[string]string{"skip": "-1ms"}, map[string]string{"test-share": "0"}, map[string]string{"test-share": "1"},
			map[string]string{"threshold": "5%"}, map[string]string{"publications": "7"}, map[string]string{"publications": "1", "calibration": "published"}),
	}
	s.Suite.Faults = []mechanism.Fault{printedTestScale()}
	return s
}

func newKaleido(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Kaleido{
		Epsilon: p.Number("epsilon"), Window: p.Duration("window"), Skip: p.Duration("skip"), TestShare: p.Number("test-share"),
		Publications: p.Count("publications"), Published: p.Text("calibration") == mechanism.Published,
	}
	m.Radius, m.Surface = surface(p)
	m.Smooth = smoothing(p, m.Surface, m.Published)
	m.Threshold = lengthIn(p, "threshold", m.Surface.Unit)
	if err := p.Err(); err != nil {
		return nil, err
	}
	// What was typed as zero is no default.
	if m.Skip == 0 || m.TestShare == 0 {
		return nil, errZero
	}
	if !m.Published && !p.Given("publications") {
		m.Publications = min(defaultPublications, looks(m.Window, m.Skip))
	}
	return m, m.Check()
}

// defaultPublications per window: with half the budget for each, noise and age of
// the output are about even at ε = 1 to 3; the paper's halving leaves late
// publications nothing.
const defaultPublications = 2

func fixedSpec() mechanism.Spec {
	return mechanism.Spec{
		Name:    fixedName,
		Summary: "a new position on a schedule, without tests: all of ε goes to the positions",
		Source:  "gazeward, mechanism/stream/PROOF.md",
		Fields: []mechanism.Field{
			fieldEpsilon, fieldWindow, fieldRadius,
			{Name: "every", Kind: mechanism.Duration, Optional: true, Doc: "time between publications; default what is expected to be nearest to the gaze"},
			fieldSmooth, fieldGlide, fieldSurface, fieldWidth, fieldHeight,
		},
		New: newFixed,
		Suite: suite(map[string]string{"epsilon": "1", "window": "50ms", "every": "60ms", "radius": "50px"},
			map[string]string{"every": "1ns"}, map[string]string{"every": "0s"}, map[string]string{"every": "-1s"}),
	}
}

func newFixed(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Fixed{Epsilon: p.Number("epsilon"), Window: p.Duration("window"), Every: p.Duration("every")}
	m.Radius, m.Surface = surface(p)
	m.Smooth = smoothing(p, m.Surface, false)
	if err := p.Err(); err != nil {
		return nil, err
	}
	if p.Given("every") && m.Every == 0 {
		return nil, errEvery // what was typed as zero is no default
	}
	return m, m.Check()
}

// smoothing is the choice, or its default.
func smoothing(p mechanism.Params, s Surface, published bool) Smooth {
	choice := p.Text("smooth")
	if choice == "" && !published && (s.Width > 0 || s.Sphere) {
		choice = smoothFilter
	}
	switch glide := p.Duration("glide"); choice {
	case smoothGlide:
		return Smooth{Filter: s.Width > 0 || s.Sphere, Glide: glide}
	case smoothFilter:
		return Smooth{Filter: true}
	}
	return Smooth{}
}

// surface reads the radius and what it is measured on.
func surface(p mechanism.Params) (radius float64, s Surface) {
	l := p.Length("radius")
	s = Surface{Unit: pixels, Sphere: p.Text("surface") == surfaceSphere, Width: optional(p.Number("width")), Height: optional(p.Number("height"))}
	if l.Unit == gaze.LengthDegrees {
		s.Unit = degrees
	}
	return lengthIn(p, "radius", s.Unit), s
}

// lengthIn is a length in the unit of positions; 0 when absent.
func lengthIn(p mechanism.Params, name, unit string) float64 {
	if l := p.Length(name); l.Unit == gaze.LengthDegrees && unit == degrees {
		return l.Value
	}
	return p.Pixels(name)
}

func optional(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
