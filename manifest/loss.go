package manifest

import (
	"math"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// variant is the guarantee's name in the OpenDP registry.
func variant(g dp.Guarantee) Text {
	if _, void := g.Void(); void {
		return NotApplicable
	}
	switch g.Measure {
	case dp.Pure:
		return "Pure DP"
	case dp.Approximate:
		return "Approximate DP"
	case dp.ZCDP:
		return "Zero-concentrated DP"
	case dp.Geo:
		return "Custom"
	}
	return NotApplicable
}

// privacyLoss tells a guarantee; parameters are the plan's, which say how long a
// unit is.
func privacyLoss(g dp.Guarantee, parameters map[string]string) PrivacyLoss {
	p := PrivacyLoss{
		PrivacyUnit: Text(g.Unit.String()), PrivacyUnitDetails: unitDetails(g, parameters), Adjacency: Text(g.Neighbours.String()),
		Parameters: parametersOf(g), Nominal: NotApplicable, ParametersDetails: parametersDetails(g), Groups: List[Group]{},
		PlainLanguage: PlainLanguage{OddsStatement: Text(Odds(g)), DoesNotProtect: DoesNotProtect(g)},
	}
	if _, void := g.Void(); void {
		p.Nominal = Text(g.Nominal())
		return p
	}
	for _, k := range []int{1, 5, 10} {
		p.Groups = append(p.Groups, group(g, k))
	}
	return p
}

func group(g dp.Guarantee, k int) Group {
	together := g.Group(k)
	v := parametersOf(together)
	out := Group{Units: k, Terms: together.Terms(), Epsilon: v.Epsilon, Delta: v.Delta, Rho: v.Rho}
	if together.Measure == dp.Approximate && together.Delta >= 1 || math.IsInf(together.Epsilon, 0) {
		out.Terms = "none"
	}
	return out
}

func parametersOf(g dp.Guarantee) PrivacyParameters {
	none := Without(NotApplicable)
	p := PrivacyParameters{none, none, none, none, none}
	if _, void := g.Void(); void {
		return p
	}
	switch g.Measure {
	case dp.Pure:
		p.Epsilon, p.Delta = Num(g.Epsilon), Num(0)
	case dp.Approximate:
		p.Epsilon, p.Delta = Num(g.Epsilon), Num(g.Delta)
	case dp.ZCDP:
		p.Rho = Num(g.Rho)
	case dp.Geo:
		p.Epsilon, p.Delta, p.Radius = Num(g.Epsilon), Num(g.Delta), Num(g.Radius)
	}
	if g.Mu > 0 {
		p.Mu = Num(g.Mu)
	}
	return p
}

// unitDetails names the unit, and its length where it has one: a guarantee per
// window says little without it.
func unitDetails(g dp.Guarantee, parameters map[string]string) Text {
	chunk, window := "a fixed number of", "a span of time"
	if v := parameters["chunk"]; v != "" {
		chunk = "at most " + v
	}
	if v := parameters["window"]; v != "" {
		window = "a span of " + v
	}
	unit := map[dp.Unit]string{
		dp.Subject:   "a person, with everything that was recorded of them and used here",
		dp.Recording: "one recording (session) of one person; several recordings of a person add up",
		dp.Chunk:     chunk + " consecutive feature vectors of one recording",
		dp.Window:    window + " in one recording",
		dp.Sample:    "one gaze point",
		dp.Report:    "one message of one device",
	}[g.Unit]
	relation := map[dp.Neighbours]string{
		dp.ReplaceOne:    "Neighbouring data sets differ in one unit, whose data are replaced by any other; the number of units is public.",
		dp.AddRemove:     "Neighbouring data sets differ in one unit that is added or removed.",
		dp.ShiftedWithin: "Neighbouring data differ in positions that moved by at most the radius within one window.",
		dp.StartWithin:   "Neighbouring data sets differ in one unit, whose data are replaced by any other that begin within the radius of where it begins; the number of units is public.",
	}[g.Neighbours]
	return Text("One unit is " + unit + ". " + relation)
}

func parametersDetails(g dp.Guarantee) Text {
	if why, void := g.Void(); void {
		return Text("no guarantee: " + why)
	}
	switch {
	case g.Measure == dp.ZCDP:
		delta := 1e-6
		return Text("ρ-zCDP; with δ = 1e-06 it implies ε = " + short(dp.ZCDPEpsilon(g.Rho, delta)) + " (Canonne, Kamath and Steinke 2020, Proposition 12)")
	case g.Measure == dp.Approximate && g.Mu > 0:
		return Text("one Gaussian release with Δ₂/σ = μ = " + short(g.Mu) + "; ε at this δ by Balle and Wang 2018, Theorem 8; groups by the same curve at k·μ")
	case g.Measure == dp.Geo:
		return Text("ε is the loss per " + short(g.Radius) + " " + g.RadiusUnit + " of distance")
	}
	return "as stated; groups of k units have kε, and δ grows by (e^{kε}−1)/(e^ε−1)"
}

func deployment(g dp.Guarantee) DeploymentModel {
	d := DeploymentModel{ModelName: "Central", ReleaseType: "One release", DataSourceType: "Static", AccessType: "Non-interactive"}
	d.Actors = List[string]{
		"participants: recorded by the curator",
		"curator: holds the raw recordings, draws the noise, keeps the ledger; trusted",
		"readers of the release: see these files and nothing else; not trusted, may know anything about anybody and may collude",
	}
	if g.Model == dp.Local {
		d.ModelName = "Local"
		d.Actors = List[string]{
			"participants: their device draws the noise; trusted by them alone",
			"collector and readers: see what the device sent; not trusted",
		}
	}
	return d
}

func sensitivity(p mechanism.Plan) Sensitivity {
	return Sensitivity{
		Query: Text(p.Mechanism), L1: positive(p.Sensitivity.L1), L2: positive(p.Sensitivity.L2),
		ClippingRate: NotDisclosed,
	}
}

func positive(v float64) Number {
	if v > 0 {
		return Num(v)
	}
	return Number{}
}

func describeMechanism(p mechanism.Plan, g dp.Guarantee) Mechanism {
	seeded := isSeeded(g)
	m := Mechanism{
		Name: Text(p.Mechanism), Calibration: Text(p.Calibration), Noise: Text(p.Noise.Law),
		Scale: positive(p.Noise.Scale), Sigma: positive(p.Noise.Sigma), Granularity: positive(p.Noise.Grid),
		Parameters: p.Parameters, Library: "github.com/gazeward/gazeward", Seeded: seeded,
		RNG: "AES-128-CTR keyed by the operating system",
	}
	if seeded {
		m.RNG = "AES-128-CTR from a given seed"
	}
	switch {
	case p.Noise.Law == "none":
		m.RNG, m.FloatingPoint = NotApplicable, NotApplicable
	case p.Noise.Grid > 0:
		m.FloatingPoint = Text("values are put on an integer grid and the noise is drawn on the same grid, so that no low-order bits can tell them apart; one step is " + short(p.Noise.Grid))
	}
	return m
}

func isSeeded(g dp.Guarantee) bool {
	why, _ := g.Void()
	return strings.Contains(why, dp.SeededReason)
}
