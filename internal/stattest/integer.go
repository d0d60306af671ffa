package stattest

import (
	"errors"
	"fmt"
	"math"
)

// Integer is a symmetric law on the integers as the battery needs it.
type Integer struct {
	CDF    func(z int64) float64 // P(Z <= z) for z < 0, where it is accurate; the battery mirrors it
	StdDev float64
	Fourth float64 // fourth moment
}

// DiscreteLaplace is the law P(z) ∝ exp(−|z|/scale).
func DiscreteLaplace(scale float64) Integer {
	q, less := math.Exp(-1/scale), -math.Expm1(-1/scale) // q and 1−q
	variance := 2 * q / (less * less)
	return Integer{
		CDF:    func(z int64) float64 { return math.Exp(float64(z)/scale) / (1 + q) },
		StdDev: math.Sqrt(variance),
		Fourth: variance * (1 + 10*q + q*q) / (less * less),
	}
}

// RoundedGaussian is the law Φ((z+½)/sigma) − Φ((z−½)/sigma).
func RoundedGaussian(sigma float64) Integer {
	cdf := func(z int64) float64 { return math.Erfc(-(float64(z)+0.5)/(sigma*math.Sqrt2)) / 2 }
	v := sigma * sigma
	variance, fourth := v+1./12, 3*v*v+v/2+1./80
	if sigma < 2 {
		variance, fourth = 0, 0
		for z := 1.0; z < 100; z++ {
			tail := 2 * cdf(-int64(z))
			variance += (2*z - 1) * tail
			fourth += (z*z*z*z - (z-1)*(z-1)*(z-1)*(z-1)) * tail
		}
	}
	return Integer{cdf, math.Sqrt(variance), fourth}
}

// below returns P(Z < z), accurate on both sides of 0 as 1 minus what is above.
func (l Integer) below(z int64) float64 {
	if z <= 0 {
		return l.CDF(z - 1)
	}
	return 1 - l.CDF(-z)
}

// mass returns P(a <= Z < b).
func (l Integer) mass(a, b int64) float64 {
	if a > 0 {
		return l.CDF(-a) - l.CDF(-b)
	}
	return l.below(b) - l.below(a)
}

// Battery is the verdict on samples that should be independent draws from l: χ² on the value, moments, symmetry, all binary
// digits, of the value and of the value plus 1, and neighbouring draws. The
// sample should hold 10⁶ values or more. Its verdicts, up to a hundred, together reject a right law with probability at
// most Alarm.
func (l Integer) Battery(sample []int64) error {
	return errors.Join(l.values(sample), l.moments(sample), l.signs(sample), l.digits(sample, 0), l.digits(sample, 1), l.neighbours(sample))
}

// strict is Fit at the level of one verdict among many; too few counts are no verdict.
func strict(what string, counts []int64, probs []float64) error {
	p, err := ChiSquare(counts, probs)
	if errors.Is(err, ErrTooFew) {
		return nil
	}
	if err == nil && p < level/20 {
		err = fmt.Errorf("stattest: χ² on %s rejects the law, p = %.2g", what, p)
	}
	return err
}

// values bins by up to 400 edges of equal probability, single values where these are coarser, and the tails by powers of 2.
func (l Integer) values(sample []int64) error {
	edges := l.edges()
	counts, probs := make([]int64, len(edges)+1), make([]float64, len(edges)+1)
	for _, z := range sample {
		counts[search(edges, z)]++
	}
	probs[0] = l.below(edges[0])
	for i := 1; i < len(edges); i++ {
		probs[i] = l.mass(edges[i-1], edges[i])
	}
	probs[len(edges)] = l.CDF(-edges[len(edges)-1])
	return strict("values", counts, probs)
}

