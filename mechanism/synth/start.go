package synth

import (
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// starts draws noisy first positions: planar Laplace noise on a lattice, whose
// step is a power of two below the radius by 2^20 or more (PROOFS C4).
type starts struct {
	step  float64 // u
	rate  float64 // e, per unit of positions
	noise *noise.PlanarLaplace
}

// newStarts charges the lattice: rounding moves two neighbours at most √2·u
// further apart.
func newStarts(epsilon, radius float64) (s starts, err error) {
	_, e := math.Frexp(radius)
	s.step = math.Ldexp(1, e-21)
	s.rate = dp.RoundDown(epsilon / (radius + math.Sqrt2*s.step))
	s.noise, err = noise.NewPlanarLaplace(s.rate * s.step)
	return s, err
}

// draw is the report of a position inside the area: a point of the lattice.
func (s *starts) draw(p point, src *noise.Source) point {
	dx, dy := s.noise.Draw(src)
	return point{
		(math.RoundToEven(p.x/s.step) + float64(dx)) * s.step,
		(math.RoundToEven(p.y/s.step) + float64(dy)) * s.step,
	}
}
