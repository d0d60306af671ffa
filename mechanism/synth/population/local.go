package population

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// Local synthesises gaze from one report per subject (MECHANISMS §6, SYNTHESIS
// §4, PROOF.md). Nobody is trusted: each subject's own device draws one of four
// questions by a coin that has seen no data, and answers it with all of ε through
// a frequency oracle. A subject without an answer answers all the same.
//
// A device must keep its report and send that one again whenever it is asked:
// a fresh one is a second release. Protect plays all devices, once, for data that
// are in one place.
type Local struct {
	Epsilon  float64 // required
	Subjects int     // of whom reports are expected, public; required
	Shape    Shape   // its screen is required
	// Side is the number of blocks of cells along a side that a place is told by; 0
	// = a public function of n and ε.
	Side   int
	Oracle string // of package oracle: subset (default), oue or hadamard
	Prior  Prior
	Output Output
}

// Question is what a device is asked.
type Question int

// Questions. A time between saccades is drawn with a weight of the root of its
// length, places by the time spent there, saccades with equal weights.
const (
	AskPlace     Question = iota // the block of cells of a moment
	AskDuration                  // the bin of a time between saccades
	AskAmplitude                 // the bin of a saccade's amplitude
	AskDirection                 // and of its direction
	Questions
)

// asked are the shares of subjects per question, in thousandths.
var asked = [Questions]int{600, 150, 125, 125}

// Report is what one device sends.
type Report struct {
	Question Question
	Words    []uint64 // of the question's oracle
}

type local struct {
	Local
	across, down int // blocks of cells
	oracles      [Questions]oracle.Oracle
	prior        *laws
	plan         mechanism.Plan
}

// Check reports parameters that make no mechanism.
func (m Local) Check() error { _, err := m.resolve(); return err }

func (m Local) resolve() (*local, error) {
	if err := checkBudget(m.Epsilon, m.Subjects); err != nil {
		return nil, err
	}
	var err error
	if m.Shape, err = m.Shape.withDefaults(); err != nil {
		return nil, err
	}
	if m.Output, err = m.Output.withDefaults(m.Subjects); err != nil {
		return nil, err
	}
	l := &local{Local: m}
	if l.prior, err = m.Prior.laws(&m.Shape); err != nil {
		return nil, err
	}
	return l, l.ask()
}

// ask prepares the questions.
func (l *local) ask() error {
	s := &l.Shape
	if l.Side == 0 {
		l.Side = l.defaultSide()
	}
	if l.Side < 1 || l.Side > maxSide {
		return fmt.Errorf("population: blocks along a side must be between 1 and %d, got %d", maxSide, l.Side)
	}
	l.across, l.down = min(l.Side, s.Columns), min(l.Side, s.Rows)
	if l.Oracle == "" {
		l.Oracle = "subset"
	}
	for q, domain := range [Questions]int{l.across * l.down, s.Durations, s.Amplitudes, s.Directions} {
		var err error
		if l.oracles[q], err = oracle.New(l.Oracle, domain, l.Epsilon); err != nil {
			return fmt.Errorf("population: %w", err)
		}
	}
	return nil
}

// defaultSide grows slowly with what the reports are worth: found on simulated
// people.
func (l *local) defaultSide() int {
	return min(max(int(math.Round(10*math.Pow(l.worth()/9000, 1./7))), 4), 60)
}

// worth is one over the variance of a share that the place reports tell.
func (l *local) worth() float64 {
	e := math.Exp(l.Epsilon)
	return l.expected(AskPlace) * (e - 1) / e * (e - 1) / 4
}

// Guarantee implements [mechanism.Mechanism].
func (m Local) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Pure, Epsilon: m.Epsilon, Unit: dp.Subject, Neighbours: dp.ReplaceOne, Model: dp.Local,
		Unprotected: []string{"how many subjects there are, that a subject takes part, and when the report is sent", "which question was drawn for a subject", "the screen and what was shown on it"},
	}
	if err := m.Check(); err != nil {
		return g.Voided(err.Error())
	}
	return g
}

