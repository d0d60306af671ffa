package series

import (
	"math"

	"github.com/gazeward/gazeward/signal"
)

// kind is a change of coordinates for a chunk.
type kind uint8

const (
	plain       kind = iota // the values themselves
	spectral                // real DFT, unnormalised, half spectrum
	difference              // differences inside the chunk, then spectral
	cosine                  // orthonormal cosine transform
	orthonormal             // real DFT scaled to keep norms
)

// form is a chunk's kind, its number of values and of coefficients. The last
// is capped at what there are; plain chunks keep everything.
type form struct {
	kind kind
	n, k int
}

// newForm caps k at the half spectrum.
func newForm(kd kind, n, k int) form {
	if kd == plain {
		return form{plain, n, n}
	}
	return form{kd, n, max(1, min(k, n/2+1))}
}

// size is the number of real coordinates: Re X₀, Re and Im of the others, and
// of the middle of an even length Re only.
func (f form) size() int {
	if f.kind == plain {
		return f.n
	}
	return min(2*f.k-1, f.n)
}

// codec turns n values into coordinates and back. It has scratch space: one
// per goroutine.
type codec interface {
	forward(dst, x []float64) // coordinates M·x
	adjoint(dst, y []float64) // n values Mᵀ·y
	inverse(dst, y []float64) // n values of the reconstruction
}

func (f form) codec() codec {
	if f.kind != plain && f.kind != difference && f.size() <= directSize {
		return f.direct()
	}
	return f.transform()
}

// transform is the codec by fast transforms.
func (f form) transform() codec {
	switch f.kind {
	case plain:
		return identity{}
	case difference:
		return &differencing{newHalf(f), make([]float64, f.n)}
	case cosine:
		return &cosines{signal.NewDCT(f.n), make([]float64, f.n), make([]float64, f.n)}
	case orthonormal:
		return newScaled(f)
	}
	return newHalf(f)
}

// directSize is the number of coordinates up to which multiplying by the rows
// takes no longer than a transform.
const directSize = 7

// direct keeps the rows of M, and what each adds to the inverse: few
// coordinates of long signals, of prime lengths too.
type direct struct {
	rows    [][]float64
	weights []float64
}

func (f form) direct() direct {
	d := direct{make([][]float64, f.size()), make([]float64, f.size())}
	all := make([]float64, f.size()*f.n)
	for i := range d.rows {
		d.rows[i] = all[i*f.n:][:f.n]
		for t := range d.rows[i] {
			d.rows[i][t] = f.entry(i, t)
		}
		d.weights[i] = 1
		if f.kind == spectral {
			d.weights[i] = f.twice(i) / float64(f.n)
		}
	}
	return d
}

// twice is 2 for coordinates that both halves of the spectrum have, else 1.
func (f form) twice(i int) float64 {
	if i == 0 || i+1 == f.n && f.n%2 == 0 {
		return 1
	}
	return 2
}

// entry is row i of M at value t.
func (f form) entry(i, t int) float64 {
	n := float64(f.n)
	if f.kind == cosine {
		v := math.Sqrt(2/n) * math.Cos(math.Pi*float64(i*(2*t+1)%(4*f.n))/(2*n))
		if i == 0 {
			v /= math.Sqrt2
		}
		return v
	}
	sin, cos := math.Sincos(2 * math.Pi * float64((i+1)/2*t%f.n) / n)
	v := cos
	if i%2 == 0 && i > 0 {
		v = -sin
	}
	if f.kind == orthonormal {
		v *= math.Sqrt(f.twice(i) / n)
	}
	return v
}

func (d direct) forward(dst, x []float64) {
	for i, row := range d.rows {
		s := 0.0
		for t, r := range row {
			s += r * x[t]
		}
		dst[i] = s
	}
}

func (d direct) adjoint(dst, y []float64) {
	clear(dst)
	for i, row := range d.rows {
		addRow(dst, row, y[i])
	}
}

func (d direct) inverse(dst, y []float64) {
	clear(dst)
	for i, row := range d.rows {
		addRow(dst, row, y[i]*d.weights[i])
	}
}

