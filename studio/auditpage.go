package studio

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
)

// audits are those of this run.
type audits struct {
	mu   sync.Mutex
	done []auditRow
}

func (a *audits) add(r auditRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = append([]auditRow{r}, slices.DeleteFunc(a.done, func(o auditRow) bool { return o.Mechanism == r.Mechanism && o.Trials == r.Trials })...)
}

func (a *audits) list() []auditRow {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]auditRow{}, a.done...)
}

// auditRow is what one audit showed.
type auditRow struct {
	Mechanism  string        `json:"mechanism"`
	Claimed    string        `json:"claimed"`
	Epsilon    float64       `json:"epsilon"`
	Lower      float64       `json:"epsilon_lower"`
	Confidence float64       `json:"confidence"`
	Trials     int           `json:"trials"`
	Verdict    audit.Verdict `json:"verdict"`
	Words      string        `json:"words"`
	Share      float64       `json:"-"`
}

// auditable is a mechanism that can be audited.
type auditable struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Claim   string `json:"claim"`
}

// auditTrials are the numbers of releases per side to choose from.
var auditTrials = []int{20_000, 100_000, 500_000}

func (s *Server) auditPage(w http.ResponseWriter, r *http.Request) error {
	v := struct {
		Mechanisms []auditable `json:"mechanisms"`
		Results    []auditRow  `json:"results"`
		Trials     []int       `json:"trials"`
		Chosen     string      `json:"-"`
	}{auditables(), s.audits.list(), auditTrials, r.FormValue(inMechanism)}
	return s.show(w, r, "audit", frame{Title: "Audit", Tab: "audit", V: v})
}

// auditables are the mechanisms that claim something and name two neighbours
// on which the claim is hardest to keep.
func auditables() []auditable {
	var out []auditable
	for _, s := range all.Specs() {
		if s.Suite.Pair == nil {
			continue
		}
		m, err := s.Build(s.Suite.Params)
		if err == nil && m.Guarantee().Measure != dp.None {
			out = append(out, auditable{s.Name, s.Summary, m.Guarantee().String()})
		}
	}
	return out
}

// startAudit attacks a mechanism's claim on invented neighbours. No data are
// read.
func (s *Server) startAudit(w http.ResponseWriter, r *http.Request) error {
	specs := all.Specs()
	at := slices.IndexFunc(specs, func(m mechanism.Spec) bool { return m.Name == r.PostFormValue(inMechanism) })
	trials, err := strconv.Atoi(r.PostFormValue("trials"))
	if at < 0 || specs[at].Suite.Pair == nil || err != nil || trials < 1000 || trials > 10_000_000 {
		return refuse("This cannot be audited.", "Choose a mechanism of the list and 1000 to 10000000 releases per side.")
	}
	spec := specs[at]
	j, err := s.jobs.start("Attacking "+spec.Name, "releases", func(ctx context.Context, j *job) (string, error) {
		row, err := attack(ctx, spec, trials, j.progress)
		if err == nil {
			s.audits.add(row)
		}
		return "/audit", err
	})
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

func attack(ctx context.Context, spec mechanism.Spec, trials int, progress func(done, total int)) (auditRow, error) {
	m, err := spec.Build(spec.Suite.Params)
	if err != nil {
		return auditRow{}, err
	}
	run, err := spec.Suite.Runner(m)
	if err != nil {
		return auditRow{}, err
	}
	c := audit.Case{Mechanism: spec.Name, Claim: m.Guarantee(), Draw: drawOf(ctx, run, spec.Suite.Pair(m), 2*trials, progress)}
	res, err := audit.Audit{Trials: trials}.Run(c, noise.Secure())
	if err != nil {
		return auditRow{}, err
	}
	row := auditRow{
		Mechanism: spec.Name, Claimed: c.Claim.String(), Epsilon: c.Claim.Epsilon, Lower: res.Lower.Epsilon, Confidence: res.Confidence,
		Trials: res.Trials, Verdict: res.Verdict,
	}
	row.Words = row.inWords()
	if row.Epsilon > 0 {
		row.Share = min(1, row.Lower/row.Epsilon)
	}
	return row, nil
}

// drawOf draws from the two sides of a pair, counting.
func drawOf(ctx context.Context, run mechanism.Runner, pair mechanism.Pair, total int, progress func(done, total int)) audit.Draw {
	var mu sync.Mutex
	done := 0
	return func(side bool, src *noise.Source) (float64, error) {
		mu.Lock()
		done++
		n := done
		mu.Unlock()
		if n%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			progress(n, total)
		}
		input := pair.A
		if side {
			input = pair.B
		}
		out, err := run(input, src)
		if err != nil {
			return 0, err
		}
		return pair.Statistic(out.Values), nil
	}
}

func (r *auditRow) inWords() string {
	switch r.Verdict {
	case audit.Holds:
		return fmt.Sprintf("The attack shows that ε is at least %s. The claim of %s was not refuted.", significant(r.Lower), significant(r.Epsilon))
	case audit.Above:
		return fmt.Sprintf("The claim is REFUTED: ε is at least %s, more than the %s that is claimed.", significant(r.Lower), significant(r.Epsilon))
	case audit.Falsified:
		return fmt.Sprintf("As expected: the nominal ε = %s is refuted, it is at least %s.", significant(r.Epsilon), significant(r.Lower))
	}
	return "Nothing was shown either way."
}
