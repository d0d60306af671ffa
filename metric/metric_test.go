package metric_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/metric"
)

func near(t *testing.T, what string, got float64, err error, want float64) {
	t.Helper()
	if err != nil || !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
		t.Errorf("%s = %v, %v; want %v", what, got, err, want)
	}
}

// Values worked out by hand.
func TestByHand(t *testing.T) {
	a, b := []float64{1, 2, 3, 4}, []float64{4, 4, 2, 0}
	v, err := metric.CC(a, b)
	near(t, "CC", v, err, -7/math.Sqrt(5*11))
	v, err = metric.MSE(a, b)
	near(t, "MSE", v, err, 30.0/4)
	v, err = metric.SIM(a, b)
	near(t, "SIM", v, err, 0.1+0.2+0.2+0)
	v, err = metric.KL([]float64{1, 1, 2}, []float64{2, 1, 1})
	near(t, "KL", v, err, 0.25*math.Log(2))
	v, err = metric.JSD([]float64{1, 0}, []float64{1, 1})
	near(t, "JSD", v, err, 0.5*math.Log2(1/0.75)+0.5*(0.5*math.Log2(0.5/0.75)+0.5*math.Log2(2)))
	v, err = metric.NSS([]float64{1, 2, 3, 6}, []float64{0, 0, 1, 3})
	near(t, "NSS", v, err, (0+3*3)/4.0/math.Sqrt(14.0/3))
	v, err = metric.AUC([]float64{9, 7, 5, 3, 1}, []float64{1, 0, 1, 0, 0})
	near(t, "AUC", v, err, 5.0/6) // 9 beats three others, 5 beats two
}

// The estimate's zero where the reference has mass costs about 36 nats times
// the mass: the benchmark's epsilon is 2^-52.
func TestKLOfAMissedCell(t *testing.T) {
	v, err := metric.KL([]float64{1, 1}, []float64{1, 0})
	near(t, "KL", v, err, 0.5*math.Log(0.5)+0.5*math.Log(0x1p-52+0.5/0x1p-52))
}

type pair = func(a, b []float64) (float64, error)

func maps() map[string]pair {
	return map[string]pair{"CC": metric.CC, "MSE": metric.MSE, "SIM": metric.SIM, "KL": metric.KL, "JSD": metric.JSD,
		"NSS": metric.NSS, "AUC": metric.AUC}
}

func TestRefusals(t *testing.T) {
	good := []float64{1, 2, 3}
	nan, inf := math.NaN(), math.Inf(1)
	for name, f := range maps() {
		for _, c := range [][2][]float64{
			{good, {1, 2}}, {{}, {}}, {nil, nil}, {good, nil}, {good, {1, nan, 3}}, {{1, inf, 3}, good}, {good, {1, -inf, 3}}, {{nan, nan, nan}, good},
		} {
			if v, err := f(c[0], c[1]); err == nil || !strings.HasPrefix(err.Error(), "metric: ") {
				t.Errorf("%s(%v, %v) = %v, %v", name, c[0], c[1], v, err)
			}
		}
	}
	constant, zero, negative := []float64{2, 2, 2}, []float64{0, 0, 0}, []float64{1, -1, 3}
	for _, c := range []struct {
		name string
		f    pair
		a, b []float64
		want error
	}{
		{"CC", metric.CC, constant, good, metric.ErrConstant}, {"CC", metric.CC, good, zero, metric.ErrConstant},
		{"NSS", metric.NSS, constant, good, metric.ErrConstant}, {"NSS", metric.NSS, good, zero, metric.ErrEmpty},
		{"NSS", metric.NSS, []float64{1}, []float64{1}, metric.ErrConstant},
		{"NSS", metric.NSS, good, negative, metric.ErrNegative}, {"AUC", metric.AUC, good, zero, metric.ErrEmpty},
		{"AUC", metric.AUC, good, good, metric.ErrConstant},
		{"SIM", metric.SIM, zero, good, metric.ErrEmpty}, {"SIM", metric.SIM, good, negative, metric.ErrNegative},
		{"KL", metric.KL, good, zero, metric.ErrEmpty}, {"KL", metric.KL, negative, good, metric.ErrNegative},
		{"JSD", metric.JSD, zero, zero, metric.ErrEmpty}, {"JSD", metric.JSD, negative, good, metric.ErrNegative},
	} {
		if v, err := c.f(c.a, c.b); !errors.Is(err, c.want) {
			t.Errorf("%s(%v, %v) = %v, %v; want %v", c.name, c.a, c.b, v, err, c.want)
		}
	}
}

// A constant with rounding noise is constant.
func TestNearlyConstant(t *testing.T) {
	m := make([]float64, 100)
	for i := range m {
		m[i] = 0.1 + float64(i%2)*1e-17
	}
	if v, err := metric.CC(m, m); !errors.Is(err, metric.ErrConstant) {
		t.Errorf("%v, %v", v, err)
	}
}

// A large map of equal values is constant however its sum is rounded, and a
// small variation on a large mean is none the worse for it.
func TestLargeMaps(t *testing.T) {
	const n = 1 << 20
	m, wave, fix := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range m {
		m[i], wave[i] = 0.1, 1e6+math.Sin(float64(i))
	}
	fix[n/2] = 1
	if v, err := metric.CC(m, wave); !errors.Is(err, metric.ErrConstant) {
		t.Errorf("CC with a constant: %v, %v", v, err)
	}
	if v, err := metric.NSS(m, fix); !errors.Is(err, metric.ErrConstant) {
		t.Errorf("NSS of a constant: %v, %v", v, err)
	}
	for i := range m {
		m[i] = math.Sin(float64(i))
	}
	if v, err := metric.CC(m, wave); err != nil || v < 1-1e-9 {
		t.Errorf("CC of a wave and itself on a mean of a million: %v, %v", v, err)
	}
	a, err := metric.NSS(m, fix)
	if b, err2 := metric.NSS(wave, fix); err != nil || err2 != nil || math.Abs(a-b) > 1e-6 {
		t.Errorf("NSS %v and %v, %v, %v", a, b, err, err2)
	}
}

