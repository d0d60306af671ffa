package heatmap

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap/estimate"
)

// Methods of making a picture from a release. All of them are post-processing.
const (
	PictureBest        = "best"         // log-gaussian for what was blurred before the noise, else spectral
	PictureLogGaussian = "log-gaussian" // smooth density averaged by evidence; deconvolves
	PicturePlain       = "plain"        // the missing blur only: unbiased
	PictureThreshold   = "threshold"    // plain, minus Threshold noise floors, not below zero
	PictureSpectral    = "spectral"     // Wiener filter whose spectrum comes from the release
)

var methods = []string{PictureBest, PictureLogGaussian, PicturePlain, PictureThreshold, PictureSpectral}

// Picture says how a release becomes a picture.
type Picture struct {
	Method    string  // empty = the mechanism's default
	Threshold float64 // noise floors, for PictureThreshold; 0 = 2
	// Prior is the public density that log-gaussian pictures weigh against the
	// uniform one: PriorUniform (default) or PriorCentre.
	Prior string
}

// Public priors.
const (
	PriorUniform = "uniform"
	PriorCentre  = "centre" // people who view pictures freely look at their middle (estimate.Centre)
)

func (p Picture) name(otherwise string) string {
	if p.Method == "" {
		return otherwise
	}
	return p.Method
}

// resolve says which method makes the pictures of a release of this shape.
func (p Picture) resolve(s Shape) string {
	otherwise := PictureBest
	if s.Query == 0 {
		otherwise = PicturePlain
	}
	switch method := p.name(otherwise); {
	case method != PictureBest:
		return method
	case s.Query > 0:
		return PictureLogGaussian
	}
	return PictureSpectral
}

// What package estimate can make pictures of.
const (
	maxBlur  = 4096    // cells
	maxFrame = 1 << 26 // cells, with margins
)

// check refuses before anything is drawn what could not be shown afterwards.
func (p Picture) check(s Shape) error {
	cell := s.Canvas.Cell
	if s.Blur != 0 && !(s.Blur >= minLength && s.Blur/cell <= maxBlur) {
		return fmt.Errorf("heatmap: blur must be positive, or 0 for none, and at most %d cells of %v px, got %v px", maxBlur, cell, s.Blur)
	}
	if !(s.Query >= 0 && s.Query/cell <= maxBlur) {
		return fmt.Errorf("heatmap: query blur must be at most %d cells of %v px, got %v px", maxBlur, cell, s.Query)
	}
	if s.Canvas.Cols()*s.Canvas.Rows() > maxFrame {
		return fmt.Errorf("heatmap: a picture has at most %d cells, got %d × %d: choose larger cells", maxFrame, s.Canvas.Cols(), s.Canvas.Rows())
	}
	if !(p.Threshold >= 0 && p.Threshold <= 1e6) {
		return fmt.Errorf("heatmap: threshold must lie between 0 and 1e6 noise floors, got %v", p.Threshold)
	}
	if p.Prior != "" && p.Prior != PriorUniform && p.Prior != PriorCentre {
		return fmt.Errorf("heatmap: unknown prior %q: want %s or %s", p.Prior, PriorUniform, PriorCentre)
	}
	if !slices.Contains(methods, p.name(PictureBest)) {
		return fmt.Errorf("heatmap: unknown picture method %q: want one of %s", p.Method, strings.Join(methods, ", "))
	}
	return nil
}

// Shape is what a reader has to know of a release to make pictures of it:
// public numbers only.
type Shape struct {
	Canvas              Canvas
	Margin              int     // cells around each frame in Raw
	Lead                int     // steps before and after each film in Raw
	Sigma               float64 // standard deviation of the noise in one number of Raw
	Query, Blur         float64 // px: blur already applied, and blur of the picture
	TimeQuery, TimeBlur float64 // the same along time, in steps
	Mass                float64 // public total of a frame's dwell; 0 = not fixed
}

