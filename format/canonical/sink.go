package canonical

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Sink takes the rows of a table: a [format.Table] by a mapping, or a decoder
// of the columns of this package. The source fills the row as the slots say.
type Sink interface {
	Slots() []format.Slot
	Row() *format.Row
	Time(cell []byte) (format.Stamp, bool)
	Number(cell []byte, line int) float64
	Value(v float64) float64
	Add(row *format.Row) bool // false: no more rows are wanted
	Short()                   // a row that ends before a needed column
	Close() error
}

// Bind makes the sink for a table's columns. meta is the sidecar's text where
// it lies inside the file, else nil.
type Bind func(columns []string, meta []byte) (Sink, error)

// Pour reads a table: it calls bind once with the columns, fills and adds the
// rows, and closes the sink. What a format of this table's family has to bring.
type Pour func(in *format.Input, bind Bind) error

// whoColumns are the texts that every table has, in this order.
var whoColumns = [...]string{"participant", "session", "task", "trial", "stimulus"}

// IsSamples reports whether columns are those of a table of samples.
func IsSamples(columns []string) bool {
	return slices.Contains(columns, "recording") && slices.Contains(columns, "participant") && timeColumn(columns) != ""
}

// IsEvents reports whether columns are those of a table of events.
func IsEvents(columns []string) bool {
	for _, name := range [...]string{"recording", "participant", "event", "onset_ns", "duration_ns"} {
		if !slices.Contains(columns, name) {
			return false
		}
	}
	return true
}

// timeColumn is t_ns, or time in ms as in tables for pymovements.
func timeColumn(columns []string) string {
	for _, name := range [...]string{"t_ns", "time"} {
		if slices.Contains(columns, name) {
			return name
		}
	}
	return ""
}

// binder hands out slots for columns.
type binder struct {
	columns []string
	used    []bool
	slots   []format.Slot
	row     format.Row
}

func newBinder(columns []string) *binder {
	return &binder{columns: columns, used: make([]bool, len(columns))}
}

// slot returns the place of a column's cells in the row; -1 without it.
func (b *binder) slot(name string, kind format.SlotKind) int {
	i := slices.Index(b.columns, name)
	if i < 0 {
		return -1
	}
	b.used[i] = true
	s := format.Slot{Column: i, Kind: kind}
	switch kind {
	case format.NumberSlot:
		s.Index = len(b.row.Numbers)
		b.row.Numbers = append(b.row.Numbers, math.NaN())
	case format.TextSlot:
		s.Index = len(b.row.Texts)
		b.row.Texts = append(b.row.Texts, nil)
	}
	b.slots = append(b.slots, s)
	return s.Index
}

func (b *binder) number(name string) int { return b.slot(name, format.NumberSlot) }

func (b *binder) text(name string) int { return b.slot(name, format.TextSlot) }

// drop lists the columns that are none of the table's.
func (b *binder) drop(r *format.Report) {
	for i, used := range b.used {
		if !used {
			r.Drop(format.DisplayName(b.columns[i]))
		}
	}
}

// cells is what decoders of both tables have in common.
type cells struct {
	binder
	in       *format.Input
	report   *format.Report
	ids      int
	texts    [len(whoColumns)]int
	unit     int
	pupil    int
	noNumber int
	rows     int
	noID     int
	short    int
	badTime  int
	overflow int
}

func (c *cells) bind(columns []string, in *format.Input, r *format.Report) {
	c.binder = *newBinder(columns)
	c.in, c.report = in, r
	c.ids = c.number("recording")
	for i, name := range whoColumns {
		c.texts[i] = c.text(name)
	}
	c.unit, c.pupil = c.text("unit"), c.text("pupil_unit")
}

// Slots lists what the source has to fill.
func (c *cells) Slots() []format.Slot { return c.slots }

// Row is the row to fill; it is reused.
func (c *cells) Row() *format.Row { return &c.row }

// Time reads a time stamp's cell.
func (c *cells) Time(cell []byte) (format.Stamp, bool) { return format.ParseStamp(cell, '.') }

// Number reads a number's cell; what is missing or no number is NaN, the
// latter counted.
func (c *cells) Number(cell []byte, _ int) float64 {
	v, ok := format.ParseNumber(cell, '.')
	if !ok {
		if !format.IsMissing(cell) {
			c.noNumber++
		}
		return math.NaN()
	}
	return v
}

// Value takes a number that is no text.
func (c *cells) Value(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// Short counts a row that ends before a needed column.
func (c *cells) Short() { c.short++; c.rows++ }

// id is the row's recording.
func (c *cells) id(row *format.Row) (int64, bool) {
	v := row.Numbers[c.ids]
	if v != math.Trunc(v) || !(v >= 0 && v < 1<<53) {
		c.noID++
		return 0, false
	}
	return int64(v), true
}

// header reads what a row says of its recording.
func (c *cells) header(row *format.Row) gaze.Header {
	h := gaze.Header{Format: c.in.Format}
	for i, to := range [...]*string{&h.Participant, &h.Session, &h.Task, &h.Trial, &h.Stimulus} {
		if at := c.texts[i]; at >= 0 {
			*to = strings.ToValidUTF8(string(row.Texts[at]), "?")
		}
	}
	if c.unit >= 0 {
		h.Unit = parseName(string(row.Texts[c.unit]), gaze.Millimetres)
	}
	if c.pupil >= 0 {
		h.PupilUnit = parseName(string(row.Texts[c.pupil]), gaze.PupilPixels)
	}
	return h
}

// place refuses positions that are integers' overflow.
func (c *cells) place(x, y float64) (float64, float64) {
	if format.Overflowed(x) || format.Overflowed(y) {
		c.overflow++
		return math.NaN(), math.NaN()
	}
	return x, y
}

func (c *cells) counts() {
	r := c.report
	r.CountSome("row without the number of a recording (left out)", c.noID)
	r.CountSome("time stamp or duration out of range (row left out)", c.badTime)
	r.CountSome("cell that is no number (counted as lost)", c.noNumber)
	r.CountSome("overflow value in a position (counted as lost)", c.overflow)
	r.CountSome("row with too few fields (left out)", c.short)
}

func (c *cells) fail(msg string, args ...any) error {
	return &format.SyntaxError{File: c.in.Name, Line: c.row.Line, Msg: fmt.Sprintf(msg, args...)}
}
