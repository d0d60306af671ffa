package oracle

import (
	"errors"
	"math"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

func TestRefused(t *testing.T) {
	for _, name := range Names() {
		for _, c := range []struct {
			domain  int
			epsilon float64
		}{{0, 1}, {-3, 1}, {MaxDomain + 1, 1}, {4, 0}, {4, -1}, {4, math.NaN()}, {4, math.Inf(1)}, {4, 1e-12}, {4, 99}} {
			if _, err := New(name, c.domain, c.epsilon); err == nil {
				t.Errorf("%s takes %v", name, c)
			}
		}
	}
	if _, err := New("grr", 4, 1); err == nil {
		t.Error("an unknown name is taken")
	}
}

// TestZeroReports: nothing collected is nothing estimated, without NaN.
func TestZeroReports(t *testing.T) {
	for _, name := range Names() {
		o := build(t, name, 70, 1)
		tally, err := Collect(o, nil, noise.Seeded(1), 4)
		if err != nil {
			t.Fatal(err)
		}
		e := tally.Estimate()
		if e.Reports != 0 || len(e.Counts) != 70 || e.Variance(0) != 0 {
			t.Errorf("%s: %+v", name, e)
		}
		for v, c := range e.Counts {
			if c != 0 {
				t.Errorf("%s: value %d is estimated at %v", name, v, c)
			}
		}
	}
}

// TestPlanesCount compares the carry-save counters with counting, at every number of reports up to several blocks, merged or not.
func TestPlanesCount(t *testing.T) {
	const lanes = 150
	src, want := noise.Seeded(3), make([]int64, lanes)
	p, parts := newPlanes(3), newPlanes(3)
	piece := newPlanes(3)
	report := make([]uint64, 3)
	coins, _ := noise.NewCoins(0.7)
	for n := range 400 {
		coins.Fill(report, src)
		p.add(report)
		if piece.add(report); n%37 == 0 {
			parts.merge(piece)
			piece = newPlanes(3)
		}
		for i := range want {
			want[i] += int64(report[i/64] >> (i % 64) & 1)
		}
		if n%13 != 0 {
			continue // totals settle: blocks must fill up as well
		}
		for i, c := range p.totals(lanes) {
			if c != want[i] {
				t.Fatalf("after %d reports lane %d counts %d, want %d", n+1, i, c, want[i])
			}
		}
	}
	parts.merge(piece)
	for i, c := range parts.totals(lanes) {
		if c != want[i] {
			t.Fatalf("merged: lane %d counts %d, want %d", i, c, want[i])
		}
	}
	if parts.n != 400 {
		t.Errorf("merged %d reports", parts.n)
	}
}

func TestBlocksFill(t *testing.T) {
	p, report := newPlanes(2), []uint64{0b101, 1 << 63}
	for range 1_000_003 {
		p.add(report)
	}
	got := p.totals(128)
	for i, c := range got {
		want := int64(0)
		if i == 0 || i == 2 || i == 127 {
			want = 1_000_003
		}
		if c != want {
			t.Errorf("lane %d counts %d", i, c)
		}
	}
}

// TestEstimates: unbiased and of the stated variance, for values at the edges of words, on domains of several of them.
func TestEstimates(t *testing.T) {
	const n, runs = 300, 400
	for _, name := range Names() {
		for _, c := range []struct {
			domain  int
			epsilon float64
		}{{8, 1}, {64, 0.5}, {65, 2}, {127, 3}} {
			o := build(t, name, c.domain, c.epsilon)
			values := make([]int, n)
			for i := range values { // a third at 0, a third at the last value, a third at None or beyond the domain
				values[i] = []int{0, c.domain - 1, None, 0, c.domain - 1, c.domain}[i%6]
			}
			src := noise.Seeded(uint64(c.domain))
			var first, last, mid []float64
			var e Estimate
			for range runs {
				tally, err := Collect(o, values, src, 2)
				if err != nil {
					t.Fatal(err)
				}
				e = tally.Estimate()
				first, last, mid = append(first, e.Counts[0]), append(last, e.Counts[c.domain-1]), append(mid, e.Counts[c.domain/2])
			}
			for what, s := range map[string]struct {
				x     []float64
				truth float64
			}{"first": {first, n / 3}, "last": {last, n / 3}, "middle": {mid, 0}} {
				if err := stattest.NormalMoments(s.truth, math.Sqrt(e.Variance(s.truth))).Check(s.x); err != nil {
					t.Errorf("%s %v: %s value: %v", name, c, what, err)
				}
				if stattest.NormalMoments(s.truth, 0.7*math.Sqrt(e.Variance(s.truth))).Check(s.x) == nil {
					t.Errorf("%s %v: %s value: 0.7 of the deviation fits as well", name, c, what)
				}
			}
		}
	}
}

// TestVariances: the textbook's, and the moments test above sees a wrong one.
func TestVariances(t *testing.T) {
	e := func(name string, epsilon float64) Estimate { return build(t, name, 1000, epsilon).Tally().Estimate() }
	for _, epsilon := range []float64{0.01, 1, 3} {
		x := math.Exp(epsilon)
		for name, want := range map[string]float64{"oue": 4 * x / ((x - 1) * (x - 1)), "hadamard": (x + 1) * (x + 1) / ((x - 1) * (x - 1))} {
			if got := e(name, epsilon).Absent; math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s at %v: variance %v, want %v", name, epsilon, got, want)
			}
		}
		if ratio := e("subset", epsilon).Absent / e("oue", epsilon).Absent; ratio > 1.001 || ratio < 0.9 {
			t.Errorf("subset selection at %v has %v of the variance", epsilon, ratio)
		}
	}
	if got := e("oue", 1).Absent; math.Abs(got-3.6827) > 1e-4 {
		t.Errorf("OUE's variance at ε = 1 is %v", got)
	}
	sd := math.Sqrt(e("oue", 1).Variance(0))
	if sd != 0 {
		t.Errorf("no report has variance %v", sd)
	}
}

func TestMalformedReports(t *testing.T) {
	for name, bad := range map[string][][]uint64{
		"oue":      {nil, {1}, {1, 2, 3}, {0, 1 << 6}},
		"subset":   {nil, {1}, {0, 1 << 7}},
		"hadamard": {nil, {1, 2}, {128 << 1}, {math.MaxUint64}},
	} {
		tally := build(t, name, 70, 1).Tally()
		for _, report := range bad {
			if err := tally.Add(report); !errors.Is(err, ErrReport) {
				t.Errorf("%s: %v is met with %v", name, report, err)
			}
		}
		if n := tally.Estimate().Reports; n != 0 {
			t.Errorf("%s: %d malformed reports were counted", name, n)
		}
		for _, other := range []Tally{tally, build(t, name, 71, 1).Tally(), build(t, name, 70, 2).Tally(), nil} {
			if tally.Merge(other) == nil {
				t.Errorf("%s: tallies of different oracles were merged", name)
			}
		}
	}
}

// TestPerturbDoesNotAllocate: a report costs no memory.
func TestPerturbDoesNotAllocate(t *testing.T) {
	for _, name := range Names() {
		o, src := build(t, name, 500, 1), noise.Seeded(1)
		report := make([]uint64, o.Words())
		if n := testing.AllocsPerRun(100, func() { o.Perturb(report, 499, src) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
