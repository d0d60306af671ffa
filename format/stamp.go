package format

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Stamp is a time stamp as written: Unix times in nanoseconds do not fit a
// float64, and .NET ticks in nanoseconds do not fit an int64.
type Stamp struct {
	Whole int64
	Frac  float64 // 0 <= Frac < 1
}

// StampOf splits a number.
func StampOf(v float64) (Stamp, bool) {
	if math.IsNaN(v) || math.Abs(v) >= 1<<62 {
		return Stamp{}, false
	}
	whole := math.Floor(v)
	return Stamp{int64(whole), v - whole}, true
}

// Less orders stamps.
func (s Stamp) Less(t Stamp) bool {
	return s.Whole < t.Whole || s.Whole == t.Whole && s.Frac < t.Frac
}

// Clock turns stamps of one unit into durations since a first stamp.
type Clock struct {
	unit     int64 // ns
	limit    int64 // longest, in units
	samples  float64
	datetime bool
	zero     Stamp
	set      bool
}

var timeUnits = map[string]int64{
	"s": 1e9, "sec": 1e9, "seconds": 1e9, "ms": 1e6, "us": 1e3, "µs": 1e3, "μs": 1e3, "ns": 1, "100ns": 100, "min": 60e9,
}

// ParseTimeUnit returns a clock for a unit's name: s, ms, us, ns, 100ns, min;
// or datetime, whose stamps [ParseStamp] cannot read but [ParseDatetime] can.
func ParseTimeUnit(name string) (Clock, error) {
	unit := strings.ToLower(strings.TrimSpace(name))
	if unit == "datetime" {
		return Clock{unit: 1, limit: int64(longest), datetime: true}, nil
	}
	if ns, ok := timeUnits[unit]; ok {
		return Clock{unit: ns, limit: int64(longest) / ns}, nil
	}
	return Clock{}, fmt.Errorf("time unit %q: want s, ms, us, ns, 100ns, samples or datetime", name)
}

// clock is ParseTimeUnit with the unit samples, which needs a rate.
func (m *Mapping) clock(unit, key string) (Clock, error) {
	switch unit {
	case "":
		return Clock{}, fmt.Errorf("%s is missing: s, ms, us, ns, 100ns, samples or datetime", key)
	case "samples":
		if m.SamplingRate <= 0 {
			return Clock{}, fmt.Errorf("%s samples needs sampling_rate", key)
		}
		return Clock{unit: 1, samples: 1e9 / m.SamplingRate}, nil
	}
	c, err := ParseTimeUnit(unit)
	if err != nil {
		return c, fmt.Errorf("%s: %w", key, err)
	}
	return c, nil
}

// Start makes s the clock's zero.
func (c *Clock) Start(s Stamp) { c.zero, c.set = s, true }

// Started reports whether the clock has a zero.
func (c *Clock) Started() bool { return c.set }

// Since returns the time since the clock's zero; false if it does not fit.
func (c *Clock) Since(s Stamp) (time.Duration, bool) { return c.span(s, c.zero) }

// Length returns a stamp that is a length, not a point in time.
func (c *Clock) Length(s Stamp) (time.Duration, bool) { return c.span(s, Stamp{}) }

// longest is the most a time may lie from its recording's start: longer ones
// are damaged numbers.
const longest = 100 * 365 * 24 * time.Hour

func (c *Clock) span(s, zero Stamp) (time.Duration, bool) {
	whole := s.Whole - zero.Whole
	if (whole < 0) != (s.Whole < zero.Whole) {
		return 0, false
	}
	frac := s.Frac - zero.Frac
	if c.samples > 0 {
		ns := (float64(whole) + frac) * c.samples
		return time.Duration(math.Round(ns)), math.Abs(ns) < float64(longest)
	}
	if whole > c.limit || whole < -c.limit {
		return 0, false
	}
	ns := whole * c.unit
	if frac != 0 {
		ns += int64(math.Round(frac * float64(c.unit)))
	}
	return time.Duration(ns), true
}

// ParseStamp reads a decimal number without losing digits: 19 before the
// decimal mark, or 15 after it.
func ParseStamp(b []byte, decimal byte) (Stamp, bool) {
	b = trimBlanks(b)
	digits, neg := bytes.CutPrefix(b, []byte("-"))
	s, _, ok := ScanStamp(digits, 0, decimal)
	if !ok {
		if whole, fits := nineteen(digits); fits {
			s, ok = Stamp{Whole: whole}, true
		} else if v, isNumber := ParseNumber(b, decimal); isNumber {
			return StampOf(v)
		}
	}
	switch {
	case !neg || !ok:
		return s, ok
	case s.Frac > 0:
		return Stamp{-s.Whole - 1, 1 - s.Frac}, true
	}
	return Stamp{Whole: -s.Whole}, true
}

// nineteen reads an integer of 19 digits, as Unix times in ns are.
func nineteen(digits []byte) (int64, bool) {
	if len(digits) != 19 || slices.ContainsFunc(digits, func(c byte) bool { return !isDigit(c) }) {
		return 0, false
	}
	whole, err := strconv.ParseInt(string(digits), 10, 64)
	return whole, err == nil
}

// fractionDigits is how many digits of a stamp count behind the decimal mark.
const fractionDigits = 15

// ScanStamp reads the stamp at the beginning of a line, up to the delimiter or
// the line's end, in one pass; n is its length. It gives up (ok false) wherever
// anything but a plain, not negative decimal stands there with at most 18 digits
// before the decimal mark; behind it, 15 count.
func ScanStamp(line []byte, delimiter, decimal byte) (s Stamp, n int, ok bool) {
	for n < len(line) && isDigit(line[n]) {
		s.Whole = s.Whole*10 + int64(line[n]-'0')
		n++
	}
	digits := n
	if n < len(line) && line[n] == decimal {
		behind := line[n+1:]
		mantissa, count := scanFraction(0, behind)
		n += 1 + count
		if count > fractionDigits {
			mantissa, count = scanFraction(0, behind[:fractionDigits])
		}
		s.Frac = float64(mantissa) / powers[count]
	}
	if digits == 0 || digits > 18 || n < len(line) && line[n] != delimiter {
		return Stamp{}, 0, false
	}
	return s, n, true
}

var dateLayouts = [...]string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
	"2006/01/02 15:04:05", "02.01.2006 15:04:05", "15:04:05",
}

// ParseDatetime reads a date and time of day (fractions of a second with a
// point or comma) as a stamp in nanoseconds.
func ParseDatetime(b []byte) (Stamp, bool) {
	s := strings.TrimSpace(string(b))
	if i := strings.LastIndexByte(s, ':'); strings.Count(s, ":") == 3 && i > 0 {
		s = s[:i] + "." + s[i+1:] // 10:21:33:125, as SMI writes milliseconds
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return Stamp{Whole: t.Unix()*1e9 + int64(t.Nanosecond())}, t.Year() < 2200
		}
	}
	return Stamp{}, false
}
