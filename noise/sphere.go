package noise

import (
	"fmt"
	"math"
)

// SphereStep is the grid, in radians, on which SphericalLaplace releases directions: 2^-16 rad, about a thousandth of a degree.
const SphereStep = 0x1p-16

// SphericalLaplace moves directions on the unit sphere with density ∝ exp(−rate·angle) per area: exactly rate·d of
// geo-indistinguishability for directions an angle d apart, up to the antipode. (The planar radius law laid along great circles
// has no finite guarantee there.) It is immutable and safe for concurrent use.
//
// The law is inverted in floating point, from 64 random bits for the angle and 64 for the bearing; then the direction is rounded to a
// multiple of SphereStep in each coordinate and normalised again, so that what is released is one of some 10¹¹ points
// and its low bits tell nothing. Covered is the law of this rounded direction, up to the cases, about one draw in 2^30 (an
// estimate: PROOF.md, section 8), in which an error of the floating point moves it across an edge of the grid. Not
// covered, unlike for the integer laws of this room, is a proof that these cases cost nothing: where that matters count
// 2^-30 per draw as δ.
type SphericalLaplace struct{ rate float64 }

// NewSphericalLaplace takes the rate per radian, in (0, 2^12], so that the typical angle is several grid steps.
func NewSphericalLaplace(rate float64) (*SphericalLaplace, error) {
	if !(rate > 0 && rate <= 1<<12) {
		return nil, fmt.Errorf("noise: spherical rate must be in (0, 4096] per radian, got %v", rate)
	}
	return &SphericalLaplace{rate}, nil
}

// Rate returns the rate per radian.
func (l *SphericalLaplace) Rate() float64 { return l.rate }

// CDF returns the probability F of an angle of at most rho radians: (1 − e^(−eρ)(cos ρ + e sin ρ))/(1 + e^(−eπ)), e the rate.
func (l *SphericalLaplace) CDF(rho float64) float64 {
	f, _ := l.split(min(max(rho, 0), math.Pi))
	return f
}

// split returns F(ρ) and 1 − F(ρ). Both are right to 10^-16, and the second relatively so in the exponential tail, so that
// angles far out are told apart.
func (l *SphericalLaplace) split(rho float64) (below, above float64) {
	e := l.rate
	sin, cos := math.Sincos(rho)
	part, all := math.Exp(-e*rho)*(cos+e*sin), math.Exp(-e*math.Pi)
	return max(0, 1-part) / (1 + all), max(0, part+all) / (1 + all)
}

// Radius returns the angle in [0, π] whose CDF is u, in [0, 1].
func (l *SphericalLaplace) Radius(u float64) float64 { return l.radius(u, 1-u) }

// radius solves F(ρ) = below, or 1−F(ρ) = above where that is the smaller, by Newton's steps kept inside a bracket.
func (l *SphericalLaplace) radius(below, above float64) float64 {
	e, lo, hi := l.rate, 0.0, math.Pi
	rho := min(1.7/e, math.Pi/2)
	for range 100 {
		f, g := l.split(rho)
		d := f - below
		if above < below {
			d = above - g
		}
		if d < 0 {
			lo = rho
		} else {
			hi = rho
		}
		slope := (1 + e*e) * math.Exp(-e*rho) * math.Sin(rho) / (1 + math.Exp(-e*math.Pi))
		next := rho - d/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-rho) <= 0x1p-52*next || next <= lo || next >= hi {
			return next
		}
		rho = next
	}
	return rho
}

// Draw returns dir moved at random, a unit vector on the grid. The length of dir does not matter; one that is not finite, or zero,
// counts as (0, 0, 1), so that the law is defined whatever the input.
func (l *SphericalLaplace) Draw(src *Source, dir [3]float64) [3]float64 {
	const unit = 0x1p-64
	u := src.Uint64()
	rho := l.radius((float64(u)+0.5)*unit, (float64(^u)+0.5)*unit)
	bearing := 2 * math.Pi * (float64(src.Uint64()) + 0.5) * unit
	out := Move(dir, bearing, rho)
	for i, v := range out {
		out[i] = math.RoundToEven(v/SphereStep) * SphereStep
	}
	return normalise(out)
}

// Move goes angle radians from the direction dir along the great circle that leaves it at the given bearing, in radians from
// a tangent that depends on dir alone. It returns a unit vector; dir is treated as by Draw.
func Move(dir [3]float64, bearing, angle float64) [3]float64 {
	d := normalise(dir)
	// The axis farthest from d gives the first tangent.
	a, axis := [3]float64{}, 0
	for i := range d {
		if math.Abs(d[i]) < math.Abs(d[axis]) {
			axis = i
		}
	}
	for i := range a {
		a[i] = -d[axis] * d[i]
	}
	a[axis]++
	a = normalise(a)
	b := [3]float64{d[1]*a[2] - d[2]*a[1], d[2]*a[0] - d[0]*a[2], d[0]*a[1] - d[1]*a[0]}
	sinB, cosB := math.Sincos(bearing)
	sin, cos := math.Sincos(angle)
	for i := range d {
		d[i] = cos*d[i] + sin*(cosB*a[i]+sinB*b[i])
	}
	return normalise(d)
}

func normalise(v [3]float64) [3]float64 {
	big := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	if !(big > 0 && big <= math.MaxFloat64) {
		return [3]float64{0, 0, 1}
	}
	_, e := math.Frexp(big)
	for i := range v {
		v[i] = math.Ldexp(v[i], -e) // a power of two: no rounding, no overflow
	}
	n := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	for i := range v {
		v[i] /= n
	}
	return v
}
