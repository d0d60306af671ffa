package detect

import "github.com/gazeward/gazeward/gaze"

// Point is a position as detectors see it: degrees in a plane, or a direction
// of length one.
type Point [3]float64

// Sight turns the positions of one recording into degrees of visual angle, the
// way detectors do.
type Sight struct {
	measure measure
	down    bool // the plane's y grows downwards
}

// NewSight refuses recordings whose positions cannot become degrees with
// [gaze.ErrNoGeometry], as detectors do. pixelsPerDegree is an explicit scale;
// 0 = from the screen's geometry.
func NewSight(h *gaze.Header, pixelsPerDegree float64) (Sight, error) {
	if err := validScale(pixelsPerDegree); err != nil {
		return Sight{}, err
	}
	m, err := newMeasure(h, pixelsPerDegree)
	converted := h.Unit == gaze.Normalized || h.Unit == gaze.Millimetres
	return Sight{m, m.perDegree > 0 && (converted || h.Screen.Origin == gaze.TopLeft)}, err
}

// At returns the point of a position, and false for a lost one.
func (s *Sight) At(x, y float64) (Point, bool) {
	v, ok := s.measure.at(x, y)
	return Point(v), ok
}

// Angle is the distance of two points in degrees.
func (s *Sight) Angle(a, b Point) float64 { return s.measure.angle(vec(a), vec(b)) }

// Degrees returns a point's degrees to the right and upwards: those of the
// plane, or yaw and pitch of a direction.
func (s *Sight) Degrees(p Point) (right, up float64) {
	right, up = s.measure.turned(vec(p))
	if s.down {
		up = -up
	}
	return right, up
}

// AllAround reports whether yaw goes all around, so that 180 degrees to the
// right are 180 to the left.
func (s *Sight) AllAround() bool { return s.measure.sphere }
