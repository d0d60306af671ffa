package heatmap

import (
	"math"
	"slices"
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

func counts(n, cells int, seed uint64) [][]float64 {
	src := noise.Seeded(seed)
	maps := make([][]float64, n)
	for i := range maps {
		maps[i] = make([]float64, cells)
		for range 10 {
			maps[i][src.IntN(cells)]++
		}
	}
	return maps
}

// Liu et al. 2019, Theorems 3.2 and 3.3.
func TestLeak(t *testing.T) {
	c := cells(0).Canvas
	for _, v := range []struct {
		share float64
		with  bool
		n     int
		want  float64
	}{{0.5, false, 100, 0.5}, {0.1, false, 30, 0.1}, {1, false, 9, 1}, {0.5, true, 100, 1 - math.Pow(0.99, 50)}, {1, true, 20, 1 - math.Pow(0.95, 20)}} {
		m := Selection{Share: v.share, Replacement: v.with, Subjects: v.n, Canvas: c}
		near(t, "leak", m.Leak(), v.want, 1e-12)
		if _, void := m.Guarantee().Void(); !void {
			t.Errorf("%+v promises %v", v, m.Guarantee())
		}
	}
}

// The subtraction attack: who knows the others has the last one's map, cell by
// cell.
func TestSubtractionRecoversTheSubject(t *testing.T) {
	const n = 16 // a power of two, so that the mean of counts is exact
	maps := counts(n, 48, 3)
	r := release(t, NoiseFree(n, cells(0).Canvas, 0), maps, 1)
	for j := range maps[5] {
		v := r.Raw[j] * n
		for i, m := range maps {
			if i != 5 {
				v -= m[j]
			}
		}
		if v != maps[5][j] {
			t.Fatalf("cell %d: recovered %v, it was %v", j, v, maps[5][j])
		}
	}
	// Half of the subjects: the attacker tries who was drawn by what fits.
	half := release(t, Selection{Share: 0.5, Subjects: n, Canvas: cells(0).Canvas}, maps, 2)
	total := 0.0
	for _, v := range half.Raw {
		total += v
	}
	if total != 10 { // 8 people with 10 looks each, divided by 8
		t.Errorf("half of the subjects have a mean of %v looks", total)
	}
}

// The leaks of the theorems are there to be seen: the victim alone looked at
// cell 0, so a release with anything there is impossible without them.
func TestAuditSeesTheLeak(t *testing.T) {
	for _, with := range []bool{false, true} {
		m := Selection{Share: 0.5, Replacement: with, Subjects: 20, Canvas: Canvas{Width: 2, Height: 1, Cell: 1}}
		others := slices.Repeat([][]float64{{0, 1}}, 19)
		c := audit.Case{
			Mechanism: m.name(), Claim: m.Guarantee(), Events: audit.Leaks,
			Draw: func(side bool, src *noise.Source) (float64, error) {
				victim := []float64{0, 1}
				if side {
					victim = []float64{1, 0}
				}
				r, err := m.Release(slices.Values(append(slices.Clone(others), victim)), src)
				if err != nil {
					return 0, err
				}
				return r.Raw[0], nil
			},
			Never: func(x float64) bool { return x > 0 },
		}
		r, err := audit.Audit{Trials: 20_000}.Run(c, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != audit.NoClaim || r.Lower.Delta > m.Leak() || r.Lower.Delta < 0.94*m.Leak() {
			t.Errorf("replacement %v: δ ≥ %v is shown, the theorem says %v", with, r.Lower.Delta, m.Leak())
		}
	}
}

// Everybody is drawn as often as the design says.
func TestSelectionFrequencies(t *testing.T) {
	const n, draws = 12, 20_000
	for _, with := range []bool{false, true} {
		m := Selection{Share: 0.4, Replacement: with, Subjects: n, Canvas: cells(0).Canvas}
		src, times, drawn := noise.Seeded(6), make([]int64, n), make([]int64, n)
		for range draws {
			total := 0.0
			for i, w := range m.draw(src) {
				times[i] += int64(w)
				total += w
				if w > 0 {
					drawn[i]++
				}
				if !with && w > 1 {
					t.Fatalf("drawn %v times without replacement", w)
				}
			}
			if total != 5 { // 0.4 · 12, rounded
				t.Fatalf("%v draws", total)
			}
		}
		for i := range times {
			if err := stattest.Rate(drawn[i], draws, m.Leak()); err != nil {
				t.Errorf("replacement %v, subject %d: %v", with, i, err)
			}
		}
		if with {
			if err := stattest.Fit(times, slices.Repeat([]float64{1. / n}, n)); err != nil {
				t.Errorf("with replacement: %v", err)
			}
		}
	}
	if d := (Selection{Share: 1e-9, Subjects: 5}).draws(); d != 1 {
		t.Errorf("a tiny share draws %d", d)
	}
}
