package signal

import "math"

// DCT is a plan for the orthonormal cosine transform (DCT-II) of one length,
//
//	X[j] = √(2/n)·Σ x[t]·cos(π·j(2t+1)/2n), X[0] divided by √2:
//
// an orthonormal change of coordinates, so that it keeps norms. It must not be
// used by two goroutines at once.
type DCT struct {
	dft   *DFT
	turn  []complex128 // exp(−πi·j/2n) times the scale
	order []float64
	bins  []complex128
}

// NewDCT makes a plan for n values, n at least 1.
func NewDCT(n int) *DCT {
	d := &DCT{dft: NewDFT(n)}
	d.order, d.bins = make([]float64, d.dft.n), make([]complex128, d.dft.Bins())
	scale := math.Sqrt(2 / float64(d.dft.n))
	for j := range d.bins {
		sin, cos := math.Sincos(-math.Pi * float64(j) / float64(2*d.dft.n))
		d.turn = append(d.turn, complex(scale*cos, scale*sin))
	}
	return d
}

// Len is the number of values.
func (d *DCT) Len() int { return d.dft.n }

// Coefficients writes the transform of x to dst, both of Len values, and
// returns dst. It is the real transform of x in the order 0, 2, 4, …, 5, 3, 1
// (Makhoul 1980).
func (d *DCT) Coefficients(dst, x []float64) []float64 {
	n := d.dft.n
	for t, v := range x[:n] {
		if t%2 == 0 {
			d.order[t/2] = v
		} else {
			d.order[n-1-t/2] = v
		}
	}
	d.dft.Coefficients(d.bins, d.order)
	for j, c := range d.bins {
		c *= d.turn[j]
		dst[j] = real(c)
		if 0 < j && j < n-j {
			dst[n-j] = -imag(c)
		}
	}
	dst[0] /= math.Sqrt2
	return dst[:n]
}

// Sequence writes the inverse of [DCT.Coefficients] to dst, both of Len
// values, and returns dst. c is kept.
func (d *DCT) Sequence(dst, c []float64) []float64 {
	n := d.dft.n
	half := float64(n) / 2 // of the squared scale
	for j := range d.bins {
		v := complex(c[j], 0)
		switch {
		case j == 0:
			v *= math.Sqrt2
		case j < n-j:
			v = complex(c[j], -c[n-j])
		default: // the middle of an even length is its own mirror
			v = complex(c[j], -c[j])
		}
		w := d.turn[j]
		d.bins[j] = v * complex(real(w)*half, -imag(w)*half)
	}
	d.dft.Sequence(d.order, d.bins)
	for t := range dst[:n] {
		if t%2 == 0 {
			dst[t] = d.order[t/2]
		} else {
			dst[t] = d.order[n-1-t/2]
		}
	}
	return dst[:n]
}
