// Package stattest is the test room for statistics: goodness of fit, moments, exact binomial limits, and the battery that
// every sampler of integer noise has to pass and every broken twin of it to fail.
//
// A verdict is an error, nil when the data agree with the law. Each verdict is wrong about a right law with probability at
// most Alarm, however often the suite runs.
package stattest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// Alarm bounds the probability that a verdict rejects a right law.
	Alarm = 1e-6
	// level is where p-values reject. It is below Alarm because χ² and normal tails are approximations: with at least
	// minExpected per cell their error at five deviations is less than the factor between the two.
	level       = Alarm / 10
	minExpected = 200
)

// ErrTooFew says that the counts are too few to test anything.
var ErrTooFew = errors.New("stattest: fewer than two cells with enough expected counts")

// ChiSquare returns Pearson's p-value of counts under probs. The two have one length and probs add up to 1; neighbouring
// cells are pooled until each expects at least 200. A count in a cell of probability 0 gives p = 0.
func ChiSquare(counts []int64, probs []float64) (float64, error) {
	if len(counts) != len(probs) {
		return 0, fmt.Errorf("stattest: counts and probabilities differ in length: %d and %d", len(counts), len(probs))
	}
	total, mass := int64(0), 0.0
	for i, c := range counts {
		if c < 0 || !(probs[i] >= 0) {
			return 0, fmt.Errorf("stattest: cell %d has count %d, probability %v", i, c, probs[i])
		}
		if probs[i] == 0 && c > 0 {
			return 0, nil
		}
		total, mass = total+c, mass+probs[i]
	}
	if math.Abs(mass-1) > 1e-9 {
		return 0, fmt.Errorf("stattest: probabilities add up to %v", mass)
	}
	obs, exp := pool(counts, probs, float64(total))
	if len(obs) < 2 {
		return 0, ErrTooFew
	}
	x2 := 0.0
	for i, o := range obs {
		x2 += (o - exp[i]) * (o - exp[i]) / exp[i]
	}
	return mathext.GammaIncRegComp(float64(len(obs)-1)/2, x2/2), nil
}

// pool joins neighbouring cells until each expects enough; a rest joins the last.
func pool(counts []int64, probs []float64, total float64) (obs, exp []float64) {
	o, e := 0.0, 0.0
	for i, c := range counts {
		o, e = o+float64(c), e+probs[i]*total
		if e >= minExpected {
			obs, exp = append(obs, o), append(exp, e)
			o, e = 0, 0
		}
	}
	if k := len(obs) - 1; k >= 0 {
		obs[k], exp[k] = obs[k]+o, exp[k]+e
	}
	return obs, exp
}

// Fit is the verdict of ChiSquare.
func Fit(counts []int64, probs []float64) error {
	p, err := ChiSquare(counts, probs)
	if err == nil && p < level {
		err = fmt.Errorf("stattest: χ² rejects the law, p = %.2g", p)
	}
	return err
}

// SameLaw is the verdict of Pearson's test that two rows of counts come from one law, whatever it is.
func SameLaw(a, b []int64) error {
	if len(a) != len(b) {
		return fmt.Errorf("stattest: rows of counts differ in length: %d and %d", len(a), len(b))
	}
	var na, nb int64
	for i := range a {
		na, nb = na+a[i], nb+b[i]
	}
	both := make([]int64, 0, 2*len(a))
	probs := make([]float64, 0, 2*len(a))
	cells, n := 0, float64(na+nb)
	var pa, pb int64
	for i := range a {
		pa, pb = pa+a[i], pb+b[i]
		joint := float64(pa+pb) / n
		if joint*float64(min(na, nb)) < minExpected {
			continue
		}
		both = append(both, pa, pb)
		probs = append(probs, joint*float64(na)/n, joint*float64(nb)/n)
		pa, pb, cells = 0, 0, cells+1
	}
	if cells < 2 {
		return ErrTooFew
	}
	k := len(both)
	both[k-2], both[k-1] = both[k-2]+pa, both[k-1]+pb
	probs[k-2] += float64(pa+pb) / n * float64(na) / n
	probs[k-1] += float64(pa+pb) / n * float64(nb) / n
	x2 := 0.0
	for i, c := range both {
		e := probs[i] * n
		x2 += (float64(c) - e) * (float64(c) - e) / e
	}
	if p := mathext.GammaIncRegComp(float64(cells-1)/2, x2/2); p < level {
		return fmt.Errorf("stattest: two samples differ in law, p = %.2g", p)
	}
	return nil
}