// Release is a private heatmap.
type Release struct {
	mechanism.Release
	// Raw is what was drawn: the noisy mean on the padded canvas, films of
	// frames of rows, in the contributions' unit per cell.
	Raw   []float64
	Shape Shape
	// Maps are the pictures, one of Rows × Cols per frame, stimulus by stimulus.
	Maps [][]float64
	// NoiseFloor is the standard deviation of the noise in a cell of the
	// unbiased picture, or of the error of the pictures as they were made
	// ([Release.EstimateError]); Peak is their largest value.
	NoiseFloor float64
	Peak       float64
	Method     string // how Maps were made

	picture Picture
}

// Render makes the pictures of a release anew. It costs no privacy.
func Render(raw []float64, s Shape, p Picture) (*Release, error) {
	r := &Release{Raw: raw, Shape: s}
	return r, r.render(p)
}

func (r *Release) render(p Picture) error {
	frames, sigma, err := r.frames()
	if err != nil {
		return err
	}
	r.picture, r.Method = p, p.resolve(r.Shape)
	r.Maps, r.Peak = make([][]float64, len(frames)), math.Inf(-1)
	for i, y := range frames {
		problem := r.problem(y, sigma)
		if r.NoiseFloor, err = estimate.NoiseFloor(problem); err != nil {
			return err
		}
		if r.Maps[i], err = p.draw(r.Method, problem); err != nil {
			return err
		}
		for _, v := range r.Maps[i] {
			r.Peak = math.Max(r.Peak, v)
		}
	}
	return nil
}

func (p Picture) draw(method string, problem estimate.Problem) ([]float64, error) {
	switch method {
	case PicturePlain:
		return estimate.Plain(problem)
	case PictureThreshold:
		k := p.Threshold
		if k == 0 {
			k = 2
		}
		return estimate.Threshold(problem, k)
	case PictureSpectral:
		return estimate.Spectral(problem)
	case PictureLogGaussian:
		picture, err := estimate.LogGaussian(problem)
		if err != nil {
			return nil, err
		}
		return picture.Map, nil
	}
	return nil, fmt.Errorf("heatmap: unknown picture method %q: want one of %s", method, strings.Join(methods, ", "))
}

// frames cuts Raw into padded frames, applying the blur along time that is
// still missing, and returns the noise deviation in one cell of them.
func (r *Release) frames() ([][]float64, float64, error) {
	s := r.Shape
	size := (s.Canvas.Cols() + 2*s.Margin) * (s.Canvas.Rows() + 2*s.Margin)
	steps := max(s.Canvas.Steps, 1)
	padded := steps + 2*s.Lead
	if size <= 0 || len(r.Raw) != max(s.Canvas.Stimuli, 1)*padded*size {
		return nil, 0, fmt.Errorf("heatmap: a release of this shape has %d numbers, got %d", max(s.Canvas.Stimuli, 1)*padded*size, len(r.Raw))
	}
	k := kernel(math.Sqrt(math.Max(0, s.TimeBlur*s.TimeBlur-s.TimeQuery*s.TimeQuery)))
	var out [][]float64
	for film := 0; film < len(r.Raw); film += padded * size {
		for t := range steps {
			out = append(out, blurTime(r.Raw[film:film+padded*size], k, t+s.Lead, size))
		}
	}
	energy := k[0] * k[0]
	for _, w := range k[1:] {
		energy += 2 * w * w
	}
	return out, s.Sigma * math.Sqrt(energy), nil
}

func blurTime(film []float64, k []float64, at, size int) []float64 {
	if len(k) == 1 {
		return film[at*size : (at+1)*size]
	}
	out := make([]float64, size)
	for d := -len(k) + 1; d < len(k); d++ {
		t := at + d
		if t < 0 || (t+1)*size > len(film) {
			continue
		}
		for i, v := range film[t*size : (t+1)*size] {
			out[i] += k[abs(d)] * v
		}
	}
	return out
}
