package experiment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Audits attacks the claims of mechanisms on their worst-case pairs: the
// thresholds of the best statistic, the low bits of the value that differs
// most, and the law of the noise. Nothing of anybody's data is read; the
// parameters are the conformance suite's.
type Audits struct {
	Specs    []mechanism.Spec
	Trials   int     // outputs per side; 0 = what each claim takes ([audit.Enough])
	False    float64 // false alarm over the whole table; 0 = 1e-6
	Seed     uint64
	Progress func(done int)
}

// NotAudited is the verdict on a mechanism without a worst-case pair.
const NotAudited audit.Verdict = "not audited"

// AuditRow is one mechanism under one calibration.
type AuditRow struct {
	audit.Result
	Calibration string `json:"calibration"`
	Fault       string `json:"fault,omitempty"` // of the claim, where one of the literature was attacked
	// Composed is what is stated instead of the claim of the literature, judged on
	// the same releases; nil = nothing is stated.
	Composed   *audit.Result     `json:"composed,omitempty"`
	Why        string            `json:"why,omitempty"` // it was not audited
	Parameters map[string]string `json:"parameters"`
	Layers     AuditLayers       `json:"layers"`
}

// AuditLayers are the other ways in which the same mechanism was attacked; nil
// where a layer does not apply.
type AuditLayers struct {
	// Sampler is how far the realised table of the noise is from its law:
	// relative error of the probabilities and mass that is never drawn.
	Sampler *noise.Divergence `json:"sampler"`
	LowBits *audit.Result     `json:"low_bits"`
	Law     *audit.Fit        `json:"law"`
	Leak    *audit.Result     `json:"leak"`
}

// Broken reports a claim that is not void and does not hold.
func (r AuditRow) Broken() bool {
	return r.Verdict == audit.Above || r.Composed != nil && r.Composed.Verdict == audit.Above
}

// auditee is a mechanism to be audited.
type auditee struct {
	spec        mechanism.Spec
	calibration string
	values      map[string]string
	mechanism   mechanism.Mechanism
	fault       *mechanism.Fault // audited instead of the mechanism
}

// layers of a row that share its false alarm.
const layers = 4

// Total is the number of rows.
func (e Audits) Total() int { return len(e.auditees()) }

// auditees are all Specs under all their calibrations.
func (e Audits) auditees() []auditee {
	var all []auditee
	for _, s := range e.Specs {
		calibrations := []string{""}
		if f, ok := s.Field("calibration"); ok {
			calibrations = f.Choices
		}
		for _, c := range calibrations {
			values := maps.Clone(s.Suite.Params)
			if c != "" {
				values["calibration"] = c
			}
			if c == mechanism.Published && len(s.Suite.Faults) > 0 && !pairs(s, values) {
				continue // its faults are
			}
			all = append(all, auditee{spec: s, calibration: c, values: values})
		}
		for i := range s.Suite.Faults {
			all = append(all, auditee{spec: s, calibration: mechanism.Published, fault: &s.Suite.Faults[i]})
		}
	}
	return all
}

// pairs reports whether a Spec has a worst-case pair for these parameters that
// releases can be drawn of.
func pairs(s mechanism.Spec, values map[string]string) bool {
	m, err := s.Build(values)
	if err != nil || s.Suite.Pair == nil {
		return false
	}
	draw, err := s.Suite.Runner(m)
	if err != nil {
		return false
	}
	p := s.Suite.Pair(m)
	if p.Statistic == nil {
		return false
	}
	for _, input := range []any{p.A, p.B} {
		if _, err := draw(input, noise.Seeded(1)); err != nil {
			return false
		}
	}
	return true
}

// Run audits one mechanism after the other. Seeded, it is reproducible.
func (e Audits) Run(ctx context.Context) ([]AuditRow, error) {
	all := e.auditees()
	a := audit.Audit{Trials: e.Trials, FalseAlarm: e.False, Rows: layers * len(all)}
	rows := make([]AuditRow, 0, len(all))
	for i, who := range all {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		row, err := e.row(ctx, who, a, noise.Seeded(e.Seed+uint64(i)))
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		if err != nil {
			return rows, fmt.Errorf("%s: %w", who.spec.Name, err)
		}
		rows = append(rows, row)
		if e.Progress != nil {
			e.Progress(len(rows))
		}
	}
	return rows, nil
}