// Plan implements [mechanism.Mechanism].
func (m Local) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: localName, Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	l, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	sigma := deviation(l.oracles[AskPlace].Tally().Estimate(), l.expected(AskPlace))
	p.Noise = mechanism.Noise{Law: "frequency oracle " + l.Oracle, Scale: sigma, Sigma: sigma}
	p.Sensitivity = mechanism.Sensitivity{L1: 2 / float64(l.Subjects), L2: math.Sqrt2 / float64(l.Subjects)}
	p.Parameters = l.parameters()
	p.Likeness, p.Warnings = l.likeness(), l.warnings()
	return p
}

// expected is how many subjects are asked a question.
func (l *local) expected(q Question) float64 { return float64(l.Subjects) * float64(asked[q]) / 1000 }

func (l *local) parameters() map[string]string {
	p := map[string]string{"subjects": strconv.Itoa(l.Subjects), "prior": l.Prior.name()}
	l.Shape.describe(p)
	l.Output.describe(p)
	p["side"], p["oracle"] = strconv.Itoa(l.Side), l.Oracle
	return p
}

// warnings follow from public numbers alone.
func (l *local) warnings() []error {
	if l.expected(AskPlace)*math.Pow(math.Expm1(l.Epsilon), 2)/math.Exp(l.Epsilon) > 1e4 {
		return nil
	}
	return []error{fmt.Errorf("%d reports at ε = %v say little beyond a good public prior: the local model needs thousands of people", l.Subjects, l.Epsilon)}
}

// Question draws what a device is asked; it may be drawn by anybody.
func (m Local) Question(src *noise.Source) Question {
	u := src.IntN(1000)
	for q, share := range asked {
		if u -= share; u < 0 {
			return Question(q)
		}
	}
	return AskDirection
}

// Device is what answers on a subject's own device. It is safe for concurrent use.
type Device struct{ local *local }

// Device prepares the answers once for many subjects.
func (m Local) Device() (*Device, error) {
	l, err := m.resolve()
	return &Device{l}, err
}

// Report answers a question about a person, who may have no data. It is called
// once per subject; what it returns is kept and sent again if need be.
func (d *Device) Report(q Question, p *Person, src *noise.Source) (Report, error) {
	if q < 0 || q >= Questions {
		return Report{}, errors.New("population: unknown question")
	}
	value, err := d.local.truth(q, p, src)
	if err != nil {
		return Report{}, err
	}
	o := d.local.oracles[q]
	r := Report{q, make([]uint64, o.Words())}
	o.Perturb(r.Words, value, src)
	return r, nil
}

// truth draws the true answer: one moment, one time or one saccade of the
// person's.
func (l *local) truth(q Question, p *Person, src *noise.Source) (int, error) {
	if p == nil {
		return oracle.None, nil
	}
	if !p.fits(&l.Shape) {
		return oracle.None, errShape
	}
	switch q {
	case AskPlace:
		seconds := make([]float64, len(p.dwell))
		for i, d := range p.dwell {
			seconds[i] = d.seconds
		}
		if i := pick(seconds, src); i >= 0 {
			return l.block(p.dwell[i].cell), nil
		}
		return oracle.None, nil
	case AskDuration:
		runs := slices.Clone(p.durations)
		l.Shape.weigh(runs, 1)
		return pick(runs, src), nil
	}
	i := pick(p.steps, src)
	if i == oracle.None {
		return oracle.None, nil
	}
	if q == AskAmplitude {
		return i / l.Shape.Directions, nil
	}
	return i % l.Shape.Directions, nil
}

// block is a cell's block.
func (l *local) block(cell int) int {
	s := &l.Shape
	return cell/s.Columns*l.down/s.Rows*l.across + cell%s.Columns*l.across/s.Columns
}

