package synth

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

// fine is the side of the raster on which the density of gaze is estimated.
const fine = 60

// The density is estimated from noisy positions in bins of half a cell, which
// reach beyond the area by more than half its sides: farther noise is brought to
// their edge, where it says hardly more.
const (
	margin  = 36
	phases  = 4 // halves of a cell, in x and y
	span1   = fine + 2*margin
	plane   = 192   // side of transforms: span1 and all displacements fit (span1 + fine − 1 at least)
	emBlur  = 0.5   // cells: standard deviation of the smoothing after each step
	emFew   = 1500. // starts: with fewer it is wider
	emSteps = 30    // at most
	emDone  = 0.004 // total change at which it ends
)

// binned are counts of noisy positions.
type binned struct {
	cells  raster
	counts [phases][]float64 // span1 × span1
	n      int
}

func newBinned(a *Area) *binned {
	b := &binned{cells: a.raster(fine)}
	for p := range b.counts {
		b.counts[p] = make([]float64, span1*span1)
	}
	return b
}

func (b *binned) add(z point) {
	half := func(v, side float64) int {
		return int(min(max(math.Floor(2*v/side), -2*margin), 2*(fine+margin)-1)) + 2*margin
	}
	c, r := half(z.x, b.cells.width), half(z.y, b.cells.height)
	b.counts[r%2*2+c%2][r/2*span1+c/2]++
	b.n++
}

// noiseKernel is the law of noisy positions given the cell of the true one, up
// to a factor: its transforms. Two phases share one, as real and imaginary part.
type noiseKernel [phases / 2][]complex128

// newNoiseKernel averages exp(−rate·distance) over the quarters of a cell.
func newNoiseKernel(cells raster, rate float64, t *transform) (k noiseKernel) {
	const far = 2*(fine+margin) + 1 // displacements in half cells
	table := make([]float64, far*far)
	for y := range far {
		for x := range far {
			d := math.Hypot(float64(x)*cells.width/2, float64(y)*cells.height/2)
			table[y*far+x] = math.Max(math.Exp(-rate*d), 1e-30)
		}
	}
	for p := range phases {
		if p%2 == 0 {
			k[p/2] = make([]complex128, plane*plane)
		}
		for dy := -(fine + margin - 1); dy < fine+margin; dy++ {
			for dx := -(fine + margin - 1); dx < fine+margin; dx++ {
				sum := 0.0
				for q := range phases { // from quarter q of the cell to quarter p
					x, y := 2*dx+p%2-q%2, 2*dy+p/2-q/2
					sum += table[max(y, -y)*far+max(x, -x)]
				}
				if at := wrap(dy)*plane + wrap(dx); p%2 == 0 {
					k[p/2][at] = complex(sum/phases, 0)
				} else {
					k[p/2][at] += complex(0, sum/phases)
				}
			}
		}
	}
	for p := range k {
		t.forward(k[p])
	}
	return k
}

func wrap(d int) int { return (d + plane) % plane }

// estimate is the density of true positions, a law over the cells of the fine
// raster: expectation maximisation from the uniform law, smoothed after each
// step, so that it does not grow spikes out of noise (SYNTHESIS, section 2).
func (b *binned) estimate(rate float64) []float64 {
	rho := uniform(b.cells.len())
	if b.n == 0 {
		return rho
	}
	t := newTransform()
	k := newNoiseKernel(b.cells, rate, t)
	blur := emBlur * math.Sqrt(max(1, emFew/float64(b.n)))
	for range emSteps {
		was := rho
		rho = blurred(b.cells, b.step(rho, &k, t), blur)
		normalise(rho)
		if change(was, rho) < emDone {
			break
		}
	}
	return rho
}

func change(a, b []float64) (sum float64) {
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum
}

