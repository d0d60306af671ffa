package classify

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// Learner makes a Model of rows and their labels. It draws what it draws from
// src, and does not modify or keep x.
type Learner interface {
	Fit(x [][]float64, y []int, src *noise.Source) (Model, error)
}

// Model tells labels from rows.
type Model interface {
	// Classes lists the labels in ascending order.
	Classes() []int
	// Width is the number of columns of a row.
	Width() int
	// Scores appends one score per class to dst[:0], in the order of Classes:
	// the larger, the likelier. Shares of votes or training rows that sum to
	// one (neighbours, trees, forests), outputs near 0 to 1 (RBF network),
	// votes and margins (SVM), negative squared distances (Embedding). The
	// scale is the learner's own.
	Scores(dst, x []float64) []float64
	// Predict returns the label of a row of Width finite numbers.
	Predict(x []float64) int
}

// Errors of training data that a caller may want to tell apart.
var (
	ErrOneClass = errors.New("classify: all rows have the same label: there is nothing to tell apart")
	ErrConstant = errors.New("classify: all features are constant: there is nothing to learn from")
)

// CheckRows refuses rows of unequal lengths and values that are not finite. It
// returns the number of columns.
func CheckRows(x [][]float64) (width int, err error) {
	if len(x) == 0 || len(x[0]) == 0 {
		return 0, errors.New("classify: there are no rows, or no columns")
	}
	width = len(x[0])
	for i, row := range x {
		if len(row) != width {
			return 0, fmt.Errorf("classify: row %d has %d columns, the first has %d", i, len(row), width)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, fmt.Errorf("classify: row %d, column %d is not a finite number", i, j)
			}
		}
	}
	return width, nil
}

// Check refuses what nothing can be learned from.
func Check(x [][]float64, y []int) error {
	if len(x) != len(y) {
		return fmt.Errorf("classify: %d rows have %d labels", len(x), len(y))
	}
	if _, err := CheckRows(x); err != nil {
		return err
	}
	if !slices.ContainsFunc(y, func(v int) bool { return v != y[0] }) {
		return ErrOneClass
	}
	for _, row := range x {
		if !slices.Equal(row, x[0]) {
			return nil
		}
	}
	return ErrConstant
}

// labels are the classes of a training set and each row's index in them.
type labels struct {
	classes []int
	width   int
}

// Classes lists the labels in ascending order.
func (l labels) Classes() []int { return slices.Clone(l.classes) }

// Width is the number of columns of a row.
func (l labels) Width() int { return l.width }

// encode checks the training data and numbers the labels.
func encode(x [][]float64, y []int) (labels, []int, error) {
	if err := Check(x, y); err != nil {
		return labels{}, nil, err
	}
	classes := slices.Compact(slices.Sorted(slices.Values(y)))
	index := make([]int, len(y))
	for i, v := range y {
		index[i], _ = slices.BinarySearch(classes, v)
	}
	return labels{classes, len(x[0])}, index, nil
}

// best is the index of the largest score, the first of equal ones.
func best(scores []float64) int {
	b := 0
	for i, s := range scores {
		if s > scores[b] {
			b = i
		}
	}
	return b
}

// batch is a model that labels many rows faster than one by one.
type batch interface{ predictAll(x [][]float64) []int }

// Predict labels many rows, on all processors. It refuses rows that the model
// cannot take.
func Predict(m Model, x [][]float64) ([]int, error) {
	if err := fits(m, x); err != nil {
		return nil, err
	}
	if b, ok := m.(batch); ok {
		return b.predictAll(x), nil
	}
	out := make([]int, len(x))
	parallel(len(x), 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = m.Predict(x[i])
		}
	})
	return out, nil
}

// ScoreAll scores many rows, on all processors.
func ScoreAll(m Model, x [][]float64) ([][]float64, error) {
	if err := fits(m, x); err != nil {
		return nil, err
	}
	out := make([][]float64, len(x))
	parallel(len(x), 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = m.Scores(nil, x[i])
		}
	})
	return out, nil
}

func fits(m Model, x [][]float64) error {
	if len(x) == 0 {
		return nil
	}
	width, err := CheckRows(x)
	if err != nil {
		return err
	}
	if width != m.Width() {
		return fmt.Errorf("classify: rows have %d columns, the model was trained on %d", width, m.Width())
	}
	return nil
}

// parallel calls do for consecutive parts of 0..n-1 of at most size, on all
// processors.
func parallel(n, size int, do func(lo, hi int)) {
	workers := min(runtime.GOMAXPROCS(0), (n+size-1)/size)
	if workers <= 1 {
		for lo := 0; lo < n; lo += size {
			do(lo, min(lo+size, n))
		}
		return
	}
	parts := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for lo := range parts {
				do(lo, min(lo+size, n))
			}
		})
	}
	for lo := 0; lo < n; lo += size {
		parts <- lo
	}
	close(parts)
	wg.Wait()
}
