package series

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Release is what was drawn: a list of recordings as was given, under their
// names, with noisy values.
type Release struct {
	mechanism.Release
	Recordings []Signals
	// Coordinates are what the values were made from, recording by recording: in
	// the unit of the plan's noise, multiples of its grid.
	Coordinates [][]float64
	// Coefficients is the public or paid number of coefficients; 0 = none, or
	// chosen chunk by chunk on the data.
	Coefficients int
}

// block is one signal's chunk.
type block struct {
	form
	signal, from int
	at           int     // of its first coordinate
	step         float64 // of the lattice, in shares of the range
	Bounds
}

// piece is one recording, ready to be drawn: its coordinates without noise.
type piece struct {
	source  *Signals
	windows int
	at      []int // where windows were left out
	size    int   // coordinates
	blocks  []block
	whole   []int64   // coordinates on the lattice, clipped
	exact   []float64 // published: coordinates as they are
}

// Prepared is a mechanism with the data it is to release, for many draws.
type Prepared struct {
	plan         mechanism.Plan
	sampler      *noise.Sampler
	pieces       []piece
	coefficients int
	benches      sync.Pool // of draws before: codecs are worth keeping
}

// checkInput refuses what is not what the cut says. It names nobody.
func (c Cut) checkInput(recordings []Signals, gaps Gaps) error {
	if len(recordings) == 0 {
		return fmt.Errorf("series: there are no recordings")
	}
	subjects, sessions := map[string]int{}, map[string]int{}
	for i := range recordings {
		r := &recordings[i]
		if err := c.checkShape(r, i); err != nil {
			return err
		}
		if subjects[r.Subject]++; subjects[r.Subject] > c.tables(dp.Subject) {
			return fmt.Errorf("series: a subject has more recordings than the %d that are planned for", c.tables(dp.Subject))
		}
		key := r.owner(dp.Recording)
		if sessions[key]++; sessions[key] > c.tables(dp.Recording) {
			return fmt.Errorf("series: a recording, which is a session, has more trials than the %d that are planned for", c.tables(dp.Recording))
		}
		if gaps == RefuseGaps && hasGap(r) {
			return ErrGap
		}
	}
	return nil
}

func (c Cut) checkShape(r *Signals, i int) error {
	n := r.Windows()
	if len(r.Values) != c.Features {
		return fmt.Errorf("series: recording %d has %d signals, want %d", i, len(r.Values), c.Features)
	}
	if n < 1 || n > c.Length {
		return fmt.Errorf("series: recording %d has %d windows, want 1 to %d", i, n, c.Length)
	}
	for _, v := range r.Values {
		if len(v) != n {
			return fmt.Errorf("series: the signals of recording %d differ in length", i)
		}
	}
	return nil
}

func hasGap(r *Signals) bool {
	for _, signal := range r.Values {
		for _, v := range signal {
			if math.IsNaN(v) {
				return true
			}
		}
	}
	return false
}

// layout cuts a recording into blocks. size says which form a chunk of n
// values takes, and step its lattice.
func (c Cut) layout(r *Signals, bounds []Bounds, of func(n int) (form, float64)) piece {
	p := piece{source: r, windows: r.Windows(), at: r.At}
	for from, n := range c.spans(p.windows) {
		f, step := of(n)
		for s := range r.Values {
			p.add(block{form: f, signal: s, from: from, step: step, Bounds: boundsOf(bounds, s)})
		}
	}
	p.whole = make([]int64, p.size)
	return p
}

// bench is one goroutine's codecs and scratch.
type bench struct {
	codecs  map[form]codec
	x, y, w []float64
}

func newBench() *bench { return &bench{codecs: map[form]codec{}} }

func (w *bench) codec(f form) codec {
	c := w.codecs[f]
	if c == nil {
		c = f.codec()
		w.codecs[f] = c
	}
	if len(w.x) < f.n {
		w.x, w.y, w.w = make([]float64, f.n), make([]float64, f.n), make([]float64, f.n)
	}
	return c
}

// encode writes a block's coordinates, rounded to its lattice.
func (w *bench) encode(p *piece, b *block) {
	c := w.codec(b.form)
	x, y := w.x[:b.n], w.y[:b.size()]
	fill(x, p.source.Values[b.signal][b.from:b.from+b.n], b.mid())
	normalise(x, b.Bounds)
	c.forward(y, x)
	toLattice(p.whole[b.at:][:b.size()], y, b.step)
}

