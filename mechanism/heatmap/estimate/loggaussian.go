package estimate

import (
	"fmt"
	"math"
)

// Picture is an estimated heatmap, Height rows of Width cells, in dwell mass
// per cell.
type Picture struct {
	// Map is never negative and sums to Mass, if that is public, before the
	// picture's blur.
	Map []float64
	// Structure is the natural logarithm of how many times more probable the
	// release is under the best model than under the best prior as it is: below
	// 3 the picture shows nothing but the prior and noise.
	Structure float64

	evidence *evidence
}

// LogGaussian is the best picture: dwell per cell is modelled as a prior
// density times the exponential of a smooth Gaussian surface, blurred by the
// query and measured with the known noise. The most probable density is found
// for surfaces of several lengths and strengths, with and without a broad
// parabola, and the results are averaged by their evidence, so that nothing is
// left to choose: how smooth the map is is read from the release itself.
// It deconvolves where the query blur is wider than the picture's.
//
// Source: Møller, Syversveen and Waagepetersen 1998 for the log-Gaussian
// density; MacKay 1992 for averaging by Laplace evidence.
func LogGaussian(p Problem) (*Picture, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.checkPrior(); err != nil {
		return nil, err
	}
	c := coarsen(p)
	e := &evidence{p: p, c: c}
	uniform := c.share(p, nil)
	for _, length := range lengths {
		f := c.field(p, length)
		e.strengths(newModel(c, f, uniform, nil))
		if length < lengths[len(lengths)-1] {
			e.strengths(newModel(c, f, uniform, parabolas(c)))
		}
		if p.Prior != nil {
			e.strengths(newModel(c, f, c.share(p, p.Prior), nil))
		}
	}
	return e.average(), nil
}

// lengths of the surface, in units of the picture's blur.
var lengths = [...]float64{2, 5, 13}

func (c *coarse) field(p Problem, length float64) *field {
	s := max(p.PictureBlur, 1) / float64(c.bin)
	return newField(c, length*s, 4*s, min(2.2/min(s, max(c.query, 1/float64(c.bin))), math.Pi))
}

func (p Problem) checkPrior() error {
	if !(p.Mass >= 0) || math.IsInf(p.Mass, 0) {
		return fmt.Errorf("estimate: mass must be finite and not negative, got %v", p.Mass)
	}
	if p.Prior == nil {
		return nil
	}
	if len(p.Prior) != p.Width*p.Height {
		return fmt.Errorf("estimate: prior must have %d×%d cells, got %d", p.Width, p.Height, len(p.Prior))
	}
	sum := 0.0
	for _, v := range p.Prior {
		if !(v > 0) {
			return fmt.Errorf("estimate: prior must be positive in every cell, got %v", v)
		}
		sum += v
	}
	if math.IsInf(sum, 0) {
		return fmt.Errorf("estimate: prior must be finite, got a sum of %v", sum)
	}
	return nil
}
