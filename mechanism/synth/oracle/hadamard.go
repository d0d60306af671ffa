package oracle

import (
	"math/bits"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// Hadamard is the response of one bit (Acharya, Sun and Zhang 2019, with their smallest block): a report is a uniform index j and
// the entry of the Hadamard matrix in the value's row and column j, flipped with probability 1/(e^ε+1). None reports a fair bit.
// Counts have variance ((e^ε+1)/(e^ε−1))² per report: as good as [OUE] up to ε = 1, worse above.
type Hadamard struct {
	domain  int
	epsilon float64
	order   int // of the matrix: the least power of two above the domain
	flip    noise.Coins
}

// NewHadamard returns the oracle for so many values and a privacy loss epsilon per report.
func NewHadamard(domain int, epsilon float64) (*Hadamard, error) {
	if err := check(domain, epsilon); err != nil {
		return nil, err
	}
	flip, err := noise.NewCoins(lie(epsilon))
	return &Hadamard{domain, epsilon, 1 << bits.Len(uint(domain)), flip}, err
}

// Domain implements [Oracle].
func (h *Hadamard) Domain() int { return h.domain }

// Epsilon implements [Oracle].
func (h *Hadamard) Epsilon() float64 { return h.epsilon }

// Words implements [Oracle].
func (h *Hadamard) Words() int { return 1 }

// Perturb implements [Oracle]: the lowest bit is the response, the index is above it.
func (h *Hadamard) Perturb(dst []uint64, value int, src *noise.Source) {
	column := src.IntN(h.order)
	bit, fair := entry(value+1, column), src.Uint64()&1
	if h.flip.Toss(src) {
		bit ^= 1
	}
	if value < 0 || value >= h.domain {
		bit = fair
	}
	dst[0] = uint64(column)<<1 | bit
}

// entry is the matrix's as a bit: 1 stands for −1. Row 0 has no such bit and tells nothing: value v has row v+1.
func entry(row, column int) uint64 { return uint64(bits.OnesCount64(uint64(row&column)) & 1) }

// Tally implements [Oracle].
func (h *Hadamard) Tally() Tally { return &columns{oracle: h, sums: make([]int64, h.order)} }

// columns tallies the responses, +1 and −1, by column.
type columns struct {
	oracle *Hadamard
	sums   []int64
	n      int
}

// Takes implements [Tally].
func (c *columns) Takes(report []uint64) bool {
	return len(report) == 1 && report[0]>>1 < uint64(len(c.sums))
}

// Add implements [Tally].
func (c *columns) Add(report []uint64) error {
	if !c.Takes(report) {
		return ErrReport
	}
	c.sums[report[0]>>1] += 1 - 2*int64(report[0]&1)
	c.n++
	return nil
}

// Merge implements [Tally].
func (c *columns) Merge(other Tally) error {
	o, ok := other.(*columns)
	if !ok || o == c || *o.oracle != *c.oracle {
		return errMerge
	}
	for j, s := range o.sums {
		c.sums[j] += s
	}
	c.n += o.n
	return nil
}

// Estimate implements [Tally]: a fast Walsh–Hadamard transform.
func (c *columns) Estimate() Estimate {
	keeps := 1 - 2*c.oracle.flip.Probability() // mean of a response times its entry
	worst := 1 / (keeps * keeps)
	e := Estimate{Counts: make([]float64, c.oracle.domain), Reports: c.n, Absent: worst, Present: worst - 1}
	rows := slices.Clone(c.sums)
	transform(rows)
	for v := range e.Counts {
		e.Counts[v] = float64(rows[v+1]) / keeps
	}
	return e
}

// transform multiplies x, as long as a power of two, with the Hadamard matrix.
func transform(x []int64) {
	for half := 1; half < len(x); half *= 2 {
		for from := 0; from < len(x); from += 2 * half {
			for i := from; i < from+half; i++ {
				x[i], x[i+half] = x[i]+x[i+half], x[i]-x[i+half]
			}
		}
	}
}
