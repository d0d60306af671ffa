package format

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Row is one row of a table: only the cells that its [Table]'s slots ask for.
type Row struct {
	Line    int
	Time    Stamp
	HasTime bool
	Numbers []float64 // NaN = missing
	Texts   [][]byte  // valid until the next row
}

// Table turns the rows of a table into recordings by a [Mapping]. A reader of
// tables binds one to the file's columns, fills rows as the slots say, adds
// them and closes the table:
//
//	t, err := format.NewTable(m, columns, in, o)
//	t.Start(yield)
//	row := t.Row()
//	for … { fill row by t.Slots(); if !t.Add(row) { return } }
//	err = t.Close()
type Table struct {
	m     *Mapping
	o     Options
	in    *Input
	slots []Slot
	row   Row

	header  gaze.Header // what is the same for all rows
	layout  Layout
	clock   Clock // of time or onset
	lengths Clock // of durations
	zero    bool  // times already count from a recording's start
	hasTime bool
	events  bool // rows are fixations

	eyes     []eyeColumns
	eyeText  int
	duration int
	rows     []test
	keys     [5]key
	signals  []int
	label    int
	labels   labels
	decimal  byte
	nulls    []float64
	nullText map[string]bool

	yield  func(*gaze.Recording, error) bool
	groups groups
	count  tableCounts
}

// NewTable binds a mapping to a file's columns. Errors name the mapping's key
// or column that does not fit.
func NewTable(m *Mapping, columns []string, in *Input, o Options) (*Table, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	t := &Table{m: m, o: o, in: in, decimal: '.', events: m.Events()}
	if m.Decimal == "," {
		t.decimal = ','
	}
	b := newBinder(m, columns, o.Report)
	b.withoutTime(o.Report)
	t.m = b.m
	t.bindTime(b)
	t.bindValues(b)
	t.keys = b.keys(t.nameFields())
	if b.err != nil {
		return nil, &SyntaxError{in.Name, 0, "mapping: " + b.err.Error(), b.err}
	}
	b.drop(o.Report)
	t.slots = b.slots
	t.row = Row{Numbers: make([]float64, b.numbers), Texts: make([][]byte, b.texts)}
	t.describe()
	t.bindNulls()
	return t, nil
}

func (t *Table) bindTime(b *binder) {
	m := t.m
	name, unit := m.Time, m.TimeUnit
	if m.Events() {
		name = m.Onset
	}
	t.hasTime = name != ""
	b.slot(name, TimeSlot)
	if t.hasTime {
		t.clock, _ = m.clock(unit, "time_unit") // checked before
	} else if !m.Events() {
		t.clock = Clock{unit: 1, samples: 1e9 / m.SamplingRate}
	}
	t.zero = m.TimeOrigin == "zero"
	t.duration = -1
	if m.Events() {
		t.duration = b.number(m.Duration)
		if m.DurationUnit != "" {
			unit = m.DurationUnit
		}
		t.lengths, _ = m.clock(unit, "duration_unit")
	}
}

func (t *Table) bindValues(b *binder) {
	m := t.m
	fallback, fixed := fixedEye(m.Eye)
	eyeColumn := m.Eye
	if fixed {
		eyeColumn = ""
	}
	t.eyes = b.eyes(fallback)
	t.eyeText = b.text(eyeColumn)
	t.rows = b.tests(m.RowsWhere)
	for _, s := range m.Signals {
		t.signals = append(t.signals, b.number(s.Column))
	}
	t.label = -1
	if m.Label != nil {
		t.label = b.text(m.Label.Column)
		t.labels = newLabels(m.Label.Values)
	}
}

// nameFields takes the file name's fields by filename_pattern.
func (t *Table) nameFields() map[string]string {
	if t.m.FilenamePattern == "" {
		return nil
	}
	p, err := ParsePattern(t.m.FilenamePattern)
	if err != nil {
		return nil // refused by Check
	}
	fields, ok := p.Match(t.in.Path)
	if !ok {
		t.o.Report.Count("file name that does not fit filename_pattern (what it would say is not known)", 1)
		fields = make(map[string]string)
		for _, name := range p.Fields() {
			fields[name] = ""
		}
	}
	return fields
}

