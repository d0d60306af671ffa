package account

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
)

// price is the whole decision about a spend: what it costs, or why it is
// refused. It is a pure function of the record and the guarantee.
func (r Record) price(g dp.Guarantee) (Costs, error) {
	if err := r.Key.suits(g); err != nil {
		return Costs{}, err
	}
	c := r.Filters.costs(g)
	if !r.Filters.Permits(r.Totals.Plus(c)) {
		return Costs{}, r.exhausted(c)
	}
	return c, nil
}

func (r Record) exhausted(c Costs) error {
	return &ExhaustedError{
		Dataset: r.Key.Dataset, Unit: r.Key.UnitName(),
		Asked: Budget{epsilonOf(c[Basic].Loss), c[Basic].Delta}, Spent: Show(r).Spent, Cap: r.Cap,
	}
}

// suits reports why a guarantee cannot be charged to accounts of this key.
func (k Key) suits(g dp.Guarantee) error {
	if why, void := g.Void(); void {
		return fmt.Errorf("%w: %s", ErrVoid, why)
	}
	if err := wellFormed(g); err != nil {
		return err
	}
	if g.Unit != k.Unit {
		return fmt.Errorf("account: the account counts per %v, got a guarantee per %v", k.Unit, g.Unit)
	}
	if got := KeyFor("", "", g).Distance; got != k.Distance {
		return fmt.Errorf("account: the account counts per %s, got %s", k.UnitName(), g.Terms())
	}
	if !k.geo() && g.Neighbours == dp.ShiftedWithin {
		return fmt.Errorf("account: the account protects replaced data, got a guarantee for data %v", g.Neighbours)
	}
	return nil
}

// wellFormed reports guarantees that promise nothing, cost nothing, or
// contradict themselves.
func wellFormed(g dp.Guarantee) error {
	if err := g.Validate(); err != nil {
		return fmt.Errorf("account: not a guarantee: %w", err)
	}
	for _, v := range [...]float64{g.Epsilon, g.Delta, g.Rho, g.Mu, g.Radius} {
		if math.IsInf(v, 0) {
			return fmt.Errorf("account: a spend must be finite, got %s", g.Terms())
		}
	}
	switch g.Measure {
	case dp.Pure, dp.Approximate:
		return aboveZero(g, max(g.Epsilon, g.Delta))
	case dp.ZCDP:
		return aboveZero(g, g.Rho)
	case dp.Geo:
		if g.RadiusUnit == "" {
			return fmt.Errorf("account: a guarantee per distance needs a unit of length, got %s", g.Terms())
		}
		return aboveZero(g, max(g.Epsilon, g.Delta))
	}
	return fmt.Errorf("account: nothing can be charged for measure %v", g.Measure)
}

// aboveZero also holds (ε, δ) or ρ against μ: a guarantee that says less than
// its own Gaussian was put together wrongly. This is a check of the caller,
// not of a budget, so it tolerates the rounding of the conversions.
func aboveZero(g dp.Guarantee, parameter float64) error {
	if !(parameter > 0) {
		return fmt.Errorf("account: a spend must be positive, got %s", g.Terms())
	}
	const slack = 1 + 1e-6
	switch {
	case g.Mu == 0:
		return nil
	case g.Measure == dp.ZCDP && g.Mu*g.Mu/2 <= g.Rho*slack:
		return nil
	case g.Measure == dp.Approximate && dp.GaussianDelta(g.Mu, g.Epsilon*slack) <= g.Delta*slack:
		return nil
	}
	return fmt.Errorf("account: a Gaussian with mu = %g does not give %s", g.Mu, g.Terms())
}

// gaussianEpsilon is ε at δ of a Gaussian with μ² = l, rounded up.
func gaussianEpsilon(l Loss, delta Delta) Epsilon {
	mu := dp.RoundUp(math.Sqrt(l.Float64()))
	return Epsilon(floatUnits(dp.GaussianEpsilon(mu, delta.Float64()), epsilonDigits, up))
}
