package delimited

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the recordings of a table. Without a mapping in o the columns
// are recognised by name; where that leaves a question, the error is a
// *[format.UnknownError] with a mapping that answers it.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		m, d, err := plan(in, &o)
		if err == nil {
			note(d, o.Report)
			err = d.sheet(m).Read(m, in, o, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// plan finds out how the table is written and what its columns mean.
func plan(in *format.Input, o *format.Options) (*format.Mapping, dialect, error) {
	text := in.Head().Text
	switch {
	case text == nil && len(in.Head().Raw) > 0:
		return nil, dialect{}, &format.SyntaxError{File: in.Name, Msg: "binary, not a table of text"}
	case len(bytes.TrimSpace(text)) == 0:
		return nil, dialect{}, format.Empty(in.Name, 1)
	}
	m := o.Mapping
	if m == nil {
		m = &format.Mapping{}
	}
	d, err := sniff(text, m)
	if err != nil {
		return nil, d, &format.SyntaxError{File: in.Name, Line: 1, Msg: err.Error(), Err: err}
	}
	if o.Mapping == nil {
		m, err = recognise(in, d)
	}
	if err == nil && d.decimal == ',' && m.Decimal == "" {
		copied := *m
		copied.Decimal = ","
		m = &copied
	}
	return m, d, err
}

// recognise makes a mapping of the columns' names, or the error that asks for
// one.
func recognise(in *format.Input, d dialect) (*format.Mapping, error) {
	g := format.GuessMapping(d.columns, d.rows)
	switch {
	case !d.headless && g.Sure() && g.Usable():
		return &g.Mapping, nil
	case !d.headless && len(d.rows) == 0:
		return nil, format.Empty(in.Name, d.skip+1)
	}
	return nil, propose(in.Name, d, g)
}

func (d *dialect) sheet(m *format.Mapping) format.Sheet {
	s := format.Sheet{Delimiter: d.delimiter, Columns: d.columns, Skip: d.skip, Comment: d.comment}
	if len(m.Columns) == 0 && !d.headless {
		s.Skip++
	}
	return s
}

func note(d dialect, r *format.Report) {
	if d.decimal == ',' {
		r.Count("decimal comma", 0)
	}
	r.CountSome("line before the header (skipped)", d.skip)
}
