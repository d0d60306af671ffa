package series

import (
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Method is one of the published mechanisms.
type Method uint8

// Methods.
const (
	LPA   Method = iota // Laplace noise on every value
	FPA                 // on the first coefficients of the whole recording (Rastogi and Nath 2010)
	CFPA                // on those of chunks (Bozkir et al. 2021)
	DCFPA               // on those of differences inside chunks, then cumulative sums
	Steil               // on one randomly kept window per block (Steil et al. 2019)
)

var methodNames = []string{"lpa", "fpa", "cfpa", "dcfpa", "steil"}

// String is the method's name on the command line.
func (m Method) String() string { return methodNames[m] }

func (m Method) kind() kind {
	switch m {
	case LPA, Steil:
		return plain
	case DCFPA:
		return difference
	}
	return spectral
}

// chunked reports methods that cut recordings.
func (m Method) chunked() bool { return m == CFPA || m == DCFPA }

// Choice says where the number of coefficients comes from.
type Choice uint8

// Choices.
const (
	Public       Choice = iota // Coefficients, or a default from public numbers
	Paid                       // exponential mechanism, for a share of ε
	SquaredError               // least expected squared error on the data: void
	NMSE                       // least mean |NMSE| of 100 noisy runs on the data: void
)

var choiceNames = []string{"public", "paid", "squared-error", "nmse"}

func (c Choice) String() string { return choiceNames[c] }

// PaidShare is the part of ε that buys k.
const PaidShare = 0.1

// Laplace is LPA, FPA, CFPA, DCFPA or Steil's mechanism: Laplace noise on the
// coordinates of every signal's chunks, each with an equal share of ε.
type Laplace struct {
	Method  Method
	Epsilon float64  // of all that is released of the unit; required
	Cut     Cut      // Chunk for CFPA and DCFPA only; required
	Bounds  []Bounds // public, one for all signals or one each; required unless Published
	// Coefficients is k, public: DC and the next k−1 coefficients are kept. 0 =
	// from public numbers. Where k is Paid, it is the largest to choose from.
	Coefficients int
	Choose       Choice
	Block        int // Steil: windows of which one is kept; 0 = 10
	Gaps         Gaps
	// Published is the papers' calibration: sensitivities from the data (eq. 7)
	// and ε per signal and chunk, whatever the unit. The guarantee is void.
	Published bool
}

// Why published calibrations promise nothing.
const (
	SensitivityReason = "the sensitivities are read off the data (Bozkir et al. 2021, eq. 7)"
	ChoiceReason      = "the number of coefficients is chosen on the data"
	ParallelReason    = "ε is that of one chunk: parallel composition over chunks covers no recording and no subject"
	SeveralReason     = "ε is that of one table, and several of a unit are released"
)

// laplace is the mechanism with everything public resolved.
type laplace struct {
	Laplace
	unitEpsilon float64 // what remains of Epsilon once k is paid
	item        float64 // ε of one signal's chunk
	steps       int64   // L1 radius on the lattice
	full        form    // of a whole chunk
}

// Check reports parameters that make no mechanism.
func (m Laplace) Check() error { _, err := m.resolve(); return err }

func checkEpsilon(epsilon float64) error {
	if !(epsilon > 0 && epsilon <= 1e6) {
		return fmt.Errorf("series: epsilon must be positive and at most 1e6, got %v", epsilon)
	}
	return nil
}

func checkBounds(bounds []Bounds, features int) error {
	if len(bounds) == 0 {
		return fmt.Errorf("series: lower and upper bounds must be given: they are public, not read off the data")
	}
	if len(bounds) != 1 && len(bounds) != features {
		return fmt.Errorf("series: lower and upper bounds must be one for all or one for each of %d signals, got %d", features, len(bounds))
	}
	for _, b := range bounds {
		if err := b.check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Laplace) defaults() {
	m.Cut.defaults()
	if m.Block == 0 {
		m.Block = 10
	}
	if m.Published && m.Coefficients == 0 && m.Choose == Public {
		m.Choose = SquaredError
	}
	if m.Method.kind() == plain {
		m.Choose = Public
	}
}

func (m Laplace) check() error {
	if err := checkEpsilon(m.Epsilon); err != nil {
		return err
	}
	if err := m.Cut.check(); err != nil {
		return err
	}
	if len(m.Bounds) > 0 || !m.Published {
		if err := checkBounds(m.Bounds, m.Cut.Features); err != nil {
			return err
		}
	}
	most := m.chunkLength()/2 + 1
	switch {
	case m.Method.chunked() && m.Cut.Chunk < 1:
		return fmt.Errorf("series: %v needs a chunk of at least 1 window, got %d", m.Method, m.Cut.Chunk)
	case !m.Method.chunked() && m.Cut.Chunk != 0:
		return fmt.Errorf("series: %v cuts no chunks: leave chunk out, or use cfpa", m.Method)
	case !m.Method.chunked() && m.Cut.Unit == dp.Chunk:
		return fmt.Errorf("series: %v cuts no chunks: its unit must be recording or subject", m.Method)
	case m.Coefficients < 0 || m.Method.kind() != plain && m.Coefficients > most:
		return fmt.Errorf("series: coefficients must be between 1 and n/2+1 = %d for %d values, got %d", most, m.chunkLength(), m.Coefficients)
	case m.Choose == Paid && m.Published:
		return fmt.Errorf("series: the published calibration pays for nothing: choose must be public, squared-error or nmse")
	case m.Block < 1 || m.Block > maxLength:
		return fmt.Errorf("series: block must be between 1 and %d windows, got %d", maxLength, m.Block)
	}
	return nil
}

// chunkLength is the number of values of a whole chunk: Steil keeps one per
// block.
func (m Laplace) chunkLength() int {
	if m.Method == Steil {
		return (m.Cut.Length + m.Block - 1) / m.Block
	}
	return m.Cut.chunkLength()
}

func (m Laplace) resolve() (*laplace, error) {
	m.defaults()
	if err := m.check(); err != nil {
		return nil, err
	}
	l := &laplace{Laplace: m, unitEpsilon: m.Epsilon}
	if m.Choose == Paid {
		l.unitEpsilon *= 1 - PaidShare
	}
	l.item = l.unitEpsilon / float64(m.Cut.Features)
	if !m.Published { // the papers compose chunks and recordings in parallel
		l.item /= float64(m.Cut.chunksIn(m.Cut.Unit))
	}
	l.full = newForm(m.Method.kind(), m.chunkLength(), l.coefficients())
	if l.steps = laplaceSteps(math.Min(l.item, 1<<13)); m.Published {
		return l, nil
	}
	_, err := l.step(l.full)
	return l, err
}

// coefficients is k of a whole chunk, or the largest k where it is chosen.
func (l *laplace) coefficients() int {
	switch {
	case l.Coefficients > 0:
		return l.Coefficients
	case l.Choose == Paid:
		return paidMost
	case l.Choose != Public:
		return l.chunkLength()/2 + 1
	}
	return l.Cut.publicCoefficients(l.Method.kind(), l.item)
}

// step is the lattice of a form, in shares of the range.
func (l *laplace) step(f form) (float64, error) {
	r, _ := f.radius()
	return stepFor(r, l.steps, float64(f.size())/2)
}

// scale is λ for a signal whose public range is one, or whose participants
// differ by one everywhere.
func (l *laplace) scale(f form) float64 {
	if l.Published {
		return l.factor() * f.bound() / l.item
	}
	step, err := l.step(f)
	if err != nil {
		return math.Inf(1)
	}
	return step * laplaceScale
}

// factor is what Steil et al. add by using the exponential mechanism.
func (l *laplace) factor() float64 {
	if l.Method == Steil {
		return 2
	}
	return 1
}

// Guarantee implements [mechanism.Mechanism].
func (m Laplace) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Pure, Epsilon: m.Epsilon, Unit: m.Cut.Unit, Neighbours: dp.ReplaceOne, Model: dp.Central,
		Unprotected: unprotected(m.Cut),
	}
	l, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	if m.Published {
		g = g.Voided(SensitivityReason)
	}
	if l.Choose == SquaredError || l.Choose == NMSE {
		g = g.Voided(ChoiceReason)
	}
	if m.Published && m.Cut.Unit != dp.Chunk && m.Cut.chunks() > 1 {
		g = g.Voided(ParallelReason)
	}
	if m.Published && m.Cut.Unit != dp.Chunk && m.Cut.tables(m.Cut.Unit) > 1 {
		g = g.Voided(SeveralReason)
	}
	return g
}

