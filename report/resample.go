package report

import "math"

// taps are the weights with which cells make one pixel.
type taps struct {
	first   int
	weights []float64
}

// axisTaps maps n cells of the given size, in px of the canvas, to pixels, of
// which scale make one px of the canvas: Catmull-Rom between cell centres, and
// widened where several cells fall into one pixel. Cells outside repeat the
// nearest one.
func axisTaps(cells int, cell float64, pixels int, scale float64) []taps {
	out := make([]taps, pixels)
	wide := math.Max(1, 1/(scale*cell)) // cells per pixel
	for i := range out {
		centre := (float64(i)+0.5)/scale/cell - 0.5
		lo := int(math.Ceil(centre - 2*wide))
		hi := int(math.Floor(centre + 2*wide))
		first := max(0, min(cells-1, lo))
		t := taps{first, make([]float64, max(0, min(cells-1, hi))-first+1)}
		var sum float64
		for k := lo; k <= hi; k++ {
			w := catmullRom((float64(k) - centre) / wide)
			t.weights[max(0, min(cells-1, k))-first] += w
			sum += w
		}
		for k := range t.weights {
			t.weights[k] /= sum
		}
		out[i] = t
	}
	return out
}

func catmullRom(x float64) float64 {
	switch x = math.Abs(x); {
	case x < 1:
		return 1 + x*x*(1.5*x-2.5)
	case x < 2:
		return 2 + x*(-4+x*(2.5-0.5*x))
	}
	return 0
}

// resample draws a map of rows × cols cells on height × width pixels, row by
// row. No result lies outside the range of the cells.
func resample(values []float64, columns, rows []taps, cols int) []float64 {
	low, high := rangeOf(values)
	width := len(columns)
	across := make([]float64, len(values)/cols*width)
	for r := range len(values) / cols {
		row, dst := values[r*cols:(r+1)*cols], across[r*width:(r+1)*width]
		for x, t := range columns {
			var v float64
			for k, w := range t.weights {
				v += w * row[t.first+k]
			}
			dst[x] = v
		}
	}
	out := make([]float64, len(rows)*width)
	for y, t := range rows {
		dst := out[y*width : (y+1)*width]
		for k, w := range t.weights {
			src := across[(t.first+k)*width : (t.first+k+1)*width]
			for x, v := range src {
				dst[x] += w * v
			}
		}
		for x, v := range dst {
			dst[x] = math.Min(high, math.Max(low, v))
		}
	}
	return out
}

func rangeOf(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	return low, high
}
