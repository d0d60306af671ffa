package synth

// positions guesses where gaze was at each start: the mean of what all starts of
// a stretch say together. The chain of places has 30 × 30 states; where gaze gets
// between two starts begins as a public law and is learned from all of them.
type positions struct {
	*Model
	cells  raster
	near   decay
	places []point   // centres of the cells of the fine raster
	shares []float64 // of the density, by state
	leave  []float64 // what the density lets pass from each state
	kernel *leaps
	spare  []float64
}

const states = fine / 2 // along a side

func (m *Model) positions() *positions {
	cells := m.area.raster(fine)
	p := &positions{Model: m, cells: cells, near: newDecay(m.rate, cells), shares: make([]float64, states*states), leave: make([]float64, states*states)}
	for c, rho := range m.density {
		p.places = append(p.places, cells.at(c, 0.5, 0.5))
		p.shares[stateOf(c)] += rho
	}
	p.spare = make([]float64, states*states)
	p.kernel = newLeaps(m.area.raster(states), m.perDegree)
	p.kernel.back(p.leave, p.shares)
	return p
}

// stateOf is the state that a cell of the fine raster belongs to.
func stateOf(c int) int { return c/fine/2*states + c%fine/2 }

// seen is what one start says by itself: by state, the probability of the density
// under its noise, and the mean place there times it.
type seen struct{ mass, x, y []float64 }

func (p *positions) see(z point) seen {
	s := seen{make([]float64, states*states), make([]float64, states*states), make([]float64, states*states)}
	for c, rho := range p.density {
		l, i := rho*p.likelihood(p.places[c], z), stateOf(c)
		s.mass[i] += l
		s.x[i] += l * p.places[c].x
		s.y[i] += l * p.places[c].y
	}
	if normalised := 1 / max(sum(s.mass), 1e-300); normalised > 0 {
		scale(s.mass, normalised)
		scale(s.x, normalised)
		scale(s.y, normalised)
	}
	return s
}

// likelihood is the noise's law averaged over the quarters of a cell.
func (p *positions) likelihood(c, z point) float64 {
	w, h, l := p.cells.width/4, p.cells.height/4, 0.0
	for _, d := range [...]point{{-w, -h}, {w, -h}, {-w, h}, {w, h}} {
		l += p.near.between(point{c.x + d.x, c.y + d.y}, z)
	}
	return l
}

// Windows are smoothed in blocks, each with what follows it, so that memory does
// not grow with a recording.
const (
	smoothed = 256
	lookedAt = 16 // windows after a block: what is farther away says nothing
)

// exact says that noise is finer than the cells.
func (p *positions) exact() bool { return 4/p.rate < min(p.cells.width, p.cells.height) }

// guess returns the mean place at each start of a stretch; the start itself where
// noise is finer than the cells.
func (p *positions) guess(starts []point) []point {
	out := make([]point, 0, len(starts))
	if p.exact() {
		for _, z := range starts {
			out = append(out, p.area.clamp(z))
		}
		return out
	}
	from := ones(states * states) // what windows before say, over the density
	for len(starts) > 0 {
		n := min(len(starts), smoothed)
		var told []seen
		var before [][]float64
		for _, z := range starts[:min(len(starts), n+lookedAt)] {
			s := p.see(z)
			told, before = append(told, s), append(before, from)
			from = p.forward(from, s.mass)
		}
		out = append(out, p.backward(told, before, n)...)
		if starts = starts[n:]; len(starts) > 0 {
			from = before[n]
		}
	}
	return out
}

// forward is what windows up to one say of the next start.
func (p *positions) forward(from, mass []float64) []float64 {
	at, to := p.spare, make([]float64, states*states)
	for i := range at {
		at[i] = from[i] * mass[i] / p.leave[i]
	}
	p.kernel.pass(to, at)
	normalise(to)
	return to
}

// backward combines what windows before and after say, for the first n.
func (p *positions) backward(told []seen, before [][]float64, n int) []point {
	out, after := make([]point, n), ones(states*states)
	for k := len(told) - 1; k >= 0; k-- {
		s, total, mean := &told[k], 0.0, point{}
		for i := range after {
			w := before[k][i] * after[i]
			total += w * s.mass[i]
			mean.x += w * s.x[i]
			mean.y += w * s.y[i]
		}
		if k < n {
			out[k] = point{mean.x / total, mean.y / total}
		}
		p.previous(after, s.mass)
	}
	return out
}

// previous takes what windows after one say of its start to the start before.
func (p *positions) previous(after, mass []float64) {
	for i := range after {
		p.spare[i] = after[i] * mass[i]
	}
	p.kernel.back(after, p.spare)
	for i := range after {
		after[i] /= p.leave[i]
	}
	normalise(after)
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}
