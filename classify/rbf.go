package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gazeward/gazeward/noise"
)

// RBF is a network of radial basis functions (George and Routray 2016; Ren et
// al. 2024): Nodes hidden nodes per class, the centres μ of k-means on the
// class's rows, with outputs exp(−β|x−μ|²), β = 1/(2·mean distance of the
// centre's rows); one output per class, whose weights are the least squares
// fit to 0 and 1 by the pseudo-inverse. Distances are in units of the columns:
// standardise them first.
type RBF struct {
	Nodes int // per class; default 32; fewer where a class has fewer distinct rows
}

type rbf struct {
	labels
	centres [][]float64
	beta    []float64
	weights *mat.Dense // hidden nodes × classes
}

// Fit implements Learner.
func (l RBF) Fit(x [][]float64, y []int, src *noise.Source) (Model, error) {
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	if l.Nodes == 0 {
		l.Nodes = 32
	}
	if l.Nodes < 0 {
		return nil, fmt.Errorf("classify: the number of hidden nodes must be positive, got %d", l.Nodes)
	}
	m := &rbf{labels: named}
	m.hide(x, index, l.Nodes, src)
	if err := m.weigh(x, index); err != nil {
		return nil, err
	}
	return m, nil
}

// hide places the hidden nodes.
func (m *rbf) hide(x [][]float64, index []int, nodes int, src *noise.Source) {
	sorted, start := byClass(x, index, len(m.classes))
	var spread []float64
	for c := range m.classes {
		centres, s := cluster(sorted[start[c]:start[c+1]], nodes, src)
		m.centres, spread = append(m.centres, centres...), append(spread, s...)
	}
	sum, n := 0.0, 0.0
	for _, s := range spread {
		if s > 0 {
			sum, n = sum+s, n+1
		}
	}
	for _, s := range spread {
		if s == 0 { // a centre on its only row: the mean of the others
			s = sum / n
		}
		if n == 0 { // every distinct row is a centre
			s = 1
		}
		m.beta = append(m.beta, 1/(2*s))
	}
}

// weigh solves for the output weights by normal equations, with Φ the hidden
// outputs: (ΦᵀΦ)⁺Φᵀ is the pseudo-inverse of Φ.
func (m *rbf) weigh(x [][]float64, index []int) error {
	h := len(m.centres)
	phi := mat.NewDense(h, len(x), nil) // transposed: products of rows are fast
	right := mat.NewDense(h, len(m.classes), nil)
	parallel(h, 1, func(j, _ int) {
		row, sums := phi.RawRowView(j), right.RawRowView(j)
		for i, v := range x {
			row[i] = math.Exp(-m.beta[j] * square(v, m.centres[j]))
			sums[index[i]] += row[i] // the target is 1 for the row's class
		}
	})
	gram := mat.NewSymDense(h, nil)
	gram.SymOuterK(1, phi)
	m.weights = new(mat.Dense)
	var cholesky mat.Cholesky
	if cholesky.Factorize(gram) && cholesky.Cond() < 1e10 {
		return cholesky.SolveTo(m.weights, right)
	}
	return pseudo(m.weights, gram, right)
}

// pseudo sets w to S⁺·right for a symmetric S that is not negative. Of its
// eigenvalues those below 1e-12 of the largest are rounding.
func pseudo(w *mat.Dense, s *mat.SymDense, right *mat.Dense) error {
	var eigen mat.EigenSym
	if !eigen.Factorize(s, true) {
		return errors.New("classify: the hidden outputs have no pseudo-inverse: are values of the features too large?")
	}
	values := eigen.Values(nil)
	largest := values[len(values)-1]
	var vectors, coordinates mat.Dense
	eigen.VectorsTo(&vectors)
	coordinates.Mul(vectors.T(), right)
	for i, v := range values {
		row := coordinates.RawRowView(i)
		for j := range row {
			if v > 1e-12*largest {
				row[j] /= v
			} else {
				row[j] = 0
			}
		}
	}
	w.Mul(&vectors, &coordinates)
	return nil
}

func (m *rbf) hidden(dst, x []float64) {
	for i, c := range m.centres {
		dst[i] = math.Exp(-m.beta[i] * square(x, c))
	}
}

// Scores are the outputs: near 1 for the row's class, near 0 for the others.
func (m *rbf) Scores(dst, x []float64) []float64 {
	dst = append(dst[:0], make([]float64, len(m.classes))...)
	hidden := make([]float64, len(m.centres))
	m.hidden(hidden, x)
	for i, v := range hidden {
		for c, w := range m.weights.RawRowView(i) {
			dst[c] += v * w
		}
	}
	return dst
}

func (m *rbf) Predict(x []float64) int { return m.classes[best(m.Scores(nil, x))] }
