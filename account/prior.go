package account

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Prior is what an adversary knows about a signal before any release: a
// first-order Markov chain that starts, and stays, in its stationary
// distribution.
type Prior struct {
	Chain      Chain
	Stationary []float64
}

// maxStates bounds the states of an estimated chain.
const maxStates = 256

// EstimatePrior estimates a chain from public or pilot series. A value's state
// is the number of edges, ascending, that it is not below; so n edges make n+1
// states. Transitions are counted within each series, between values that both
// are there (NaN = none). Every count is raised by one over the number of
// states, one transition per state in all, so that nothing is impossible.
//
// Estimated on private data, the chain and every leakage computed from it are
// for evaluation only (PROOFS C13).
func EstimatePrior(series [][]float64, edges []float64) (Prior, error) {
	states := len(edges) + 1
	if states > maxStates {
		return Prior{}, fmt.Errorf("account: a prior has at most %d states, got %d", maxStates, states)
	}
	if !slices.IsSorted(edges) || slices.ContainsFunc(edges, math.IsNaN) {
		return Prior{}, errors.New("account: the edges of states must be ascending numbers")
	}
	chain := make(Chain, states)
	for i := range chain {
		chain[i] = slices.Repeat([]float64{1 / float64(states)}, states)
	}
	counted := false
	for _, x := range series {
		before := -1
		for _, v := range x {
			now := stateOf(v, edges)
			if before >= 0 && now >= 0 {
				chain[before][now]++
				counted = true
			}
			before = now
		}
	}
	if !counted {
		return Prior{}, errors.New("account: the series hold no two values in a row to estimate a prior from")
	}
	for _, row := range chain {
		sum := 0.0
		for _, n := range row {
			sum += n
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return Prior{chain, chain.Stationary()}, nil
}

// stateOf is the number of edges that v is not below, −1 for NaN.
func stateOf(v float64, edges []float64) int {
	if math.IsNaN(v) {
		return -1
	}
	return sort.Search(len(edges), func(i int) bool { return edges[i] > v })
}

// QuantileEdges divides the values of series into at most that many states of
// about equal frequency; fewer where many values are equal.
func QuantileEdges(series [][]float64, states int) []float64 {
	var all []float64
	for _, x := range series {
		for _, v := range x {
			if !math.IsNaN(v) {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	var edges []float64
	for i := 1; i < states && len(all) > 0; i++ {
		edge := all[len(all)*i/states]
		if edge > all[0] && (len(edges) == 0 || edge > edges[len(edges)-1]) {
			edges = append(edges, edge)
		}
	}
	return edges
}

// Stationary is the distribution that the chain keeps, zero for states that it
// leaves for ever. Of several such distributions it is one. It is computed
// without subtractions: states are taken out from the last one on, their visits
// given to the others, until a state is left that leads to no earlier one
// (Grassmann, Taksar and Heyman 1985).
func (c Chain) Stationary() []float64 {
	n := len(c)
	p := make([][]float64, n)
	for i, row := range c {
		p[i] = slices.Clone(row)
	}
	first := n - 1
	for ; first > 0; first-- {
		k, out := first, 0.0
		for j := range k {
			out += p[k][j]
		}
		if out == 0 {
			break
		}
		for i := range k {
			p[i][k] /= out
			for j := range k {
				p[i][j] += p[i][k] * p[k][j]
			}
		}
	}
	pi := make([]float64, n)
	total := 1.0
	pi[first] = 1
	for k := first + 1; k < n; k++ {
		for i := first; i < k; i++ {
			pi[k] += pi[i] * p[i][k]
		}
		total += pi[k]
	}
	for k := range pi {
		pi[k] /= total
	}
	return pi
}

// Leakage is that of releases with the given ε under this prior.
func (p Prior) Leakage(epsilon []float64) (Leakage, error) {
	return TemporalLeakage(p.Chain, p.Stationary, epsilon)
}

// Along applies the chain as it stands, step by step: the leakage from each
// release and the ones before it, where the rows of the chain say what came
// before, given what is now (or the one after it, where they say what follows).
func (c Chain) Along(epsilon []float64) ([]float64, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	out := make([]float64, len(epsilon))
	alpha := 0.0
	for t, e := range epsilon {
		if !(e >= 0) || math.IsInf(e, 1) {
			return nil, fmt.Errorf("account: epsilon must be finite and not negative, got %v", e)
		}
		alpha = c.Carried(alpha) + e
		out[t] = alpha
	}
	return out, nil
}
