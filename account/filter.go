package account

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/gazeward/gazeward/dp"
)

// Theorem names a way of adding privacy losses that stays valid when each
// spend is chosen after seeing earlier releases, as long as its cap was fixed
// before (a privacy filter).
type Theorem uint8

// The theorems that an account holds against its history.
const (
	// Basic adds ε and δ (Dwork et al. 2006; as a filter: Rogers et al. 2016,
	// Whitehouse et al. 2023).
	Basic Theorem = iota
	// Gaussian adds μ² (Smith and Thakurta 2022); ε-DP counts as μ-GDP.
	Gaussian
	// ZCDP adds ρ (Feldman and Zrnic 2021, Whitehouse et al. 2023); a Gaussian
	// counts as μ²/2, ε-DP as min(ε²/2, ε).
	ZCDP
	theorems
)

var theoremNames = [theorems]string{"basic composition", "Gaussian composition", "zCDP composition"}

// String returns the theorem's name.
func (t Theorem) String() string {
	if t < theorems {
		return theoremNames[t]
	}
	return fmt.Sprintf("Theorem(%d)", uint8(t))
}

// MarshalText writes the theorem's name.
func (t Theorem) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the theorem's name.
func (t *Theorem) UnmarshalText(b []byte) error {
	for i, name := range theoremNames {
		if strings.EqualFold(name, string(b)) {
			*t = Theorem(i)
			return nil
		}
	}
	return fmt.Errorf("account: unknown theorem %q", b)
}

// Cost is what one spend, or a whole history, amounts to under one theorem.
type Cost struct {
	Loss  Loss  // Basic: ε; Gaussian: μ²; ZCDP: ρ
	Delta Delta // δ that is added beside the loss
}

// Costs are the costs under every theorem, indexed by [Theorem]. A theorem
// that does not know a spend has the largest Loss there is.
type Costs [theorems]Cost

// Plus returns the sums, saturated.
func (c Costs) Plus(d Costs) Costs {
	for i := range c {
		c[i].Loss = plus(c[i].Loss, d[i].Loss)
		c[i].Delta = plus(c[i].Delta, d[i].Delta)
	}
	return c
}

// Filter is the cap of one theorem, fixed when the account is opened. Its
// share of the account's δ is Delta + Convert.
type Filter struct {
	Cost          // caps on both sums
	Convert Delta // the δ at which the capped loss becomes the account's ε; 0 for Basic
}

// permits reports whether a history with these sums is within the filter.
func (f Filter) permits(c Cost) bool { return c.Loss <= f.Loss && c.Delta <= f.Delta }

// Filters are an account's filters, indexed by [Theorem].
type Filters [theorems]Filter

// Permits reports whether at least one filter permits the whole history.
func (f Filters) Permits(c Costs) bool {
	for t := range f {
		if f[t].permits(c[t]) {
			return true
		}
	}
	return false
}

// newFilters splits a cap between the theorems (PROOF.md §3): half of δ for
// Basic, a quarter each for Gaussian and ZCDP, of which one half pays for the
// conversion to ε and the other for spends with a δ of their own. Geo accounts
// know basic composition only.
func newFilters(key Key, limit Budget) Filters {
	var f Filters
	if key.geo() {
		f[Basic].Cost = Cost{lossOf(limit.Epsilon), limit.Delta}
		return f
	}
	eighth := limit.Delta / 8
	f[Basic].Cost = Cost{lossOf(limit.Epsilon), limit.Delta / 2}
	if eighth == 0 {
		return f
	}
	epsilon, convert := limit.Epsilon.Float64(), eighth.Float64()
	mu := dp.GaussianMu(epsilon, convert)
	rho := dp.ZCDPRho(epsilon, convert)
	f[Gaussian] = Filter{Cost{Loss(floatUnits(dp.RoundDown(mu*mu), lossDigits, down)), eighth}, eighth}
	f[ZCDP] = Filter{Cost{Loss(floatUnits(rho, lossDigits, down)), eighth}, eighth}
	return f
}

// unknown is the cost of a spend that a theorem cannot add.
var unknown = Cost{Loss: unlimited}

