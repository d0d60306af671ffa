package population

import "math"

// kernel is the right half, centre first, of a sampled Gaussian of standard
// deviation s cells, cut at three of them, that sums to one: no value of it is
// negative, however coarse the cells.
func kernel(s float64) []float64 {
	if !(s >= 1e-3) {
		return []float64{1}
	}
	half := make([]float64, int(math.Ceil(3*s))+1)
	total := 0.0
	for i := range half {
		half[i] = math.Exp(-float64(i*i) / (2 * s * s))
		total += half[i]
		if i > 0 {
			total += half[i]
		}
	}
	for i := range half {
		half[i] /= total
	}
	return half
}

// at is the kernel's value at a signed distance.
func at(half []float64, i int) float64 {
	if i < 0 {
		i = -i
	}
	if i >= len(half) {
		return 0
	}
	return half[i]
}

// energy is the sum of the whole kernel's squares.
func energy(half []float64) float64 {
	e := half[0] * half[0]
	for _, v := range half[1:] {
		e += 2 * v * v
	}
	return e
}

// amount is a count or time as it counts: finite and not negative.
func amount(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return 0
	}
	return v
}

// canvas is the padded map of blurred dwell: nothing leaks out of it.
type canvas struct {
	shape        Shape
	across, down []float64 // kernels, in cells
}

func newCanvas(s Shape, blur float64) canvas {
	g := s.grid()
	return canvas{shape: s, across: kernel(blur / g.Cell), down: kernel(blur / g.CellHeight)}
}

func (c *canvas) width() int  { return c.shape.Columns + 2*(len(c.across)-1) }
func (c *canvas) height() int { return c.shape.Rows + 2*(len(c.down)-1) }
func (c *canvas) len() int    { return c.width() * c.height() }

// place is the norm of the blurred map of a person who looks at one cell only:
// the largest there is.
func (c *canvas) place() float64 { return math.Sqrt(energy(c.across) * energy(c.down)) }

// spread writes weight times the blurred map, whose cells sum to one before the
// weight. Nobody's dwell is a map of zeros.
func (c *canvas) spread(dst []float64, all []dwell, weight float64) {
	total := 0.0
	for _, d := range all {
		total += amount(d.seconds)
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return
	}
	stride := c.width()
	for _, d := range all {
		x, y := d.cell%c.shape.Columns, d.cell/c.shape.Columns
		w := weight * amount(d.seconds) / total
		for j := range 2*len(c.down) - 1 {
			row := dst[(y+j)*stride+x:][:2*len(c.across)-1]
			wy := w * at(c.down, j-len(c.down)+1)
			middle := len(c.across) - 1
			for i, k := range c.across {
				row[middle+i] += wy * k
				if i > 0 {
					row[middle-i] += wy * k
				}
			}
		}
	}
}

// normalise writes weight times counts as shares; nobody's counts are zeros.
func normalise(dst, counts []float64, weight float64) {
	total := 0.0
	for _, v := range counts {
		total += amount(v)
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return
	}
	for i, v := range counts {
		dst[i] = weight * amount(v) / total
	}
}
