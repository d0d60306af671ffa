package studio

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

// heatPreview keeps what does not change while a slider moves.
type heatPreview struct {
	clean  cache[*heatmap.Release] // simulated people, hardly any noise
	truth  cache[*heatmap.Release] // and their map without clip and noise
	exact  cache[*heatmap.Release] // finished pictures
	reach  cache[[]float64]        // over how many places people look
	ready  sync.Map                // canvases whose clean maps are there for the whole slider
	normal normals
}

type heatView struct {
	p *previews
	h *heatPreview
}

func (v *heatView) shows(*choice) []string { return nil }
func (v *heatView) sketches(*choice) bool  { return true }

// before is the mean map without clip and noise.
func (v *heatView) before(c *choice, _ string) (picture, error) {
	m, err := v.mechanism(c)
	if err != nil {
		return picture{}, err
	}
	r, err := v.truth(m)
	if err != nil {
		return picture{}, err
	}
	return v.picture(r, r.Peak, 0, "without noise"), nil
}

// after adds the noise of the choice to the same people's clipped maps. The
// sketch is smoothed by a spectral filter, in milliseconds; the other picture
// is made as the release's would be.
func (v *heatView) after(c *choice, _ string, sketch bool) (picture, error) {
	m, err := v.mechanism(c)
	if err != nil {
		return picture{}, err
	}
	truth, err := v.truth(m)
	if err != nil {
		return picture{}, err
	}
	var r *heatmap.Release
	if sketch {
		r, err = v.noisy(m, true)
	} else {
		r, err = v.h.exact.get(keyOf(m), func() (*heatmap.Release, error) { return v.noisy(m, false) })
	}
	if err != nil {
		return picture{}, err
	}
	return v.picture(r, truth.Peak, floors*r.NoiseFloor, "as it would be released"), nil
}

// floors is how many standard errors make the noise floor that people are
// shown, as in a release.
const floors = 2

// mechanism is the choice's, for one picture.
func (v *heatView) mechanism(c *choice) (heatmap.Mechanism, error) {
	m, err := c.build()
	if err != nil {
		return nil, err
	}
	h, ok := m.(heatmap.Mechanism)
	if !ok {
		return nil, fmt.Errorf("studio: %s makes no heatmap", c.Spec.Name)
	}
	if canvas, _, _, _ := shapeOf(h); canvas.Width > maxSide || canvas.Height > maxSide || canvas.Cols()*canvas.Rows() > mostCells {
		return nil, refuse("There is no preview of a map with so many cells.", "The figures below hold. Larger cells lose nothing that the blur leaves.")
	}
	return h, nil
}

// mostCells bounds the maps of previews: a screen of 4K with a cell per four
// pixels, or a smaller one with a cell per pixel.
const mostCells = 2_500_000

// maps are the simulated people's, in order.
func (v *heatView) maps(canvas heatmap.Canvas, n int, share bool) (heatmap.Maps, error) {
	people, err := v.p.cohort()
	if err != nil {
		return nil, err
	}
	scene := previewScene()
	g := canvas.Grid()
	fx, fy := canvas.Width/scene.Width, canvas.Height/scene.Height
	return func(yield func([]float64) bool) {
		dense := g.New()
		for _, r := range people[:min(n, len(people))] {
			clear(dense)
			dwell(dense, g, r, fx, fy, share)
			if !yield(dense) {
				return
			}
		}
	}, nil
}

// dwell writes the time that a simulated person looked at each cell, or its
// share.
func dwell(dst []float64, g grid.Grid, r *gaze.Recording, fx, fy float64, share bool) {
	track, _, _ := r.Best()
	step, total := 1/float64(previewRate), 0.0
	for i, x := range track.X {
		if cell, ok := g.Index(x*fx, track.Y[i]*fy); ok {
			dst[cell] += step
			total += step
		}
	}
	if share && total > 0 {
		for i := range dst {
			dst[i] /= total
		}
	}
}

