package synth

import (
	"math"

	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// pathMaker draws where gaze rests so that paths follow reports and, all
// together, the model: it knows what it has drawn before, and where the model is
// not met yet, candidates are worth more. It works on reports and public numbers
// alone.
type pathMaker struct {
	*Model
	src   *noise.Source
	cells raster    // of the density
	sizes []float64 // cumulated law of amplitudes
	near  decay     // law of a noisy first position
	far   decay     // the same for one that lies a saccade ahead

	drawn []float64 // samples so far, by cell
	total float64
	jumps []float64 // saccades so far, by bin of their amplitude
	leaps float64

	goal   goal      // that table is of
	table  []float64 // cumulated density of where gaze is, given the goal
	places [candidates]point
	worth  [candidates]float64 // cumulated
}

const (
	candidates = 48
	ahead      = 4.0  // deg: how far saccades may still bring gaze before the next start
	driftSize  = 0.08 // deg: standard deviation of drift about a place
	patience   = 20.0 // samples of a cell, or saccades of a bin, before it is corrected
)

func (m *Model) pathMaker(src *noise.Source) *pathMaker {
	cells := m.area.raster(fine)
	return &pathMaker{
		Model: m, src: src, cells: cells, sizes: cumulated(m.amplitudes),
		near: newDecay(m.rate, cells), far: newDecay(1/(1/m.rate+ahead*m.perDegree), cells),
		drawn: make([]float64, fine*fine), jumps: make([]float64, amplitudeBins), table: make([]float64, fine*fine),
	}
}

// goal is what reports say of a rest: noisy first positions of the windows that
// start within it, or of the next one ahead.
type goal struct {
	starts [3]point
	n      int
	ahead  bool
}

func (g *goal) add(z point) {
	if g.n < len(g.starts) {
		g.starts[g.n] = z
		g.n++
	}
}

// likelihood of a place, up to a factor.
func (p *pathMaker) likelihood(g *goal, at point) float64 {
	d, l := &p.near, 1.0
	if g.ahead {
		d = &p.far
	}
	for _, z := range g.starts[:g.n] {
		l *= d.between(at, z)
	}
	return l
}

// aim fills the table for a goal.
func (p *pathMaker) aim(g goal) {
	if p.total > 0 && g == p.goal {
		return
	}
	p.goal = g
	sum := 0.0
	for c, rho := range p.density {
		sum += rho * p.likelihood(&g, p.cells.at(c, 0.5, 0.5))
		p.table[c] = sum
	}
	if !(sum > 0) {
		copy(p.table, cumulated(p.density))
	}
}

// next is where gaze rests after here, or first of all where here is nil: one of
// candidates from around here and from where the goal is, by their worth.
func (p *pathMaker) next(here *point, g goal) point {
	p.aim(g)
	sum := 0.0
	for i := range p.places {
		if here != nil && i%2 == 0 {
			p.places[i] = p.leap(*here)
		} else {
			p.places[i] = p.cells.at(choose(p.table, p.src), p.src.Float64(), p.src.Float64())
		}
		sum += p.value(here, &g, p.places[i])
		p.worth[i] = sum
	}
	i := candidates - 1
	if sum > 0 {
		i = choose(p.worth[:], p.src)
	}
	if here != nil {
		p.jumps[binOf(p.degrees(*here, p.places[i]))]++
		p.leaps++
	}
	return p.places[i]
}

func (p *pathMaker) degrees(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) / p.perDegree }

// leap is a place that a saccade from here may end at; it may lie off the area.
func (p *pathMaker) leap(here point) point {
	size := p.amplitudes.draw(p.sizes, p.src) * p.perDegree
	sector := p.moves.direction(here, p.src)
	sin, cos := math.Sincos((float64(sector) + p.src.Float64() - 0.5) * math.Pi / 4)
	return point{here.x + size*cos, here.y + size*sin}
}

// leapDensity of places around here, per unit of area.
func (p *pathMaker) leapDensity(here, at point) float64 {
	dx, dy := at.x-here.x, at.y-here.y
	size := math.Hypot(dx, dy)
	deg := size / p.perDegree
	if !(deg >= smallestAmplitude && deg < largestAmplitude) {
		return 0
	}
	sector := (int(math.Round(math.Atan2(dy, dx)/(math.Pi/4))) + directions) % directions
	return p.amplitudes.density(deg) / p.perDegree * p.moves.share(here, sector) / (math.Pi / 4 * size)
}

