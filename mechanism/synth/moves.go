package synth

import (
	"math"
	"slices"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// Moves is the law of moves between neighbouring cells of the G × G grid: of
// directions, by the region of the finest level that a cell lies in.
type Moves struct {
	cells raster
	level raster
	law   [][]float64 // by region of level; directions
}

// newMoves goes from coarse to fine. The uniform law is the parent of the one for
// the whole area, and every region's is shrunk towards that of the region around
// it: what regions of a level differ by beyond noise is estimated once for all
// of them (the method of moments), so that an empty one stays with its parent.
func newMoves(cells raster, levels []raster, estimates []oracle.Estimate, density []float64) *Moves {
	m := &Moves{cells: cells, level: levels[0], law: [][]float64{uniform(directions)}}
	total, variance := told(estimates[0])
	if !sure(total, variance, directions) {
		return m
	}
	moving := min(total/float64(estimates[0].Reports), 1) // share of windows with a move
	for i, e := range estimates {
		next := make([][]float64, levels[i].len())
		m.refine(next, levels[i], e, masses(levels[i], density, moving*float64(e.Reports)))
		m.level, m.law = levels[i], next
	}
	return m
}

// refine fills in the laws of a level from those of the one before, and from how
// many reports should tell of each region.
func (m *Moves) refine(next [][]float64, level raster, e oracle.Estimate, mass []float64) {
	parents := make([][]float64, level.len())
	for r := range parents {
		parents[r] = m.law[m.level.cell(level.at(r, 0.5, 0.5))]
	}
	_, variance := told(e)
	if len(next) == 1 {
		next[0] = shrunk(parents[0], e.Counts, mass[0], variance)
		return
	}
	for r := range mass {
		mass[r] = leaving(mass[r], e.Counts[r*directions:(r+1)*directions], variance)
	}
	between := between(e.Counts, parents, mass, variance)
	for r := range next {
		next[r] = slices.Clone(parents[r])
		n := mass[r]
		if n == 0 {
			continue
		}
		away := make([]float64, directions)
		for d := range away {
			away[d] = e.Counts[r*directions+d]/n - parents[r][d]
		}
		balance(away)
		next[r] = towards(next[r], away, n*n*between/(n*n*between+variance))
	}
}

// between is the variance of a direction's share between regions of one parent.
func between(counts []float64, parents [][]float64, mass []float64, variance float64) float64 {
	squared, weight := 0.0, 0.0
	for r, parent := range parents {
		n := mass[r]
		away := make([]float64, directions)
		for d, p := range parent {
			away[d] = counts[r*directions+d] - n*p
		}
		balance(away)
		for _, a := range away {
			squared += a * a
		}
		weight += n * n * directions
	}
	if !(weight > 0) {
		return 0
	}
	return beyond(squared, variance, float64((directions-1)*len(parents))) / weight
}

// leaving is how many reports tell of a move that leaves a region: as many as its
// share of gaze, give or take a half, and as the counts say within their noise.
func leaving(expected float64, counts []float64, variance float64) float64 {
	if !(expected > 0) {
		return 0
	}
	sum := 0.0
	for _, c := range counts {
		sum += c
	}
	prior, told := 4/(expected*expected), 1/(directions*variance)
	return math.Max((prior*expected+told*sum)/(prior+told), expected/8)
}

// masses divides a total among the regions of a level as gaze is.
func masses(level raster, density []float64, total float64) []float64 {
	out := make([]float64, level.len())
	rho := raster{fine, fine, level.width * float64(level.cols) / fine, level.height * float64(level.rows) / fine}
	for c, p := range density {
		out[level.cell(rho.at(c, 0.5, 0.5))] += p * total
	}
	return out
}

// known is how much of the law of directions is believed where single saccades
// are drawn: no direction is impossible.
const known = 0.9

// share of a direction among saccades from a place.
func (m *Moves) share(from point, direction int) float64 {
	return known*m.law[m.level.cell(from)][direction] + (1-known)/directions
}

// direction of a saccade from a place.
func (m *Moves) direction(from point, src *noise.Source) int {
	u := src.Float64()
	for d := range directions - 1 {
		if u -= m.share(from, d); u < 0 {
			return d
		}
	}
	return directions - 1
}

// Row is the law of the next cell's direction from a cell of the grid, right,
// right and down, down, and so on clockwise: zero beyond the edge, and sums to
// one where there is a neighbour at all.
func (m *Moves) Row(cell int) [directions]float64 {
	var out [directions]float64
	law, sum := m.law[m.level.cell(m.cells.at(cell, 0.5, 0.5))], 0.0
	for d, p := range law {
		if _, ok := m.cells.step(cell, d); ok {
			out[d] = p
			sum += p
		}
	}
	if sum > 0 {
		for d := range out {
			out[d] /= sum
		}
	}
	return out
}