// truth is the mean without noise and clip.
func (v *heatView) truth(m heatmap.Mechanism) (*heatmap.Release, error) {
	canvas, blur, n, share := shapeOf(m)
	return v.h.truth.get(keyOf(canvas, blur, n, share), func() (*heatmap.Release, error) {
		maps, err := v.maps(canvas, n, share)
		if err != nil {
			return nil, err
		}
		return heatmap.NoiseFree(min(n, previewPeople), canvas, blur).Release(maps, noise.Seeded(1))
	})
}

// shapeOf is a mechanism's canvas for one picture, its blur and its subjects.
func shapeOf(m heatmap.Mechanism) (c heatmap.Canvas, blur float64, n int, share bool) {
	switch m := m.(type) {
	case heatmap.HalfBlur:
		c, blur, n, share = m.Canvas, m.Blur, m.Subjects, true
	case heatmap.Additive:
		c, blur, n = m.Canvas, m.Blur, m.Subjects
	case heatmap.Selection:
		c, blur, n = m.Canvas, m.Blur, m.Subjects
	}
	c.Stimuli, c.Steps = 0, 0
	return c, blur, n, share
}

// noisy is one release of the simulated people.
func (v *heatView) noisy(m heatmap.Mechanism, sketch bool) (*heatmap.Release, error) {
	switch m := m.(type) {
	case heatmap.HalfBlur:
		return v.halfBlur(m, sketch)
	case heatmap.Additive:
		return v.additive(m)
	}
	canvas, _, n, share := shapeOf(m)
	maps, err := v.maps(canvas, n, share)
	if err != nil {
		return nil, err
	}
	if s, ok := m.(heatmap.Selection); ok {
		s.Canvas, s.Subjects = canvas, min(n, previewPeople)
		m = s
	}
	return m.Release(maps, noise.Seeded(1))
}

// almostNone is an ε at which the noise lies below what a picture shows: it
// makes the clean sums, with the mechanism's own clip and grid.
const almostNone = 1e6

// halfBlur keeps the query blur on a fine scale of its own, so that
// neighbouring ε share their clean maps.
func (v *heatView) halfBlur(m heatmap.HalfBlur, sketch bool) (*heatmap.Release, error) {
	free := m.Query == 0
	m, err := quantised(m)
	if err != nil {
		return nil, err
	}
	r, err := v.cleanHalfBlur(m)
	if err != nil {
		return nil, err
	}
	if free && !sketch {
		v.getReady(m)
	}
	p := m.Plan()
	// a frame of a film holds a part of the looking time, but all of the noise
	return v.render(r, p, p.Noise.Sigma*float64(max(m.Canvas.Steps, 1)), m.Picture, sketch)
}

// quantised rounds the query blur.
func quantised(m heatmap.HalfBlur) (heatmap.HalfBlur, error) {
	query, err := lengthOf(m.Plan().Parameters["query"])
	m.Query = math.Max(m.Canvas.Cell, math.Exp(math.Round(math.Log(query)*25)/25))
	return m, err
}

// getReady makes the clean maps of the whole slider while it rests.
func (v *heatView) getReady(m heatmap.HalfBlur) {
	key := m
	key.Epsilon, key.Query = 0, 0
	if _, before := v.h.ready.LoadOrStore(keyOf(key), true); before {
		return
	}
	go func() {
		for at := 0.0; at <= sliderSteps; at += sliderSteps / 40 {
			other := key
			other.Epsilon = sliderLow * math.Pow(sliderHigh/sliderLow, at/sliderSteps)
			if other, err := quantised(other); err == nil {
				_, _ = v.cleanHalfBlur(other)
			}
		}
	}()
}

