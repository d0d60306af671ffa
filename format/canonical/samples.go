package canonical

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// sampleDecoder turns rows into recordings.
type sampleDecoder struct {
	cells
	a       *assembler
	clock   format.Clock
	tracks  [3]trackCells
	label   int
	signals []int    // slots
	names   []string // columns of signals
	active  []int    // slots of the open recording's signals
	union   format.Layout
	list    gaze.Unit // of the list that the positions are in; unknown = the rows say it
	values  int       // positions that are numbers
	samples int
}

type trackCells struct{ x, y, pupil, confidence int }

func newSampleDecoder(columns []string, in *format.Input, a *assembler) (*sampleDecoder, error) {
	d := &sampleDecoder{a: a}
	d.bind(columns, in, a.o.Report)
	name, unit := timeColumn(columns), "ns"
	if name == "time" {
		unit = "ms"
	}
	d.clock, _ = format.ParseTimeUnit(unit)
	d.clock.Start(format.Stamp{})
	d.slot(name, format.TimeSlot)
	list := d.nested(columns)
	for _, e := range eyes {
		d.bindEye(e.eye, e.suffix, list)
	}
	d.label = d.text("label")
	d.union.Labels = d.label >= 0
	for _, column := range columns {
		if rest, ok := strings.CutPrefix(column, signalPrefix); ok {
			d.signals = append(d.signals, d.number(column))
			d.names = append(d.names, column)
			d.union.Signals = append(d.union.Signals, parseSignal(rest))
		}
	}
	d.drop(a.o.Report)
	if len(valueColumns(d.union))+len(d.signals) == 0 {
		return nil, d.fail("no columns of positions, pupils, labels or signals")
	}
	return d, nil
}

// nested finds the list of positions where the table has no columns for them
// and nothing says whose they are: another program has written the table anew.
func (d *sampleDecoder) nested(columns []string) string {
	for _, e := range eyes {
		if slices.Contains(columns, "x"+e.suffix) {
			return ""
		}
	}
	for _, list := range lists {
		if slices.Contains(columns, list.name+"_x") || slices.Contains(columns, list.name+"_x_left") {
			d.list = list.unit
			return list.name
		}
	}
	return ""
}

func (d *sampleDecoder) bindEye(eye gaze.Eye, suffix, list string) {
	x, y := "x"+suffix, "y"+suffix
	if list != "" {
		x, y = list+"_x"+suffix, list+"_y"+suffix
		if suffix == "" && slices.Contains(d.columns, list+"_x_avg") {
			x, y = list+"_x_avg", list+"_y_avg"
		}
	}
	t := trackCells{d.number(x), d.number(y), d.number("pupil" + suffix), d.number("confidence" + suffix)}
	d.tracks[eye] = t
	d.union.Eyes[eye] = t.x >= 0 && t.y >= 0
	d.union.Pupil[eye] = t.pupil >= 0
	d.union.Confidence[eye] = t.confidence >= 0
}

// parseSignal splits NAME [UNIT].
func parseSignal(s string) gaze.Signal {
	if i := strings.LastIndex(s, " ["); i >= 0 && strings.HasSuffix(s, "]") {
		return gaze.Signal{Name: s[:i], Unit: s[i+2 : len(s)-1]}
	}
	return gaze.Signal{Name: s}
}

// Add takes the row as it is filled.
func (d *sampleDecoder) Add(row *format.Row) bool {
	d.rows++
	id, ok := d.id(row)
	if !ok {
		return true
	}
	at, ok := d.clock.Since(row.Time)
	if !ok || !row.HasTime || at <= -longest || at >= longest {
		d.badTime++
		return true
	}
	if !d.a.is(id) {
		s := d.a.setting(id)
		h := d.header(row)
		if d.list != gaze.UnitUnknown {
			h.Unit = d.list
		}
		if err := d.a.begin(id, h, d.layout(s)); err != nil {
			return false
		}
	}
	d.samples++
	if d.a.b.Decide() {
		d.sample(at, row)
	}
	return !d.a.b.Stopped()
}

// layout is what the recording has of the table's columns.
func (d *sampleDecoder) layout(s *Setting) format.Layout {
	l := d.union
	d.active = d.signals
	if s == nil || s.Columns == nil {
		return l
	}
	has := func(name string) bool { return slices.Contains(s.Columns, name) }
	for _, e := range eyes {
		l.Eyes[e.eye] = l.Eyes[e.eye] && has("x"+e.suffix)
		l.Pupil[e.eye] = l.Pupil[e.eye] && has("pupil"+e.suffix)
		l.Confidence[e.eye] = l.Confidence[e.eye] && has("confidence"+e.suffix)
	}
	l.Labels = l.Labels && has("label")
	l.Signals, d.active = nil, nil
	for _, name := range s.Columns {
		if i := slices.Index(d.names, name); i >= 0 {
			l.Signals = append(l.Signals, d.union.Signals[i])
			d.active = append(d.active, d.signals[i])
		}
	}
	return l
}

func (d *sampleDecoder) sample(at time.Duration, row *format.Row) {
	i := d.a.b.Sample(at)
	s := &d.a.b.Recording().Samples
	for e := range d.tracks {
		d.track(&s.Tracks[e], i, d.tracks[e], row)
	}
	if s.Labels != nil {
		s.Labels[i] = parseLabel(row.Texts[d.label])
	}
	for n, slot := range d.active {
		s.Signals[n].Values[i] = row.Numbers[slot]
	}
}

func (d *sampleDecoder) track(t *gaze.Track, i int, c trackCells, row *format.Row) {
	if t.X != nil {
		x, y := d.place(row.Numbers[c.x], row.Numbers[c.y])
		t.X[i], t.Y[i] = x, y
		if !math.IsNaN(x) {
			d.values++
		}
	}
	if t.Pupil != nil {
		if p := row.Numbers[c.pupil]; p > 0 && !format.Overflowed(p) {
			t.Pupil[i] = p
		}
	}
	if t.Confidence != nil {
		t.Confidence[i] = row.Numbers[c.confidence]
	}
}

// Close gives out what is left and says why nothing was read, if so.
func (d *sampleDecoder) Close() error {
	err := d.a.close()
	d.counts()
	switch {
	case err != nil:
		return err
	case d.a.b.Stopped():
		return nil
	case d.rows == 0 && d.a.b.Recordings() == 0:
		return format.Empty(d.in.Name, d.row.Line)
	case d.samples == 0 && d.rows > 0:
		return d.fail("none of %d rows could be used", d.rows)
	case d.values == 0 && d.noNumber > 0:
		return d.fail("the cells of positions are no numbers")
	}
	return nil
}
