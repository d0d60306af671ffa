package signal

import (
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
)

// plan computes the real transform of one length and its inverse.
type plan interface {
	// forward writes n/2+1 coefficients.
	forward(dst []complex128, x []float64)
	// inverse writes n values, not divided by n. It ignores the imaginary parts
	// of coefficient 0 and, where n is even, n/2.
	inverse(dst []float64, c []complex128)
}

// DFT is a plan for the real discrete Fourier transform of one length,
//
//	X[j] = Σ x[t]·exp(−2πi·jt/n), j = 0 … n/2,
//
// unnormalised; the other half are their conjugates. It must not be used by
// two goroutines at once.
type DFT struct {
	n    int
	plan plan
}

// largestPower is the longest power of two of which split is faster than gonum.
const largestPower = 1 << 12

// NewDFT makes a plan for n values, n at least 1.
func NewDFT(n int) *DFT {
	n = max(n, 1)
	d := &DFT{n: n}
	switch {
	case n > 2 && n <= largestPower && bits.OnesCount(uint(n)) == 1:
		d.plan = newSplit(n)
	case smooth(n):
		d.plan = gonum{fourier.NewFFT(n)}
	default:
		d.plan = newBluestein(n)
	}
	return d
}

// smooth reports products of 2, 3 and 5.
func smooth(n int) bool {
	for _, p := range [...]int{2, 3, 5} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}

// Len is the number of values.
func (d *DFT) Len() int { return d.n }

// Bins is the number of coefficients, n/2+1.
func (d *DFT) Bins() int { return d.n/2 + 1 }

// Coefficients writes the transform of x, of Len values, to dst, of Bins
// values, and returns dst.
func (d *DFT) Coefficients(dst []complex128, x []float64) []complex128 {
	d.plan.forward(dst[:d.Bins()], x[:d.n])
	return dst[:d.Bins()]
}

// Sequence writes the inverse of [DFT.Coefficients] to dst, of Len values, and
// returns dst. c, of Bins values, is kept.
func (d *DFT) Sequence(dst []float64, c []complex128) []float64 {
	d.plan.inverse(dst[:d.n], c[:d.Bins()])
	scale := 1 / float64(d.n)
	for t := range dst[:d.n] {
		dst[t] *= scale
	}
	return dst[:d.n]
}

type gonum struct{ *fourier.FFT }

func (g gonum) forward(dst []complex128, x []float64) { g.FFT.Coefficients(dst, x) }
func (g gonum) inverse(dst []float64, c []complex128) { g.FFT.Sequence(dst, c) }
