package series

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// distance of two prepared releases, on the lattice.
func distance(a, b *Prepared) float64 {
	sum := 0.0
	for i := range a.pieces {
		for j, z := range a.pieces[i].whole {
			d := float64(z - b.pieces[i].whole[j])
			sum += d * d
		}
	}
	return math.Sqrt(sum)
}

// TestPartOfAUnit: what one chunk moves, with rounding and with a clip that
// reaches the unit's other chunks, is within the μ that is stated for it.
func TestPartOfAUnit(t *testing.T) {
	for _, v := range []struct{ epsilon, clip, other float64 }{{1, 1, 0}, {1, 1, 1}, {1, 0.5, 1}, {200, 1e-5, 0.5}, {200, 1e-5, 1}} {
		m := Gaussian{Epsilon: v.epsilon, Delta: 1e-3, Cut: Cut{Features: 1, Length: 64, Chunk: 16}, Bounds: unit, Clip: v.clip, Coefficients: 9}
		value := func(first float64) *Prepared {
			s := make([]float64, 64)
			for i := range s {
				if s[i] = v.other; i < 16 {
					s[i] = first
				}
			}
			p, err := m.Prepare([]Signals{{Subject: "a", Values: [][]float64{s}}})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		moved, stated := distance(value(0), value(1))/gaussianScale, m.Plan().Composed["chunk"].Mu
		if moved > stated {
			t.Errorf("%+v: a chunk moves %v, stated %v", v, moved, stated)
		}
		g, err := m.resolve()
		if err != nil {
			t.Fatal(err)
		}
		if least := g.Cut.diagonal(dp.Chunk)/g.sigma() + 2*math.Sqrt(g.Cut.coordinates(g.full))/gaussianScale; stated < math.Min(least, g.exactMu()) {
			t.Errorf("%+v: μ of a chunk is %v: the rounding of %v is left out", v, stated, least)
		}
	}
}

// trials are tables of one subject, all at one value: some of session 1, the
// others of sessions of their own.
func trials(ofOne, others int, value float64) []Signals {
	var all []Signals
	for i := range ofOne + others {
		v := slices.Repeat([]float64{value}, 8)
		s := Signals{Subject: "a", Session: "1", Recording: string(rune('a' + i)), Values: [][]float64{v}}
		if i >= ofOne {
			s.Session = "own " + s.Recording
		}
		all = append(all, s)
	}
	return all
}

// TestRecordingsAreSessions: all trials of a session are one unit, and have one
// ε and one norm.
func TestRecordingsAreSessions(t *testing.T) {
	cut := Cut{Features: 1, Length: 8, Recordings: 4, Trials: 4, Unit: dp.Recording}
	for name, m := range map[string]interface {
		mechanism.Mechanism
		Prepare([]Signals) (*Prepared, error)
	}{
		"laplace":  Laplace{Method: LPA, Epsilon: 1, Cut: cut, Bounds: unit},
		"gaussian": Gaussian{Epsilon: 1, Delta: 1e-3, Cut: cut, Bounds: unit},
		"clipped":  Gaussian{Epsilon: 1, Delta: 1e-3, Cut: cut, Bounds: unit, Clip: 0.4},
	} {
		for _, split := range [][2]int{{4, 0}, {2, 2}, {0, 4}} {
			a, err := m.Prepare(trials(split[0], split[1], 0))
			if err != nil {
				t.Fatal(err)
			}
			b, err := m.Prepare(trials(split[0], split[1], 1))
			if err != nil {
				t.Fatal(err)
			}
			u, stated := "subject", m.Plan().Composed["subject"]
			if split[0] == 4 {
				u, stated = "session", m.Plan().Guarantee
			}
			if stated.Measure == dp.Approximate {
				if moved := distance(a, b) / gaussianScale; moved > stated.Mu {
					t.Errorf("%s, %v: a %s moves %v, stated %v", name, split, u, moved, stated.Mu)
				}
				continue
			}
			moved := 0.0
			for i := range a.pieces {
				for j, z := range a.pieces[i].whole {
					moved += math.Abs(float64(z-b.pieces[i].whole[j])) / laplaceScale
				}
			}
			if moved > stated.Epsilon {
				t.Errorf("%s, %v: a %s costs %v, stated %v", name, split, u, moved, stated.Epsilon)
			}
		}
		if _, err := m.Prepare(trials(5, 0, 0)); err == nil {
			t.Errorf("%s: five trials of four were taken", name)
		}
	}
	cut.Trials = 1
	if _, err := (Laplace{Method: LPA, Epsilon: 1, Cut: cut, Bounds: unit}).Prepare(trials(2, 0, 0)); err == nil {
		t.Error("two trials of a session were taken for two units")
	}
}

// TestNoUnitMovesAGaussianFurther than the μ that is stated for it, whatever
// it is replaced by and whichever unit is the protected one: norms are clipped
// jointly, so that a chunk reaches the coordinates of its unit's others.
func TestNoUnitMovesAGaussianFurther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Gaussian{
			Epsilon: rapid.SampledFrom([]float64{0.5, 3, 40}).Draw(t, "epsilon"), Delta: 1e-3, Bounds: []Bounds{{-3, 5}}, Gaps: Interpolate,
			Cut:       Cut{Features: rapid.IntRange(1, 2).Draw(t, "features"), Length: rapid.IntRange(1, 11).Draw(t, "length"), Trials: rapid.IntRange(1, 2).Draw(t, "trials")},
			Transform: Transform(rapid.IntRange(0, 1).Draw(t, "transform")), Clip: rapid.SampledFrom([]float64{0, 0.5, 1e-3}).Draw(t, "clip"),
		}
		m.Cut.Chunk, m.Cut.Recordings = rapid.IntRange(1, 6).Draw(t, "chunk"), m.Cut.Trials*rapid.IntRange(1, 2).Draw(t, "sessions")
		m.Cut.Unit = rapid.SampledFrom([]dp.Unit{dp.Subject, dp.Recording, dp.Chunk}).Draw(t, "unit")
		m.Coefficients = rapid.IntRange(0, m.Cut.chunkLength()/2+1).Draw(t, "k")
		var lengths []int
		for range m.Cut.Recordings {
			lengths = append(lengths, rapid.IntRange(1, m.Cut.Length).Draw(t, "n"))
		}
		from, other := drawSubject(t, m.Cut, "s", lengths), drawSubject(t, m.Cut, "s", lengths)
		a, err := m.Prepare(from)
		if err != nil {
			t.Fatal(err)
		}
		for name, g := range m.Plan().Composed {
			b, err := m.Prepare(replaced(m.Cut, g.Unit, from, other))
			if err != nil {
				t.Fatal(err)
			}
			if moved := distance(a, b) / gaussianScale; name != "gaze" && moved > g.Mu {
				t.Fatalf("%+v: a %v moves %v, stated %v", m, g.Unit, moved, g.Mu)
			}
		}
	})
}

// replaced is the data with their first unit taken from others.
func replaced(c Cut, u dp.Unit, from, other []Signals) []Signals {
	out := slices.Clone(from)
	for i := range out {
		switch {
		case u == dp.Subject, u == dp.Recording && from[i].Session == from[0].Session:
			out[i].Values = other[i].Values
		case u == dp.Chunk && i == 0:
			out[i].Values = nil
			for f, v := range from[i].Values {
				v = slices.Clone(v)
				copy(v[:min(c.Chunk, len(v))], other[i].Values[f])
				out[i].Values = append(out[i].Values, v)
			}
		}
	}
	return out
}
