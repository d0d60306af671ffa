package detect

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/gaze"
)

const degree = math.Pi / 180

// vec is a position on the surface gaze moves on: degrees in a plane (third
// coordinate 0), or a direction of length one.
type vec [3]float64

// measure turns the positions of one recording into degrees.
type measure struct {
	unit      gaze.Unit
	screen    gaze.Screen
	perDegree float64 // of a plane; 0 = directions
	sphere    bool    // positions are yaw and pitch, or px of a whole panorama
}

// newMeasure refuses recordings whose positions cannot become degrees.
func newMeasure(h *gaze.Header, pixelsPerDegree float64) (measure, error) {
	m := measure{unit: h.Unit, screen: h.Screen}
	angular := h.Unit == gaze.Degrees || h.Unit == gaze.Radians
	panorama := h.Screen.FieldWidthDeg == 360 && h.Screen.FieldHeightDeg == 180
	switch {
	case angular:
		m.sphere = h.Frame != gaze.OnScreen || panorama
		if !m.sphere {
			m.perDegree = 1
		}
	case pixelsPerDegree > 0:
		m.perDegree = pixelsPerDegree
	case h.Unit == gaze.UnitUnknown:
		return m, fmt.Errorf("detect: unit of positions unknown: %w", gaze.ErrNoGeometry)
	case !h.Screen.HasGeometry():
		return m, fmt.Errorf("detect: %w", gaze.ErrNoGeometry)
	case h.Screen.FieldWidthDeg > 0 && !panorama:
		m.perDegree, _ = h.Screen.PixelsPerDegree()
	default:
		m.sphere = panorama
	}
	if _, ok := m.at(0, 0); !ok {
		return m, fmt.Errorf("detect: positions in %v: %w", h.Unit, gaze.ErrNoGeometry)
	}
	return m, nil
}

// farthest bounds positions: beyond, a number is a defect of the file and
// would overflow.
const farthest = 1e9

// at returns the surface position, and false for lost samples.
func (m *measure) at(x, y float64) (vec, bool) {
	if !(math.Abs(x) < farthest && math.Abs(y) < farthest) {
		return vec{}, false
	}
	if m.unit == gaze.Degrees || m.unit == gaze.Radians {
		if m.unit == gaze.Radians {
			x, y = x/degree, y/degree
		}
		if !m.sphere {
			return vec{x, y}, true
		}
		return direction(x, y), true
	}
	if m.perDegree > 0 && m.unit != gaze.Normalized && m.unit != gaze.Millimetres {
		return vec{x / m.perDegree, y / m.perDegree}, true
	}
	s := &m.screen
	x, y, err := s.ToTopLeftPixels(x, y, m.unit)
	if err != nil {
		return vec{}, false
	}
	if m.perDegree > 0 {
		return vec{x / m.perDegree, y / m.perDegree}, true
	}
	x, y = x-float64(s.Width)/2, float64(s.Height)/2-y
	if m.sphere {
		return direction(x/float64(s.Width)*360, y/float64(s.Height)*180), true
	}
	return m.sight(x, y), true
}

// sight is the direction of the line of sight to px from the centre of a screen
// of known size and distance. Without a height in centimetres pixels are square.
func (m *measure) sight(x, y float64) vec {
	s := &m.screen
	cmX := s.WidthCm / float64(s.Width)
	cmY := cmX
	if s.HeightCm > 0 {
		cmY = s.HeightCm / float64(s.Height)
	}
	x, y = x*cmX, y*cmY
	f := 1 / math.Sqrt(x*x+y*y+s.DistanceCm*s.DistanceCm)
	return vec{x * f, y * f, s.DistanceCm * f}
}

// direction is the unit vector of yaw (right) and pitch (up) in degrees.
func direction(yaw, pitch float64) vec {
	siny, cosy := math.Sincos(yaw * degree)
	sinp, cosp := math.Sincos(pitch * degree)
	return vec{cosp * siny, sinp, cosp * cosy}
}

// angle is the distance of two positions in degrees: straight in a plane, along
// the great circle between directions.
func (m *measure) angle(u, v vec) float64 {
	a, b, c := u[0]-v[0], u[1]-v[1], u[2]-v[2]
	d := math.Sqrt(a*a + b*b + c*c)
	if m.perDegree > 0 {
		return d
	}
	if d < 0.05 { // the arc over a short chord, to 1e-11 of it
		return d * (1 + d*d*(1.0/24+d*d*(3.0/640))) / degree
	}
	return 2 * math.Asin(min(1, d/2)) / degree
}

// turned returns yaw and pitch of a direction in degrees, or the plane's
// coordinates.
func (m *measure) turned(v vec) (float64, float64) {
	if m.perDegree > 0 {
		return v[0], v[1]
	}
	return math.Atan2(v[0], v[2]) / degree, math.Atan2(v[1], math.Hypot(v[0], v[2])) / degree
}

// back turns a mean direction on the sphere into the recording's unit.
func (m *measure) back(v vec) (x, y float64) {
	x, y = m.turned(v)
	switch m.unit {
	case gaze.Degrees:
		return x, y
	case gaze.Radians:
		return x * degree, y * degree
	}
	w, h := float64(m.screen.Width), float64(m.screen.Height)
	x, y = x/360*w, y/180*h
	switch {
	case m.unit == gaze.Normalized:
		return x/w + 0.5, 0.5 - y/h
	case m.screen.Origin == gaze.TopLeft:
		return x + w/2, h/2 - y
	case m.screen.Origin == gaze.BottomLeft:
		return x + w/2, y + h/2
	}
	return x, y
}
