package estimate

import "fmt"

// Plain applies the blur still missing and crops the margin: the unbiased
// heatmap, in dwell mass per cell, Height rows of Width cells. The noise stays
// in it, negative values included. Where the query blur is wider than the
// picture's there is nothing to apply, and the map keeps the query's blur.
func Plain(p Problem) ([]float64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	full := make([]float64, len(p.Y))
	newBlurrer(p.rest(), p.Stride(), p.Rows()).apply(full, p.Y)
	return p.crop(full), nil
}

// NoiseFloor is the standard deviation of the noise in a cell of Plain: Sigma
// times the Euclidean norm of the second blur's kernel. It is exact while the
// kernel fits into the margin, and an upper bound in any case.
func NoiseFloor(p Problem) (float64, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	return p.Sigma * energy(gaussian(p.rest())), nil
}

// Threshold is Plain minus k noise floors, clipped at zero: what stands out of
// the noise in a single cell. k = 2 leaves one cell in 44 of an empty map.
// Good for a few separate hot spots, poor for broad maps.
func Threshold(p Problem, k float64) ([]float64, error) {
	if !(k >= 0) || k > 1e6 {
		return nil, fmt.Errorf("estimate: threshold must be in [0, 1e6] noise deviations, got %v", k)
	}
	floor, err := NoiseFloor(p)
	if err != nil {
		return nil, err
	}
	out, err := Plain(p)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		out[i] = max(v-k*floor, 0)
	}
	return out, nil
}
