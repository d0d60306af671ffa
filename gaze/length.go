package gaze

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// LengthUnit is the unit of a [Length].
type LengthUnit uint8

// Units of length on a screen.
const (
	LengthPixels LengthUnit = iota
	LengthDegrees
	LengthPercent // of the smaller screen side
)

var lengthSuffixes = [...]string{"px", "deg", "%"}

// Length is a distance on a screen as a user types it: 50px, 2deg, 5%.
type Length struct {
	Value float64
	Unit  LengthUnit
}

// String returns the length as it is typed.
func (l Length) String() string {
	return strconv.FormatFloat(l.Value, 'g', -1, 64) + lengthSuffixes[l.Unit]
}

// ParseLength reads 50px, 2deg or 5%; a bare number is refused, because its unit
// would be a guess.
func ParseLength(s string) (Length, error) {
	t := strings.TrimSpace(s)
	for u, suffix := range [...]string{"px", "deg", "%"} {
		number, ok := strings.CutSuffix(t, suffix)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return Length{}, fmt.Errorf("gaze: length %q: want a positive number before %s", s, suffix)
		}
		return Length{v, LengthUnit(u)}, nil
	}
	return Length{}, fmt.Errorf("gaze: length %q has no unit: want for example 24px, 1deg or 3%%", s)
}

// Pixels returns the length in pixels on a screen; degrees need its geometry.
func (l Length) Pixels(s Screen) (float64, error) {
	switch l.Unit {
	case LengthDegrees:
		perDegree, err := s.PixelsPerDegree()
		return l.Value * perDegree, err
	case LengthPercent:
		if !s.Known() {
			return 0, fmt.Errorf("gaze: length %v needs the screen's size in pixels", l)
		}
		return l.Value / 100 * float64(min(s.Width, s.Height)), nil
	}
	return l.Value, nil
}
