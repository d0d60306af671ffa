package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// BozkirTask is what the papers' classifiers tell apart.
type BozkirTask string

// The tasks of Bozkir et al. 2021.
const (
	TaskDocument BozkirTask = "document" // one class per recording
	TaskGender   BozkirTask = "gender"   // one class per person
	TaskScene    BozkirTask = "scene"    // one class per window: privacy-sensitive or not
	TaskPerson   BozkirTask = "person"   // who it is: first half of every recording against its second
)

// BozkirTable is a table of the paper as a value.
type BozkirTable struct {
	Name    string // bozkir-table1 … 5, bozkir-s1 … s4
	Title   string
	Task    BozkirTask
	Voting  bool   // the windows of a recording vote
	Label   string // of the data set's definition; empty = the person, or the column privacy_label
	Every   int    // windows of which one is used, by default
	Printed int    // number of the paper's table with printed values; 0 = they are not in its text
}

// BozkirTables lists the paper's tables.
func BozkirTables() []BozkirTable {
	return []BozkirTable{
		{"bozkir-table1", "Document type, with majority voting (MPIIDPEye)", TaskDocument, true, "document", 10, 1},
		{"bozkir-table2", "Gender, with majority voting (MPIIDPEye)", TaskGender, true, "gender", 10, 2},
		{"bozkir-table3", "Person identification, with majority voting (MPIIDPEye)", TaskPerson, true, "", 5, 3},
		{"bozkir-table4", "Privacy sensitivity of scenes (MPIIPrivacEye)", TaskScene, false, "", 20, 4},
		{"bozkir-table5", "Person identification, with majority voting (MPIIPrivacEye)", TaskPerson, true, "", 10, 5},
		{"bozkir-s1", "Document type, without majority voting (MPIIDPEye)", TaskDocument, false, "document", 10, 0},
		{"bozkir-s2", "Gender, without majority voting (MPIIDPEye)", TaskGender, false, "gender", 10, 0},
		{"bozkir-s3", "Person identification, without majority voting (MPIIDPEye)", TaskPerson, false, "", 5, 0},
		{"bozkir-s4", "Person identification, without majority voting (MPIIPrivacEye)", TaskPerson, false, "", 10, 0},
	}
}

// Bozkir fills a table: mechanism × ε × classifier, on data at hand.
//
// Every recording is cut to the length of the shortest, so that its length
// tells nothing of the person, unless Unequal. Published calibrations read
// sensitivities over all recordings together, so that the noise tells nothing
// of the class, unless PerClass, which is what the paper does.
type Bozkir struct {
	Table      BozkirTable
	Mechanisms []string  // raw, fpa, cfpa-32, dcfpa-128, lpa …
	Epsilons   []float64 // the table's: 48 times ε per feature
	Learners   []classify.Named
	Guaranteed bool // public bounds instead of the paper's calibration
	Bounds     [feature.Count]feature.Bounds
	PerClass   bool
	Unequal    bool
	Every      int // windows of which one is used; 0 = the table's
	Draws      int
	Work       Work

	signals []series.Signals
	people  []int   // of each recording
	classes [][]int // of each recording's windows
	columns []int   // features that are used
	atMost  int     // windows of a recording
}

// BozkirRow is one cell of a table with its controls.
type BozkirRow struct {
	Mechanism  string            `json:"mechanism"`
	Epsilon    float64           `json:"epsilon"` // 0 for raw
	Learner    string            `json:"learner"`
	Enrolled   string            `json:"enrolled"` // what the classifier was trained on: protected or raw
	Accuracy   Spread            `json:"accuracy"` // over draws
	Interval   classify.Interval `json:"interval"` // 95 %, people as trials
	Chance     float64           `json:"chance"`
	Majority   float64           `json:"majority"` // always saying the most frequent class
	Ceiling    *float64          `json:"ceiling"`  // of a claim per person, nil where none is made
	Verdict    string            `json:"verdict"`
	Printed    *float64          `json:"printed"` // by the paper, on its data
	People     int               `json:"people"`
	Windows    int               `json:"windows"` // tested
	Draws      int               `json:"draws"`
	Guarantee  string            `json:"guarantee"`
	Calibrated string            `json:"calibration"`
}

// Raw is the mechanism that does nothing.
const Raw = "raw"

// ErrNoLabels is returned where the data do not say what a table needs.
var ErrNoLabels = errors.New("experiment: the data carry no labels for this table: give --labels FILE with the columns participant and label")

