package classify

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

//go:embed testdata/golden.json
var goldenJSON []byte

// golden is what testdata/golden.py wrote.
type golden struct {
	ClopperPearson []struct {
		K, N                     int
		Confidence, Lower, Upper float64
	} `json:"clopper_pearson"`
	Sets map[string]struct {
		Checksum    float64
		KNN         []string  `json:"knn_votes"`
		SVM         []int     `json:"svm"`
		Support     int       `json:"svm_support"`
		Accuracy    float64   `json:"svm_accuracy"`
		Balanced    float64   `json:"svm_balanced"`
		F1          float64   `json:"svm_f1"`
		Decision    []float64 `json:"svm_decision"`
		LDA         []int     `json:"lda_nearest"`
		Tree        spread
		Forest      spread
		train, test [][]float64
		yTrain, y   []int
	}
}

type spread struct{ Mean, SD float64 }

func readGolden(t *testing.T) golden {
	t.Helper()
	var g golden
	if err := json.Unmarshal(goldenJSON, &g); err != nil {
		t.Fatal(err)
	}
	for name, s := range g.Sets {
		d := goldenSets[name]
		x, y := d.make()
		sum := 0.0
		for _, row := range x {
			for _, v := range row {
				sum += v
			}
		}
		if math.Abs(sum-s.Checksum) > 1e-9*math.Abs(s.Checksum)+1e-7 {
			t.Fatalf("%s: the data sum to %v, those of the script to %v", name, sum, s.Checksum)
		}
		s.train, s.test, s.yTrain, s.y = x[:d.train], x[d.train:], y[:d.train], y[d.train:]
		g.Sets[name] = s
	}
	return g
}

// splitMix is the generator of golden.py.
type splitMix uint64

func (s *splitMix) uniform() float64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) * 0x1p-53
}

func (s *splitMix) bell() float64 {
	return s.uniform() + s.uniform() + s.uniform() + s.uniform() - 2
}

var goldenSets = map[string]struct {
	make  func() ([][]float64, []int)
	train int
}{
	"blobs":  {func() ([][]float64, []int) { return blobs(1, 4, 6, 1.0, 1000, 0) }, 600},
	"people": {func() ([][]float64, []int) { return blobs(2, 20, 52, 0.45, 1500, 0) }, 1000},
	"skew":   {func() ([][]float64, []int) { return blobs(3, 3, 5, 1.2, 700, 0.7) }, 400},
	"rings":  {func() ([][]float64, []int) { return rings(4, 800) }, 400},
}

func blobs(seed splitMix, classes, columns int, apart float64, n int, share float64) (x [][]float64, y []int) {
	centres := make([][]float64, classes)
	total := 0.0
	for c := range centres {
		for range columns {
			centres[c] = append(centres[c], apart*seed.bell())
		}
		total += 1 + float64(c)*share
	}
	for range n {
		u, c := seed.uniform()*total, 0
		for ; c < classes-1 && u >= 1+float64(c)*share; c++ {
			u -= 1 + float64(c)*share
		}
		var row []float64
		for j := range columns {
			v := centres[c][j] + seed.bell()
			if share > 0 {
				v *= []float64{1000, 1. / 1000}[j%2]
			}
			row = append(row, v)
		}
		if share > 0 {
			row = append(row, 7)
		}
		x, y = append(x, row), append(y, 3*c-1)
	}
	return x, y
}

func rings(seed splitMix, n int) (x [][]float64, y []int) {
	for range n {
		a, b := 2*seed.bell(), 2*seed.bell()
		e := 0.6 * seed.bell()
		label := 0
		if a*a+b*b+e > 1.6 {
			label = 1
		}
		x, y = append(x, []float64{a, b}), append(y, label)
	}
	return x, y
}

func fit(t testing.TB, l Learner, x [][]float64, y []int, seed uint64) Model {
	t.Helper()
	m, err := l.Fit(x, y, noise.Seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func labelled(t testing.TB, m Model, x [][]float64, truth []int) []Prediction {
	t.Helper()
	said, err := Predict(m, x)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]Prediction, len(x))
	for i := range out {
		out[i] = Prediction{i, truth[i], said[i]}
	}
	return out
}

func accuracy(t testing.TB, p []Prediction) float64 {
	t.Helper()
	c, err := Confuse(p)
	if err != nil {
		t.Fatal(err)
	}
	return c.Accuracy()
}

