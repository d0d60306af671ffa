package oracle

import (
	"fmt"
	"math"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// law is the exact probability of every report of one word, by value; None is last.
func law(o Oracle) [][]float64 {
	rows := make([][]float64, o.Domain()+1)
	for v := range rows {
		switch o := o.(type) {
		case *OUE:
			rows[v] = unaryLaw(o, v)
		case *Hadamard:
			rows[v] = hadamardLaw(o, v)
		case *Subset:
			rows[v] = subsetLaw(o, v)
		}
	}
	return rows
}

func unaryLaw(o *OUE, value int) []float64 {
	q := o.zeros.Probability()
	row := make([]float64, 1<<o.domain)
	for report := range row {
		row[report] = 1
		for v := range o.domain {
			p := q
			if v == value {
				p = 0.5
			}
			if report>>v&1 == 0 {
				p = 1 - p
			}
			row[report] *= p
		}
	}
	return row
}

func hadamardLaw(o *Hadamard, value int) []float64 {
	f := o.flip.Probability()
	row := make([]float64, 2*o.order)
	for j := range o.order {
		p := [2]float64{0.5, 0.5}
		if value < o.domain {
			b := 0
			for i := value + 1; i > 0; i &= i - 1 { // the parity, once more
				b ^= j >> log2(i&-i) & 1
			}
			p[b], p[1-b] = 1-f, f
		}
		row[2*j], row[2*j+1] = p[0]/float64(o.order), p[1]/float64(o.order)
	}
	return row
}

func log2(power int) (k int) {
	for ; power > 1; power >>= 1 {
		k++
	}
	return k
}

func subsetLaw(o *Subset, value int) []float64 {
	d, k := o.domain+1, o.size
	p := o.holds.Probability()
	row := make([]float64, 1<<d)
	for report := range row {
		size := 0
		for v := range d {
			size += report >> v & 1
		}
		switch {
		case size != k:
		case report>>value&1 == 1:
			row[report] = p / choose(d-1, k-1)
		default:
			row[report] = (1 - p) / choose(d-1, k)
		}
	}
	return row
}

func choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c *= float64(n-i) / float64(i+1)
	}
	return c
}

var small = []struct {
	name    string
	domain  int
	epsilon float64
}{
	{"oue", 1, 1}, {"oue", 5, 1}, {"oue", 6, 3}, {"oue", 4, 0.05}, {"oue", 3, 6},
	{"hadamard", 1, 1}, {"hadamard", 7, 1}, {"hadamard", 8, 0.3}, {"hadamard", 5, 4},
	{"subset", 1, 1}, {"subset", 5, 0.5}, {"subset", 8, 1}, {"subset", 6, 3},
}

func build(t testing.TB, name string, domain int, epsilon float64) Oracle {
	t.Helper()
	o, err := New(name, domain, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPrivacyOfTheExactLaw compares all pairs of values on all reports.
func TestPrivacyOfTheExactLaw(t *testing.T) {
	for _, c := range small {
		rows, worst := law(build(t, c.name, c.domain, c.epsilon)), 0.0
		for _, a := range rows {
			sum := 0.0
			for r, p := range a {
				sum += p
				for _, b := range rows {
					if p > 0 || b[r] > 0 {
						worst = math.Max(worst, math.Log(p/b[r]))
					}
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%v: the law sums to %v", c, sum)
			}
		}
		if worst > c.epsilon*(1+1e-12) {
			t.Errorf("%v: loss %v", c, worst)
		}
		if c.domain > 1 && worst < c.epsilon*(1-1e-9) {
			t.Errorf("%v: only %v of the budget is used", c, worst)
		}
	}
}

// drawn counts the reports of a value.
func drawn(o Oracle, value, n, reports int, perturb func([]uint64, int, *noise.Source)) []int64 {
	counts, src, report := make([]int64, reports), noise.Seeded(uint64(7*value+o.Domain())), make([]uint64, o.Words())
	for range n {
		perturb(report, value, src)
		counts[report[0]]++
	}
	return counts
}

// fits is a χ² test of every value's reports against rows, as strict as stattest's verdicts: a false alarm of 1e-6 over fewer
// than a hundred verdicts.
func fits(o Oracle, rows [][]float64, perturb func([]uint64, int, *noise.Source)) error {
	for v, row := range rows {
		if v == o.Domain() {
			v = None
		}
		p, err := stattest.ChiSquare(drawn(o, v, 40_000, len(row), perturb), row)
		if err != nil {
			return err
		}
		if p < 1e-8 {
			return fmt.Errorf("value %d: χ² rejects the law, p = %.2g", v, p)
		}
	}
	return nil
}

func TestReportsFollowTheLaw(t *testing.T) {
	for _, c := range small {
		o := build(t, c.name, c.domain, c.epsilon)
		if err := fits(o, law(o), o.Perturb); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// TestMutantsAreCaught: the same test sees what others have shipped.
func TestMutantsAreCaught(t *testing.T) {
	oue, _ := NewOUE(6, 1)
	hadamard, _ := NewHadamard(6, 1)
	subset, _ := NewSubset(6, 1)
	q := oue.zeros.Probability()
	less, _ := noise.NewCoins(q * 0.95)
	for name, m := range map[string]struct {
		o       Oracle
		perturb func([]uint64, int, *noise.Source)
	}{
		"the bit one too far": {oue, func(dst []uint64, v int, src *noise.Source) { oue.Perturb(dst, v+1, src) }},
		"the last zero is not perturbed": {oue, func(dst []uint64, v int, src *noise.Source) {
			oue.Perturb(dst, v, src)
			if v != 5 {
				dst[0] &= 31
			}
		}},
		"the own bit is kept": {oue, func(dst []uint64, v int, src *noise.Source) {
			oue.Perturb(dst, v, src)
			if v >= 0 {
				dst[0] |= 1 << v
			}
		}},
		"q a twentieth too small": {oue, (&OUE{6, 1, less}).Perturb},
		"None tells":              {oue, func(dst []uint64, v int, src *noise.Source) { oue.Perturb(dst, max(v, 0), src) }},
		"one coin for all": {oue, func(dst []uint64, v int, src *noise.Source) {
			oue.Perturb(dst, v, src)
			dst[0] = dst[0]&62 | dst[0]>>1&1
		}},
		"row one too far":     {hadamard, func(dst []uint64, v int, src *noise.Source) { hadamard.Perturb(dst, v-1, src) }},
		"never flipped":       {hadamard, (&Hadamard{6, 1, 8, noise.Coins{}}).Perturb},
		"a set too large":     {subset, (&Subset{6, 1, subset.size + 1, subset.holds}).Perturb},
		"own value as others": {subset, func(dst []uint64, v int, src *noise.Source) { subset.Perturb(dst, (v+1)%6, src) }},
	} {
		if err := fits(m.o, law(m.o), m.perturb); err == nil {
			t.Errorf("%s: not caught", name)
		}
	}
}
