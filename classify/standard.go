package classify

import (
	"errors"
	"math"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// Standard brings every column to mean zero and variance one by what the
// training data say, applies the same to the rows to be labelled, and leaves
// the rest to another learner. Columns that are constant in training are left
// out of account (zero).
type Standard struct{ Learner Learner }

type standard struct {
	Model
	scale scaling
}

// Fit implements Learner.
func (s Standard) Fit(x [][]float64, y []int, src *noise.Source) (Model, error) {
	if s.Learner == nil {
		return nil, errors.New("classify: Standard needs a learner")
	}
	if err := Check(x, y); err != nil {
		return nil, err
	}
	z := scalingOf(x)
	m, err := s.Learner.Fit(z.all(x), y, src)
	if err != nil {
		return nil, err
	}
	return standard{m, z}, nil
}

func (m standard) Scores(dst, x []float64) []float64 { return m.Model.Scores(dst, m.scale.row(x)) }

func (m standard) Predict(x []float64) int { return m.Model.Predict(m.scale.row(x)) }

func (m standard) predictAll(x [][]float64) []int {
	out, _ := Predict(m.Model, m.scale.all(x)) // the rows were checked by Predict
	return out
}

// scaling is (x − mean)·factor per column.
type scaling struct{ mean, factor []float64 }

func scalingOf(x [][]float64) scaling {
	width := len(x[0])
	s := scaling{make([]float64, width), make([]float64, width)}
	column := make([]float64, len(x))
	for j := range width {
		for i, row := range x {
			column[i] = row[j]
		}
		s.mean[j], s.factor[j] = standardise(column)
	}
	return s
}

// standardise is a column's mean and one over its standard deviation, 0 where
// it is constant.
func standardise(column []float64) (mean, factor float64) {
	lo, hi := slices.Min(column), slices.Max(column)
	if lo == hi {
		return lo, 0
	}
	top := math.Max(math.Abs(lo), math.Abs(hi)) // values are divided by it, so that squares stay finite
	n, square := float64(len(column)), 0.0
	for _, v := range column {
		mean += v / top / n
	}
	for _, v := range column {
		square += (v/top - mean) * (v/top - mean) / n
	}
	if factor = 1 / math.Sqrt(square) / top; math.IsInf(factor, 0) { // differences below the smallest number
		return lo, 0
	}
	return mean * top, factor
}

func (s scaling) row(x []float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = (v - s.mean[j]) * s.factor[j]
	}
	return out
}

func (s scaling) all(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = s.row(row)
	}
	return out
}
