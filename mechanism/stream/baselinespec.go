package stream

import (
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
)

const davidJohn = "David-John et al. 2021, without a guarantee"

func jitterSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: jitterName, Summary: "Gaussian noise on every sample; no guarantee", Source: davidJohn,
		Fields: []mechanism.Field{
			{Name: "sigma", Kind: mechanism.Length, Doc: "standard deviation of one coordinate"},
			fieldSurface,
		},
		New:   func(p mechanism.Params) (mechanism.Mechanism, error) { return newBaseline(p, "sigma") },
		Suite: baselineSuite(map[string]string{"sigma": "20px"}, map[string]string{"sigma": "0px"}, map[string]string{"sigma": "5%"}, map[string]string{"sigma": "20px", "surface": "sphere"}),
	}
}

func keepSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: keepName, Summary: "every K-th sample; no guarantee", Source: davidJohn,
		Fields: []mechanism.Field{{Name: "keep", Kind: mechanism.Count, Unit: "samples", Doc: "K: every K-th sample is kept"}, fieldSurface},
		New:    func(p mechanism.Params) (mechanism.Mechanism, error) { return newBaseline(p, "keep") },
		Suite:  baselineSuite(map[string]string{"keep": "3"}, map[string]string{"keep": "0"}, map[string]string{"keep": "-1"}),
	}
}

func coarseSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: coarseName, Summary: "positions on a coarse grid; no guarantee", Source: davidJohn,
		Fields: []mechanism.Field{
			{Name: "coarse", Kind: mechanism.Count, Doc: "L: cells of L px of a panorama of 3840 × 2160 px over all directions, or as many over the screen"},
			fieldSurface, fieldWidth, fieldHeight,
		},
		New: func(p mechanism.Params) (mechanism.Mechanism, error) { return newBaseline(p, "coarse") },
		Suite: baselineSuite(map[string]string{"coarse": "64", "width": "100", "height": "100"},
			map[string]string{"coarse": "0"}, map[string]string{"coarse": "9999"}, map[string]string{"width": "", "height": ""}, map[string]string{"surface": "sphere"}),
	}
}

func newBaseline(p mechanism.Params, field string) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Baseline{Surface: Surface{Unit: pixels, Sphere: p.Text("surface") == surfaceSphere}}
	if m.Surface.Sphere && field != "sigma" {
		m.Surface.Unit = degrees
	}
	switch field {
	case "sigma":
		if p.Length("sigma").Unit == gaze.LengthDegrees {
			m.Surface.Unit = degrees
		}
		m.Jitter = lengthIn(p, "sigma", m.Surface.Unit)
	case "keep":
		m.Keep = p.Count("keep")
	default:
		m.Surface.Width, m.Surface.Height = optional(p.Number("width")), optional(p.Number("height"))
		m.Coarse = p.Count("coarse")
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return m, m.Check()
}

func baselineSuite(params map[string]string, bad ...map[string]string) mechanism.Suite {
	return mechanism.Suite{Params: params, Bad: bad, Inputs: oddRecordings, Run: runPaths}
}
