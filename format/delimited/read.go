package delimited

import (
	"bytes"
	"slices"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the recordings of a table. Without a mapping in o the columns
// are recognised by name; where that leaves a question, the error is a
// *[format.UnknownError] with a mapping that answers it.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		r, err := open(in, o)
		if err == nil {
			r.table.Start(yield)
			err = r.run()
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

type reader struct {
	d      dialect
	lines  *format.Lines
	table  *format.Table
	slots  []format.Slot // by column
	width  int           // columns of the header
	joined []byte

	decimal byte
	dates   bool // time stamps are dates
}

func open(in *format.Input, o format.Options) (*reader, error) {
	text := in.Head().Text
	if len(bytes.TrimSpace(text)) == 0 {
		if text == nil {
			return nil, &format.SyntaxError{File: in.Name, Msg: "binary, not a table of text"}
		}
		return nil, format.Empty(in.Name, 1)
	}
	m, d, err := plan(in, &o)
	if err != nil {
		return nil, err
	}
	if d.decimal == ',' && m.Decimal == "" {
		copied := *m
		copied.Decimal = ","
		m = &copied
	}
	table, err := format.NewTable(m, d.columns, in, o)
	if err != nil {
		return nil, err
	}
	note(in, d, o.Report)
	r := &reader{d: d, lines: format.NewLines(in), table: table, width: len(d.columns), decimal: table.Decimal(), dates: table.Datetime()}
	r.slots = slices.Clone(table.Slots())
	slices.SortStableFunc(r.slots, func(a, b format.Slot) int { return a.Column - b.Column })
	r.skip(len(m.Columns) == 0 && !d.headless)
	return r, nil
}

// plan finds the dialect and the mapping.
func plan(in *format.Input, o *format.Options) (*format.Mapping, dialect, error) {
	m := o.Mapping
	if m == nil {
		m = &format.Mapping{}
	}
	d, err := sniff(in.Head().Text, m)
	if err != nil {
		return nil, d, &format.SyntaxError{File: in.Name, Line: 1, Msg: err.Error(), Err: err}
	}
	if o.Mapping != nil {
		return m, d, nil
	}
	g := format.GuessMapping(d.columns, d.rows)
	if d.headless || !g.Sure() || !g.Usable() {
		if len(d.rows) == 0 && !d.headless {
			return nil, d, format.Empty(in.Name, d.skip+1)
		}
		return nil, d, propose(in.Name, d, g)
	}
	return &g.Mapping, d, nil
}

func note(in *format.Input, d dialect, r *format.Report) {
	if e := in.Encoding(); e != "" {
		r.Count("text is "+e, 0)
	}
	if d.decimal == ',' {
		r.Count("decimal comma", 0)
	}
	if d.skip > 0 {
		r.Count("lines before the header (skipped)", d.skip)
	}
}

// skip goes to the first row.
func (r *reader) skip(header bool) {
	n := r.d.skip
	if header {
		n++
	}
	for range n {
		if _, ok := r.lines.Next(); !ok {
			return
		}
	}
}

func (r *reader) run() error {
	row := r.table.Row()
	for {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		row.Line = r.lines.Number()
		if len(line) == 0 || r.d.comment != "" && isComment(line, r.d.comment) {
			continue
		}
		if bytes.IndexByte(line, '"') >= 0 {
			line = r.join(line)
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

// join adds the lines over which a quoted field extends.
func (r *reader) join(line []byte) []byte {
	if !unclosed(line, r.d.delimiter) {
		return line
	}
	r.joined = append(r.joined[:0], line...)
	for unclosed(r.joined, r.d.delimiter) && len(r.joined) < format.MaxLine {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		r.joined = append(append(r.joined, '\n'), line...)
	}
	return r.joined
}

// fill takes the cells that the slots ask for; false if the line ends before.
// An unfinished last line is complete only if all its fields are there.
func (r *reader) fill(row *format.Row, line []byte) bool {
	if !r.lines.Complete() && r.fields(line) < r.width {
		return false
	}
	if r.d.delimiter == ' ' {
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
			if _, line, more = next(line, r.d.delimiter); !more {
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
		field, line, more = next(line, r.d.delimiter)
		r.put(row, s, field)
	}
	return true
}

// scan reads the plain numbers that most cells are, n bytes long, in one pass.
func (r *reader) scan(row *format.Row, s format.Slot, line []byte) (n int, ok bool) {
	switch s.Kind {
	case format.NumberSlot:
		var v float64
		if v, n, ok = format.ScanNumber(line, r.d.delimiter, r.decimal); ok {
			row.Numbers[s.Index] = r.table.Value(v)
		}
	case format.TimeSlot:
		if !r.dates {
			row.Time, n, ok = format.ScanStamp(line, r.d.delimiter, r.decimal)
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

func (r *reader) fields(line []byte) int {
	return len(split(nil, line, r.d.delimiter))
}

func (r *reader) fillBlanks(row *format.Row, line []byte) bool {
	fields := bytes.Fields(line)
	for _, s := range r.slots {
		if s.Column >= len(fields) {
			return false
		}
		r.put(row, s, fields[s.Column])
	}
	return true
}

func (r *reader) put(row *format.Row, s format.Slot, field []byte) {
	switch s.Kind {
	case format.TimeSlot:
		row.Time, row.HasTime = r.table.Time(field)
	case format.NumberSlot:
		row.Numbers[s.Index] = r.table.Number(field, row.Line)
	case format.TextSlot:
		row.Texts[s.Index] = field
	}
}
