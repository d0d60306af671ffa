package dp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Measure says which inequality a guarantee is about.
type Measure uint8

// Measures of privacy loss.
const (
	Pure        Measure = iota // ε-DP
	Approximate                // (ε, δ)-DP
	ZCDP                       // ρ-zero-concentrated DP (Bun and Steinke 2016)
	Geo                        // ε per radius r: geo-indistinguishability (Andrés et al. 2013)
	None                       // nothing was promised, not even nominally
)

var measureNames = [...]string{"pure", "approximate", "zcdp", "geo", "none"}

// String returns the measure's short name.
func (m Measure) String() string { return name(measureNames[:], uint8(m), "Measure") }

// Unit is what the guarantee protects: the larger, the stronger.
type Unit uint8

// Units of privacy.
const (
	Subject   Unit = iota // a person, with everything released of them in one release
	Recording             // one session of one person
	Chunk                 // a fixed number of consecutive feature vectors
	Window                // a span of time
	Sample                // one gaze point
	Report                // one message of a local-model device
)

var unitNames = [...]string{"subject", "recording", "chunk", "window", "sample", "report"}

// String returns the unit's name as on the command line.
func (u Unit) String() string { return name(unitNames[:], uint8(u), "Unit") }

// ParseUnit reads a unit of privacy by its name.
func ParseUnit(s string) (Unit, error) {
	if i := slices.Index(unitNames[:], strings.ToLower(strings.TrimSpace(s))); i >= 0 {
		return Unit(i), nil
	}
	return 0, fmt.Errorf("dp: unknown unit of privacy %q: want one of %s", s, strings.Join(unitNames[:], ", "))
}

// Neighbours is the relation between two data sets that the guarantee compares.
type Neighbours uint8

// Neighbour relations.
const (
	ReplaceOne    Neighbours = iota // one unit's data are replaced by any other; the number of units is public
	AddRemove                       // one unit is added or removed
	ShiftedWithin                   // positions move by at most a radius inside one window
	StartWithin                     // a window is replaced by any other whose first position lies within Radius
)

var neighbourNames = [...]string{"replace one", "add or remove one", "shifted within a radius", "replace one by another that starts within a radius"}

// String returns the relation in words.
func (n Neighbours) String() string { return name(neighbourNames[:], uint8(n), "Neighbours") }

// Model says who is trusted with the raw data.
type Model uint8

// Models of trust.
const (
	Central Model = iota // a curator sees the raw data
	Local                // the raw data never leave the device
)

var modelNames = [...]string{"central", "local"}

// String returns the model's name.
func (m Model) String() string { return name(modelNames[:], uint8(m), "Model") }

func name(names []string, i uint8, kind string) string {
	if int(i) < len(names) {
		return names[i]
	}
	return kind + "(" + strconv.Itoa(int(i)) + ")"
}

// Guarantee is what a release promises to one unit. The zero value is
// 0-DP per subject: nothing is released.
type Guarantee struct {
	Measure    Measure
	Epsilon    float64 // Pure, Approximate; Geo: per Radius
	Delta      float64 // Approximate; Geo: where the law is not exact
	Rho        float64 // ZCDP
	Mu         float64 // > 0: the release is one Gaussian with Δ₂/σ = Mu, so that it composes exactly
	Radius     float64 // Geo: the distance that costs Epsilon; StartWithin: the distance of the first positions
	RadiusUnit string  // of Radius: px or deg
	Unit       Unit
	Neighbours Neighbours
	Model      Model
	// Unprotected lists what an observer learns with certainty: for example
	// the number of subjects, lengths, time stamps.
	Unprotected []string
	void        []string
}

// Void reports whether the guarantee does not hold, and why. The parameters
// of a void guarantee are nominal: what was typed, not what is promised.
func (g Guarantee) Void() (why string, void bool) {
	return strings.Join(g.void, "; "), len(g.void) > 0
}

