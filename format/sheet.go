package format

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/gaze"
)

// Sheet is how a table of text is written.
type Sheet struct {
	Delimiter byte
	Columns   []string // names; from the header line or from elsewhere
	Skip      int      // lines before the first row
	Comment   string   // lines that begin so are skipped; empty = none
}

// Read reads the rows of a table of text by a mapping: what a vendor's reader
// does once it knows the columns. Errors are located.
func (s Sheet) Read(m *Mapping, in *Input, o Options, yield func(*gaze.Recording, error) bool) error {
	table, err := NewTable(m, s.Columns, in, o)
	if err != nil {
		return err
	}
	if e := in.Encoding(); e != "" {
		o.Report.Count("text is "+e, 0)
	}
	table.Start(yield)
	r := &sheetReader{Sheet: s, lines: NewLines(in), table: table, slots: slices.Clone(table.Slots())}
	slices.SortStableFunc(r.slots, func(a, b Slot) int { return a.Column - b.Column })
	for range s.Skip {
		r.lines.Next()
	}
	return r.run()
}

type sheetReader struct {
	Sheet
	lines  *Lines
	table  *Table
	slots  []Slot // by column
	joined []byte
}

func (r *sheetReader) run() error {
	row := r.table.Row()
	for {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		row.Line = r.lines.Number()
		if len(line) == 0 || r.isComment(line) {
			continue
		}
		if bytes.IndexByte(line, '"') >= 0 {
			if line, ok = r.join(line); !ok {
				return r.unclosed(row.Line)
			}
		}
		if !r.fill(row, line) {
			if len(bytes.TrimSpace(line)) > 0 {
				r.table.Short()
			}
			continue
		}
		if !r.table.Add(row) {
			return r.table.Close()
		}
	}
	err := r.table.Close()
	if e := r.lines.Err(); e != nil {
		return e
	}
	return err
}

// unclosed gives out what was read and returns the located error.
func (r *sheetReader) unclosed(line int) error {
	_ = r.table.Close() // the quote is the cause
	return &SyntaxError{r.table.in.Name, line, fmt.Sprintf("a quoted field is not closed within %d lines", quotedLines), nil}
}

func (r *sheetReader) isComment(line []byte) bool {
	return r.Comment != "" && bytes.HasPrefix(line, []byte(r.Comment))
}

// quotedLines is the most lines a quoted field may extend over. A quote that
// is never closed must not swallow the rest of the file.
const quotedLines = 64

// join adds the lines over which a quoted field extends; false where it is
// never closed.
func (r *sheetReader) join(line []byte) ([]byte, bool) {
	if !unclosed(line, r.Delimiter, false) {
		return line, true
	}
	r.joined = append(r.joined[:0], line...)
	for range quotedLines {
		line, ok := r.lines.Next()
		if !ok {
			return r.joined, !r.lines.Complete()
		}
		r.joined = append(append(r.joined, '\n'), line...)
		if !unclosed(line, r.Delimiter, true) {
			return r.joined, true
		}
	}
	return r.joined, false
}

// fill takes the cells that the slots ask for; false if the line ends before.
// An unfinished last line is complete only if all its fields are there.
func (r *sheetReader) fill(row *Row, line []byte) bool {
	if !r.lines.Complete() && r.fields(line) < len(r.Columns) {
		return false
	}
	if r.Delimiter == ' ' {
		return r.fillBlanks(row, line)
	}
	column, more := 0, true
	var field []byte
	for i, s := range r.slots {
		if i > 0 && s.Column == r.slots[i-1].Column { // the same cell for another purpose
			r.put(row, s, field)
			continue
		}
		for ; column < s.Column; column++ {
			if _, line, more = nextField(line, r.Delimiter); !more {
				return false
			}
		}
		if !more {
			return false
		}
		column++
		if n, ok := r.scan(row, s, line); ok {
			field, line, more = cutAt(line, n)
			continue
		}
		field, line, more = nextField(line, r.Delimiter)
		r.put(row, s, field)
	}
	return true
}

// scan reads the plain numbers that most cells are, n bytes long, in one pass.
func (r *sheetReader) scan(row *Row, s Slot, line []byte) (n int, ok bool) {
	switch s.Kind {
	case NumberSlot:
		var v float64
		if v, n, ok = ScanNumber(line, r.Delimiter, r.table.decimal); ok {
			row.Numbers[s.Index] = r.table.Value(v)
		}
	case TimeSlot:
		if !r.table.clock.datetime {
			row.Time, n, ok = ScanStamp(line, r.Delimiter, r.table.decimal)
			row.HasTime = ok
		}
	}
	return n, ok
}

// cutAt splits a line at the delimiter in place n, or at its end.
func cutAt(line []byte, n int) (field, rest []byte, more bool) {
	if n == len(line) {
		return line, nil, false
	}
	return line[:n], line[n+1:], true
}

func (r *sheetReader) fields(line []byte) int {
	return len(SplitFields(nil, line, r.Delimiter))
}

func (r *sheetReader) fillBlanks(row *Row, line []byte) bool {
	fields := bytes.Fields(line)
	for _, s := range r.slots {
		if s.Column >= len(fields) {
			return false
		}
		r.put(row, s, fields[s.Column])
	}
	return true
}

func (r *sheetReader) put(row *Row, s Slot, field []byte) {
	switch s.Kind {
	case TimeSlot:
		row.Time, row.HasTime = r.table.Time(field)
	case NumberSlot:
		row.Numbers[s.Index] = r.table.Number(field, row.Line)
	case TextSlot:
		row.Texts[s.Index] = field
	}
}
