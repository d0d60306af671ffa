package audit

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// Audit says how much to draw and how sure to be.
type Audit struct {
	Trials     int     // outputs per side; 0 = [DefaultTrials]
	Confidence float64 // of the printed bounds; 0 = 0.95
	// FalseAlarm bounds the probability that any verdict of the whole table
	// rejects a claim that holds; 0 = 1e-6.
	FalseAlarm float64
	// Rows is how many rows share FalseAlarm when [Audit.Judge] is called row by
	// row; 0 = 1. [Audit.Table] counts them itself.
	Rows int
}

// DefaultTrials is how many outputs per side an audit draws.
const DefaultTrials = 100_000

// Case is one row of an audit: a claim and a pair of neighbours to refute it on.
type Case struct {
	Mechanism string
	// Claim is refuted on its own terms: ε at its δ, or μ where it says that
	// the release is one Gaussian, or ρ. The pair of a [dp.Geo] claim lies
	// Radius apart.
	Claim  dp.Guarantee
	Draw   Draw
	Events Events
	Grid   float64 // LowBits: outputs are multiples of it; 0 = unknown
	// Never says, for Leaks, which outputs side A cannot give whatever the
	// randomness.
	Never func(float64) bool
}

// Verdict is the outcome of a row.
type Verdict string

// The verdicts. Above and Falsified are wrong with probability at most
// FalseAlarm over the whole table; Holds and NotShown prove nothing.
const (
	Holds     Verdict = "holds"       // the bound does not exceed the claim
	Above     Verdict = "above claim" // the claim is refuted
	Falsified Verdict = "falsified"   // void claims: the nominal ε is refuted
	NotShown  Verdict = "not shown"   // void claims: the nominal ε is not refuted
	NoClaim   Verdict = "no claim"    // nothing was promised, not even nominally
)

// Result is one row: what was claimed and what was shown.
type Result struct {
	Mechanism  string       `json:"mechanism"`
	Events     Events       `json:"events"`
	Claimed    dp.Guarantee `json:"claimed"`
	Lower      Bounds       `json:"lower"`       // at Confidence
	Confidence float64      `json:"confidence"`  // of Lower
	FalseAlarm float64      `json:"false_alarm"` // of Verdict, this row's share
	Trials     int          `json:"trials"`      // per side
	Verdict    Verdict      `json:"verdict"`
}

// Table audits every case with a false alarm of at most FalseAlarm over all of
// them. Seeded, it is reproducible on any number of processors.
func (a Audit) Table(cases []Case, src *noise.Source) ([]Result, error) {
	a.Rows = len(cases)
	results := make([]Result, 0, len(cases))
	for _, c := range cases {
		r, err := a.Run(c, src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Mechanism, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// Run draws and judges one case.
func (a Audit) Run(c Case, src *noise.Source) (Result, error) {
	if err := a.defaults(); err != nil {
		return Result{}, err
	}
	s, err := Collect(c.Draw, a.Trials, src)
	if err != nil {
		return Result{}, err
	}
	return a.Judge(c, s)
}

// errLeak says that a case's Never was wrong.
var errLeak = errors.New("audit: side A gave an output that it was said never to give")

// Judge audits outputs that were drawn before; it does not call c.Draw.
func (a Audit) Judge(c Case, s Sample) (Result, error) {
	if err := a.defaults(); err != nil {
		return Result{}, err
	}
	if min(len(s.A), len(s.B)) < 2 {
		return Result{}, fmt.Errorf("audit: at least 2 outputs per side are needed, got %d and %d", len(s.A), len(s.B))
	}
	r := Result{
		Mechanism: c.Mechanism, Events: c.Events, Claimed: c.Claim, Confidence: a.Confidence,
		FalseAlarm: a.FalseAlarm / float64(a.Rows), Trials: min(len(s.A), len(s.B)),
	}
	above, err := r.weigh(c, s)
	r.Verdict = verdict(c.Claim, above)
	return r, err
}

// weigh fills in the bounds and reports whether the claim is refuted.
func (r *Result) weigh(c Case, s Sample) (above bool, err error) {
	if c.Events == Leaks {
		return r.weighLeak(c, s)
	}
	claim := against(c.Claim, c.Events)
	first, second := s.halves()
	e := c.Events.choose(first, c, r.FalseAlarm, claim.of)
	r.Lower = e.limits(second, 1-r.Confidence).bounds(c.Claim, c.Events)
	return claim.of(e.limits(second, r.FalseAlarm)) > claim.value, nil
}

func (r *Result) weighLeak(c Case, s Sample) (above bool, err error) {
	if c.Never == nil {
		return false, errors.New("audit: a row of leaks needs to know what side A never gives")
	}
	e := event{contains: c.Never}
	if e.count(s.A) > 0 {
		return false, errLeak
	}
	k := e.count(s.B)
	r.Lower.Delta = dp.RoundDown(Lower(k, len(s.B), 1-r.Confidence))
	return Lower(k, len(s.B), r.FalseAlarm) > c.Claim.Delta, nil
}

func verdict(g dp.Guarantee, above bool) Verdict {
	_, void := g.Void()
	switch {
	case g.Measure == dp.None:
		return NoClaim
	case void && above:
		return Falsified
	case void:
		return NotShown
	case above:
		return Above
	}
	return Holds
}

func (a *Audit) defaults() error {
	if a.Trials == 0 {
		a.Trials = DefaultTrials
	}
	if a.Confidence == 0 {
		a.Confidence = 0.95
	}
	if a.FalseAlarm == 0 {
		a.FalseAlarm = 1e-6
	}
	a.Rows = max(a.Rows, 1)
	switch {
	case a.Trials < 2:
		return fmt.Errorf("audit: trials must be at least 2, got %d", a.Trials)
	case !(a.Confidence > 0 && a.Confidence < 1):
		return fmt.Errorf("audit: confidence must lie between 0 and 1, got %v", a.Confidence)
	case !(a.FalseAlarm > 0 && a.FalseAlarm < 1):
		return fmt.Errorf("audit: false alarm must lie between 0 and 1, got %v", a.FalseAlarm)
	}
	return nil
}

// Enough is the number of outputs per side at which an audit at false alarm
// 1e-6 sees half of a tight claim and catches a twin with 0.7 times its noise,
// both with four standard deviations to spare (PROOFS C14). Audit at ε ≈ 1:
// the number grows with 1/ε².
func Enough(g dp.Guarantee) int {
	second := 5e4
	switch {
	case g.Mu > 0:
		second = 2500 / (g.Mu * g.Mu)
	case g.Epsilon > 0:
		second = math.Max(second, 4000/(g.Epsilon*g.Epsilon))
	}
	return 2 * int(math.Ceil(math.Min(second, 1e9)))
}

// normalDeviate is how many standard deviations a normal variable exceeds with
// probability beta.
func normalDeviate(beta float64) float64 { return -distuv.UnitNormal.Quantile(beta) }
