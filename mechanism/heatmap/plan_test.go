package heatmap

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func liu(law noise.Law, width, height float64, n int, epsilon float64) Additive {
	return Additive{
		Law: law, Epsilon: epsilon, Delta: math.Pow(float64(n), -1.5), Subjects: n,
		Canvas: Canvas{Width: width, Height: height, Cell: 1}, Cap: 1,
	}
}

// MECHANISMS §3: the paper's figures, and those of the analytic calibration.
func TestVectorsOfLiu(t *testing.T) {
	for _, v := range []struct {
		width, height, n float64
		epsilon          float64
		printed, tight   float64 // Theorem 3.4; Balle and Wang
	}{
		{300, 300, 900, 1, 1.54226, 1.14262},
		{300, 300, 300, 3, 1.49486, 0},
		{1050, 1680, 50_000, 1.5, 0.10320, 0}, // the paper prints 0.0986
	} {
		m := liu(noise.Gaussian, v.width, v.height, int(v.n), v.epsilon)
		analytic := planNoise(m).Sigma
		m.Published = true
		near(t, "Theorem 3.4", planNoise(m).Sigma, v.printed, 5e-6/math.Min(v.printed, 1)) // to the digits printed
		if v.tight > 0 {
			near(t, "analytic", analytic, v.tight, 5e-6)
		}
		if save := 1 - analytic/planNoise(m).Sigma; save < 0.14 || save > 0.33 {
			t.Errorf("n = %v, ε = %v: the analytic calibration saves %.3f", v.n, v.epsilon, save)
		}
		near(t, "L2 sensitivity", m.Plan().Sensitivity.L2, math.Sqrt(v.width*v.height)/v.n, 1e-12)
	}
	near(t, "Theorem 3.5", planNoise(liu(noise.Laplace, 300, 300, 900, 1)).Sigma, 141.42136, 1e-7)
	near(t, "Theorem 3.5, a screen", planNoise(liu(noise.Laplace, 1050, 1680, 50_000, 1.5)).Sigma, 33.262303, 1e-7)
	near(t, "L1 sensitivity", liu(noise.Laplace, 300, 300, 900, 1).Plan().Sensitivity.L1, 100, 1e-12)
}

// The variance reported for the Laplace law is that of the discrete one.
func TestLaplaceDeviation(t *testing.T) {
	for _, b := range []float64{0.3, 1, 7, 1e5} {
		q, want := math.Exp(-1/b), 0.0
		for z := 1; z < 2000 && b < 100; z++ {
			want += 2 * float64(z*z) * math.Pow(q, float64(z)) * (1 - q) / (1 + q)
		}
		if b >= 100 {
			want = 2 * b * b
		}
		near(t, "deviation", laplaceDeviation(b), math.Sqrt(want), 1e-9)
	}
}

// MECHANISMS §2: σ = √2·C/n times the analytic value, and C of PROOFS C6.
func TestVectorsOfHalfBlur(t *testing.T) {
	m := HalfBlur{Subjects: 300, Canvas: Canvas{Width: 800, Height: 600, Cell: 1}, Blur: 24, Query: 24 / math.Sqrt2, Places: 5}
	for _, v := range []struct{ epsilon, delta, sigma float64 }{
		{0.1, 1e-5, 30.749566}, {0.5, 1e-5, 7.031827}, {1, 1e-5, 3.730632}, {1, 1e-6, 4.224679},
		{2, 1e-5, 1.993812}, {3, 1e-5, 1.390593}, {5, 1e-6, 0.980049}, {8, 1e-6, 0.652935},
	} {
		m.Epsilon, m.Delta = v.epsilon, v.delta
		p := m.Plan()
		clip, err := strconv.ParseFloat(p.Parameters["clip"], 64)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "clip", clip, 0.0074338, 1e-5) // printed with six digits
		near(t, "sigma", p.Noise.Sigma, math.Sqrt2*clip/300*v.sigma, 2e-6)
		near(t, "mu", p.Guarantee.Mu, 1/v.sigma, 1e-6)
	}
	m.Places, m.Epsilon, m.Delta = 1, 1, 1e-5
	near(t, "clip of one place", resolved(t, m).norm, 1/(24*math.Sqrt(2*math.Pi)), 1e-12)
}

