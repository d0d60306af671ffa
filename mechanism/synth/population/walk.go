package population

import (
	"math"
	"sort"

	"github.com/gazeward/gazeward/noise"
)

// point is a position in px from the top left.
type point struct{ x, y float64 }

// weighted draws an index in proportion to its weight.
type weighted struct {
	weight []float64
	upTo   []float64
}

func newWeighted(w []float64) *weighted {
	t := &weighted{weight: w, upTo: make([]float64, len(w))}
	t.sum()
	return t
}

// sum is called when weights have changed.
func (t *weighted) sum() {
	total := 0.0
	for i, v := range t.weight {
		total += v
		t.upTo[i] = total
	}
}

func (t *weighted) total() float64 { return t.upTo[len(t.upTo)-1] }

func (t *weighted) draw(src *noise.Source) int {
	u := src.Float64() * t.total()
	return min(sort.SearchFloat64s(t.upTo, u), len(t.upTo)-1)
}

// finer is how many parts of a logarithmic bin a law is interpolated to.
const finer = 4

// interpolate divides each bin of a histogram into finer parts along a line
// through the neighbours' heights, so that what is generated has no steps; the
// bins keep their shares.
func interpolate(h []float64) []float64 {
	out := make([]float64, 0, finer*len(h))
	for i, v := range h {
		before, after := v, v
		if i > 0 {
			before = h[i-1]
		}
		if i+1 < len(h) {
			after = h[i+1]
		}
		slope := (after - before) / 2
		slope = min(max(slope, -1.8*v), 1.8*v) // no part below a tenth
		if (v-before)*(after-v) < 0 {
			slope = 0 // a peak or a trough
		}
		for j := range finer {
			at := (float64(j)+0.5)/finer - 0.5
			out = append(out, (v+slope*at)/finer)
		}
	}
	return out
}

// chain moves from fixation to fixation: the next one is drawn from the density
// that the place has times the ratio that the saccade has to what independent
// places would make, both corrected so that what comes out has the model's laws.
type chain struct {
	m *Model

	places *weighted // potential of cells
	jumps  *weighted // proposals: fine amplitude × direction
	ratio  []float64 // potential of amplitude × direction, per coarse bin
	prior  []float64 // per fine bin: what turns the ratio's reference into the model's law
	width  float64   // logarithmic width of a fine amplitude bin
	turn   float64   // angle of a sector
	cellW  float64
	cellH  float64

	tried [candidates]candidate
	upTo  [candidates]float64
}

// candidates of a draw, half of them from the places, half from the jumps.
const candidates = 48

type candidate struct {
	at     point
	cell   int
	jump   int // fine bin
	weight float64
}

func newChain(m *Model, src *noise.Source) *chain {
	s := &m.Shape
	g := s.grid()
	c := &chain{
		m: m, cellW: g.Cell, cellH: g.CellHeight, turn: 2 * math.Pi / float64(s.Directions),
		width: math.Log(widest/smallestJump) / float64(finer*s.Amplitudes),
		ratio: make([]float64, s.steps()),
	}
	c.places = newWeighted(append([]float64(nil), m.Density...))
	c.jumps = newWeighted(c.fineSteps())
	for i := range c.ratio {
		c.ratio[i] = 1
	}
	c.prior = c.reference(src)
	return c
}

// fineSteps interpolates the model's amplitudes per direction.
func (c *chain) fineSteps() []float64 {
	s := &c.m.Shape
	out := make([]float64, finer*s.steps())
	column := make([]float64, s.Amplitudes)
	for d := range s.Directions {
		for a := range column {
			column[a] = c.m.Steps[a*s.Directions+d]
		}
		for a, v := range interpolate(column) {
			out[a*s.Directions+d] = v
		}
	}
	return out
}

// references is how many pairs of independent places make the reference.
const references = 200_000

// reference is the model's share of every fine jump over that of two
// independent places.
func (c *chain) reference(src *noise.Source) []float64 {
	count := make([]float64, len(c.jumps.weight))
	for i := range count {
		count[i] = 2 // what is hardly ever seen is not divided by
	}
	for range references {
		count[c.jumpOf(c.anywhere(src), c.anywhere(src))]++
	}
	for i, v := range c.jumps.weight {
		count[i] = v / count[i]
	}
	return count
}

// anywhere is a place drawn by its potential alone.
func (c *chain) anywhere(src *noise.Source) point { return c.inside(c.places.draw(src), src) }

func (c *chain) inside(cell int, src *noise.Source) point {
	cols := c.m.Shape.Columns
	return point{(float64(cell%cols) + src.Float64()) * c.cellW, (float64(cell/cols) + src.Float64()) * c.cellH}
}

// cellOf is a position's cell, −1 off screen.
func (c *chain) cellOf(p point) int {
	x, y := p.x/c.cellW, p.y/c.cellH
	if !(x >= 0 && y >= 0 && x < float64(c.m.Shape.Columns) && y < float64(c.m.Shape.Rows)) {
		return -1
	}
	return int(y)*c.m.Shape.Columns + int(x)
}

// jumpOf is the fine bin of a jump.
func (c *chain) jumpOf(from, to point) int {
	s := &c.m.Shape
	dx, dy := to.x-from.x, to.y-from.y
	a := bin(math.Hypot(dx, dy)/s.PixelsPerDegree, smallestJump, widest, finer*s.Amplitudes)
	return a*s.Directions + s.sector(dx, dy)
}

// coarse is the bin of a fine jump.
func (c *chain) coarse(jump int) int {
	d := c.m.Shape.Directions
	return jump/d/finer*d + jump%d
}

// jump is a position that lies a drawn jump away.
func (c *chain) jump(from point, src *noise.Source) (point, int) {
	i := c.jumps.draw(src)
	d := c.m.Shape.Directions
	r := smallestJump * math.Exp((float64(i/d)+src.Float64())*c.width) * c.m.Shape.PixelsPerDegree
	a := (float64(i%d) + src.Float64() - 0.5) * c.turn
	return point{from.x + r*math.Cos(a), from.y + r*math.Sin(a)}, i
}

// next draws the next fixation among candidates by importance resampling.
func (c *chain) next(from point, src *noise.Source) *candidate {
	total := 0.0
	for i := range c.tried {
		t := &c.tried[i]
		if i%2 == 0 {
			t.cell = c.places.draw(src)
			t.at = c.inside(t.cell, src)
			t.jump = c.jumpOf(from, t.at)
		} else {
			t.at, t.jump = c.jump(from, src)
			t.cell = c.cellOf(t.at)
		}
		t.weight = c.importance(from, t)
		total += t.weight
		c.upTo[i] = total
	}
	if !(total > 0) {
		return &c.tried[0]
	}
	u := src.Float64() * total
	return &c.tried[min(sort.SearchFloat64s(c.upTo[:], u), candidates-1)]
}

// importance is a candidate's target density over that of the proposals.
func (c *chain) importance(from point, t *candidate) float64 {
	if t.cell < 0 {
		return 0
	}
	dx, dy := t.at.x-from.x, t.at.y-from.y
	byPlace := c.places.weight[t.cell] / c.places.total() / (c.cellW * c.cellH)
	byJump := c.jumps.weight[t.jump] / c.jumps.total() / (c.width * c.turn * max(dx*dx+dy*dy, 1e-3))
	target := byPlace * c.prior[t.jump] * c.ratio[c.coarse(t.jump)]
	return target / (0.5*byPlace + 0.5*byJump)
}