// edges returns increasing first values of bins.
func (l Integer) edges() []int64 {
	var left []int64
	add := func(p float64) {
		lo, hi := int64(-1)<<62, int64(0) // the largest edge with P(Z < edge) <= p
		for hi-lo > 1 {
			if mid := lo + (hi-lo)/2; l.below(mid) <= p {
				lo = mid
			} else {
				hi = mid
			}
		}
		if len(left) == 0 || lo > left[len(left)-1] {
			left = append(left, lo)
		}
	}
	for p := 0x1p-18; p < 1./512; p *= 2 {
		add(p)
	}
	for i := 1; i < 200; i++ {
		add(float64(i) / 400)
	}
	edges := left
	if left[len(left)-1] < 0 {
		edges = append(edges, 0)
	}
	for i := len(left) - 1; i >= 0; i-- {
		if e := 1 - left[i]; e > edges[len(edges)-1] {
			edges = append(edges, e)
		}
	}
	return edges
}

// search returns how many edges are at most z.
func search(edges []int64, z int64) int {
	lo, hi := 0, len(edges)
	for lo < hi {
		if mid := (lo + hi) / 2; edges[mid] <= z {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (l Integer) moments(sample []int64) error {
	x := make([]float64, len(sample))
	for i, z := range sample {
		x[i] = float64(z) / l.StdDev
	}
	return Moments{0, 1, l.Fourth / math.Pow(l.StdDev, 4)}.Check(x)
}

// signs are even among the values other than 0, whatever their size.
func (l Integer) signs(sample []int64) error {
	var small, large [2]int64 // below and above the standard deviation: not positive, positive
	for _, z := range sample {
		if z == 0 {
			continue
		}
		s := 0
		if z > 0 {
			s = 1
		}
		if math.Abs(float64(z)) < l.StdDev {
			small[s]++
		} else {
			large[s]++
		}
	}
	half := []float64{0.5, 0.5}
	return errors.Join(strict("signs of small values", small[:], half), strict("signs of large values", large[:], half))
}

// digits looks at the binary digits of z+shift three at a time, the lowest ten in every such group and those above once: the
// lattice events of Mironov 2012, and all above them.
func (l Integer) digits(sample []int64, shift int64) error {
	var errs []error
	probs := make([]float64, 8)
	for j := 0; j < 44 && math.Ldexp(1, j-6) < 1+l.StdDev; j++ {
		var counts [8]int64
		for _, z := range sample {
			counts[(z+shift)>>j&7]++
		}
		for v := range probs {
			probs[v] = l.digit(j, int64(v), shift)
		}
		errs = append(errs, strict(fmt.Sprintf("digits %d.. of z+%d", j, shift), counts[:], probs))
		if j >= 8 {
			j += 2
		}
	}
	return errors.Join(errs...)
}

// digit returns the probability that z+shift has the digits v at j. Where a period of 8·2^j is below a hundredth of the
// deviation they are even to 10^-5.
func (l Integer) digit(j int, v, shift int64) float64 {
	period := int64(8) << j
	if float64(period) < l.StdDev/100 {
		return 1. / 8
	}
	p, reach := 0.0, int64(40*l.StdDev)/period+3
	for k := -reach; k <= reach; k++ {
		a := k*period + v<<j - shift
		p += l.mass(a, a+1<<j)
	}
	return p
}

// neighbours crosses the thirds of one draw with those of the next, and their signs and lowest digits likewise.
func (l Integer) neighbours(sample []int64) error {
	edges := l.edges()
	cut := []int64{edges[len(edges)/3], edges[len(edges)-1-len(edges)/3]}
	mid := l.mass(cut[0], cut[1])
	thirds := []float64{l.below(cut[0]), mid, 1 - mid - l.below(cut[0])}
	odd := l.odd()
	var size [9]int64
	var low [4]int64
	for i := 0; i+1 < len(sample); i += 2 {
		a, b := sample[i], sample[i+1]
		size[3*search(cut, a)+search(cut, b)]++
		low[2*(a&1)+b&1]++
	}
	sizes, lows := make([]float64, 9), []float64{(1 - odd) * (1 - odd), (1 - odd) * odd, odd * (1 - odd), odd * odd}
	for i := range sizes {
		sizes[i] = thirds[i/3] * thirds[i%3]
	}
	return errors.Join(strict("neighbours", size[:], sizes), strict("lowest digits of neighbours", low[:], lows))
}

// odd returns the probability of an odd value.
func (l Integer) odd() float64 {
	return l.digit(0, 1, 0) + l.digit(0, 3, 0) + l.digit(0, 5, 0) + l.digit(0, 7, 0)
}
