package series

import (
	"math"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// criterionRuns is how many noisy runs the papers average.
const criterionRuns = 100

// Trials are what noisy runs of one chunk measured for k = 1, 2, …
type Trials struct {
	Error []float64 // mean squared error per value
	// Spread is the standard error of Error.
	Spread []float64
	// NMSE is the mean of |NMSE| over the runs: the papers' criterion. Its
	// expectation is infinite, as the mean of a noisy signal has a density at
	// zero: it does not converge, and the largest run decides it.
	NMSE   []float64
	Median []float64 // of |NMSE|
}

// MonteCarlo runs the mechanism on a chunk that many times for every k: the
// papers' way to k, and the oracle of [Curver].
func MonteCarlo(m Method, x []float64, scale func(k int) float64, runs int, src *noise.Source) Trials {
	var t Trials
	n := len(x)
	out, nmse := make([]float64, n), make([]float64, runs)
	for k := 1; k <= n/2+1; k++ {
		f := newForm(m.kind(), n, k)
		c := f.codec()
		y, noisy := make([]float64, f.size()), make([]float64, f.size())
		c.forward(y, x)
		lambda := scale(k)
		var sum, squares float64
		for run := range runs {
			for i, v := range y {
				noisy[i] = v + lambda*laplaceVariate(src)
			}
			c.inverse(out, noisy)
			e := squaredError(x, out)
			sum += e
			squares += e * e
			nmse[run] = math.Abs(e / (mean(x) * mean(out)))
		}
		count := float64(runs)
		t.Error = append(t.Error, sum/count)
		t.Spread = append(t.Spread, math.Sqrt(math.Max(0, squares/count-sum*sum/count/count)/count))
		t.NMSE = append(t.NMSE, mean(nmse))
		slices.Sort(nmse)
		t.Median = append(t.Median, (nmse[(runs-1)/2]+nmse[runs/2])/2)
	}
	return t
}

// laplaceVariate is for evaluation only: a float, no release.
func laplaceVariate(src *noise.Source) float64 {
	v := src.ExpFloat64()
	if src.Uint64()&1 == 1 {
		return -v
	}
	return v
}

func squaredError(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += (v - b[i]) * (v - b[i])
	}
	return s / float64(len(a))
}

func mean(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(len(x))
}