// step is one of expectation maximisation, without its factor.
func (b *binned) step(rho []float64, k *noiseKernel, t *transform) []float64 {
	spectrum, back := make([]complex128, plane*plane), make([]complex128, plane*plane)
	for i, v := range rho {
		spectrum[i/fine*plane+i%fine] = complex(v, 0)
	}
	t.forward(spectrum)
	work := make([]complex128, plane*plane)
	for p := range k {
		for i, v := range spectrum {
			work[i] = v * k[p][i]
		}
		t.backward(work)
		b.compare(work, b.counts[2*p], b.counts[2*p+1])
		t.forward(work)
		for i, v := range work {
			f := k[p][i]
			back[i] += v * complex(real(f), -imag(f))
		}
	}
	t.backward(back) // the imaginary part crosses phases and is not wanted
	out := make([]float64, len(rho))
	for i, v := range rho {
		out[i] = v * math.Max(real(back[i/fine*plane+i%fine]), 0)
	}
	return out
}

// compare replaces what is expected in each bin by what was counted over it.
func (b *binned) compare(work []complex128, first, second []float64) {
	over := func(count, expected float64) float64 { return count / math.Max(expected, 1e-28) }
	for y := range plane {
		cy := (y + margin) % plane
		for x := range plane {
			i, cx := y*plane+x, (x+margin)%plane
			if cy >= span1 || cx >= span1 {
				work[i] = 0
				continue
			}
			at := cy*span1 + cx
			work[i] = complex(over(first[at], real(work[i])), over(second[at], imag(work[i])))
		}
	}
}

func uniform(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 / float64(n)
	}
	return v
}

// normalise scales v to sum one and returns what it summed to. An empty v
// becomes uniform.
func normalise(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		copy(v, uniform(len(v)))
		return sum
	}
	for i := range v {
		v[i] /= sum
	}
	return sum
}

// blurred is v under a Gaussian of so many cells, which loses nothing at edges.
func blurred(r raster, v []float64, sd float64) []float64 {
	reach := int(math.Ceil(4 * sd))
	w := make([]float64, 2*reach+1)
	for i := range w {
		d := float64(i - reach)
		w[i] = math.Exp(-d * d / (2 * sd * sd))
	}
	along := func(v []float64, n, stride, lines, next int) []float64 {
		out := make([]float64, len(v))
		for l := range lines {
			for i := range n {
				from, to := max(0, i-reach), min(n-1, i+reach)
				inside := 0.0
				for j := from; j <= to; j++ {
					inside += w[j-i+reach]
				}
				for j := from; j <= to; j++ {
					out[l*next+j*stride] += v[l*next+i*stride] * w[j-i+reach] / inside
				}
			}
		}
		return out
	}
	return along(along(v, r.cols, 1, r.rows, r.cols), r.rows, r.cols, r.cols, 1)
}

// transform is the two-dimensional discrete Fourier transform of plane × plane.
type transform struct {
	line  *fourier.CmplxFFT
	space []complex128
}

func newTransform() *transform {
	return &transform{fourier.NewCmplxFFT(plane), make([]complex128, plane*plane)}
}

func (t *transform) forward(v []complex128) {
	t.lines(v, t.line.Coefficients)
}

// backward is the inverse of forward.
func (t *transform) backward(v []complex128) {
	t.lines(v, t.line.Sequence)
	for i := range v {
		v[i] /= plane * plane
	}
}

// lines transforms rows, turns the square and transforms its rows again: in the
// end it stands turned, which two of them undo.
func (t *transform) lines(v []complex128, f func(dst, src []complex128) []complex128) {
	for range 2 {
		for l := 0; l < len(v); l += plane {
			f(v[l:l+plane], v[l:l+plane])
		}
		turn(t.space, v)
		copy(v, t.space)
	}
}

// turn writes the transpose of a plane, block by block.
func turn(dst, src []complex128) {
	const block = 16
	for y0 := 0; y0 < plane; y0 += block {
		for x0 := 0; x0 < plane; x0 += block {
			for y := y0; y < y0+block; y++ {
				for x := x0; x < x0+block; x++ {
					dst[x*plane+y] = src[y*plane+x]
				}
			}
		}
	}
}

// cumulated turns weights into a table for choose.
func cumulated(w []float64) []float64 {
	out := slices.Clone(w)
	for i := 1; i < len(out); i++ {
		out[i] += out[i-1]
	}
	return out
}
