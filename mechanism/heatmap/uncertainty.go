package heatmap

import (
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/heatmap/estimate"
	"github.com/gazeward/gazeward/noise"
)

// replicates of a picture; their squared differences are averaged over all
// cells, so that few are enough.
const replicates = 8

// EstimateError replaces NoiseFloor by the standard error of the pictures as
// they were made, where the method smooths: for log-gaussian pictures from draws
// of the posterior (estimate.Picture.Sample), for spectral ones by taking the
// picture for the truth and releasing it again (parametric bootstrap; Efron
// 1982), which leaves out the structure that was smoothed away. Both are
// functions of the release and of public numbers: free. For methods that show the
// noise as it is NoiseFloor is exact already and stays.
//
// It is an estimate: on maps unlike anything the models hold possible (a few
// narrow peaks on a canvas of few blurs) the error may be several times larger.
func (r *Release) EstimateError() error {
	if r.Method == PictureLogGaussian || r.Method == PictureSpectral {
		if err := r.estimateError(); err != nil {
			return err
		}
	}
	r.Warnings = append(slices.Clip(r.Warnings), r.drowned()...)
	return nil
}

func (r *Release) estimateError() error {
	frames, sigma, err := r.frames()
	if err != nil || sigma == 0 {
		return err
	}
	sum, cells := 0.0, 0
	for i, y := range frames {
		again := r.posterior
		if r.Method == PictureSpectral {
			again = r.bootstrap
		}
		draw, err := again(y, r.Maps[i], sigma)
		if err != nil {
			return err
		}
		squares, err := average(draw, r.Maps[i], noise.Seeded(uint64(i)))
		if err != nil {
			return err
		}
		sum += squares
		cells += len(r.Maps[i])
	}
	r.NoiseFloor = math.Max(math.Sqrt(sum/float64(cells)), r.typicalError())
	return nil
}

// littleCC is where a release says too little to be asked how it errs.
const littleCC = 0.7

// typicalError is what a picture of this noise misses on simulated people, where
// a correlation of CC is expected: √(1 − CC²) of the truth's variation. The
// picture shows the part CC of that (this is what shrinking noise does); where
// the release says little, the variation of a typical map stands in. It guards
// against a release so noisy that nothing in it speaks against an even map.
func (r *Release) typicalError() float64 {
	if r.Plan.Expected == nil || r.Plan.Expected.CC <= 0 || r.Plan.Expected.CC >= 1 {
		return 0
	}
	cc, worst := r.Plan.Expected.CC, 0.0
	for _, m := range r.Maps {
		mean, squares := 0.0, 0.0
		for _, v := range m {
			mean += v / float64(len(m))
			squares += v * v / float64(len(m))
		}
		spread := math.Sqrt(math.Max(0, squares-mean*mean)) / cc
		if cc < littleCC {
			spread = math.Max(spread, typicalSpread*mean)
		}
		worst = math.Max(worst, spread)
	}
	return worst * math.Sqrt(1-cc*cc)
}

// redraw makes a picture that differs from the one shown as that one may differ
// from the truth.
type redraw func(src *noise.Source) ([]float64, error)

// average is the mean over the replicates of the sum of squared differences.
func average(draw redraw, picture []float64, src *noise.Source) (float64, error) {
	sums, errs := make([]float64, replicates), make([]error, replicates)
	var wg sync.WaitGroup
	for k := range replicates {
		own := src.Split()
		wg.Go(func() {
			again, err := draw(own)
			errs[k] = err
			for i, v := range again {
				sums[k] += (v - picture[i]) * (v - picture[i])
			}
		})
	}
	wg.Wait()
	total := 0.0
	for _, s := range sums {
		total += s / replicates
	}
	return total, errors.Join(errs...)
}

func (r *Release) posterior(y, _ []float64, sigma float64) (redraw, error) {
	p, err := estimate.LogGaussian(r.problem(y, sigma))
	if err != nil {
		return nil, err
	}
	return func(src *noise.Source) ([]float64, error) { return p.Sample(src), nil }, nil
}

func (r *Release) bootstrap(_, picture []float64, sigma float64) (redraw, error) {
	mean, err := r.expose(picture)
	if err != nil {
		return nil, err
	}
	return func(src *noise.Source) ([]float64, error) {
		y := make([]float64, len(mean))
		for i, v := range mean {
			y[i] = v + sigma*src.NormFloat64()
		}
		return r.picture.draw(r.Method, r.problem(y, sigma))
	}, nil
}

// drowned warns of pictures that show nothing but noise.
func (r *Release) drowned() []error {
	if r.Shape.Sigma > 0 && r.Peak <= 3*r.NoiseFloor {
		return []error{errors.New("nothing in this heatmap stands clearly above its noise floor")}
	}
	return nil
}

// expose puts a picture onto the padded canvas with the query's blur, where the
// picture's blur is the narrower one; where it is wider, as it is: a picture a
// little smoother than the truth.
func (r *Release) expose(picture []float64) ([]float64, error) {
	c, m := r.Shape.Canvas, r.Shape.Margin
	g := grid.Grid{Width: float64(c.Cols() + 2*m), Height: float64(c.Rows() + 2*m), Cell: 1}
	padded := g.New()
	for y := range c.Rows() {
		copy(padded[(y+m)*g.Cols()+m:], picture[y*c.Cols():(y+1)*c.Cols()])
	}
	rest := r.Shape.Query*r.Shape.Query - r.Shape.Blur*r.Shape.Blur
	if rest <= 0 {
		return padded, nil
	}
	return g.Blur(padded, math.Sqrt(rest)/c.Cell)
}

// problem is a frame as package estimate takes it.
func (r *Release) problem(y []float64, sigma float64) estimate.Problem {
	c := r.Shape.Canvas
	p := estimate.Problem{
		Y: y, Width: c.Cols(), Height: c.Rows(), Margin: r.Shape.Margin, Sigma: sigma,
		QueryBlur: r.Shape.Query / c.Cell, PictureBlur: r.Shape.Blur / c.Cell,
	}
	if c.Steps <= 1 {
		p.Mass = r.Shape.Mass
	}
	if r.picture.Prior == PriorCentre {
		p.Prior = estimate.Centre(p.Width, p.Height)
	}
	return p
}
