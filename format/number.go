package format

import (
	"encoding/binary"
	"math"
	"math/bits"
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

// powers of ten that are exact in a float64, and those that fit 64 bits.
var (
	powers = [...]float64{
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	}
	wholePowers = [...]uint64{
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
	}
)

// maxDigits is how many decimal digits always fit 64 bits.
const maxDigits = 19

// ParseNumber reads a decimal number, correctly rounded, with the given decimal
// mark. Blanks around it are allowed; NaN and Inf are no numbers.
func ParseNumber(b []byte, decimal byte) (float64, bool) {
	b = trimBlanks(b)
	if v, n, ok := ScanDecimal(b, decimal); ok && n == len(b) {
		return v, true
	}
	return parseSlowly(b, decimal)
}

// ScanNumber reads the number at the beginning of a line, up to the delimiter
// or the line's end, in one pass; n is its length. It gives up (ok false)
// wherever anything but a plain decimal stands there.
func ScanNumber(line []byte, delimiter, decimal byte) (v float64, n int, ok bool) {
	v, n, ok = ScanDecimal(line, decimal)
	if !ok || n < len(line) && line[n] != delimiter {
		return 0, 0, false
	}
	return v, n, true
}

// ScanDecimal reads the plain decimal with which b begins, as far as it goes;
// n is its length. It gives up (ok false) where there is none, or one of more
// than 19 digits.
func ScanDecimal(b []byte, decimal byte) (v float64, n int, ok bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		n = 1
	}
	start := n
	var mantissa uint64
	for ; n < len(b); n++ {
		d := b[n] - '0'
		if d > 9 {
			break
		}
		mantissa = mantissa*10 + uint64(d)
	}
	digits, fraction := n-start, 0
	if n < len(b) && b[n] == decimal {
		n++
		mantissa, fraction = scanFraction(mantissa, b[n:])
		n += fraction
		digits += fraction
	}
	if digits == 0 || digits > maxDigits {
		return 0, 0, false
	}
	// Both operands of the division are exact, so that its one rounding is
	// correct (Clinger 1990).
	if mantissa < 1<<53 {
		v = float64(mantissa) / powers[fraction]
	} else {
		v = quotient(mantissa, wholePowers[fraction])
	}
	if neg {
		v = -v
	}
	return v, n, true
}

// scanFraction goes on with the digits behind the decimal mark, eight at a time
// where there are so many, and returns how many there are.
func scanFraction(mantissa uint64, b []byte) (uint64, int) {
	n := 0
	for len(b)-n >= 8 && isDigit(b[n+3]) {
		eight := binary.LittleEndian.Uint64(b[n:])
		if !allDigits(eight) {
			break
		}
		mantissa = mantissa*1e8 + eightDigits(eight)
		n += 8
	}
	for ; n < len(b); n++ {
		d := b[n] - '0'
		if d > 9 {
			break
		}
		mantissa = mantissa*10 + uint64(d)
	}
	return mantissa, n
}

// allDigits reports whether eight characters are digits: their upper halves are
// 3, also after 6 is added to the lower.
func allDigits(eight uint64) bool {
	const upper = 0xf0f0f0f0f0f0f0f0
	return eight&upper|(eight+0x0606060606060606)&upper>>4 == 0x3333333333333333
}

// eightDigits is the value of eight digits, the first in the lowest byte: pairs,
// then fours, then all are put together side by side.
func eightDigits(eight uint64) uint64 {
	eight -= 0x3030303030303030
	eight = eight*10 + eight>>8
	const mask = 0x000000ff000000ff
	return (eight&mask*(100+1000000<<32) + eight>>16&mask*(1+10000<<32)) >> 32
}

// quotient divides whole numbers, correctly rounded: x >= 2^53, 1 <= y <= 10^19.
// 63 bits or more of the quotient, the last set where there is a remainder, are
// enough for the one rounding to be that of the exact quotient.
func quotient(x, y uint64) float64 {
	shiftX, shiftY := bits.LeadingZeros64(x), bits.LeadingZeros64(y)
	x, y = x<<shiftX, y<<shiftY
	q, rest := bits.Div64(x>>1, x<<63, y)
	if rest != 0 {
		q |= 1
	}
	return float64(q) * math.Float64frombits(uint64(1023-63+shiftY-shiftX)<<52)
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
