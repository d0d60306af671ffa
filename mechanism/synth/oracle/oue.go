package oracle

import (
	"math"

	"github.com/gazeward/gazeward/noise"
)

// OUE is optimised unary encoding (Wang et al. 2017): a report has one bit for every value, 1 with probability ½ for the device's
// own value and with q = 1/(e^ε+1) for every other one. Counts have variance 4e^ε/(e^ε−1)² per report, and 1 more per report that
// stands for the value.
type OUE struct {
	domain  int
	epsilon float64
	zeros   noise.Coins
}

// NewOUE returns the oracle for so many values and a privacy loss epsilon per report.
func NewOUE(domain int, epsilon float64) (*OUE, error) {
	if err := check(domain, epsilon); err != nil {
		return nil, err
	}
	zeros, err := noise.NewCoins(lie(epsilon))
	return &OUE{domain, epsilon, zeros}, err
}

// slack is more than the relative error of the few floating-point operations between ε and a probability.
const slack = 0x1p-48

// lie is 1/(e^ε+1), rounded up.
func lie(epsilon float64) float64 { return (1 + slack) / (math.Exp(epsilon) + 1) }

// Domain implements [Oracle].
func (o *OUE) Domain() int { return o.domain }

// Epsilon implements [Oracle].
func (o *OUE) Epsilon() float64 { return o.epsilon }

// Words implements [Oracle].
func (o *OUE) Words() int { return (o.domain + 63) / 64 }

// Perturb implements [Oracle].
func (o *OUE) Perturb(dst []uint64, value int, src *noise.Source) {
	dst = dst[:o.Words()]
	o.zeros.Fill(dst, src)
	fair := src.Uint64() & 1
	if value >= 0 && value < o.domain {
		bit := uint(value % 64)
		dst[value/64] = dst[value/64]&^(1<<bit) | fair<<bit
	}
	dst[len(dst)-1] &= lastWord(o.domain)
}

// lastWord has a one for every value of the last word.
func lastWord(domain int) uint64 { return ^uint64(0) >> ((64 - domain%64) % 64) }

// Tally implements [Oracle].
func (o *OUE) Tally() Tally {
	return &unary{planes: newPlanes(o.Words()), domain: o.domain, values: o.domain, present: 0.5, absent: o.zeros.Probability()}
}

// unary tallies reports that are sets of values.
type unary struct {
	*planes
	domain, values  int     // bits of a report, and how many of them are counted
	present, absent float64 // probability that a value is in the report of a device that has it, and of one that has not
}

// Takes implements [Tally].
func (u *unary) Takes(report []uint64) bool {
	return len(report) == u.words && report[u.words-1]&^lastWord(u.domain) == 0
}

// Add implements [Tally].
func (u *unary) Add(report []uint64) error {
	if !u.Takes(report) {
		return ErrReport
	}
	u.add(report)
	return nil
}

// Merge implements [Tally].
func (u *unary) Merge(other Tally) error {
	o, ok := other.(*unary)
	if !ok || o == u || o.domain != u.domain || o.values != u.values || o.present != u.present || o.absent != u.absent {
		return errMerge
	}
	u.merge(o.planes)
	return nil
}

// Estimate implements [Tally].
func (u *unary) Estimate() Estimate {
	p, q := u.present, u.absent
	e := Estimate{
		Counts: make([]float64, u.values), Reports: u.n,
		Absent: q * (1 - q) / ((p - q) * (p - q)), Present: p * (1 - p) / ((p - q) * (p - q)),
	}
	for v, c := range u.totals(u.values) {
		e.Counts[v] = (float64(c) - float64(u.n)*q) / (p - q)
	}
	return e
}
