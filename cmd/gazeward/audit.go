package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
)

type auditFlags struct {
	mechanism, calibration, program string
	set                             []string
	all                             bool
	trials                          int
	seed                            uint64
	epsilon, delta, mu, grid        float64
	patience                        time.Duration
}

// ofPrograms and ofMechanisms are flags that say nothing about the others.
var (
	ofPrograms   = []string{"epsilon", "delta", "mu", "grid", "timeout"}
	ofMechanisms = []string{"calibration", "set"}
)

func auditCommand(ui *ui) *cobra.Command {
	var f auditFlags
	c := &cobra.Command{
		Use:   "audit",
		Short: "Attack the claims of mechanisms: lower bounds on ε from many draws on worst-case neighbours",
		Long: "Draws many releases on two neighbouring inputs and bounds ε from below (Clopper–Pearson on fresh draws).\n" +
			"\"holds\" says that the claim was not refuted; the proof stands beside each mechanism. Exits 1 when a\n" +
			"claim that is not void is broken. No data are read.",
		Example: "  gazeward audit --mechanism heatmap/gaussian --trials 1000000 --json\n" +
			"  gazeward audit --all --json\n" +
			"  gazeward audit --program './mechanism --epsilon 1' --epsilon 1 --trials 100000",
		Args: noArguments,
	}
	s := c.Flags()
	s.StringVar(&f.mechanism, "mechanism", "", "product/mechanism, for example heatmap/gaussian")
	s.BoolVar(&f.all, "all", false, "every mechanism under every calibration, and the suite of faults that must be caught")
	s.StringVar(&f.program, "program", "", "a program of yours: reads lines \"A N\" or \"B N\" on stdin, answers each with N lines of one number")
	s.StringVar(&f.calibration, "calibration", "", "guaranteed or published, where the mechanism has both")
	s.StringArrayVar(&f.set, "set", nil, "NAME=VALUE: another parameter than the conformance suite's; repeats")
	s.IntVar(&f.trials, "trials", 0, "releases per side; default what each claim takes")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the draws")
	s.Float64Var(&f.epsilon, "epsilon", 0, "with --program: the claimed ε")
	s.Float64Var(&f.delta, "delta", 0, "with --program: the claimed δ")
	s.Float64Var(&f.mu, "mu", 0, "with --program: the claimed Δ₂/σ, where the release is one Gaussian")
	s.Float64Var(&f.grid, "grid", 0, "with --program: outputs are multiples of it; adds an audit of their low bits")
	s.DurationVar(&f.patience, "timeout", time.Minute, "with --program: stop it when it says nothing for that long")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if f.trials < 0 || f.trials == 1 || f.trials > 1e9 {
			return usage("--trials: want at least 2, got %d", f.trials)
		}
		given := 0
		for _, is := range []bool{f.all, f.mechanism != "", f.program != ""} {
			if is {
				given++
			}
		}
		switch {
		case given != 1:
			return usage("want one of --mechanism, --all and --program")
		case f.program == "" && anyChanged(s, ofPrograms):
			return usage("--%s go with --program; a mechanism's parameters are typed with --set epsilon=2", strings.Join(ofPrograms, ", --"))
		case f.mechanism == "" && anyChanged(s, ofMechanisms):
			return usage("--%s go with --mechanism", strings.Join(ofMechanisms, " and --"))
		case f.program != "":
			return f.foreign(ui, c)
		case f.all:
			return f.everything(ui, c)
		}
		return f.one(ui, c)
	}
	return c
}

func anyChanged(s *pflag.FlagSet, names []string) bool { return slices.ContainsFunc(names, s.Changed) }

// one audits a single mechanism.
func (f *auditFlags) one(ui *ui, c *cobra.Command) error {
	product, short, ok := strings.Cut(f.mechanism, "/")
	if !ok {
		return usage("--mechanism: want product/mechanism like heatmap/gaussian, got %q", f.mechanism)
	}
	spec, err := all.ByName(product, short)
	if err != nil {
		return &usageError{err}
	}
	if spec, err = f.adjusted(spec); err != nil {
		return err
	}
	e := experiment.Audits{Specs: []mechanism.Spec{spec}, Trials: f.trials, Seed: f.seed}
	rows, err := e.Run(c.Context())
	if err != nil {
		return refused(err)
	}
	if err := ui.result(auditJSON{rows[0], rows[1:]}, func(w io.Writer) { printAudits(w, rows) }); err != nil {
		return err
	}
	return verdictOf(rows)
}

// auditJSON is what --mechanism --json prints: the first row, and those of
// other calibrations and of claims in the literature.
type auditJSON struct {
	experiment.AuditRow
	Others []experiment.AuditRow `json:"others,omitempty"`
}

// adjusted is the Spec with the parameters that were asked for.
func (f *auditFlags) adjusted(s mechanism.Spec) (mechanism.Spec, error) {
	params := map[string]string{}
	for name, v := range s.Suite.Params {
		params[name] = v
	}
	for _, pair := range f.set {
		name, v, ok := strings.Cut(pair, "=")
		if !ok {
			return s, usage("--set: want NAME=VALUE, got %q", pair)
		}
		params[name] = v
	}
	if f.calibration != "" {
		params["calibration"] = f.calibration
	}
	if _, has := s.Field("calibration"); f.calibration != "" && !has {
		return s, usage("--calibration: %s has only one", s.Name)
	}
	s.Suite.Params = params
	if _, err := s.Build(params); err != nil {
		return s, &usageError{err}
	}
	if calibration := params["calibration"]; calibration != "" {
		return fixed(s, calibration), nil
	}
	return s, nil
}

