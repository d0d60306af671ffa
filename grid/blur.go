package grid

import (
	"fmt"
	"math"
)

// blurReach is where the kernel ends, in standard deviations: beyond lie 6e-5
// of its mass, given back to the rest.
const blurReach = 4

// maxBlur bounds the width of the kernel, in cells.
const maxBlur = 4096

// Blur returns the map convolved with a Gaussian point spread function of
// standard deviation sigma px, for pictures without noise: exp(−d²/2σ²) as in
// Liu et al. 2019, sampled at the cells' distances and normalised to sum one.
// Outside of the grid is zero: what is blurred across the border is lost, about
// half of the mass of a cell at the border. Sigma below a fifth of a cell
// leaves that direction as it is.
func (g Grid) Blur(m []float64, sigma float64) ([]float64, error) {
	if len(m) != g.Len() {
		return nil, fmt.Errorf("grid: blur of %d values on a grid of %d cells", len(m), g.Len())
	}
	if !(sigma >= 0) || math.IsInf(sigma, 0) {
		return nil, fmt.Errorf("grid: blur must be a width in px, got %g", sigma)
	}
	if sigma > maxBlur*min(g.Cell, g.cellHeight()) {
		return nil, fmt.Errorf("grid: blur must be at most %d cells, got %g px", maxBlur, sigma)
	}
	cols, rows := g.Cols(), g.Rows()
	across := halfKernel(sigma/g.Cell, cols)
	down := halfKernel(sigma/g.cellHeight(), rows)
	between, out := make([]float64, len(m)), make([]float64, len(m))
	for y := range rows {
		blurLine(between[y*cols:(y+1)*cols], m[y*cols:(y+1)*cols], across)
	}
	row := func(y int) []float64 { return between[y*cols : (y+1)*cols] }
	for y := range rows {
		dst := out[y*cols : (y+1)*cols]
		addScaled(dst, row(y), down[0])
		for k := 1; k < len(down); k++ {
			if y >= k {
				addScaled(dst, row(y-k), down[k])
			}
			if y+k < rows {
				addScaled(dst, row(y+k), down[k])
			}
		}
	}
	return out, nil
}

// halfKernel is the kernel from its centre to the right, cut at the grid's
// size: what it would reach beyond is lost anyway.
func halfKernel(sigma float64, size int) []float64 {
	if sigma < 0.2 {
		return []float64{1}
	}
	radius := math.Ceil(blurReach * sigma)
	half, sum := []float64{1}, 1.0
	for i := 1.0; i <= radius; i++ {
		v := math.Exp(-0.5 * i * i / (sigma * sigma))
		sum += 2 * v
		if int(i) < size {
			half = append(half, v)
		}
		if v < 1e-300 {
			break
		}
	}
	for i := range half {
		half[i] /= sum
	}
	return half
}

func blurLine(dst, src, half []float64) {
	addScaled(dst, src, half[0])
	for k := 1; k < len(half) && k < len(src); k++ {
		addScaled(dst[k:], src[:len(src)-k], half[k])
		addScaled(dst[:len(src)-k], src[k:], half[k])
	}
}

func addScaled(dst, src []float64, w float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] += w * v
	}
}