// Accepts reports recordings that a release would refuse: ask before the charge.
func (m Laplace) Accepts(recordings []Signals) error {
	m.Cut.defaults()
	if err := m.Cut.checkInput(recordings, m.Gaps); err != nil || !m.Published {
		return err
	}
	return moderate(recordings)
}

// Prepare shapes the recordings for any number of draws.
func (m Laplace) Prepare(recordings []Signals) (*Prepared, error) {
	l, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if l.Choose == Paid || l.Method == Steil {
		return nil, fmt.Errorf("series: every release of this mechanism chooses anew: it cannot be prepared")
	}
	if err := m.Accepts(recordings); err != nil {
		return nil, err
	}
	return l.prepare(recordings, m.Plan())
}

func (l *laplace) prepare(recordings []Signals, plan mechanism.Plan) (p *Prepared, err error) {
	p = &Prepared{plan: plan}
	if p.sampler, err = checked(laplaceNoise()); err != nil {
		return nil, err
	}
	if l.Published || l.Choose != Public {
		p.pieces, err = l.fromData(recordings)
		return p, err
	}
	if l.full.kind != plain {
		p.coefficients = l.full.k
	}
	p.pieces = make([]piece, len(recordings))
	for i := range recordings {
		if p.pieces[i], err = l.pieceOf(&recordings[i]); err != nil {
			return nil, err
		}
	}
	inParallel(len(p.pieces), valuesIn(recordings), func(i int, w *bench) {
		q := &p.pieces[i]
		for b := range q.blocks {
			w.encode(q, &q.blocks[b])
			clipL1(q.whole[q.blocks[b].at:][:q.blocks[b].size()], l.steps)
		}
	})
	return p, nil
}