// value is what a candidate is worth: density of the model over that of the
// candidates.
func (p *pathMaker) value(here *point, g *goal, at point) float64 {
	if at.x < 0 || at.y < 0 || at.x >= p.area.Width || at.y >= p.area.Height {
		return 0
	}
	c := p.cells.cell(at)
	before := 0.0
	if c > 0 {
		before = p.table[c-1]
	}
	offered := (p.table[c] - before) / p.table[len(p.table)-1] / (p.cells.width * p.cells.height)
	v := p.density[c] * p.likelihood(g, at) * p.behind(c)
	if here == nil {
		return v / offered
	}
	leap := p.leapDensity(*here, at)
	if leap == 0 {
		return 0
	}
	return v * leap * p.rare(binOf(p.degrees(*here, at))) / (offered + leap)
}

// behind says by how much a cell has less than its share so far.
func (p *pathMaker) behind(c int) float64 {
	f := (p.density[c]*p.total + patience) / (p.drawn[c] + patience)
	return f * f
}

// rare says the same of a bin of amplitudes.
func (p *pathMaker) rare(b int) float64 {
	f := (p.amplitudes[b]*p.leaps + patience) / (p.jumps[b] + patience)
	return f * f
}

// put counts a sample.
func (p *pathMaker) put(at point) {
	p.drawn[p.cells.cell(at)]++
	p.total++
}

// walk is a path as it goes on in time: gaze rests, then it moves.
type walk struct {
	*pathMaker
	windows  []windowed
	upcoming int // first window that starts later than the goal at hand
	from, to point
	moving   bool
	since    float64 // s, when it began to rest or to move
	until    float64
	rest     float64 // s, that follows the movement
	drift    simulate.Drift
}

// windowed is a window with its report; the time of its first sample, s.
type windowed struct {
	span
	at     float64
	report *Report // nil = no sample of it has a position
}

func (w *windowed) start() point { return point{w.report.Start[0], w.report.Start[1]} }

// begin starts a path at a time, in a rest that began before.
func (w *walk) begin(at float64) {
	rest := w.rests.draw(w.src)
	w.moving, w.since, w.until = false, at-w.src.Float64()*rest, 0
	w.until = w.since + rest
	w.to = w.next(nil, w.goal(at, w.until))
	w.drift.Reset()
}

// goal gathers the starts in a span of time, else the next one.
func (w *walk) goal(from, until float64) (g goal) {
	for w.upcoming > 0 && w.windows[w.upcoming-1].at >= from {
		w.upcoming--
	}
	for ; w.upcoming < len(w.windows) && w.windows[w.upcoming].at < until; w.upcoming++ {
		if v := &w.windows[w.upcoming]; v.at >= from && v.report != nil {
			g.add(v.start())
		}
	}
	if g.n == 0 && w.upcoming < len(w.windows) && w.windows[w.upcoming].report != nil {
		g.ahead = true
		g.add(w.windows[w.upcoming].start())
	}
	return g
}

// at goes on to a time, which is not before the last, and returns where gaze is.
func (w *walk) at(t float64) point {
	for t >= w.until {
		if w.moving {
			w.moving, w.since, w.until = false, w.until, w.until+w.rest
			w.drift.Reset()
		} else {
			w.depart()
		}
	}
	if w.moving {
		f := simulate.MinimumJerk((t - w.since) / (w.until - w.since))
		return point{w.from.x + f*(w.to.x-w.from.x), w.from.y + f*(w.to.y-w.from.y)}
	}
	x, y := w.drift.Step(w.src)
	return w.area.clamp(point{w.to.x + x, w.to.y + y})
}

// depart chooses the next place and how long gaze will rest there.
func (w *walk) depart() {
	w.rest = w.rests.draw(w.src)
	lands := w.until + saccadeTime
	w.from = w.to
	w.to = w.next(&w.from, w.goal(lands, lands+w.rest))
	duration, _ := simulate.MainSequence(w.degrees(w.from, w.to))
	w.moving, w.since, w.until = true, w.until, w.until+duration.Seconds()
}
