package noise

import (
	"fmt"
	"math"
)

// SphericalLaplace moves directions on the unit sphere with density ∝ exp(−rate·angle) per area.
type SphericalLaplace struct{ rate float64 }

// NewSphericalLaplace takes the rate per radian.
func NewSphericalLaplace(rate float64) (*SphericalLaplace, error) {
	if !(rate > 0 && rate <= 1e6) {
		return nil, fmt.Errorf("noise: spherical rate must be in (0, 1e6] per radian, got %v", rate)
	}
	return &SphericalLaplace{rate}, nil
}

// Rate returns the rate per radian.
func (l *SphericalLaplace) Rate() float64 { return l.rate }

// CDF returns the probability of an angle of at most rho radians.
func (l *SphericalLaplace) CDF(rho float64) float64 {
	e := l.rate
	sin, cos := math.Sincos(min(max(rho, 0), math.Pi))
	return (1 - math.Exp(-e*rho)*(cos+e*sin)) / (1 + math.Exp(-e*math.Pi))
}

// Radius returns the angle, in radians, whose CDF is u.
func (l *SphericalLaplace) Radius(u float64) float64 {
	lo, hi := 0.0, math.Pi
	for range 60 {
		if mid := (lo + hi) / 2; l.CDF(mid) < u {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// Draw returns dir moved at random.
func (l *SphericalLaplace) Draw(src *Source, dir [3]float64) [3]float64 {
	return Move(dir, 2*math.Pi*src.Float64(), l.Radius(src.Float64()))
}

// Move goes angle radians from the direction dir along a great circle that leaves it at the given bearing, in radians.
func Move(dir [3]float64, bearing, angle float64) [3]float64 {
	a := [3]float64{1, 0, 0}
	if math.Abs(dir[0]) > 0.7 {
		a = [3]float64{0, 1, 0}
	}
	dot := a[0]*dir[0] + a[1]*dir[1] + a[2]*dir[2]
	for i := range a {
		a[i] -= dot * dir[i]
	}
	n := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	b := [3]float64{dir[1]*a[2] - dir[2]*a[1], dir[2]*a[0] - dir[0]*a[2], dir[0]*a[1] - dir[1]*a[0]}
	sb, cb := math.Sincos(bearing)
	s, c := math.Sincos(angle)
	for i := range dir {
		dir[i] = c*dir[i] + s*(cb*a[i]+sb*b[i])/n
	}
	return dir
}
