package attack

import (
	"fmt"
	"math"
)

// Ceiling bounds the success of telling which of n equally likely people a
// release is of, under (ε, δ)-differential privacy for replacing the whole
// input of one person:
//
//	(e^ε + (n−1)δ) / (e^ε + n − 1)
//
// It holds for one release judged alone, with references that do not share its
// randomness, and is attained. With n = 2 it bounds the accuracy of telling two
// neighbouring inputs apart.
//
// For: with a_i the probability to say i of i's release, and b_ij of j's, all
// j ≠ i have b_ij ≥ e^−ε(a_i − δ), and what is said of j's release sums to one:
// a_j + e^−ε·Σ_{i≠j}(a_i − δ) ≤ 1. Averaging over j bounds the mean of a.
func Ceiling(epsilon, delta float64, n int) float64 {
	if n < 1 || !(epsilon >= 0) || !(delta >= 0) {
		return 1
	}
	others := float64(n - 1)
	shrunk := math.Exp(-epsilon) * others // divided by e^ε, which may be infinite
	return math.Min(1, (1+math.Exp(-epsilon)*others*delta)/(1+shrunk))
}

// Claim is what a guarantee says about attacks on persons, and whether its
// conditions hold for the attack at hand.
type Claim struct {
	Epsilon, Delta float64 // of one release
	// WholePerson is true where neighbours replace everything one person gave:
	// a guarantee for windows, chunks or recordings bounds no identification.
	WholePerson bool
	// SharedNoise is true where the references were cut from the release that
	// is attacked: parts of one release share its noise, and linking them says
	// nothing about ε.
	SharedNoise bool
	Releases    int     // of a person that are judged together; default 1
	Joint       bool    // all persons are assigned at once: swapping two of them is two replacements
	Prior       float64 // of the likeliest person; default 1/n
}

// Check refuses numbers that are no claim.
func (c Claim) Check() error {
	switch {
	case !(c.Epsilon >= 0) || math.IsInf(c.Epsilon, 0):
		return fmt.Errorf("attack: a claim's epsilon must not be negative, got %v", c.Epsilon)
	case !(c.Delta >= 0 && c.Delta < 1):
		return fmt.Errorf("attack: a claim's delta must lie in [0, 1), got %v", c.Delta)
	case c.Releases < 0:
		return fmt.Errorf("attack: the number of releases must not be negative, got %d", c.Releases)
	case !(c.Prior >= 0 && c.Prior <= 1):
		return fmt.Errorf("attack: the prior must lie in [0, 1], got %v", c.Prior)
	}
	return nil
}

// Ceiling is the claim's bound on the success among n people.
func (c Claim) Ceiling(n int) float64 {
	releases := math.Max(1, float64(c.Releases))
	epsilon, delta := releases*c.Epsilon, releases*c.Delta
	if c.Joint {
		epsilon, delta = 2*epsilon, delta*(1+math.Exp(epsilon))
	}
	if c.Prior <= 1/float64(max(1, n)) {
		return Ceiling(epsilon, delta, n)
	}
	// The posterior of the likeliest; δ adds at most itself.
	return math.Min(1, c.Prior/(c.Prior+(1-c.Prior)*math.Exp(-epsilon))+delta)
}

// conditions says why the ceiling does not bind this attack; empty = it does.
func (c Claim) conditions() string {
	switch {
	case !c.WholePerson:
		return "the claim does not cover everything that one person gave"
	case c.SharedNoise:
		return "the references share the noise of the release: linking its parts says nothing about ε"
	}
	return ""
}

// Verdict is what an attack says about a claim.
type Verdict uint8

const (
	NoClaim      Verdict = iota // nothing was claimed
	NoEvidence                  // the claim's conditions do not hold for this attack
	NotFalsified                // the lower limit of the success lies below the ceiling
	Falsified                   // it lies above
)

var verdicts = [...]string{"no claim", "no evidence", "not falsified", "claim falsified"}

// String returns the verdict in words.
func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// MarshalText returns the verdict in words.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the verdict's words.
func (v *Verdict) UnmarshalText(b []byte) error {
	for i, name := range verdicts {
		if name == string(b) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("attack: unknown verdict %q", b)
}

// Enrol says what the attacker learns people from.
type Enrol uint8

const (
	Protected Enrol = iota // another release of the same people; the strong attacker
	Raw                    // unprotected recordings of them
)

// String returns the enrolment's name.
func (e Enrol) String() string {
	switch e {
	case Protected:
		return "protected"
	case Raw:
		return "raw"
	}
	return fmt.Sprintf("Enrol(%d)", uint8(e))
}

// MarshalText returns the enrolment's name.
func (e Enrol) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the enrolment's name.
func (e *Enrol) UnmarshalText(b []byte) error {
	for _, known := range [...]Enrol{Protected, Raw} {
		if known.String() == string(b) {
			*e = known
			return nil
		}
	}
	return fmt.Errorf("attack: unknown enrolment %q", b)
}
