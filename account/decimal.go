package account

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

type rounding bool

const (
	down rounding = false
	up   rounding = true
)

// decimal is the number digits × 10^exp, not negative.
type decimal struct {
	digits string // no leading zeros; "" is zero
	exp    int
}

// longestNumber bounds the input, so that nobody pays for a million zeros.
const longestNumber = 1000

// parseDecimal reads "12", "0.3", ".5", "1e-9". Signs, infinities,
// hexadecimal numbers and separators are refused.
func parseDecimal(s string) (decimal, error) {
	bad := func() (decimal, error) {
		return decimal{}, fmt.Errorf("account: want a decimal number that is not negative, got %.40q", s)
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if len(s) > longestNumber || whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return bad()
	}
	d := decimal{digits: strings.TrimLeft(whole+fraction, "0"), exp: -len(fraction)}
	if hasExponent {
		e, err := strconv.ParseInt(exponent, 10, 16)
		if err != nil {
			return bad()
		}
		d.exp += int(e)
	}
	return d, nil
}

// units returns the number in units of 10^−digits; more than an int64 holds
// becomes unlimited.
func (d decimal) units(digits int, r rounding) int64 {
	shift := d.exp + digits
	if d.digits == "" {
		return 0
	}
	if shift >= 0 {
		if len(d.digits)+shift > 19 {
			return unlimited
		}
		return smallUnits(d.digits + strings.Repeat("0", shift))
	}
	keep := max(0, len(d.digits)+shift)
	u := smallUnits(d.digits[:keep])
	if r == up && strings.Trim(d.digits[keep:], "0") != "" && u < unlimited {
		u++
	}
	return u
}

func smallUnits(digits string) int64 {
	if digits == "" {
		return 0
	}
	u, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return unlimited
	}
	return u
}

func parseUnits(s string, digits int, r rounding) (int64, error) {
	d, err := parseDecimal(s)
	if err != nil {
		return unlimited, err
	}
	return d.units(digits, r), nil
}

// formatUnits returns u × 10^−digits as a plain decimal without trailing zeros.
func formatUnits(u int64, digits int) string {
	sign := ""
	if u < 0 {
		sign, u = "-", -u
	}
	s := strconv.FormatInt(u, 10)
	if pad := digits + 1 - len(s); pad > 0 {
		s = strings.Repeat("0", pad) + s
	}
	whole, fraction := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// rational returns the exact number that the shortest decimal of v denotes.
func rational(v float64) *big.Rat {
	q, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		return nil // not finite
	}
	return q
}

// roundUp returns q in units of 10^−digits, rounded up; unlimited when it
// does not fit or is nil.
func roundUp(q *big.Rat, digits int) int64 {
	if q == nil {
		return unlimited
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n := new(big.Int).Mul(q.Num(), scale)
	rest := new(big.Int)
	n.QuoRem(n, q.Denom(), rest)
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	if !n.IsInt64() || n.Int64() < 0 {
		return math.MaxInt64
	}
	return n.Int64()
}
