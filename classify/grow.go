package classify

import (
	"cmp"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// sorted is a training set by columns, each with its rows in ascending order:
// what all trees of a forest share.
type sorted struct {
	column  [][]float64
	order   [][]int32
	class   []int32
	classes int
}

func presort(x [][]float64, index []int, classes int) *sorted {
	s := &sorted{column: make([][]float64, len(x[0])), order: make([][]int32, len(x[0])), class: make([]int32, len(x)), classes: classes}
	for i, c := range index {
		s.class[i] = int32(c)
	}
	parallel(len(s.column), 1, func(j, _ int) {
		column, order := make([]float64, len(x)), make([]int32, len(x))
		for i, row := range x {
			column[i], order[i] = row[j], int32(i)
		}
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(column[a], column[b]), cmp.Compare(a, b))
		})
		s.column[j], s.order[j] = column, order
	})
	return s
}

// grower grows one tree. Every node is a range of the rows that it holds, the
// same range in the order of every feature that varies in it: a split parts
// the orders and keeps them sorted.
type grower struct {
	*sorted
	Tree
	weight []int32 // of each row: how often the bootstrap drew it
	order  [][]int32
	src    *noise.Source
	out    tree

	features []int32 // permuted in place
	left     []bool  // by row: goes left
	scratch  []int32
	side     [2][]int32 // weight by class
}

func newGrower(s *sorted, l Tree, weight []int32, src *noise.Source) *grower {
	g := &grower{sorted: s, Tree: l, weight: weight, src: src, order: make([][]int32, len(s.order)), features: make([]int32, len(s.order))}
	for j, all := range s.order {
		g.features[j] = int32(j)
		for _, i := range all {
			if weight[i] > 0 {
				g.order[j] = append(g.order[j], i)
			}
		}
	}
	g.left, g.scratch = make([]bool, len(weight)), make([]int32, len(weight))
	g.side = [2][]int32{make([]int32, s.classes), make([]int32, s.classes)}
	return g
}

func (g *grower) grow() tree {
	g.node(span{0, len(g.order[0])}, 0)
	return g.out
}

// node adds the node of a range, and all below it; it returns its number.
func (g *grower) node(r span, depth int) int32 {
	at := int32(len(g.out.nodes))
	g.out.nodes = append(g.out.nodes, node{feature: -1})
	count, total := g.count(r)
	var s split
	if !pure(count, total) && total >= g.MinSplit && (g.MaxDepth == 0 || depth < g.MaxDepth) {
		s = g.bestSplit(r, count, total)
	}
	if s.gain == 0 {
		g.out.nodes[at].left = int32(len(g.out.shares))
		for _, c := range count {
			g.out.shares = append(g.out.shares, float32(c)/float32(total))
		}
		return at
	}
	middle := g.part(r, s)
	left := g.node(span{r.lo, middle}, depth+1)
	right := g.node(span{middle, r.hi}, depth+1)
	g.out.nodes[at] = node{s.threshold, s.feature, left, right}
	return at
}

// any is a feature whose order is kept for every node; see part.
const anyFeature = 0

// count is the weight by class in a range. The first feature's order is always
// kept, whether it varies or not.
func (g *grower) count(r span) (count []int32, total int) {
	count = g.side[1]
	clear(count)
	for _, i := range g.order[anyFeature][r.lo:r.hi] {
		count[g.class[i]] += g.weight[i]
		total += int(g.weight[i])
	}
	return count, total
}

func pure(count []int32, total int) bool {
	return slices.ContainsFunc(count, func(c int32) bool { return int(c) == total })
}

type split struct {
	feature   int32
	threshold float64
	gain      float64 // what the impurity falls with; 0 = no split
}

// bestSplit tries features in random order: as many as asked, and more until
// one of them varies in the range.
func (g *grower) bestSplit(r span, count []int32, total int) (b split) {
	varied := false
	for tried := range g.features {
		if tried >= g.Features && varied {
			break
		}
		other := tried + g.src.IntN(len(g.features)-tried)
		g.features[tried], g.features[other] = g.features[other], g.features[tried]
		f := g.features[tried]
		if g.constant(f, r) {
			continue
		}
		varied = true
		g.scan(&b, f, r, count, total)
	}
	return b
}

func (g *grower) constant(f int32, r span) bool {
	return g.column[f][g.order[f][r.lo]] == g.column[f][g.order[f][r.hi-1]]
}

// scan moves the rows from right to left in the order of a feature. The Gini
// impurity falls as Σ left²/n_left + Σ right²/n_right grows.
func (g *grower) scan(b *split, f int32, r span, count []int32, total int) {
	left, right := g.side[0], count
	clear(left)
	squareL, squareR, nL, nR := int64(0), int64(0), 0, total
	for _, c := range right {
		squareR += int64(c) * int64(c)
	}
	column, order := g.column[f], g.order[f][r.lo:r.hi]
	value := column[order[0]]
	for k, i := range order[:len(order)-1] {
		c, w := g.class[i], g.weight[i]
		squareL += int64(w) * int64(2*left[c]+w)
		squareR -= int64(w) * int64(2*right[c]-w)
		left[c] += w
		right[c] -= w
		nL, nR = nL+int(w), nR-int(w)
		next := column[order[k+1]]
		if next > value && nL >= g.MinLeaf && nR >= g.MinLeaf {
			if gain := float64(squareL)/float64(nL) + float64(squareR)/float64(nR); gain > b.gain {
				*b = split{f, between(value, next), gain}
			}
		}
		value = next
	}
	last := order[len(order)-1]
	left[g.class[last]] += g.weight[last]
	copy(right, left) // the counts go back
}

// between is a threshold with a ≤ it < b.
func between(a, b float64) float64 {
	if m := a/2 + b/2; m >= a && m < b {
		return m
	}
	return a
}

// part sends the rows of a range to the two sides, in every feature's order.
// A feature that is constant in the range is constant in all ranges below: its
// order need not follow, but for the one that counts rows.
func (g *grower) part(r span, s split) (middle int) {
	column := g.column[s.feature]
	for _, i := range g.order[s.feature][r.lo:r.hi] {
		g.left[i] = column[i] <= s.threshold
	}
	for f := range g.order {
		if f == anyFeature || !g.constant(int32(f), r) {
			middle = g.stable(g.order[f][r.lo:r.hi])
		}
	}
	return r.lo + middle
}

// stable brings the rows that go left to the front without changing the order
// within the sides, and returns their number.
func (g *grower) stable(order []int32) int {
	nL, nR := 0, 0
	for _, i := range order {
		if g.left[i] {
			order[nL] = i
			nL++
		} else {
			g.scratch[nR] = i
			nR++
		}
	}
	copy(order[nL:], g.scratch[:nR])
	return nL
}
