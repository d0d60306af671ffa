package classify

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// Split says which rows train and which are tested.
type Split struct{ Train, Test []int }

// byGroup lists the rows of every group, groups in ascending order.
func byGroup(groups []int) (names []int, rows [][]int) {
	names = slices.Compact(slices.Sorted(slices.Values(groups)))
	rows = make([][]int, len(names))
	for i, g := range groups {
		at, _ := slices.BinarySearch(names, g)
		rows[at] = append(rows[at], i)
	}
	return names, rows
}

// LeaveOneGroupOut tests each group once, trained on all others: with groups
// of persons, what is learned of the label is not the person.
func LeaveOneGroupOut(groups []int) ([]Split, error) {
	names, rows := byGroup(groups)
	if len(names) < 2 {
		return nil, fmt.Errorf("classify: leaving one group out needs two groups, got %d", len(names))
	}
	splits := make([]Split, len(names))
	for s := range splits {
		splits[s].Test = rows[s]
		for i, g := range groups {
			if g != names[s] {
				splits[s].Train = append(splits[s].Train, i)
			}
		}
	}
	return splits, nil
}

// Halves trains on the first half of every group's rows, in the order given,
// and tests the rest: with groups of recordings, the identification of persons
// in Steil et al. 2019 and Bozkir et al. 2021. The middle row of an odd number
// is tested.
func Halves(groups []int) (Split, error) {
	var s Split
	_, all := byGroup(groups)
	if len(all) == 0 {
		return s, fmt.Errorf("classify: there are no rows to split")
	}
	for g, rows := range all {
		if len(rows) < 2 {
			return s, fmt.Errorf("classify: group %d of %d has one row, which cannot be halved", g+1, len(all))
		}
		s.Train = append(s.Train, rows[:len(rows)/2]...)
		s.Test = append(s.Test, rows[len(rows)/2:]...)
	}
	return s, nil
}

// Prediction is what was said of a row.
type Prediction struct{ Row, True, Label int }

// Validate fits the learner to each split's training rows and labels its test
// rows; splits run on all processors. Predictions are in the order of splits
// and their test rows.
func Validate(l Learner, x [][]float64, y []int, splits []Split, src *noise.Source) ([]Prediction, error) {
	if err := Check(x, y); err != nil {
		return nil, err
	}
	sources := make([]*noise.Source, len(splits))
	for i := range sources {
		sources[i] = src.Split()
	}
	out := make([][]Prediction, len(splits))
	var once sync.Once
	var failed error
	parallel(len(splits), 1, func(i, _ int) {
		var err error
		if out[i], err = validate(l, x, y, splits[i], sources[i]); err != nil {
			once.Do(func() { failed = fmt.Errorf("classify: split %d of %d: %w", i+1, len(splits), err) })
		}
	})
	if failed != nil {
		return nil, failed
	}
	return slices.Concat(out...), nil
}

func validate(l Learner, x [][]float64, y []int, s Split, src *noise.Source) ([]Prediction, error) {
	m, err := l.Fit(pick(x, s.Train), pick(y, s.Train), src)
	if err != nil {
		return nil, err
	}
	said, err := Predict(m, pick(x, s.Test))
	if err != nil {
		return nil, err
	}
	out := make([]Prediction, len(said))
	for i, label := range said {
		out[i] = Prediction{s.Test[i], y[s.Test[i]], label}
	}
	return out, nil
}

func pick[T any](x []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = x[r]
	}
	return out
}

// Vote lets every group's rows vote for one label, a random one of those that
// tie. The groups' truth is that of their rows, which must agree.
func Vote(p []Prediction, groups []int, src *noise.Source) ([]Prediction, error) {
	rows := make([]int, len(p))
	for i, q := range p {
		if q.Row < 0 || q.Row >= len(groups) {
			return nil, fmt.Errorf("classify: row %d has no group", q.Row)
		}
		rows[i] = groups[q.Row]
	}
	_, members := byGroup(rows)
	out := make([]Prediction, len(members))
	for g, list := range members {
		var said []int
		for _, i := range list {
			if p[i].True != p[list[0]].True {
				return nil, fmt.Errorf("classify: rows of one group have different labels: they cannot vote for one")
			}
			said = append(said, p[i].Label)
		}
		out[g] = Prediction{p[list[0]].Row, p[list[0]].True, majority(said, src)}
	}
	return out, nil
}

func majority(said []int, src *noise.Source) int {
	names, rows := byGroup(said)
	most := 0
	var tied []int
	for i, r := range rows {
		if len(r) > most {
			most, tied = len(r), nil
		}
		if len(r) == most {
			tied = append(tied, names[i])
		}
	}
	if len(tied) == 1 {
		return tied[0]
	}
	return tied[src.IntN(len(tied))]
}
