package noise

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Golden draws: a change of platform, of Go, or of this room that changes what a seed gives is noticed here.
func TestSamplersGolden(t *testing.T) {
	for _, g := range goldenDraws {
		s := gaussianSampler(t, g.scale)
		if g.law == Laplace {
			s = laplaceSampler(t, g.scale)
		}
		if got := draws(s, len(g.want), 1); !slices.Equal(got, g.want) {
			t.Errorf("%v %v: %#v", g.law, g.scale, got)
		}
		src, one := Seeded(1), make([]int64, len(g.want))
		for i := range one {
			one[i] = s.Draw(src)
		}
		if !slices.Equal(one, g.draw) {
			t.Errorf("%v %v one by one: %#v", g.law, g.scale, one)
		}
	}
}

// The 100 millionth word does not matter less than the first: long blocks are sampled, and the sum of everything is golden.
func TestLongRunGolden(t *testing.T) {
	for i, s := range []*Sampler{laplaceSampler(t, 1000), gaussianSampler(t, 1<<20)} {
		sum := uint64(0)
		for _, z := range draws(s, 1<<20, 2) {
			sum = sum*31 + uint64(z)
		}
		if sum != goldenSums[i] {
			t.Errorf("%v: checksum %#x", s.law, sum)
		}
	}
}

func TestScalesAreChecked(t *testing.T) {
	for _, bad := range []float64{0, math.Copysign(0, -1), -1, math.NaN(), math.Inf(1), math.Inf(-1), MaxScale + 1, 1e300, -math.MaxFloat64} {
		for _, f := range []func(float64) (*Sampler, error){NewLaplace, NewGaussian} {
			if s, err := f(bad); err == nil || s != nil || !strings.HasPrefix(err.Error(), "noise: scale must be") {
				t.Errorf("scale %v: %v, %v", bad, s, err)
			}
		}
	}
}

// Any scale at all: an error, or a sampler that draws soon and what it should, roughly.
func checkAnyScale(t interface{ Fatalf(string, ...any) }, scale float64) {
	for _, f := range []func(float64) (*Sampler, error){NewLaplace, NewGaussian} {
		start := time.Now()
		s, err := f(scale)
		if good := scale > 0 && scale <= MaxScale; good != (err == nil) {
			t.Fatalf("scale %v: %v", scale, err)
		}
		if err != nil {
			continue
		}
		x := make([]int64, 500)
		s.Add(x, Seeded(math.Float64bits(scale)))
		sd := s.StdDev()
		for _, z := range x {
			if math.Abs(float64(z)) > 60*sd+1 {
				t.Fatalf("%v %v: drew %d", s.Law(), scale, z)
			}
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Fatalf("%v %v: took %v", s.Law(), scale, d)
		}
		if s.Scale() != scale || !(sd >= 0) || sd > 2*scale+1 {
			t.Fatalf("%v %v: scale %v, deviation %v", s.Law(), scale, s.Scale(), sd)
		}
	}
}

func TestAnyScale(t *testing.T) {
	for _, scale := range []float64{5e-324, 1e-308, 1e-200, 1e-154, 1e-20, 1e-3, 0.03, MaxScale, math.Nextafter(MaxScale, 0), math.Nextafter(1024, 2000)} {
		checkAnyScale(t, scale)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkAnyScale(t, math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "mantissa"), rapid.IntRange(-1070, 45).Draw(t, "exponent")))
	})
}

func FuzzScale(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 0.3, 1024, 1025, 1 << 40, 5e-324, math.NaN(), math.Inf(1)} {
		f.Add(math.Float64bits(x))
	}
	f.Fuzz(func(t *testing.T, b uint64) { checkAnyScale(t, math.Float64frombits(b)) })
}

func TestStdDev(t *testing.T) {
	for scale, want := range map[float64]float64{ // Σ z²P(z), summed
		0.3: sumStdDev(t, Laplace, 0.3), 1: sumStdDev(t, Laplace, 1), 40: sumStdDev(t, Laplace, 40),
	} {
		if got := laplaceSampler(t, scale).StdDev(); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("Laplace %v: %v, want %v", scale, got, want)
		}
	}
	for _, sigma := range []float64{0.2, 0.5, 1, 1.99, 2, 2.01, 40} {
		want := sumStdDev(t, Gaussian, sigma)
		if got := gaussianSampler(t, sigma).StdDev(); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("Gaussian %v: %v, want %v", sigma, got, want)
		}
	}
	if got := gaussianSampler(t, 1<<40).StdDev(); got != 1<<40 {
		t.Errorf("Gaussian 2^40: %v", got)
	}
}

// sumStdDev takes the masses from the integer arithmetic of the table.
func sumStdDev(t *testing.T, law Law, scale float64) float64 {
	s := odd(law, scale, layout{cells: 2000}, 0)
	v := 0.0
	for z, m := range s.ideal.masses(200).cell {
		p, _ := bigFloat(0).SetInt(m).Float64()
		v += float64(z) * float64(z) * math.Ldexp(p, -200)
	}
	return math.Sqrt(v)
}

