package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// mustLogGaussian fails unless the picture has the right size and only finite
// values that are not negative.
func mustLogGaussian(t rapid.TB, p Problem) []float64 {
	t.Helper()
	out, err := LogGaussian(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Map) != p.Width*p.Height {
		t.Fatalf("got %d cells, want %d×%d", len(out.Map), p.Width, p.Height)
	}
	for i, v := range out.Map {
		if !(v >= 0) || math.IsInf(v, 0) {
			t.Fatalf("cell %d: got %v", i, v)
		}
	}
	if math.IsNaN(out.Structure) {
		t.Fatal("structure is NaN")
	}
	return out.Map
}

// The picture is the better the less noise there is, and nearly the truth when
// there is next to none. Places 1: nobody is clipped.
func TestLogGaussianFindsTheMap(t *testing.T) {
	for _, s := range scenes() {
		before := 0.0
		for _, noise := range []float64{2.5, 1, 0.2, 0.01} {
			p, truth := s.release(generator(11), 60, 1, noise)
			p.Mass = 1
			cc := correlation(mustLogGaussian(t, p), truth)
			t.Logf("%s: noise %v: CC %.4f", s.name, noise, cc)
			if cc < before {
				t.Errorf("%s: noise %v: CC %.4f, with more noise %.4f", s.name, noise, cc, before)
			}
			before = cc
		}
		if before < 0.99 {
			t.Errorf("%s: CC %.4f without noise", s.name, before)
		}
	}
}

// Five releases per scene at n = 100, ε = 1: the mean correlation is above that
// of both classical repairs on peaks and lines; on broad maps, for which a
// stationary filter is made, it is no worse than by 0.02.
func TestLogGaussianBeatsTheOthers(t *testing.T) {
	margin := map[string]float64{"peaky": 0.02, "broad": -0.02, "lines": 0}
	for _, s := range scenes() {
		var mine, wiener, cut float64
		for seed := range uint64(5) {
			p, truth := s.release(generator(seed), 100, 5, 2.75)
			mine += correlation(mustLogGaussian(t, p), truth) / 5
			spectral, err := Spectral(p)
			if err != nil {
				t.Fatal(err)
			}
			threshold, err := Threshold(p, 2)
			if err != nil {
				t.Fatal(err)
			}
			wiener += correlation(spectral, truth) / 5
			cut += correlation(threshold, truth) / 5
		}
		t.Logf("%s: %.3f, spectral %.3f, threshold %.3f", s.name, mine, wiener, cut)
		if mine < max(wiener, cut)+margin[s.name] {
			t.Errorf("%s: %.3f, spectral %.3f, threshold %.3f", s.name, mine, wiener, cut)
		}
	}
}

// Clipping every map to a third of its norm leaves the shape and the total.
func TestLogGaussianUndoesTheLossByClipping(t *testing.T) {
	p, truth := scenes()[0].release(generator(12), 300, 40, 0.3)
	p.Mass = 1
	got := mustLogGaussian(t, p)
	var sum, want float64
	for i := range got {
		sum += got[i]
		want += truth[i]
	}
	if math.Abs(sum/want-1) > 0.02 {
		t.Errorf("total %.4f, want %.4f", sum, want)
	}
	p.Mass = 0
	clipped := 0.0
	for _, v := range mustLogGaussian(t, p) {
		clipped += v
	}
	if clipped > 0.8*want {
		t.Errorf("total %.4f without a public mass: the maps were not clipped", clipped)
	}
}

// A map without signal is flat: its values differ by less than one noise floor
// of Plain, which itself ranges over more than six.
func TestLogGaussianOfNothingIsFlat(t *testing.T) {
	r := generator(13)
	p := Problem{Width: 50, Height: 40, Margin: 12, Sigma: 0.01, QueryBlur: 3 / math.Sqrt2, PictureBlur: 3, Mass: 1}
	for trial := range 3 {
		p.Y = make([]float64, p.Stride()*p.Rows())
		for i := range p.Y {
			if trial > 0 {
				p.Y[i] = p.Sigma * r.NormFloat64()
			}
		}
		floor, err := NoiseFloor(p)
		if err != nil {
			t.Fatal(err)
		}
		low, high := math.Inf(1), math.Inf(-1)
		out := mustLogGaussian(t, p)
		for i, v := range out {
			x, y := i%p.Width, i/p.Width
			if x < 9 || y < 9 || x >= p.Width-9 || y >= p.Height-9 {
				continue // the picture's blur darkens the border
			}
			low, high = min(low, v), max(high, v)
		}
		if high-low > floor {
			t.Errorf("trial %d: from %v to %v, noise floor %v", trial, low, high, floor)
		}
	}
}

