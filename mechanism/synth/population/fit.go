package population

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// look is a noisy linear look at a law on a grid of rows × columns:
//
//	y = left · law · rightᵀ + noise of deviation sigma per entry.
type look struct {
	left, right *mat.Dense // seen × rows, seen × columns
	y           *mat.Dense
	sigma       float64
}

// unseen is the gain below which a singular vector carries nothing.
const unseen = 1e-3

// blurred is a look through two kernels (matrices out × in), reduced to the
// coordinates of their singular vectors: these leave white noise white, and what
// the kernels do not let through is dropped.
func blurred(y *mat.Dense, left, right *mat.Dense, sigma float64) (*look, error) {
	ul, l, err := reduce(left)
	if err != nil {
		return nil, err
	}
	ur, r, err := reduce(right)
	if err != nil {
		return nil, err
	}
	var half, seen mat.Dense
	half.Mul(ul.T(), y)
	seen.Mul(&half, ur)
	return &look{left: l, right: r, y: &seen, sigma: sigma}, nil
}

func identity(n int) *mat.Dense {
	d := mat.NewDense(n, n, nil)
	for i := range n {
		d.Set(i, i, 1)
	}
	return d
}

// sums is the matrix that adds up n entries.
func sums(n int) *mat.Dense {
	d := mat.NewDense(1, n, nil)
	for i := range n {
		d.Set(0, i, 1)
	}
	return d
}

// reduce factors a kernel into orthonormal columns and what remains.
func reduce(a *mat.Dense) (u, rest *mat.Dense, err error) {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, nil, fmt.Errorf("population: the blur has no singular values")
	}
	gains := svd.Values(nil)
	keep := 0
	for keep < len(gains) && gains[keep] > unseen*gains[0] {
		keep++
	}
	var uu, v mat.Dense
	svd.UTo(&uu)
	svd.VTo(&v)
	rows, _ := uu.Dims()
	cols, _ := v.Dims()
	rest = mat.NewDense(keep, cols, nil)
	for i := range keep {
		for j := range cols {
			rest.Set(i, j, gains[i]*v.At(j, i))
		}
	}
	return mat.DenseCopyOf(uu.Slice(0, rows, 0, keep)), rest, nil
}

// len is the number of entries of y.
func (l *look) len() int {
	r, c := l.y.Dims()
	return r * c
}

// through looks at a hidden law that is first smoothed.
func (l *look) through(s *smoothing) *look {
	if s == nil {
		return l
	}
	out := &look{left: &mat.Dense{}, right: &mat.Dense{}, y: l.y, sigma: l.sigma}
	out.left.Mul(l.left, s.down)
	out.right.Mul(l.right, s.across)
	return out
}

// margins are the sums over rows and over columns of a look at single cells.
func (l *look) margins() observed {
	rows, cols := l.y.Dims()
	down, across := &look{left: sums(rows), right: l.right, y: &mat.Dense{}}, &look{left: l.left, right: sums(cols), y: &mat.Dense{}}
	down.y.Mul(down.left, l.y)
	across.y.Mul(l.y, across.right.T())
	down.sigma, across.sigma = l.sigma*math.Sqrt(float64(rows)), l.sigma*math.Sqrt(float64(cols))
	return observed{down, across}
}

// together is how many neighbouring bins a first look takes as one.
const together = 4

// coarse is a look at single bins of one row, as sums over neighbours.
func (l *look) coarse() observed {
	_, n := l.y.Dims()
	blocks := (n + together - 1) / together
	sum, out := grouped(n, blocks), &look{left: l.left, right: &mat.Dense{}, y: &mat.Dense{}}
	out.right.Mul(sum, l.right)
	out.y.Mul(l.y, sum.T())
	out.sigma = l.sigma * math.Sqrt(math.Ceil(float64(n)/float64(blocks)))
	return observed{out}
}

// see writes the noise-free look at a law.
func (l *look) see(u, half, law *mat.Dense) {
	half.Mul(l.left, law)
	u.Mul(half, l.right.T())
}

// observed is all that was seen of one law.
type observed []*look

// shape is the law's.
func (o observed) shape() (rows, columns int) {
	_, rows = o[0].left.Dims()
	_, columns = o[0].right.Dims()
	return rows, columns
}

func (o observed) through(s *smoothing) observed {
	out := make(observed, len(o))
	for i, l := range o {
		out[i] = l.through(s)
	}
	return out
}

// misfit is the squared distance of a law's looks from what was seen, in noise
// variances.
func (o observed) misfit(law []float64) float64 {
	rows, cols := o.shape()
	total := 0.0
	for _, l := range o {
		var u, half mat.Dense
		l.see(&u, &half, mat.NewDense(rows, cols, law))
		u.Sub(&u, l.y)
		total += floats.Dot(u.RawMatrix().Data, u.RawMatrix().Data) / (l.sigma * l.sigma)
	}
	return total
}