// describe sets what all recordings of the file have in common.
func (t *Table) describe() {
	m := t.m
	h := &t.header
	h.Format = t.in.Format
	h.Rate = gaze.Hertz(m.SamplingRate)
	h.Unit, _ = gaze.ParseUnit(m.Unit)
	h.PupilUnit, _ = parsePupilUnit(m.PupilUnit)
	h.Frame, _ = parseFrame(m.Frame)
	h.Screen, _ = m.screen()
	if h.Unit == gaze.UnitUnknown && m.positions() {
		t.o.Report.Count("unit of positions is not stated", 0)
	}
	for _, e := range t.eyes {
		t.layout.Eyes[e.eye] = t.layout.Eyes[e.eye] || e.x >= 0
		t.layout.Pupil[e.eye] = t.layout.Pupil[e.eye] || e.pupil >= 0
		t.layout.Confidence[e.eye] = t.layout.Confidence[e.eye] || e.confidence >= 0
	}
	if t.eyeText >= 0 {
		t.layout.Eyes = [3]bool{gaze.Left: true, gaze.Right: true}
		t.layout.Pupil = [3]bool{gaze.Left: m.Pupil != "", gaze.Right: m.Pupil != ""}
		t.layout.Confidence = [3]bool{gaze.Left: m.Confidence != "", gaze.Right: m.Confidence != ""}
	}
	for _, s := range m.Signals {
		name := s.Name
		if name == "" {
			name = s.Column
		}
		t.layout.Signals = append(t.layout.Signals, gaze.Signal{Name: name, Unit: s.Unit})
	}
	t.layout.Labels = t.label >= 0
}

func (t *Table) bindNulls() {
	t.nullText = make(map[string]bool)
	for _, s := range t.m.NullValues {
		t.nullText[s] = true
		if v, ok := ParseNumber([]byte(s), '.'); ok {
			t.nulls = append(t.nulls, v)
		}
	}
}

// Slots lists what the source has to fill.
func (t *Table) Slots() []Slot { return t.slots }

// Row is the row to fill; it is reused.
func (t *Table) Row() *Row { return &t.row }

// Start sets the consumer of the recordings.
func (t *Table) Start(yield func(*gaze.Recording, error) bool) {
	t.yield = yield
	t.groups.init(t)
}

// Time reads a time stamp's cell.
func (t *Table) Time(cell []byte) (Stamp, bool) {
	if t.clock.datetime {
		return ParseDatetime(cell)
	}
	return ParseStamp(cell, t.decimal)
}

// Number reads a number's cell; what is missing or no number becomes NaN, the
// latter counted.
func (t *Table) Number(cell []byte, line int) float64 {
	v, ok := ParseNumber(cell, t.decimal)
	if ok {
		for _, null := range t.nulls {
			if v == null {
				return nan
			}
		}
		t.count.numbers++
		return v
	}
	if IsMissing(cell) || len(t.nullText) > 0 && t.nullText[string(trimBlanks(cell))] {
		return nan
	}
	if t.count.noNumber == 0 {
		t.count.firstBad = line
	}
	t.count.noNumber++
	return nan
}

// Value takes a number that is no text: a null value becomes NaN.
func (t *Table) Value(v float64) float64 {
	if len(t.nulls) > 0 && slices.Contains(t.nulls, v) {
		return nan
	}
	t.count.numbers++
	return v
}

// Add takes the row as it is filled. It returns false when no more rows are
// wanted.
func (t *Table) Add(row *Row) bool {
	t.count.rows++
	for i := range t.rows {
		if !t.rows[i].holds(row, t.decimal) {
			t.count.skipped++
			return true
		}
	}
	if t.hasTime && !row.HasTime {
		t.count.noTime++
		return true
	}
	g := t.groups.of(row)
	switch {
	case !g.wanted:
		t.count.unwanted++
	case t.events:
		t.fixation(g, row)
	default:
		t.sample(g, row)
	}
	return !t.groups.stopped
}

// time places a row on its recording's time axis.
func (t *Table) time(g *group, row *Row) (time.Duration, bool) {
	stamp := row.Time
	if !t.hasTime {
		stamp = Stamp{Whole: int64(g.rows)}
	}
	if !g.clock.Started() {
		g.clock.Start(stamp)
		if t.zero || !t.hasTime {
			g.clock.Start(Stamp{})
		}
	}
	d, ok := g.clock.Since(stamp)
	if ok && t.zero && (d > 24*time.Hour || d < -time.Hour) {
		ok = false // an absolute time must not enter
	}
	if !ok {
		t.count.badTime++
	}
	return d, ok
}

