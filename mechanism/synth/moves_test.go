package synth

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// trueMoves counts moves by cell and direction.
func trueMoves(m DPGazeSynth, windows [][]Sample) []float64 {
	r, _ := m.resolve()
	cells := r.Area.raster(r.Grid)
	out := make([]float64, cells.len()*directions)
	for _, s := range windows {
		visit(cells, &r.Area, s, func(v move) { out[v.from*directions+v.direction]++ })
	}
	return out
}

// variation is the total variation of rows to the true ones, weighted by the
// true mass of rows.
func variation(cells raster, truth []float64, row func(cell int) [directions]float64) float64 {
	away, total := 0.0, 0.0
	for cell := range cells.len() {
		law, mass := row(cell), sum(truth[cell*directions:(cell+1)*directions])
		for d, p := range law {
			away += math.Abs(truth[cell*directions+d]-mass*p) / 2
		}
		total += mass
	}
	return away / total
}

// learned is the model of moves from one report of every window; what regions'
// shares of gaze are is taken from the windows themselves.
func learned(t testing.TB, m DPGazeSynth, windows [][]Sample, src *noise.Source) *Moves {
	t.Helper()
	d, err := m.Device()
	if err != nil {
		t.Fatal(err)
	}
	c, density := d.curator(), make([]float64, fine*fine)
	for _, s := range windows {
		if r, ok := d.Window(s, src); ok {
			if err := c.Add(r); err != nil {
				t.Fatal(err)
			}
			first, _ := firstPosition(s)
			density[d.Area.raster(fine).cell(d.Area.place(first.X, first.Y))]++
		}
	}
	normalise(density)
	var told []oracle.Estimate
	for _, tally := range c.moves {
		told = append(told, tally.Estimate())
	}
	return newMoves(c.cells, c.levels, told, density)
}

func uniformRow(cells raster) func(int) [directions]float64 {
	m := &Moves{cells: cells, level: raster{1, 1, cells.width * float64(cells.cols), cells.height * float64(cells.rows)}, laws: []moveLaws{{uniform(directions), uniform(directions)}}}
	return m.Row
}

// compareMoves returns the total variation of the model and of the uniform one.
func compareMoves(t testing.TB, m DPGazeSynth, windows [][]Sample) (model, none float64) {
	truth := trueMoves(m, windows)
	learned := learned(t, m, windows, noise.Seeded(3))
	return variation(learned.cells, truth, learned.Row), variation(learned.cells, truth, uniformRow(learned.cells))
}

// TestMovesAreNeverWorseThanNone: whatever the budget, the number of windows and
// the levels.
func TestMovesAreNeverWorseThanNone(t *testing.T) {
	for name, scene := range map[string]simulate.Scene{"viewing": simulate.ShopWindow(), "reading": simulate.TextPage()} {
		windows := windowsOf(t, DPGazeSynth{Epsilon: 1, Area: Area{Width: scene.Width, Height: scene.Height}, Radius: 40}, people(t, 60, 20, scene))
		for _, levels := range [][]int{{1}, {1, 3, 10}} {
			for _, epsilon := range []float64{0.5, 3, 15} {
				for _, n := range []int{200, len(windows)} {
					if n == 200 && len(levels) > 1 {
						continue
					}
					m := DPGazeSynth{Epsilon: epsilon, Area: Area{Width: scene.Width, Height: scene.Height}, Radius: 40, Levels: levels}
					model, none := compareMoves(t, m, windows[:n])
					t.Logf("%s, %d windows, ε₃ = %.2g, levels %v: TV %.3f, uniform %.3f", name, n, 0.2*epsilon, levels, model, none)
					if model > none*1.02 {
						t.Errorf("%s, %d windows, ε₃ = %.2g, levels %v: TV %.3f, uniform %.3f", name, n, 0.2*epsilon, levels, model, none)
					}
				}
			}
		}
	}
}

// TestPrintedModelIsWorseThanNone: the fault of clipping and normalising noise.
func TestPrintedModelIsWorseThanNone(t *testing.T) {
	m := shop(3)
	windows := windowsOf(t, m, people(t, 40, 10, simulate.ShopWindow()))
	d, err := m.PrintedDevice()
	if err != nil {
		t.Fatal(err)
	}
	c, src := d.curator(), noise.Seeded(2)
	for _, s := range windows {
		if r, ok := d.Window(s, src); ok {
			if err := c.Add(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	truth := trueMoves(m, windows)
	printed, none := variation(d.cells, truth, c.Moves().Row), variation(d.cells, truth, uniformRow(d.cells))
	if printed < 1.3*none {
		t.Errorf("as printed TV is %.3f, uniform %.3f: this should be far worse", printed, none)
	}
	if corrected, _ := compareMoves(t, m, windows); corrected > none*1.02 {
		t.Errorf("corrected TV is %.3f, uniform %.3f", corrected, none)
	}
}

func TestRows(t *testing.T) {
	for _, grid := range []int{1, 2, 5} {
		m := shop(1)
		m.Grid = grid
		c, err := m.Curator()
		if err != nil {
			t.Fatal(err)
		}
		moves := c.Model().Moves()
		for cell := range grid * grid {
			row := moves.Row(cell)
			for d, p := range row {
				if _, ok := moves.cells.step(cell, d); ok != (p > 0) {
					t.Errorf("grid %d, cell %d: direction %d has %v", grid, cell, d, p)
				}
			}
			if s := sum(row[:]); grid > 1 && math.Abs(s-1) > 1e-12 {
				t.Errorf("grid %d, cell %d: the row sums to %v", grid, cell, s)
			}
		}
	}
}

// TestLongWindowsStandForTheirMoves: a window stands for its own number of moves
// on average, up to the grid's side. The false-alarm rate is below 1e-6.
func TestLongWindowsStandForTheirMoves(t *testing.T) {
	const draws = 20_000
	src := noise.Seeded(5)
	for _, grid := range []int{1, 2, 5, 30} {
		r := resolved{DPGazeSynth: DPGazeSynth{Grid: grid}}
		for _, moves := range []int{1, 2, 3, 17, 30, 90} {
			stood := 0
			for range draws {
				if stood++; r.long(moves, src) {
					stood += grid - 1
				}
			}
			want, sd := float64(min(moves, grid)), float64(grid-1)/2/math.Sqrt(draws)
			if got := float64(stood) / draws; math.Abs(got-want) > 5.2*sd {
				t.Errorf("grid %d: %d moves stand for %v", grid, moves, got)
			}
		}
	}
}

// TestMovesOfLinesAreCounted: gaze goes right cell by cell and flies back along
// the whole line at once. Half of all moves go left, in one window of ten.
func TestMovesOfLinesAreCounted(t *testing.T) {
	m := DPGazeSynth{Epsilon: 15, Area: screen, Radius: 48, Grid: 10}
	var windows [][]Sample
	cell := screen.Width / 10
	for i := range 20_000 {
		x := float64(i%10) * cell
		windows = append(windows, []Sample{{0, x + 1, 400}, {10, math.Mod(x+cell, screen.Width) + 1, 400}})
	}
	got := learned(t, m, windows, noise.Seeded(6))
	law := got.laws[0]
	if right, left := law.moves[0], law.moves[4]; math.Abs(right-0.5) > 0.05 || math.Abs(left-0.5) > 0.05 {
		t.Errorf("of all moves %.3f go right and %.3f left", right, left)
	}
	if right := law.windows[0]; math.Abs(right-0.9) > 0.05 {
		t.Errorf("of one move of each window %.3f go right", right)
	}
}