// costs returns what a guarantee costs under every theorem. The guarantee has
// been checked to suit the account.
func (f Filters) costs(g dp.Guarantee) Costs {
	if g.Measure == dp.Geo {
		return Costs{geoCost(g), unknown, unknown}
	}
	if g.Neighbours == dp.AddRemove {
		g = g.Group(2) // a replacement is a removal and an addition
	}
	delta := Delta(floatUnits(g.Delta, deltaDigits, up))
	if g.Measure == dp.ZCDP {
		return f.zcdpCosts(g, delta)
	}
	epsilon := Epsilon(floatUnits(g.Epsilon, epsilonDigits, up))
	c := Costs{
		Basic:    {lossOf(epsilon), delta},
		Gaussian: {pureMuSquared(epsilon), delta},
		ZCDP:     {pureRho(epsilon), delta},
	}
	if g.Mu > 0 {
		c[Gaussian] = Cost{Loss: muSquared(g.Mu)}
		c[ZCDP] = Cost{Loss: half(c[Gaussian].Loss)}
	}
	return c
}

// zcdpCosts charges ρ-zCDP. Basic composition converts it at a δ which is a
// fixed share of its own.
func (f Filters) zcdpCosts(g dp.Guarantee, delta Delta) Costs {
	c := Costs{unknown, unknown, {Loss(floatUnits(g.Rho, lossDigits, up)), delta}}
	if share := f[Basic].Delta / 16; share > 0 {
		epsilon := Epsilon(floatUnits(dp.ZCDPEpsilon(g.Rho, share.Float64()), epsilonDigits, up))
		c[Basic] = Cost{lossOf(epsilon), plus(delta, share)}
	}
	if g.Mu > 0 {
		c[Gaussian] = Cost{Loss: muSquared(g.Mu)}
	}
	return c
}

// geoCost is ε per unit distance, rounded up.
func geoCost(g dp.Guarantee) Cost {
	epsilon, radius := rational(g.Epsilon), rational(g.Radius)
	if epsilon == nil || radius == nil || radius.Sign() <= 0 {
		return unknown
	}
	perUnit := Epsilon(roundUp(epsilon.Quo(epsilon, radius), epsilonDigits))
	return Cost{lossOf(perUnit), Delta(floatUnits(g.Delta, deltaDigits, up))}
}

// muSquared is the exact square of what mu's shortest decimal denotes.
func muSquared(mu float64) Loss {
	q := rational(mu)
	if q == nil {
		return unlimited
	}
	return Loss(roundUp(q.Mul(q, q), lossDigits))
}

// half halves a loss, rounded up.
func half(l Loss) Loss {
	if l == unlimited {
		return l
	}
	return l/2 + l%2
}

// pureRho is the ρ of an ε-DP mechanism: ε²/2 (Bun and Steinke 2016, Prop.
// 1.4), or ε, since every Rényi divergence is at most ε.
func pureRho(e Epsilon) Loss {
	if e >= 2e9 {
		return lossOf(e)
	}
	square := new(big.Rat).SetFrac64(int64(e)*int64(e), 2e18)
	return Loss(roundUp(square, lossDigits))
}

// pureMuSquared is the smallest μ² with ε-DP ⇒ μ-GDP: 2Φ(−μ/2) = 2/(1+e^ε),
// where the curve of the Gaussian passes the corner of the other (PROOF.md §4).
func pureMuSquared(e Epsilon) Loss {
	epsilon := e.Float64()
	if epsilon > 600 {
		return unlimited // 2/(1+e^ε) is about to leave the range of float64
	}
	lo, hi := 0.0, 40.0 // μ/(2√2)
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if beyondCorner(mid, epsilon) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return Loss(floatUnits(dp.RoundUp(8*hi*hi), lossDigits, up))
}

// beyondCorner reports erfc(x) ≤ 2/(1+e^ε), on the side where no digits are lost.
func beyondCorner(x, epsilon float64) bool {
	if epsilon < 1 {
		return math.Erf(x) >= math.Tanh(epsilon/2)
	}
	return math.Erfc(x) <= 2/(1+math.Exp(epsilon))
}
