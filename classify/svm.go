package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/gazeward/gazeward/noise"
)

// SVM is the soft-margin support vector machine with the kernel
// exp(−γ|a−b|²); several classes are told apart pair by pair, by votes, ties
// by the sum of margins. Nothing in it is random.
type SVM struct {
	C         float64 // cost of a margin error; default 1
	Gamma     float64 // γ; default automatic: 1/(columns · variance of all values)
	Tolerance float64 // of the optimality conditions; default 1e-3
	Cache     int     // bytes for kernel rows while training; default 256 MiB
}

type svm struct {
	labels
	support *table // rows with a weight, class by class
	start   []int  // of each class in support; one more at the end
	// weight[a][b] are the weights of class a's rows against class b.
	weight [][][]float32
	offset [][]float64 // of the pair a < b
}

// Fit implements Learner.
func (l SVM) Fit(x [][]float64, y []int, _ *noise.Source) (Model, error) {
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	if err := l.defaults(x); err != nil {
		return nil, err
	}
	sorted, start := byClass(x, index, len(named.classes))
	k := newKernel(newTable(sorted, math.Sqrt(l.Gamma)), l.Cache)
	m := &svm{labels: named}
	alpha := m.train(l, k, start)
	m.keep(sorted, start, alpha, k.t)
	return m, nil
}

func (l *SVM) defaults(x [][]float64) error {
	if l.C == 0 {
		l.C = 1
	}
	if l.Tolerance == 0 {
		l.Tolerance = 1e-3
	}
	if l.Cache == 0 {
		l.Cache = 256 << 20
	}
	if l.Gamma == 0 {
		l.Gamma = automaticGamma(x)
	}
	for _, p := range [...]struct {
		name  string
		value float64
	}{{"C", l.C}, {"gamma", l.Gamma}, {"tolerance", l.Tolerance}, {"cache", float64(l.Cache)}} {
		if !(p.value > 0) || math.IsInf(p.value, 0) {
			return fmt.Errorf("classify: %s must be positive and finite, got %v", p.name, p.value)
		}
	}
	return nil
}

// automaticGamma is one over the number of columns and the variance of all
// values together.
func automaticGamma(x [][]float64) float64 {
	n, mean := float64(len(x)*len(x[0])), 0.0
	for _, row := range x {
		for _, v := range row {
			mean += v / n
		}
	}
	variance := 0.0
	for _, row := range x {
		for _, v := range row {
			variance += (v - mean) * (v - mean) / n
		}
	}
	return 1 / (float64(len(x[0])) * variance)
}

// byClass sorts rows by class; class c begins at start[c].
func byClass(x [][]float64, index []int, classes int) (sorted [][]float64, start []int) {
	start = make([]int, classes+1)
	for _, c := range index {
		start[c+1]++
	}
	for c := range classes {
		start[c+1] += start[c]
	}
	sorted = make([][]float64, len(x))
	next := make([]int, classes)
	copy(next, start)
	for i, c := range index {
		sorted[next[c]] = x[i]
		next[c]++
	}
	return sorted, start
}

// train solves every pair; alpha[a][b] are the weights of class a's rows
// against class b, negative where a is the second of the pair.
func (m *svm) train(l SVM, k *kernel, start []int) (alpha [][][]float64) {
	n := len(m.classes)
	alpha, m.offset = make([][][]float64, n), make([][]float64, n)
	for a := range n {
		alpha[a], m.offset[a] = make([][]float64, n), make([]float64, n)
	}
	for a := range n {
		for b := a + 1; b < n; b++ {
			p := newPair(k, span{start[a], start[a+1]}, span{start[b], start[b+1]}, l.C)
			p.solve(l.Tolerance)
			alpha[a][b], alpha[b][a] = p.signed()
			m.offset[a][b] = p.offset()
		}
	}
	return alpha
}

// keep holds on to the rows that have a weight in any pair.
func (m *svm) keep(sorted [][]float64, start []int, alpha [][][]float64, t *table) {
	n := len(m.classes)
	var rows [][]float64
	m.start, m.weight = make([]int, n+1), make([][][]float32, n)
	for a := range n {
		m.weight[a] = make([][]float32, n)
		for i := range start[a+1] - start[a] {
			used := false
			for b := range n {
				used = used || b != a && alpha[a][b][i] != 0
			}
			if !used {
				continue
			}
			rows = append(rows, sorted[start[a]+i])
			for b := range n {
				if b != a {
					m.weight[a][b] = append(m.weight[a][b], float32(alpha[a][b][i]))
				}
			}
		}
		m.start[a+1] = len(rows)
	}
	m.support = &table{centre: t.centre, scale: t.scale}
	m.support.hold(rows)
}

// scores of one row from its kernel values with the support.
func (m *svm) scores(dst []float64, kernel []float32) []float64 {
	n := len(m.classes)
	dst = append(dst[:0], make([]float64, 2*n)...)
	votes, margin := dst[:n], dst[n:]
	for a := range n {
		for b := a + 1; b < n; b++ {
			d := m.offset[a][b] + m.sum(kernel, a, b) + m.sum(kernel, b, a)
			margin[a] += d
			margin[b] -= d
			if d > 0 {
				votes[a]++
			} else {
				votes[b]++
			}
		}
	}
	for a, s := range margin { // less than one vote
		votes[a] += s / (3 * (math.Abs(s) + 1))
	}
	return votes
}

func (m *svm) sum(kernel []float32, a, b int) float64 {
	w := m.weight[a][b]
	if len(w) == 0 {
		return 0
	}
	k := kernel[m.start[a]:m.start[a+1]]
	return blas32.DDot(blas32.Vector{N: len(w), Inc: 1, Data: w}, blas32.Vector{N: len(k), Inc: 1, Data: k})
}

// Scores are votes plus less than one vote for the margins.
func (m *svm) Scores(dst, x []float64) []float64 {
	m.each([][]float64{x}, func(_ int, kernel []float32) { dst = m.scores(dst, kernel) })
	return dst
}

func (m *svm) Predict(x []float64) int { return m.classes[best(m.Scores(nil, x))] }

func (m *svm) predictAll(x [][]float64) []int {
	const rows = 64
	out := make([]int, len(x))
	parallel(len(x), rows, func(lo, hi int) {
		var s []float64
		m.each(x[lo:hi], func(i int, kernel []float32) {
			s = m.scores(s, kernel)
			out[lo+i] = m.classes[best(s)]
		})
	})
	return out
}

// each calls do with every row's kernel values with the support, which are
// valid until it returns.
func (m *svm) each(x [][]float64, do func(i int, kernel []float32)) {
	kernel, taken := make([]float32, m.support.rows), make([]float32, m.width)
	for i, row := range x {
		norm := m.support.take(taken, row)
		m.support.squares(kernel, taken, norm)
		decay(kernel)
		do(i, kernel)
	}
}
