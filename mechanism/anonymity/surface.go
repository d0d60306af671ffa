package anonymity

import (
	"math"

	"github.com/gazeward/gazeward/gaze"
)

// surface is what positions lie on: a plane, or the sphere of yaw and pitch in
// degrees, on which means and distances are taken between directions.
type surface struct{ sphere bool }

func surfaceOf(h *gaze.Header) surface {
	return surface{h.Unit == gaze.Degrees && h.Frame != gaze.OnScreen}
}

// mean of positions; lost ones do not count. NaN when all are lost.
func (s surface) mean(x, y []float64) (float64, float64) {
	var sum gaze.Direction
	n, some := 0.0, 0
	for i := range x {
		if gaze.Lost(x[i], y[i]) {
			continue
		}
		n, some = n+1, i
		if s.sphere {
			d := gaze.DirectionOf(x[i], y[i])
			sum.X, sum.Y, sum.Z = sum.X+d.X, sum.Y+d.Y, sum.Z+d.Z
		} else {
			sum.X, sum.Y = sum.X+x[i], sum.Y+y[i]
		}
	}
	switch {
	case n == 0:
		return math.NaN(), math.NaN()
	case s.sphere && sum.X == 0 && sum.Y == 0 && sum.Z == 0: // they cancel
		return x[some], y[some]
	case s.sphere:
		return sum.Angles()
	}
	return sum.X / n, sum.Y / n
}

// offset is how far (x, y) lies from (x0, y0) along both axes.
func (s surface) offset(x0, y0, x, y float64) (dx, dy float64) {
	if !s.sphere {
		return x - x0, y - y0
	}
	return gaze.WrapDegrees(x-x0) * shrink(y0), y - y0
}

// place is the position at an offset.
func (s surface) place(x0, y0, dx, dy float64) (float64, float64) {
	if !s.sphere {
		return x0 + dx, y0 + dy
	}
	return gaze.DirectionOf(x0+dx/shrink(y0), y0+dy).Angles()
}

// shrink is how much a degree of yaw is shorter than one of pitch; the limit
// keeps it invertible near the poles.
func shrink(pitch float64) float64 { return math.Max(0.05, math.Cos(pitch*math.Pi/180)) }

// between goes the share f of the shortest way.
func (s surface) between(x0, y0, x1, y1, f float64) (float64, float64) {
	if !s.sphere {
		return x0 + f*(x1-x0), y0 + f*(y1-y0)
	}
	a, b := gaze.DirectionOf(x0, y0), gaze.DirectionOf(x1, y1)
	angle := a.AngleTo(b) * math.Pi / 180
	if math.Sin(angle) < 1e-9 { // the same place, or opposite ones
		if f < 0.5 {
			return x0, y0
		}
		return x1, y1
	}
	p, q := math.Sin((1-f)*angle)/math.Sin(angle), math.Sin(f*angle)/math.Sin(angle)
	return gaze.Direction{X: p*a.X + q*b.X, Y: p*a.Y + q*b.Y, Z: p*a.Z + q*b.Z}.Angles()
}

func (s surface) distance(x0, y0, x1, y1 float64) float64 {
	if s.sphere {
		return gaze.GreatCircle(x0, y0, x1, y1)
	}
	return math.Hypot(x1-x0, y1-y0)
}