// apart is the distance between two laws' looks, in deviations of the noise.
func (o observed) apart(a, b []float64) float64 {
	rows, cols := o.shape()
	between, total := make([]float64, len(a)), 0.0
	floats.SubTo(between, a, b)
	for _, l := range o {
		var u, half mat.Dense
		l.see(&u, &half, mat.NewDense(rows, cols, between))
		total += floats.Dot(u.RawMatrix().Data, u.RawMatrix().Data) / (l.sigma * l.sigma)
	}
	return math.Sqrt(total)
}

// smoothing spreads what is in a cell over its neighbours; columns sum to one.
type smoothing struct{ down, across *mat.Dense }

// apply is the visible law of a hidden one.
func (s *smoothing) apply(law []float64) []float64 {
	if s == nil {
		return law
	}
	rows, _ := s.down.Dims()
	cols, _ := s.across.Dims()
	var half, out mat.Dense
	half.Mul(s.down, mat.NewDense(rows, cols, law))
	out.Mul(&half, s.across.T())
	return out.RawMatrix().Data
}

// blurMatrix is a Gaussian of s cells among n; what leaves on one side stays
// in the outermost cells in proportion, or comes back on the other side where
// the axis is a circle.
func blurMatrix(n int, s float64, circle bool) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for j := range n {
		total := 0.0
		for i := range n {
			d := float64(i - j)
			if circle {
				d = math.Remainder(d, float64(n))
			}
			v := 0.0
			if s > 0 {
				v = math.Exp(-d * d / (2 * s * s))
			} else if d == 0 {
				v = 1
			}
			m.Set(i, j, v)
			total += v
		}
		for i := range n {
			m.Set(i, j, m.At(i, j)/total)
		}
	}
	return m
}

// entropic is the maximum a posteriori law p under a prior ∝ exp(−κ KL(p‖q)):
//
//	min over the simplex ½ Σ ‖F p − y‖²/σ² + κ KL(p‖q), the sum over looks F.
//
// It is found in the dual, whose unknown ν holds the residuals in noise units:
// p ∝ q·exp(Σ Fᵀν/σκ), and ½‖ν‖² − ν·y/σ + κ ln Σ q·exp(Σ Fᵀν/σκ) is least.
type entropic struct {
	o     observed
	q     []float64
	kappa float64

	p    *mat.Dense
	tilt *mat.Dense
	part *mat.Dense   // one look's share of the tilt
	half []*mat.Dense // by look
}

func newEntropic(o observed, q []float64) *entropic {
	rows, cols := o.shape()
	e := &entropic{o: o, q: q, p: mat.NewDense(rows, cols, nil), tilt: mat.NewDense(rows, cols, nil), part: mat.NewDense(rows, cols, nil)}
	for _, l := range o {
		seen, _ := l.y.Dims()
		e.half = append(e.half, mat.NewDense(seen, cols, nil))
	}
	return e
}

// unknowns is the length of ν.
func (e *entropic) unknowns() int {
	n := 0
	for _, l := range e.o {
		n += l.len()
	}
	return n
}

// law fills p for ν and returns the logarithm of the normaliser.
func (e *entropic) law(nu []float64) float64 {
	e.tilt.Zero()
	for i, l := range e.o {
		rows, cols := l.y.Dims()
		e.half[i].Mul(mat.NewDense(rows, cols, nu[:l.len()]), l.right)
		e.part.Mul(l.left.T(), e.half[i])
		floats.AddScaled(e.tilt.RawMatrix().Data, 1/(l.sigma*e.kappa), e.part.RawMatrix().Data)
		nu = nu[l.len():]
	}
	t, p := e.tilt.RawMatrix().Data, e.p.RawMatrix().Data
	top := floats.Max(t)
	total := 0.0
	for i, v := range t {
		p[i] = e.q[i] * math.Exp(v-top)
		total += p[i]
	}
	floats.Scale(1/total, p)
	return top + math.Log(total)
}

// value is the dual's, with its gradient.
func (e *entropic) value(nu, g []float64) float64 {
	v := 0.5*floats.Dot(nu, nu) + e.kappa*e.law(nu)
	for i, l := range e.o {
		rows, cols := l.y.Dims()
		n := l.len()
		l.see(mat.NewDense(rows, cols, g[:n]), e.half[i], e.p)
		y := l.y.RawMatrix().Data
		v -= floats.Dot(nu[:n], y) / l.sigma
		for j := range n {
			g[j] = nu[j] + (g[j]-y[j])/l.sigma
		}
		nu, g = nu[n:], g[n:]
	}
	return v
}

// Bounds of one fit: steps, and the gain in nats below which it ends.
const (
	maxDescents = 150
	settled     = 0.02
)

// solve finds ν from a start, which it overwrites, and fills p.
func (e *entropic) solve(kappa float64, nu []float64) {
	e.kappa = kappa
	descend(e.value, nu, maxDescents, settled)
	e.law(nu)
}