// Use takes the tables of features. label returns the class of a recording; it
// may be nil for tasks that need none.
func (e *Bozkir) Use(tables []*feature.Table, label func(*feature.Table) (string, bool)) error {
	tables = slices.DeleteFunc(slices.Clone(tables), func(t *feature.Table) bool { return t.Windows() == 0 })
	if len(tables) == 0 {
		return errors.New("experiment: no recording is as long as a window: give a shorter --window")
	}
	e.chooseColumns(tables)
	e.atMost = math.MaxInt
	if !e.Unequal {
		for _, t := range tables {
			e.atMost = min(e.atMost, t.Windows())
		}
	}
	people, classes := numbers{}, numbers{}
	for _, t := range tables {
		n := min(t.Windows(), e.atMost)
		of, err := e.classesOf(t, n, label, classes)
		if err != nil {
			return err
		}
		e.people = append(e.people, people.of(t.Header.Participant))
		e.classes = append(e.classes, of)
		e.signals = append(e.signals, e.signalsOf(t, n))
	}
	if e.Table.Task == TaskPerson {
		for i, p := range e.people {
			e.classes[i] = slices.Repeat([]int{p}, len(e.signals[i].Values[0]))
		}
	}
	if len(people) < 2 {
		return errors.New("experiment: the table needs at least two people")
	}
	return nil
}

// numbers gives names numbers in the order in which they come.
type numbers map[string]int

func (n numbers) of(name string) int {
	if i, ok := n[name]; ok {
		return i
	}
	n[name] = len(n)
	return n[name]
}

// chooseColumns leaves out features that are always zero or that some
// recording does not have.
func (e *Bozkir) chooseColumns(tables []*feature.Table) {
	e.columns = nil
	for i := range feature.Count {
		if !feature.AlwaysZero(i) && !slices.ContainsFunc(tables, func(t *feature.Table) bool { return !t.Has(i) }) {
			e.columns = append(e.columns, i)
		}
	}
}

func (e *Bozkir) signalsOf(t *feature.Table, n int) series.Signals {
	s := series.Signals{Subject: t.Header.Participant, Recording: strconv.Itoa(len(e.signals))}
	if e.PerClass {
		s.Condition = t.Header.Task + "/" + t.Header.Stimulus
	}
	for _, i := range e.columns {
		s.Values = append(s.Values, t.Columns[i][:n])
	}
	return s
}

// privacyLabel is the column of MPIIPrivacEye that says whether a scene was
// sensitive.
const privacyLabel = "privacy_label"

func (e *Bozkir) classesOf(t *feature.Table, n int, label func(*feature.Table) (string, bool), classes numbers) ([]int, error) {
	if e.Table.Task == TaskPerson {
		return nil, nil
	}
	out := make([]int, n)
	if e.Table.Task == TaskScene {
		for _, s := range t.Other {
			if s.Name == privacyLabel && len(s.Values) >= n {
				for i := range out {
					out[i] = classes.of(strconv.FormatFloat(s.Values[i], 'g', -1, 64))
				}
				return out, nil
			}
		}
	}
	if label == nil {
		return nil, ErrNoLabels
	}
	name, ok := label(t)
	if !ok {
		return nil, ErrNoLabels
	}
	c := classes.of(name)
	for i := range out {
		out[i] = c
	}
	return out, nil
}

// bozkirCell is what one draw of one mechanism at one ε gives: correct and
// tested, by enrolment and learner.
type bozkirCell struct {
	Correct  map[string]int
	Tested   int
	Majority float64
	Chance   float64
}

// Cells lists the work to be done.
func (e *Bozkir) cells() []Cell[bozkirCell] {
	var cells []Cell[bozkirCell]
	for _, p := range e.points() {
		for d := range e.draws(p.mechanism) {
			cells = append(cells, Cell[bozkirCell]{p.key(d), func(_ context.Context, src *noise.Source) (bozkirCell, error) {
				return e.draw(p, src)
			}})
		}
	}
	return cells
}

// point is a mechanism at an ε.
type point struct {
	mechanism string
	epsilon   float64
}

func (p point) key(draw int) string {
	return fmt.Sprintf("%s ε=%g draw %d", p.mechanism, p.epsilon, draw)
}

func (e *Bozkir) points() []point {
	var all []point
	for _, m := range e.Mechanisms {
		if m == Raw {
			all = append(all, point{m, 0})
			continue
		}
		for _, epsilon := range e.Epsilons {
			all = append(all, point{m, epsilon})
		}
	}
	return all
}

// draws of raw data differ in nothing but the learners' own.
func (e *Bozkir) draws(mechanism string) int {
	if mechanism == Raw {
		return min(e.Draws, 3)
	}
	return e.Draws
}

// Total is the number of cells.
func (e *Bozkir) Total() int { return len(e.cells()) }

// Check refuses what makes no table.
func (e *Bozkir) Check() error {
	if e.Draws < 1 || len(e.Mechanisms) == 0 || len(e.Learners) == 0 {
		return errors.New("experiment: want at least one mechanism, one classifier and one draw")
	}
	for _, p := range e.points() {
		if _, err := e.mechanism(p); err != nil {
			return err
		}
	}
	return nil
}

