package stream

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// distances between gaze and what is published of it, in radii.
func distances(t *testing.T, m Fixed, x, y float64, n int) []float64 {
	t.Helper()
	r, err := m.prepared()
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.stream(noise.Seeded(5))
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, n)
	for i := range out {
		s.Reset()
		px, py := s.Next(0, x, y)
		out[i] = r.geometry.distance(point{x, y}, point{px, py})
	}
	return out
}

// follows reports a law that the distances do not follow, after scaling.
func follows(d []float64, by float64, cdf func(float64) float64) error {
	u := make([]float64, len(d))
	for i, v := range d {
		u[i] = cdf(v * by)
	}
	return stattest.Kolmogorov(u, func(x float64) float64 { return x })
}

// TestLawOfPublications: the distance of a publication of ε has a Gamma(2) law of
// rate ε per radius on the plane, and noise's own law on the sphere; 0.7 times
// the noise is told apart. On the plane the direction is uniform.
func TestLawOfPublications(t *testing.T) {
	const n = 40_000
	m := Fixed{Epsilon: 2, Window: time.Second, Radius: 50, Every: time.Second + 1}
	gamma := func(d float64) float64 { return 1 - math.Exp(-2*d)*(1+2*d) }
	d := distances(t, m, 320, 240, n)
	if err := follows(d, 1, gamma); err != nil {
		t.Errorf("plane: %v", err)
	}
	if follows(d, 0.7, gamma) == nil {
		t.Error("plane: 0.7 times the noise passes")
	}
	m.Radius, m.Surface = 10, Surface{Sphere: true}
	l, err := noise.NewSphericalLaplace(2 / (10 * math.Pi / 180))
	if err != nil {
		t.Fatal(err)
	}
	sphere := func(d float64) float64 { return l.CDF(d * 10 * math.Pi / 180) }
	d = distances(t, m, 170, -80, n) // near a pole, where yaw means little
	if err := follows(d, 1, sphere); err != nil {
		t.Errorf("sphere: %v", err)
	}
	if follows(d, 0.7, sphere) == nil {
		t.Error("sphere: 0.7 times the noise passes")
	}
}

func TestDirectionsAreUniform(t *testing.T) {
	r, err := Fixed{Epsilon: 2, Window: time.Second, Radius: 50}.prepared()
	if err != nil {
		t.Fatal(err)
	}
	src := noise.Seeded(6)
	angles := make([]float64, 20_000)
	for i := range angles {
		p := r.geometry.move(src, point{100, 100}, 1)
		angles[i] = math.Atan2(p.y-100, p.x-100)/(2*math.Pi) + 0.5
	}
	if err := stattest.Kolmogorov(angles, func(x float64) float64 { return x }); err != nil {
		t.Error(err)
	}
}

// TestLawOfTests: a test holds with the probability that Laplace noise of the
// planned scale gives it.
func TestLawOfTests(t *testing.T) {
	m := Kaleido{Epsilon: 3, Window: 500 * time.Millisecond, Radius: 50, Threshold: 25}
	for _, published := range []bool{false, true} {
		m.Published = published
		k, err := m.prepare()
		if err != nil {
			t.Fatal(err)
		}
		src := noise.Seeded(7)
		for _, d := range []float64{0, 0.5, 1, 4} {
			const n = 100_000
			held := 0
			for range n {
				if k.rule.near.passes(d, src) {
					held++
				}
			}
			z := (m.Threshold - d*m.Radius) / k.testScale()
			want := 0.5 * math.Exp(-math.Abs(z))
			if z > 0 {
				want = 1 - want
			}
			if got := float64(held) / n; math.Abs(got-want) > 5.5*math.Sqrt(want*(1-want)/n)+1e-9 {
				t.Errorf("published %v, distance %v: %v of the tests hold, want %v", published, d, got, want)
			}
		}
	}
}

// TestTestDistances: two positions that are a radius apart are floored to
// integers whose difference is paid for.
func TestTestDistances(t *testing.T) {
	k, err := Kaleido{Epsilon: 3, Window: 500 * time.Millisecond, Radius: 50}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	src := noise.Seeded(8)
	most := 0.0
	for range 200_000 {
		said := point{1e5 * (src.Float64() - 0.5), 1e5 * (src.Float64() - 0.5)}
		g, angle := point{1e4 * (src.Float64() - 0.5), 1e4 * (src.Float64() - 0.5)}, math.Atan2(said.y, said.x)
		a := math.Floor(k.rule.geometry.distance(g, said) * k.rule.near.steps)
		b := math.Floor(k.rule.geometry.distance(point{g.x + 50*math.Cos(angle), g.y + 50*math.Sin(angle)}, said) * k.rule.near.steps)
		most = max(most, math.Abs(a-b))
	}
	paid := k.testEpsilon * testTable
	if most > paid || most < 0.999*paid {
		t.Errorf("distances differ by %v steps, %v are paid for", most, paid)
	}
}

// TestLatticeIsPaid: ε pays for the lattice distance of any two positions a radius
// apart: the most of them, with rounding, is between the plain r/u and 2 more.
func TestLatticeIsPaid(t *testing.T) {
	p, err := newPlane(50)
	if err != nil {
		t.Fatal(err)
	}
	src := noise.Seeded(9)
	for _, epsilon := range []float64{least, 0.01, 1, maxEpsilon} {
		u := p.pitch(epsilon)
		if cost := step * (50/u + 2); cost > epsilon || cost < epsilon*(1-1e-6) {
			t.Errorf("ε = %v: %v is spent", epsilon, cost)
		}
		for range 20_000 {
			x, y, angle := 1e6*(src.Float64()-0.5), 1e6*(src.Float64()-0.5), 2*math.Pi*src.Float64()
			dx := math.RoundToEven(x/u) - math.RoundToEven((x+50*math.Cos(angle))/u)
			dy := math.RoundToEven(y/u) - math.RoundToEven((y+50*math.Sin(angle))/u)
			if step*math.Hypot(dx, dy) > epsilon {
				t.Fatalf("ε = %v: a shift of the radius costs %v", epsilon, step*math.Hypot(dx, dy))
			}
		}
	}
}

// TestGlobe: ways on the sphere are great circles, across the date line too.
func TestGlobe(t *testing.T) {
	g := newGlobe(1)
	east, west := point{170, 0}, point{-170, 0}
	if p := g.between(east, west, 0.25); math.Abs(p.x-175) > 1e-9 || math.Abs(p.y) > 1e-9 {
		t.Errorf("a quarter of the way over the date line is %v", p)
	}
	if d := g.distance(east, west); math.Abs(d-20) > 1e-9 {
		t.Errorf("20 deg are %v radii of 1 deg", d)
	}
	if p := g.between(point{}, point{180, 0}, 0.5); math.Abs(gaze.WrapDegrees(p.x)) != 180 || p.y != 0 {
		t.Errorf("between opposite points: %v", p)
	}
}
