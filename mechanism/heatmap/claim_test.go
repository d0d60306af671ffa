package heatmap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/noise"
)

// These are the claims of PROOF.md, section by section.

func norm2(z []int64) (s int64) {
	for _, v := range z {
		s += v * v
	}
	return s
}

// configurations of the half-blur mechanism: sizes, clips, stimuli, films.
func anyHalfBlur() *rapid.Generator[HalfBlur] {
	return rapid.Custom(func(t *rapid.T) HalfBlur {
		m := small()
		m.Canvas.Width = 10 * float64(rapid.IntRange(1, 9).Draw(t, "cols"))
		m.Canvas.Height = 10 * float64(rapid.IntRange(1, 5).Draw(t, "rows"))
		m.Canvas.Stimuli = rapid.IntRange(0, 3).Draw(t, "stimuli")
		m.Canvas.Steps = rapid.IntRange(0, 3).Draw(t, "steps")
		m.Blur = rapid.Float64Range(15, 40).Draw(t, "blur")
		m.Places = rapid.Float64Range(1, 50).Draw(t, "places")
		m.TimeBlur = rapid.Float64Range(0, float64(max(1, m.Canvas.Steps))).Draw(t, "time blur")
		return m
	})
}

// Claim A: whatever a subject's map holds, the integers are not negative and
// their squares add up to K at most.
func TestClaimA(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := anyHalfBlur().Draw(t, "mechanism").resolve()
		if err != nil {
			t.Fatal(err)
		}
		z := h.contribution(anyMap(h.Canvas.Len()).Draw(t, "map"))
		for i, v := range z {
			if v < 0 {
				t.Fatalf("cell %d counts %d", i, v)
			}
		}
		if n := norm2(z); n > h.k {
			t.Fatalf("Σz² = %d exceeds K = %d", n, h.k)
		}
	})
}

// Claim B: replacing a subject moves the integer sums by √(2K) at most, and
// two separate places do that, up to rounding.
func TestClaimB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := anyHalfBlur().Draw(t, "mechanism").resolve()
		if err != nil {
			t.Fatal(err)
		}
		maps := anyMap(h.Canvas.Len())
		one, other := h.contribution(maps.Draw(t, "one")), h.contribution(maps.Draw(t, "other"))
		for i := range one {
			one[i] -= other[i]
		}
		if n := norm2(one); n > 2*h.k {
			t.Fatalf("‖z−z′‖² = %d exceeds 2K = %d", n, 2*h.k)
		}
	})
}

func TestClaimBIsAttained(t *testing.T) {
	m := small()
	m.Canvas.Width = 400
	h := resolved(t, m)
	cols := h.Canvas.Cols()
	one, other := h.contribution(single(h.Canvas.Len(), 2*cols+2)), h.contribution(single(h.Canvas.Len(), 3*cols-3))
	for i := range one {
		one[i] -= other[i]
	}
	if share := math.Sqrt(float64(norm2(one)) / float64(2*h.k)); share < 0.9999 || share > 1 {
		t.Errorf("two separate places move the sums by %v of √(2K)", share)
	}
	if got, want := m.Plan().Sensitivity.L2, math.Sqrt(2*float64(h.k))*h.grid/float64(m.Subjects); got != want {
		t.Errorf("the plan's sensitivity is %v, want %v", got, want)
	}
}

// The order of the subjects does not matter, and one who is missing is one
// without data.
func TestSumsAreOfSubjectsNotOfTheirOrder(t *testing.T) {
	for name, m := range map[string]Mechanism{"half-blur": small(), "gaussian": cells(noise.Gaussian), "laplace": cells(noise.Laplace)} {
		c, n := shapeOf(m)
		src := noise.Seeded(4)
		maps := make([][]float64, n)
		for i := range maps {
			maps[i] = make([]float64, c.Len())
			for range 5 {
				maps[i][src.IntN(c.Len())] += src.ExpFloat64()
			}
		}
		clear(maps[2])
		want := release(t, m, maps, 1).Raw
		turned := slices.Clone(maps)
		src.Shuffle(n, func(i, j int) { turned[i], turned[j] = turned[j], turned[i] })
		if !slices.Equal(want, release(t, m, turned, 1).Raw) {
			t.Errorf("%s: another order gave another release", name)
		}
		if !slices.Equal(want, release(t, m, slices.Delete(slices.Clone(maps), 2, 3), 1).Raw) {
			t.Errorf("%s: a missing subject is not a subject without data", name)
		}
		if slices.Equal(want, release(t, m, maps[1:], 1).Raw) {
			t.Errorf("%s: the first subject has no effect", name)
		}
		if _, err := m.Release(slices.Values(append(maps, maps[0])), noise.Seeded(1)); err != ErrSubjects {
			t.Errorf("%s: one subject too many: %v", name, err)
		}
		if _, err := m.Release(slices.Values([][]float64{{1}}), noise.Seeded(1)); err == nil {
			t.Errorf("%s: a map of the wrong size was accepted", name)
		}
	}
}