// One clip for K stimuli: the noise in a map grows with √K, and with √κ where
// people see κ of them.
func TestNoiseOfManyStimuli(t *testing.T) {
	m := small()
	one := planNoise(m).Sigma
	for _, k := range []int{2, 4, 9} {
		m.Canvas.Stimuli, m.Seen = k, 0
		near(t, "K stimuli", planNoise(m).Sigma, one*math.Sqrt(float64(k)), 1e-5)
		m.Seen = 2
		near(t, "two seen of K", planNoise(m).Sigma, one*math.Sqrt2, 1e-5)
	}
}

func TestGuaranteeStrings(t *testing.T) {
	film := small()
	film.Canvas.Steps, film.TimeBlur, film.Unit = 4, 1, dp.Recording
	capped := cells(noise.Gaussian)
	capped.CapFromData = true
	c := Canvas{Width: 8, Height: 6, Cell: 1}
	for want, m := range map[string]Mechanism{
		"(1, 1e-05)-DP per subject, replace one, central":                               small(),
		"(1, 1e-05)-DP per recording, replace one, central":                             film,
		"1-DP per subject, replace one, central":                                        cells(noise.Laplace),
		"none (" + CapReason + "; nominal ε = 1)":                                       capped,
		"none (no noise: δ ≥ 1 at every ε (Liu et al. 2019, Theorems 3.2 and 3.3))":     NoiseFree(8, c, 0),
		"none (no noise: δ ≥ 0.5 at every ε (Liu et al. 2019, Theorems 3.2 and 3.3))":   Selection{Share: 0.5, Subjects: 8, Canvas: c},
		"none (no noise: δ ≥ 0.414 at every ε (Liu et al. 2019, Theorems 3.2 and 3.3))": Selection{Share: 0.5, Replacement: true, Subjects: 8, Canvas: c},
		"none (heatmap: delta must lie between 0 and 1, got 1; nominal ε = 1)":          HalfBlur{Epsilon: 1, Delta: 1},
	} {
		if got := m.Guarantee().String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if u := film.Guarantee().Unprotected; !strings.Contains(strings.Join(u, "; "), "time step") {
		t.Errorf("a film leaves unprotected: %q", u)
	}
}

// A plan is a function of the parameters, whatever was released.
func TestPlanIsUnaffectedByRelease(t *testing.T) {
	for _, m := range []Mechanism{small(), cells(noise.Gaussian), cells(noise.Laplace), NoiseFree(8, cells(0).Canvas, 2)} {
		c, n := shapeOf(m)
		before := m.Plan()
		maps := make([][]float64, n)
		for i := range maps {
			maps[i] = single(c.Len(), i)
		}
		r := release(t, m, maps, 1)
		if !reflect.DeepEqual(before, m.Plan()) {
			t.Errorf("%s: a release changed the plan", before.Mechanism)
		}
		if _, void := r.Guarantee.Void(); !void {
			t.Errorf("%s: a seeded release promises %v", before.Mechanism, r.Guarantee)
		}
		r.Plan.Guarantee = before.Guarantee
		if !reflect.DeepEqual(before, r.Plan) {
			t.Errorf("%s: the release carries another plan", before.Mechanism)
		}
	}
}

func TestBadParametersOfTheStructs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	half := map[string]func(*HalfBlur){
		"epsilon": func(m *HalfBlur) { m.Epsilon = nan }, "delta": func(m *HalfBlur) { m.Delta = 0 },
		"subjects": func(m *HalfBlur) { m.Subjects = 0 }, "unit": func(m *HalfBlur) { m.Unit = dp.Window },
		"width": func(m *HalfBlur) { m.Canvas.Width = inf }, "height": func(m *HalfBlur) { m.Canvas.Height = -1 },
		"stimuli": func(m *HalfBlur) { m.Canvas.Stimuli = -1 }, "steps": func(m *HalfBlur) { m.Canvas.Steps = -2 },
		"larger cells": func(m *HalfBlur) { m.Canvas.Width, m.Canvas.Cell = 1e8, 1 }, "blur": func(m *HalfBlur) { m.Blur = 0 },
		"query": func(m *HalfBlur) { m.Query = -1 }, "too coarse": func(m *HalfBlur) { m.Query = 5 },
		"places": func(m *HalfBlur) { m.Places = 0.5 }, "seen": func(m *HalfBlur) { m.Seen = 2 },
		"time blur": func(m *HalfBlur) { m.TimeBlur = 2 }, "picture": func(m *HalfBlur) { m.Picture.Method = "nice" },
		"threshold":     func(m *HalfBlur) { m.Picture.Threshold = nan },
		"blur of cells": func(m *HalfBlur) { m.Blur = 1e9 },
	}
	for name, change := range half {
		m := small()
		change(&m)
		refused(t, strings.Fields(name)[0], m)
	}
	// What once asked for gigabytes before it was looked at.
	refused(t, "blur", HalfBlur{Epsilon: 1, Delta: 0.1, Subjects: 1, Canvas: Canvas{Width: 1e-6, Height: 1e-6, Cell: 1e-6}, Blur: 1})
	for name, change := range map[string]func(*Additive){
		"epsilon": func(m *Additive) { m.Epsilon = 0 }, "delta": func(m *Additive) { m.Delta = nan }, "subjects": func(m *Additive) { m.Subjects = -1 },
		"cap": func(m *Additive) { m.Cap = 0 }, "cap ": func(m *Additive) { m.Cap = 5e-324 }, " cap": func(m *Additive) { m.Cap = inf },
		"blur": func(m *Additive) { m.Blur = -1 }, "width": func(m *Additive) { m.Canvas.Cell = nan }, "picture": func(m *Additive) { m.Picture.Method = "nice" },
		"epsilon ": func(m *Additive) { m.Law, m.Epsilon = noise.Laplace, 1e-9 }, // more noise than can be drawn
	} {
		m := cells(noise.Gaussian)
		change(&m)
		refused(t, strings.TrimSpace(name), m)
	}
	for name, m := range map[string]Selection{
		"subjects": {Share: 1, Canvas: cells(0).Canvas}, "canvas": {Share: 1, Subjects: 3}, "share": {Share: nan, Subjects: 3, Canvas: cells(0).Canvas},
		"blur": {Share: 1, Subjects: 3, Canvas: cells(0).Canvas, Blur: nan},
	} {
		refused(t, name, m)
	}
}

