package audit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Law is what a plan says of the noise in one released number.
type Law struct {
	Name  string  // "rounded gaussian" or "discrete laplace"
	Scale float64 // σ, or Laplace's b, in the unit of the released numbers
	Grid  float64 // released numbers are multiples of it
}

// Fit is how far outputs that are nothing but noise are from their law.
type Fit struct {
	Values   int     `json:"values"`
	Distance float64 `json:"distance"` // Kolmogorov's, between the values and the law
	Limit    float64 `json:"limit"`    // exceeded by values of the law with probability at most the false alarm
	OffGrid  int     `json:"off_grid"` // values that are no multiples of the grid
}

// Follows reports whether nothing speaks against the law.
func (f Fit) Follows() bool { return f.Distance <= f.Limit && f.OffGrid == 0 }

// Test compares values with the law. The limit is Massart's (1990), which
// holds for every n: P(D > t) ≤ 2·exp(−2nt²). A lattice law is compared at its
// steps, where the bound holds as well. A twin with 0.7 times the noise is
// about 0.08 away: n ≥ 2000 sees it at a false alarm of 1e-6.
func (l Law) Test(values []float64, falseAlarm float64) (Fit, error) {
	cdf, err := l.distribution()
	if err != nil {
		return Fit{}, err
	}
	if len(values) == 0 {
		return Fit{}, fmt.Errorf("audit: no values to compare with the law")
	}
	n := float64(len(values))
	f := Fit{Values: len(values), Limit: math.Sqrt(math.Log(2/falseAlarm) / (2 * n))}
	sorted := slices.Sorted(slices.Values(values))
	onGrid := residue(l.Grid, 2)
	for i, v := range sorted {
		if onGrid(v) == offLattice {
			f.OffGrid++
		}
		if i+1 < len(sorted) && sorted[i+1] == v {
			continue
		}
		f.Distance = math.Max(f.Distance, math.Abs(float64(i+1)/n-cdf(v)))
		if i+1 < len(sorted) { // just below the next value that was seen
			f.Distance = math.Max(f.Distance, math.Abs(float64(i+1)/n-cdf(sorted[i+1]-l.Grid)))
		}
	}
	f.Distance = math.Max(f.Distance, cdf(sorted[0]-l.Grid))
	return f, nil
}

// distribution is P(X ≤ x) at multiples of the grid.
func (l Law) distribution() (func(float64) float64, error) {
	if !(l.Scale > 0 && l.Grid > 0) {
		return nil, fmt.Errorf("audit: a law needs a positive scale and grid, got %g and %g", l.Scale, l.Grid)
	}
	switch l.Name {
	case "rounded gaussian":
		return func(x float64) float64 {
			return distuv.UnitNormal.CDF((math.Round(x/l.Grid) + 0.5) * l.Grid / l.Scale)
		}, nil
	case "discrete laplace":
		// P(Z > z) = q^(z+1)/(1+q) for z ≥ 0 and P(Z ≤ z) = q^(−z)/(1+q) for z < 0,
		// q = e^(−grid/scale).
		t := l.Grid / l.Scale
		q := math.Exp(-t)
		return func(x float64) float64 {
			z := math.Round(x / l.Grid)
			if z < 0 {
				return math.Exp(z*t) / (1 + q)
			}
			return 1 - math.Exp(-(z+1)*t)/(1+q)
		}, nil
	}
	return nil, fmt.Errorf("audit: no law is called %q", l.Name)
}
