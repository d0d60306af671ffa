package experiment

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/mechanism/synth/population"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func viewers(t testing.TB, people int) *Populace {
	t.Helper()
	p, err := Simulated(simulate.ShopWindow(), people, 10, noise.Seeded(3))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is kept of each person adds up to what their recordings are scored by.
func TestPopulaceScores(t *testing.T) {
	scene := simulate.ShopWindow()
	c := simulate.Cohort{People: 3, Seconds: 10, Rate: 120, Sessions: 2, Scenes: []simulate.Scene{scene}}
	shape := population.Shape{Screen: scene.Screen()}
	p, err := NewPopulace(shape, c.Recordings(noise.Seeded(3)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 3 || math.Abs(float64(p.Rate)-120) > 0.2 || math.Abs(p.Length.Seconds()-10) > 0.1 {
		t.Errorf("%d people of %v at %v Hz", p.Len(), p.Length, p.Rate)
	}
	want := pathsOf(shape)
	for piece, err := range c.Recordings(noise.Seeded(3)) {
		if err != nil {
			t.Fatal(err)
		}
		if piece.Participant != "P2" {
			if err := want.Add(piece); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := p.score([]int{0, 2})
	for name, d := range map[string]*float64{"density": want.Compare(got).Density, "durations": want.Compare(got).Duration, "amplitudes": want.Compare(got).Amplitude} {
		if d == nil || *d > 1e-12 {
			t.Errorf("%s of two of three people differ by %v", name, d)
		}
	}
}

// A table has its controls and says what it is: the
// generator without noise is near the people, the prior far, the release between.
func TestPopulationTable(t *testing.T) {
	e := PopulationUtility{
		People: viewers(t, 120), Subjects: []int{60}, Epsilons: []float64{8}, Draws: 1, Specs: population.Specs()[:1], Seed: 5,
		Values: map[string]string{"recordings": "60", "duration": "10s"},
	}
	rows, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{SplitHalf, NoNoise, PriorOnly, "population-central"}
	for i, r := range rows {
		if r.Mechanism != want[i] || r.Subjects != 60 {
			t.Errorf("row %d is %+v", i, r)
		}
	}
	if len(rows) != 4 || e.Total() != 4 {
		t.Fatalf("%d rows of %d", len(rows), e.Total())
	}
	if none, prior, made := rows[1].Density.Mean, rows[2].Density.Mean, rows[3].Density.Mean; !(none < made && made < 0.7*prior) {
		t.Errorf("density: without noise %v, released %v, the prior %v", none, made, prior)
	}
	if rows[3].Guarantee == "" || rows[3].Delta <= 0 || rows[0].Guarantee != "" {
		t.Errorf("guarantees %q and %q", rows[3].Guarantee, rows[0].Guarantee)
	}
}

func TestPopulationTablesThatCannotBeMade(t *testing.T) {
	people := viewers(t, 4)
	good := PopulationUtility{People: people, Subjects: []int{4}, Epsilons: []float64{1}, Draws: 1, Specs: population.Specs()}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*PopulationUtility){
		"no people": func(e *PopulationUtility) { e.People = nil }, "n beyond the data": func(e *PopulationUtility) { e.Subjects = []int{5} },
		"no ε": func(e *PopulationUtility) { e.Epsilons = nil }, "ε of zero": func(e *PopulationUtility) { e.Epsilons = []float64{0} },
		"no draws": func(e *PopulationUtility) { e.Draws = 0 }, "a prior without its layout": func(e *PopulationUtility) { e.Values = map[string]string{"prior": "layout"} },
	} {
		e := good
		spoil(&e)
		if e.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	r := gazetest.People(1)[0]
	r.Participant = ""
	if _, err := NewPopulace(population.Shape{Screen: gaze.Screen{Width: 100, Height: 100}, PixelsPerDegree: 30}, gazetest.Seq(r)); err == nil {
		t.Error("people without names were gathered")
	}
}

// BenchmarkPopulation prints the figures: n = 1000, ε = 3, three draws, beside
// the floor of n other people.
func BenchmarkPopulation(b *testing.B) {
	for _, scene := range []simulate.Scene{simulate.ShopWindow(), simulate.TextPage()} {
		b.Run(scene.Name, func(b *testing.B) {
			people, err := Simulated(scene, 2000, 30, noise.Seeded(1))
			if err != nil {
				b.Fatal(err)
			}
			e := PopulationUtility{People: people, Subjects: []int{1000}, Epsilons: []float64{3}, Draws: 3, Specs: population.Specs()[:1], Seed: 1}
			for b.Loop() {
				rows, err := e.Run(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				last := rows[len(rows)-1]
				b.ReportMetric(last.Density.Mean, "density")
				b.ReportMetric(last.Duration.Mean, "durations")
				b.ReportMetric(last.Amplitude.Mean, "amplitudes")
				b.ReportMetric(rows[0].Density.Mean, "floor")
			}
		})
	}
}
