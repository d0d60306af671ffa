package format

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gazeward/gazeward/gaze"
)

// Close gives out what is left and says why nothing was read, if so.
func (t *Table) Close() error {
	t.groups.close()
	c := &t.count
	c.report(t.o.Report)
	if t.m.Events() && !t.hasTime && t.groups.recordings > 0 {
		t.o.Report.Count("fixations without onset: start times are cumulated durations", 0)
	}
	if t.groups.stopped || t.groups.recordings > 0 || c.unwanted > 0 {
		return t.unreadable()
	}
	switch {
	case c.rows == 0:
		return Empty(t.in.Name, t.row.Line)
	case c.skipped == c.rows:
		return t.fail("no row fulfils rows_where")
	case c.noTime > 0 && c.noTime+c.skipped == c.rows:
		return t.fail("no row has a readable time stamp in column %q", t.m.Time+t.m.Onset)
	}
	return t.fail("none of %d rows could be used", c.rows)
}

// unreadable refuses a file whose numbers are no numbers: a wrong delimiter or
// decimal mark must not look like lost gaze.
func (t *Table) unreadable() error {
	if t.count.numbers > 0 || t.count.noNumber == 0 || t.groups.stopped {
		return nil
	}
	return &SyntaxError{t.in.Name, t.count.firstBad, "the cells of x and y are no numbers (decimal comma? wrong column?)", nil}
}

func (t *Table) fail(msg string, args ...any) error {
	return &SyntaxError{t.in.Name, t.row.Line, fmt.Sprintf(msg, args...), nil}
}

// tableCounts are the oddities of a table.
type tableCounts struct {
	rows, skipped, unwanted     int
	noTime, badTime, noEye      int
	numbers, noNumber, overflow int
	firstBad, short             int
	marks                       map[float64]int // positions whose x and y are one whole number, none above 0
}

// fewMarks bounds how many different numbers are counted as marks.
const fewMarks = 16

func (c *tableCounts) mark(v float64) {
	if c.marks == nil {
		c.marks = make(map[float64]int)
	}
	if _, known := c.marks[v]; known || len(c.marks) < fewMarks {
		c.marks[v]++
	}
}

// reportMarks tells of places like (-1, -1) and (0, 0) that come back again and
// again: gaze does not, but that is how programs write that they lost it.
func (c *tableCounts) reportMarks(r *Report) {
	for _, v := range slices.Sorted(maps.Keys(c.marks)) {
		if n := c.marks[v]; n >= 5 && 200*n >= c.rows {
			r.Count(fmt.Sprintf("position exactly (%v, %v): if that means lost, a mapping needs null_values: [%v]", v, v, v), n)
		}
	}
}

func (c *tableCounts) report(r *Report) {
	r.CountSome("row without a readable time stamp (left out)", c.noTime)
	r.CountSome("time stamp or duration out of range (row left out)", c.badTime)
	r.CountSome("row that does not say which eye (left out)", c.noEye)
	r.CountSome("cell that is no number (counted as lost)", c.noNumber)
	r.CountSome("overflow value in a position (counted as lost)", c.overflow)
	c.reportMarks(r)
	r.CountSome("row with too few fields (left out)", c.short)
	r.CountSome("row excluded by rows_where", c.skipped)
}

// Short counts a row that ends before a needed column.
func (t *Table) Short() { t.count.short++; t.count.rows++ }

// labels is what the values of a label column mean.
type labels struct {
	text   map[string]gaze.Label
	number map[float64]gaze.Label
	any    gaze.Label
}

func newLabels(values map[string]string) labels {
	l := labels{text: make(map[string]gaze.Label), number: make(map[float64]gaze.Label)}
	for from, to := range values {
		label, err := parseLabel(to)
		if err != nil {
			continue // refused by Check
		}
		if from == "*" {
			l.any = label
			continue
		}
		l.text[from] = label
		if v, ok := ParseNumber([]byte(from), '.'); ok {
			l.number[v] = label
		}
	}
	return l
}

func (l *labels) of(cell []byte, decimal byte) gaze.Label {
	cell = trimBlanks(cell)
	if IsMissing(cell) {
		return gaze.Unlabelled
	}
	if label, ok := l.text[string(cell)]; ok {
		return label
	}
	if len(l.number) > 0 {
		if v, ok := ParseNumber(cell, decimal); ok {
			if label, ok := l.number[v]; ok {
				return label
			}
		}
	}
	return l.any
}
