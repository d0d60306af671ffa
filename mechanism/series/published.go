package series

import (
	"errors"
	"math"
	"slices"

	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/signal"
)

// errOneSubject is returned where sensitivities are to be read off a single
// person.
var errOneSubject = errors.New("series: the published calibration compares people: every condition needs recordings of at least two subjects")

// errImmoderate is returned for values from which no sensitivity can be read.
var errImmoderate = errors.New("series: the published calibration reads its noise off the values: they must be finite, and at most 1e150")

// moderate refuses values whose differences have no finite squares.
func moderate(recordings []Signals) error {
	for i := range recordings {
		for _, signal := range recordings[i].Values {
			if slices.ContainsFunc(signal, func(v float64) bool { return math.Abs(v) > 1e150 }) {
				return errImmoderate
			}
		}
	}
	return nil
}

// group is the recordings of one condition.
type group []*Signals

// groups are the recordings by condition, in the order in which conditions
// first occur.
func groups(recordings []Signals) []group {
	var all []group
	at := map[string]int{}
	for i := range recordings {
		r := &recordings[i]
		g, known := at[r.Condition]
		if !known {
			g = len(all)
			at[r.Condition] = g
			all = append(all, nil)
		}
		all[g] = append(all[g], r)
	}
	return all
}

func (g group) windows() int {
	n := 0
	for _, r := range g {
		n = max(n, r.Windows())
	}
	return n
}

// sensitivity is eq. 7 of Bozkir et al. 2021 on one chunk of a signal: the
// largest distance between two subjects of the group. Recordings that end
// earlier count as zero from there on.
func (g group) sensitivity(f, from, n int, kd kind) (l1, l2 float64) {
	chunk := make([][]float64, len(g))
	for i, r := range g {
		chunk[i] = make([]float64, n)
		if from < r.Windows() {
			part := r.Values[f][from:min(from+n, r.Windows())]
			fill(chunk[i], part, 0)
			if kd == difference {
				signal.Differences(chunk[i][:len(part)], chunk[i][:len(part)])
			}
		}
	}
	for i := range g {
		for j := range i {
			if g[i].Subject == g[j].Subject {
				continue
			}
			a, b := distances(chunk[i], chunk[j])
			l1, l2 = math.Max(l1, a), math.Max(l2, b)
		}
	}
	return l1, l2
}

func distances(x, y []float64) (l1, l2 float64) {
	for t, v := range x {
		d := math.Abs(v - y[t])
		l1 += d
		l2 += d * d
	}
	return l1, math.Sqrt(l2)
}

