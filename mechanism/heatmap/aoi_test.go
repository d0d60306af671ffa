package heatmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

func areas(k int) AOI {
	return AOI{Epsilon: 1, Delta: 1e-5, Subjects: 10, Areas: k, Horizon: 5}
}

func person(k int, dwell, fixations, first, transitions []float64, order ...int) *grid.AOIAccumulator {
	return &grid.AOIAccumulator{
		Areas: make(grid.AOIs, k), Dwell: dwell, Fixations: fixations, Visits: make([]float64, k+1),
		FirstFixation: first, Transitions: transitions, Order: order,
	}
}

// anyPerson is an accumulator of k areas with anything in it.
func anyPerson(k int) *rapid.Generator[*grid.AOIAccumulator] {
	return rapid.Custom(func(t *rapid.T) *grid.AOIAccumulator {
		v := func(n int, what string) []float64 { return rapid.SliceOfN(anyCell(), n, n).Draw(t, what) }
		return person(k, v(k+1, "dwell"), v(k+1, "fixations"), v(k, "first"), v((k+1)*(k+1), "transitions"),
			rapid.SliceOfN(rapid.IntRange(0, k-1), 0, 2*k).Draw(t, "order")...)
	})
}

func vector(t rapid.TB, m AOI, s *grid.AOIAccumulator) (*aoi, []float64) {
	a, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, a.len())
	if err := a.vector(v, s); err != nil {
		t.Fatal(err)
	}
	return a, v
}

// PROOF.md §4: every statistic stays within its bound, the vector within one,
// and the clip changes no honest vector by more than its rounding.
func TestAOIVectorIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "areas")
		m := areas(k)
		perm := rapid.Permutation(AllAOIStatistics).Draw(t, "order of statistics")
		m.Statistics = perm[:rapid.IntRange(1, len(perm)).Draw(t, "how many")]
		a, v := vector(t, m, anyPerson(k).Draw(t, "person"))
		rest, honest := v, true
		for _, name := range m.Statistics {
			size, bound := m.size(name)
			w := a.weight(name)
			s := 0.0
			for _, x := range rest[:size] {
				if !(x >= 0 && x <= w*(1+1e-12)) {
					t.Fatalf("%s holds %v of %v", name, x, w)
				}
				s += x / w * x / w
			}
			honest = honest && s <= bound*bound
			rest = rest[size:]
		}
		if len(rest) != 0 {
			t.Fatalf("%d entries too many", len(rest))
		}
		z := make([]int64, len(v))
		a.add(z, v)
		for rest := z; len(rest) > 0; {
			name := m.Statistics[0]
			size, _ := m.size(name)
			if n := norm2(rest[:size]); slices.Min(rest[:size]) < 0 || n > a.k {
				t.Fatalf("%s: Σz² = %d exceeds K = %d, or a step is negative", name, n, a.k)
			}
			rest, m.Statistics = rest[size:], m.Statistics[1:]
		}
		if !honest { // negative dwell beside positive: no such person, the clip decides
			return
		}
		for i, x := range v {
			if d := x/a.grid - float64(z[i]); d < 0 || d > 1.01 {
				t.Fatalf("entry %d: %v steps became %d", i, x/a.grid, z[i])
			}
		}
	})
}

// No two subjects are further apart than the noise is calibrated to, and two
// are nearly as far: one who looked beside all areas, and one who looked at all
// of them at once.
func TestAOIDistance(t *testing.T) {
	apart := func(t rapid.TB, m AOI, p, q *grid.AOIAccumulator) (squared int64, a *aoi) {
		a, x := vector(t, m, p)
		_, y := vector(t, m, q)
		z := make([]int64, len(x))
		a.add(z, y)
		for i := range z {
			z[i] = -z[i]
		}
		a.add(z, x)
		return norm2(z), a
	}
	rapid.Check(t, func(t *rapid.T) {
		m := areas(rapid.IntRange(1, 5).Draw(t, "areas"))
		perm := rapid.Permutation(AllAOIStatistics).Draw(t, "order of statistics")
		m.Statistics = perm[:rapid.IntRange(1, len(perm)).Draw(t, "how many")]
		if d, a := apart(t, m, anyPerson(m.Areas).Draw(t, "one"), anyPerson(m.Areas).Draw(t, "other")); d > a.moved {
			t.Fatalf("%d apart, calibrated to %d", d, a.moved)
		}
	})
	never := math.NaN()
	beside := person(2, []float64{0, 0, 1}, []float64{0, 0, 1}, []float64{never, never}, []float64{0, 0, 0, 0, 0, 0, 0, 0, 1})
	all := person(2, []float64{1, 0, 0}, []float64{1, 1, 0}, []float64{0, 0}, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 1)
	for statistic, least := range map[string]float64{AOIDwell: 1, AOIHits: 1, AOIFirst: 1, AOITransitions: 1, AOIOrder: 1.25 / 2, "": 6.625 / 7} {
		m := areas(2)
		if m.Statistics = []string{statistic}; statistic == "" {
			m.Statistics = nil
		}
		d, a := apart(t, m, beside, all)
		near(t, "squared distance of "+statistic, float64(d)/float64(a.moved), least, 1e-5)
	}
}

