package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// coarse is a Problem on square cells of bin×bin cells, wide enough to be fast
// and fine enough to lose nothing that two blurs have not taken already.
type coarse struct {
	bin        int
	cols, rows int // canvas
	margin     int
	stride     int     // cols + 2·margin
	unit       float64 // mass in Y's unit that is one here
	known      bool    // unit is the public total, not a guess
	y          []float64
	sigma      float64
	blur       *blurrer // from mass on the padded grid to the mean of y
	query      float64  // its width, in coarse cells
	wide, high float64  // size of the true canvas, in coarse cells
}

// coarsen sums the cells of bin×bin blocks that start at the canvas's top left
// corner. An incomplete block at the far side of the margin is left out.
func coarsen(p Problem) *coarse {
	bin := max(1, int(min(p.QueryBlur, p.PictureBlur)/1.05))
	c := &coarse{bin: bin, margin: p.Margin / bin, sigma: p.Sigma * float64(bin)}
	c.cols, c.rows = (p.Width+bin-1)/bin, (p.Height+bin-1)/bin
	c.stride = c.cols + 2*c.margin
	c.wide, c.high = float64(p.Width)/float64(bin), float64(p.Height)/float64(bin)
	c.query = p.QueryBlur / float64(bin)
	c.y = make([]float64, c.stride*(c.rows+2*c.margin))
	c.sum(p)
	c.normalise(p.Mass)
	c.blur = newBlurrer(0, c.stride, c.rows+2*c.margin)
	c.blur.half = folded(gaussian(p.QueryBlur), bin)
	return c
}

func (c *coarse) sum(p Problem) {
	shift := p.Margin - c.margin*c.bin
	for i := range c.y {
		x0, y0 := shift+i%c.stride*c.bin, shift+i/c.stride*c.bin
		for y := y0; y < min(y0+c.bin, p.Rows()); y++ {
			for x := x0; x < min(x0+c.bin, p.Stride()); x++ {
				c.y[i] += p.Y[y*p.Stride()+x]
			}
		}
	}
}

// normalise puts the release into shares of the total. Where that is not
// public, what the release shows of it is near enough.
func (c *coarse) normalise(mass float64) {
	noise := 3 * c.sigma * math.Sqrt(float64(len(c.y)))
	c.unit, c.known = mass, mass > 0
	if !c.known {
		c.unit = max(floats.Sum(c.y), noise)
	}
	if c.unit == 0 {
		c.unit = 1
	}
	top := 1 / float64(c.cols*c.rows)
	for i := range c.y {
		c.y[i] /= c.unit
		top = max(top, math.Abs(c.y[i]))
	}
	// Without noise a map would ask for infinite precision.
	c.sigma = max(c.sigma/c.unit, 1e-4*top)
}

// folded is the right half of the kernel between coarse cells: mass spread
// evenly over bin cells, blurred, then summed over bin cells.
func folded(half []float64, bin int) []float64 {
	at := func(d int) float64 {
		if d < 0 {
			d = -d
		}
		if d < len(half) {
			return half[d]
		}
		return 0
	}
	out := make([]float64, (len(half)-1)/bin+2)
	for j := range out {
		for d := -bin + 1; d < bin; d++ {
			out[j] += at(bin*j+d) * float64(bin-max(d, -d)) / float64(bin)
		}
	}
	return out
}

// row is the place of a row of the canvas in a padded grid.
func (c *coarse) row(padded []float64, y int) []float64 {
	at := (y+c.margin)*c.stride + c.margin
	return padded[at : at+c.cols]
}

// share is how much of each coarse cell lies on the canvas, times density,
// which has one value per cell of p or is nil for a uniform one; the sum is one.
func (c *coarse) share(p Problem, density []float64) []float64 {
	out := make([]float64, c.cols*c.rows)
	sum := 0.0
	for i := range p.Width * p.Height {
		v := 1.0
		if density != nil {
			v = density[i]
		}
		out[i/p.Width/c.bin*c.cols+i%p.Width/c.bin] += v
		sum += v
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// picture spreads the mass of coarse cells over the canvas's cells and applies
// the picture's blur, less the spreading, which is a blur of its own.
func (c *coarse) picture(p Problem, mass []float64) []float64 {
	out := make([]float64, p.Width*p.Height)
	for i := range out {
		x, y := i%p.Width/c.bin, i/p.Width/c.bin
		across := min(c.bin, p.Width-x*c.bin)
		down := min(c.bin, p.Height-y*c.bin)
		out[i] = mass[y*c.cols+x] / float64(across*down)
	}
	spread := float64(c.bin*c.bin-1) / 12
	newBlurrer(math.Sqrt(max(p.PictureBlur*p.PictureBlur-spread, 0)), p.Width, p.Height).apply(out, out)
	return out
}
