package classify

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// Equal sources give equal models, whatever the number of processors.
func TestRepeatable(t *testing.T) {
	x, y := blobs(5, 5, 8, 0.8, 400, 0)
	probe, _ := blobs(6, 5, 8, 0.8, 200, 0)
	for _, n := range All() {
		var said [][]int
		for _, processors := range []int{1, 4, 4} {
			was := runtime.GOMAXPROCS(processors)
			p, err := Predict(fit(t, n.Learner, x, y, 9), probe)
			runtime.GOMAXPROCS(was)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, p)
		}
		if !slices.Equal(said[0], said[1]) || !slices.Equal(said[1], said[2]) {
			t.Errorf("%s: one source, several models", n.Name)
		}
	}
}

// Whatever the order of the rows, the units of the columns and the names of
// the labels, standardised learners find the same classes.
func TestLearnersLearn(t *testing.T) {
	x, y := blobs(7, 4, 12, 1.6, 900, 0)
	for i := range x {
		x[i][3] = 1e6 + 1e-3*x[i][3]
		x[i][5] *= 1e4
	}
	for _, n := range All() {
		m := fit(t, n.Learner, x[:600], y[:600], 2)
		if got := accuracy(t, labelled(t, m, x[600:], y[600:])); got < 0.8 {
			t.Errorf("%s finds %.3f of well separated classes", n.Name, got)
		}
		if !slices.Equal(m.Classes(), []int{-1, 2, 5, 8}) || m.Width() != 12 {
			t.Errorf("%s: classes %v, width %d", n.Name, m.Classes(), m.Width())
		}
		scores, err := ScoreAll(m, x[600:603])
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			if c := m.Classes()[best(s)]; c != m.Predict(x[600+i]) {
				t.Errorf("%s: row %d: best score is %d's, predicted is %d", n.Name, i, c, m.Predict(x[600+i]))
			}
		}
	}
}

func TestNoLearnerBeatsChanceOnNoise(t *testing.T) {
	x, _ := blobs(8, 1, 6, 0, 600, 0)
	src := noise.Seeded(3)
	y := make([]int, len(x))
	for i := range y {
		y[i] = src.IntN(2)
	}
	for _, n := range All() {
		c, err := Confuse(labelled(t, fit(t, n.Learner, x[:300], y[:300], 4), x[300:], y[300:]))
		if err != nil {
			t.Fatal(err)
		}
		// 1e-6 over six learners and two sides.
		if l := ClopperPearson(c.Correct(), c.Total(), 1-1e-7); l.Lower > 0.5 || l.Upper < 0.5 {
			t.Errorf("%s labels coins: %v", n.Name, l)
		}
	}
}

func TestInputIsNotModified(t *testing.T) {
	x, y := blobs(9, 3, 4, 1, 60, 0)
	before, labels := make([][]float64, len(x)), slices.Clone(y)
	for i, row := range x {
		before[i] = slices.Clone(row)
	}
	for _, n := range All() {
		m := fit(t, n.Learner, x, y, 1)
		said, err := Predict(m, x)
		if err != nil {
			t.Fatal(err)
		}
		kept := x[0]
		x[0] = []float64{9, 9, 9, 9}
		again, err := Predict(m, before)
		if err != nil {
			t.Fatal(err)
		}
		x[0] = kept
		if !slices.Equal(said, again) {
			t.Errorf("%s keeps the caller's rows", n.Name)
		}
	}
	for i := range x {
		if !slices.Equal(x[i], before[i]) || y[i] != labels[i] {
			t.Fatal("a learner modified its input")
		}
	}
}

