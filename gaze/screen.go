package gaze

import (
	"errors"
	"fmt"
	"math"
)

// Origin is where (0, 0) lies on the screen.
type Origin uint8

// Origins. y grows downwards from TopLeft and upwards from the others.
const (
	TopLeft Origin = iota
	BottomLeft
	Center
)

var originNames = [...]string{"top-left", "bottom-left", "center"}

// String returns the origin's name in files.
func (o Origin) String() string {
	if int(o) < len(originNames) {
		return originNames[o]
	}
	return fmt.Sprintf("Origin(%d)", uint8(o))
}

// Screen is the geometry of the surface that was looked at. Zero fields are
// unknown; conversions that need them refuse instead of guessing.
type Screen struct {
	Width, Height                 int     // px
	WidthCm, HeightCm, DistanceCm float64 // cm; distance from eye to screen centre
	Origin                        Origin  // of the positions in the recording
	FieldWidthDeg, FieldHeightDeg float64 // field of view of a scene video or equirectangular picture, deg
}

// Known reports whether the size in pixels is known.
func (s Screen) Known() bool { return s.Width > 0 && s.Height > 0 }

// HasGeometry reports whether pixels can be turned into degrees.
func (s Screen) HasGeometry() bool {
	return s.Known() && (s.WidthCm > 0 && s.DistanceCm > 0 || s.FieldWidthDeg > 0)
}

// ErrNoGeometry is returned where degrees are asked of a screen whose size in
// centimetres or viewing distance is unknown.
var ErrNoGeometry = errors.New("gaze: screen geometry unknown (size in px and cm, and viewing distance are needed for degrees)")

// PixelsPerDegree returns how many pixels one degree of visual angle spans at
// the centre of the screen.
func (s Screen) PixelsPerDegree() (float64, error) {
	if !s.HasGeometry() {
		return 0, ErrNoGeometry
	}
	if s.FieldWidthDeg > 0 {
		return float64(s.Width) / s.FieldWidthDeg, nil
	}
	cm := 2 * s.DistanceCm * math.Tan(math.Pi/360)
	return cm * float64(s.Width) / s.WidthCm, nil
}

// Contains reports whether a position in pixels from the top left lies on the
// screen. NaN does not.
func (s Screen) Contains(x, y float64) bool {
	return x >= 0 && y >= 0 && x < float64(s.Width) && y < float64(s.Height)
}

// ToTopLeftPixels converts a position in unit u and the screen's origin to
// pixels from the top left corner. NaN stays NaN; angles that do not meet the
// screen's plane become infinite, which is on no screen.
func (s Screen) ToTopLeftPixels(x, y float64, u Unit) (px, py float64, err error) {
	w, h := float64(s.Width), float64(s.Height)
	switch u {
	case Pixels, UnitUnknown:
	case Normalized:
		x, y = x*w, y*h
	case Degrees, Radians, Millimetres:
		if x, y, err = s.planeToPixels(x, y, u); err != nil {
			return 0, 0, err
		}
	default:
		return 0, 0, fmt.Errorf("gaze: cannot convert unit %v to pixels", u)
	}
	if s.Origin != TopLeft || u == Normalized {
		if !s.Known() {
			return 0, 0, errors.New("gaze: screen size in pixels unknown")
		}
	}
	switch s.Origin {
	case BottomLeft:
		y = h - y
	case Center:
		x, y = x+w/2, h/2-y
	}
	return x, y, nil
}

// planeToPixels turns angles or millimetres from the origin into pixels by
// true geometry: a degree far from the centre spans more pixels. Angles from a
// corner are counted from the lines of sight to its edges.
func (s Screen) planeToPixels(x, y float64, u Unit) (float64, float64, error) {
	if s.FieldWidthDeg > 0 && s.FieldHeightDeg > 0 && u != Millimetres {
		if u == Radians {
			x, y = x*180/math.Pi, y*180/math.Pi
		}
		return x * float64(s.Width) / s.FieldWidthDeg, y * float64(s.Height) / s.FieldHeightDeg, nil
	}
	if !s.Known() || s.WidthCm <= 0 || s.HeightCm <= 0 || (u != Millimetres && s.DistanceCm <= 0) {
		return 0, 0, ErrNoGeometry
	}
	perCmX, perCmY := float64(s.Width)/s.WidthCm, float64(s.Height)/s.HeightCm
	switch u {
	case Millimetres:
		return x / 10 * perCmX, y / 10 * perCmY, nil
	case Degrees:
		x, y = x*math.Pi/180, y*math.Pi/180
	}
	return s.angleToCm(x, s.WidthCm) * perCmX, s.angleToCm(y, s.HeightCm) * perCmY, nil
}

// angleToCm is where a line of sight at an angle in radians meets the screen's
// plane, in cm from the origin along a side; infinity when it never does.
func (s Screen) angleToCm(angle, side float64) float64 {
	var edge, corner float64
	if s.Origin != Center {
		edge, corner = math.Atan(side/2/s.DistanceCm), side/2
	}
	if angle -= edge; math.Abs(angle) >= math.Pi/2 {
		return math.Copysign(math.Inf(1), angle)
	}
	return corner + s.DistanceCm*math.Tan(angle)
}
