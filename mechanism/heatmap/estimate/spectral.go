package estimate

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Spectral is the Wiener filter estimated from the release itself, clipped at
// zero: the signal's power at a spatial frequency is what the released map
// shows on a ring of frequencies minus the known power of the noise, taken to
// fall with frequency; the gain is S/(S+N), followed by the blur still missing
// (or, where the query blur was wider than the picture's, by its ratio).
// Output as Plain. A map without any visible signal gives all zeros.
//
// Source: Wiener 1949 for the gain; power subtraction as in Boll 1979.
func Spectral(p Problem) ([]float64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	f := newPlane(2*p.Stride(), 2*p.Rows())
	c := f.forward(p.Y, p.Stride(), p.Rows())
	gain := p.wiener(f, c)
	d := p.PictureBlur*p.PictureBlur - p.QueryBlur*p.QueryBlur
	for i := range c {
		r := f.radius(i)
		g := gain[f.ring(r)]
		if g > 0 {
			w := 2 * math.Pi * r
			g *= math.Exp(-0.5 * d * w * w)
		}
		c[i] *= complex(g, 0)
	}
	out := p.crop(f.inverse(c, p.Stride(), p.Rows()))
	for i, v := range out {
		out[i] = max(v, 0)
	}
	return out, nil
}

// wiener is the gain S/(S+N) per ring.
func (p Problem) wiener(f *plane, c []complex128) []float64 {
	power := f.ringPower(c)
	noise := p.Sigma * p.Sigma * float64(len(p.Y))
	least := math.Inf(1)
	for i, v := range power {
		least = min(least, max(v-noise, 0))
		power[i] = 0
		if least > 0 {
			power[i] = least / (least + noise)
		}
	}
	return power
}

// plane is a two-dimensional real Fourier transform with zero padding to
// lengths without large prime factors. Coefficients are stored for the
// non-negative horizontal frequencies: rows lines of cols/2+1.
type plane struct {
	cols, rows, half int
	across           *fourier.FFT
	down             *fourier.CmplxFFT
}

func newPlane(cols, rows int) *plane {
	cols, rows = smooth(cols), smooth(rows)
	return &plane{
		cols: cols, rows: rows, half: cols/2 + 1,
		across: fourier.NewFFT(cols), down: fourier.NewCmplxFFT(rows),
	}
}

// smooth is the least even number from n on with no prime factor above 5.
func smooth(n int) int {
	for n = max(n+n%2, 2); ; n += 2 {
		m := n
		for _, f := range []int{2, 3, 5} {
			for m%f == 0 {
				m /= f
			}
		}
		if m == 1 {
			return n
		}
	}
}

// forward transforms a map of w×h cells put into the top left corner.
func (f *plane) forward(m []float64, w, h int) []complex128 {
	c := make([]complex128, f.half*f.rows)
	line := make([]float64, f.cols)
	for y := range h {
		copy(line, m[y*w:(y+1)*w])
		f.across.Coefficients(c[y*f.half:(y+1)*f.half], line)
	}
	f.columns(c, f.down.Coefficients)
	return c
}

// inverse undoes forward, overwriting c, and returns the top left w×h cells.
func (f *plane) inverse(c []complex128, w, h int) []float64 {
	f.columns(c, f.down.Sequence)
	out := make([]float64, w*h)
	line := make([]float64, f.cols)
	scale := 1 / float64(f.cols*f.rows)
	for y := range h {
		f.across.Sequence(line, c[y*f.half:(y+1)*f.half])
		scaled(out[y*w:(y+1)*w], line[:w], scale)
	}
	return out
}

func (f *plane) columns(c []complex128, transform func(dst, src []complex128) []complex128) {
	col := make([]complex128, f.rows)
	for x := range f.half {
		for y := range col {
			col[y] = c[y*f.half+x]
		}
		transform(col, col)
		for y, v := range col {
			c[y*f.half+x] = v
		}
	}
}

// radius is the spatial frequency of coefficient i, in cycles per cell.
func (f *plane) radius(i int) float64 {
	x, y := i%f.half, i/f.half
	if y > f.rows/2 {
		y = f.rows - y
	}
	return math.Hypot(float64(x)/float64(f.cols), float64(y)/float64(f.rows))
}

// ring numbers the rings, each one frequency step of the longer side wide.
func (f *plane) ring(radius float64) int {
	return int(radius*float64(max(f.cols, f.rows)) + 0.5)
}

// ringPower is the mean squared modulus on each ring.
func (f *plane) ringPower(c []complex128) []float64 {
	n := f.ring(math.Sqrt2/2) + 1
	power, weight := make([]float64, n), make([]float64, n)
	for i, v := range c {
		w := 2.0 // its conjugate is not stored
		if x := i % f.half; x == 0 || x == f.half-1 {
			w = 1
		}
		k := f.ring(f.radius(i))
		power[k] += w * (real(v)*real(v) + imag(v)*imag(v))
		weight[k] += w
	}
	last := 0.0
	for k, w := range weight {
		if w > 0 {
			last = power[k] / w
		}
		power[k] = last
	}
	return power
}
