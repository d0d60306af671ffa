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
	laws  []moveLaws // by region of level
}

// moveLaws are laws of directions. Where gaze flies back along a line, one window
// makes as many moves as all others of the line: the two laws are far apart.
type moveLaws struct {
	windows []float64 // of one move of each window
	moves   []float64 // of all moves
}

// newMoves goes from coarse to fine. The uniform law is the parent of those for
// the whole area, and every region's are shrunk towards those of the region
// around it: what regions of a level differ by beyond noise is estimated once for
// all of them (the method of moments), so that an empty one stays with its parent.
func newMoves(cells raster, levels []raster, estimates []oracle.Estimate, density []float64) *Moves {
	m := &Moves{cells: cells, level: levels[0], laws: []moveLaws{{uniform(directions), uniform(directions)}}}
	moving := m.everywhere(estimates[0])
	if moving == 0 {
		return m
	}
	for i, e := range estimates[1:] {
		level := levels[i+1]
		next := m.refined(level, e, masses(level, density, moving*float64(e.Reports)))
		m.level, m.laws = level, next
	}
	return m
}

// everywhere learns the laws of the whole area from short and long windows, and
// returns the share of windows with a move: 0 = that cannot be told from noise.
//
// A long window stands for a whole line of moves: that is where the noise of the
// second law comes from, so it begins with the first.
func (m *Moves) everywhere(e oracle.Estimate) float64 {
	line := float64(m.cells.cols)
	windows, moves := make([]float64, directions), make([]float64, directions)
	for d := range directions {
		short, long := e.Counts[d], e.Counts[directions+d]
		windows[d], moves[d] = short+long, short+line*long
	}
	_, variance := told(e)
	total, laws := sum(windows), &m.laws[0]
	if !sure(total, 2*variance, directions) {
		return 0
	}
	laws.windows = shrunk(laws.windows, windows, total, 2*variance)
	laws.moves = laws.windows
	if all, variance := sum(moves), (1+line*line)*variance; sure(all, variance, directions) {
		laws.moves = shrunk(laws.windows, moves, all, variance)
	}
	return min(total/float64(e.Reports), 1)
}

// refined are the laws of a level from those of the one before, and from how many
// reports should tell of each region. What a region differs by is learned of
// windows, where noise is least, and goes for all moves too.
func (m *Moves) refined(level raster, e oracle.Estimate, mass []float64) []moveLaws {
	next, parents := make([]moveLaws, level.len()), make([][]float64, level.len())
	for r := range next {
		next[r] = m.laws[m.level.cell(level.at(r, 0.5, 0.5))]
		parents[r] = next[r].windows
	}
	_, variance := told(e)
	for r := range mass {
		mass[r] = leaving(mass[r], e.Counts[r*directions:(r+1)*directions], variance)
	}
	between := between(e.Counts, parents, mass, variance)
	for r, n := range mass {
		if n == 0 {
			continue
		}
		away := make([]float64, directions)
		for d := range away {
			away[d] = e.Counts[r*directions+d]/n - parents[r][d]
		}
		balance(away)
		for _, law := range []*[]float64{&next[r].windows, &next[r].moves} {
			*law = towards(slices.Clone(*law), away, n*n*between/(n*n*between+variance))
		}
	}
	return next
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
	return known*m.laws[m.level.cell(from)].windows[direction] + (1-known)/directions
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
	law, sum := m.laws[m.level.cell(m.cells.at(cell, 0.5, 0.5))], 0.0
	for d, p := range law.moves {
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
