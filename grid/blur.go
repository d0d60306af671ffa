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
	padded := make([]float64, cols+2*len(across))
	for y := range rows {
		copy(padded[len(across):], m[y*cols:(y+1)*cols])
		blurLine(between[y*cols:(y+1)*cols], padded, across)
	}
	blurColumns(out, between, down, cols)
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

// blurLine reads a line with len(half) zeros before and after it.
func blurLine(dst, padded, half []float64) {
	at := padded[len(half):]
	for i := range dst {
		dst[i] = half[0] * at[i]
	}
	k := 1
	for ; k+1 < len(half); k += 2 {
		a, b := padded[len(half)-k:], at[k:]
		c, d := padded[len(half)-k-1:], at[k+1:]
		addPairs(dst, a, b, c, d, half[k], half[k+1])
	}
	if k < len(half) {
		addPairs(dst, padded[len(half)-k:], at[k:], padded, padded, half[k], 0)
	}
}

// blurColumns adds whole rows, which are zero above and below the map.
func blurColumns(dst, src, half []float64, cols int) {
	rows := len(src) / cols
	zero := make([]float64, cols)
	row := func(y int) []float64 {
		if y < 0 || y >= rows {
			return zero
		}
		return src[y*cols : (y+1)*cols]
	}
	for y := range rows {
		out := dst[y*cols : (y+1)*cols]
		for i, v := range row(y) {
			out[i] = half[0] * v
		}
		for k := 1; k < len(half); k += 2 {
			var next float64
			if k+1 < len(half) {
				next = half[k+1]
			}
			addPairs(out, row(y-k), row(y+k), row(y-k-1), row(y+k+1), half[k], next)
		}
	}
}

// addPairs adds v·(a+b) + w·(c+d) to dst: two steps of the symmetric kernel for
// one pass over dst.
func addPairs(dst, a, b, c, d []float64, v, w float64) {
	n := len(dst)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i := range dst {
		dst[i] += v*(a[i]+b[i]) + w*(c[i]+d[i])
	}
}