// mechanism builds what protects the signals; nil = nothing does.
func (e *Bozkir) mechanism(p point) (*series.Laplace, error) {
	if p.mechanism == Raw {
		return nil, nil
	}
	m := &series.Laplace{Epsilon: p.epsilon, Published: !e.Guaranteed, Gaps: series.Interpolate}
	name, chunk, chunked := strings.Cut(p.mechanism, "-")
	method := slices.Index([]string{"lpa", "fpa", "cfpa", "dcfpa"}, name)
	if method < 0 {
		return nil, fmt.Errorf("experiment: unknown mechanism %q: want raw, lpa, fpa, cfpa-32 or dcfpa-32", p.mechanism)
	}
	m.Method = series.Method(method)
	if chunked {
		var err error
		if m.Cut.Chunk, err = strconv.Atoi(chunk); err != nil {
			return nil, fmt.Errorf("experiment: %q has no chunk length", p.mechanism)
		}
	}
	// The table's ε is 48 times ε per feature; with fewer features it is less.
	m.Epsilon = p.epsilon / 48 * float64(max(1, len(e.columns)))
	m.Cut.Features, m.Cut.Length, m.Cut.Recordings = max(1, len(e.columns)), max(1, e.longest()), max(1, e.perPerson())
	m.Cut.Unit = dp.Recording
	if m.Cut.Chunk > 0 {
		m.Cut.Unit = dp.Chunk
	}
	if e.Guaranteed {
		for _, i := range e.columns {
			m.Bounds = append(m.Bounds, series.Bounds(e.Bounds[i]))
		}
		if len(m.Bounds) == 0 {
			m.Bounds = []series.Bounds{{Lo: 0, Hi: 1}}
		}
	}
	return m, m.Check()
}

func (e *Bozkir) longest() (n int) {
	for i := range e.signals {
		n = max(n, e.signals[i].Windows())
	}
	return n
}

// perPerson is the largest number of recordings of one person.
func (e *Bozkir) perPerson() (most int) {
	count := map[int]int{}
	for _, p := range e.people {
		count[p]++
		most = max(most, count[p])
	}
	return most
}

// draw protects, trains and tests once.
func (e *Bozkir) draw(p point, src *noise.Source) (bozkirCell, error) {
	m, err := e.mechanism(p)
	if err != nil {
		return bozkirCell{}, err
	}
	protected := e.signals
	if m != nil {
		r, err := m.Release(e.signals, src)
		if err != nil {
			return bozkirCell{}, err
		}
		protected = r.Recordings
	}
	cell := bozkirCell{Correct: map[string]int{}}
	for _, enrolled := range e.enrolments(p) {
		train := protected
		if enrolled == Raw {
			train = e.signals
		}
		if err := e.score(&cell, enrolled, train, protected, src); err != nil {
			return cell, err
		}
	}
	return cell, nil
}

// enrolments are what classifiers are trained on: what is protected, and for
// persons raw data as well, since halves of one release share its noise and
// linking them says nothing about ε (PROOFS C9).
func (e *Bozkir) enrolments(p point) []string {
	if e.Table.Task == TaskPerson && p.mechanism != Raw {
		return []string{protectedData, Raw}
	}
	return []string{protectedData}
}

const protectedData = "protected"

// rows are windows as classifiers take them.
type rows struct {
	x          [][]float64
	y          []int
	person, in []int // of each row: the person and the recording
}

// rowsOf takes every so many windows.
func (e *Bozkir) rowsOf(all []series.Signals) rows {
	var r rows
	every := e.Every
	if every == 0 {
		every = e.Table.Every
	}
	for i := range all {
		n := all[i].Windows()
		for t := 0; t < n; t += every {
			x := make([]float64, len(all[i].Values))
			for f, v := range all[i].Values {
				if x[f] = v[t]; math.IsNaN(x[f]) || math.IsInf(x[f], 0) {
					x[f] = 0
				}
			}
			r.x, r.y = append(r.x, x), append(r.y, e.classes[i][t])
			r.person, r.in = append(r.person, e.people[i]), append(r.in, i)
		}
	}
	return r
}

// score trains every learner and counts what it gets right.
func (e *Bozkir) score(cell *bozkirCell, enrolled string, train, test []series.Signals, src *noise.Source) error {
	a, b := e.rowsOf(train), e.rowsOf(test)
	splits, err := e.splits(b)
	if err != nil {
		return err
	}
	// Both sets stand in one table: the splits train on the first and test on
	// the second.
	x, y := append(slices.Clone(a.x), b.x...), append(slices.Clone(a.y), b.y...)
	groups := append(slices.Clone(a.in), b.in...)
	for i := range splits {
		for j := range splits[i].Test {
			splits[i].Test[j] += len(a.x)
		}
	}
	for _, l := range e.Learners {
		said, err := classify.Validate(l.Learner, x, y, splits, src)
		if err != nil {
			return err
		}
		if e.Table.Voting {
			if said, err = classify.Vote(said, groups, src); err != nil {
				return err
			}
		}
		c, err := classify.Confuse(said)
		if err != nil {
			return err
		}
		cell.Correct[enrolled+" "+l.Name] = c.Correct()
		cell.Tested, cell.Majority, cell.Chance = c.Total(), c.Majority(), c.Chance()
	}
	return nil
}