func TestBadTrainingData(t *testing.T) {
	nan := math.NaN()
	for _, v := range []struct {
		name, want string
		x          [][]float64
		y          []int
	}{
		{"no rows", "no rows", nil, nil},
		{"no columns", "no rows, or no columns", [][]float64{{}, {}}, []int{0, 1}},
		{"unequal columns", "row 1 has 1 columns", [][]float64{{1, 2}, {3}}, []int{0, 1}},
		{"too few labels", "2 rows have 1 labels", [][]float64{{1}, {2}}, []int{0}},
		{"NaN", "column 1 is not a finite number", [][]float64{{1, 2}, {3, nan}}, []int{0, 1}},
		{"infinite", "row 0, column 0 is not", [][]float64{{math.Inf(-1)}, {3}}, []int{0, 1}},
		{"one class", "the same label", [][]float64{{1}, {2}}, []int{4, 4}},
		{"constant features", "all features are constant", [][]float64{{1, 5}, {1, 5}, {1, 5}}, []int{0, 1, 1}},
	} {
		for _, n := range All() {
			if _, err := n.Learner.Fit(v.x, v.y, noise.Seeded(1)); err == nil || !strings.Contains(err.Error(), v.want) || !strings.HasPrefix(err.Error(), "classify: ") {
				t.Errorf("%s, %s: error %v does not say %q", n.Name, v.name, err, v.want)
			}
		}
	}
	if err := Check([][]float64{{1}, {2}}, []int{3, 3}); !errors.Is(err, ErrOneClass) {
		t.Errorf("one class: %v", err)
	}
	if err := Check([][]float64{{1}, {1}}, []int{3, 4}); !errors.Is(err, ErrConstant) {
		t.Errorf("constant: %v", err)
	}
}

func TestBadParameters(t *testing.T) {
	x, y := blobs(9, 3, 4, 1, 30, 0)
	for _, l := range []Learner{
		KNN{-1}, KNN{31}, SVM{C: -1}, SVM{Gamma: math.Inf(1)}, SVM{Tolerance: math.NaN()}, SVM{Cache: -1},
		Tree{MinSplit: 1}, Tree{MinLeaf: -1}, Tree{MaxDepth: -1}, Tree{Features: 5}, Tree{Features: -1},
		Forest{Trees: -1}, Forest{Trees: 1e7}, Forest{Features: 9}, RBF{Nodes: -2},
		Embedding{Dimensions: 3}, Embedding{Dimensions: -1}, Embedding{Shrinkage: 1.1}, Embedding{Shrinkage: -0.1}, Standard{},
	} {
		if _, err := l.Fit(x, y, noise.Seeded(1)); err == nil || !strings.HasPrefix(err.Error(), "classify: ") {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if _, err := ByName("perceptron"); err == nil || !strings.Contains(err.Error(), "k-nn, svm, tree, forest, rbf, embedding") {
		t.Errorf("unknown name: %v", err)
	}
	if l, err := ByName("forest"); err != nil || l != (Standard{Forest{}}) {
		t.Errorf("forest: %v, %v", l, err)
	}
}

func TestRowsThatAModelCannotTake(t *testing.T) {
	x, y := blobs(9, 3, 4, 1, 30, 0)
	for _, n := range All() {
		m := fit(t, n.Learner, x, y, 1)
		for _, rows := range [][][]float64{{{1, 2, 3}}, {{1, 2, 3, math.NaN()}}, {{1, 2, 3, 4}, {1}}} {
			if _, err := Predict(m, rows); err == nil {
				t.Errorf("%s labels %v", n.Name, rows)
			}
			if _, err := ScoreAll(m, rows); err == nil {
				t.Errorf("%s scores %v", n.Name, rows)
			}
		}
		if said, err := Predict(m, nil); err != nil || len(said) != 0 {
			t.Errorf("%s: no rows: %v, %v", n.Name, said, err)
		}
	}
}

// Values beyond single precision, of every size, repeated and few: no panics,
// labels of the training set.
func TestOddRows(t *testing.T) {
	for name, x := range map[string][][]float64{
		"huge":      {{1e300, 1}, {-1e300, 2}, {1e300, 3}, {5, 4}},
		"tiny":      {{5e-324, 0}, {0, 5e-324}, {0, 0}, {5e-324, 5e-324}},
		"repeated":  {{1, 1}, {1, 1}, {1, 1}, {2, 1}},
		"two":       {{0, 1}, {1, 0}},
		"one apart": {{1e9, 1}, {1e9, 1}, {1e9, 1}, {1e9, 1 + 1e-15}},
	} {
		y := []int{0, 1, 0, 1}[:len(x)]
		for _, n := range All() {
			m, err := n.Learner.Fit(x, y, noise.Seeded(1))
			if err != nil {
				t.Logf("%s, %s: %v", name, n.Name, err)
				continue
			}
			probe := append(slices.Clone(x), []float64{-1e200, 1e200}, []float64{0, 0})
			said, err := Predict(m, probe)
			if err != nil {
				t.Errorf("%s, %s: %v", name, n.Name, err)
			}
			for _, c := range said {
				if c != 0 && c != 1 {
					t.Errorf("%s, %s: label %d", name, n.Name, c)
				}
			}
		}
	}
}