// pick draws an index in proportion to amounts; oracle.None where there is nothing. Of
// its probabilities nothing is promised: they are the subject's own.
func pick(amounts []float64, src *noise.Source) int {
	total := 0.0
	for _, v := range amounts {
		total += amount(v)
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return oracle.None
	}
	u := src.Float64() * total
	last := oracle.None
	for i, v := range amounts {
		if amount(v) == 0 {
			continue
		}
		if last = i; u < amount(v) {
			break
		}
		u -= amount(v)
	}
	return last
}

// Protect implements [mechanism.Paths]: it gathers the people, plays their
// devices, collects the reports and generates. The caller has charged Guarantee
// before.
func (m Local) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	g, err := Gather(m.Shape, pieces)
	if err != nil {
		return nil, err
	}
	r, err := m.Release(g, src)
	if err != nil {
		return nil, err
	}
	return &r.PathRelease, nil
}

// Release plays the devices of gathered people; those enrolled but not gathered
// answer that they have none.
func (m Local) Release(g *Gathered, src *noise.Source) (*Release, error) {
	l, err := m.prepare()
	if err != nil {
		return nil, err
	}
	if !g.Shape.alike(&l.Shape) {
		return nil, errShape
	}
	counts, err := l.draw(g.People, src)
	if err != nil {
		return nil, err
	}
	return l.finish(counts, src)
}

// Collect makes a release of reports that devices have sent.
func (m Local) Collect(reports iter.Seq[Report], src *noise.Source) (*Release, error) {
	l, err := m.prepare()
	if err != nil {
		return nil, err
	}
	t := l.tallies(src)
	for r := range reports {
		if err := t.add(r); err != nil {
			return nil, err
		}
	}
	return l.finish(t, src)
}

func (m Local) prepare() (*local, error) {
	l, err := m.resolve()
	if err != nil {
		return nil, err
	}
	l.plan = m.Plan()
	return l, nil
}

// groups of reports: halves of them are independent, whatever the reports' law.
const groups = 16

// tallies are the reports per question and group; nil = none so far. Each report
// has its group by a coin of its own: dealt in turn, it would depend on who
// stands before it, and one person's absence would move all who follow.
type tallies struct {
	oracles *[Questions]oracle.Oracle
	of      [Questions][groups]oracle.Tally
	count   [Questions]int
	coin    *noise.Source
}

func (l *local) tallies(src *noise.Source) *tallies {
	return &tallies{oracles: &l.oracles, coin: src.Split()}
}

// ErrReport is returned for what no device sends.
var ErrReport = errors.New("population: malformed report")

func (t *tallies) add(r Report) error {
	if r.Question < 0 || r.Question >= Questions {
		return ErrReport
	}
	own := &t.of[r.Question][t.coin.IntN(groups)]
	if *own == nil {
		*own = t.oracles[r.Question].Tally()
	}
	if err := (*own).Add(r.Words); err != nil {
		return ErrReport
	}
	t.count[r.Question]++
	return nil
}

// estimate is what some groups say of a question: shares and how many reports.
func (t *tallies) estimate(q Question, of []int) oracle.Estimate {
	all := oracle.Estimate{Counts: make([]float64, t.oracles[q].Domain())}
	for _, g := range of {
		if t.of[q][g] == nil {
			continue
		}
		e := t.of[q][g].Estimate()
		all.Reports, all.Absent, all.Present = all.Reports+e.Reports, e.Absent, e.Present
		floats.Add(all.Counts, e.Counts)
	}
	return all
}

// values are unbiased counts of every question.
func (t *tallies) values() []float64 {
	var out []float64
	for q := range Questions {
		out = append(out, t.estimate(q, everyGroup).Counts...)
	}
	return out
}

var everyGroup = func() (all []int) {
	for g := range groups {
		all = append(all, g)
	}
	return all
}()

