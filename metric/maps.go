package metric

import (
	"errors"
	"fmt"
	"math"
)

// ErrConstant is returned where a map without any variation has no score.
var ErrConstant = errors.New("metric: the map is constant")

// ErrNegative is returned where a map with negative cells is no density; see
// [Density].
var ErrNegative = errors.New("metric: the map has negative cells, so it is no density")

// ErrEmpty is returned where a map has no mass or no fixation is given.
var ErrEmpty = errors.New("metric: the map is empty")

// CC is Pearson's correlation coefficient of two maps, −1 to 1.
func CC(a, b []float64) (float64, error) {
	if err := match(a, b); err != nil {
		return 0, err
	}
	ma, sa := meanAndScale(a)
	mb, sb := meanAndScale(b)
	if math.IsInf(sa, 0) || math.IsInf(sb, 0) {
		return 0, errOverflow
	}
	if sa == 0 || sb == 0 {
		return 0, ErrConstant
	}
	var ta, tb, ab, aa, bb float64
	for i := range a {
		da, db := (a[i]-ma)/sa, (b[i]-mb)/sb
		ta, tb = ta+da, tb+db
		ab, aa, bb = ab+da*db, aa+da*da, bb+db*db
	}
	n := float64(len(a)) // what rounding left of the means is taken out here
	return max(-1, min(1, (ab-ta*tb/n)/math.Sqrt(aa-ta*ta/n)/math.Sqrt(bb-tb*tb/n))), nil
}

// MSE is the mean squared difference of two maps, in squared units of the maps.
func MSE(a, b []float64) (float64, error) {
	if err := match(a, b); err != nil {
		return 0, err
	}
	var sum float64
	for i := range a {
		d := a[i] - b[i]
		sum += d * d
	}
	return finite(sum / float64(len(a)))
}

// SIM is the histogram intersection Σ min(p, q) of two maps scaled to sum one:
// 1 for equal maps, 0 for maps that share no cell. Maps must not be negative.
func SIM(a, b []float64) (float64, error) {
	sa, sb, err := densities(a, b)
	if err != nil {
		return 0, err
	}
	var sum float64
	for i := range a {
		sum += math.Min(a[i]/sa, b[i]/sb)
	}
	return min(1, sum), nil
}

// epsilon regularises the divergence as in the MIT benchmark's code: MATLAB's
// eps, 2^-52.
const epsilon = 0x1p-52

// KL is the Kullback–Leibler divergence of an estimate from the reference in
// nats, Σ q·ln(ε + q/(ε + p)) with q the reference and p the estimate, both
// scaled to sum one, ε = 2^-52: 0 for equal maps; cells that the estimate misses
// cost up to 36·q each. Not symmetric. Maps must not be negative.
func KL(reference, estimate []float64) (float64, error) {
	sq, sp, err := densities(reference, estimate)
	if err != nil {
		return 0, err
	}
	var sum float64
	for i := range reference {
		if q := reference[i] / sq; q > 0 {
			sum += q * math.Log(epsilon+q/(epsilon+estimate[i]/sp))
		}
	}
	return max(0, sum), nil
}

// JSD is the Jensen–Shannon divergence of two maps scaled to sum one, in bits
// (logarithm base 2; not its square root): 0 for equal maps, 1 for maps that
// share no cell. Maps must not be negative.
func JSD(a, b []float64) (float64, error) {
	sa, sb, err := densities(a, b)
	if err != nil {
		return 0, err
	}
	var sum float64
	for i := range a {
		p, q := a[i]/sa, b[i]/sb
		sum += half(p, q) + half(q, p)
	}
	return max(0, min(1, sum)), nil
}

// half is ½·p·log2(p/m) with m the mean of p and q, 0 where p is.
func half(p, q float64) float64 {
	if p == 0 {
		return 0
	}
	return 0.5 * p * math.Log2(2*p/(p+q))
}

// Density returns the map with negative cells set to zero, scaled to sum one:
// what a noisy release says of where people looked.
func Density(m []float64) ([]float64, error) {
	if err := match(m, m); err != nil {
		return nil, err
	}
	out := make([]float64, len(m))
	var sum float64
	for i, v := range m {
		out[i] = max(0, v)
		sum += out[i]
	}
	if sum == 0 {
		return nil, ErrEmpty
	}
	if math.IsInf(sum, 0) {
		return nil, errOverflow
	}
	for i := range out {
		out[i] /= sum
	}
	return out, nil
}

var errOverflow = errors.New("metric: values too large to add up")

// match refuses maps of different or no length and values that are not finite.
func match(a, b []float64) error {
	if len(a) != len(b) {
		return fmt.Errorf("metric: maps of different grids, got %d and %d cells", len(a), len(b))
	}
	if len(a) == 0 {
		return ErrEmpty
	}
	for i := range a {
		// x−x is NaN for NaN and for both infinities.
		if s := (a[i] - a[i]) + (b[i] - b[i]); s != 0 {
			return fmt.Errorf("metric: cell %d of a map is not a finite number", i)
		}
	}
	return nil
}

// densities returns the sums of two non-negative maps.
func densities(a, b []float64) (sa, sb float64, err error) {
	if err := match(a, b); err != nil {
		return 0, 0, err
	}
	for i := range a {
		if a[i] < 0 || b[i] < 0 {
			return 0, 0, ErrNegative
		}
		sa += a[i]
		sb += b[i]
	}
	if sa == 0 || sb == 0 {
		return 0, 0, ErrEmpty
	}
	if math.IsInf(sa, 0) || math.IsInf(sb, 0) {
		return 0, 0, errOverflow
	}
	return sa, sb, nil
}

// meanAndScale returns the mean and the largest distance from it; dividing by
// the latter keeps squares from overflowing or vanishing. Variation within the
// rounding of the values is none: scale 0. The scale is infinite where sums
// overflow.
func meanAndScale(m []float64) (mean, scale float64) {
	low, high := m[0], m[0]
	for _, v := range m {
		mean += v
		low, high = min(low, v), max(high, v)
	}
	mean /= float64(len(m))
	if scale = high - low; math.IsNaN(mean) || math.IsInf(mean, 0) || math.IsInf(scale, 0) {
		return 0, math.Inf(1)
	}
	if scale <= 1e-14*max(-low, high) {
		return mean, 0
	}
	return mean, max(high-mean, mean-low)
}

func finite(v float64) (float64, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errOverflow
	}
	return v, nil
}
