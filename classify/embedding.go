package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gazeward/gazeward/noise"
)

// Embedding maps rows to where people differ most relative to how much each of
// them varies (linear discriminant analysis with a shrunk covariance), and
// labels a row as its nearest training row there. It is what biometric
// identification does with features. Standardise first.
type Embedding struct {
	Dimensions int     // default: classes − 1, at most the number of columns
	Shrinkage  float64 // share of the covariance replaced by a sphere, in (0, 1]; default 0.1
}

type embedding struct {
	labels
	mean []float64
	axes *mat.Dense // columns × dimensions
	x    [][]float64
	y    []int
}

// Fit implements Learner.
func (l Embedding) Fit(x [][]float64, y []int, _ *noise.Source) (Model, error) {
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	most := min(len(named.classes)-1, named.width)
	if l.Dimensions == 0 {
		l.Dimensions = most
	}
	if l.Shrinkage == 0 {
		l.Shrinkage = 0.1
	}
	if l.Dimensions < 1 || l.Dimensions > most {
		return nil, fmt.Errorf("classify: the dimensions of an embedding must lie in 1 to %d here, got %d", most, l.Dimensions)
	}
	if !(l.Shrinkage > 0 && l.Shrinkage <= 1) {
		return nil, fmt.Errorf("classify: shrinkage must lie in (0, 1], got %v", l.Shrinkage)
	}
	m := &embedding{labels: named, y: index}
	if err := m.fit(l, x); err != nil {
		return nil, err
	}
	for _, row := range x {
		m.x = append(m.x, m.embed(row))
	}
	return m, nil
}

// moments are the mean, the class means relative to it (times the root of the
// class's share of the rows), and the covariance within classes.
func (m *embedding) moments(x [][]float64) (means [][]float64, within *mat.SymDense) {
	m.mean = make([]float64, m.width)
	means, size := make([][]float64, len(m.classes)), make([]float64, len(m.classes))
	for c := range means {
		means[c] = make([]float64, m.width)
	}
	for i, row := range x {
		size[m.y[i]]++
		for j, v := range row {
			means[m.y[i]][j] += v
			m.mean[j] += v / float64(len(x))
		}
	}
	centred := mat.NewDense(len(x), m.width, nil)
	for i, row := range x {
		for j, v := range row {
			centred.Set(i, j, v-means[m.y[i]][j]/size[m.y[i]])
		}
	}
	for c := range means {
		for j := range means[c] {
			means[c][j] = (means[c][j]/size[c] - m.mean[j]) * math.Sqrt(size[c]/float64(len(x)))
		}
	}
	within = mat.NewSymDense(m.width, nil)
	within.SymOuterK(1/float64(len(x)), centred.T())
	return means, within
}

// fit finds the axes: the principal ones of the class means after whitening
// the covariance within classes.
func (m *embedding) fit(l Embedding, x [][]float64) error {
	means, within := m.moments(x)
	sphere := mat.Trace(within) / float64(m.width)
	if !(sphere > 0) { // every class is one point
		sphere = 1
	}
	for i := range m.width {
		for j := i; j < m.width; j++ {
			v := (1 - l.Shrinkage) * within.At(i, j)
			if i == j {
				v += l.Shrinkage * sphere
			}
			within.SetSym(i, j, v)
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(within) {
		return errors.New("classify: the covariance of the features cannot be inverted: are their values too large?")
	}
	var lower mat.TriDense
	cholesky.LTo(&lower)
	white := mat.NewDense(m.width, len(means), nil)
	for c, mean := range means {
		white.SetCol(c, mean)
	}
	if err := solve(&lower, white); err != nil {
		return err
	}
	var svd mat.SVD
	if !svd.Factorize(white, mat.SVDThin) {
		return errors.New("classify: the class means have no principal axes")
	}
	var u mat.Dense
	svd.UTo(&u)
	axes := mat.DenseCopyOf(u.Slice(0, m.width, 0, l.Dimensions))
	m.axes = new(mat.Dense)
	return m.axes.Solve(lower.T(), axes)
}

// solve replaces b by L⁻¹·b.
func solve(lower *mat.TriDense, b *mat.Dense) error {
	var out mat.Dense
	if err := out.Solve(lower, b); err != nil {
		return errors.New("classify: the covariance of the features is singular")
	}
	b.Copy(&out)
	return nil
}

func (m *embedding) embed(x []float64) []float64 {
	_, dims := m.axes.Dims()
	out := make([]float64, dims)
	for j, v := range x {
		for d, a := range m.axes.RawRowView(j) {
			out[d] += (v - m.mean[j]) * a
		}
	}
	return out
}

// Scores are minus the squared distance of each class's nearest row.
func (m *embedding) Scores(dst, x []float64) []float64 {
	dst = append(dst[:0], make([]float64, len(m.classes))...)
	for c := range dst {
		dst[c] = math.Inf(-1)
	}
	e := m.embed(x)
	for i, row := range m.x {
		dst[m.y[i]] = math.Max(dst[m.y[i]], -square(e, row))
	}
	return dst
}

func (m *embedding) Predict(x []float64) int { return m.classes[best(m.Scores(nil, x))] }
