package oracle

import (
	"math"

	"github.com/gazeward/gazeward/noise"
)

// Subset is subset selection (Ye and Barg 2018): a report is a set of k values, k about d/(e^ε+1), that holds the device's own with
// probability ke^ε/(ke^ε+d−k) and is uniform otherwise. None is one more value, so d is Domain()+1. It has the variance of [OUE] on
// large domains and less on small ones.
type Subset struct {
	domain  int
	epsilon float64
	size    int
	holds   noise.Coins // the set holds the own value
}

// NewSubset returns the oracle for so many values and a privacy loss epsilon per report.
func NewSubset(domain int, epsilon float64) (*Subset, error) {
	if err := check(domain, epsilon); err != nil {
		return nil, err
	}
	d := float64(domain + 1)
	k := math.Min(math.Max(1, math.Round(d/(math.Exp(epsilon)+1))), d-1)
	odds := k / (d - k) * math.Exp(epsilon)
	holds, err := noise.NewCoins(odds/(1+odds)*(1-2*slack) - 0x1p-64)
	return &Subset{domain, epsilon, int(k), holds}, err
}

// Domain implements [Oracle].
func (s *Subset) Domain() int { return s.domain }

// Epsilon implements [Oracle].
func (s *Subset) Epsilon() float64 { return s.epsilon }

// Words implements [Oracle].
func (s *Subset) Words() int { return s.domain/64 + 1 }

// Perturb implements [Oracle]: bit Domain() is None's.
func (s *Subset) Perturb(dst []uint64, value int, src *noise.Source) {
	dst = dst[:s.Words()]
	clear(dst)
	if value < 0 || value >= s.domain {
		value = s.domain
	}
	held := s.size
	if s.holds.Toss(src) {
		dst[value/64] |= 1 << (value % 64)
		held--
	}
	s.choose(dst, value, held, src)
}

// choose adds a uniform set of so many other values (Floyd's algorithm): the others are numbered without the own one.
func (s *Subset) choose(dst []uint64, own, size int, src *noise.Source) {
	others := s.domain // domain+1 values without the own one
	add := func(i int) bool {
		if i >= own {
			i++
		}
		was := dst[i/64]>>(i%64)&1 == 1
		dst[i/64] |= 1 << (i % 64)
		return !was
	}
	for last := others - size; last < others; last++ {
		if !add(src.IntN(last + 1)) {
			add(last)
		}
	}
}

// Tally implements [Oracle].
func (s *Subset) Tally() Tally {
	d, k, p := float64(s.domain+1), float64(s.size), s.holds.Probability()
	return &unary{
		planes: newPlanes(s.Words()), domain: s.domain + 1, values: s.domain,
		present: p, absent: (k - p) / (d - 1),
	}
}
