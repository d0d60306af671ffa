package manifest

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
)

// phi is the normal distribution function.
func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// TestGuessBoundHolds compares the bound with the best guess against
// mechanisms where it is known: randomised response, which attains the bound,
// and a Gaussian, whose best guess is right with probability Φ(μ/2).
func TestGuessBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.Float64Range(0, 20).Draw(t, "epsilon")
		delta := rapid.Float64Range(0, 0.5).Draw(t, "delta")
		// Randomised response that shows the truth outright with probability δ.
		best := delta + (1-delta)*math.Exp(epsilon)/(1+math.Exp(epsilon))
		got := GuessBound(dp.Guarantee{Measure: dp.Approximate, Epsilon: epsilon, Delta: delta})
		if math.Abs(got-best) > 1e-12 {
			t.Fatalf("bound %v; the worst (ε, δ) mechanism gives %v", got, best)
		}
		mu := rapid.Float64Range(0.01, 6).Draw(t, "mu")
		d := rapid.Float64Range(1e-9, 0.4).Draw(t, "d")
		for _, g := range []dp.Guarantee{
			{Measure: dp.Approximate, Epsilon: dp.GaussianEpsilon(mu, d), Delta: d},
			{Measure: dp.ZCDP, Rho: mu * mu / 2},
		} {
			if got := GuessBound(g); got < phi(mu/2)-1e-9 || got > 1 {
				t.Fatalf("%v: bound %v is below the Gaussian's %v", g.Terms(), got, phi(mu/2))
			}
		}
	})
}

func TestGuessBoundValues(t *testing.T) {
	for _, c := range []struct {
		g    dp.Guarantee
		want float64
	}{
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 0}, 0.5},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: math.Log(3)}, 0.75},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 1000}, 1},
		{dp.Guarantee{Measure: dp.Geo, Epsilon: math.Log(3), Radius: 50, RadiusUnit: "px"}, 0.75},
		{dp.Guarantee{Measure: dp.ZCDP, Rho: 0}, 0.5},
		{dp.Guarantee{Measure: dp.None}, 1},
		{dp.Guarantee{Measure: dp.Pure}.Voided("a test"), 1},
	} {
		if got := GuessBound(c.g); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v: bound %v, want %v", c.g, got, c.want)
		}
	}
}

func TestOdds(t *testing.T) {
	for _, c := range []struct {
		g    dp.Guarantee
		want []string
		not  string
	}{
		{guarantee(), []string{"at most 73.2 %", "a given person's recordings", "δ = 1e-05"}, "weak"},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 1}, []string{"at most 73.2 %"}, "δ"},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 3}, []string{"at most 95.3 %", "weak"}, "δ"},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 10, Unit: dp.Recording}, []string{"99.996 %", "one given recording", "weak"}, "person's recordings"},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 60}, []string{"100 %", "weak"}, "NaN"},
		{dp.Guarantee{Measure: dp.Pure, Epsilon: 1, Neighbours: dp.AddRemove}, []string{"took part"}, "look a certain way"},
		{dp.Guarantee{Measure: dp.Geo, Epsilon: 1, Radius: 50, RadiusUnit: "px", Unit: dp.Window, Neighbours: dp.ShiftedWithin}, []string{"50 px apart"}, "person"},
		{guarantee().Voided("a test"), []string{"promises nothing: a test"}, "%"},
		{dp.Guarantee{Measure: dp.None}, []string{"promises nothing"}, "%"},
	} {
		got := Odds(c.g)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%v: %q lacks %q", c.g, got, w)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%v: %q has %q", c.g, got, c.not)
		}
	}
}

// TestPercentNeverRoundsDown: a bound stays a bound.
func TestPercentNeverRoundsDown(t *testing.T) {
	for _, c := range []struct {
		p    float64
		want string
	}{{0.5, "50"}, {0.73106, "73.2"}, {0.9991, "99.91"}, {0.99991, "99.991"}, {0.9999951, "99.9996"}, {1, "100"}, {0.99999999, "100"}} {
		if got := percentUp(c.p); got != c.want {
			t.Errorf("%v is shown as %s, want %s", c.p, got, c.want)
		}
	}
}

func TestDoesNotProtect(t *testing.T) {
	all := func(g dp.Guarantee) string { return strings.Join(DoesNotProtect(g), "\n") }
	g := guarantee()
	if s := all(g); !strings.Contains(s, "number of enrolled subjects") || !strings.Contains(s, "hold the raw recordings") {
		t.Error(s)
	}
	g.Unit, g.Model = dp.Recording, dp.Local
	if s := all(g); !strings.Contains(s, "several recordings") || strings.Contains(s, "hold the raw recordings") {
		t.Error(s)
	}
	g.Unit = dp.Sample
	if s := all(g); !strings.Contains(s, "a whole person") {
		t.Error(s)
	}
	if s := all(g.Voided("x")); !strings.Contains(s, "there is no guarantee") {
		t.Error(s)
	}
}