func (t *Table) sample(g *group, row *Row) {
	at, ok := t.time(g, row)
	if !ok {
		return
	}
	g.rows++
	if t.eyeText >= 0 {
		t.oneEye(g, row, at)
		return
	}
	t.groups.room(g)
	i := g.b.Sample(at)
	s := &g.b.rec.Samples
	for n := range t.eyes {
		e := &t.eyes[n]
		t.track(&s.Tracks[e.eye], i, e, row)
	}
	t.extras(s, i, row)
}

// oneEye takes a row that holds the eye it names; rows of the same time that
// follow each other are one sample.
func (t *Table) oneEye(g *group, row *Row, at time.Duration) {
	eye, ok := t.eyeOf(row)
	if !ok {
		t.count.noEye++
		return
	}
	s := &g.b.rec.Samples
	i := len(s.T) - 1
	if i < 0 || s.T[i] != at || g.filled[eye] {
		t.groups.room(g)
		i = g.b.Sample(at)
		g.filled = [3]bool{}
	}
	g.filled[eye] = true
	t.track(&s.Tracks[eye], i, &t.eyes[0], row)
	t.extras(s, i, row)
}

func (t *Table) eyeOf(row *Row) (gaze.Eye, bool) {
	switch strings.ToLower(string(trimBlanks(row.Texts[t.eyeText]))) {
	case "l", "left", "0", "os":
		return gaze.Left, true
	case "r", "right", "1", "od":
		return gaze.Right, true
	}
	return 0, false
}

func (t *Table) track(to *gaze.Track, i int, e *eyeColumns, row *Row) {
	if e.confidence >= 0 {
		to.Confidence[i] = row.Numbers[e.confidence]
	}
	if e.pupil >= 0 {
		if p := row.Numbers[e.pupil]; p > 0 && !Overflowed(p) {
			to.Pupil[i] = p
		}
	}
	if e.x < 0 || !t.valid(e, row) {
		return
	}
	to.X[i], to.Y[i] = t.position(row.Numbers[e.x], row.Numbers[e.y])
}

func (t *Table) position(x, y float64) (float64, float64) {
	if Overflowed(x) || Overflowed(y) {
		t.count.overflow++
		return nan, nan
	}
	if x == y && x <= 0 && x == math.Trunc(x) {
		t.count.mark(x)
	}
	return x + t.m.XOffset, y + t.m.YOffset
}

func (t *Table) valid(e *eyeColumns, row *Row) bool {
	for i := range e.valid {
		if !e.valid[i].holds(row, t.decimal) {
			return false
		}
	}
	if t.m.MinConfidence > 0 && e.confidence >= 0 {
		return row.Numbers[e.confidence] >= t.m.MinConfidence
	}
	return true
}

func (t *Table) extras(s *gaze.Samples, i int, row *Row) {
	for n, slot := range t.signals {
		s.Signals[n].Values[i] = row.Numbers[slot]
	}
	if t.label >= 0 {
		s.Labels[i] = t.labels.of(row.Texts[t.label], t.decimal)
	}
}

func (t *Table) fixation(g *group, row *Row) {
	length, ok := t.length(row.Numbers[t.duration])
	if !ok {
		t.count.badTime++
		return
	}
	start := g.end
	if t.hasTime {
		if start, ok = t.time(g, row); !ok {
			return
		}
	}
	e := &t.eyes[0]
	f := gaze.Fixation{Eye: e.eye, Start: start, Duration: length, X: nan, Y: nan, Pupil: nan}
	if t.eyeText >= 0 {
		if f.Eye, ok = t.eyeOf(row); !ok {
			t.count.noEye++
			return
		}
	}
	if t.valid(e, row) {
		f.X, f.Y = t.position(row.Numbers[e.x], row.Numbers[e.y])
	}
	if e.pupil >= 0 && row.Numbers[e.pupil] > 0 {
		f.Pupil = row.Numbers[e.pupil]
	}
	g.rows++
	g.end = start + length
	t.groups.room(g)
	g.b.Fixation(f)
}

func (t *Table) length(v float64) (time.Duration, bool) {
	stamp, ok := StampOf(v)
	if !ok || v < 0 {
		return 0, false
	}
	return t.lengths.Length(stamp)
}
