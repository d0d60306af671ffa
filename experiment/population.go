package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/synth/population"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

// PopulationUtility measures what recordings of nobody are worth: Jensen–Shannon
// divergences in bits of density, durations and amplitudes between them and n
// people, drawn afresh for each draw of noise (MECHANISMS §9). δ = n^−1.5.
type PopulationUtility struct {
	People   *Populace
	Subjects []int // n; required
	Epsilons []float64
	Draws    int
	Specs    []mechanism.Spec  // of the product synthesis
	Values   map[string]string // further parameters, for the mechanisms that have them
	Seed     uint64
	Progress func(done int) // may be nil
}

// Controls of a table of populations, beside [SplitHalf]: other people instead of
// synthetic ones.
const (
	NoNoise   = "no-noise"   // the generator on the people's own laws: not private
	PriorOnly = "prior-only" // the generator on the public prior: no data at all
)

// PopulationRow is one line of the table; Epsilon is 0 in controls.
type PopulationRow struct {
	Mechanism string  `json:"mechanism"`
	Subjects  int     `json:"subjects"`
	Epsilon   float64 `json:"epsilon"`
	Delta     float64 `json:"delta"`
	Draws     int     `json:"draws"`
	Density   Spread  `json:"density"`
	Duration  Spread  `json:"duration"`
	Amplitude Spread  `json:"amplitude"`
	Guarantee string  `json:"guarantee,omitempty"` // as it would be with secure noise
	Kept      []int   `json:"kept_prior"`          // draws in which density, durations, saccades stayed the prior's
}

// Generated recordings per draw: enough for their own scatter to be small.
const leastGenerated, mostGenerated = 300, 1000

// populations makes releases of gathered people.
type populations interface {
	mechanism.Mechanism
	Release(*population.Gathered, *noise.Source) (*population.Release, error)
}

func (e *PopulationUtility) lines() int {
	return len(e.Subjects) * (3 + len(e.Specs)*len(e.Epsilons))
}

// Total is the number of draws of the whole table.
func (e *PopulationUtility) Total() int { return e.lines() * e.Draws }

// Check refuses what makes no table, before anything is drawn.
func (e *PopulationUtility) Check() error {
	switch {
	case e.People == nil || e.People.Len() == 0:
		return errors.New("experiment: want people, got none")
	case e.Draws < 1 || len(e.Subjects) == 0 || len(e.Epsilons) == 0:
		return errors.New("experiment: want at least one ε, one n and one draw")
	}
	for _, n := range e.Subjects {
		if n < 2 || n > e.People.Len() {
			return fmt.Errorf("experiment: n must be between 2 and the %d people in the data, got %d", e.People.Len(), n)
		}
	}
	for _, spec := range e.Specs {
		for _, epsilon := range e.Epsilons {
			if _, err := e.build(spec, e.Subjects[0], epsilon); err != nil {
				return err
			}
		}
	}
	_, _, err := e.controls(e.Subjects[0])
	return err
}

func (e *PopulationUtility) build(spec mechanism.Spec, n int, epsilon float64) (populations, error) {
	s := e.People.Gathered.Shape
	values := map[string]string{
		"epsilon": text(epsilon), "delta": text(dp.RoundDown(math.Pow(float64(n), -1.5))), "subjects": strconv.Itoa(n),
		"width": strconv.Itoa(s.Screen.Width), "height": strconv.Itoa(s.Screen.Height), "pixels-per-degree": text(s.PixelsPerDegree),
		"rate": strconv.FormatFloat(float64(e.People.Rate), 'g', 6, 64), "duration": e.People.Length.Round(time.Millisecond).String(),
		"recordings": strconv.Itoa(min(max(n, leastGenerated), mostGenerated)),
	}
	for name, v := range e.Values {
		values[name] = v
	}
	for name := range values {
		if _, takes := spec.Field(name); !takes {
			delete(values, name)
		}
	}
	m, err := spec.Build(values)
	if err != nil {
		return nil, err
	}
	p, ok := m.(populations)
	if !ok {
		return nil, fmt.Errorf("experiment: %s is no synthesis of a population", spec.Name)
	}
	return p, nil
}

// controls are the prior and the output of the table's mechanisms.
func (e *PopulationUtility) controls(n int) (population.Prior, population.Output, error) {
	for _, spec := range append(e.Specs, population.Specs()[0]) {
		m, err := e.build(spec, n, 1)
		if err != nil {
			return population.Prior{}, population.Output{}, err
		}
		if c, ok := m.(population.Central); ok {
			return c.Prior, c.Output, nil
		}
	}
	return population.Prior{}, population.Output{}, errors.New("experiment: no mechanism of a population")
}