// refute audits a claim of the literature on the draw that shows its fault.
func (e Audits) refute(ctx context.Context, who auditee, a audit.Audit, src *noise.Source) (AuditRow, error) {
	draw, err := who.fault.Prepare()
	if err != nil {
		return AuditRow{}, err
	}
	if a.Trials == 0 {
		a.Trials = audit.DefaultTrials
	}
	s, err := audit.Collect(func(side bool, src *noise.Source) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return draw(side, src)
	}, a.Trials, src)
	if err != nil {
		return AuditRow{}, err
	}
	row := AuditRow{Calibration: who.calibration, Fault: who.fault.Name, Parameters: map[string]string{}}
	c := audit.Case{Mechanism: who.spec.Name, Claim: who.fault.Claim}
	if row.Result, err = a.Judge(c, s); err != nil || who.fault.Composed.Epsilon == 0 {
		return row, err
	}
	c.Claim = who.fault.Composed
	composed, err := a.Judge(c, s)
	row.Composed = &composed
	return row, err
}

func (e Audits) row(ctx context.Context, who auditee, a audit.Audit, src *noise.Source) (AuditRow, error) {
	if who.fault != nil {
		return e.refute(ctx, who, a, src)
	}
	m, err := who.spec.Build(who.values)
	if err != nil && who.calibration == mechanism.Published { // it wants more than the suite's parameters
		row := AuditRow{Calibration: who.calibration, Parameters: who.values, Why: err.Error()}
		row.Mechanism, row.Claimed, row.Verdict = who.spec.Name, dp.Guarantee{Measure: dp.None}.Voided("published calibration"), NotAudited
		return row, nil
	}
	if err != nil {
		return AuditRow{}, err
	}
	who.mechanism = m
	plan := m.Plan()
	row := AuditRow{Calibration: plan.Calibration, Parameters: who.values}
	row.Mechanism, row.Claimed, row.Verdict = who.spec.Name, m.Guarantee(), NotAudited
	if row.Claimed.Measure == dp.None {
		row.Verdict = audit.NoClaim
	}
	if row.Layers.Sampler, err = sampler(plan.Noise); err != nil {
		return row, err
	}
	if who.spec.Suite.Pair == nil {
		row.Why = "there is no pair of neighbours to attack it on"
		return row, nil
	}
	pair := who.spec.Suite.Pair(m)
	if pair.Statistic == nil {
		row.Why = "there is no pair of neighbours for these parameters"
		return row, nil
	}
	draw, err := who.spec.Suite.Runner(m)
	if err != nil {
		return row, err
	}
	draw = until(ctx, draw)
	claimed := row.Claimed
	err = row.attack(who, pair, draw, a, src)
	if err == nil {
		err = row.noiseLaw(who, draw, plan.Noise, src)
	}
	if _, void := claimed.Void(); err != nil && void { // a baseline that cannot release the pair
		row.Result = audit.Result{Mechanism: who.spec.Name, Claimed: claimed, Verdict: NotAudited}
		row.Why = err.Error()
		return row, nil
	}
	return row, err
}

// until draws as long as the context lasts.
func until(ctx context.Context, draw mechanism.Runner) mechanism.Runner {
	return func(input any, src *noise.Source) (mechanism.Output, error) {
		if err := ctx.Err(); err != nil {
			return mechanism.Output{}, err
		}
		return draw(input, src)
	}
}

// attack audits the thresholds, the low bits and the leak of the pair.
func (r *AuditRow) attack(who auditee, pair mechanism.Pair, draw mechanism.Runner, a audit.Audit, src *noise.Source) (err error) {
	c := audit.Case{Mechanism: who.spec.Name, Claim: r.Claimed, Draw: pair.Draw(draw, pair.Statistic)}
	if a.Trials == 0 {
		a.Trials = min(audit.Enough(r.Claimed), 200_000)
	}
	if r.Result, err = a.Run(c, src); err != nil {
		return err
	}
	if pair.Never != nil {
		c.Events, c.Never = audit.Leaks, pair.Never
		leak, err := a.Run(c, src)
		if err != nil {
			return err
		}
		r.Layers.Leak = &leak
		r.fold(leak.Verdict)
	}
	return r.lowBits(c, draw, pair, who.mechanism.Plan().Noise.Grid, a, src)
}

