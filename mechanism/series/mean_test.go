package series

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/noise"
)

// TestMeanIsTheMean at an ε that leaves little noise: per condition, several
// recordings of a person averaged first, what is missing in the middle of the
// bounds, people without data counted.
func TestMeanIsTheMean(t *testing.T) {
	m := Mean{Epsilon: 1e6, Delta: 1e-3, Subjects: 4, Conditions: 2, Cut: Cut{Features: 1, Length: 6}, Bounds: []Bounds{{0, 10}}, Coefficients: 4, Gaps: Interpolate}
	flat := func(subject, condition string, windows int, v float64) Signals {
		return Signals{Subject: subject, Condition: condition, Values: [][]float64{slices.Repeat([]float64{v}, windows)}}
	}
	in := []Signals{
		flat("a", "x", 6, 9), flat("a", "x", 6, 7), // 8 for a
		flat("b", "x", 3, 2),          // 2, then 5
		flat("c", "y", 8, 1),          // what lies beyond is left out
		flat("b", "y", 6, math.NaN()), // 5
	}
	r, err := m.Release(in, []string{"x", "y"}, noise.Seeded(2))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{
		{(8 + 2 + 5 + 5) / 4.0, (8 + 2 + 5 + 5) / 4.0, (8 + 2 + 5 + 5) / 4.0, (8 + 15) / 4.0, (8 + 15) / 4.0, (8 + 15) / 4.0},
		slices.Repeat([]float64{(5 + 5 + 1 + 5) / 4.0}, 6),
	}
	if len(r.Recordings) != 2 || r.Recordings[0].Condition != "x" || r.Recordings[1].Subject != "" {
		t.Fatalf("%+v", r.Recordings)
	}
	for c := range want {
		for i, v := range r.Recordings[c].Values[0] {
			if math.Abs(v-want[c][i]) > 0.1 {
				t.Errorf("condition %d, window %d: %v, want %v", c, i, v, want[c][i])
			}
		}
	}
}

// TestNoSubjectMovesTheSumFurther than 2R, whatever they are replaced by; also
// by nobody.
func TestNoSubjectMovesTheSumFurther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mean{
			Epsilon: 1, Delta: 1e-3, Subjects: 3, Conditions: 2, Cut: Cut{Features: 2, Length: rapid.IntRange(1, 9).Draw(t, "length"), Chunk: rapid.IntRange(0, 4).Draw(t, "chunk")},
			Bounds: []Bounds{{-3, 5}}, Clip: rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "clip"), Gaps: Interpolate, Transform: Transform(rapid.IntRange(0, 1).Draw(t, "transform")),
		}
		names := []string{"x", "y"}
		data := func(others []Signals) []Signals {
			all := slices.Clone(others)
			for range rapid.IntRange(0, 3).Draw(t, "recordings") {
				r := drawSubject(t, m.Cut, "s", []int{rapid.IntRange(1, 12).Draw(t, "n")})[0]
				r.Condition = rapid.SampledFrom(names).Draw(t, "condition")
				all = append(all, r)
			}
			return all
		}
		other := drawSubject(t, m.Cut, "other", []int{m.Cut.Length})
		other[0].Condition = "x"
		a, err := m.Prepare(data(other), names)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Prepare(data(other), names)
		if err != nil {
			t.Fatal(err)
		}
		if moved := distance(a, b) / gaussianScale; moved > m.Guarantee().Mu {
			t.Fatalf("%+v: a subject moves %v, stated %v", m, moved, m.Guarantee().Mu)
		}
	})
}

func TestBadMeans(t *testing.T) {
	m := Mean{Epsilon: 1, Delta: 1e-3, Subjects: 2, Cut: Cut{Features: 1, Length: 4}, Bounds: unit}
	good := func(subject string) Signals {
		return Signals{Subject: subject, Condition: "x", Values: [][]float64{{1, 2}}}
	}
	for name, v := range map[string]struct {
		in         []Signals
		conditions []string
	}{
		"three people":      {[]Signals{good("a"), good("b"), good("c")}, []string{"x"}},
		"another condition": {[]Signals{good("a")}, []string{"y"}},
		"two conditions":    {[]Signals{good("a")}, []string{"x", "y"}},
		"two signals":       {[]Signals{{Subject: "a", Condition: "x", Values: [][]float64{{1}, {2}}}}, []string{"x"}},
		"no windows":        {[]Signals{{Subject: "a", Condition: "x", Values: [][]float64{{}}}}, []string{"x"}},
	} {
		if _, err := m.Release(v.in, v.conditions, noise.Seeded(1)); err == nil {
			t.Errorf("%s: released", name)
		}
	}
	gap := good("a")
	gap.Values = [][]float64{{1, math.NaN()}}
	if _, err := m.Release([]Signals{gap}, []string{"x"}, noise.Seeded(1)); !errors.Is(err, ErrGap) {
		t.Errorf("a gap: %v", err)
	}
}
