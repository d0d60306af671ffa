package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// Describe returns the manifest of a release with everything that follows from
// its plan and guarantee. The caller adds what only people know (Basic,
// Source, DataSecurity), [Manifest.Account], [Manifest.Cite],
// [Manifest.Dated] and writes it.
func Describe(r mechanism.Release) *Manifest {
	g, p := r.Guarantee, r.Plan
	_, void := g.Void()
	m := &Manifest{
		ManifestVersion: Version,
		Private:         !void && g.Measure != dp.None,
		Guarantee:       g.String(),
		ConfigSHA256:    ConfigHash(p.Parameters),
		Basic:           Basic{DataProductType: "Summary statistics"},
		Source:          Source{Participants: participants(p, g)},
		DPVariant:       DPVariant{VariantName: variant(g), UnprotectedQuantities: append(List[string]{}, g.Unprotected...)},
		PrivacyLoss:     composed(privacyLoss(g, p.Parameters), p),
		DeploymentModel: deployment(g),
		Sensitivity:     List[Sensitivity]{sensitivity(p)},
		Mechanisms:      List[Mechanism]{describeMechanism(p, g)},
		Utility:         utility(p),
		Warnings:        texts(r.Warnings),
		Provenance:      Provenance{Config: p.Parameters},
		Reproduce:       Reproduce{Why: "the noise is drawn afresh and kept by nobody; the raw recordings stay with their holder", VerifyCmd: "gazeward verify DIR --key FINGERPRINT"},
	}
	if !m.Private {
		m.Guarantee = noGuarantee(g)
	}
	return m
}

// composed adds what the plan says of larger and other units; void like the
// release itself.
func composed(l PrivacyLoss, p mechanism.Plan) PrivacyLoss {
	all := p.Composed
	if p.PerFeature != nil {
		all = maps.Clone(all)
		if all == nil {
			all = map[string]dp.Guarantee{}
		}
		all["one feature alone"] = *p.PerFeature
	}
	why, void := p.Guarantee.Void()

	for _, unit := range slices.Sorted(maps.Keys(all)) {
		g := all[unit]
		if void {
			g = g.Voided(why)
		}
		c := Composed{Unit: unit, Terms: g.Terms(), Epsilon: Num(g.Epsilon), Delta: Num(g.Delta)}
		if _, is := g.Void(); is {
			c.Terms, c.Epsilon, c.Delta = g.String(), Without(NotApplicable), Without(NotApplicable)
		}
		l.Composed = append(l.Composed, c)
	}
	return l
}

func noGuarantee(g dp.Guarantee) string {
	if _, void := g.Void(); !void {
		g = g.Voided("no guarantee was stated")
	}
	return g.String()
}

// participants is n where neighbours make it public (replace one), else kept
// back.
func participants(p mechanism.Plan, g dp.Guarantee) Number {
	n, err := strconv.Atoi(p.Parameters["subjects"])
	if err != nil || g.Neighbours != dp.ReplaceOne {
		return Without(NotDisclosed)
	}
	return Num(float64(n))
}