// lowBits attacks the value in which the sides differ most.
func (r *AuditRow) lowBits(c audit.Case, draw mechanism.Runner, pair mechanism.Pair, grid float64, a audit.Audit, src *noise.Source) error {
	if grid == 0 {
		return nil
	}
	at, err := mostTelling(draw, pair, src)
	if err != nil {
		return err
	}
	a.Trials = min(a.Trials, 50_000)
	c.Events, c.Grid, c.Never = audit.LowBits, grid, nil
	c.Draw = pair.Draw(draw, func(v []float64) float64 {
		if at >= len(v) { // their number differs from draw to draw
			return 0
		}
		return v[at]
	})
	low, err := a.Run(c, src)
	r.Layers.LowBits = &low
	r.fold(low.Verdict)
	return err
}

// fold takes a layer's verdict where it is worse.
func (r *AuditRow) fold(v audit.Verdict) {
	if v == audit.Above || v == audit.Falsified {
		r.Verdict = v
	}
}

// noiseLaw compares a release of nothing with the law that the plan states.
func (r *AuditRow) noiseLaw(who auditee, draw mechanism.Runner, n mechanism.Noise, src *noise.Source) error {
	if who.spec.Suite.Zero == nil || r.Layers.Sampler == nil {
		return nil
	}
	const enough = 20_000
	var values []float64
	input := who.spec.Suite.Zero(who.mechanism)
	if input == nil {
		return nil
	}
	for len(values) < enough {
		out, err := draw(input, src)
		if err != nil {
			return err
		}
		if len(out.Values) == 0 {
			return errors.New("a release without values")
		}
		values = append(values, out.Values...)
	}
	fit, err := audit.Law{Name: n.Law, Scale: n.Scale, Grid: n.Grid}.Test(values, r.FalseAlarm)
	r.Layers.Law = &fit
	if _, void := r.Claimed.Void(); !fit.Follows() && !void {
		r.Verdict = audit.Above
	}
	return err
}

// sampler rebuilds the table of a lattice law; nil for other laws.
func sampler(n mechanism.Noise) (*noise.Divergence, error) {
	build := map[string]func(float64) (*noise.Sampler, error){"rounded gaussian": noise.NewGaussian, "discrete laplace": noise.NewLaplace}[n.Law]
	if build == nil || !(n.Grid > 0) {
		return nil, nil
	}
	s, err := build(n.Scale / n.Grid)
	if err != nil {
		return nil, err
	}
	d := s.Divergence()
	return &d, nil
}

// mostTelling is the value whose mean differs most between the sides.
func mostTelling(draw mechanism.Runner, pair mechanism.Pair, src *noise.Source) (int, error) {
	var sum []float64
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
		for j := range min(len(sum), len(out.Values)) {
			sum[j] += sign * out.Values[j]
		}
	}
	if len(sum) == 0 {
		return 0, errors.New("a release without values")
	}
	size := func(i int) float64 { return sum[i] * sum[i] }
	return slices.MaxFunc(indices(len(sum)), func(i, j int) int {
		switch {
		case size(i) < size(j):
			return -1
		case size(i) > size(j):
			return 1
		}
		return j - i // the first of equals
	}), nil
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// MutantsCaught is what became of the suite of faults.
type MutantsCaught struct {
	Run     int      `json:"run"`
	Caught  int      `json:"caught"`
	Flagged int      `json:"flagged"` // right twins that were flagged, which must be none
	Missed  []string `json:"missed"`
}

// AuditMutants runs the suite of faults: an audit that does not catch them
// says nothing about the others.
func AuditMutants(ctx context.Context, trials int, src *noise.Source) (MutantsCaught, error) {
	all, err := audit.Mutants()
	if err != nil {
		return MutantsCaught{}, err
	}
	out := MutantsCaught{Missed: []string{}}
	a := audit.Audit{Trials: trials, Rows: 2 * len(all)}
	for _, m := range all {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		results := make([]audit.Result, 2)
		for i, c := range []audit.Case{m.Right, m.Wrong} {
			if results[i], err = a.Run(c, src); err != nil {
				return out, err
			}
		}
		out.Run++
		if results[0].Verdict != audit.Holds {
			out.Flagged++
		}
		if results[1].Verdict == audit.Above {
			out.Caught++
		} else {
			out.Missed = append(out.Missed, m.Name)
		}
	}
	return out, nil
}