// spread is max − min of a signal over the group (Steil et al. 2019).
func (g group) spread(f int) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range g {
		for _, v := range r.Values[f] {
			if !math.IsNaN(v) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	return math.Max(0, hi-lo)
}

// fromData lays the recordings out with what is read off them: k, and in the
// published calibration the noise.
func (l *laplace) fromData(recordings []Signals) ([]piece, error) {
	pieces := map[*Signals]*piece{}
	out := make([]piece, len(recordings))
	values := valuesIn(recordings)
	if l.Choose == NMSE {
		values *= criterionRuns
	}
	for i := range recordings {
		pieces[&recordings[i]] = &out[i]
		out[i] = piece{source: &recordings[i], windows: recordings[i].Windows(), at: recordings[i].At}
	}
	for _, g := range groups(recordings) {
		if l.Published && !g.several() {
			return nil, errOneSubject
		}
		type task struct{ signal, from, n int }
		var tasks []task
		for from, n := range l.Cut.spans(g.windows()) {
			for f := range l.Cut.Features {
				tasks = append(tasks, task{f, from, n})
			}
		}
		blocks := make([][]block, len(tasks))
		inParallel(len(tasks), values, func(i int, w *bench) {
			t := tasks[i]
			blocks[i] = l.choose(g, t.signal, t.from, t.n)
		})
		for _, list := range blocks {
			for i, b := range list {
				if b.n > 0 {
					pieces[g[i]].add(b)
				}
			}
		}
	}
	var failed error
	for i := range out {
		if err := l.fix(&out[i]); err != nil {
			failed = err
		}
	}
	inParallel(len(out), valuesIn(recordings), func(i int, w *bench) { l.encode(&out[i], w) })
	return out, failed
}

func (g group) several() bool {
	return slices.ContainsFunc(g, func(r *Signals) bool { return r.Subject != g[0].Subject })
}

func (p *piece) add(b block) {
	b.at = p.size
	p.size += b.size()
	p.blocks = append(p.blocks, b)
}

// choose makes one chunk of one signal of every recording of the group, with
// one k. Recordings that end before it get a block of no values.
func (l *laplace) choose(g group, f, from, n int) []block {
	l1, l2 := 0.0, 0.0
	if l.Published {
		if l1, l2 = g.sensitivity(f, from, n, l.full.kind); l.Method == Steil {
			l1 = float64(n) * g.spread(f)
		}
	}
	lambda := func(n, k int) float64 {
		switch {
		case !l.Published:
			return l.scale(newForm(l.full.kind, n, k)) * boundsOf(l.Bounds, f).span()
		case l.full.kind == plain:
			return l.factor() * l1 / l.item
		}
		return math.Sqrt(float64(n)*float64(k)) * l2 / l.item
	}
	k := l.coefficients()
	if l.Choose != Public && l.full.kind != plain {
		k = l.best(g, f, from, n, lambda)
	}
	blocks := make([]block, len(g))
	for i, r := range g {
		if have := min(n, r.Windows()-from); have > 0 {
			blocks[i] = block{form: newForm(l.full.kind, have, k), signal: f, from: from, Bounds: boundsOf(l.Bounds, f)}
			if l.Published {
				blocks[i].Bounds = Bounds{-0.5, 0.5} // values as they are
				blocks[i].step = lambda(have, k) / laplaceScale
			}
		}
	}
	return blocks
}

// fix gives guaranteed blocks their lattice.
func (l *laplace) fix(p *piece) (err error) {
	for i := range p.blocks {
		if b := &p.blocks[i]; !l.Published {
			if b.step, err = l.step(b.form); err != nil {
				return err
			}
		}
	}
	if l.Published {
		p.exact = make([]float64, p.size)
	} else {
		p.whole = make([]int64, p.size)
	}
	return nil
}

func (l *laplace) encode(p *piece, w *bench) {
	for i := range p.blocks {
		b := &p.blocks[i]
		if !l.Published {
			w.encode(p, b)
			clipL1(p.whole[b.at:][:b.size()], l.steps)
			continue
		}
		c := w.codec(b.form)
		x := w.x[:b.n]
		fill(x, p.source.Values[b.signal][b.from:b.from+b.n], 0)
		c.forward(p.exact[b.at:][:b.size()], x)
	}
}

// best is the k that all recordings of the group share in this chunk: the least
// mean squared error by the closed form, or the papers' criterion.
func (l *laplace) best(g group, f, from, n int, lambda func(n, k int) float64) int {
	var sum Curve
	nmse := l.Choose == NMSE
	for _, r := range g {
		have := min(n, r.Windows()-from)
		if have < 1 {
			continue
		}
		x := make([]float64, have)
		b := boundsOf(l.Bounds, f)
		if l.Published {
			b = Bounds{-0.5, 0.5}
		}
		fill(x, r.Values[f][from:from+have], b.mid())
		scale := func(k int) float64 { return lambda(have, k) }
		var c Curve
		if nmse {
			m := MonteCarlo(l.Method, x, scale, criterionRuns, noise.Seeded(uint64(from)<<20|uint64(f)))
			c = Curve{m.NMSE, make([]float64, len(m.NMSE))}
		} else {
			c = NewCurver(l.Method, have).Curve(x, scale)
		}
		sum.add(c)
	}
	return sum.Best()
}

// add adds a curve; a shorter one stays at its last value, that of keeping
// everything.
func (c *Curve) add(o Curve) {
	for len(c.Dropped) < len(o.Dropped) {
		last := len(c.Dropped) - 1
		if last < 0 {
			c.Dropped, c.Noise = append(c.Dropped, 0), append(c.Noise, 0)
			continue
		}
		c.Dropped, c.Noise = append(c.Dropped, c.Dropped[last]), append(c.Noise, c.Noise[last])
	}
	for i := range c.Dropped {
		j := min(i, len(o.Dropped)-1)
		c.Dropped[i] += o.Dropped[j]
		c.Noise[i] += o.Noise[j]
	}
}