// pieceOf lays a recording out under public numbers of coefficients.
func (l *laplace) pieceOf(r *Signals) (p piece, err error) {
	p = l.cut().layout(r, l.Bounds, func(n int) (form, float64) {
		f := newForm(l.full.kind, n, l.full.k)
		step, e := l.step(f)
		if e != nil {
			err = e
		}
		return f, step
	})
	return p, err
}

// cut is how a recording, of which Steil keeps a part, is cut.
func (l *laplace) cut() Cut {
	c := l.Cut
	c.Length = max(c.Length, l.chunkLength())
	return c
}

// Release draws the noise. The caller has charged Guarantee before.
func (m Laplace) Release(recordings []Signals, src *noise.Source) (*Release, error) {
	l, err := m.resolve()
	if err != nil {
		return nil, err
	}
	return l.release(recordings, m.Plan(), src)
}

func (l laplace) release(recordings []Signals, plan mechanism.Plan, src *noise.Source) (_ *Release, err error) {
	if err := l.Accepts(recordings); err != nil {
		return nil, err
	}
	if l.Method == Steil {
		recordings = keepOne(recordings, l.Block, src)
	}
	if l.Choose == Paid {
		if l.full, err = l.buy(recordings, src); err != nil {
			return nil, err
		}
		l.Choose = Public // and is known from here on
	}
	p, err := l.prepare(recordings, plan)
	if err != nil {
		return nil, err
	}
	return p.Draw(src)
}

// keepOne keeps one window of every block, drawn without looking at the values.
func keepOne(recordings []Signals, block int, src *noise.Source) []Signals {
	kept := slices.Clone(recordings)
	for i := range kept {
		r := &kept[i]
		n := r.Windows()
		r.At = nil
		for from := 0; from < n; from += block {
			r.At = append(r.At, from+src.IntN(min(block, n-from)))
		}
		r.Values = make([][]float64, len(recordings[i].Values))
		for f, v := range recordings[i].Values {
			r.Values[f] = make([]float64, len(r.At))
			for j, t := range r.At {
				r.Values[f][j] = v[t]
			}
		}
	}
	return kept
}

var _ mechanism.Mechanism = Laplace{}
