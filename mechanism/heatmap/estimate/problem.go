package estimate

import (
	"fmt"
	"math"
)

// maxCells bounds the padded map: 2^26 cells are 512 MB, more than any screen.
const maxCells = 1 << 26

// Problem is what every reader of a release knows: the noisy map and the
// public numbers it was drawn with.
type Problem struct {
	// Y is the released mean on the padded canvas, row-major,
	// (Height+2·Margin) rows of (Width+2·Margin) cells, in dwell mass per cell.
	Y []float64
	// Width and Height are the size of the canvas in cells, without margin.
	Width, Height int
	// Margin is the number of cells added on each of the four sides before
	// blurring; 3·QueryBlur or more, so that nothing leaks out of it.
	Margin int
	// Sigma is the standard deviation of the noise in one cell, in Y's unit.
	Sigma float64
	// QueryBlur is the standard deviation, in cells, of the Gaussian the
	// contributions were blurred with before the noise.
	QueryBlur float64
	// PictureBlur is the standard deviation, in cells, of the Gaussian of the
	// picture; the half-blur heatmap has QueryBlur = PictureBlur/√2.
	PictureBlur float64
	// Mass is the public total of the dwell before any blur, 1 for shares of
	// time; 0 leaves it as estimated. Only LogGaussian uses it, and it undoes
	// the loss by clipping.
	Mass float64
	// Prior is a public density on the canvas, Height rows of Width positive
	// cells in any unit, to be considered besides the uniform one; nil = only
	// that. Only LogGaussian uses it.
	Prior []float64
}

// Stride is the width of the padded canvas in cells.
func (p Problem) Stride() int { return p.Width + 2*p.Margin }

// Rows is the height of the padded canvas in cells.
func (p Problem) Rows() int { return p.Height + 2*p.Margin }

func (p Problem) check() error {
	switch {
	case p.Width < 1 || p.Height < 1:
		return fmt.Errorf("estimate: canvas must have at least one cell, got %d×%d", p.Width, p.Height)
	case p.Margin < 0:
		return fmt.Errorf("estimate: margin must not be negative, got %d", p.Margin)
	case max(p.Width, p.Height, p.Margin) > maxCells || p.Stride() > maxCells/p.Rows():
		return fmt.Errorf("estimate: at most %d cells, got a canvas of %d×%d with margin %d", maxCells, p.Width, p.Height, p.Margin)
	case len(p.Y) != p.Stride()*p.Rows():
		return fmt.Errorf("estimate: map must have %d×%d cells, got %d", p.Stride(), p.Rows(), len(p.Y))
	case !(p.Sigma >= 0) || math.IsInf(p.Sigma, 0):
		return fmt.Errorf("estimate: noise deviation must be finite and not negative, got %v", p.Sigma)
	case !validBlur(p.QueryBlur):
		return fmt.Errorf("estimate: query blur must be in [0, %d] cells, got %v", maxBlur, p.QueryBlur)
	case !validBlur(p.PictureBlur):
		return fmt.Errorf("estimate: picture blur must be in [0, %d] cells, got %v", maxBlur, p.PictureBlur)
	}
	for _, v := range p.Y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("estimate: map must be finite, got %v", v)
		}
	}
	return nil
}

func validBlur(s float64) bool { return s >= 0 && s <= maxBlur }

// rest is the blur still missing between the release and the picture; variances
// of Gaussians add. A query wider than the picture cannot be undone by a blur.
func (p Problem) rest() float64 {
	return math.Sqrt(max(p.PictureBlur*p.PictureBlur-p.QueryBlur*p.QueryBlur, 0))
}

// crop returns the canvas without its margin.
func (p Problem) crop(padded []float64) []float64 {
	out := make([]float64, 0, p.Width*p.Height)
	for y := range p.Height {
		at := (y+p.Margin)*p.Stride() + p.Margin
		out = append(out, padded[at:at+p.Width]...)
	}
	return out
}
