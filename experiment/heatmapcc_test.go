package experiment

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// blur of the pictures in these tests, px of a screen of 1280 × 960.
const blur = 40

var canvas = heatmap.Canvas{Width: 1280, Height: 960, Cell: 20}

// window are people before the shop window.
func window(t testing.TB, people int) *Looks {
	t.Helper()
	c := simulate.Cohort{People: people, Seconds: 3, Rate: 60, Scenes: []simulate.Scene{simulate.ShopWindow()}}
	l, err := PoolRecordings(c.Recordings(noise.Seeded(3)), canvas)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func specs(t testing.TB, names ...string) []mechanism.Spec {
	t.Helper()
	var out []mechanism.Spec
	for _, n := range names {
		s, err := all.ByName("heatmap", n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func table(t testing.TB, e HeatmapCC) []HeatmapRow {
	t.Helper()
	rows, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTableIsRepeatable: a seed gives one table, on any number of processors.
func TestTableIsRepeatable(t *testing.T) {
	e := HeatmapCC{
		Looks: window(t, 60), Blur: blur, Subjects: []int{20}, Epsilons: []float64{1, 4}, Draws: 5, Seed: 7,
		Specs: specs(t, "halfblur", "gaussian", "selection-without"), Values: map[string]string{"picture": heatmap.PicturePlain},
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	first := table(t, e)
	for _, processors := range []int{1, 5} {
		runtime.GOMAXPROCS(processors)
		if d := cmp.Diff(first, table(t, e)); d != "" {
			t.Errorf("with %d processors:\n%s", processors, d)
		}
	}
	if len(first) != 6 {
		t.Fatalf("%d rows, want 3 mechanisms × 2 ε", len(first))
	}
	e.Seed = 8
	for i, r := range table(t, e) {
		if r.CC == first[i].CC {
			t.Errorf("%s at n = %d: another seed drew the same", r.Mechanism, r.Subjects)
		}
	}
}

// TestRowsSayWhatTheyAre: each row carries its own n, ε and δ.
func TestRowsSayWhatTheyAre(t *testing.T) {
	e := HeatmapCC{
		Looks: window(t, 30), Blur: blur, Subjects: []int{10, 25}, Epsilons: []float64{1, 2}, Draws: 2, Seed: 1,
		Specs: specs(t, "halfblur", "laplace"), Values: map[string]string{"picture": heatmap.PicturePlain},
	}
	var seen []int
	e.Progress = func(done int) { seen = append(seen, done) }
	rows := table(t, e)
	i := 0
	for _, name := range []string{"halfblur", "laplace"} {
		for _, n := range []int{10, 25} {
			for _, epsilon := range []float64{1, 2} {
				r := rows[i]
				delta := math.Pow(float64(n), -1.5)
				if name == "laplace" {
					delta = 0
				}
				if r.Mechanism != name || r.Subjects != n || r.Epsilon != epsilon || r.Draws != 2 || r.Observers != 30 {
					t.Errorf("row %d is %+v", i, r)
				}
				if math.Abs(r.Delta-delta) > 1e-9 || r.Noise.Sigma <= 0 || strings.Contains(r.Guarantee, "none") {
					t.Errorf("row %d: δ = %v, want %v; noise %v, guarantee %q", i, r.Delta, delta, r.Noise, r.Guarantee)
				}
				i++
			}
		}
	}
	if len(seen) != e.Total() || seen[len(seen)-1] != e.Total() {
		t.Errorf("progress said %v, want 1 to %d", seen, e.Total())
	}
	for i, v := range seen {
		if v != i+1 {
			t.Errorf("progress said %v", seen)
			break
		}
	}
}

// TestCorrelationFollowsNoise: without noise the correlation is one, with much
// of it next to nothing, and it grows with ε in between.
func TestCorrelationFollowsNoise(t *testing.T) {
	e := HeatmapCC{
		Looks: window(t, 200), Blur: blur, Subjects: []int{200}, Epsilons: []float64{0.01, 0.3, 3, 1e5}, Draws: 6, Seed: 2,
		Specs: specs(t, "halfblur"), Values: map[string]string{"picture": heatmap.PicturePlain},
	}
	rows := table(t, e)
	for i := 1; i < len(rows); i++ {
		if rows[i].CC.Mean <= rows[i-1].CC.Mean {
			t.Errorf("ε = %g gives %v, ε = %g gives %v", rows[i].Epsilon, rows[i].CC, rows[i-1].Epsilon, rows[i-1].CC)
		}
	}
	if rows[0].CC.Mean > 0.3 {
		t.Errorf("ε = 0.01 gives %v: is noise added at all?", rows[0].CC)
	}
	if last := rows[len(rows)-1].CC; last.Mean < 0.98 || last.Min < 0.98 {
		t.Errorf("ε = 1e5 gives %v, want nearly one", last)
	}
	e.Specs, e.Epsilons = specs(t, "noise-free"), []float64{1}
	if cc := table(t, e)[0].CC; cc.Min < 1-1e-9 {
		t.Errorf("the noise-free control correlates by %v with itself, want 1", cc.Min)
	}
}

// TestNothingCorrelatesWithNothing: a picture without structure scores zero
// and is no error.
func TestNothingCorrelatesWithNothing(t *testing.T) {
	e := HeatmapCC{
		Looks: window(t, 5), Blur: blur, Subjects: []int{2}, Epsilons: []float64{1e-3}, Draws: 3, Seed: 2,
		Specs: specs(t, "halfblur"), Values: map[string]string{"picture": heatmap.PictureThreshold, "threshold": "50"},
	}
	if cc := table(t, e)[0].CC; cc != (Spread{}) {
		t.Errorf("an empty picture scores %v, want zero", cc)
	}
}

func TestTablesThatCannotBeMade(t *testing.T) {
	good := HeatmapCC{Looks: window(t, 10), Blur: blur, Subjects: []int{5}, Epsilons: []float64{1}, Draws: 1, Specs: specs(t, "halfblur")}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*HeatmapCC){
		"n beyond the data": func(e *HeatmapCC) { e.Subjects = []int{5, 11} },
		"n of one":          func(e *HeatmapCC) { e.Subjects = []int{1} },
		"no n":              func(e *HeatmapCC) { e.Subjects = nil },
		"no draws":          func(e *HeatmapCC) { e.Draws = 0 },
		"no mechanism":      func(e *HeatmapCC) { e.Specs = nil },
		"no ε":              func(e *HeatmapCC) { e.Epsilons = nil },
		"ε of zero":         func(e *HeatmapCC) { e.Epsilons = []float64{1, 0} },
		"ε of NaN":          func(e *HeatmapCC) { e.Epsilons = []float64{math.NaN()} },
		"no observers":      func(e *HeatmapCC) { e.Looks = nil },
		"no blur":           func(e *HeatmapCC) { e.Blur = 0 },
		"no heatmap":        func(e *HeatmapCC) { e.Specs = []mechanism.Spec{aoi(t)}; e.Values = map[string]string{"areas": "2"} },
	} {
		e := good
		spoil(&e)
		rows, err := e.Run(t.Context())
		if err == nil {
			t.Errorf("%s: made %v", name, rows)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := good.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func aoi(t *testing.T) mechanism.Spec {
	t.Helper()
	s, err := all.ByName("aoi", "gaussian")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPool: every recording is an observer whose map sums to one; who never
// looks at the canvas is none.
func TestPool(t *testing.T) {
	people := gazetest.Annotated(4)
	away := gazetest.Clone(people[3])
	for i := range away.Fixations {
		away.Fixations[i].X = -50
	}
	c := canvas
	l, err := PoolRecordings(gazetest.Pieces(17, append(people, away)...), c)
	if err != nil {
		t.Fatal(err)
	}
	if l.Len() != 4 {
		t.Fatalf("%d observers, want 4", l.Len())
	}
	n := 0
	for m := range l.maps([]int{3, 0}) {
		want := people[[]int{3, 0}[n]]
		cells := map[int]float64{}
		all := 0.0
		for _, f := range want.Fixations { // stated fixations go before samples
			if cell, ok := c.Grid().Index(f.X, f.Y); ok {
				cells[cell] += f.Duration.Seconds()
				all += f.Duration.Seconds()
			}
		}
		for i, v := range m {
			if math.Abs(v-cells[i]/all) > 1e-9 {
				t.Errorf("observer %d: cell %d holds %v, want %v", n, i, v, cells[i]/all)
			}
		}
		n++
	}
	sum := 0.0
	for _, v := range l.mean([]int{0, 1, 2}) {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the mean map sums to %v, want 1", sum)
	}
	if _, err := PoolRecordings(gazetest.Seq(away), c); err == nil {
		t.Error("observers of nothing were pooled")
	}
	failing := errors.New("the disk is gone")
	if _, err := PoolRecordings(func(yield func(*gaze.Recording, error) bool) { yield(nil, failing) }, c); !errors.Is(err, failing) {
		t.Errorf("an unreadable file: %v", err)
	}
}

// TestSample: n different observers, each as likely as another.
func TestSample(t *testing.T) {
	l := window(t, 8)
	src := noise.Seeded(5)
	count := make([]int, 8)
	const draws = 4000
	for range draws {
		chosen := map[int]bool{}
		for _, i := range l.sample(4, src) {
			chosen[i] = true
			count[i]++
		}
		if len(chosen) != 4 {
			t.Fatal("an observer was drawn twice")
		}
	}
	// 4000 fair coins have a standard deviation of 31.6; six of them happen
	// less than once in 10⁸.
	for i, n := range count {
		if math.Abs(float64(n)-draws/2) > 6*31.7 {
			t.Errorf("observer %d was drawn %d times of %d, want half", i, n, draws)
		}
	}
}

func TestSpread(t *testing.T) {
	if got, want := spread([]float64{1, 2, 3, 6}), (Spread{3, math.Sqrt(14.0 / 3), 1, 6}); math.Abs(got.SD-want.SD) > 1e-12 || got.Mean != want.Mean || got.Min != 1 || got.Max != 6 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := spread([]float64{0.5}); got != (Spread{0.5, 0, 0.5, 0.5}) {
		t.Errorf("of one value: %v", got)
	}
}
