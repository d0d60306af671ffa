package mechanism

import (
	"slices"

	"github.com/gazeward/gazeward/dp"
)

// Mechanism is what every mechanism states from its parameters alone, before
// any data are read.
type Mechanism interface {
	// Guarantee is what a release drawn from a secure source promises.
	Guarantee() dp.Guarantee
	// Plan is the guarantee with the noise and the sensitivity behind it.
	Plan() Plan
}

// Noise is the law of the noise in one released number, in the release's unit.
type Noise struct {
	Law   string  `json:"law"`   // "rounded gaussian", "discrete laplace", "none"
	Scale float64 `json:"scale"` // the law's parameter: σ, or Laplace's b
	Sigma float64 `json:"sigma"` // standard deviation
	Grid  float64 `json:"grid"`  // released numbers are multiples of it; 0 = no grid
	// TestScale is the scale of the noise on comparisons with a threshold; 0 =
	// nothing is compared.
	TestScale float64 `json:"test_scale,omitempty"`
}

// Sensitivity is how far one unit's change moves the released numbers.
type Sensitivity struct {
	L1 float64 `json:"l1"`
	L2 float64 `json:"l2"`
}

// Plan is what is known of a release before data are read.
type Plan struct {
	Mechanism   string            `json:"mechanism"`
	Calibration string            `json:"calibration"` // published or guaranteed
	Guarantee   dp.Guarantee      `json:"guarantee"`
	Noise       Noise             `json:"noise"`
	Sensitivity Sensitivity       `json:"sensitivity"`
	Parameters  map[string]string `json:"parameters"` // public parameters as they were resolved
	Expected    *Expected         `json:"expected"`   // nil = not evaluated for this mechanism
	// PerFeature is what one of several signals spends of Guarantee; nil where
	// the budget is not split that way.
	PerFeature *dp.Guarantee `json:"per_feature,omitempty"`
	// Composed is the guarantee for larger or other units, by name ("chunk",
	// "gaze" for some seconds of gaze, "recording", "subject"): what Guarantee
	// amounts to for those who ask about them.
	Composed map[string]dp.Guarantee `json:"composed,omitempty"`
	// TestsPerWindow is the largest number of tests in a closed window; 0 =
	// nothing is tested.
	TestsPerWindow int `json:"tests_per_window,omitempty"`
	// PathError is how far released gaze paths are expected to lie from the gaze;
	// nil = not evaluated.
	PathError *PathError `json:"path_error,omitempty"`
	// Likeness is how like the people gaze of nobody is expected to be; nil = not
	// evaluated.
	Likeness *Likeness `json:"likeness,omitempty"`
	Warnings []error   `json:"-"`
}

// Expected is what a reader of the release will see, measured on simulated or
// public data and stated as such.
type Expected struct {
	NoiseToPeak    float64 `json:"noise_to_peak"`   // noise floor of the picture relative to the peak of a typical map
	CC             float64 `json:"cc"`              // expected correlation with the noise-free map
	SubjectsNeeded int     `json:"subjects_needed"` // for CC ≥ 0.9 at this guarantee; 0 = out of reach
	EpsilonNeeded  float64 `json:"epsilon_needed"`  // for CC ≥ 0.9 with these subjects; 0 = out of reach
	MeasuredOn     string  `json:"measured_on"`
	InWords        string  `json:"in_words"`
}

// PathError is a distance between gaze and what is released in its place,
// measured on simulated people and stated as such.
type PathError struct {
	RMS        float64            `json:"rms"` // root mean square
	Unit       string             `json:"unit"`
	Instead    map[string]float64 `json:"instead,omitempty"` // of other mechanisms at the same guarantee, by name
	MeasuredOn string             `json:"measured_on"`
}

// Likeness is how far the density of synthetic gaze lies from that of the people
// it was made of: Jensen–Shannon divergence in bits, 0 = alike, 1 = nothing in
// common. Measured on simulated people and stated as such.
type Likeness struct {
	Density        float64 `json:"density"`         // expected
	PriorOnly      float64 `json:"prior_only"`      // without any data
	SubjectsNeeded int     `json:"subjects_needed"` // for at most Good at this guarantee; 0 = beyond what was measured
	Good           float64 `json:"good"`
	MeasuredOn     string  `json:"measured_on"`
	InWords        string  `json:"in_words"`
}

// Calibrations.
const (
	Published  = "published"  // the paper's formulas, so that its tables can be reproduced
	Guaranteed = "guaranteed" // public bounds, correct constants; the default
)

// Release is what every release carries, whatever was released.
type Release struct {
	Plan      Plan
	Guarantee dp.Guarantee // Plan's, void when the noise was seeded
	Warnings  []error
}

// Draw returns the release's common part for noise drawn from src.
func Draw(p Plan, src interface{ Seeded() bool }) Release {
	g := p.Guarantee.DrawnFrom(src)
	p.Guarantee = g
	return Release{Plan: p, Guarantee: g, Warnings: slices.Clip(p.Warnings)} // appending must not reach the plan's
}