func (l *local) draw(people []*Person, src *noise.Source) (*tallies, error) {
	if len(people) > l.Subjects {
		return nil, ErrSubjects
	}
	t, device := l.tallies(src), &Device{l}
	for i := range l.Subjects {
		var p *Person
		if i < len(people) {
			p = people[i]
		}
		r, err := device.Report(l.Question(src), p, src)
		if err != nil {
			return nil, err
		}
		if err := t.add(r); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (l *local) finish(t *tallies, src *noise.Source) (*Release, error) {
	r := &Release{PathRelease: mechanism.PathRelease{Release: mechanism.Draw(l.plan, src), Synthetic: true}, Raw: t.values()}
	r.Model = l.estimate(t, src)
	r.Warnings = append(r.Warnings, r.Model.warnings()...)
	var err error
	r.Recordings, err = r.Model.Generate(l.Output, src)
	return r, err
}

// estimate turns reports into a model, law by law; what nobody was asked is the
// prior's.
func (l *local) estimate(t *tallies, src *noise.Source) *Model {
	m := &Model{Shape: l.Shape, Clip: 1}
	var all laws
	for law := range nLaws {
		e := l.estimator(law, t)
		if e == nil {
			all[law] = newEstimator(&l.Shape, l.prior, law).prior
			m.Kept = append(m.Kept, lawNames[law])
			continue
		}
		m.learn(law, &all, e, src)
	}
	m.take(&all)
	return m
}

// fewReports to a question tell nothing, whatever ε is.
const fewReports = 4 * groups

// estimator of one law; nil where too few were asked.
func (l *local) estimator(law int, t *tallies) *estimator {
	s := &l.Shape
	e := newEstimator(s, l.prior, law)
	questions := [nLaws][]Question{{AskPlace}, {AskDuration}, {AskAmplitude, AskDirection}}[law]
	for _, q := range questions {
		if t.count[q] < fewReports {
			return nil
		}
	}
	e.seen = l.looks(questions, t, everyGroup)
	e.thin = func(src *noise.Source) (fit, test observed) {
		deal := src.Perm(groups)
		return l.looks(questions, t, deal[:groups/2]), l.looks(questions, t, deal[groups/2:])
	}
	widths := [nLaws][2]float64{
		{0.5 * float64(s.Rows) / float64(l.down), 0.5 * float64(s.Columns) / float64(l.across)}, {0, float64(s.Durations) / 24}, {float64(s.Amplitudes) / 14, float64(s.Directions) / 24},
	}[law]
	for _, share := range []float64{0, 0.5, 1} {
		e.smooth(share*widths[0], share*widths[1], law == steps)
	}
	return e
}

// looks are what the answers of some groups show.
func (l *local) looks(questions []Question, t *tallies, of []int) observed {
	var all observed
	for _, q := range questions {
		e := t.estimate(q, of)
		n := max(float64(e.Reports), 1)
		floats.Scale(1/n, e.Counts)
		all = append(all, l.look(q, e.Counts, deviation(e, n)))
	}
	return all
}

// deviation of a share, of a usual value: of the report and of who was asked.
func deviation(e oracle.Estimate, n float64) float64 {
	f := 1 / float64(len(e.Counts))
	return math.Sqrt((f*e.Present + (1-f)*e.Absent + f*(1-f)) / n)
}

func (l *local) look(q Question, shares []float64, sigma float64) *look {
	s := &l.Shape
	switch q {
	case AskPlace:
		return &look{left: grouped(s.Rows, l.down), right: grouped(s.Columns, l.across), y: mat.NewDense(l.down, l.across, shares), sigma: sigma}
	case AskAmplitude:
		return &look{left: identity(s.Amplitudes), right: sums(s.Directions), y: mat.NewDense(s.Amplitudes, 1, shares), sigma: sigma}
	case AskDirection:
		return &look{left: sums(s.Amplitudes), right: identity(s.Directions), y: mat.NewDense(1, s.Directions, shares), sigma: sigma}
	}
	return &look{left: identity(1), right: identity(s.Durations), y: mat.NewDense(1, s.Durations, shares), sigma: sigma}
}

// grouped is the matrix from n cells to the blocks that hold them.
func grouped(n, blocks int) *mat.Dense {
	m := mat.NewDense(blocks, n, nil)
	for j := range n {
		m.Set(j*blocks/n, j, 1)
	}
	return m
}
