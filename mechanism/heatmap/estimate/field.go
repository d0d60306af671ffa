package estimate

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// field is a smooth random surface z on the coarse canvas, a sum of cosines on
// a somewhat larger rectangle, with independent standard normal weights:
//
//	z(x, y) = Σ scale[k,l] · w[k,l] · cos(πkx/L) · cos(πly/M)
//
// so that the weights are what a descent sees, and their size is the price.
type field struct {
	cols, rows int
	nx, ny     int       // numbers of cosines
	cx, cy     []float64 // cosines, orthonormal on the rectangle: one row of nx (ny) per column (row) of cells
	power      []float64 // spectral density at unit variance, per weight
	seen       []float64 // squared gain of the query blur, per weight
	wide, high float64   // size of the rectangle, in cells
	tmp        []float64
}

// newField makes a surface with Matérn covariance of smoothness one, unit
// variance and the given length (all in coarse cells), from all cosines up to
// the frequency limit. pad cells on each side keep the border from being
// special.
func newField(c *coarse, length, pad, limit float64) *field {
	wide, high := float64(c.cols)+2*pad, float64(c.rows)+2*pad
	f := &field{cols: c.cols, rows: c.rows, wide: wide, high: high}
	f.nx, f.ny = int(limit*wide/math.Pi)+1, int(limit*high/math.Pi)+1
	f.cx, f.cy = cosines(f.cols, f.nx, wide, pad), cosines(f.rows, f.ny, high, pad)
	f.power, f.seen = make([]float64, f.nx*f.ny), make([]float64, f.nx*f.ny)
	for i := range f.power {
		w2 := f.frequency2(i)
		if w2 <= limit*limit {
			f.power[i] = 2 * math.Pi * length * length / sq(1+w2*length*length/2)
		}
		f.seen[i] = math.Exp(-c.query * c.query * w2)
	}
	f.tmp = make([]float64, max(f.rows*f.nx, f.ny*f.cols))
	return f
}

// frequency2 is the squared angular frequency of a weight, per cell².
func (f *field) frequency2(k int) float64 {
	return sq(math.Pi*float64(k%f.nx)/f.wide) + sq(math.Pi*float64(k/f.nx)/f.high)
}

func sq(x float64) float64 { return x * x }

func cosines(cells, n int, length, pad float64) []float64 {
	out := make([]float64, cells*n)
	for i := range out {
		x, k := float64(i/n)+0.5+pad, float64(i%n)
		out[i] = math.Sqrt(2/length) * math.Cos(math.Pi*k*x/length)
		if k == 0 {
			out[i] = math.Sqrt(1 / length)
		}
	}
	return out
}

// surface writes the surface of spectral amplitudes a (ny rows of nx) into z.
func (f *field) surface(z, a []float64) {
	half := f.tmp[:f.rows*f.nx] // cy · a
	clear(half)
	for y := range f.rows {
		for l := range f.ny {
			axpy(half[y*f.nx:(y+1)*f.nx], a[l*f.nx:(l+1)*f.nx], f.cy[y*f.ny+l])
		}
	}
	for i := range z {
		y, x := i/f.cols, i%f.cols
		z[i] = dot(half[y*f.nx:(y+1)*f.nx], f.cx[x*f.nx:(x+1)*f.nx])
	}
}

// adjoint writes the amplitudes' gradient into a, given the surface's, g.
func (f *field) adjoint(a, g []float64) {
	half := f.tmp[:f.rows*f.nx] // g · cx
	clear(half)
	for i, v := range g {
		y, x := i/f.cols, i%f.cols
		axpy(half[y*f.nx:(y+1)*f.nx], f.cx[x*f.nx:(x+1)*f.nx], v)
	}
	clear(a)
	for y := range f.rows {
		for l := range f.ny {
			axpy(a[l*f.nx:(l+1)*f.nx], half[y*f.nx:(y+1)*f.nx], f.cy[y*f.ny+l])
		}
	}
}

func dot(a, b []float64) float64 { return floats.Dot(a, b) }

// volume tabulates, against ln t, the log determinant that one cell adds when
// the signal there has t times the power of the surface per power of noise:
//
//	G(t) = ∫ d²ω/(2π)² ln(1 + t·power(ω)·seen(ω))
//
// the local (Weyl) approximation of ln det(1 + JᵀJ) for a signal whose strength
// varies slowly from cell to cell.
func (f *field) volume() table {
	g := table{from: math.Log(1e-9), step: 0.25, v: make([]float64, 160)}
	for i := range g.v {
		t := math.Exp(g.from + float64(i)*g.step)
		for k, power := range f.power {
			if s := t * power * f.seen[k]; s > 0 {
				g.v[i] += math.Log1p(s)
			}
		}
		g.v[i] /= f.wide * f.high
	}
	return g
}

// table interpolates linearly and is constant outside.
type table struct {
	from, step float64
	v          []float64
}

func (t table) at(x float64) float64 {
	x = min(max((x-t.from)/t.step, 0), float64(len(t.v)-1))
	i := min(int(x), len(t.v)-2)
	return t.v[i] + (x-float64(i))*(t.v[i+1]-t.v[i])
}
