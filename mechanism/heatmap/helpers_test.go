package heatmap

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(math.Abs(want), 1e-300)) {
		t.Errorf("%s = %.9g, want %.9g within a share of %g", what, got, want, tol)
	}
}

// small is a half-blur mechanism that runs in microseconds: 8 × 6 cells, blur
// of 2 cells.
func small() HalfBlur {
	return HalfBlur{Epsilon: 1, Delta: 1e-5, Subjects: 8, Canvas: Canvas{Width: 80, Height: 60, Cell: 10}, Blur: 20}
}

func cells(law noise.Law) Additive {
	return Additive{Law: law, Epsilon: 1, Delta: 1e-5, Subjects: 8, Canvas: Canvas{Width: 8, Height: 6, Cell: 1}, Cap: 3}
}

func release(t testing.TB, m Mechanism, maps [][]float64, seed uint64) *Release {
	t.Helper()
	r, err := m.Release(slices.Values(maps), noise.Seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resolved(t testing.TB, m HalfBlur) *halfBlur {
	t.Helper()
	h, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// contribution is a subject's integer vector, as Release adds it.
func (h *halfBlur) contribution(m []float64) []int64 {
	z, a := make([]int64, h.len()), make([]float64, h.len())
	h.spread(a, m)
	mechanism.AddClipped(z, a, h.norm, h.grid, h.k)
	return z
}

func (a *additive) contribution(m []float64) []int64 {
	z := make([]int64, len(m))
	for i, x := range m {
		z[i] = int64(math.Min(amount(x)/a.grid, float64(a.steps)))
	}
	return z
}

func single(n, at int) []float64 {
	m := make([]float64, n)
	m[at] = 1
	return m
}

// anyCell is what a file or a bug may put on a cell.
func anyCell() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Just(0.0), rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e6), rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 5e-324, 1e-310, 1e-160, 1e154, math.MaxFloat64, math.Copysign(0, -1)}),
	)
}

// anyMap is one subject's map: random, sparse, or one of the corners of what
// is possible.
func anyMap(n int) *rapid.Generator[[]float64] {
	return rapid.OneOf(
		rapid.SliceOfN(anyCell(), n, n),
		rapid.Custom(func(t *rapid.T) []float64 {
			return slices.Repeat([]float64{anyCell().Draw(t, "everywhere")}, n)
		}),
		rapid.Custom(func(t *rapid.T) []float64 {
			m := make([]float64, n)
			for range rapid.IntRange(0, 4).Draw(t, "looks") {
				m[rapid.IntRange(0, n-1).Draw(t, "cell")] = anyCell().Draw(t, "dwell")
			}
			return m
		}),
		rapid.Map(rapid.SampledFrom([]int{0, n - 1, n / 2}), func(at int) []float64 { return single(n, at) }),
	)
}

// gauss is a film blurred with the full sampled Gaussian, brute force, zero
// outside; s in cells.
func gauss(m []float64, c Canvas, s float64) []float64 {
	cols, rows := c.Cols(), c.Rows()
	total := 0.0
	for d := -60; d <= 60; d++ {
		total += math.Exp(-float64(d*d) / (2 * s * s))
	}
	out := make([]float64, len(m))
	for i, v := range m {
		if v == 0 {
			continue
		}
		frame := i / (cols * rows) * cols * rows
		x, y := i%cols, i/cols%rows
		for j := range cols * rows {
			dx, dy := float64(j%cols-x), float64(j/cols-y)
			out[frame+j] += v * math.Exp(-(dx*dx+dy*dy)/(2*s*s)) / (total * total)
		}
	}
	return out
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func deviation(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s / float64(len(v)))
}

func planNoise(m mechanism.Mechanism) mechanism.Noise { return m.Plan().Noise }