func TestAddAdds(t *testing.T) {
	for _, s := range []*Sampler{laplaceSampler(t, 100), gaussianSampler(t, 1e6)} {
		for _, n := range []int{0, 1, 15, 1000, narrowLen, narrowLen + 1, 5000} {
			noise, x := draws(s, n, 3), make([]int64, n)
			for i := range x {
				x[i] = int64(i) - 7
			}
			s.Add(x, Seeded(3))
			for i := range x {
				if x[i] != int64(i)-7+noise[i] {
					t.Fatalf("%v, %d elements: element %d is %d", s.law, n, i, x[i])
				}
			}
		}
	}
}

func TestAddParallel(t *testing.T) {
	s := laplaceSampler(t, 1e6)
	x := make([]int64, 100_001)
	for _, workers := range []int{-1, 0, 1, 2, 3, 8} {
		a, b := slices.Clone(x), slices.Clone(x)
		s.AddParallel(a, Seeded(4), workers)
		s.AddParallel(b, Seeded(4), workers)
		if !slices.Equal(a, b) {
			t.Errorf("%d workers: not repeated", workers)
		}
		if workers == 3 {
			if err := lawOf(Laplace, 1e6).Battery(a); err != nil {
				t.Error(err)
			}
		}
	}
	s.AddParallel(nil, Seeded(4), 2)
	s.AddParallel(x[:3], Seeded(4), 7)
}

// One sampler serves many goroutines (run with -race).
func TestSamplerIsShared(t *testing.T) {
	s, p, l := gaussianSampler(t, 1024), must[*PlanarLaplace](t)(NewPlanarLaplace(0.01)), must[*SphericalLaplace](t)(NewSphericalLaplace(20))
	var wg sync.WaitGroup
	for i := range uint64(4) {
		wg.Go(func() {
			src := Seeded(i)
			x := make([]int64, 50_000)
			s.AddParallel(x, src, 2)
			for range 1000 {
				p.Draw(src)
				l.Draw(src, [3]float64{0, 0, 1})
			}
		})
	}
	wg.Wait()
}

func TestAddFloat(t *testing.T) {
	s, x := gaussianSampler(t, 1e5), make([]int64, 3000)
	for i := range x {
		x[i] = int64(i) << 30
	}
	want := slices.Clone(x)
	s.Add(want[:1024], Seeded(5)) // in stretches of 1024, as AddFloat takes them
	got := make([]float64, len(x))
	if err := s.AddFloat(got, x, 0x1p-40, Seeded(5)); err != nil {
		t.Fatal(err)
	}
	for i := range want[:1024] {
		if math.Ldexp(got[i], 40) != float64(want[i]) {
			t.Fatalf("element %d is %v, want %v·2^-40", i, got[i], want[i])
		}
	}
	for name, c := range map[string]struct {
		n    int
		g    float64
		x    int64
		want string
	}{
		"lengths":     {2999, 1, 0, "slices of one length"},
		"zero step":   {3000, 0, 0, "power of two"},
		"no power":    {3000, 3, 0, "power of two"},
		"negative":    {3000, -2, 0, "power of two"},
		"NaN":         {3000, math.NaN(), 0, "power of two"},
		"Inf":         {3000, math.Inf(1), 0, "power of two"},
		"tiny step":   {3000, 0x1p-1000, 0, "power of two"},
		"huge step":   {3000, 0x1p1000, 0, "power of two"},
		"too wide":    {3000, 1, 1 << 54, "53 bits"},
		"too wide, −": {3000, 1, -1 << 54, "53 bits"},
		"far too":     {3000, 1, math.MaxInt64, "53 bits"},
	} {
		x[2500] = c.x
		out := make([]float64, c.n)
		err := s.AddFloat(out, x, c.g, Seeded(5))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if slices.ContainsFunc(out, func(v float64) bool { return v != 0 }) {
			t.Errorf("%s: values are left after the error", name)
		}
	}
	x[2500] = 1<<53 - 1<<25
	for _, g := range []float64{0x1p-969, 1, 0x1p970} {
		if err := s.AddFloat(got, x, g, Seeded(5)); err != nil {
			t.Errorf("g = %v: %v", g, err)
		}
		for _, v := range got {
			if k := v / g; k != math.Trunc(k) || math.IsInf(v, 0) {
				t.Fatalf("g = %v: %v is not on the grid", g, v)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	x, f := make([]int64, 200_000), make([]float64, 200_000)
	src := Seeded(6)
	for _, s := range []*Sampler{laplaceSampler(t, 256), laplaceSampler(t, 1024), gaussianSampler(t, 1024), laplaceSampler(t, 1<<32), gaussianSampler(t, 1<<32)} {
		if n := testing.AllocsPerRun(3, func() { s.Add(x, src) }); n > 0 {
			t.Errorf("%v %v: Add allocates %v times", s.law, s.scale, n)
		}
		clear(x)
		if n := testing.AllocsPerRun(3, func() { _ = s.AddFloat(f, x, 1, src) }); n > 0 {
			t.Errorf("%v %v: AddFloat allocates %v times", s.law, s.scale, n)
		}
		if n := testing.AllocsPerRun(1000, func() { s.Draw(src) }); n > 0 {
			t.Errorf("%v %v: Draw allocates", s.law, s.scale)
		}
	}
}

func TestLawString(t *testing.T) {
	if Laplace.String() != "Laplace" || Gaussian.String() != "Gaussian" || laplaceSampler(t, 1).Law() != Laplace {
		t.Error("laws are misnamed")
	}
}
