package stream

import (
	"fmt"
	"math"
	"sync"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Surface is what gaze lies on: a screen in px or degrees, or the sphere of
// directions.
type Surface struct {
	Unit   string // of positions: px (default) or deg
	Sphere bool   // positions are yaw and pitch in degrees
	// Width and Height of the screen in Unit, from its top left corner: what is
	// published is clamped to it. 0 = it is not clamped.
	Width, Height float64
}

// Units of positions.
const (
	pixels  = "px"
	degrees = "deg"
)

// reach is how far from the origin, in radii, positions are told apart. Beyond it
// they count as lying on its edge, so that all sums below are exact enough.
const reach = 1 << 16

func (s *Surface) resolve(radius float64) error {
	if s.Unit == "" {
		s.Unit = pixels
		if s.Sphere {
			s.Unit = degrees
		}
	}
	side := max(s.Width, s.Height)
	switch {
	case s.Unit != pixels && s.Unit != degrees:
		return fmt.Errorf("stream: positions must be in px or deg, got %q", s.Unit)
	case s.Sphere && s.Unit != degrees:
		return fmt.Errorf("stream: on the sphere positions, radius and sigma are in deg, got %q", s.Unit)
	case !(radius > 0) || math.IsInf(radius, 0):
		return fmt.Errorf("stream: radius must be positive, got %v %s", radius, s.Unit)
	case radius < 1e-9 || radius > 1e9:
		return fmt.Errorf("stream: radius must lie between 1e-9 and 1e9 %s, got %v", s.Unit, radius)
	case s.Sphere && !(radius >= 1e-3 && radius <= 180):
		return fmt.Errorf("stream: on the sphere the radius must lie between 0.001 and 180 deg, got %v", radius)
	case !(s.Width >= 0) || !(s.Height >= 0) || math.IsInf(side, 0):
		return fmt.Errorf("stream: width and height must not be negative, got %v × %v", s.Width, s.Height)
	case (s.Width > 0) != (s.Height > 0) || s.Sphere && side > 0:
		return fmt.Errorf("stream: width and height belong together, to a screen, got %v × %v", s.Width, s.Height)
	case side > reach*radius:
		return fmt.Errorf("stream: the radius must be at least 1/%d of the screen's width and height, got %v %s", reach, radius, s.Unit)
	}
	return nil
}

// gridOf is the step of published positions: a power of two far below the radius.
func gridOf(radius float64) float64 {
	_, e := math.Frexp(radius)
	return math.Ldexp(1, e-11)
}

// tidy clamps a drawn position to the screen and puts it on the grid. Like all
// that happens to what was drawn, it is free.
func (s *Surface) tidy(p point, grid float64) point {
	p = point{math.RoundToEven(p.x/grid) * grid, math.RoundToEven(p.y/grid) * grid}
	if s.Width > 0 {
		p = point{clamp(p.x, s.Width, grid), clamp(p.y, s.Height, grid)}
	}
	return p
}

// clamp keeps a multiple of the grid in [0, side).
func clamp(v, side, grid float64) float64 {
	return min(max(v, 0), max(0, math.Ceil(side/grid)-1)*grid)
}

// point is a position on a surface.
type point struct{ x, y float64 }

// nowhere is what is said before anything was published.
var nowhere = point{nan, nan}

// geometry draws and compares positions on a surface.
type geometry interface {
	// move draws a position whose law changes by a factor of at most e^epsilon
	// when p moves by the radius.
	move(src *noise.Source, p point, epsilon float64) point
	// distance of gaze from what was published, in radii.
	distance(gaze, published point) float64
	// between is the part f of the way from a to b.
	between(a, b point, f float64) point
}

func newGeometry(s Surface, radius float64) (geometry, error) {
	if s.Sphere {
		return newGlobe(radius), nil
	}
	return newPlane(radius)
}

// step is the rate of the table, per step of the lattice, that all planar noise
// comes from: a publication of ε has a lattice of about step·r/ε.
const step = 0x1p-26

// least is the smallest ε that one publication may have.
const least = 0x1p-16

var planarTable = sync.OnceValues(func() (*noise.PlanarLaplace, error) { return noise.NewPlanarLaplace(step) })

// plane is planar Laplace noise on a lattice of its own for every ε (PROOF.md,
// section 2): the noise is drawn in lattice steps from one table, and what is
// released is the step times an integer.
type plane struct {
	table  *noise.PlanarLaplace
	radius float64
	edge   float64
}

func newPlane(radius float64) (*plane, error) {
	t, err := planarTable()
	return &plane{t, radius, radius * reach}, err
}

// pitch is the lattice step u at which step·(r/u + 2) ≤ ε: 2 covers what
// rounding to the lattice (√2) and the division add to a distance.
func (p *plane) pitch(epsilon float64) float64 {
	return dp.RoundUp(step * p.radius / (epsilon - 2*step))
}

// inside clamps a coordinate to so many times the edge.
func (p *plane) inside(v, times float64) float64 { return min(max(v, -times*p.edge), times*p.edge) }

func (p *plane) move(src *noise.Source, from point, epsilon float64) point {
	u := p.pitch(epsilon)
	dx, dy := p.table.Draw(src)
	return point{
		(math.RoundToEven(p.inside(from.x, 1)/u) + float64(dx)) * u,
		(math.RoundToEven(p.inside(from.y, 1)/u) + float64(dy)) * u,
	}
}

func (p *plane) distance(gaze, published point) float64 {
	dx := (p.inside(gaze.x, 1) - p.inside(published.x, 2)) / p.radius
	dy := (p.inside(gaze.y, 1) - p.inside(published.y, 2)) / p.radius
	return math.Sqrt(dx*dx + dy*dy)
}

func (p *plane) between(a, b point, f float64) point { return straight(a, b, f) }

func straight(a, b point, f float64) point { return point{a.x + f*(b.x-a.x), a.y + f*(b.y-a.y)} }

// globe is Laplace noise on the sphere; positions are yaw and pitch in degrees.
type globe struct{ radius float64 } // rad

func newGlobe(radius float64) *globe { return &globe{radius * math.Pi / 180} }

func (g *globe) move(src *noise.Source, p point, epsilon float64) point {
	l, err := noise.NewSphericalLaplace(epsilon / g.radius)
	if err != nil {
		return nowhere // refused when the mechanism was made
	}
	p = turned(p)
	d := gaze.DirectionOf(p.x, p.y)
	out := l.Draw(src, [3]float64{d.X, d.Y, d.Z})
	return angles(gaze.Direction{X: out[0], Y: out[1], Z: out[2]})
}

func angles(d gaze.Direction) point {
	yaw, pitch := d.Angles()
	return point{yaw, pitch}
}

// turned leaves out whole turns, exactly: of angles of 10¹⁶ degrees floating point
// would see directions that are none of theirs.
func turned(p point) point { return point{math.Remainder(p.x, 360), math.Remainder(p.y, 360)} }

func (g *globe) distance(a, b point) float64 {
	a = turned(a)
	return gaze.GreatCircle(a.x, a.y, b.x, b.y) * math.Pi / 180 / g.radius
}

// between goes along the great circle; there is none between opposite points.
func (g *globe) between(from, to point, f float64) point {
	a, b := gaze.DirectionOf(from.x, from.y), gaze.DirectionOf(to.x, to.y)
	angle := a.AngleTo(b) * math.Pi / 180
	if !(math.Sin(angle) > 1e-9) {
		return to
	}
	u, v := math.Sin((1-f)*angle)/math.Sin(angle), math.Sin(f*angle)/math.Sin(angle)
	return angles(gaze.Direction{X: u*a.X + v*b.X, Y: u*a.Y + v*b.Y, Z: u*a.Z + v*b.Z})
}

// printedPlane is the noise as printed, in floating point: Gamma(2) radius and
// uniform angle, on the sphere too, whose yaw and pitch are taken for a plane.
type printedPlane struct{ radius float64 }

func (p printedPlane) move(src *noise.Source, from point, epsilon float64) point {
	rho := (src.ExpFloat64() + src.ExpFloat64()) * p.radius / epsilon
	sin, cos := math.Sincos(2 * math.Pi * src.Float64())
	return point{from.x + rho*cos, from.y + rho*sin}
}

func (p printedPlane) distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) / p.radius }

func (p printedPlane) between(a, b point, f float64) point { return straight(a, b, f) }

// delta counts 2⁻³⁰ for each publication of a window on the sphere, whose law is
// inverted in floating point (noise/PROOF.md §8); on a plane it is exact.
func (s Surface) delta(publications int) float64 {
	if !s.Sphere {
		return 0
	}
	return dp.RoundUp(float64(publications) * 0x1p-30)
}
