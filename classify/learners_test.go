package classify

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/noise"
)

// The single-precision search leaves nothing out, whatever the data.
func TestNearestAreTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, n := rapid.IntRange(1, 6).Draw(t, "width"), rapid.IntRange(2, 40).Draw(t, "n")
		scale := math.Pow(10, rapid.Float64Range(-30, 30).Draw(t, "scale"))
		offset := rapid.SampledFrom([]float64{0, 1, 1e6, 1e12}).Draw(t, "offset")
		src := noise.Seeded(rapid.Uint64().Draw(t, "seed"))
		row := func() []float64 {
			r := make([]float64, width)
			for j := range r {
				r[j] = scale * (offset + float64(src.IntN(6)) + 1e-9*src.Float64())
			}
			return r
		}
		x, y := make([][]float64, n), make([]int, n)
		for i := range x {
			x[i], y[i] = row(), i%2
		}
		if Check(x, y) != nil {
			t.Skip("constant")
		}
		k := rapid.IntRange(1, n).Draw(t, "k")
		fitted, err := KNN{k}.Fit(x, y, src)
		if err != nil {
			t.Fatal(err)
		}
		m, probe := fitted.(*knn), row()
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(square(probe, x[a]), square(probe, x[b])) })
		if got := m.nearest(probe, make([]float32, n), make([]float32, width)); !slices.Equal(got, want[:k]) {
			t.Fatalf("nearest %v, by definition %v", got, want[:k])
		}
	})
}

// With two neighbours of different labels each is drawn half of the time, over
// rows, and always the same for one row.
func TestTiesAreBrokenAtRandom(t *testing.T) {
	m := fit(t, KNN{2}, [][]float64{{-1}, {1}}, []int{3, 7}, 1)
	const n = 4000
	sevens := 0
	for i := range n {
		x := []float64{float64(i) / n}
		label := m.Predict(x)
		if again := m.Predict(x); again != label {
			t.Fatal("one row, two labels")
		}
		if label == 7 {
			sevens++
		}
	}
	if l := ClopperPearson(sevens, n, 1-1e-6); l.Lower > 0.5 || l.Upper < 0.5 {
		t.Errorf("%d of %d ties go to one label", sevens, n)
	}
}

// The solution meets the optimality conditions of the dual: 0 ≤ α ≤ C,
// Σ yα = 0, and margins that agree with α.
func TestSVMOptimality(t *testing.T) {
	x, y := rings(11, 150)
	const c, gamma = 2.0, 0.7
	sorted, start := byClass(x, y, 2)
	for _, budget := range []int{1 << 20, 1} { // all rows kept, and two
		p := newPair(newKernel(newTable(sorted, math.Sqrt(gamma)), budget), span{start[0], start[1]}, span{start[1], start[2]}, c)
		p.solve(1e-5)
		offset := p.offset()
		a, b := p.signed()
		weights, sum := slices.Concat(a, b), 0.0
		for i, w := range weights {
			side := 1.0
			if i >= len(a) {
				side = -1
			}
			sum += w
			margin := offset
			for j, v := range weights {
				margin += v * math.Exp(-gamma*square(sorted[i], sorted[j]))
			}
			margin *= side
			switch alpha := w * side; {
			case alpha < 0 || alpha > c:
				t.Errorf("α = %v", alpha)
			case alpha == 0 && margin < 1-1e-3, alpha == c && margin > 1+1e-3, alpha > 0 && alpha < c && math.Abs(margin-1) > 1e-3:
				t.Errorf("α = %v with margin %v", alpha, margin)
			}
		}
		near(t, "Σ yα", sum, 0, 1e-9)
	}
}

func TestDecay(t *testing.T) {
	for _, v := range []float32{-1e-6, 0, 1e-9, 0.3, 1, 2.71, 20, 80, 96, 97.1, 200, float32(math.Inf(1)), float32(math.NaN())} {
		d := []float32{v}
		decay(d)
		want := math.Exp(-math.Max(0, float64(v)))
		if math.IsNaN(want) {
			want = 0
		}
		near(t, "exp", float64(d[0]), want, 2e-7*want+1e-42)
	}
}

// A tree by brute force: the best split of all, told by counting anew.
func TestTreeTakesTheBestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "n")
		x, y := make([][]float64, n), make([]int, n)
		for i := range x {
			x[i] = []float64{float64(rapid.IntRange(0, 5).Draw(t, "a")), float64(rapid.IntRange(0, 5).Draw(t, "b"))}
			y[i] = rapid.IntRange(0, 2).Draw(t, "y")
		}
		if Check(x, y) != nil {
			t.Skip("nothing to learn")
		}
		leaf := rapid.IntRange(1, 3).Draw(t, "leaf")
		m, err := Tree{MinLeaf: leaf, MaxDepth: 1}.Fit(x, y, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		gini := func(left func([]float64) bool) float64 {
			var counts [2][3]float64
			var size [2]float64
			for i, row := range x {
				side := 1
				if left(row) {
					side = 0
				}
				counts[side][y[i]]++
				size[side]++
			}
			if size[0] < float64(leaf) || size[1] < float64(leaf) {
				return math.Inf(1)
			}
			sum := 0.0
			for s := range size {
				for _, c := range counts[s] {
					sum += c * (1 - c/size[s])
				}
			}
			return sum
		}
		want := math.Inf(1)
		for f := range 2 {
			for cut := range 5 {
				want = math.Min(want, gini(func(r []float64) bool { return r[f] <= float64(cut) }))
			}
		}
		root := m.(*forest).trees[0].nodes[0]
		if root.feature < 0 {
			if !math.IsInf(want, 1) {
				t.Fatalf("no split, the best has impurity %v", want)
			}
			return
		}
		got := gini(func(r []float64) bool { return r[root.feature] <= root.threshold })
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("impurity %v after the split, %v is possible", got, want)
		}
	})
}

