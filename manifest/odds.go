package manifest

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/dp"
)

// GuessBound is the best chance with which anyone can tell from the release
// which of two neighbouring data sets was used, where both were equally likely
// before: at most
//
//	(e^ε + δ) / (1 + e^ε)
//
// by Kairouz, Oh and Viswanath 2015 (Theorem 2.1), for ρ-zCDP the least of it
// over δ and of ½ + ½√(ρ/2) (Pinsker), for geo-indistinguishability at
// distance Radius. It is 0.5 where nothing is learned and 1 for a void
// guarantee. For δ = 0 it also bounds every single posterior belief.
func GuessBound(g dp.Guarantee) float64 {
	if _, void := g.Void(); void {
		return 1
	}
	switch g.Measure {
	case dp.Pure:
		return guess(g.Epsilon, 0)
	case dp.Approximate, dp.Geo:
		return guess(g.Epsilon, g.Delta)
	case dp.ZCDP:
		best := math.Min(1, 0.5+0.5*math.Sqrt(g.Rho/2))
		for delta := 0.5; delta > 1e-12; delta /= 2 {
			best = math.Min(best, guess(dp.ZCDPEpsilon(g.Rho, delta), delta))
		}
		return best
	}
	return 1
}

// guess is (e^ε + δ)/(1 + e^ε) without overflow.
func guess(epsilon, delta float64) float64 {
	e := math.Exp(-epsilon)
	return math.Min(1, (1+delta*e)/(1+e))
}

// Odds says in plain words what the guarantee means for one unit. Statements
// of odds are understood better than ε alone (Nanayakkara et al. 2023).
func Odds(g dp.Guarantee) string {
	if why, void := g.Void(); void {
		return "This release promises nothing: " + why + ". Treat it like the recordings themselves."
	}
	if g.Measure == dp.None {
		return "This release promises nothing. Treat it like the recordings themselves."
	}
	p := GuessBound(g)
	s := fmt.Sprintf("Suppose somebody is 50 %% sure %s. After seeing this release, a guess of theirs is right with a chance of at most %s %% (50 %% would mean that nothing was learned).", belief(g), percentUp(p))
	if g.Measure == dp.Approximate && g.Delta > 0 {
		s += " The figure follows from ε = " + short(g.Epsilon) + " and counts δ = " + short(g.Delta) + " in."
	}
	if p >= 0.95 {
		s += " That is close to certainty: this is weak protection."
	}
	return s
}

func belief(g dp.Guarantee) string {
	what := map[dp.Unit]string{
		dp.Subject:   "that a given person's recordings, all of them together, look a certain way rather than another",
		dp.Recording: "that one given recording of a person looks a certain way rather than another",
		dp.Chunk:     "that one given chunk of a recording looks a certain way rather than another",
		dp.Window:    "that one given span of time in a recording looks a certain way rather than another",
		dp.Sample:    "that one given gaze point is in one place rather than another",
		dp.Report:    "that one given report of a device says one thing rather than another",
	}[g.Unit]
	switch {
	case g.Measure == dp.Geo || g.Neighbours == dp.ShiftedWithin:
		if g.Radius > 0 {
			return "that a position lies at one of two points " + short(g.Radius) + " " + g.RadiusUnit + " apart, and not at the other"
		}
		return "that a position lies at one of two nearby points, and not at the other"
	case g.Neighbours == dp.StartWithin:
		return what + ", where both begin within " + short(g.Radius) + " " + g.RadiusUnit + " of each other"
	case g.Neighbours == dp.AddRemove && g.Unit == dp.Subject:
		return "that a given person took part at all"
	case g.Neighbours == dp.AddRemove:
		return "that one given " + g.Unit.String() + " is among the data at all"
	}
	return what
}

// percentUp rounds up, so that the bound stays a bound.
func percentUp(p float64) string {
	for _, scale := range [...]float64{10, 100, 1000, 1e4} {
		up := math.Ceil(p*100*scale-1e-9) / scale
		if up < 100 {
			return strconv.FormatFloat(up, 'f', -1, 64)
		}
	}
	return "100"
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// DoesNotProtect lists in plain words what the guarantee leaves open.
func DoesNotProtect(g dp.Guarantee) []string {
	if _, void := g.Void(); void || g.Measure == dp.None {
		return []string{"anything: there is no guarantee"}
	}
	var out []string
	for _, u := range g.Unprotected {
		out = append(out, "what is released as it is: "+u)
	}
	out = append(out,
		"what is true of the group as a whole: the release is made to show it, and it says the same about people who did not take part",
		"what other releases tell of the same people, unless the same ledger paid for them",
		"what people tell of themselves, or what is known of them from elsewhere")
	switch g.Unit {
	case dp.Subject:
		out = append(out, "several people at once, for example a family: their losses add up as in the table of groups")
	case dp.Recording:
		out = append(out, "a person with several recordings: their losses add up as in the table of groups")
	default:
		out = append(out, "a whole person: the guarantee is per "+g.Unit.String()+", and the losses of a person's many "+g.Unit.String()+"s add up")
	}
	if g.Model == dp.Central {
		out = append(out, "anything from those who hold the raw recordings")
	}
	return out
}
