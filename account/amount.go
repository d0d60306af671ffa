package account

import (
	"fmt"
	"math"
	"strconv"
)

// Epsilon is an exact amount of ε in units of 1e-9.
type Epsilon int64

// Delta is an exact amount of δ in units of 1e-18.
type Delta int64

// Loss is an exact amount of privacy loss in units of 1e-12: ε, μ² = (Δ₂/σ)²
// or ρ, as the theorem that adds it says.
type Loss int64

const (
	epsilonDigits = 9
	deltaDigits   = 18
	lossDigits    = 12

	lossPerEpsilon = 1000 // units of Loss in one unit of Epsilon

	// unlimited is more than any cap: the cost of what a theorem cannot add.
	// Amounts saturate here, so that an overflow is refused and never wraps.
	unlimited = math.MaxInt64

	// greatestEpsilon is the largest ε that is counted; above it every spend
	// is unlimited and every cap refused.
	greatestEpsilon Epsilon = 1e6 * 1e9
)

// ParseEpsilon reads a decimal number exactly; what is finer than 1e-9 is
// rounded up.
func ParseEpsilon(s string) (Epsilon, error) {
	u, err := parseUnits(s, epsilonDigits, up)
	return Epsilon(u), err
}

// ParseDelta reads a decimal number exactly; what is finer than 1e-18 is
// rounded up.
func ParseDelta(s string) (Delta, error) {
	u, err := parseUnits(s, deltaDigits, up)
	return Delta(u), err
}

// Float64 returns the nearest float64.
func (e Epsilon) Float64() float64 { return float64(e) / 1e9 }

// Float64 returns the nearest float64.
func (d Delta) Float64() float64 { return float64(d) / 1e18 }

// Float64 returns the nearest float64.
func (l Loss) Float64() float64 { return float64(l) / 1e12 }

// String returns the exact decimal number.
func (e Epsilon) String() string { return formatUnits(int64(e), epsilonDigits) }

// String returns the exact decimal number.
func (d Delta) String() string { return formatUnits(int64(d), deltaDigits) }

// String returns the exact decimal number.
func (l Loss) String() string { return formatUnits(int64(l), lossDigits) }

// MarshalJSON writes a plain decimal number without exponent.
func (e Epsilon) MarshalJSON() ([]byte, error) { return []byte(e.String()), nil }

// MarshalJSON writes a plain decimal number without exponent.
func (d Delta) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON writes a plain decimal number without exponent.
func (l Loss) MarshalJSON() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalJSON reads a decimal number; see [ParseEpsilon].
func (e *Epsilon) UnmarshalJSON(b []byte) (err error) {
	*e, err = ParseEpsilon(string(b))
	return err
}

// UnmarshalJSON reads a decimal number; see [ParseDelta].
func (d *Delta) UnmarshalJSON(b []byte) (err error) {
	*d, err = ParseDelta(string(b))
	return err
}

// UnmarshalJSON reads a decimal number, rounded up.
func (l *Loss) UnmarshalJSON(b []byte) error {
	u, err := parseUnits(string(b), lossDigits, up)
	*l = Loss(u)
	return err
}

// Budget is an exact pair (ε, δ).
type Budget struct {
	Epsilon Epsilon `json:"epsilon"`
	Delta   Delta   `json:"delta"`
}

// Cap returns the budget of an account from ordinary numbers, each read
// through its shortest decimal and rounded down: ε in (0, 1e6], δ in [0, 1).
func Cap(epsilon, delta float64) (Budget, error) {
	if !(epsilon > 0) || epsilon > greatestEpsilon.Float64() {
		return Budget{}, fmt.Errorf("account: the cap on epsilon must be in (0, 1e6], got %v", epsilon)
	}
	if !(delta >= 0) || delta >= 1 {
		return Budget{}, fmt.Errorf("account: the cap on delta must be in [0, 1), got %v", delta)
	}
	b := Budget{
		Epsilon: Epsilon(floatUnits(epsilon, epsilonDigits, down)),
		Delta:   Delta(floatUnits(delta, deltaDigits, down)),
	}
	return b, b.validCap()
}

func (b Budget) validCap() error {
	if b.Epsilon <= 0 || b.Epsilon > greatestEpsilon {
		return fmt.Errorf("account: the cap on epsilon must be in (0, 1e6] and at least 1e-9, got %v", b.Epsilon)
	}
	if b.Delta < 0 || b.Delta >= 1e18 {
		return fmt.Errorf("account: the cap on delta must be in [0, 1), got %v", b.Delta)
	}
	return nil
}

// String returns "(ε, δ)" in exact decimals.
func (b Budget) String() string { return "(" + b.Epsilon.String() + ", " + b.Delta.String() + ")" }

// less returns b − c, never below zero.
func (b Budget) less(c Budget) Budget {
	return Budget{max(0, b.Epsilon-c.Epsilon), max(0, b.Delta-c.Delta)}
}

// plus adds two amounts that are not negative and saturates.
func plus[T ~int64](a, b T) T {
	if a > unlimited-b {
		return unlimited
	}
	return a + b
}

// lossOf returns ε as a loss.
func lossOf(e Epsilon) Loss {
	if e > greatestEpsilon {
		return unlimited
	}
	return Loss(e) * lossPerEpsilon
}

// epsilonOf returns a loss as ε, rounded up.
func epsilonOf(l Loss) Epsilon {
	e := Epsilon(l / lossPerEpsilon)
	if l%lossPerEpsilon != 0 {
		e++
	}
	return e
}

// floatUnits converts a float64 that is not negative and finite, by way of
// the shortest decimal that denotes it: what somebody typed, not its binary
// neighbour.
func floatUnits(v float64, digits int, r rounding) int64 {
	u, err := parseUnits(strconv.FormatFloat(v, 'g', -1, 64), digits, r)
	if err != nil {
		return unlimited // infinite: more than any cap
	}
	return u
}