func (e *Bozkir) splits(r rows) ([]classify.Split, error) {
	if e.Table.Task == TaskPerson {
		s, err := classify.Halves(r.in)
		return []classify.Split{s}, err
	}
	return classify.LeaveOneGroupOut(r.person)
}

// Run fills the table.
func (e *Bozkir) Run(ctx context.Context) ([]BozkirRow, error) {
	if len(e.signals) == 0 {
		return nil, errors.New("experiment: want features, got none")
	}
	if err := e.Check(); err != nil {
		return nil, err
	}
	e.Work.Config = e.config()
	found, err := Do(ctx, e.Work, e.cells())
	if err != nil {
		return nil, err
	}
	want, err := printed(e.Table.Printed)
	if err != nil {
		return nil, err
	}
	var out []BozkirRow
	for _, p := range e.points() {
		for _, enrolled := range e.enrolments(p) {
			for _, l := range e.Learners {
				row, err := e.row(p, enrolled, l.Name, found)
				if err != nil {
					return nil, err
				}
				at := slices.Index(bozkirEpsilons, p.epsilon)
				k := slices.IndexFunc(classify.Papers(), func(n classify.Named) bool { return n.Name == l.Name })
				if at >= 0 && k >= 0 && enrolled == protectedData && want[p.mechanism] != nil {
					row.Printed = &want[p.mechanism][at][k]
				}
				out = append(out, row)
			}
		}
	}
	return out, nil
}

// config is what results depend on.
func (e *Bozkir) config() any {
	var learners []string
	for _, l := range e.Learners {
		learners = append(learners, l.Name)
	}
	sum := 0.0 // the data themselves, without storing them
	for i := range e.signals {
		for f, v := range e.signals[i].Values {
			for t, x := range v {
				if !math.IsNaN(x) {
					sum += x * float64(1+f) / float64(1+t+i)
				}
			}
		}
	}
	return struct {
		Table                         string
		Learners                      []string
		Guaranteed, PerClass, Unequal bool
		Every, Recordings             int
		Data                          float64
	}{e.Table.Name, learners, e.Guaranteed, e.PerClass, e.Unequal, e.Every, len(e.signals), sum}
}

func (e *Bozkir) row(p point, enrolled, learner string, found map[string]bozkirCell) (BozkirRow, error) {
	m, err := e.mechanism(p)
	if err != nil {
		return BozkirRow{}, err
	}
	people := len(slices.Compact(slices.Sorted(slices.Values(e.people))))
	row := BozkirRow{Mechanism: p.mechanism, Epsilon: p.epsilon, Learner: learner, Enrolled: enrolled, People: people, Draws: e.draws(p.mechanism), Guarantee: "none (raw data)", Calibrated: "none"}
	var scores []float64
	for d := range row.Draws {
		c := found[p.key(d)]
		scores = append(scores, float64(c.Correct[enrolled+" "+learner])/float64(max(1, c.Tested)))
		row.Chance, row.Majority, row.Windows = c.Chance, c.Majority, c.Tested
	}
	row.Accuracy = spread(scores)
	row.Interval = classify.ClopperPearson(int(math.Round(row.Accuracy.Mean*float64(people))), people, 0.95)
	if m != nil {
		g := m.Guarantee()
		row.Guarantee, row.Calibrated = g.String(), mechanism.Published
		if e.Guaranteed {
			row.Calibrated = mechanism.Guaranteed
		}
	}
	e.judge(&row, p)
	return row, nil
}

// judge says what the figure shows about a claim per person. The tables' ε is
// per chunk or recording of one person; read as one per person, as the papers
// do, it bounds identification by (e^ε + N − 1)/N of chance (PROOFS C9).
func (e *Bozkir) judge(row *BozkirRow, p point) {
	switch {
	case e.Table.Task != TaskPerson || row.Mechanism == Raw:
		return
	case row.Enrolled == protectedData:
		row.Verdict = "no evidence about ε: the halves share one release's noise"
		return
	}
	n := float64(row.People)
	ceiling := 1 / (1 + (n-1)*math.Exp(-p.epsilon))
	row.Ceiling = &ceiling
	if row.Interval.Lower > ceiling {
		row.Verdict = "falsified, if ε is claimed per person"
	} else {
		row.Verdict = "not shown"
	}
}
