package heatmap

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/grid"
)

// Maps yields one vector per enrolled subject, laid out as [Canvas] says.
// Values are dwell or counts and not negative; negative, NaN and infinite
// values count as zero. A yielded slice belongs to the producer at the next
// step.
type Maps = iter.Seq[[]float64]

// Canvas is the public shape of the maps: cells of a picture in rows from the
// top left, one picture per time step, one film per stimulus.
type Canvas struct {
	Width, Height float64 // px; required
	Cell          float64 // px per cell side; required
	Stimuli       int     // stacked stimuli; 0 = 1
	Steps         int     // time steps per stimulus; 0 = 1
}

// Lengths in px that make sense; far beyond them floating point has the say.
const minLength, maxLength = 1e-6, 1e9

// maxCells bounds what one release may hold: 2^27 numbers are a gigabyte.
const maxCells = 1 << 27

// Grid is one picture's grid.
func (c Canvas) Grid() grid.Grid { return grid.Grid{Width: c.Width, Height: c.Height, Cell: c.Cell} }

// Cols is the number of cells in a row.
func (c Canvas) Cols() int { return c.Grid().Cols() }

// Rows is the number of rows of cells.
func (c Canvas) Rows() int { return c.Grid().Rows() }

// Frames is the number of pictures: stimuli times steps.
func (c Canvas) Frames() int { return max(c.Stimuli, 1) * max(c.Steps, 1) }

// Len is the length of a subject's vector: frames × rows × cols.
func (c Canvas) Len() int { return c.Frames() * c.Rows() * c.Cols() }

func (c Canvas) check() error {
	for _, v := range [...]float64{c.Width, c.Height, c.Cell} {
		if !(v >= minLength && v <= maxLength) {
			return fmt.Errorf("heatmap: canvas needs width, height and cell between %g and %g px, got %v × %v px in cells of %v px",
				minLength, maxLength, c.Width, c.Height, c.Cell)
		}
	}
	if c.Stimuli < 0 || c.Steps < 0 {
		return fmt.Errorf("heatmap: stimuli and steps must not be negative, got %d and %d", c.Stimuli, c.Steps)
	}
	cells := math.Ceil(c.Width/c.Cell) * math.Ceil(c.Height/c.Cell) * float64(c.Frames())
	if cells > maxCells {
		return fmt.Errorf("heatmap: at most %d cells in all, got %.0f: choose larger cells, a smaller width or height, or fewer stimuli or steps", maxCells, cells)
	}
	return nil
}

// ErrSubjects is returned when the maps are not those of the enrolled subjects.
var ErrSubjects = errors.New("heatmap: more maps than enrolled subjects")

// each hands every subject's vector to add, in order. Fewer maps than enrolled
// subjects mean subjects without data: zero maps, which add nothing.
func each(maps Maps, c Canvas, subjects int, add func([]float64)) error {
	n := 0
	for m := range maps {
		if n++; n > subjects {
			return ErrSubjects
		}
		if len(m) != c.Len() {
			return fmt.Errorf("heatmap: a map must have %d cells, got %d", c.Len(), len(m))
		}
		add(m)
	}
	return nil
}

// amount is a contribution as it counts: finite and not negative.
func amount(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 1) {
		return 0
	}
	return v
}

// unprotected is what every heatmap says of itself.
func unprotected(steps int) []string {
	u := []string{"the number of enrolled subjects", "the stimuli and their order", "screen size, cells and blur"}
	if steps > 1 {
		u = append(u, "the length of the recording and of a time step")
	}
	return u
}

// maxEpsilon is where a promise has long stopped being one; noise of a scale
// far below the grid would have no deviation to speak of.
const maxEpsilon = 1e6

func checkBudget(epsilon, delta float64, approximate bool) error {
	if !(epsilon > 0 && epsilon <= maxEpsilon) {
		return fmt.Errorf("heatmap: epsilon must be positive and at most %g, got %v", float64(maxEpsilon), epsilon)
	}
	if approximate && !(delta > 0 && delta < 1) {
		return fmt.Errorf("heatmap: delta must lie between 0 and 1, got %v", delta)
	}
	return nil
}

func checkSubjects(n int, unit dp.Unit) error {
	if n < 1 || n > 1<<31 {
		return fmt.Errorf("heatmap: subjects must be between 1 and 2^31, got %d", n)
	}
	if unit != dp.Subject && unit != dp.Recording {
		return fmt.Errorf("heatmap: the unit of privacy must be subject or recording, got %v", unit)
	}
	return nil
}

// warnings that follow from public numbers alone.
func warnings(n int, delta float64) []error {
	var w []error
	if delta > 0 && delta >= 1/float64(n) {
		w = append(w, fmt.Errorf("delta %g is not below 1/n = %g: with this delta a mechanism may publish one person outright", delta, 1/float64(n)))
	}
	if n < 20 {
		w = append(w, fmt.Errorf("%d subjects are few: at ε = 1 a heatmap of fewer than about 30 people is mostly noise", n))
	}
	return w
}
