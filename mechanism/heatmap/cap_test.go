package heatmap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// bruteBias is (1/r)‖G^(m) − G^(M)‖² as it is written.
func bruteBias(maps [][]float64, r int, m, top, n float64) float64 {
	s := 0.0
	for j := range r {
		d := 0.0
		for _, v := range maps {
			d += math.Min(amount(v[j]), top) - math.Min(amount(v[j]), m)
		}
		s += d / n * d / n
	}
	return s / float64(r)
}

// One pass over sorted values is the same as one pass per cap.
func TestCapCurveIsBruteForce(t *testing.T) {
	c := Canvas{Width: 5, Height: 3, Cell: 1}
	rapid.Check(t, func(t *rapid.T) {
		caps := Caps{Step: math.Exp(rapid.Float64Range(-5, 5).Draw(t, "log step")), Count: rapid.IntRange(2, 30).Draw(t, "caps")}
		n := rapid.IntRange(1, 6).Draw(t, "subjects")
		value := rapid.OneOf(
			rapid.Just(0.0), rapid.Float64Range(0, 35), rapid.Map(rapid.IntRange(0, 40), func(k int) float64 { return float64(k) }),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), -3, 1e300, 5e-324}),
		)
		maps := rapid.SliceOfN(rapid.SliceOfN(value, c.Len(), c.Len()), 0, n).Draw(t, "maps")
		for _, m := range maps {
			for j := range m {
				m[j] *= caps.Step
			}
		}
		curve, err := CapCurve(slices.Values(maps), c, n, caps, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		top, least, at := caps.Step*float64(caps.Count), math.Inf(1), 0
		for j := range caps.Count {
			m := float64(j+1) * caps.Step
			want := bruteBias(maps, c.Len(), m, top, float64(n))
			if math.Abs(curve.Bias[j]-want) > 1e-12*top*top {
				t.Fatalf("cap %v of %v: bias %v, brute force %v", m, top, curve.Bias[j], want)
			}
			if math.Abs(curve.Noise[j]-0.09*m*m) > 1e-12*top*top {
				t.Fatalf("cap %v: noise %v", m, curve.Noise[j])
			}
			if v := want + 0.09*m*m; v < least*(1-1e-9) {
				least, at = v, j
			}
		}
		j := int(math.Round(curve.Best()/caps.Step)) - 1
		if v := curve.Noise[j] + curve.Bias[j]; v > least*(1+1e-9)+1e-12*top*top {
			t.Fatalf("best is cap %d with %v, brute force finds cap %d with %v", j, v, at, least)
		}
	})
}

// Theorem 4.1 of Liu et al. 2019 is about what is released: the mean squared
// error of releases at three caps.
func TestCapCurveIsTheErrorOfReleases(t *testing.T) {
	c := Canvas{Width: 6, Height: 4, Cell: 1}
	maps := counts(20, c.Len(), 8)
	caps := Caps{Step: 1, Count: 8}
	at := func(top float64) Additive {
		return Additive{Law: noise.Gaussian, Epsilon: 50, Delta: 1e-3, Subjects: 20, Canvas: c, Cap: top}
	}
	curve, err := CapCurve(slices.Values(maps), c, 20, caps, planNoise(at(1)).Sigma)
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]float64, c.Len())
	for _, m := range maps {
		for j, v := range m {
			truth[j] += math.Min(v, 8) / 20
		}
	}
	for _, top := range []float64{1, 2, 5} {
		a, err := at(top).prepare()
		if err != nil {
			t.Fatal(err)
		}
		const runs = 3000
		total, src := 0.0, noise.Seeded(uint64(top))
		for range runs {
			r, err := a.draw(slices.Values(maps), src)
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range r.Raw {
				total += (v - truth[j]) * (v - truth[j]) / float64(len(truth)) / runs
			}
		}
		j := int(top) - 1
		near(t, "mean squared error", total, curve.Noise[j]+curve.Bias[j], 0.05)
		if curve.Noise[0] > 100*curve.Bias[0] || curve.Bias[0] > 100*curve.Noise[0] {
			t.Errorf("at cap 1 noise %v or bias %v does not matter here", curve.Noise[0], curve.Bias[0])
		}
	}
}

// PROOFS C5: replacing one of n subjects moves every score by at most
// 2(M−1)²w²/n.
func TestPaidCapSensitivity(t *testing.T) {
	c := Canvas{Width: 3, Height: 2, Cell: 1}
	caps := Caps{Step: 0.5, Count: 12}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "subjects")
		maps := make([][]float64, n)
		for i := range maps {
			maps[i] = anyMap(c.Len()).Draw(t, "map")
		}
		one, err := CapCurve(slices.Values(maps), c, n, caps, 0)
		if err != nil {
			t.Fatal(err)
		}
		maps[rapid.IntRange(0, n-1).Draw(t, "who")] = anyMap(c.Len()).Draw(t, "replaced by")
		other, err := CapCurve(slices.Values(maps), c, n, caps, 0)
		if err != nil {
			t.Fatal(err)
		}
		bound := 2 * 11 * 11 * 0.25 / float64(n)
		for j := range one.Bias {
			if d := math.Abs(one.Bias[j] - other.Bias[j]); d > bound*(1+1e-12) {
				t.Fatalf("cap %d of %d subjects: the score moves by %v, bound %v", j, n, d, bound)
			}
		}
	})
	full := slices.Repeat([]float64{1e9}, c.Len())
	maps := slices.Repeat([][]float64{full}, 10)
	one, _ := CapCurve(slices.Values(maps), c, 10, caps, 0)
	other, _ := CapCurve(slices.Values(maps[1:]), c, 10, caps, 0)
	if share := (one.Bias[0] - other.Bias[0]) / (2 * 11 * 11 * 0.25 / 10.); share < 0.9 || share > 1 {
		t.Errorf("everything against nothing moves the score by %v of its bound", share)
	}
}

