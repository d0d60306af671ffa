package parquet

import (
	"fmt"
	"io"
	"math"
	"reflect"

	pq "github.com/parquet-go/parquet-go"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

var nan = math.NaN()

// finite passes a number on; what is none stays NaN and is no value.
func finite(v float64, sink canonical.Sink) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nan
	}
	return sink.Value(v)
}

// groupRows is how many rows are written at once, and in memory until then.
const groupRows = 1 << 18

// NewWriter writes the canonical tables of samples and events as Parquet with
// their sidecars inside. The writer of a table that the survey says is empty
// may be nil. events is the file name of the table of events, for the sidecar.
func NewWriter(samples, events io.Writer, name string, s *canonical.Survey) (canonical.Writer, error) {
	w := &writer{numbers: canonical.NewNumbering(s)}
	if samples != nil {
		meta, err := s.Sidecar("samples", name)
		if err != nil {
			return nil, err
		}
		w.samples = newTable(samples, s.SampleColumns(), meta)
	}
	if events != nil {
		own := ""
		if samples != nil {
			own = name // so that it is known to belong to the other
		}
		meta, err := s.Sidecar("events", own)
		if err != nil {
			return nil, err
		}
		w.events = newTable(events, canonical.EventColumns(), meta)
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
			if err := t.w.Close(); err != nil {
				return fmt.Errorf("parquet: %w", err)
			}
		}
	}
	return nil
}

type tableWriter struct {
	w       *pq.GenericWriter[any]
	columns []canonical.Column
	batch   []pq.Row
}

const batchRows = 1024

func newTable(w io.Writer, columns []canonical.Column, meta []byte) *tableWriter {
	schema := pq.NewSchema("gazeward", nodes(columns))
	t := &tableWriter{columns: columns, batch: make([]pq.Row, 0, batchRows)}
	t.w = pq.NewGenericWriter[any](w, schema,
		pq.Compression(&pq.Zstd), pq.MaxRowsPerRowGroup(groupRows), pq.KeyValueMetadata(MetaKey, string(meta)),
		pq.CreatedBy("gazeward", "", ""))
	for range batchRows {
		t.batch = append(t.batch, make(pq.Row, len(columns)))
	}
	return t
}

func (t *tableWriter) rows(p canonical.Piece, n int) error {
	for from := 0; from < n; from += batchRows {
		batch := t.batch[:min(batchRows, n-from)]
		for k := range t.columns {
			t.fill(batch, &t.columns[k], p, from, k)
		}
		if _, err := t.w.WriteRows(batch); err != nil {
			return fmt.Errorf("parquet: %w", err)
		}
	}
	return nil
}

// fill puts a column's cells into the rows.
func (t *tableWriter) fill(batch []pq.Row, c *canonical.Column, p canonical.Piece, from, k int) {
	if c.Same {
		v := value(c, p, from, k)
		for i := range batch {
			batch[i][k] = v
		}
		return
	}
	for i := range batch {
		batch[i][k] = value(c, p, from+i, k)
	}
}

// value is a cell; a number that is lost is null.
func value(c *canonical.Column, p canonical.Piece, i, k int) pq.Value {
	switch {
	case c.Whole != nil:
		return pq.Int64Value(c.Whole(p, i)).Level(0, 0, k)
	case c.Number != nil:
		v := c.Number(p, i)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return pq.NullValue().Level(0, 0, k)
		}
		return pq.DoubleValue(v).Level(0, 1, k)
	}
	return pq.ByteArrayValue([]byte(canonical.Plain(c.Text(p, i)))).Level(0, 0, k)
}

// node is the schema of the columns in their order, which a [pq.Group] does
// not keep.
type node struct {
	pq.Group
	fields []pq.Field
}

// Fields returns the columns in order.
func (n *node) Fields() []pq.Field { return n.fields }

// field is a column of the schema.
type field struct {
	pq.Node
	name string
}

// Name returns the column's name.
func (f *field) Name() string { return f.name }

// Value is not used: rows are written, not Go values.
func (f *field) Value(base reflect.Value) reflect.Value { return base }

func nodes(columns []canonical.Column) pq.Node {
	n := &node{Group: pq.Group{}}
	for i := range columns {
		c := &columns[i]
		var leaf pq.Node
		switch {
		case c.Whole != nil:
			leaf = pq.Encoded(pq.Int(64), &pq.DeltaBinaryPacked)
		case c.Number != nil:
			leaf = pq.Optional(pq.Leaf(pq.DoubleType))
		default:
			leaf = pq.Encoded(pq.String(), &pq.RLEDictionary)
		}
		n.Group[c.Name] = leaf
		n.fields = append(n.fields, &field{leaf, c.Name})
	}
	return n
}
