package parquet

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
)

// MetaKey is the key under which a table's sidecar lies in the file.
const MetaKey = "gazeward"

// table is a file as columns of single values: lists are taken apart.
type table struct {
	f       *file
	columns []flat
}

// flat is a column of the table: a leaf, or an element of a leaf's lists.
type flat struct {
	name    string
	leaf    int
	element int
}

// flatten lists the columns. How many elements lists have is found in the
// first rows.
func flatten(f *file) (*table, error) {
	t := &table{f: f}
	for i := range f.leaves {
		l := &f.leaves[i]
		if l.maxRep != 1 || l.kind == unread {
			t.columns = append(t.columns, flat{name: l.name(), leaf: i})
			continue
		}
		n, err := elements(f, i)
		if err != nil {
			return nil, err
		}
		for k, name := range canonical.ListColumns(l.name(), n) {
			t.columns = append(t.columns, flat{name, i, k})
		}
	}
	return t, nil
}

// elements counts those of the longest list among the first rows.
func elements(f *file, i int) (int, error) {
	c := newColumn(f, i)
	most := 1
	var cells []cell
	for range 1000 {
		var err error
		cells, err = c.list(cells[:0])
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		most = max(most, len(cells))
	}
	return min(most, 64), nil
}

func (t *table) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// cursor reads the leaves that are needed, row by row.
type cursor struct {
	t     *table
	need  []*column // by leaf; nil = not needed
	cells [][]cell  // by leaf
}

func (t *table) cursor(columns []int) (*cursor, error) {
	c := &cursor{t: t, need: make([]*column, len(t.f.leaves)), cells: make([][]cell, len(t.f.leaves))}
	for _, i := range columns {
		leaf := t.columns[i].leaf
		if t.f.leaves[leaf].kind == unread {
			return nil, fmt.Errorf("the type of column %s is not read", format.DisplayName(t.columns[i].name))
		}
		if c.need[leaf] == nil {
			c.need[leaf] = newColumn(t.f, leaf)
		}
	}
	return c, nil
}

// next reads a row.
func (c *cursor) next() error {
	for i, col := range c.need {
		if col == nil {
			continue
		}
		var err error
		if col.leaf.maxRep == 1 {
			c.cells[i], err = col.list(c.cells[i][:0])
		} else {
			var one cell
			one, err = col.next()
			c.cells[i] = append(c.cells[i][:0], one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// at returns a column's cell in the row at hand.
func (c *cursor) at(column int) (cell, kind) {
	f := &c.t.columns[column]
	k := c.t.f.leaves[f.leaf].kind
	if row := c.cells[f.leaf]; f.element < len(row) {
		return row[f.element], k
	}
	return cell{null: true}, k
}

// first returns the first rows as texts.
func (t *table) first(n int) ([][]string, error) {
	var all []int
	for i, c := range t.columns {
		if t.f.leaves[c.leaf].kind != unread {
			all = append(all, i)
		}
	}
	c, err := t.cursor(all)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for range min(int64(n), t.f.rows) {
		if err := c.next(); err != nil {
			return rows, err
		}
		row := make([]string, len(t.columns))
		for _, i := range all {
			v, k := c.at(i)
			row[i] = string(v.appendText(nil, k))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (v *cell) appendText(b []byte, k kind) []byte {
	switch {
	case v.null:
		return b
	case k == whole:
		return strconv.AppendInt(b, v.whole, 10)
	case k == number:
		return canonical.AppendNumber(b, v.number)
	}
	return append(b, v.text...)
}

// pour fills and adds the rows.
func (t *table) pour(in *format.Input, bind canonical.Bind) error {
	var meta []byte
	if text, ok := t.f.meta[MetaKey]; ok {
		meta = []byte(text)
	}
	sink, err := bind(t.names(), meta)
	if err != nil {
		return err
	}
	err = t.rows(sink)
	if e := sink.Close(); err == nil {
		return e
	}
	return located(in, err)
}

func (t *table) rows(sink canonical.Sink) error {
	slots := sink.Slots()
	var need []int
	for _, s := range slots {
		need = append(need, s.Column)
	}
	c, err := t.cursor(need)
	if err != nil {
		return err
	}
	row := sink.Row()
	var texts []byte
	for n := range t.f.rows {
		if err := c.next(); err == io.EOF {
			return fmt.Errorf("ends after row %d of %d", n, t.f.rows)
		} else if err != nil {
			return err
		}
		texts = texts[:0]
		for _, s := range slots {
			v, k := c.at(s.Column)
			switch s.Kind {
			case format.TimeSlot:
				row.Time, row.HasTime = v.stamp(k, sink)
			case format.NumberSlot:
				row.Numbers[s.Index] = v.value(k, sink)
			case format.TextSlot:
				from := len(texts)
				texts = v.appendText(texts, k)
				row.Texts[s.Index] = texts[from:len(texts):len(texts)]
			}
		}
		if !sink.Add(row) {
			return nil
		}
	}
	return nil
}

func (v *cell) stamp(k kind, sink canonical.Sink) (format.Stamp, bool) {
	switch {
	case v.null:
		return format.Stamp{}, false
	case k == whole:
		return format.Stamp{Whole: v.whole}, true
	case k == number:
		return format.StampOf(v.number)
	}
	return sink.Time(v.text)
}

func (v *cell) value(k kind, sink canonical.Sink) float64 {
	switch {
	case v.null:
		return nan
	case k == whole:
		return sink.Value(float64(v.whole))
	case k == number:
		return finite(v.number, sink)
	}
	return sink.Number(v.text, 0)
}
