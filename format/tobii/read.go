package tobii

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

type reader struct {
	in    *format.Input
	o     *format.Options
	lines *format.Lines
	b     *format.Builder
	bind  *binding
	clock format.Clock
	cells [][]byte

	key     []byte // what tells the open recording from the next
	newKey  []byte
	numbers numbers
	run     run
	last    time.Duration // of the sample before
	step    time.Duration // between the last samples

	comma                      bool
	rows, other, noTime, short int
	noNumber, overflow, beyond int
}

func read(in *format.Input, o *format.Options, choose func(*table) *dialect, yield func(*gaze.Recording, error) bool) {
	r := &reader{in: in, o: o, lines: format.NewLines(in), b: format.NewBuilder(o, yield)}
	err := r.open(choose)
	if err == nil {
		r.readRows()
		r.end()
		r.report()
		err = r.finish()
	}
	if err != nil && !r.b.Stopped() {
		yield(nil, err)
	}
}

func (r *reader) open(choose func(*table) *dialect) error {
	line, ok := r.lines.Next()
	if !ok || len(bytes.TrimSpace(line)) == 0 {
		if err := r.lines.Err(); err != nil {
			return err
		}
		return format.Empty(r.in.Name, r.lines.Number())
	}
	t := look(line)
	d := choose(&t)
	b := bind(t, d)
	switch {
	case b.time < 0:
		return r.lines.Errorf("no column of time: want %s", strings.Join(d.time, " or "))
	case !b.sees():
		return r.lines.Errorf("no columns of gaze, pupils or eye movements in px, mm or shares of the screen")
	}
	r.bind = b
	r.numbers.init()
	if err := r.setClock(); err != nil {
		return err
	}
	b.drop(r.o.Report)
	if b.recording >= 0 {
		r.o.Report.DropIdentity(format.DisplayName(b.columns[b.recording].name) + " (replaced by a number)")
	}
	if b.class.unit == "mm" {
		r.o.Report.Count("positions in mm: the corner they are measured from is not stated, taken as the top left", 0)
	}
	return nil
}

// setClock takes the unit of time that the column states. Pro Lab's column
// without a unit is in µs; in old versions it was in ms, which its steps show.
func (r *reader) setClock() error {
	unit := r.bind.timeUnit
	if unit == "" {
		unit = r.bind.d.timeUnit
		if unit == "us" && r.bind.d == &proLab && r.bind.stepsInMs(r.in.Head().Text) {
			unit = "ms"
			r.o.Report.Count("Recording timestamp states no unit: taken as ms, because its steps are too small for µs", 0)
		}
	}
	var err error
	r.clock, err = format.ParseTimeUnit(unit)
	return err
}

// stepsInMs reports whether the smallest step of the first samples is below
// 100: in µs that would be above 10 kHz.
func (b *binding) stepsInMs(head []byte) bool {
	smallest, last := math.Inf(1), math.NaN()
	lines := bytes.FieldsFunc(head, func(c rune) bool { return c == '\n' || c == '\r' })
	for i, line := range lines {
		if i == 0 || i == len(lines)-1 && len(lines) > 3 { // the header; a line cut short
			continue
		}
		cells := format.SplitFields(nil, line, b.delimiter)
		if !b.isSample(cells) {
			continue
		}
		if t, ok := format.ParseNumber(cellAt(cells, b.time), '.'); ok {
			if step := t - last; step > 0 {
				smallest = min(smallest, step)
			}
			last = t
		}
	}
	return smallest < 100
}

// isSample tells samples of the eye tracker from events, mouse positions and
// other sensors: by the column Sensor where there is one, else by having
// anything in the columns of the eyes.
func (b *binding) isSample(cells [][]byte) bool {
	if b.sensor >= 0 {
		return strings.EqualFold(string(cellAt(cells, b.sensor)), "Eye Tracker")
	}
	for _, e := range b.eyes {
		for _, c := range [...]int{e.x, e.validity, e.pupil} {
			if len(cellAt(cells, c)) > 0 {
				return true
			}
		}
	}
	return len(cellAt(cells, b.label)) > 0
}

func (r *reader) readRows() {
	for !r.b.Stopped() {
		line, ok := r.lines.Next()
		if !ok {
			return
		}
		if len(line) == 0 {
			continue
		}
		r.rows++
		r.cells = format.SplitFields(r.cells[:0], line, r.bind.delimiter)
		switch {
		case !r.lines.Complete() && len(r.cells) < len(r.bind.columns), len(r.cells) <= r.bind.time:
			r.short++
		case !r.bind.isSample(r.cells):
			r.other++
		default:
			r.row()
		}
	}
}