func addRow(dst, row []float64, times float64) {
	dst = dst[:len(row)]
	for t, r := range row {
		dst[t] += times * r
	}
}

type identity struct{}

func (identity) forward(dst, x []float64) { copy(dst, x) }
func (identity) adjoint(dst, y []float64) { copy(dst, y) }
func (identity) inverse(dst, y []float64) { copy(dst, y) }

// half is the half spectrum: coordinates Re X₀, Re X₁, Im X₁, Re X₂, …
type half struct {
	dft  *signal.DFT
	bins []complex128
}

func newHalf(f form) *half {
	d := signal.NewDFT(f.n)
	return &half{d, make([]complex128, d.Bins())}
}

func (h *half) forward(dst, x []float64) {
	h.dft.Coefficients(h.bins, x)
	pack(dst, h.bins)
}

func pack(dst []float64, bins []complex128) {
	dst[0] = real(bins[0])
	for i := 1; i < len(dst); i++ {
		if j := (i + 1) / 2; i%2 == 1 {
			dst[i] = real(bins[j])
		} else {
			dst[i] = imag(bins[j])
		}
	}
}

// unpack writes the coordinates as coefficients, those that both halves of the
// spectrum have times twice.
func (h *half) unpack(y []float64, twice float64) {
	clear(h.bins)
	h.bins[0] = complex(y[0], 0)
	for i := 1; i < len(y); i += 2 {
		j := (i + 1) / 2
		if 2*j == h.dft.Len() {
			h.bins[j] = complex(y[i], 0)
			continue
		}
		im := 0.0
		if i+1 < len(y) {
			im = y[i+1]
		}
		h.bins[j] = complex(twice*y[i], twice*im)
	}
}

func (h *half) inverse(dst, y []float64) {
	h.unpack(y, 1)
	h.dft.Sequence(dst, h.bins)
}

func (h *half) adjoint(dst, y []float64) {
	h.unpack(y, 0.5)
	h.dft.Sequence(dst, h.bins)
	for t := range dst {
		dst[t] *= float64(len(dst))
	}
}

// differencing is half of the differences, with the first value kept.
type differencing struct {
	*half
	work []float64
}

func (d *differencing) forward(dst, x []float64) {
	d.half.forward(dst, signal.Differences(d.work, x))
}

func (d *differencing) adjoint(dst, y []float64) {
	d.half.adjoint(dst, y)
	for t := range len(dst) - 1 {
		dst[t] -= dst[t+1]
	}
}

func (d *differencing) inverse(dst, y []float64) {
	d.half.inverse(dst, y)
	signal.CumulativeSums(dst, dst)
}

// scaled is half with orthonormal rows.
type scaled struct {
	*half
	scale []float64
	work  []float64
}

func newScaled(f form) *scaled {
	s := &scaled{newHalf(f), make([]float64, f.size()), make([]float64, f.size())}
	for i := range s.scale {
		s.scale[i] = math.Sqrt(f.twice(i) / float64(f.n))
	}
	return s
}

func (s *scaled) forward(dst, x []float64) {
	s.half.forward(dst, x)
	for i := range dst {
		dst[i] *= s.scale[i]
	}
}

func (s *scaled) inverse(dst, y []float64) {
	for i := range y {
		s.work[i] = y[i] / s.scale[i]
	}
	s.half.inverse(dst, s.work[:len(y)])
}

func (s *scaled) adjoint(dst, y []float64) { s.inverse(dst, y) }

// cosines are the first coordinates of the cosine transform.
type cosines struct {
	dct  *signal.DCT
	all  []float64
	work []float64
}

func (c *cosines) forward(dst, x []float64) { copy(dst, c.dct.Coefficients(c.all, x)) }

func (c *cosines) inverse(dst, y []float64) {
	clear(c.work[copy(c.work, y):])
	c.dct.Sequence(dst, c.work)
}

func (c *cosines) adjoint(dst, y []float64) { c.inverse(dst, y) }