func texts(errs []error) List[string] {
	out := List[string]{}
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

// Account adds what was spent on the same people: the account after the charge
// for this release, and its entries. A nil account says that nothing was
// charged, as for a void release.
func (m *Manifest) Account(a *account.Account, entries []account.Entry) {
	if a == nil {
		none := Amount{Without(NotApplicable), Without(NotApplicable)}
		m.Accounting = Accounting{
			Composition: NotApplicable, Unit: NotApplicable, Ledger: List[Spend]{}, Budget: none, Spent: none,
			Remaining: none, LedgerHead: NotApplicable, RefreshPolicy: NotApplicable,
		}
		return
	}
	m.Source.Commitment = Text(a.Key.Participants)
	m.Accounting = Accounting{
		Composition: Text(a.Theorem.String()), Unit: Text(a.Key.UnitName()), Ledger: List[Spend]{},
		Budget: amount(a.Cap), Spent: amount(a.Spent), Remaining: amount(a.Left), LedgerHead: Text(a.Head),
		PriorReleases: List[string]{},
		RefreshPolicy: "none: what was spent stays spent for as long as the recordings exist",
	}
	for _, e := range entries {
		if e.Key != a.Key {
			continue
		}
		m.Accounting.Ledger = append(m.Accounting.Ledger, spend(e))
		if e.ID != string(m.ReleaseID) {
			m.Accounting.PriorReleases = append(m.Accounting.PriorReleases, e.ID)
		}
	}
}

func amount(b account.Budget) Amount {
	return Amount{Num(b.Epsilon.Float64()), Num(b.Delta.Float64())}
}

func spend(e account.Entry) Spend {
	charged := amount(e.Charged())
	s := Spend{
		ID: e.ID, Query: Text(e.What), Measure: Text(e.Measure.String()), Epsilon: charged.Epsilon, Delta: charged.Delta,
		Rho: Without(NotApplicable), Unit: Text(e.Key.UnitName()), TimeBucket: Text(e.Date), Hash: Text(e.Hash),
	}
	if e.Measure == dp.ZCDP {
		s.Rho = Num(e.Costs[account.ZCDP].Loss.Float64())
	}
	return s
}

// Cite adds where the mechanism and its proof are written down.
func (m *Manifest) Cite(s mechanism.Spec) {
	for i := range m.Mechanisms {
		m.Mechanisms[i].Reference = Text(s.Source)
		for _, word := range strings.FieldsFunc(s.Source, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
			if strings.HasSuffix(word, "PROOF.md") {
				m.Mechanisms[i].ProofRef = Text(word)
			}
		}
	}
}

// Dated sets the dates to the day of t in UTC. The time of day is dropped.
func (m *Manifest) Dated(t time.Time) {
	m.Created = Text(t.UTC().Format(time.DateOnly))
	m.Basic.PublicationDate = m.Created
}

// ConfigHash is the SHA-256 of public parameters in canonical JSON.
func ConfigHash(p Parameters) Text {
	if p == nil {
		return ""
	}
	data, err := json.Marshal(p)
	if err == nil {
		data, err = Canonical(data)
	}
	if err != nil { // only for text that is not UTF-8
		return ""
	}
	sum := sha256.Sum256(data)
	return Text(hex.EncodeToString(sum[:]))
}

// ThisTool describes the running program from what the Go linker recorded.
func ThisTool() Tool {
	t := Tool{Name: "gazeward"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	t.Version, t.Go = Text(info.Main.Version), Text(info.GoVersion)
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			t.Commit = Text(s.Value)
		case s.Key == "vcs.modified" && s.Value == "true" && t.Commit != "":
			t.Commit += " with changes"
		}
	}
	return t
}

// utility is what was expected of the release before it was drawn: no data were
// looked at for it.
func utility(p mechanism.Plan) List[Utility] {
	var out List[Utility]
	if e := p.Expected; e != nil {
		on := Text(e.MeasuredOn)
		out = append(out,
			Utility{Metric: "expected correlation with the noise-free map (CC)", Value: Num(e.CC), EvaluatedOn: on, Paid: NotApplicable, InWords: Text(e.InWords)},
			Utility{Metric: "noise floor relative to the peak of a typical map", Value: Num(e.NoiseToPeak), EvaluatedOn: on, Paid: NotApplicable},
			Utility{Metric: "units of privacy needed for CC of at least 0.9", Value: needed(float64(e.SubjectsNeeded)), EvaluatedOn: on, Paid: NotApplicable},
			Utility{Metric: "epsilon needed for CC of at least 0.9", Value: needed(e.EpsilonNeeded), EvaluatedOn: on, Paid: NotApplicable})
	}
	if e := p.PathError; e != nil {
		out = append(out, Utility{
			Metric: "expected distance between released and real gaze, root mean square (" + e.Unit + ")", Value: Num(e.RMS), EvaluatedOn: Text(e.MeasuredOn), Paid: NotApplicable,
		})
	}
	if l := p.Likeness; l != nil {
		on := Text(l.MeasuredOn)
		out = append(out,
			Utility{Metric: "expected divergence of the density of looks from the people's (Jensen-Shannon, bits)", Value: Num(l.Density), EvaluatedOn: on, Paid: NotApplicable, InWords: Text(l.InWords)},
			Utility{Metric: "the same divergence without any data", Value: Num(l.PriorOnly), EvaluatedOn: on, Paid: NotApplicable},
			Utility{Metric: "units of privacy needed for a divergence of at most " + strconv.FormatFloat(l.Good, 'g', 3, 64), Value: needed(float64(l.SubjectsNeeded)), EvaluatedOn: on, Paid: NotApplicable})
	}
	return out
}

func needed(v float64) Number {
	if v == 0 {
		return Without("out of reach")
	}
	return Num(v)
}