// People whose times and counts are none negative are never clipped.
func TestAOIBoundHoldsByConstruction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "areas")
		v := func(n int, what string) []float64 {
			return rapid.SliceOfN(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 100)), n, n).Draw(t, what)
		}
		_, x := vector(t, areas(k), person(k, v(k+1, "dwell"), v(k+1, "fixations"), v(k, "first"), v((k+1)*(k+1), "transitions"),
			rapid.Permutation(slices.Collect(integers(k))).Draw(t, "order")...))
		if n := deviation(x) * math.Sqrt(float64(len(x))); n > 1+1e-12 {
			t.Fatalf("norm %v", n)
		}
	})
}

func integers(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// The bounds are attained but for the ranks, of which only one can be the
// first: somebody who looked everywhere at once.
func TestAOIBoundIsAttained(t *testing.T) {
	m := areas(2)
	m.Statistics = []string{AOIDwell, AOIHits, AOIFirst, AOITransitions}
	_, v := vector(t, m, person(2, []float64{0, 3, 0}, []float64{1, 2, 0}, []float64{0, 0}, []float64{0, 0, 0, 0, 4, 0, 0, 0, 0}, 1, 0))
	near(t, "norm", deviation(v)*math.Sqrt(float64(len(v))), 1, 1e-12)
}

// Without visible noise the statistics are the means that their docs say.
func TestAOIStatistics(t *testing.T) {
	never := math.NaN()
	people := []*grid.AOIAccumulator{
		person(2, []float64{1, 3, 0}, []float64{1, 2, 0}, []float64{0.5, 2}, []float64{0, 1, 0, 1, 2, 0, 0, 0, 0}, 0, 1),
		person(2, []float64{0, 1, 1}, []float64{0, 1, 4}, []float64{never, 7}, []float64{0, 0, 0, 0, 0, 0, 0, 1, 3}, 1),
	}
	m := areas(2)
	m.Epsilon, m.Subjects = 1e6, 2
	r, err := m.Release(slices.Values(people), noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{
		AOIDwell:       {0.125, 0.625, 0.25},
		AOIHits:        {0.5, 1},
		AOIFirst:       {(0.5 + 5) / 2, (2 + 5) / 2.}, // never, and later than the horizon, count as 5 s
		AOITransitions: {0, 0.125, 0, 0.125, 0.25, 0, 0, 0.125, 0.375},
		AOIOrder:       {(1 + 3) / 2., (2 + 1) / 2.}, // never counts as one more than the areas
	} {
		s := r.Statistics[name]
		if len(s.Values) != len(want) {
			t.Errorf("%s has %d values", name, len(s.Values))
			continue
		}
		for i, v := range s.Values {
			if math.Abs(v-want[i]) > 6*s.Deviation || math.Abs(s.Raw[i]-want[i]) > 6*s.Deviation {
				t.Errorf("%s[%d] = %v (raw %v), want %v ± %v", name, i, v, s.Raw[i], want[i], s.Deviation)
			}
		}
		if s.Deviation > 0.02 {
			t.Errorf("%s: noise of %v hides the value", name, s.Deviation)
		}
	}
	if _, void := r.Guarantee.Void(); !void {
		t.Error("a seeded release keeps its guarantee")
	}
}

// The stated deviation is that of the noise in each statistic.
func TestAOIDeviation(t *testing.T) {
	m := areas(40)
	a, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	raw, src := map[string][]float64{}, noise.Seeded(3)
	stated := map[string]float64{}
	for range 300 {
		r, err := a.draw(func(func(*grid.AOIAccumulator) bool) {}, src)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range r.Statistics {
			raw[name] = append(raw[name], s.Raw...)
			stated[name] = s.Deviation
		}
	}
	for _, name := range AllAOIStatistics {
		// Nobody has data: never, whose reading is the horizon and one more than 40.
		never := map[string]float64{AOIFirst: m.Horizon, AOIOrder: 41}[name]
		if err := stattest.NormalMoments(never, stated[name]).Check(raw[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if stattest.NormalMoments(never, 0.7*stated[name]).Check(raw[name]) == nil {
			t.Errorf("%s: the test does not tell 0.7 times the noise", name)
		}
	}
}

// Values are in their ranges, whatever the noise.
func TestAOIRanges(t *testing.T) {
	m := areas(3)
	m.Epsilon = 0.05
	a, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		r, err := a.draw(func(func(*grid.AOIAccumulator) bool) {}, noise.Seeded(seed))
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range r.Statistics {
			top := map[string]float64{AOIFirst: 5, AOIOrder: 4}[name]
			if top == 0 {
				top = 1
			}
			for i, v := range s.Values {
				if !(v >= 0 && v <= top) {
					t.Fatalf("%s[%d] = %v", name, i, v)
				}
			}
			if (name == AOIDwell || name == AOITransitions) && sum(s.Values) > 1+1e-9 {
				t.Fatalf("%s sums to %v", name, sum(s.Values))
			}
		}
	}
}

// The projection is the nearest point: no small move towards any other point of
// the set comes nearer.
func TestToSimplexIsNearest(t *testing.T) {
	distance := func(a, b []float64) (d float64) {
		for i := range a {
			d += (a[i] - b[i]) * (a[i] - b[i])
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, "v")
		got := make([]float64, n)
		toSimplex(got, v)
		total := 0.0
		for _, x := range got {
			if x < 0 {
				t.Fatalf("%v", got)
			}
			total += x
		}
		if total > 1+1e-9 {
			t.Fatalf("sums to %v", total)
		}
		other := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "other")
		s := math.Max(1, sum(other))
		for i := range other {
			other[i] = got[i] + 1e-3*(other[i]/s-got[i])
		}
		if d, e := distance(v, got), distance(v, other); e < d-1e-9 {
			t.Fatalf("%v is nearer to %v than %v", other, v, got)
		}
		same := make([]float64, n)
		toSimplex(same, got)
		if distance(same, got) > 1e-18 {
			t.Fatalf("projected again: %v, %v", got, same)
		}
	})
}

func TestAOIInputs(t *testing.T) {
	m := areas(2)
	ok := person(2, []float64{1, 0, 0}, []float64{1, 0, 0}, []float64{1, 2}, make([]float64, 9), 0)
	run := func(people ...*grid.AOIAccumulator) ([]float64, error) {
		r, err := m.Release(slices.Values(people), noise.Seeded(1))
		if err != nil {
			return nil, err
		}
		return r.Raw, nil
	}
	want, err := run(ok)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(nil, &grid.AOIAccumulator{}, ok, nil); !slices.Equal(got, want) {
		t.Error("people without data have an effect")
	}
	for name, bad := range map[string]*grid.AOIAccumulator{
		"other areas":      person(3, make([]float64, 4), make([]float64, 4), make([]float64, 3), make([]float64, 16)),
		"fixations":        person(2, make([]float64, 3), nil, make([]float64, 2), make([]float64, 9)),
		"first fixations":  person(2, make([]float64, 3), make([]float64, 3), make([]float64, 5), make([]float64, 9)),
		"transitions":      person(2, make([]float64, 3), make([]float64, 3), make([]float64, 2), make([]float64, 90)),
		"an area too many": person(2, make([]float64, 3), make([]float64, 3), make([]float64, 2), make([]float64, 9), 2),
		"a negative area":  person(2, make([]float64, 3), make([]float64, 3), make([]float64, 2), make([]float64, 9), -1),
	} {
		if _, err := run(bad); err == nil || !strings.Contains(err.Error(), "areas") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := run(slices.Repeat([]*grid.AOIAccumulator{ok}, 11)...); err != ErrSubjects {
		t.Errorf("eleven of ten subjects: %v", err)
	}
	if g := m.Guarantee().String(); g != "(1, 1e-05)-DP per subject, replace one, central" {
		t.Error(g)
	}
	for name, change := range map[string]func(*AOI){
		"areas": func(m *AOI) { m.Areas = 0 }, "horizon": func(m *AOI) { m.Horizon = math.Inf(1) }, "statistic": func(m *AOI) { m.Statistics = []string{"age"} },
		"repeated": func(m *AOI) { m.Statistics = []string{AOIHits, AOIHits} }, "unit": func(m *AOI) { m.Unit = dp.Chunk },
	} {
		m := areas(2)
		if change(&m); m.Check() == nil || !strings.Contains(m.Check().Error(), name) {
			t.Errorf("%s: %v", name, m.Check())
		}
	}
	if m.Statistics, m.Horizon = []string{AOIDwell}, 0; m.Check() != nil {
		t.Errorf("a horizon is asked for where none is used: %v", m.Check())
	}
}
