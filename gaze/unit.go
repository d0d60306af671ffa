package gaze

import (
	"fmt"
	"strconv"
	"strings"
)

// Unit is the unit of gaze positions.
type Unit uint8

// Units of gaze positions.
const (
	UnitUnknown Unit = iota
	Pixels           // px on the screen or in the scene video
	Degrees          // degrees of visual angle, or yaw and pitch on the sphere
	Normalized       // 0..1 of the screen's width and height
	Radians          // like Degrees
	Millimetres      // on the screen's plane
)

var unitNames = [...]string{"unknown", "px", "deg", "norm", "rad", "mm"}

// String returns the short name used in files and on the command line.
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return "Unit(" + strconv.Itoa(int(u)) + ")"
}

// ParseUnit reads a unit's short name or one of its common spellings.
func ParseUnit(s string) (Unit, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "unknown":
		return UnitUnknown, nil
	case "px", "pix", "pixel", "pixels":
		return Pixels, nil
	case "deg", "degree", "degrees", "dva", "°":
		return Degrees, nil
	case "norm", "normalized", "normalised":
		return Normalized, nil
	case "rad", "radian", "radians":
		return Radians, nil
	case "mm", "millimetre", "millimeter", "millimetres", "millimeters":
		return Millimetres, nil
	}
	return UnitUnknown, fmt.Errorf("gaze: unknown unit %q: want px, deg, norm, rad or mm", s)
}

// Eye says whose positions a [Track] holds.
type Eye uint8

// Eyes. Cyclopean is a combined gaze or one whose eye is not stated.
const (
	Cyclopean Eye = iota
	Left
	Right
)

var eyeNames = [...]string{"cyclopean", "left", "right"}

// String returns the eye's name as in BIDS RecordedEye.
func (e Eye) String() string {
	if int(e) < len(eyeNames) {
		return eyeNames[e]
	}
	return "Eye(" + strconv.Itoa(int(e)) + ")"
}

// PupilUnit is the unit of pupil sizes.
type PupilUnit uint8

// Units of pupil size. Arbitrary units come as an area or as a diameter.
const (
	PupilUnknown PupilUnit = iota
	PupilMillimetres
	PupilArea
	PupilDiameter
	PupilPixels
)

var pupilUnitNames = [...]string{"unknown", "mm", "au_area", "au_diam", "px"}

// String returns the short name used in files.
func (u PupilUnit) String() string {
	if int(u) < len(pupilUnitNames) {
		return pupilUnitNames[u]
	}
	return "PupilUnit(" + strconv.Itoa(int(u)) + ")"
}

// Frame says against what positions are measured.
type Frame uint8

// Frames of reference (BIDS SampleCoordinateSystem).
const (
	OnScreen  Frame = iota // gaze-on-screen
	InWorld                // gaze-in-world: scene camera or world directions
	EyeInHead              // eye-in-head
)

var frameNames = [...]string{"gaze-on-screen", "gaze-in-world", "eye-in-head"}

// String returns the frame's BIDS name.
func (f Frame) String() string {
	if int(f) < len(frameNames) {
		return frameNames[f]
	}
	return "Frame(" + strconv.Itoa(int(f)) + ")"
}