// fixed leaves a Spec one calibration. What the literature claims is not of the
// guaranteed one.
func fixed(s mechanism.Spec, calibration string) mechanism.Spec {
	if calibration != mechanism.Published {
		s.Suite.Faults = nil
	}
	fields := slices.Clone(s.Fields)
	for i := range fields {
		if fields[i].Name == "calibration" {
			fields[i].Choices = []string{calibration}
		}
	}
	s.Fields = fields
	return s
}

// auditsJSON is what --all --json prints.
type auditsJSON struct {
	Mechanisms []experiment.AuditRow    `json:"mechanisms"`
	Mutants    experiment.MutantsCaught `json:"mutants"`
}

func (f *auditFlags) everything(ui *ui, c *cobra.Command) error {
	e := experiment.Audits{Specs: all.Specs(), Trials: f.trials, Seed: f.seed}
	step, done := ui.progress("audit", "mechanisms", e.Total())
	e.Progress = step
	rows, err := e.Run(c.Context())
	done()
	if err != nil {
		return err
	}
	mutants, err := experiment.AuditMutants(c.Context(), f.trials, noise.Seeded(f.seed))
	if err != nil {
		return err
	}
	if err := ui.result(auditsJSON{rows, mutants}, func(w io.Writer) {
		printAudits(w, rows)
		fmt.Fprintf(w, "faults: %d of %d caught, %d right twins flagged\n", mutants.Caught, mutants.Run, mutants.Flagged)
	}); err != nil {
		return err
	}
	return verdictOf(rows)
}

// verdictOf says no where a claim that is not void is broken.
func verdictOf(rows []experiment.AuditRow) error {
	for _, r := range rows {
		if r.Broken() {
			return errSaysNo
		}
	}
	return nil
}

func printAudits(w io.Writer, rows []experiment.AuditRow) {
	fmt.Fprintf(w, "%-28s %-11s %-38s %10s %9s  %s\n", "mechanism", "calibration", "claimed", "ε at least", "μ", "verdict")
	for _, r := range rows {
		claimed := r.Claimed.Terms()
		if _, void := r.Claimed.Void(); void {
			claimed = "none, nominal " + r.Claimed.Nominal()
		}
		if r.Claimed.Measure == dp.None {
			claimed = "none"
		}
		fmt.Fprintf(w, "%-28s %-11s %-38s %10.4g %9.4g  %s\n", r.Mechanism, r.Calibration, claimed, r.Lower.Epsilon, r.Lower.Mu, verdictText(r))
	}
}

func verdictText(r experiment.AuditRow) string {
	text := string(r.Verdict)
	for _, more := range []string{r.Fault, r.Why} {
		if more != "" {
			text += " (" + more + ")"
		}
	}
	if c := r.Composed; c != nil {
		text += fmt.Sprintf("; stated instead: %s, %s", c.Claimed.Terms(), c.Verdict)
	}
	return text
}

// foreign audits a program by its outputs alone.
func (f *auditFlags) foreign(ui *ui, c *cobra.Command) error {
	claim := dp.Guarantee{Measure: dp.Pure, Epsilon: f.epsilon, Delta: f.delta, Mu: f.mu}
	if f.delta > 0 {
		claim.Measure = dp.Approximate
	}
	if err := claim.Validate(); err != nil || !(f.epsilon > 0) || math.IsInf(f.epsilon+f.mu, 0) {
		return usage("--program needs the claim it is held to: --epsilon above 0, --delta in [0, 1)")
	}
	if !(f.grid >= 0 && f.grid <= math.MaxFloat64) {
		return usage("--grid: want a positive number, got %v", f.grid)
	}
	if f.patience <= 0 {
		return usage("--timeout must be positive, got %v", f.patience)
	}
	if f.mu > 0 && dp.GaussianDelta(f.mu, f.epsilon*(1+1e-6)) > f.delta*(1+1e-6) {
		return usage("--mu %g is more than (%g, %g) allows", f.mu, f.epsilon, f.delta)
	}
	if f.trials == 0 {
		f.trials = min(audit.Enough(claim), 1_000_000)
	}
	cases := []audit.Case{{Mechanism: "program", Claim: claim}}
	if f.grid > 0 {
		cases = append(cases, audit.Case{Mechanism: "program", Claim: claim, Events: audit.LowBits, Grid: f.grid})
	}
	sample, err := foreignSample(c.Context(), strings.Fields(f.program), f.trials, f.patience)
	if err != nil {
		return err
	}
	a := audit.Audit{Rows: len(cases)}
	var rows []experiment.AuditRow
	for _, k := range cases {
		r, err := a.Judge(k, sample)
		if err != nil {
			return err
		}
		rows = append(rows, experiment.AuditRow{Result: r})
	}
	if len(rows) > 1 {
		rows[0].Layers.LowBits = &rows[1].Result
		if rows[1].Verdict == audit.Above {
			rows[0].Verdict = audit.Above
		}
	}
	if err := ui.result(rows[0], func(w io.Writer) { printAudits(w, rows) }); err != nil {
		return err
	}
	return verdictOf(rows)
}