// A full tree knows its training rows; its leaves hold at least MinLeaf of them.
func TestTreeDepthAndLeaves(t *testing.T) {
	x, y := blobs(12, 4, 5, 0.5, 300, 0)
	if got := accuracy(t, labelled(t, fit(t, Tree{}, x, y, 1), x, y)); got != 1 {
		t.Errorf("a full tree finds %v of its own rows", got)
	}
	m := fit(t, Tree{MinLeaf: 20}, x, y, 1).(*forest)
	held := map[*float32]int{}
	for _, row := range x {
		held[&m.trees[0].leaf(row, 4)[0]]++
	}
	for _, n := range held {
		if n < 20 {
			t.Errorf("a leaf holds %d rows", n)
		}
	}
	stump := fit(t, Tree{MaxDepth: 1}, x, y, 1).(*forest)
	if n := len(stump.trees[0].nodes); n != 3 {
		t.Errorf("a stump has %d nodes", n)
	}
}

// XOR has no good first split; a tree must take one nevertheless.
func TestTreeSolvesXOR(t *testing.T) {
	x, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 1, 0}
	if got := accuracy(t, labelled(t, fit(t, Tree{}, x, y, 1), x, y)); got != 1 {
		t.Errorf("XOR: %v", got)
	}
}

// The output weights are the pseudo-inverse's: residuals are orthogonal to all
// hidden outputs, and of all such weights these are the shortest.
func TestRBFIsLeastSquares(t *testing.T) {
	x, y := blobs(13, 3, 4, 1, 90, 0)
	m := fit(t, RBF{Nodes: 8}, x, y, 1).(*rbf)
	if len(m.centres) != 24 {
		t.Fatalf("%d hidden nodes", len(m.centres))
	}
	gradient := make([]float64, len(m.centres))
	hidden := make([]float64, len(m.centres))
	for i, row := range x {
		m.hidden(hidden, row)
		off := m.Scores(nil, row)[0]
		if m.classes[0] == y[i] {
			off--
		}
		for j, h := range hidden {
			gradient[j] += off * h
		}
	}
	for j, v := range gradient {
		near(t, "residual along a hidden output", v, 0, 1e-8*float64(j+1))
	}
}

func TestPseudoInverse(t *testing.T) {
	s := mat.NewSymDense(3, []float64{2, 2, 0, 2, 2, 0, 0, 0, 4})
	var w mat.Dense
	if err := pseudo(&w, s, mat.NewDense(3, 1, []float64{1, 1, 2})); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.25, 0.25, 0.5} {
		near(t, "weight", w.At(i, 0), want, 1e-12)
	}
}

// β = 1/(2·mean distance), and a node on a single row takes the mean of others.
func TestRBFWidths(t *testing.T) {
	x := [][]float64{{0}, {2}, {100}, {7}}
	m := fit(t, RBF{Nodes: 2}, x, []int{0, 0, 0, 1}, 1).(*rbf)
	for i, c := range m.centres {
		near(t, "β", m.beta[i], 0.5, 1e-12) // {0, 2} are 1 from their mean
		if c[0] != 1 && c[0] != 100 && c[0] != 7 {
			t.Errorf("centre %v", c)
		}
	}
}

func TestClusterFindsClusters(t *testing.T) {
	src := noise.Seeded(4)
	var x [][]float64
	for i := range 300 {
		x = append(x, []float64{10 * float64(i%3), src.NormFloat64() * 0.1})
	}
	centres, spread := cluster(x, 3, src)
	for _, c := range centres {
		near(t, "centre", math.Mod(c[0]+1, 10), 1, 1e-9)
		near(t, "centre", c[1], 0, 0.06)
	}
	if len(centres) != 3 {
		t.Errorf("%d centres", len(centres))
	}
	for _, s := range spread {
		near(t, "mean distance", s, 0.08, 0.02) // 0.1·√(2/π)
	}
	if centres, _ = cluster([][]float64{{1}, {1}, {2}}, 3, src); len(centres) != 2 {
		t.Errorf("two distinct rows have %d centres", len(centres))
	}
}

// Directions in which everybody varies do not hide one in which they differ.
func TestEmbeddingIgnoresLoudFeatures(t *testing.T) {
	src := noise.Seeded(5)
	var x [][]float64
	var y []int
	for i := range 400 {
		loud := 30 * src.NormFloat64()
		x = append(x, []float64{loud, loud + float64(i%4) + 0.1*src.NormFloat64()})
		y = append(y, i%4)
	}
	plain := accuracy(t, labelled(t, fit(t, Standard{KNN{1}}, x[:200], y[:200], 1), x[200:], y[200:]))
	got := accuracy(t, labelled(t, fit(t, Embedding{Shrinkage: 1e-9}, x[:200], y[:200], 1), x[200:], y[200:]))
	if got < 0.95 || plain > 0.7 {
		t.Errorf("embedding finds %v, plain neighbours %v", got, plain)
	}
}
