package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// KNN labels a row as most of its K nearest training rows in Euclidean
// distance, a random one of the labels that tie. The tie break is a function
// of the source at Fit and of the row, so that a model is repeatable.
type KNN struct {
	K int // default 11, or all training rows where they are fewer
}

type knn struct {
	labels
	k    int
	x    [][]float64
	y    []int
	near *table
	seed uint64
}

// Fit implements Learner.
func (l KNN) Fit(x [][]float64, y []int, src *noise.Source) (Model, error) {
	k := l.K
	if k == 0 {
		k = min(11, len(x))
	}
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	if k < 0 || k > len(x) {
		return nil, fmt.Errorf("classify: the number of neighbours must lie in 1 to the %d training rows, got %d", len(x), k)
	}
	kept := make([][]float64, len(x))
	for i, row := range x {
		kept[i] = slices.Clone(row)
	}
	return &knn{named, k, kept, index, newTable(x, 0), src.Uint64()}, nil
}

// Scores are shares of the neighbours.
func (m *knn) Scores(dst, x []float64) []float64 {
	dst = append(dst[:0], make([]float64, len(m.classes))...)
	for _, i := range m.nearest(x, make([]float32, len(m.x)), make([]float32, m.width)) {
		dst[m.y[i]] += 1 / float64(m.k)
	}
	return dst
}

func (m *knn) Predict(x []float64) int { return m.predictAll([][]float64{x})[0] }

func (m *knn) predictAll(x [][]float64) []int {
	out := make([]int, len(x))
	parallel(len(x), 64, func(lo, hi int) {
		d, row, votes := make([]float32, len(m.x)), make([]float32, m.width), make([]int, len(m.classes))
		for i := lo; i < hi; i++ {
			out[i] = m.vote(votes, x[i], m.nearest(x[i], d, row))
		}
	})
	return out
}

func (m *knn) vote(votes []int, x []float64, near []int) int {
	clear(votes)
	for _, i := range near {
		votes[m.y[i]]++
	}
	top, tied := slices.Max(votes), 0
	for _, v := range votes {
		if v == top {
			tied++
		}
	}
	skip := 0
	if tied > 1 {
		skip = int(m.hash(x) % uint64(tied))
	}
	for c, v := range votes {
		if v == top {
			if skip == 0 {
				return m.classes[c]
			}
			skip--
		}
	}
	return m.classes[0]
}

// hash mixes a row's bits with the model's seed (Steele et al. 2014).
func (m *knn) hash(x []float64) uint64 {
	h := m.seed
	for _, v := range x {
		h += math.Float64bits(v) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// nearest are the k nearest training rows. Squared distances in single
// precision, in the scratch d, leave out all but a few; those few are measured
// exactly, and equal distances are told apart by the rows' order.
func (m *knn) nearest(x []float64, d, row []float32) []int {
	norm := m.near.take(row, x)
	m.near.squares(d, row, norm)
	bound := kthSmallest(d, m.k)
	// Rounding moves a single-precision distance by at most about
	// 2^−23·(width+8)·(|a|²+|b|²), where |b|² ≤ 2(|a|²+|a−b|²); the bound and the
	// candidate may both be off. Numbers beyond single precision keep everything.
	limit := bound + float32(m.width+8)*0x1p-20*(norm+bound)
	type candidate struct {
		row    int
		square float64
	}
	near := make([]candidate, 0, m.k+8)
	for i, v := range d {
		if !(v > limit) {
			near = append(near, candidate{i, square(x, m.x[i])})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.square, b.square), cmp.Compare(a.row, b.row))
	})
	out := make([]int, m.k)
	for i := range out {
		out[i] = near[i].row
	}
	return out
}

// kthSmallest is the k-th smallest of d by one pass over a short sorted list.
func kthSmallest(d []float32, k int) float32 {
	low := slices.Clone(d[:k])
	slices.Sort(low)
	worst := low[k-1]
	for _, v := range d[k:] {
		if v < worst {
			at, _ := slices.BinarySearch(low, v)
			copy(low[at+1:], low[at:k-1])
			low[at] = v
			worst = low[k-1]
		}
	}
	return worst
}

func square(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += (v - b[i]) * (v - b[i])
	}
	return s
}