// Additive: each of r cells moves by M at most, in steps; both sensitivities
// are attained by everything against nothing.
func TestAdditiveSensitivities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := cells(rapid.SampledFrom([]noise.Law{noise.Gaussian, noise.Laplace}).Draw(t, "law"))
		m.Cap = math.Exp(rapid.Float64Range(-40, 40).Draw(t, "log cap"))
		m.Epsilon = math.Exp(rapid.Float64Range(-3, 3).Draw(t, "log epsilon"))
		a, err := m.resolve()
		if err != nil {
			t.Fatal(err)
		}
		r := m.Canvas.Len()
		maps := anyMap(r)
		one, other := a.contribution(maps.Draw(t, "one")), a.contribution(maps.Draw(t, "other"))
		l1, l2 := 0.0, 0.0
		for i := range one {
			if one[i] < 0 || one[i] > a.steps {
				t.Fatalf("cell %d counts %d of %d", i, one[i], a.steps)
			}
			d := math.Abs(float64(one[i] - other[i]))
			l1, l2 = l1+d, l2+d*d
		}
		if l1 > a.l1 || math.Sqrt(l2) > a.l2*(1+1e-12) {
			t.Fatalf("Δ₁ = %v of %v, Δ₂ = %v of %v", l1, a.l1, math.Sqrt(l2), a.l2)
		}
		full := a.contribution(slices.Repeat([]float64{math.MaxFloat64}, r))
		if l1 := float64(r) * float64(full[0]); l1 != a.l1 || math.Abs(math.Sqrt(float64(norm2(full)))-a.l2) > 1e-9*a.l2 {
			t.Fatalf("everything against nothing: Δ₁ = %v of %v", l1, a.l1)
		}
		if float64(a.steps)*a.grid > m.Cap || float64(a.steps) < 1<<10 {
			t.Fatalf("cap %v has %d steps of %v", m.Cap, a.steps, a.grid)
		}
	})
}

// The contributions above are what Release adds: the same sums with the same
// noise.
func TestReleaseAddsTheContributions(t *testing.T) {
	src := noise.Seeded(8)
	m := small()
	h := resolved(t, m)
	maps := [][]float64{make([]float64, h.Canvas.Len()), make([]float64, h.Canvas.Len())}
	for i := range maps[0] {
		maps[0][i], maps[1][i] = src.ExpFloat64(), src.Float64()
	}
	got, quiet := release(t, m, maps, 3).Raw, release(t, m, nil, 3).Raw
	z, other := h.contribution(maps[0]), h.contribution(maps[1])
	unit := h.grid / float64(m.Subjects)
	for i := range got {
		if d := math.Round((got[i] - quiet[i]) / unit); d != float64(z[i]+other[i]) {
			t.Fatalf("cell %d moved by %v steps, the contributions by %d", i, d, z[i]+other[i])
		}
	}
	a := cells(noise.Laplace)
	b, err := a.resolve()
	if err != nil {
		t.Fatal(err)
	}
	maps[0], maps[1] = maps[0][:a.Canvas.Len()], maps[1][:a.Canvas.Len()]
	got, quiet = release(t, a, maps, 3).Raw, release(t, a, nil, 3).Raw
	z, other = b.contribution(maps[0]), b.contribution(maps[1])
	unit = b.grid / float64(a.Subjects)
	for i := range got {
		if d := math.Round((got[i] - quiet[i]) / unit); d != float64(z[i]+other[i]) {
			t.Fatalf("cell %d moved by %v steps, the contributions by %d", i, d, z[i]+other[i])
		}
	}
}
