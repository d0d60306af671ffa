package classify

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/noise"
)

// Tree is a classification tree (CART; Breiman et al. 1984): splits that
// reduce the Gini impurity most, until leaves are pure or too small. Features
// are tried in random order, and the first of equally good splits is taken.
type Tree struct {
	MinSplit int // rows that a node needs to be split; default 2
	MinLeaf  int // rows that a leaf needs; default 1
	MaxDepth int // default 0: no limit
	Features int // tried per split; default 0: all
}

// Forest is a random forest (Breiman 2001): trees on bootstrap samples of the
// rows, each split among a random part of the features; the trees' shares are
// averaged.
type Forest struct {
	Trees    int // default 10
	Features int // tried per split; default the square root of their number
	MinSplit int // as in Tree
	MinLeaf  int
	MaxDepth int
}

// node is a split (row[feature] ≤ threshold goes left) or a leaf.
type node struct {
	threshold   float64
	feature     int32 // -1 = leaf
	left, right int32 // of a leaf: left is where its shares begin
}

type tree struct {
	nodes  []node
	shares []float32 // of the classes, leaf by leaf
}

// forest also holds a single tree.
type forest struct {
	labels
	trees []tree
}

// Fit implements Learner.
func (l Tree) Fit(x [][]float64, y []int, src *noise.Source) (Model, error) {
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	if l.Features == 0 {
		l.Features = named.width
	}
	if err := l.check(named.width); err != nil {
		return nil, err
	}
	weights := make([]int32, len(x))
	for i := range weights {
		weights[i] = 1
	}
	s := presort(x, index, len(named.classes))
	return &forest{named, []tree{newGrower(s, l, weights, src).grow()}}, nil
}

// Fit implements Learner.
func (l Forest) Fit(x [][]float64, y []int, src *noise.Source) (Model, error) {
	named, index, err := encode(x, y)
	if err != nil {
		return nil, err
	}
	if l.Trees == 0 {
		l.Trees = 10
	}
	if l.Trees < 0 || l.Trees > 1e6 {
		return nil, fmt.Errorf("classify: the number of trees must lie in 1 to 1000000, got %d", l.Trees)
	}
	each := Tree{l.MinSplit, l.MinLeaf, l.MaxDepth, l.Features}
	if each.Features == 0 {
		each.Features = int(math.Sqrt(float64(named.width)))
	}
	if err := each.check(named.width); err != nil {
		return nil, err
	}
	s := presort(x, index, len(named.classes))
	sources := make([]*noise.Source, l.Trees)
	for i := range sources {
		sources[i] = src.Split()
	}
	m := &forest{named, make([]tree, l.Trees)}
	parallel(l.Trees, 1, func(i, _ int) {
		weights := make([]int32, len(x))
		for range weights {
			weights[sources[i].IntN(len(weights))]++
		}
		m.trees[i] = newGrower(s, each, weights, sources[i]).grow()
	})
	return m, nil
}

func (l *Tree) check(width int) error {
	if l.MinSplit == 0 {
		l.MinSplit = 2
	}
	if l.MinLeaf == 0 {
		l.MinLeaf = 1
	}
	if l.MinSplit < 2 || l.MinLeaf < 1 || l.MaxDepth < 0 {
		return errors.New("classify: a tree needs at least 2 rows per split and 1 per leaf, and no negative depth")
	}
	if l.Features < 1 || l.Features > width {
		return fmt.Errorf("classify: the features tried per split must lie in 1 to %d, got %d", width, l.Features)
	}
	return nil
}

// leaf returns the class shares of the leaf that x falls into.
func (t *tree) leaf(x []float64, classes int) []float32 {
	n := &t.nodes[0]
	for n.feature >= 0 {
		if x[n.feature] <= n.threshold {
			n = &t.nodes[n.left]
		} else {
			n = &t.nodes[n.right]
		}
	}
	return t.shares[n.left : int(n.left)+classes]
}

// Scores are the mean shares of the classes in the leaves.
func (m *forest) Scores(dst, x []float64) []float64 {
	dst = append(dst[:0], make([]float64, len(m.classes))...)
	for i := range m.trees {
		for c, s := range m.trees[i].leaf(x, len(dst)) {
			dst[c] += float64(s) / float64(len(m.trees))
		}
	}
	return dst
}

func (m *forest) Predict(x []float64) int { return m.classes[best(m.Scores(nil, x))] }