// decode turns noisy coordinates, in shares of the range, into values.
func (w *bench) decode(dst []float64, y []float64, b *block) {
	c := w.codec(b.form)
	c.inverse(dst, y)
	if b.span() == 1 && b.mid() == 0 {
		return
	}
	mid, span := b.mid(), b.span()
	for t, v := range dst {
		dst[t] = mid + span*v
	}
}

// Draw draws a release. Recordings that are drawn side by side have sources of
// their own, so that a seeded release does not depend on the number of processors.
func (p *Prepared) Draw(src *noise.Source) (*Release, error) {
	r := &Release{Release: mechanism.Draw(p.plan, src), Coefficients: p.coefficients}
	r.Recordings = make([]Signals, len(p.pieces))
	r.Coordinates = make([][]float64, len(p.pieces))
	values := p.values()
	sources := slices.Repeat([]*noise.Source{src}, len(p.pieces)) // one after the other
	for i := 0; len(sources) > 1 && values >= quick && i < len(sources); i++ {
		sources[i] = src.Split()
	}
	shareOut(len(p.pieces), values, &p.benches, func(i int, w *bench) {
		r.Recordings[i], r.Coordinates[i] = p.pieces[i].draw(p.sampler, sources[i], w)
	})
	return r, nil
}

// draw is one recording. What follows the sum of integers is a function of it
// and of public numbers.
func (p *piece) draw(s *noise.Sampler, src *noise.Source, w *bench) (Signals, []float64) {
	noisy := make([]int64, p.size)
	copy(noisy, p.whole)
	s.Add(noisy, src)
	out := Signals{Subject: p.source.Subject, Session: p.source.Session, Recording: p.source.Recording, Condition: p.source.Condition, At: p.at}
	flat := make([]float64, len(p.source.Values)*p.windows)
	for f := range p.source.Values {
		out.Values = append(out.Values, flat[f*p.windows:][:p.windows:p.windows])
	}
	coordinates, unit := make([]float64, len(noisy)), p.unit()
	for i := range p.blocks {
		b := &p.blocks[i]
		y := coordinates[b.at:][:b.size()]
		for j, z := range noisy[b.at:][:b.size()] {
			y[j] = float64(z) * b.step
		}
		if p.exact != nil {
			for j, v := range p.exact[b.at:][:b.size()] {
				y[j] += v
			}
		}
		w.decode(out.Values[b.signal][b.from:][:b.n], y, b)
		for j := range y {
			y[j] *= unit
		}
	}
	return out, coordinates
}

// unit of coordinates: the range that all signals have, or shares of them.
func (p *piece) unit() float64 {
	for i := range p.blocks {
		if p.blocks[i].span() != p.blocks[0].span() {
			return 1
		}
	}
	return p.blocks[0].span()
}

// values of the release.
func (p *Prepared) values() (n int) {
	for i := range p.pieces {
		n += p.pieces[i].size + p.pieces[i].windows*len(p.pieces[i].source.Values)
	}
	return n
}

// valuesIn recordings.
func valuesIn(recordings []Signals) (n int) {
	for i := range recordings {
		n += recordings[i].Windows() * len(recordings[i].Values)
	}
	return n
}

// inParallel runs f for 0 … n−1, which look at so many values together, each
// goroutine with a bench of its own.
func inParallel(n, values int, f func(i int, w *bench)) { shareOut(n, values, new(sync.Pool), f) }

// quick is how many values are worked on before a second goroutine would have
// started.
const quick = 1 << 12

// shareOut is inParallel with benches from a pool, to which they return.
func shareOut(n, values int, pool *sync.Pool, f func(i int, w *bench)) {
	var next atomic.Int64
	work := func() {
		w, ok := pool.Get().(*bench)
		if !ok {
			w = newBench()
		}
		for i := next.Add(1); i <= int64(n); i = next.Add(1) {
			f(int(i-1), w)
		}
		pool.Put(w)
	}
	if values < quick || n == 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(work)
	}
	wg.Wait()
}

// unprotected is what everybody may see.
func unprotected(c Cut) []string {
	list := []string{"the number of people and of recordings", "how long each recording is", "which signals there are",
		"the names of stimuli, tasks, trials and sessions (pseudonyms where they tell who or when), and which recording is of which"}
	if c.Unit == dp.Chunk {
		list = append(list, "that a recording consists of these chunks")
	}
	return list
}
