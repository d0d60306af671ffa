package account

import (
	"fmt"
	"math"
)

// Chain is a first-order Markov chain: Chain[i][j] is the probability of state
// j after state i. Rows sum to one.
type Chain [][]float64

// Leakage is the temporal privacy leakage of a sequence of releases about
// values that are correlated in time, in ε, one number per release (Cao,
// Yoshikawa, Xiao and Xiong 2017). It measures what an adversary who knows the
// chain learns about the value at one time from all releases together, when
// each release alone is ε_t-DP for the value at its time.
//
// It is a figure for judging a release and not a guarantee: a guarantee for
// all times together is the sum of ε_t, which no correlation exceeds. With a
// chain estimated from private data it must not be published.
type Leakage struct {
	Backward []float64 // from this release and the earlier ones
	Forward  []float64 // from this release and the later ones
	Total    []float64 // Backward + Forward − ε_t
}

// TemporalLeakage computes the leakage of releases with the given ε, in the
// order of time. The chain runs forward in time and starts, and stays, in the
// stationary distribution (positive for every state).
func TemporalLeakage(forward Chain, stationary, epsilon []float64) (Leakage, error) {
	backward, err := forward.Reversed(stationary)
	if err != nil {
		return Leakage{}, err
	}
	for _, e := range epsilon {
		if !(e >= 0) || math.IsInf(e, 1) {
			return Leakage{}, fmt.Errorf("account: epsilon must be finite and not negative, got %v", e)
		}
	}
	n := len(epsilon)
	l := Leakage{make([]float64, n), make([]float64, n), make([]float64, n)}
	for t := range n {
		l.Backward[t] = epsilon[t]
		l.Forward[n-1-t] = epsilon[n-1-t]
		if t > 0 {
			l.Backward[t] += backward.Carried(l.Backward[t-1])
			l.Forward[n-1-t] += forward.Carried(l.Forward[n-t])
		}
	}
	for t := range n {
		l.Total[t] = l.Backward[t] + l.Forward[t] - epsilon[t]
	}
	return l, nil
}

// Carried is the function L of Cao et al. 2017 (Theorem 4, Algorithm 1): how
// much of a leakage alpha about one value is leakage about its neighbour in
// time,
//
//	max ln (Q(e^α−1)+1)/(D(e^α−1)+1)
//
// over ordered pairs of rows q, d and sets of columns, Q and D being the sums
// of q and d over the set. It is at most alpha.
func (c Chain) Carried(alpha float64) float64 {
	most := 0.0
	for i, q := range c {
		for j, d := range c {
			if i != j {
				most = math.Max(most, carriedBetween(q, d, alpha))
			}
		}
	}
	return most
}

// carriedBetween starts with the columns where q exceeds d and drops those
// whose own ratio is no more than the ratio of the whole, until none is left
// to drop. Columns with d = 0 stay. Every set gives a lower limit of the
// maximum, so the largest value on the way is returned: for large α the last
// column's ratio and the whole's are equal up to rounding.
func carriedBetween(q, d []float64, alpha float64) float64 {
	var kept []int
	for j := range q {
		if q[j] > d[j] {
			kept = append(kept, j)
		}
	}
	best := 0.0
	for {
		var sumQ, sumD float64
		for _, j := range kept {
			sumQ += q[j]
			sumD += d[j]
		}
		value := logRatio(math.Min(sumQ, 1), sumD, alpha)
		best = math.Max(best, value)
		ratio := math.Exp(value)
		left := kept[:0]
		for _, j := range kept {
			if d[j] == 0 || q[j]/d[j] > ratio {
				left = append(left, j)
			}
		}
		if len(left) == len(kept) {
			return best
		}
		kept = left
	}
}

// logRatio is ln (Q(e^α−1)+1)/(D(e^α−1)+1). Dividing both by e^α keeps large
// leakages finite.
func logRatio(sumQ, sumD, alpha float64) float64 {
	u := -math.Expm1(-alpha)
	if sumD == 0 {
		return alpha + math.Log1p((sumQ-1)*u)
	}
	return math.Log1p((sumQ-1)*u) - math.Log1p((sumD-1)*u)
}

// Reversed is the chain seen backward in time: π_j P(j,i)/π_i is the
// probability that j came before i.
func (c Chain) Reversed(stationary []float64) (Chain, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if len(stationary) != len(c) {
		return nil, fmt.Errorf("account: the distribution must have %d states, got %d", len(c), len(stationary))
	}
	reversed := make(Chain, len(c))
	for i := range c {
		if !(stationary[i] > 0) {
			return nil, fmt.Errorf("account: every state needs a positive probability, got %v for state %d", stationary[i], i)
		}
		reversed[i] = make([]float64, len(c))
		for j := range c {
			reversed[i][j] = stationary[j] * c[j][i] / stationary[i]
		}
	}
	if reversed.validate() != nil {
		return nil, fmt.Errorf("account: the distribution is not stationary under the chain")
	}
	return reversed, nil
}

func (c Chain) validate() error {
	for i, row := range c {
		if len(row) != len(c) {
			return fmt.Errorf("account: a chain of %d states needs rows of %d, got %d in row %d", len(c), len(c), len(row), i)
		}
		sum := 0.0
		for _, p := range row {
			if !(p >= 0) || p > 1+1e-9 {
				return fmt.Errorf("account: probabilities must be in [0, 1], got %v in row %d", p, i)
			}
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			return fmt.Errorf("account: the rows of a chain must sum to 1, got %v in row %d", sum, i)
		}
	}
	return nil
}
