package audit

import (
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// Every audit below is seeded: its verdict is the same in every run, and it
// was chosen to be wrong with probability at most 1e-6 in the first.

func laplace(t testing.TB, eps, factor float64) Case {
	t.Helper()
	c, err := laplaceCase(eps, factor)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func gaussian(t testing.TB, mu, factor float64) Case {
	t.Helper()
	s, err := noise.NewGaussian(factor * lattice / mu)
	if err != nil {
		t.Fatal(err)
	}
	claim := dp.Guarantee{Measure: dp.Approximate, Epsilon: dp.GaussianEpsilon(mu, 1e-5), Delta: 1e-5, Mu: mu}
	return Case{Mechanism: "gaussian", Claim: claim, Draw: shifted(s, lattice, 0x1p-10), Grid: 0x1p-10}
}

func run(t *testing.T, a Audit, c Case, seed uint64) Result {
	t.Helper()
	r, err := a.Run(c, noise.Seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTightMechanismsReachTheirClaim(t *testing.T) {
	for i, eps := range []float64{0.5, 1, 3} {
		c := laplace(t, eps, 1)
		r := run(t, Audit{Trials: 2 * Enough(c.Claim)}, c, uint64(i))
		if r.Verdict != Holds || r.Lower.Epsilon < 0.85*eps {
			t.Errorf("Laplace ε = %v: %+v", eps, r)
		}
	}
	for i, mu := range []float64{0.3, 1, 2} {
		c := gaussian(t, mu, 1)
		r := run(t, Audit{Trials: max(50_000, 4*Enough(c.Claim))}, c, uint64(10+i))
		if r.Verdict != Holds || r.Lower.Mu < 0.85*mu || r.Lower.Epsilon < 0.8*c.Claim.Epsilon {
			t.Errorf("Gaussian μ = %v: %+v", mu, r)
		}
	}
}

func TestTwinsAreCaught(t *testing.T) {
	for i, eps := range []float64{0.5, 1, 3} {
		c := laplace(t, eps, 0.7)
		if r := run(t, Audit{Trials: Enough(c.Claim)}, c, uint64(i)); r.Verdict != Above {
			t.Errorf("Laplace ε = %v with 0.7 times the noise: %+v", eps, r)
		}
	}
	for i, mu := range []float64{0.3, 1} {
		c := gaussian(t, mu, 0.7)
		if r := run(t, Audit{Trials: Enough(c.Claim)}, c, uint64(10+i)); r.Verdict != Above {
			t.Errorf("Gaussian μ = %v with 0.7 times the noise: %+v", mu, r)
		}
	}
}

// A claim of the same Gaussian as ρ-zCDP alone, and as (ε, δ) alone: no event
// shows all of either.
func TestOtherMeasures(t *testing.T) {
	for _, v := range []struct {
		factor float64
		want   Verdict
	}{{1, Holds}, {0.3, Above}} {
		c := gaussian(t, 1, v.factor)
		c.Claim = dp.Guarantee{Measure: dp.ZCDP, Rho: 0.5}
		if r := run(t, Audit{}, c, 1); r.Verdict != v.want || r.Lower.Rho < 0.25 {
			t.Errorf("zCDP with %v times the noise: %+v", v.factor, r)
		}
		c.Claim = dp.Guarantee{Measure: dp.Approximate, Epsilon: dp.GaussianEpsilon(1, 1e-5), Delta: 1e-5}
		if r := run(t, Audit{}, c, 2); r.Verdict != v.want || r.Lower.Epsilon < 0.4*c.Claim.Epsilon {
			t.Errorf("(ε, δ) with %v times the noise: %+v", v.factor, r)
		}
	}
}

func TestReversedSidesAreFound(t *testing.T) {
	c := laplace(t, 1, 1)
	forth := c.Draw
	c.Draw = func(side bool, src *noise.Source) (float64, error) { return forth(!side, src) }
	if r := run(t, Audit{}, c, 3); r.Lower.Epsilon < 0.85 || r.Verdict != Holds {
		t.Errorf("%+v", r)
	}
	// An exponential tail on one side only: its best event is a lower tail.
	c.Draw = func(side bool, src *noise.Source) (float64, error) {
		if side {
			return src.ExpFloat64() / 3, nil
		}
		return src.ExpFloat64(), nil
	}
	if r := run(t, Audit{}, c, 4); r.Lower.Epsilon < 1.02 || r.Verdict != Above {
		t.Errorf("two exponentials whose densities differ by a factor 3: %+v", r)
	}
}

// The share of false alarms at 20 % on small samples, where every step that
// reused data would show: 1000 tight audits.
func TestFalseAlarmRate(t *testing.T) {
	const audits, beta = 1000, 0.2
	for name, c := range map[string]Case{"laplace": laplace(t, 1, 1), "gaussian": gaussian(t, 1, 1)} {
		src, alarms := noise.Seeded(99), 0
		for range audits {
			s, err := Collect(c.Draw, 400, src)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Audit{FalseAlarm: beta}.Judge(c, s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == Above {
				alarms++
			}
		}
		if Lower(alarms, audits, 1e-6) > beta {
			t.Errorf("%s: %d false alarms in %d audits at %v", name, alarms, audits, beta)
		}
		if alarms == 0 {
			t.Errorf("%s: no alarm at all at %v: the audit has no power", name, beta)
		}
	}
}

func TestSeededAuditsDoNotDependOnProcessors(t *testing.T) {
	c := laplace(t, 1, 1)
	sample := func(procs int) Sample {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		s, err := Collect(c.Draw, 3*block+17, noise.Seeded(5))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if d := cmp.Diff(sample(1), sample(7)); d != "" {
		t.Error(d)
	}
}

func TestVerdictsOfVoidClaims(t *testing.T) {
	c := laplace(t, 1, 0.5)
	c.Claim = c.Claim.Voided("bounds read from the data")
	if r := run(t, Audit{}, c, 6); r.Verdict != Falsified {
		t.Errorf("half the noise: %+v", r)
	}
	c = laplace(t, 1, 1)
	c.Claim = c.Claim.Voided("bounds read from the data")
	if r := run(t, Audit{}, c, 7); r.Verdict != NotShown {
		t.Errorf("all the noise: %+v", r)
	}
	c.Claim = dp.Guarantee{Measure: dp.None}.Voided("no noise")
	if r := run(t, Audit{}, c, 8); r.Verdict != NoClaim || r.Lower.Epsilon < 0.8 {
		t.Errorf("nothing claimed: %+v", r)
	}
}

func TestTableSharesItsFalseAlarm(t *testing.T) {
	cases := []Case{laplace(t, 1, 1), gaussian(t, 1, 1), laplace(t, 1, 0.7)}
	rows, err := Audit{}.Table(cases, noise.Seeded(9))
	if err != nil {
		t.Fatal(err)
	}
	want, share := []Verdict{Holds, Holds, Above}, 1e-6
	share /= float64(len(cases))
	for i, r := range rows {
		if r.Verdict != want[i] || r.FalseAlarm != share || r.Confidence != 0.95 || r.Trials != DefaultTrials {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if rows, err := (Audit{}).Table(nil, noise.Seeded(9)); err != nil || len(rows) != 0 {
		t.Errorf("an empty table: %v, %v", rows, err)
	}
}

func TestResultJSON(t *testing.T) {
	c := gaussian(t, 1, 1)
	b, err := json.Marshal(run(t, Audit{Trials: 20_000}, c, 10))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"mechanism":"gaussian"`, `"events":"thresholds"`, `"claimed":{"measure":"approximate","epsilon":`, `"void":null`,
		`"lower":{"epsilon":`, `"mu":`, `"confidence":0.95`, `"false_alarm":0.000001`, `"trials":20000`, `"verdict":"holds"`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	c.Claim = c.Claim.Voided("why")
	b, _ = json.Marshal(run(t, Audit{Trials: 20_000}, c, 10))
	for _, want := range []string{`"epsilon":null`, `"void":"why"`, `"nominal":{"epsilon":`, `"verdict":"not shown"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
}

func TestErrors(t *testing.T) {
	c := laplace(t, 1, 1)
	for _, a := range []Audit{{Trials: 1}, {Trials: -5}, {Confidence: 1}, {Confidence: -1}, {FalseAlarm: 2}, {FalseAlarm: math.NaN()}} {
		if _, err := a.Run(c, noise.Seeded(1)); err == nil || !strings.HasPrefix(err.Error(), "audit: ") {
			t.Errorf("%+v: %v", a, err)
		}
	}
	broken := errors.New("broken")
	c.Draw = func(bool, *noise.Source) (float64, error) { return 0, broken }
	if _, err := (Audit{}).Table([]Case{c}, noise.Seeded(1)); !errors.Is(err, broken) {
		t.Error(err)
	}
	c.Draw = func(bool, *noise.Source) (float64, error) { return math.NaN(), nil }
	if _, err := (Audit{}).Run(c, noise.Seeded(1)); err == nil {
		t.Error("NaN was accepted")
	}
	if _, err := (Audit{}).Judge(c, Sample{A: []float64{1}, B: []float64{1}}); err == nil {
		t.Error("a sample of one was judged")
	}
}

// Infinite outputs are outputs.
func TestInfinitiesAreJudged(t *testing.T) {
	c := Case{Claim: dp.Guarantee{Epsilon: 1}, Draw: func(side bool, _ *noise.Source) (float64, error) {
		if side {
			return math.Inf(1), nil
		}
		return math.Inf(-1), nil
	}}
	for _, e := range []Events{Thresholds, LowBits, Atoms} {
		if c.Events = e; run(t, Audit{Trials: 1000}, c, 1).Verdict != Above {
			t.Errorf("%v: two different constants hold ε = 1", e)
		}
	}
}

func TestConstantOutputsShowNothing(t *testing.T) {
	c := Case{Claim: dp.Guarantee{}, Draw: func(bool, *noise.Source) (float64, error) { return 3, nil }}
	for _, e := range []Events{Thresholds, LowBits, Atoms} {
		c.Events = e
		r := run(t, Audit{Trials: 1000}, c, 1)
		if d := cmp.Diff(Bounds{}, r.Lower); d != "" || r.Verdict != Holds {
			t.Errorf("%v: %+v", e, r)
		}
	}
}

func TestCollectDrawsEveryBlock(t *testing.T) {
	s, err := Collect(func(side bool, src *noise.Source) (float64, error) {
		return 1 + src.Float64(), nil
	}, 2*block+1, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{s.A, s.B} {
		for i, v := range x {
			if v < 1 {
				t.Fatalf("output %d was not drawn", i)
			}
		}
	}
	if cmp.Equal(s.A, s.B, cmpopts.EquateApprox(0, 0)) {
		t.Error("both sides drew the same words")
	}
}

func BenchmarkAuditLaplace(b *testing.B) {
	c := laplace(b, 1, 1)
	for b.Loop() {
		if _, err := (Audit{}).Run(c, noise.Seeded(1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2*DefaultTrials*float64(b.N)/b.Elapsed().Seconds(), "trials/s")
}

func BenchmarkJudgeGaussian(b *testing.B) {
	c := gaussian(b, 1, 1)
	s, err := Collect(c.Draw, 1_000_000, noise.Seeded(1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := (Audit{}).Judge(c, s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(2e6*float64(b.N)/b.Elapsed().Seconds(), "trials/s")
}
