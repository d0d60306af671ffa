package mechtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// claims: the audit of the worst pair stays below the claim, sees at least half
// of it, and catches the same outputs with 0.7 times their noise.
func claims(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	if spec.Suite.Pair == nil {
		return Skipped{"there is no claim to audit"}
	}
	g := m.Guarantee()
	if why, void := g.Void(); void {
		return Skipped{"the claim is void: " + why}
	}
	draw, err := spec.Suite.Runner(m)
	if err != nil {
		return err
	}
	pair := spec.Suite.Pair(m)
	c := audit.Case{Mechanism: spec.Name, Claim: g, Draw: pair.Draw(draw, pair.Statistic)}
	s, err := audit.Collect(c.Draw, trials(g), noise.Seeded(0x4d))
	if err != nil {
		return err
	}
	// Reports of a frequency oracle are sets: there is no scale to shrink.
	scaled := !strings.HasPrefix(m.Plan().Noise.Law, "frequency oracle")
	less := func() (audit.Sample, error) { return quieter(draw, pair, len(s.A)/4) }
	if !scaled {
		less = nil
	}
	if err := judged(c, s, less); err != nil {
		return err
	}
	return lowBits(c, draw, pair, m.Plan().Noise.Grid)
}

// rows of one Spec's audit that share the false alarm of 1e-6.
const rows = 2

// judged audits the claim, and its twin with less noise; nil = there is none.
func judged(c audit.Case, s audit.Sample, less func() (audit.Sample, error)) error {
	r, err := audit.Audit{Rows: rows}.Judge(c, s)
	if err != nil {
		return err
	}
	if r.Verdict != audit.Holds {
		return fmt.Errorf("the claim %v is refuted: %+v", c.Claim, r.Lower)
	}
	share := r.Lower.Epsilon / c.Claim.Epsilon
	switch {
	case c.Claim.Mu > 0:
		share = r.Lower.Mu / c.Claim.Mu
	case c.Claim.Measure == dp.ZCDP:
		share = r.Lower.Rho / c.Claim.Rho
	}
	if share < 0.5 {
		return fmt.Errorf("the audit sees only %.2f of the claim %v: choose a worse pair or a better statistic", share, c.Claim)
	}
	if share < 0.85 || less == nil { // the pair is not the worst: 0.7 times its noise may still hold
		return nil
	}
	if r, err = (audit.Audit{Rows: rows}).Judge(c, audit.Sample{A: shrunk(s.A), B: shrunk(s.B)}); err != nil || r.Verdict == audit.Above {
		return err
	}
	// A statistic that is often at its middle does not shrink: the values do. A
	// quarter of the releases is enough to see it.
	if s, err = less(); err != nil {
		return err
	}
	if r, err = (audit.Audit{Rows: rows}).Judge(c, s); err != nil {
		return err
	}
	if r.Verdict != audit.Above {
		return fmt.Errorf("0.7 times the noise is not caught: %+v", r.Lower)
	}
	return nil
}

// shrunk is the same sample with 0.7 times its spread.
func shrunk(x []float64) []float64 {
	middle := median(x)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = middle + 0.7*(v-middle)
	}
	return out
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

// quieter draws the statistic of releases whose values have 0.7 times their
// spread around their medians, as 2000 releases show them.
func quieter(draw mechanism.Runner, pair mechanism.Pair, n int) (audit.Sample, error) {
	var middles [2][]float64
	for side, input := range []any{pair.A, pair.B} {
		var columns [][]float64
		src := noise.Seeded(0x7a)
		for range 2000 {
			out, err := draw(input, src)
			if err != nil {
				return audit.Sample{}, err
			}
			if columns == nil {
				columns = make([][]float64, len(out.Values))
			}
			if len(columns) != len(out.Values) {
				return audit.Sample{}, errors.New("releases differ in their number of values")
			}
			for i, v := range out.Values {
				columns[i] = append(columns[i], v)
			}
		}
		for _, c := range columns {
			middles[side] = append(middles[side], median(c))
		}
	}
	less := func(side int, input any, src *noise.Source) (float64, error) {
		out, err := draw(input, src)
		if err != nil || len(out.Values) != len(middles[side]) {
			return 0, errors.Join(err, errors.New("releases differ in their number of values"))
		}
		for i, m := range middles[side] {
			out.Values[i] = m + 0.7*(out.Values[i]-m)
		}
		return pair.Statistic(out.Values), nil
	}
	return audit.Collect(func(side bool, src *noise.Source) (float64, error) {
		if side {
			return less(1, pair.B, src)
		}
		return less(0, pair.A, src)
	}, n, noise.Seeded(0x8b))
}

// lowBits audits the last bits of the value in which the two sides differ most.
func lowBits(c audit.Case, draw mechanism.Runner, pair mechanism.Pair, grid float64) error {
	at, err := telling(draw, pair)
	if err != nil {
		return err
	}
	c.Draw = pair.Draw(draw, func(v []float64) float64 { return v[at] })
	c.Events, c.Grid = audit.LowBits, grid
	r, err := audit.Audit{Trials: 20_000, Rows: rows}.Run(c, noise.Seeded(0x5e))
	if err != nil {
		return err
	}
	if r.Verdict != audit.Holds {
		return fmt.Errorf("low bits refute the claim %v: %+v", c.Claim, r.Lower)
	}
	return nil
}

// telling is the value whose mean differs most between the sides.
func telling(draw mechanism.Runner, pair mechanism.Pair) (int, error) {
	var sum []float64
	src := noise.Seeded(0x6f)
	for i := range 400 {
		input, sign := pair.A, -1.0
		if i%2 == 1 {
			input, sign = pair.B, 1
		}
		out, err := draw(input, src)
		if err != nil {
			return 0, err
		}
		if sum == nil {
			sum = make([]float64, len(out.Values))
		}
		if len(out.Values) != len(sum) || len(sum) == 0 {
			return 0, errors.New("the two sides of the pair release different numbers of values")
		}
		for j, v := range out.Values {
			sum[j] += sign * v
		}
	}
	best := 0
	for j, v := range sum {
		if v*v > sum[best]*sum[best] {
			best = j
		}
	}
	return best, nil
}
