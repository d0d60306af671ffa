package signal

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// bluestein is the transform of any length as a convolution with a chirp:
// jt = (j² + t² − (j−t)²)/2.
type bluestein struct {
	n      int
	chirp  []complex128 // exp(−πi·t²/n)
	kernel []complex128 // transform of the conjugate chirp, divided by the length
	fft    *fourier.CmplxFFT
	work   []complex128
}

func newBluestein(n int) *bluestein {
	m := 2*n - 1
	for !smooth(m) {
		m++
	}
	b := &bluestein{n: n, fft: fourier.NewCmplxFFT(m), work: make([]complex128, m), kernel: make([]complex128, m)}
	for t := range n {
		// t² modulo 2n, for an exact angle however long the sequence is.
		sin, cos := math.Sincos(-math.Pi * float64(t*t%(2*n)) / float64(n))
		b.chirp = append(b.chirp, complex(cos, sin))
	}
	for t, w := range b.chirp {
		w = cmplx.Conj(w) / complex(float64(m), 0)
		b.kernel[t], b.kernel[(m-t)%m] = w, w
	}
	b.fft.Coefficients(b.kernel, b.kernel)
	return b
}

// convolve turns chirped values into coefficients 0 … n−1, in work.
func (b *bluestein) convolve() {
	clear(b.work[b.n:])
	b.fft.Coefficients(b.work, b.work)
	for i, k := range b.kernel {
		b.work[i] *= k
	}
	b.fft.Sequence(b.work, b.work)
	for j, w := range b.chirp {
		b.work[j] *= w
	}
}

func (b *bluestein) forward(dst []complex128, x []float64) {
	for t, w := range b.chirp {
		b.work[t] = complex(x[t], 0) * w
	}
	b.convolve()
	copy(dst, b.work)
	dst[0] = complex(real(dst[0]), 0)
	if b.n%2 == 0 {
		dst[b.n/2] = complex(real(dst[b.n/2]), 0)
	}
}

// inverse transforms the conjugates of the two-sided coefficients: the result
// is real.
func (b *bluestein) inverse(dst []float64, c []complex128) {
	for j, w := range b.chirp {
		var v complex128
		switch {
		case j == 0 || 2*j == b.n:
			v = complex(real(c[j]), 0)
		case 2*j < b.n:
			v = cmplx.Conj(c[j])
		default:
			v = c[b.n-j]
		}
		b.work[j] = v * w
	}
	b.convolve()
	for t := range dst {
		dst[t] = real(b.work[t])
	}
}