// There is something to see in four hot spots, and nothing where everybody
// looks everywhere: that never exceeded 1.1 in 600 draws of this kind.
func TestStructure(t *testing.T) {
	p, _ := scenes()[0].release(generator(19), 100, 5, 2.75)
	seen, err := LogGaussian(p)
	if err != nil {
		t.Fatal(err)
	}
	if seen.Structure < 10 {
		t.Errorf("structure %.1f in a map with four hot spots", seen.Structure)
	}
	even := make([]float64, len(p.Y))
	for i := range p.Width * p.Height {
		even[(i/p.Width+p.Margin)*p.Stride()+i%p.Width+p.Margin] = 0.8 / float64(p.Width*p.Height)
	}
	newBlurrer(p.QueryBlur, p.Stride(), p.Rows()).apply(even, even)
	r := generator(20)
	for _, sigma := range []float64{1e-4, 1e-3, 1e-2} {
		for i := range p.Y {
			p.Y[i] = even[i] + sigma*r.NormFloat64()
		}
		p.Sigma, p.Mass = sigma, 1
		nothing, err := LogGaussian(p)
		if err != nil {
			t.Fatal(err)
		}
		if nothing.Structure > 3 {
			t.Errorf("noise %g: structure %.1f", sigma, nothing.Structure)
		}
	}
}

// The unit of the map does not matter, whether its total is public or not.
func TestLogGaussianScales(t *testing.T) {
	for _, mass := range []float64{0, 1} {
		p, _ := scenes()[0].release(generator(21), 100, 5, 2.75)
		p.Mass = mass
		want := mustLogGaussian(t, p)
		const k = 256 // exact in floating point
		scaled(p.Y, p.Y, k)
		p.Sigma *= k
		p.Mass *= k
		for i, v := range mustLogGaussian(t, p) {
			if math.Abs(v-k*want[i]) > 1e-9*k*want[i] {
				t.Fatalf("mass %v, cell %d: got %v, want %v", mass, i, v, k*want[i])
			}
		}
	}
}

// The prior decides where the release says nothing, and is overruled where it
// speaks against it.
func TestLogGaussianPrior(t *testing.T) {
	s := scenes()[1] // around the centre
	weak, truth := s.release(generator(14), 30, 5, 6)
	without := correlation(mustLogGaussian(t, weak), truth)
	weak.Prior = Centre(weak.Width, weak.Height)
	with := correlation(mustLogGaussian(t, weak), truth)
	if with <= without {
		t.Errorf("CC %.3f with a fitting prior, %.3f without", with, without)
	}
	corner := scene{"corner", 60, 45, func(r *rand.Rand) []spot { return looks(r, 2, spot{9, 8, 1}) }}
	clear, truth := corner.release(generator(15), 100, 5, 2.75)
	clear.Prior = Centre(clear.Width, clear.Height)
	if cc := correlation(mustLogGaussian(t, clear), truth); cc < 0.97 {
		t.Errorf("CC %.3f in a corner with a centred prior", cc)
	}
}

func TestLogGaussianRepeats(t *testing.T) {
	p, _ := scenes()[0].release(generator(16), 50, 5, 3)
	before := append([]float64(nil), p.Y...)
	a, b := mustLogGaussian(t, p), mustLogGaussian(t, p)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("cell %d: %v, then %v", i, a[i], b[i])
		}
	}
	for i := range before {
		if p.Y[i] != before[i] {
			t.Fatal("the release was modified")
		}
	}
}

// Any shape, blur, scale and content gives a finite picture of the right mass.
func TestLogGaussianTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Problem{
			Width: rapid.IntRange(1, 14).Draw(t, "width"), Height: rapid.IntRange(1, 14).Draw(t, "height"),
			Margin:      rapid.IntRange(0, 5).Draw(t, "margin"),
			Sigma:       rapid.SampledFrom([]float64{0, 1e-30, 1e-6, 1, 1e6, 1e30}).Draw(t, "sigma"),
			QueryBlur:   rapid.SampledFrom([]float64{0, 0.5, 1.5, 3, 6}).Draw(t, "query"),
			PictureBlur: rapid.SampledFrom([]float64{0, 0.7, 2, 5}).Draw(t, "picture"),
			Mass:        rapid.SampledFrom([]float64{0, 1, 7}).Draw(t, "mass"),
		}
		scale := rapid.SampledFrom([]float64{0, 1e-6, 1, 1e6, -3}).Draw(t, "scale")
		constant := rapid.Bool().Draw(t, "constant")
		r := generator(rapid.Uint64().Draw(t, "seed"))
		p.Y = make([]float64, p.Stride()*p.Rows())
		for i := range p.Y {
			p.Y[i] = scale
			if !constant {
				p.Y[i] *= r.NormFloat64()
			}
		}
		if rapid.Bool().Draw(t, "prior") {
			p.Prior = Centre(p.Width, p.Height)
		}
		sum := 0.0
		for _, v := range mustLogGaussian(t, p) {
			sum += v
		}
		if p.Mass > 0 && !(sum > 0 && sum < p.Mass*(1+1e-9)) {
			t.Fatalf("mass %v, want at most %v", sum, p.Mass)
		}
	})
}

