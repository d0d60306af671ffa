package feather

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// NewWriter writes the canonical tables of samples and events as Arrow IPC
// with their sidecars inside. Samples have time in ms and, where all positions
// are in px or all in deg, nested positions, as pymovements reads them. The
// writer of a table that the survey says is empty may be nil. name is the file
// name of the table of events, for the sidecar.
func NewWriter(samples, events io.Writer, name string, s *canonical.Survey) (canonical.Writer, error) {
	w := &writer{numbers: canonical.NewNumbering(s)}
	own := ""
	if samples != nil {
		own = name // so that the events are known to belong to the samples
		meta, err := s.Sidecar("samples", name)
		if err == nil {
			w.samples, err = newTable(samples, sampleFields(s), meta)
		}
		if err != nil {
			return nil, err
		}
	}
	if events != nil {
		meta, err := s.Sidecar("events", own)
		if err == nil {
			w.events, err = newTable(events, plainFields(canonical.EventColumns()), meta)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

type writer struct {
	numbers         *canonical.Numbering
	samples, events *tableWriter
}

// Add writes a piece's rows.
func (w *writer) Add(r *gaze.Recording) error {
	p, err := w.numbers.Piece(r)
	if err == nil && w.samples != nil {
		err = w.samples.rows(p, p.Samples.Len())
	}
	if err == nil && w.events != nil {
		err = w.events.rows(p, p.Events())
	}
	return err
}

// Close writes what is left and the files' ends.
func (w *writer) Close() error {
	for _, t := range []*tableWriter{w.samples, w.events} {
		if t != nil {
			if err := t.close(); err != nil {
				return fmt.Errorf("feather: %w", err)
			}
		}
	}
	return nil
}

// field is a column of the file with what appends a piece's cells to it.
type field struct {
	arrow.Field
	add func(b array.Builder, p canonical.Piece, n int)
}

func plainFields(columns []canonical.Column) []field {
	var all []field
	for i := range columns {
		all = append(all, plainField(&columns[i]))
	}
	return all
}

func plainField(c *canonical.Column) field {
	switch {
	case c.Whole != nil:
		return field{arrow.Field{Name: c.Name, Type: arrow.PrimitiveTypes.Int64}, func(b array.Builder, p canonical.Piece, n int) {
			for i := range n {
				b.(*array.Int64Builder).Append(c.Whole(p, i))
			}
		}}
	case c.Number != nil:
		return field{arrow.Field{Name: c.Name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}, func(b array.Builder, p canonical.Piece, n int) {
			for i := range n {
				if v := c.Number(p, i); math.IsNaN(v) || math.IsInf(v, 0) {
					b.AppendNull()
				} else {
					b.(*array.Float64Builder).Append(v)
				}
			}
		}}
	}
	return field{arrow.Field{Name: c.Name, Type: arrow.BinaryTypes.String}, func(b array.Builder, p canonical.Piece, n int) {
		for i := range n {
			if i == 0 || !c.Same {
				b.(*array.StringBuilder).Append(canonical.Plain(c.Text(p, i)))
			} else {
				b.(*array.StringBuilder).Append(b.(*array.StringBuilder).Value(b.Len() - 1))
			}
		}
	}}
}

// sampleFields are the canonical columns with time in ms and nested positions.
func sampleFields(s *canonical.Survey) []field {
	nested, name := nesting(s)
	var all []field
	columns := s.SampleColumns()
	for i := range columns {
		c := &columns[i]
		switch {
		case c.Name == "t_ns":
			all = append(all, plainField(&canonical.Column{Name: "time", Number: func(p canonical.Piece, i int) float64 {
				return float64(p.Samples.T[i]) / 1e6
			}}))
		case nested != nil && isPosition(c.Name):
			if c.Name[0] == 'x' && name != "" {
				all = append(all, listField(name, nested))
				name = ""
			}
		default:
			all = append(all, plainField(c))
		}
	}
	return all
}

func isPosition(name string) bool {
	base, _, _ := strings.Cut(name, "_")
	return base == "x" || base == "y"
}

// nesting says whose positions a list holds, and how it is called; nil where
// positions stay in columns of their own, because their units differ or
// pymovements has no name for them.
func nesting(s *canonical.Survey) ([]gaze.Eye, string) {
	name := map[gaze.Unit]string{gaze.Pixels: "pixel", gaze.Degrees: "position"}[s.Settings[0].Unit]
	for i := range s.Settings {
		if s.Settings[i].Unit != s.Settings[0].Unit {
			name = ""
		}
	}
	if name == "" {
		return nil, ""
	}
	has := s.Layout.Eyes
	switch {
	case has == [3]bool{}:
		return nil, ""
	case has == [3]bool{gaze.Cyclopean: true}:
		return []gaze.Eye{gaze.Cyclopean}, name
	case has == [3]bool{gaze.Left: true}:
		return []gaze.Eye{gaze.Left}, name
	case has == [3]bool{gaze.Right: true}:
		return []gaze.Eye{gaze.Right}, name
	case !has[gaze.Cyclopean]:
		return []gaze.Eye{gaze.Left, gaze.Right}, name
	}
	return []gaze.Eye{gaze.Left, gaze.Right, gaze.Cyclopean}, name
}

func listField(name string, eyes []gaze.Eye) field {
	var names []string
	for _, e := range eyes {
		names = append(names, e.String())
	}
	f := arrow.Field{
		Name: name, Type: arrow.ListOf(arrow.PrimitiveTypes.Float64),
		Metadata: arrow.NewMetadata([]string{eyesKey}, []string{strings.Join(names, ",")}),
	}
	return field{f, func(b array.Builder, p canonical.Piece, n int) {
		list := b.(*array.ListBuilder)
		cells := list.ValueBuilder().(*array.Float64Builder)
		for i := range n {
			list.Append(true)
			for _, e := range eyes {
				t := &p.Samples.Tracks[e]
				if t.X == nil {
					cells.Append(math.NaN())
					cells.Append(math.NaN())
					continue
				}
				cells.Append(t.X[i])
				cells.Append(t.Y[i])
			}
		}
	}}
}

// batchRows is how many rows a record batch has, and how many wait in memory.
const batchRows = 1 << 16

type tableWriter struct {
	w      *ipc.FileWriter
	fields []field
	b      *array.RecordBuilder
	rowsIn int
}

func newTable(w io.Writer, fields []field, meta []byte) (*tableWriter, error) {
	columns := make([]arrow.Field, len(fields))
	for i := range fields {
		columns[i] = fields[i].Field
	}
	about := arrow.NewMetadata([]string{metaKey}, []string{string(meta)})
	schema := arrow.NewSchema(columns, &about)
	out, err := ipc.NewFileWriter(w, ipc.WithSchema(schema), ipc.WithZstd())
	if err != nil {
		return nil, fmt.Errorf("feather: %w", err)
	}
	return &tableWriter{w: out, fields: fields, b: array.NewRecordBuilder(memory.NewGoAllocator(), schema)}, nil
}

// rows adds a piece's rows; pieces have at most as many as a batch.
func (t *tableWriter) rows(p canonical.Piece, n int) error {
	if n == 0 {
		return nil
	}
	if t.rowsIn+n > batchRows {
		if err := t.flush(); err != nil {
			return err
		}
	}
	for i := range t.fields {
		t.fields[i].add(t.b.Field(i), p, n)
	}
	t.rowsIn += n
	return nil
}

func (t *tableWriter) flush() error {
	if t.rowsIn == 0 {
		return nil
	}
	t.rowsIn = 0
	batch := t.b.NewRecordBatch()
	defer batch.Release()
	if err := t.w.Write(batch); err != nil {
		return fmt.Errorf("feather: %w", err)
	}
	return nil
}

func (t *tableWriter) close() error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.w.Close()
}