// Voided returns the guarantee with a reason why it does not hold.
func (g Guarantee) Voided(why string) Guarantee {
	if !slices.Contains(g.void, why) {
		g.void = append(slices.Clip(g.void), why)
	}
	return g
}

// SeededReason is why noise from a seeded source protects nobody.
const SeededReason = "noise drawn from a seeded source can be drawn again and subtracted"

// DrawnFrom returns the guarantee of a release whose noise comes from src:
// void when src is seeded.
func (g Guarantee) DrawnFrom(src interface{ Seeded() bool }) Guarantee {
	if src.Seeded() {
		return g.Voided(SeededReason)
	}
	return g
}

// Validate reports parameters that are no guarantee at all.
func (g Guarantee) Validate() error {
	for _, p := range [...]struct {
		name  string
		value float64
	}{{"epsilon", g.Epsilon}, {"delta", g.Delta}, {"rho", g.Rho}, {"mu", g.Mu}} {
		if math.IsNaN(p.value) || p.value < 0 {
			return fmt.Errorf("dp: %s must not be negative, got %v", p.name, p.value)
		}
	}
	if g.Delta >= 1 {
		return fmt.Errorf("dp: delta must be below 1, got %v", g.Delta)
	}
	if (g.Measure == Geo || g.Neighbours == StartWithin) && !(g.Radius > 0) {
		return fmt.Errorf("dp: a guarantee about distances needs a positive radius, got %v", g.Radius)
	}
	return nil
}

// Terms returns the measure with its parameters, without the unit:
// "(1, 1e-05)-DP".
func (g Guarantee) Terms() string {
	switch g.Measure {
	case Pure:
		return number(g.Epsilon) + "-DP"
	case Approximate:
		return "(" + number(g.Epsilon) + ", " + number(g.Delta) + ")-DP"
	case ZCDP:
		return number(g.Rho) + "-zCDP"
	case Geo:
		s := number(g.Epsilon) + " per " + number(g.Radius) + " " + g.RadiusUnit + " geo-indistinguishability"
		if g.Delta > 0 {
			s += " but for δ = " + number(g.Delta)
		}
		return s
	}
	return "nothing"
}

// String returns the whole guarantee in one line, or "none (why; nominal …)".
func (g Guarantee) String() string {
	if why, void := g.Void(); void {
		if g.Measure == None {
			return "none (" + why + ")"
		}
		return "none (" + why + "; nominal " + g.Nominal() + ")"
	}
	relation := g.Neighbours.String()
	if g.Neighbours == StartWithin {
		relation += " of " + number(g.Radius) + " " + g.RadiusUnit
	}
	return fmt.Sprintf("%s per %v, %s, %v", g.Terms(), g.Unit, relation, g.Model)
}

// Nominal returns the parameters that were asked for, as on a label.
func (g Guarantee) Nominal() string {
	if g.Measure == ZCDP {
		return "ρ = " + number(g.Rho)
	}
	return "ε = " + number(g.Epsilon)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Group returns the guarantee for k units that change together inside one
// release: kε; k²ρ; a Gaussian at k times the sensitivity; or
// (kε, δ(e^{kε}−1)/(e^ε−1)) (PROOFS C11).
func (g Guarantee) Group(k int) Guarantee {
	if k <= 1 {
		return g
	}
	f := float64(k)
	switch {
	case g.Measure == ZCDP:
		g.Rho *= f * f
	case g.Measure == Approximate && g.Mu > 0:
		g.Epsilon = GaussianEpsilon(g.Mu*f, g.Delta)
	case g.Measure == Approximate || g.Measure == Geo:
		growth := f
		if g.Epsilon > 0 {
			growth = math.Expm1(f*g.Epsilon) / math.Expm1(g.Epsilon)
		}
		g.Delta = math.Min(1, g.Delta*growth)
		g.Epsilon *= f
	default:
		g.Epsilon *= f
	}
	g.Mu *= f
	return g
}