func TestLogGaussianRefuses(t *testing.T) {
	bad := map[string]func(*Problem){
		"mass":          func(p *Problem) { p.Mass = -1 },
		"mass NaN":      func(p *Problem) { p.Mass = math.NaN() },
		"prior length":  func(p *Problem) { p.Prior = []float64{1} },
		"prior zero":    func(p *Problem) { p.Prior = make([]float64, 12) },
		"prior infinit": func(p *Problem) { p.Prior = Centre(4, 3); p.Prior[2] = math.Inf(1) },
		"map":           func(p *Problem) { p.Y = nil },
	}
	for name, spoil := range bad {
		p := Problem{Width: 4, Height: 3, Margin: 1, Sigma: 1, QueryBlur: 1, PictureBlur: 2, Y: make([]float64, 30)}
		spoil(&p)
		if _, err := LogGaussian(p); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// The gradient of a model agrees with differences of its value.
func TestModelGradient(t *testing.T) {
	p, _ := scenes()[0].release(generator(17), 50, 5, 3)
	c := coarsen(p)
	m := newModel(c, c.field(p, 2), c.share(p, nil), parabolas(c))
	m.amplitude = 1
	r := generator(18)
	w := make([]float64, m.weights())
	for i := range w {
		w[i] = 0.3 * r.NormFloat64()
	}
	g, unused := make([]float64, len(w)), make([]float64, len(w))
	m.value(w, g)
	for _, i := range []int{0, 1, 3, 5, 6, 7, 40, len(w) - 1} {
		const h = 1e-4
		at := w[i]
		w[i] = at + h
		up := m.value(w, unused)
		w[i] = at - h
		down := m.value(w, unused)
		w[i] = at
		if d := (up - down) / (2 * h); math.Abs(d-g[i]) > 1e-4*(1+math.Abs(d)) {
			t.Errorf("weight %d: gradient %v, difference %v", i, g[i], d)
		}
	}
}

// The field of independent weights has the variance it promises, away from the
// border of its rectangle, up to what lies beyond the frequency limit.
func TestFieldVariance(t *testing.T) {
	c := &coarse{cols: 30, rows: 24, query: 1}
	f := newField(c, 4, 10, 3)
	v := 0.0
	for i := range f.power {
		v += f.power[i] * sq(f.cx[15*f.nx+i%f.nx]) * sq(f.cy[12*f.ny+i/f.nx])
	}
	if math.Abs(v-1) > 0.05 {
		t.Errorf("variance %v", v)
	}
}

// The local approximation against the determinant itself, on a uniform signal.
func TestVolume(t *testing.T) {
	p := Problem{Width: 24, Height: 20, Margin: 10, Sigma: 1e-4, QueryBlur: 1.5, PictureBlur: 2, Mass: 1}
	p.Y = make([]float64, p.Stride()*p.Rows())
	c := coarsen(p)
	m := newModel(c, c.field(p, 3), c.share(p, nil), nil)
	m.amplitude = 1
	m.expose(make([]float64, m.weights()))
	got := 2 * m.occam(m.f.volume())
	// Columns of J, one per weight of the field; ln det(1+JᵀJ) by elimination.
	for i, power := range m.f.power {
		m.a[i] = 0
		if power > 0 {
			a := make([]float64, len(m.a))
			a[i] = math.Sqrt(power)
			z := make([]float64, len(m.z))
			m.f.surface(z, a)
			m.trend = append(m.trend, z)
		}
	}
	want := m.trendVolume()
	if math.Abs(got-want) > 0.15*want {
		t.Errorf("ln det %v, exact %v", got, want)
	}
}

func TestCentreSumsToOne(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {100, 75}, {3, 900}} {
		sum := 0.0
		for _, v := range Centre(size[0], size[1]) {
			if !(v > 0) {
				t.Fatalf("%v: got %v", size, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%v: sum %v", size, sum)
		}
	}
}

func BenchmarkLogGaussian(b *testing.B) {
	for _, size := range [][2]int{{100, 75}, {210, 131}} {
		for _, s := range scenes()[:2] {
			b.Run(fmt.Sprintf("%s/%dx%d", s.name, size[0], size[1]), func(b *testing.B) {
				s.w, s.h = size[0], size[1]
				p, truth := s.release(generator(6), 100, 5, 2.75)
				var out *Picture
				for b.Loop() {
					var err error
					if out, err = LogGaussian(p); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(correlation(out.Map, truth), "CC")
			})
		}
	}
}
