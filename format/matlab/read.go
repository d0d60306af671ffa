package matlab

import (
	"errors"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the recordings that a mapping of paths describes. Without a
// mapping the error is a *[format.UnknownError] that lists the paths in the
// file and, where their names are usual, proposes one.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if err := read(in, o, yield); err != nil {
			yield(nil, err)
		}
	}
}

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	if o.Mapping == nil {
		return propose(in)
	}
	columns := o.Mapping.ColumnNames()
	p, err := newPlan(columns)
	if err != nil {
		return &format.SyntaxError{File: in.Name, Msg: "mapping: " + err.Error(), Err: err}
	}
	vars, err := load(in, p, o.Report)
	if err != nil {
		return err
	}
	table, err := format.NewTable(o.Mapping, columns, in, o)
	if err != nil {
		return err
	}
	table.Start(yield)
	r := &reader{plan: p, vars: vars, table: table, row: table.Row(), cells: make([]cell, len(columns))}
	p.walk(vars, r.entry)
	o.Report.CountSome("entry whose columns differ in length (left out)", r.uneven)
	o.Report.CountSome("entry without rows (left out)", r.empty)
	return table.Close()
}

// load reads the variables that the paths need and lists the others.
func load(in *format.Input, p *plan, report *format.Report) (map[string]*Value, error) {
	need := p.variables()
	vars := make(map[string]*Value)
	err := Load(in.Bytes(), func(name string) bool {
		if !need[name] && name != "" {
			report.Drop(format.DisplayName(name))
		}
		return need[name]
	}, func(v *Value) bool {
		vars[v.Name] = v
		dropOthers(v, p, report)
		return true
	})
	if err != nil {
		return nil, located(in, err)
	}
	for name := range need {
		if vars[name] == nil {
			return nil, &format.SyntaxError{File: in.Name, Msg: "mapping: the file has no variable " + strconv.Quote(name)}
		}
	}
	return vars, nil
}

func located(in *format.Input, err error) error {
	if errors.Is(err, format.ErrBomb) {
		return &format.SyntaxError{File: in.Name, Msg: format.ErrBomb.Error(), Err: err}
	}
	return &format.SyntaxError{File: in.Name, Msg: err.Error(), Err: err}
}

func dropOthers(v *Value, p *plan, report *format.Report) {
	used := make(map[string]bool)
	for i := range p.paths {
		used[p.paths[i].plain()] = true
	}
	for _, l := range leaves(v) {
		if !used[l.path] {
			report.Drop(l.path)
		}
	}
}

// plain is the path without column and index.
func (p *path) plain() string {
	text := p.variable
	for _, s := range p.steps {
		if s.field != "" {
			text += "." + s.field
		} else {
			text += "{}"
		}
	}
	return text
}

// cell is one column of the entry at hand: numbers, or a text for all rows.
type cell struct {
	numbers []float64
	text    []byte
	isText  bool
}

type reader struct {
	plan          *plan
	vars          map[string]*Value
	table         *format.Table
	row           *format.Row
	cells         []cell
	buf           []byte
	uneven, empty int
}

// entry adds the rows of one combination of loop indices.
func (r *reader) entry(at []int) bool {
	rows := 0
	for i := range r.plan.paths {
		r.cells[i] = r.column(&r.plan.paths[i], at)
		if !r.cells[i].isText {
			rows = max(rows, len(r.cells[i].numbers))
		}
	}
	if rows == 0 {
		r.empty++
		return true
	}
	for i := range r.cells {
		if n := len(r.cells[i].numbers); !r.cells[i].isText && n != rows && n != 1 {
			r.uneven++
			return true
		}
	}
	for n := range rows {
		r.fill(n)
		if !r.table.Add(r.row) {
			return false
		}
	}
	return true
}

func (r *reader) column(p *path, at []int) cell {
	v, index := p.resolve(r.vars[p.variable], at)
	switch {
	case index > 0:
		return cell{text: strconv.AppendInt(nil, int64(index), 10), isText: true}
	case v == nil:
		return cell{}
	case v.Class == Char:
		return cell{text: []byte(v.Text), isText: true}
	case p.column > 0:
		return cell{numbers: v.Column(p.column)}
	}
	return cell{numbers: v.Numbers}
}

// fill takes row n of the entry's columns, which the table knows by number.
func (r *reader) fill(n int) {
	r.buf = r.buf[:0]
	for _, s := range r.table.Slots() {
		c := &r.cells[s.Column]
		switch s.Kind {
		case format.TimeSlot:
			if c.isText {
				r.row.Time, r.row.HasTime = r.table.Time(c.text)
			} else {
				r.row.Time, r.row.HasTime = format.StampOf(c.at(n))
			}
		case format.NumberSlot:
			if c.isText {
				r.row.Numbers[s.Index] = r.table.Number(c.text, 0)
			} else {
				r.row.Numbers[s.Index] = finite(r.table.Value(c.at(n)))
			}
		case format.TextSlot:
			r.row.Texts[s.Index] = r.asText(c, n)
		}
	}
}

// finite makes infinities lost.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

func (c *cell) at(n int) float64 {
	switch {
	case len(c.numbers) == 1:
		return c.numbers[0]
	case n < len(c.numbers):
		return c.numbers[n]
	}
	return math.NaN()
}

func (r *reader) asText(c *cell, n int) []byte {
	if c.isText {
		return c.text
	}
	from := len(r.buf)
	r.buf = strconv.AppendFloat(r.buf, c.at(n), 'f', -1, 64)
	return r.buf[from:]
}