func TestDensity(t *testing.T) {
	got, err := metric.Density([]float64{-1, 1, 3})
	if err != nil || got[0] != 0 || got[1] != 0.25 || got[2] != 0.75 {
		t.Errorf("%v, %v", got, err)
	}
	for _, m := range [][]float64{nil, {0, 0}, {-1, -2}, {math.NaN()}, {math.MaxFloat64, math.MaxFloat64}} {
		if got, err := metric.Density(m); err == nil {
			t.Errorf("%v: %v", m, got)
		}
	}
}

func TestAUCOfTies(t *testing.T) {
	for name, c := range map[string]struct {
		m, fixations []float64
		want         float64
	}{
		"constant":        {[]float64{1, 1, 1, 1}, []float64{1, 0, 0, 1}, 0.5},
		"perfect":         {[]float64{1, 0, 0, 1}, []float64{1, 0, 0, 1}, 1},
		"wrong":           {[]float64{0, 1, 1, 0}, []float64{1, 0, 0, 1}, 0},
		"half of a tie":   {[]float64{2, 1, 1, 0}, []float64{1, 1, 0, 0}, 0.875},
		"counts are hits": {[]float64{2, 1, 1, 0}, []float64{9, 5, 0, 0}, 0.875},
	} {
		v, err := metric.AUC(c.m, c.fixations)
		near(t, name, v, err, c.want)
	}
}

func someMap(t *rapid.T, label string, n int) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(0, 1e6), n, n).Draw(t, label)
}

// Each metric stays in its range, is symmetric or not as documented, and does
// not mind scale where it should not.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		a, b := someMap(t, "a", n), someMap(t, "b", n)
		scale := rapid.Float64Range(1e-6, 1e6).Draw(t, "scale")
		scaled := make([]float64, n)
		for i, v := range a {
			scaled[i] = v * scale
		}
		same := func(what string, x, y float64) {
			if math.Abs(x-y) > 1e-6*(1+math.Abs(x)) {
				t.Fatalf("%s: %v and %v", what, x, y)
			}
		}
		check := func(name string, f pair, low, high float64, symmetric, scaleFree bool) {
			v, err := f(a, b)
			if err != nil {
				return
			}
			if math.IsNaN(v) || v < low || v > high {
				t.Fatalf("%s = %v is out of range", name, v)
			}
			if symmetric {
				w, _ := f(b, a)
				same(name+" the other way", v, w)
			}
			if w, err := f(scaled, b); scaleFree && err == nil {
				same(name+" of a scaled map", v, w)
			}
		}
		inf := math.Inf(1)
		check("CC", metric.CC, -1, 1, true, true)
		check("MSE", metric.MSE, 0, inf, true, false)
		check("SIM", metric.SIM, 0, 1, true, true)
		check("KL", metric.KL, 0, 37, false, true)
		check("JSD", metric.JSD, 0, 1, true, true)
		check("NSS", metric.NSS, -inf, inf, false, true)
		check("AUC", metric.AUC, 0, 1, false, true)
		for name, want := range map[string]float64{"CC": 1, "MSE": 0, "SIM": 1, "KL": 0, "JSD": 0} {
			if v, err := maps()[name](a, a); err == nil {
				same(name+" of a map with itself", want, v)
			}
		}
	})
}

// Values near the ends of float64 are no reason for NaN.
func TestExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		a := rapid.SliceOfN(rapid.Float64(), n, n).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64(), n, n).Draw(t, "b")
		for name, f := range maps() {
			if v, err := f(a, b); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Fatalf("%s(%v, %v) = %v", name, a, b, v)
			}
		}
		if d, err := metric.Density(a); err == nil {
			var sum float64
			for _, v := range d {
				sum += v
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("density of %v sums to %v", a, sum)
			}
		}
	})
}

// Of a random fixated and a random other cell the fixated one is the higher,
// ties counting one half.
func TestAUCIsAProbability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		m := make([]float64, n)
		fix := make([]float64, n)
		hits := 0
		for i := range m {
			m[i] = float64(rapid.IntRange(0, 30).Draw(t, "value"))
			if rapid.Bool().Draw(t, "fixated") {
				fix[i] = 1
				hits++
			}
		}
		if hits == 0 || hits == n {
			return
		}
		var p float64
		for i := range m {
			for j := range m {
				switch {
				case fix[i] == 0 || fix[j] == 1:
				case m[i] > m[j]:
					p++
				case m[i] == m[j]:
					p += 0.5
				}
			}
		}
		p /= float64(hits * (n - hits))
		v, err := metric.AUC(m, fix)
		if err != nil || math.Abs(v-p) > 1e-12 {
			t.Fatalf("AUC %v, probability %v, %v", v, p, err)
		}
	})
}

func BenchmarkCC(b *testing.B) {
	m, n := make([]float64, 1764000), make([]float64, 1764000)
	for i := range m {
		m[i], n[i] = float64(i%97), float64(i%89)
	}
	for b.Loop() {
		if _, err := metric.CC(m, n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(len(m))*1e9, "ns/px")
}
