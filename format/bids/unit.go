package bids

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
)

func unitOf(words string) string {
	switch strings.ToLower(strings.TrimSpace(words)) {
	case "s", "sec", "second", "seconds":
		return "s"
	case "ms", "msec", "millisecond", "milliseconds":
		return "ms"
	case "us", "µs", "μs", "microsecond", "microseconds":
		return "us"
	case "ns", "nanosecond", "nanoseconds":
		return "ns"
	}
	return ""
}

// guessUnit finds the unit in which the first steps are those of the stated
// rate, or of any tracker.
func guessUnit(text []byte, column int, rate float64) string {
	var steps []float64
	last := 0.0
	for i, line := range bytes.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		cells := split(nil, line)
		if column < 0 || column >= len(cells) || i > 200 {
			break
		}
		v, ok := format.ParseNumber(cells[column], '.')
		if ok && i > 0 && v > last {
			steps = append(steps, v-last)
		}
		last = v
	}
	slices.Sort(steps)
	if len(steps) == 0 {
		return "s"
	}
	low, high := 10.0, 2500.0
	if rate > 0 {
		low, high = rate/2, rate*2
	}
	step := steps[len(steps)/2]
	for _, u := range [...]struct {
		name string
		s    float64
	}{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}} {
		if hz := 1 / (step * u.s); hz >= low && hz <= high {
			return u.name
		}
	}
	return "s"
}
