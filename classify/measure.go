package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Confusion counts predictions: Counts[i][j] rows of Classes[i] were called
// Classes[j].
type Confusion struct {
	Classes []int
	Counts  [][]int
}

// Confuse counts predictions. Classes are all labels that are true or said of
// any row, in ascending order.
func Confuse(p []Prediction) (*Confusion, error) {
	if len(p) == 0 {
		return nil, fmt.Errorf("classify: there are no predictions to count")
	}
	var all []int
	for _, q := range p {
		all = append(all, q.True, q.Label)
	}
	slices.Sort(all)
	c := &Confusion{Classes: slices.Compact(all)}
	c.Counts = make([][]int, len(c.Classes))
	for i := range c.Counts {
		c.Counts[i] = make([]int, len(c.Classes))
	}
	for _, q := range p {
		i, _ := slices.BinarySearch(c.Classes, q.True)
		j, _ := slices.BinarySearch(c.Classes, q.Label)
		c.Counts[i][j]++
	}
	return c, nil
}

// sums are the rows that are of class i, that were called it, and both.
func (c *Confusion) sums(i int) (are, called, both int) {
	for j := range c.Counts {
		are += c.Counts[i][j]
		called += c.Counts[j][i]
	}
	return are, called, c.Counts[i][i]
}

// Correct is the number of rows whose label was found, of Total.
func (c *Confusion) Correct() (n int) {
	for i := range c.Counts {
		n += c.Counts[i][i]
	}
	return n
}

// Total is the number of rows.
func (c *Confusion) Total() (n int) {
	for i := range c.Counts {
		are, _, _ := c.sums(i)
		n += are
	}
	return n
}

// Accuracy is the share of rows whose label was found.
func (c *Confusion) Accuracy() float64 { return float64(c.Correct()) / float64(c.Total()) }

// Balanced is the mean over the classes of the share of their rows that were
// found.
func (c *Confusion) Balanced() float64 {
	sum, n := 0.0, 0.0
	for i := range c.Counts {
		if are, _, both := c.sums(i); are > 0 {
			sum, n = sum+float64(both)/float64(are), n+1
		}
	}
	return sum / n
}

// MacroF1 is the mean over the classes of the harmonic mean of precision and
// recall; 0 for a class of which nothing was found.
func (c *Confusion) MacroF1() float64 {
	sum := 0.0
	for i := range c.Counts {
		are, called, both := c.sums(i)
		sum += 2 * float64(both) / float64(are+called)
	}
	return sum / float64(len(c.Counts))
}

// Chance is the accuracy of guessing each true class equally often.
func (c *Confusion) Chance() float64 {
	n := 0.0
	for i := range c.Counts {
		if are, _, _ := c.sums(i); are > 0 {
			n++
		}
	}
	return 1 / n
}

// Majority is the accuracy of always saying the most frequent true class.
func (c *Confusion) Majority() float64 {
	most := 0
	for i := range c.Counts {
		are, _, _ := c.sums(i)
		most = max(most, are)
	}
	return float64(most) / float64(c.Total())
}

// Interval is a confidence interval of a probability.
type Interval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// ClopperPearson is the exact interval for a probability of which k successes
// in n independent trials were seen: each limit is wrong with probability at
// most (1 − confidence)/2. Rows of one person are not independent trials;
// persons are.
func ClopperPearson(k, n int, confidence float64) Interval {
	beta := (1 - confidence) / 2
	return Interval{LowerLimit(k, n, beta), UpperLimit(k, n, beta)}
}

// LowerLimit is the one-sided lower Clopper–Pearson limit: above the true
// probability with probability at most beta.
func LowerLimit(k, n int, beta float64) float64 {
	switch {
	case k <= 0 || n <= 0:
		return 0
	case k >= n:
		return math.Pow(beta, 1/float64(n))
	}
	lo, hi := 0.0, 1.0 // bisection: no starting value can mislead it
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return lo
		}
		if mathext.RegIncBeta(float64(k), float64(n-k+1), mid) < beta {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// UpperLimit is the one-sided upper Clopper–Pearson limit.
func UpperLimit(k, n int, beta float64) float64 { return 1 - LowerLimit(n-k, n, beta) }
