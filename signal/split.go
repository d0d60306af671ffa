package signal

import (
	"math"
	"math/cmplx"
)

// split is the transform of 2h values, h a power of two: their pairs are
// complex values, transformed by Stockham's autosorting radix 4 and separated
// again.
type split struct {
	h       int
	turn    []complex128    // exp(−2πi·j/2h), j = 0 … h/2
	factors [][3]complex128 // per stage and butterfly: w, w², w³
	a, b    []complex128    // scratch
}

func newSplit(n int) *split {
	s := &split{h: n / 2, a: make([]complex128, n/2), b: make([]complex128, n/2)}
	for j := range s.h/2 + 1 {
		s.turn = append(s.turn, unit(j, n))
	}
	for m := s.h; m >= 4; m /= 4 {
		for p := range m / 4 {
			s.factors = append(s.factors, [3]complex128{unit(p, m), unit(2*p, m), unit(3*p, m)})
		}
	}
	return s
}

// unit is exp(−2πi·j/n).
func unit(j, n int) complex128 {
	sin, cos := math.Sincos(-2 * math.Pi * float64(j%n) / float64(n))
	return complex(cos, sin)
}

// transform is the complex transform of s.a; the result lies in s.a.
func (s *split) transform() {
	x, y := s.a, s.b
	factors, stride := s.factors, 1
	m := s.h
	for ; m >= 4; m /= 4 {
		quarter := m / 4
		for p, w := range factors[:quarter] {
			butterflies(y[4*stride*p:], x[stride*p:], w, stride, quarter*stride)
		}
		factors = factors[quarter:]
		stride *= 4
		x, y = y, x
	}
	if m == 2 {
		for q := range stride {
			y[q], y[q+stride] = x[q]+x[q+stride], x[q]-x[q+stride]
		}
		x, y = y, x
	}
	s.a, s.b = x, y
}

// butterflies combine stride fours whose members lie apart from each other.
func butterflies(y, x []complex128, w [3]complex128, stride, apart int) {
	x0, x1, x2, x3 := x[:stride], x[apart:][:stride], x[2*apart:][:stride], x[3*apart:][:stride]
	y0, y1, y2, y3 := y[:stride], y[stride:][:stride], y[2*stride:][:stride], y[3*stride:][:stride]
	w1, w2, w3 := w[0], w[1], w[2]
	for q, a := range x0 {
		b, c, d := x1[q], x2[q], x3[q]
		even, odd, sum := a+c, a-c, b+d
		turned := complex(imag(d)-imag(b), real(b)-real(d)) // i(b−d)
		y0[q] = even + sum
		y1[q] = w1 * (odd - turned)
		y2[q] = w2 * (even - sum)
		y3[q] = w3 * (odd + turned)
	}
}

func (s *split) forward(dst []complex128, x []float64) {
	for t := range s.a {
		s.a[t] = complex(x[2*t], x[2*t+1])
	}
	s.transform()
	first := s.a[0]
	dst[0], dst[s.h] = complex(real(first)+imag(first), 0), complex(real(first)-imag(first), 0)
	for j := 1; j <= s.h/2; j++ {
		z, mirror := s.a[j], cmplx.Conj(s.a[s.h-j])
		even, odd := (z+mirror)/2, (z-mirror)/2
		odd = s.turn[j] * complex(imag(odd), -real(odd))
		dst[j], dst[s.h-j] = even+odd, cmplx.Conj(even-odd)
	}
}

func (s *split) inverse(dst []float64, c []complex128) {
	// The complex transform of conjugates is the conjugate of the inverse.
	s.a[0] = complex(real(c[0])+real(c[s.h]), real(c[s.h])-real(c[0]))
	for j := 1; j <= s.h/2; j++ {
		z, mirror := c[j], cmplx.Conj(c[s.h-j])
		even, odd := z+mirror, cmplx.Conj(s.turn[j])*(z-mirror)
		odd = complex(-imag(odd), real(odd))
		s.a[j], s.a[s.h-j] = cmplx.Conj(even+odd), even-odd
	}
	s.transform()
	for t, z := range s.a {
		dst[2*t], dst[2*t+1] = real(z), -imag(z)
	}
}