// Moments are what a law says about one variate.
type Moments struct {
	Mean, Variance float64
	Fourth         float64 // fourth central moment
}

// Check is the verdict on the mean and the variance of x, by their normal limits: x should hold 10⁴ values or more, and
// ten times that when the law's tails are exponential.
func (m Moments) Check(x []float64) error {
	n := float64(len(x))
	s1, s2 := 0.0, 0.0
	for _, v := range x {
		d := v - m.Mean
		s1, s2 = s1+d, s2+d*d
	}
	z := NormalQuantile(1 - level/4) // two moments, two sides
	if t := s1 / math.Sqrt(n*m.Variance); !(math.Abs(t) <= z) {
		return fmt.Errorf("stattest: mean is %.4g, %.1f deviations from %.4g", s1/n+m.Mean, t, m.Mean)
	}
	if t := (s2 - n*m.Variance) / math.Sqrt(n*(m.Fourth-m.Variance*m.Variance)); !(math.Abs(t) <= z) {
		return fmt.Errorf("stattest: variance is %.6g, %.1f deviations from %.6g", s2/n, t, m.Variance)
	}
	return nil
}

// NormalMoments are those of N(mean, sd²).
func NormalMoments(mean, sd float64) Moments {
	return Moments{mean, sd * sd, 3 * math.Pow(sd, 4)}
}

// LaplaceMoments are those of the continuous Laplace law of this scale.
func LaplaceMoments(mean, scale float64) Moments {
	return Moments{mean, 2 * scale * scale, 24 * math.Pow(scale, 4)}
}

// Lower returns the one-sided lower Clopper–Pearson limit: whatever the success rate, it lies below the limit with
// probability at most beta, k successes in n trials having been seen.
func Lower(k, n int64, beta float64) float64 {
	if k <= 0 {
		return 0
	}
	if k >= n {
		return math.Pow(beta, 1/float64(n))
	}
	return betaQuantile(beta, float64(k), float64(n-k+1))
}

// Upper returns the one-sided upper Clopper–Pearson limit.
func Upper(k, n int64, beta float64) float64 { return 1 - Lower(n-k, n, beta) }

// ClopperPearson returns both one-sided limits, each wrong with probability at most beta.
func ClopperPearson(k, n int64, beta float64) (lo, hi float64) {
	return Lower(k, n, beta), Upper(k, n, beta)
}

// betaQuantile inverts the regularised incomplete beta function by bisection, which no parameter can mislead.
func betaQuantile(p, a, b float64) float64 {
	lo, hi := 0.0, 1.0
	for range 200 {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if mathext.RegIncBeta(a, b, mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Rate is the verdict that k successes in n trials have probability p each, by the exact binomial limits.
func Rate(k, n int64, p float64) error {
	lo, hi := ClopperPearson(k, n, Alarm/2)
	if p < lo || p > hi {
		return fmt.Errorf("stattest: %d of %d is a rate in [%.6g, %.6g], not %.6g", k, n, lo, hi, p)
	}
	return nil
}

// NormalQuantile returns Φ⁻¹(p), p at least 1e-300, by Newton's steps on ln Φ, which is concave and so cannot overshoot twice.
func NormalQuantile(p float64) float64 {
	switch {
	case p > 0.5:
		return -NormalQuantile(1 - p)
	case p <= 0 || math.IsNaN(p):
		return math.Log(p)
	}
	z := -math.Sqrt(-2 * math.Log(2*p)) // left of the root
	for range 20 {
		f := math.Erfc(-z/math.Sqrt2) / 2
		z -= (math.Log(f) - math.Log(p)) * f / (math.Exp(-z*z/2) / math.Sqrt(2*math.Pi))
	}
	return z
}

// NormalCDF returns Φ(z).
func NormalCDF(z float64) float64 { return distuv.UnitNormal.CDF(z) }

// Kolmogorov is the verdict of the Kolmogorov–Smirnov test of x against a continuous cdf. It sorts a copy of x.
func Kolmogorov(x []float64, cdf func(float64) float64) error {
	s := slices.Clone(x)
	slices.Sort(s)
	n, d := float64(len(s)), 0.0
	for i, v := range s {
		f := cdf(v)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	// Massart's bound P(D > d) <= 2 exp(-2nd²) holds for every n.
	if p := 2 * math.Exp(-2*n*d*d); !(p >= Alarm) {
		return fmt.Errorf("stattest: Kolmogorov–Smirnov rejects the law, distance %.4g, p = %.2g", d, p)
	}
	return nil
}
