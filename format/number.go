package format

import (
	"math"
	"strconv"
	"strings"
	"unsafe"
)

func isDigit(c byte) bool { return c-'0' <= 9 }

func trimBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// powers of ten that are exact in a float64.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// ParseNumber reads a decimal number, correctly rounded, with the given decimal
// mark. Blanks around it are allowed; NaN and Inf are no numbers.
func ParseNumber(b []byte, decimal byte) (float64, bool) {
	b = trimBlanks(b)
	i := 0
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		i = 1
	}
	var mantissa uint64
	digits, point := 0, -1
	for ; i < len(b); i++ {
		c := b[i]
		if d := c - '0'; d <= 9 {
			mantissa = mantissa*10 + uint64(d)
			digits++
		} else if c == decimal && point < 0 {
			point = digits
		} else {
			break
		}
	}
	// Both operands below are exact, so that the one rounding is correct
	// (Clinger 1990); everything else goes the long way.
	if i == len(b) && digits > 0 && digits <= 19 && mantissa < 1<<53 {
		v := float64(mantissa)
		if point >= 0 {
			v /= powers[digits-point]
		}
		if neg {
			v = -v
		}
		return v, true
	}
	return parseSlowly(b, decimal)
}

// ScanNumber reads the number at the beginning of a line, up to the delimiter
// or the line's end, in one pass; n is its length. It gives up (ok false)
// wherever anything but a plain decimal stands there.
func ScanNumber(line []byte, delimiter, decimal byte) (v float64, n int, ok bool) {
	neg := len(line) > 0 && line[0] == '-'
	if neg {
		n = 1
	}
	var mantissa uint64
	digits, point := 0, -1
	for ; n < len(line); n++ {
		c := line[n]
		if d := c - '0'; d <= 9 {
			mantissa = mantissa*10 + uint64(d)
			digits++
		} else if c == delimiter {
			break
		} else if c == decimal && point < 0 {
			point = digits
		} else {
			return 0, 0, false
		}
	}
	if digits == 0 || digits > 19 || mantissa >= 1<<53 {
		return 0, 0, false
	}
	v = float64(mantissa)
	if point >= 0 {
		v /= powers[digits-point]
	}
	if neg {
		v = -v
	}
	return v, n, true
}

func parseSlowly(b []byte, decimal byte) (float64, bool) {
	if len(b) == 0 || len(b) > 400 {
		return math.NaN(), false
	}
	for i, c := range b {
		switch {
		case isDigit(c), c == '-', c == '+', c == 'e', c == 'E', c == decimal:
		default:
			return math.NaN(), false
		}
		if c == decimal && c != '.' {
			copied := append([]byte(nil), b...)
			copied[i] = '.'
			b = copied
		}
	}
	v, err := strconv.ParseFloat(unsafe.String(&b[0], len(b)), 64)
	if err != nil {
		return math.NaN(), false
	}
	return v, true
}

// IsMissing reports whether a cell is one of the usual marks for a missing
// value: empty, NaN, NA, n/a, null, none, missing, ".", "-", infinities.
func IsMissing(cell []byte) bool {
	cell = trimBlanks(cell)
	if len(cell) <= 1 {
		return len(cell) == 0 || cell[0] == '.' || cell[0] == '-'
	}
	if len(cell) > 9 {
		return false
	}
	switch strings.ToLower(string(cell)) {
	case "--", "nan", "-nan", "na", "n/a", "#n/a", "null", "none", "missing",
		"inf", "-inf", "+inf", "infinity", "-infinity":
		return true
	}
	return false
}

// Overflowed reports whether a position is an integer's overflow and not a
// place: 2147483647 and -2147483648, 4294967295 and its neighbours such as
// 4294967288 (a small negative number read as unsigned), and anything larger.
// EyeLink's mark for missing data, 1e8, counts as well.
func Overflowed(v float64) bool {
	return v >= math.MaxInt32 || v <= math.MinInt32 || v == 1e8
}