func (r *reader) cell(column int) []byte { return cellAt(r.cells, column) }

func (r *reader) row() {
	stamp, ok := format.ParseStamp(r.cell(r.bind.time), '.')
	if !ok {
		if stamp, ok = format.ParseStamp(r.cell(r.bind.time), ','); !ok {
			r.noTime++
			return
		}
	}
	r.turn(stamp)
	t, ok := r.clock.Since(stamp)
	if !ok {
		r.noTime++
		return
	}
	if t > r.last {
		r.step = t - r.last
	}
	r.last = t
	i := r.b.Sample(t)
	s := &r.b.Recording().Samples
	found := r.eyes(s, i)
	if r.bind.label >= 0 {
		r.movement(s, i, found)
	}
}

// eyes stores a sample's positions and pupils. The averaged position is lost
// where both eyes are. It returns the position that stands for both.
func (r *reader) eyes(s *gaze.Samples, i int) (found [2]float64) {
	var invalid, told int
	found = [2]float64{math.NaN(), math.NaN()}
	for _, e := range [...]gaze.Eye{gaze.Left, gaze.Right, gaze.Cyclopean} {
		c, t := &r.bind.eyes[e], &s.Tracks[e]
		valid := r.isValid(c.validity)
		if c.validity >= 0 {
			told++
			if !valid {
				invalid++
			}
		}
		if e == gaze.Cyclopean && told > 0 {
			valid = invalid < told
		}
		if c.pupil >= 0 && valid && r.isValid(c.pupilValidity) {
			if p := r.number(c.pupil); p > 0 && !format.Overflowed(p) {
				t.Pupil[i] = p
			}
		}
		if c.x < 0 || !valid {
			continue
		}
		t.X[i], t.Y[i] = r.position(c)
		if !gaze.Lost(t.X[i], t.Y[i]) {
			found = [2]float64{t.X[i], t.Y[i]}
		}
	}
	return found
}

// isValid reads a validity cell; an empty one does not speak against the eye.
func (r *reader) isValid(column int) bool {
	cell := r.cell(column)
	return len(cell) == 0 || r.bind.d.valid(cell)
}

func (r *reader) position(c *eyeCells) (x, y float64) {
	x, y = r.number(c.x), r.number(c.y)
	if format.Overflowed(x) || format.Overflowed(y) {
		r.overflow++
		return math.NaN(), math.NaN()
	}
	if r.bind.d.minusOne && x == -1 && y == -1 {
		return math.NaN(), math.NaN()
	}
	return x, y
}

// number reads a cell with decimal point or comma: the exports follow the
// computer's language.
func (r *reader) number(column int) float64 {
	cell := r.cell(column)
	v, ok := format.ParseNumber(cell, '.')
	if ok || format.IsMissing(cell) {
		return v
	}
	if r.bind.delimiter != ',' {
		if v, ok = format.ParseNumber(cell, ','); ok {
			r.comma = true
			return v
		}
	}
	r.noNumber++
	return v
}

func (r *reader) report() {
	report := r.o.Report
	if r.comma {
		report.Count("decimal comma", 0)
	}
	if e := r.in.Encoding(); e != "" {
		report.Count("text is "+e, 0)
	}
	report.CountSome("row of an event or another sensor (left out)", r.other)
	report.CountSome("row without a readable time stamp (left out)", r.noTime)
	report.CountSome("unfinished row (left out)", r.short)
	report.CountSome("cell that is no number (counted as lost)", r.noNumber)
	report.CountSome("overflow value in a position (counted as lost)", r.overflow)
	report.CountSome("fixation that goes on beyond its recording (cut there)", r.beyond)
}

func (r *reader) finish() error {
	if err := r.lines.Err(); err != nil {
		return err
	}
	switch {
	case r.b.Recordings() > 0:
		return nil
	case r.rows == 0:
		return format.Empty(r.in.Name, r.lines.Number())
	case r.other == r.rows:
		return r.lines.Errorf("none of %d rows is a sample of the eye tracker", r.rows)
	}
	return r.lines.Errorf("none of %d rows has a readable time stamp", r.rows)
}
