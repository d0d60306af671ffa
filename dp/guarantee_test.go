package dp

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

type source bool

func (s source) Seeded() bool { return bool(s) }

func TestGuaranteeString(t *testing.T) {
	g := Guarantee{Measure: Approximate, Epsilon: 1, Delta: 1e-5, Unit: Subject}
	if got, want := g.String(), "(1, 1e-05)-DP per subject, replace one, central"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	v := g.Voided("data-dependent cap")
	if got, want := v.String(), "none (data-dependent cap; nominal ε = 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, void := g.Void(); void {
		t.Error("Voided changed its receiver")
	}
}

func TestSeededNoiseIsNeverPrivate(t *testing.T) {
	g := Guarantee{Measure: Pure, Epsilon: 1}
	if _, void := g.DrawnFrom(source(true)).Void(); !void {
		t.Error("a seeded release kept its guarantee")
	}
	if why, void := g.DrawnFrom(source(false)).Void(); void {
		t.Errorf("a secure release is void: %s", why)
	}
}

func TestVoidJSONHasNoEpsilon(t *testing.T) {
	b, err := json.Marshal(Guarantee{Measure: Pure, Epsilon: 3}.Voided("why"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"epsilon":null`, `"void":"why"`, `"nominal":{"epsilon":3`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	b, _ = json.Marshal(Guarantee{Measure: Pure, Epsilon: 3})
	if !strings.Contains(string(b), `"epsilon":3`) || !strings.Contains(string(b), `"void":null`) {
		t.Errorf("a valid guarantee prints as %s", b)
	}
}

func TestGroup(t *testing.T) { // PROOFS C11
	if g := (Guarantee{Measure: Pure, Epsilon: 0.5}).Group(4); g.Epsilon != 2 {
		t.Errorf("pure: %v", g.Epsilon)
	}
	if g := (Guarantee{Measure: ZCDP, Rho: 0.5}).Group(3); g.Rho != 4.5 {
		t.Errorf("zCDP: %v", g.Rho)
	}
	g := (Guarantee{Measure: Approximate, Epsilon: 1, Delta: 1e-6}).Group(2)
	if want := 1e-6 * (math.E + 1); math.Abs(g.Delta-want) > 1e-15 || g.Epsilon != 2 {
		t.Errorf("approximate: %v, %v", g.Epsilon, g.Delta)
	}
	mu := GaussianMu(1, 1e-6)
	gauss := (Guarantee{Measure: Approximate, Epsilon: 1, Delta: 1e-6, Mu: mu}).Group(2)
	if gauss.Delta != 1e-6 || math.Abs(GaussianDelta(2*mu, gauss.Epsilon)-1e-6) > 1e-9 {
		t.Errorf("gaussian: %v", gauss)
	}
}

func TestValidate(t *testing.T) {
	for _, g := range []Guarantee{
		{Epsilon: -1}, {Epsilon: math.NaN()}, {Measure: Approximate, Delta: 1}, {Measure: ZCDP, Rho: -1}, {Measure: Geo, Epsilon: 1},
	} {
		if g.Validate() == nil {
			t.Errorf("%+v was accepted", g)
		}
	}
}

func TestNames(t *testing.T) {
	for _, u := range []Unit{Subject, Recording, Chunk, Window, Sample, Report} {
		if got, err := ParseUnit(u.String()); err != nil || got != u {
			t.Errorf("%v: %v, %v", u, got, err)
		}
	}
	if _, err := ParseUnit("person"); err == nil {
		t.Error("an unknown unit was accepted")
	}
	if Measure(99).String() != "Measure(99)" {
		t.Error(Measure(99).String())
	}
}
