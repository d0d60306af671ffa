package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// maxBlur bounds the width of a Gaussian, in cells.
const maxBlur = 4096

// reach is where kernels are cut, in standard deviations: the tail beyond
// holds 6e-5 of the mass and is given back by normalisation.
const reach = 4

// gaussian is the right half, centre first, of a sampled Gaussian of standard
// deviation s cells, normalised so that the whole kernel sums to one.
func gaussian(s float64) []float64 {
	half := []float64{1}
	sum := 1.0
	for i := 1; float64(i) <= math.Ceil(reach*s); i++ {
		v := math.Exp(-0.5 * float64(i) * float64(i) / (s * s))
		half = append(half, v)
		sum += 2 * v
	}
	for i := range half {
		half[i] /= sum
	}
	return half
}

// energy is the sum of squares of the whole kernel.
func energy(half []float64) float64 {
	e := half[0] * half[0]
	for _, v := range half[1:] {
		e += 2 * v * v
	}
	return e
}

// blurrer applies a separable symmetric kernel to maps of one size, zero
// outside. It is its own adjoint. Not safe for concurrent use.
type blurrer struct {
	half       []float64
	cols, rows int
	between    []float64
}

func newBlurrer(s float64, cols, rows int) *blurrer {
	return &blurrer{half: gaussian(s), cols: cols, rows: rows, between: make([]float64, cols*rows)}
}

// apply writes the blurred src into dst; they may be the same slice.
func (b *blurrer) apply(dst, src []float64) {
	for y := range b.rows {
		b.line(b.between[y*b.cols:(y+1)*b.cols], src[y*b.cols:(y+1)*b.cols])
	}
	for y := range b.rows {
		b.column(dst[y*b.cols:(y+1)*b.cols], y)
	}
}

func (b *blurrer) line(dst, src []float64) {
	scaled(dst, src, b.half[0])
	for k := 1; k < len(b.half) && k < len(src); k++ {
		w := b.half[k]
		axpy(dst[k:], src[:len(src)-k], w)
		axpy(dst[:len(src)-k], src[k:], w)
	}
}

func (b *blurrer) column(dst []float64, y int) {
	row := func(y int) []float64 { return b.between[y*b.cols : (y+1)*b.cols] }
	scaled(dst, row(y), b.half[0])
	for k := 1; k < len(b.half); k++ {
		if y-k >= 0 {
			axpy(dst, row(y-k), b.half[k])
		}
		if y+k < b.rows {
			axpy(dst, row(y+k), b.half[k])
		}
	}
}

func scaled(dst, src []float64, w float64) {
	for i, v := range src {
		dst[i] = w * v
	}
}

// axpy adds w times src to as many of dst.
func axpy(dst, src []float64, w float64) { floats.AddScaled(dst[:len(src)], w, src) }