func curveOf(bias ...float64) Curve {
	return Curve{Caps: Caps{Step: 1, Count: len(bias)}, Subjects: 50, Noise: make([]float64, len(bias)), Bias: bias}
}

// The draw has the law of the exponential mechanism, and another ε is rejected.
func TestPaidCapLaw(t *testing.T) {
	const subjects, draws = 50, 200_000
	for _, epsilon := range []float64{0.3, 2} {
		curve := curveOf(0.1, 0, 3, 0.5, 40, 1e9)
		sensitivity := 2 * 25. / subjects
		weights := func(epsilon float64) []float64 {
			w, total := make([]float64, 6), 0.0
			for j := range w {
				u := curve.Bias[j] / sensitivity
				w[j] = math.Exp(-epsilon * u / 2)
				total += w[j]
			}
			for j := range w {
				w[j] /= total
			}
			return w
		}
		seen, src := make([]int64, 6), noise.Seeded(12)
		for range draws {
			top, g, err := PaidCap(curve, epsilon, src)
			if err != nil {
				t.Fatal(err)
			}
			if _, void := g.Void(); !void || g.Epsilon != epsilon || g.Measure != dp.Pure {
				t.Fatalf("a seeded choice promises %v", g)
			}
			seen[int(top)-1]++
		}
		if err := stattest.Fit(seen, weights(epsilon)); err != nil {
			t.Errorf("ε = %v: %v: %v", epsilon, seen, err)
		}
		if stattest.Fit(seen, weights(0.7*epsilon)) == nil {
			t.Errorf("ε = %v: the test does not tell 0.7 ε", epsilon)
		}
	}
}

// The audit of the choice: two data sets of a few subjects, the worst that the
// sensitivity allows.
func TestPaidCapAudit(t *testing.T) {
	c := Canvas{Width: 1, Height: 1, Cell: 1}
	caps := Caps{Step: 1, Count: 6}
	curve := func(last float64) Curve {
		r, err := CapCurve(slices.Values([][]float64{{6}, {6}, {last}}), c, 3, caps, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := curve(0), curve(6)
	choice := audit.Case{
		Mechanism: "paid cap", Claim: dp.Guarantee{Measure: dp.Pure, Epsilon: 1}, Events: audit.Atoms,
		Draw: func(side bool, src *noise.Source) (float64, error) {
			of := a
			if side {
				of = b
			}
			top, _, err := PaidCap(of, 1, src)
			return top, err
		},
	}
	r, err := audit.Audit{}.Run(choice, noise.Seeded(2))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != audit.Holds || r.Lower.Epsilon < 0.2 {
		t.Errorf("%+v", r)
	}
}

func TestPaidCapAddsUp(t *testing.T) {
	_, paid, err := PaidCap(curveOf(0, 1, 2), 0.25, noise.Secure())
	if err != nil {
		t.Fatal(err)
	}
	m := cells(noise.Gaussian)
	m.Paid = paid
	if g := m.Guarantee(); g.Epsilon != 1.25 || g.Mu != 0 || g.Delta != 1e-5 {
		t.Errorf("the release promises %v", g)
	}
	if why, void := m.Guarantee().Void(); void {
		t.Errorf("a paid cap voids: %s", why)
	}
	_, m.Paid, _ = PaidCap(curveOf(0, 1, 2), 0.25, noise.Seeded(1))
	if _, void := m.Guarantee().Void(); !void {
		t.Error("a cap chosen with seeded noise keeps the guarantee")
	}
}

func TestCapErrors(t *testing.T) {
	c := cells(0).Canvas
	for _, caps := range []Caps{{}, {Step: 1, Count: 1}, {Step: -1, Count: 5}, {Step: math.NaN(), Count: 5}, {Step: math.Inf(1), Count: 5}, {Step: 1, Count: maxCaps + 1}} {
		if _, err := CapCurve(slices.Values([][]float64{}), c, 3, caps, 1); err == nil {
			t.Errorf("%+v: curve computed", caps)
		}
		if _, _, err := PaidCap(Curve{Caps: caps, Noise: []float64{0}, Bias: []float64{0}, Subjects: 3}, 1, noise.Seeded(1)); err == nil {
			t.Errorf("%+v: cap chosen", caps)
		}
	}
	if _, err := CapCurve(slices.Values([][]float64{{1}}), c, 3, Caps{Step: 1, Count: 3}, 1); err == nil {
		t.Error("a map of the wrong size was accepted")
	}
	if _, err := CapCurve(slices.Values(counts(4, c.Len(), 1)), c, 3, Caps{Step: 1, Count: 3}, 1); err != ErrSubjects {
		t.Errorf("too many maps: %v", err)
	}
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, _, err := PaidCap(curveOf(0, 1), epsilon, noise.Seeded(1)); err == nil {
			t.Errorf("ε = %v was accepted", epsilon)
		}
	}
}