// Every vote of every row, and every label that did not hang on a tie.
func TestNeighboursVoteAsInScikitLearn(t *testing.T) {
	for name, s := range readGolden(t).Sets {
		m := fit(t, Standard{KNN{}}, s.train, s.yTrain, 1)
		classes := m.Classes()
		said := labelled(t, m, s.test, s.y)
		for i, row := range s.test {
			var votes strings.Builder
			for _, v := range m.Scores(nil, row) {
				votes.WriteByte("0123456789ab"[int(math.Round(11*v))])
			}
			if votes.String() != s.KNN[i] {
				t.Fatalf("%s: row %d: votes %s, scikit-learn counts %s", name, i, votes.String(), s.KNN[i])
			}
			at, ok := slices.BinarySearch(classes, said[i].Label)
			if top := slices.Max([]byte(s.KNN[i])); !ok || s.KNN[i][at] != top {
				t.Fatalf("%s: row %d: label %d has not the most votes %s", name, i, said[i].Label, s.KNN[i])
			}
			if one := m.Predict(row); one != said[i].Label {
				t.Fatalf("%s: row %d: %d alone, %d among others", name, i, one, said[i].Label)
			}
		}
	}
}

func TestSVMAsInScikitLearn(t *testing.T) {
	for name, s := range readGolden(t).Sets {
		m := fit(t, Standard{SVM{}}, s.train, s.yTrain, 1)
		p := labelled(t, m, s.test, s.y)
		same := 0
		for i := range p {
			if p[i].Label == s.SVM[i] {
				same++
			}
		}
		if same < len(p)*99/100 {
			t.Errorf("%s: %d of %d labels as scikit-learn's", name, same, len(p))
		}
		inner := m.(standard).Model.(*svm)
		if n := inner.support.rows; math.Abs(float64(n-s.Support)) > 0.02*float64(s.Support) {
			t.Errorf("%s: %d support vectors, scikit-learn keeps %d", name, n, s.Support)
		}
		for i, want := range s.Decision { // positive for the second class there, for the first here
			inner.each([][]float64{m.(standard).scale.row(s.test[i])}, func(_ int, k []float32) {
				if got := -(inner.offset[0][1] + inner.sum(k, 0, 1) + inner.sum(k, 1, 0)); math.Abs(got-want) > 5e-3 {
					t.Errorf("%s: row %d: decision %v, scikit-learn's is %v", name, i, got, want)
				}
			})
		}
	}
}

func TestMeasuresAsInScikitLearn(t *testing.T) {
	for name, s := range readGolden(t).Sets {
		var p []Prediction
		for i, label := range s.SVM {
			p = append(p, Prediction{i, s.y[i], label})
		}
		c, err := Confuse(p)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+": accuracy", c.Accuracy(), s.Accuracy, 1e-12)
		near(t, name+": balanced accuracy", c.Balanced(), s.Balanced, 1e-12)
		near(t, name+": macro F1", c.MacroF1(), s.F1, 1e-12)
	}
}

// Trees hang on random orders: the mean accuracy over seeds is compared, within
// five standard errors of the difference and one row in two hundred.
func TestTreesAsGoodAsInScikitLearn(t *testing.T) {
	const runs = 12
	compare := func(what string, l Learner, train [][]float64, y []int, test [][]float64, truth []int, want spread, theirs float64) {
		mean := 0.0
		for seed := range uint64(runs) {
			mean += accuracy(t, labelled(t, fit(t, l, train, y, seed), test, truth)) / runs
		}
		near(t, what, mean, want.Mean, 5*want.SD*math.Sqrt(1.0/runs+1/theirs)+0.005)
	}
	for name, s := range readGolden(t).Sets {
		compare(name+": tree", Standard{Tree{}}, s.train, s.yTrain, s.test, s.y, s.Tree, 20)
		compare(name+": forest", Standard{Forest{}}, s.train, s.yTrain, s.test, s.y, s.Forest, 40)
	}
}

func TestEmbeddingAsInSciPy(t *testing.T) {
	for name, s := range readGolden(t).Sets {
		m := fit(t, Standard{Embedding{Dimensions: min(2, len(slices.Compact(slices.Sorted(slices.Values(s.yTrain))))-1)}}, s.train, s.yTrain, 1)
		for i, p := range labelled(t, m, s.test, s.y) {
			if p.Label != s.LDA[i] {
				t.Errorf("%s: row %d: label %d, the nearest on SciPy's axes has %d", name, i, p.Label, s.LDA[i])
			}
		}
	}
}

func TestClopperPearsonAsInSciPy(t *testing.T) {
	for _, v := range readGolden(t).ClopperPearson {
		got := ClopperPearson(v.K, v.N, v.Confidence)
		near(t, "lower limit", got.Lower, v.Lower, 1e-9)
		near(t, "upper limit", got.Upper, v.Upper, 1e-9)
	}
	// 10 and 8 of 24 at 95 % one-sided.
	near(t, "10 of 24", LowerLimit(10, 24, 0.05), 0.24, 0.01)
	near(t, "8 of 24", LowerLimit(8, 24, 0.05), 0.18, 0.01)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, tol)
	}
}
