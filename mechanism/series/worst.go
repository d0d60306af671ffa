package series

import (
	"math"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// pair is the worst pair of neighbours at the unit that is protected.
func pair(m mechanism.Mechanism) mechanism.Pair {
	c, _ := cutOf(m)
	return pairAt(m, c.Unit)
}

// pairAt is a pair of neighbours at a unit: everything of the unit lies at
// opposite corners of the box, between which the coordinates move most. Where
// the noise is read off the data, the pair is one that moves the noise.
func pairAt(m mechanism.Mechanism, u dp.Unit) mechanism.Pair {
	if isPublished(m) {
		return publishedPair(m, u)
	}
	c, _ := cutOf(m)
	corner := make([]float64, c.Length)
	for from, n := range c.spans(c.Length) {
		copy(corner[from:], worstCorner(m, n))
		if u == dp.Chunk {
			break // the others are equal
		}
	}
	low := unitOf(m, u, "one", func(t int) float64 { return -corner[t] })
	high := unitOf(m, u, "one", func(t int) float64 { return corner[t] })
	return mechanism.Pair{A: low, B: high, Statistic: likelihoodRatio(m, low, high)}
}

// publishedPair replaces one of two people, who was an eighth of the range away
// from the other, by one who is the whole range away: the noise grows with it.
func publishedPair(m mechanism.Mechanism, u dp.Unit) mechanism.Pair {
	c, _ := cutOf(m)
	first := c.Length
	for _, n := range c.spans(c.Length) {
		first = n
		break
	}
	level := func(v float64) func(int) float64 {
		return func(t int) float64 {
			if u == dp.Chunk && t >= first {
				return 1.0/8 - 0.5
			}
			return v
		}
	}
	other := unitOf(m, u, "other", func(int) float64 { return -0.5 })
	near := append(unitOf(m, u, "one", level(1.0/8-0.5)), other...)
	far := append(unitOf(m, u, "one", level(0.5)), other...)
	return mechanism.Pair{A: near, B: far, Statistic: likelihoodRatio(m, near, far)}
}

func isPublished(m mechanism.Mechanism) bool {
	l, ok := m.(Laplace)
	return ok && l.Published
}

// unitOf is all of one unit, a chunk's with the rest of its table: as many
// tables as were planned for. All signals are alike.
func unitOf(m mechanism.Mechanism, u dp.Unit, subject string, at func(t int) float64) []Signals {
	c, _ := cutOf(m)
	names := conditionNames(m)
	tables := c.tables(u)
	switch _, mean := m.(Mean); {
	case mean:
		tables = len(names)
	case u == dp.Chunk:
		tables = 1
	}
	var all []Signals
	for i := range tables {
		r := one(m, c.Length, func(_, t int) float64 { return at(t) })[0]
		r.Subject, r.Recording, r.Condition = subject, strconv.Itoa(i), names[i%len(names)]
		r.Session = strconv.Itoa(i / c.tables(dp.Recording))
		all = append(all, r)
	}
	return all
}

// worstCorner are the values of a chunk, ½ or −½, whose coordinates are longest.
func worstCorner(m mechanism.Mechanism, n int) []float64 {
	if l, ok := m.(Laplace); ok {
		if r, err := l.resolve(); err == nil {
			best, _ := newForm(r.full.kind, n, r.full.k).ascend(64)
			return best
		}
	}
	best := make([]float64, n)
	for t := range best {
		best[t] = 0.5
	}
	return best
}

// around is the law of an input's release: where its coordinates lie without
// noise, and the scale of the noise of each, in the release's unit.
type around struct{ at, scale []float64 }

func (l around) laplace(v []float64) (logDensity float64) {
	for i, x := range v {
		logDensity -= math.Abs(x-l.at[i])/l.scale[i] + math.Log(l.scale[i])
	}
	return logDensity
}

// likelihoodRatio is the logarithm of it, of releases of b against those of a:
// no statistic tells them apart better. k is known where it is bought, as it
// says how many coordinates there are.
func likelihoodRatio(m mechanism.Mechanism, a, b []Signals) func([]float64) float64 {
	type laws struct{ a, b around }
	known := map[int]laws{}
	la, lb := lawsOf(m, a), lawsOf(m, b)
	for n, law := range la {
		if other, both := lb[n]; both {
			known[n] = laws{law, other}
		}
	}
	laplace := m.Plan().Noise.Law == "discrete laplace"
	return func(v []float64) float64 {
		l, both := known[len(v)]
		if !both { // k was read off the data, and differs
			if _, isB := lb[len(v)]; isB {
				return math.Inf(1)
			}
			return math.Inf(-1)
		}
		if laplace {
			return l.b.laplace(v) - l.a.laplace(v)
		}
		s := 0.0
		for i, x := range v {
			s += (l.b.at[i] - l.a.at[i]) / l.a.scale[i] * (x / l.a.scale[i])
		}
		return s
	}
}

// lawsOf are the laws that a release of the input may have, by how many
// coordinates it then has.
func lawsOf(m mechanism.Mechanism, input []Signals) map[int]around {
	laws := map[int]around{}
	for _, pieces := range shapes(m, input) {
		var l around
		for _, p := range pieces {
			l = p.law(l, m.Plan().Noise.Law)
		}
		laws[len(l.at)] = l
	}
	return laws
}

// shapes are an input's coordinates without noise: for every k that may be
// bought, else once.
func shapes(m mechanism.Mechanism, input []Signals) (all [][]piece) {
	if l, ok := m.(Laplace); ok {
		r, err := l.resolve()
		if err != nil {
			return nil
		}
		if l.Method == Steil {
			input = keepOne(input, r.Block, noise.Seeded(1)) // all windows are alike
		}
		if r.Choose != Paid {
			if p, err := r.prepare(input, mechanism.Plan{}); err == nil {
				all = append(all, p.pieces)
			}
			return all
		}
		for k := min(r.coefficients(), r.full.n/2+1); k > 0; k-- {
			bought := *r
			bought.Choose, bought.full = Public, newForm(r.full.kind, r.full.n, k)
			if p, err := bought.prepare(input, mechanism.Plan{}); err == nil {
				all = append(all, p.pieces)
			}
		}
		return all
	}
	if p, err := shape(m, input); err == nil {
		all = append(all, p.pieces)
	}
	return all
}

// law appends a piece's.
func (p *piece) law(l around, of string) around {
	steps, unit := float64(laplaceScale), p.unit()
	if of != "discrete laplace" {
		steps = gaussianScale
	}
	for _, b := range p.blocks {
		for i := b.at; i < b.at+b.size(); i++ {
			v := 0.0
			if p.whole != nil {
				v = float64(p.whole[i]) * b.step
			}
			if p.exact != nil {
				v += p.exact[i]
			}
			l.at = append(l.at, v*unit)
			l.scale = append(l.scale, b.step*steps*unit)
		}
	}
	return l
}

// atSubjectLevel is the ε of a chunk, as the papers print it, held to what it
// does not cover: neighbours that differ in a person, and so in all of a
// recording's chunks. What is stated of a subject instead is their sum.
func atSubjectLevel(method Method) mechanism.Fault {
	m := Laplace{Method: method, Epsilon: 1, Cut: Cut{Features: 1, Length: 12, Chunk: 4, Unit: dp.Chunk}, Bounds: []Bounds{{0, 1}}, Coefficients: 1}
	printed := m.Guarantee().Voided(ParallelReason)
	printed.Unit = dp.Subject
	return mechanism.Fault{
		Name: method.String() + " at subject level: the ε of one chunk is printed for a recording of " + strconv.Itoa(m.Cut.chunks()) + " chunks", Claim: printed,
		Composed: m.Plan().Composed[dp.Subject.String()],
		Prepare: func() (func(bool, *noise.Source) (float64, error), error) {
			worst := pairAt(m, dp.Subject)
			draw, err := prepare(m)
			return func(side bool, src *noise.Source) (float64, error) {
				input := worst.A
				if side {
					input = worst.B
				}
				out, err := draw(input, src)
				if err != nil {
					return 0, err
				}
				return worst.Statistic(out.Values), nil
			}, err
		},
	}
}