// cleanHalfBlur is the simulated people's clipped mean with hardly any noise.
func (v *heatView) cleanHalfBlur(m heatmap.HalfBlur) (*heatmap.Release, error) {
	clean := m
	clean.Epsilon, clean.Seen, clean.TimeBlur, clean.Subjects = almostNone, 0, 0, min(m.Subjects, previewPeople)
	clean.Canvas.Stimuli, clean.Canvas.Steps = 0, 0
	clean.Delta, clean.Picture = 0.5, heatmap.Picture{Method: heatmap.PicturePlain}
	return v.h.clean.get(keyOf(clean), func() (*heatmap.Release, error) {
		maps, err := v.maps(clean.Canvas, clean.Subjects, false)
		if err != nil {
			return nil, err
		}
		return clean.Release(maps, noise.Seeded(1))
	})
}

// lengthOf reads a length of a plan, in px.
func lengthOf(text string) (float64, error) {
	l, err := gaze.ParseLength(text)
	if err == nil && !(l.Value > 0) {
		err = fmt.Errorf("studio: a plan without a length where one is needed")
	}
	return l.Value, err
}

// render adds noise of the given deviation to clean numbers.
func (v *heatView) render(clean *heatmap.Release, p mechanism.Plan, sigma float64, how heatmap.Picture, sketch bool) (*heatmap.Release, error) {
	raw := slices.Clone(clean.Raw)
	for i, z := range v.h.normal.first(len(raw)) {
		raw[i] += sigma * z
	}
	shape := clean.Shape
	shape.Sigma = sigma
	if sketch && (how.Method == "" || how.Method == heatmap.PictureBest || how.Method == heatmap.PictureLogGaussian) {
		r, err := heatmap.Render(raw, shape, heatmap.Picture{Method: heatmap.PictureSpectral})
		if err == nil {
			r.NoiseFloor = quickError(r.Maps[0], p.Expected)
		}
		return r, err
	}
	r, err := heatmap.Render(raw, shape, how)
	if err != nil || sketch {
		return r, err
	}
	r.Plan = p
	return r, r.EstimateError()
}

// quickError is the error that a picture of the expected correlation has:
// √(1 − CC²) of the truth's variation.
func quickError(values []float64, e *mechanism.Expected) float64 {
	if e == nil || e.CC <= 0 || e.CC >= 1 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
		squares += v * v / float64(len(values))
	}
	return math.Sqrt(math.Max(0, squares-mean*mean)) / e.CC * math.Sqrt(1-e.CC*e.CC)
}

// additive is the same for noise on every cell.
func (v *heatView) additive(m heatmap.Additive) (*heatmap.Release, error) {
	p := m.Plan()
	clean := m
	clean.Epsilon, clean.Subjects, clean.Published = almostNone, min(m.Subjects, previewPeople), false
	clean.Canvas.Stimuli, clean.Canvas.Steps = 0, 0
	clean.Picture = heatmap.Picture{Method: heatmap.PicturePlain}
	r, err := v.h.clean.get(keyOf(clean), func() (*heatmap.Release, error) {
		maps, err := v.maps(clean.Canvas, clean.Subjects, false)
		if err != nil {
			return nil, err
		}
		return clean.Release(maps, noise.Seeded(1))
	})
	if err != nil {
		return nil, err
	}
	return v.render(r, p, p.Noise.Sigma, m.Picture, false)
}

// picture is a map as an overlay of the whole screen.
func (v *heatView) picture(r *heatmap.Release, peak, floor float64, how string) picture {
	c := r.Shape.Canvas
	o := report.Overlay{
		Cols: c.Cols(), Rows: c.Rows(), Cell: c.Cell, Width: int(c.Width), Height: int(c.Height),
		Values: r.Maps[0], NoiseFloor: floor, Peak: peak,
	}
	below := 0
	for _, x := range o.Values {
		if x < floor {
			below++
		}
	}
	alt := fmt.Sprintf("Heatmap of simulated people in front of a shop window, %s.", how)
	if floor > 0 {
		alt = strings.TrimSuffix(alt, ".") + fmt.Sprintf("; %.0f %% of the area cannot be told from noise.", 100*float64(below)/float64(len(o.Values)))
	}
	return picture{draw: func(w io.Writer) error { return o.WritePNG(w) }, alt: alt, overlay: true}
}