// Run fills the table: for every n the controls, then mechanism by mechanism.
func (e *PopulationUtility) Run(ctx context.Context) ([]PopulationRow, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	var rows []PopulationRow
	src := noise.Seeded(e.Seed)
	for _, n := range e.Subjects {
		lines, err := e.of(n)
		if err != nil {
			return rows, err
		}
		for _, l := range lines {
			if err := e.fill(ctx, &l, src.Split(), len(rows)*e.Draws); err != nil {
				return rows, fmt.Errorf("%s at n = %d, ε = %g: %w", l.row.Mechanism, n, l.row.Epsilon, err)
			}
			rows = append(rows, l.row)
		}
	}
	return rows, nil
}

// populationLine is a row with what makes its recordings.
type populationLine struct {
	row  PopulationRow
	make func(chosen []int, src *noise.Source) (*population.Release, error) // nil = split halves
}

// of lists the lines of a table for one n.
func (e *PopulationUtility) of(n int) ([]populationLine, error) {
	prior, output, err := e.controls(n)
	if err != nil {
		return nil, err
	}
	without, err := prior.Model(e.People.Gathered.Shape)
	if err != nil {
		return nil, err
	}
	lines := []populationLine{
		{row: PopulationRow{Mechanism: SplitHalf}},
		{row: PopulationRow{Mechanism: NoNoise}, make: func(chosen []int, src *noise.Source) (*population.Release, error) {
			return from(e.People.Gathered.Some(chosen).Laws(), output, src)
		}},
		{row: PopulationRow{Mechanism: PriorOnly}, make: func(_ []int, src *noise.Source) (*population.Release, error) {
			return from(without, output, src)
		}},
	}
	for _, spec := range e.Specs {
		for _, epsilon := range e.Epsilons {
			m, err := e.build(spec, n, epsilon)
			if err != nil {
				return nil, err
			}
			g := m.Guarantee()
			lines = append(lines, populationLine{
				row: PopulationRow{Mechanism: spec.Short(), Epsilon: epsilon, Delta: g.Delta, Guarantee: g.String()},
				make: func(chosen []int, src *noise.Source) (*population.Release, error) {
					return m.Release(e.People.Gathered.Some(chosen), src)
				},
			})
		}
	}
	for i := range lines {
		lines[i].row.Subjects, lines[i].row.Draws, lines[i].row.Kept = n, e.Draws, make([]int, 3)
	}
	return lines, nil
}

func from(m *population.Model, o population.Output, src *noise.Source) (*population.Release, error) {
	seq, err := m.Generate(o, src)
	return &population.Release{PathRelease: mechanism.PathRelease{Recordings: seq, Synthetic: true}, Model: &population.Model{}}, err
}

// fill draws a line.
func (e *PopulationUtility) fill(ctx context.Context, l *populationLine, src *noise.Source, before int) error {
	var figures [3][]float64
	for i := range figures {
		figures[i] = make([]float64, e.Draws)
	}
	kept := make([][]string, e.Draws)
	err := inParallel(ctx, e.Draws, src, func(i int, src *noise.Source) error {
		d, k, err := e.draw(l, src)
		if err != nil {
			return err
		}
		for j, v := range []*float64{d.Density, d.Duration, d.Amplitude} {
			if figures[j][i] = math.NaN(); v != nil {
				figures[j][i] = *v
			}
		}
		kept[i] = k
		return nil
	}, func(done int) {
		if e.Progress != nil {
			e.Progress(before + done)
		}
	})
	l.row.Density, l.row.Duration, l.row.Amplitude = spread(figures[0]), spread(figures[1]), spread(figures[2])
	for _, k := range kept {
		for j, name := range []string{"density", "durations", "saccades"} {
			for _, part := range k {
				if part == name {
					l.row.Kept[j]++
				}
			}
		}
	}
	return err
}

// draw compares one release with the people it was made of; split halves are of
// n people each where there are enough.
func (e *PopulationUtility) draw(l *populationLine, src *noise.Source) (metric.PathErrors, []string, error) {
	order := src.Perm(e.People.Len())
	n := l.row.Subjects
	if l.make == nil {
		half := min(n, len(order)/2)
		return e.People.score(order[:half]).Compare(e.People.score(order[half : 2*half])), nil, nil
	}
	r, err := l.make(order[:n], src)
	if err != nil {
		return metric.PathErrors{}, nil, err
	}
	made := e.People.paths()
	for piece, err := range r.Recordings {
		if err != nil {
			return metric.PathErrors{}, nil, err
		}
		if err := made.Add(piece); err != nil {
			return metric.PathErrors{}, nil, err
		}
	}
	return e.People.score(order[:n]).Compare(made), r.Model.Kept, nil
}
