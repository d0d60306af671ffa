package noise

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

func spherical(t testing.TB, rate float64) *SphericalLaplace {
	t.Helper()
	return must[*SphericalLaplace](t)(NewSphericalLaplace(rate))
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// angleBetween is accurate near 0 and π.
func angleBetween(a, b [3]float64) float64 {
	c := [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	return math.Atan2(math.Sqrt(dot(c, c)), dot(a, b))
}

// F is the integral of its density (1+e²)·e^(−eρ)·sin ρ/(1+e^(−eπ)), and Radius inverts it.
func TestSphericalLaw(t *testing.T) {
	for _, rate := range []float64{1e-6, 0.1, 1, 0.0125 * 180 / math.Pi, 28.6, 1000, 4096} {
		l := spherical(t, rate)
		if l.CDF(0) != 0 || l.CDF(-1) != 0 || math.Abs(l.CDF(math.Pi)-1) > 1e-15 || l.CDF(7) != l.CDF(math.Pi) {
			t.Errorf("rate %v: F(0) = %v, F(π) = %v", rate, l.CDF(0), l.CDF(math.Pi))
		}
		to := min(math.Pi, 20/rate)
		const n = 20_000
		sum := 0.0
		for i := range n { // midpoints
			rho := (float64(i) + 0.5) * to / n
			sum += (1 + rate*rate) * math.Exp(-rate*rho) * math.Sin(rho) / (1 + math.Exp(-rate*math.Pi)) * to / n
			if i%1000 == 999 && math.Abs(sum-l.CDF(rho+to/n/2)) > 1e-6 {
				t.Fatalf("rate %v: F(%v) = %v, the integral is %v", rate, rho, l.CDF(rho), sum)
			}
		}
		for _, u := range []float64{1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1 - 1e-9} {
			rho := l.Radius(u)
			if got := l.CDF(rho); math.Abs(got-u) > 1e-15+1e-9*min(u, 1-u) {
				t.Errorf("rate %v: F(Radius(%v)) = %v", rate, u, got)
			}
		}
		for _, above := range []float64{0x1p-64, 1e-15, 1e-9, 0.1} {
			if _, got := l.split(l.radius(1-above, above)); math.Abs(got-above) > 2e-16+1e-12*above || rate > 20 && math.Abs(got/above-1) > 1e-9 {
				t.Errorf("rate %v: 1−F at the radius for %v is %v", rate, above, got)
			}
		}
		if a, b := l.Radius(0), l.Radius(1); !(a >= 0 && a < 1e-6 && b <= math.Pi && b > a) {
			t.Errorf("rate %v: radii from %v to %v", rate, a, b)
		}
	}
}

func TestSphericalDraws(t *testing.T) {
	const n = 30_000
	for _, rate := range []float64{0.5, 28.6} {
		for _, dir := range [][3]float64{{0, 0, 1}, {1, 0, 0}, {0.6, 0, -0.8}, {-1, 2, 0.5}} {
			l, src, d := spherical(t, rate), Seeded(40), normalise(dir)
			angle, bearing := make([]float64, n), make([]float64, n)
			for i := range angle {
				out := l.Draw(src, dir)
				if math.Abs(dot(out, out)-1) > 1e-15 {
					t.Fatalf("%v is not a unit vector", out)
				}
				angle[i] = angleBetween(d, out)
				a, b := Move(d, 0, math.Pi/2), Move(d, math.Pi/2, math.Pi/2)
				bearing[i] = math.Atan2(dot(b, out), dot(a, out))
			}
			if err := stattest.Kolmogorov(angle, l.CDF); err != nil {
				t.Errorf("rate %v, %v: %v", rate, dir, err)
			}
			if err := stattest.Kolmogorov(bearing, func(b float64) float64 { return 0.5 + b/(2*math.Pi) }); err != nil {
				t.Errorf("rate %v, %v, bearing: %v", rate, dir, err)
			}
			if stattest.Kolmogorov(angle, spherical(t, rate/0.7).CDF) == nil {
				t.Errorf("rate %v: scale × 0.7 passed", rate)
			}
		}
	}
}

// Near the antipode, where the planar radius along great circles has no finite ratio, the ratio is within e^(rate·d).
func TestSphericalAtTheAntipode(t *testing.T) {
	const n, rate = 300_000, 0.7
	l, src := spherical(t, rate), Seeded(41)
	from := [3]float64{0, 0, 1}
	to := Move(from, 0, 0.5)
	caps := func(dir [3]float64) (k int64) { // releases within 0.3 of the antipode of from
		for range n {
			if l.Draw(src, dir)[2] < -math.Cos(0.3) {
				k++
			}
		}
		return k
	}
	a, b := caps(from), caps(to)
	lo, hi := stattest.Lower(b, n, stattest.Alarm/4), stattest.Upper(a, n, stattest.Alarm/4)
	if math.Log(lo/hi) > rate*0.5 {
		t.Errorf("%d against %d releases: more than e^%v", b, a, rate*0.5)
	}
	if lo <= stattest.Upper(a, n, stattest.Alarm/4) {
		t.Errorf("%d against %d releases: the test sees nothing", b, a)
	}
}

// What is released lies on the grid: rounding it again changes nothing but the last bit.
func TestSphericalGrid(t *testing.T) {
	l, src := spherical(t, 28.6), Seeded(42)
	for range 20_000 {
		out := l.Draw(src, [3]float64{0.1, 0.9, 0.3})
		var on [3]float64
		for i, v := range out {
			on[i] = math.RoundToEven(v/SphereStep) * SphereStep
		}
		again := normalise(on)
		if math.Abs(dot(on, on)-1) > 6*SphereStep || angleBetween(again, out) > 2*SphereStep {
			t.Fatalf("%v is not near the grid", out)
		}
	}
}

func TestMove(t *testing.T) {
	src := Seeded(43)
	for range 2000 {
		d := [3]float64{src.NormFloat64(), src.NormFloat64(), src.NormFloat64()}
		angle, bearing := math.Pi*src.Float64(), 7*src.Float64()
		out := Move(d, bearing, angle)
		if math.Abs(angleBetween(d, out)-angle) > 1e-14 || math.Abs(dot(out, out)-1) > 1e-15 {
			t.Fatalf("from %v by %v: %v", d, angle, out)
		}
		if back := Move(d, bearing+math.Pi, -angle); angleBetween(out, back) > 1e-13 {
			t.Fatalf("a great circle is not one: %v, %v", out, back)
		}
	}
	up := [3]float64{0, 0, 1}
	for _, bad := range [][3]float64{{}, {math.NaN(), 1, 0}, {1, math.Inf(1), 0}} {
		if got := Move(bad, 1, 0.5); got != Move(up, 1, 0.5) {
			t.Errorf("from %v: %v", bad, got)
		}
	}
	for _, d := range [][3]float64{{1e300, 1e300, 0}, {0, 5e-324, 0}, {1e-200, 0, 1e-200}} {
		if n := normalise(d); math.Abs(dot(n, n)-1) > 1e-15 {
			t.Errorf("%v has direction %v", d, n)
		}
	}
}

func TestSphericalRates(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 4097} {
		if l, err := NewSphericalLaplace(bad); err == nil || l != nil {
			t.Errorf("rate %v: accepted", bad)
		}
	}
	if l := spherical(t, 3); l.Rate() != 3 {
		t.Errorf("rate %v", l.Rate())
	}
}

func TestSphericalGolden(t *testing.T) {
	got := spherical(t, 28.6).Draw(Seeded(1), [3]float64{0, 0, 1})
	for i, v := range goldenSphere {
		if math.Abs(got[i]-v) > 1e-15 { // sines may differ by a bit between platforms, the grid point must not
			t.Errorf("%v", got)
		}
	}
}