func refused(t *testing.T, name string, m Mechanism) {
	t.Helper()
	err := m.Check()
	if err == nil || !strings.HasPrefix(err.Error(), "heatmap: ") || !strings.Contains(err.Error(), name) {
		t.Errorf("%s: %v", name, err)
		return
	}
	if _, e := m.Release(func(func([]float64) bool) {}, noise.Seeded(1)); e == nil {
		t.Errorf("%s: released nevertheless", name)
	}
	if _, void := m.Guarantee().Void(); !void {
		t.Errorf("%s: promises %v", name, m.Guarantee())
	}
	if len(m.Plan().Warnings) == 0 && m.Plan().Noise.Law != "none" {
		t.Errorf("%s: the plan does not say what is wrong", name)
	}
}

// A film is made from a duration and a step; each alone is refused.
func TestFilmParameters(t *testing.T) {
	s := Specs()[0]
	p := map[string]string{"epsilon": "1", "subjects": "30", "width": "80", "height": "60", "blur": "20px", "duration": "2s", "step": "300ms"}
	m, err := s.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	if h := m.(HalfBlur); h.Canvas.Steps != 7 || h.TimeBlur != 1 || h.Delta > math.Pow(30, -1.5) {
		t.Errorf("%+v", h)
	}
	for _, without := range []string{"duration", "step"} {
		v := p[without]
		delete(p, without)
		if _, err := s.Build(p); err == nil {
			t.Errorf("a film without %s was accepted", without)
		}
		p[without] = v
	}
	p["step"] = "3s"
	if _, err := s.Build(p); err == nil {
		t.Error("a step longer than the film was accepted")
	}
}

func TestWarnings(t *testing.T) {
	m := small()
	text := func(m mechanism.Mechanism) string {
		var b strings.Builder
		for _, w := range m.Plan().Warnings {
			b.WriteString(w.Error())
		}
		return b.String()
	}
	if !strings.Contains(text(m), "few") {
		t.Errorf("eight subjects: %q", text(m))
	}
	m.Subjects, m.Delta = 100, 0.02
	if !strings.Contains(text(m), "delta") {
		t.Errorf("δ = 2/n: %q", text(m))
	}
	if m.Delta = 1e-5; text(m) != "" {
		t.Errorf("nothing to warn of: %q", text(m))
	}
}
