package canonical

import (
	"bufio"
	"errors"
	"io"
	"strconv"

	"github.com/gazeward/gazeward/gaze"
)

// Writer takes recordings piece by piece and is closed at the end. It does not
// close what it writes to.
type Writer interface {
	Add(r *gaze.Recording) error
	Close() error
}

// Copy writes recordings until the stream ends, and closes the writer.
func Copy(w Writer, pieces gaze.Seq) error {
	for r, err := range pieces {
		if err != nil {
			return err
		}
		if err := w.Add(r); err != nil {
			return err
		}
	}
	return w.Close()
}

// Numbering gives pieces the number of their recording and checks them against
// the survey that the columns were made for.
type Numbering struct {
	survey *Survey
	seen   *Survey
	header gaze.Header // of the recording's first piece
}

// NewNumbering begins at recording 0.
func NewNumbering(s *Survey) *Numbering { return &Numbering{survey: s, seen: new(Survey)} }

var errChanged = errors.New("canonical: the recordings are not those that were surveyed: the source changed meanwhile")

// Piece returns the piece with its number, and with its recording's header,
// which pieces after the first need not repeat.
func (n *Numbering) Piece(r *gaze.Recording) (Piece, error) {
	n.seen.Add(r)
	a, b := &n.survey.Layout, &n.seen.Layout
	if n.seen.Recordings > n.survey.Recordings || len(n.seen.signals) > len(n.survey.signals) || b.Labels && !a.Labels {
		return Piece{}, errChanged
	}
	for e := range a.Eyes {
		if b.Eyes[e] && !a.Eyes[e] || b.Pupil[e] && !a.Pupil[e] || b.Confidence[e] && !a.Confidence[e] {
			return Piece{}, errChanged
		}
	}
	if !r.Continues {
		n.header = r.Header
		return Piece{n.seen.Recordings - 1, r}, nil
	}
	whole := *r
	whole.Header = n.header
	return Piece{n.seen.Recordings - 1, &whole}, nil
}

// csvWriter writes both tables as CSV.
type csvWriter struct {
	numbers         *Numbering
	samples, events *csvTable
}

type csvTable struct {
	w       *bufio.Writer
	columns []Column
	line    []byte
	same    [][]byte // cells that are the same for a piece
}

// NewCSV writes samples and events as CSV. The writer of a table that the
// survey says is empty may be nil.
func NewCSV(samples, events io.Writer, s *Survey) (Writer, error) {
	w := &csvWriter{numbers: NewNumbering(s)}
	var err error
	if samples != nil {
		if w.samples, err = newCSVTable(samples, s.SampleColumns()); err != nil {
			return nil, err
		}
	}
	if events != nil {
		w.events, err = newCSVTable(events, EventColumns())
	}
	return w, err
}

func newCSVTable(w io.Writer, columns []Column) (*csvTable, error) {
	t := &csvTable{w: bufio.NewWriterSize(w, 1<<16), columns: columns}
	for i, c := range columns {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		t.line = appendText(t.line, c.Name)
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return t, err
}

// Add writes a piece's rows.
func (w *csvWriter) Add(r *gaze.Recording) error {
	p, err := w.numbers.Piece(r)
	if err == nil && w.samples != nil {
		err = w.samples.rows(p, p.Samples.Len())
	}
	if err == nil && w.events != nil {
		err = w.events.rows(p, p.Events())
	}
	return err
}

func (t *csvTable) rows(p Piece, n int) error {
	if n > 0 {
		t.same = t.same[:0]
		for k := range t.columns {
			var cell []byte
			if c := &t.columns[k]; c.Same {
				cell = c.append(nil, p, 0)
			}
			t.same = append(t.same, cell)
		}
	}
	for i := range n {
		t.line = t.line[:0]
		for k := range t.columns {
			if k > 0 {
				t.line = append(t.line, ',')
			}
			if t.columns[k].Same {
				t.line = append(t.line, t.same[k]...)
			} else {
				t.line = t.columns[k].append(t.line, p, i)
			}
		}
		t.line = append(t.line, '\n')
		if _, err := t.w.Write(t.line); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) append(b []byte, p Piece, i int) []byte {
	switch {
	case c.Whole != nil:
		return strconv.AppendInt(b, c.Whole(p, i), 10)
	case c.Number != nil:
		return AppendNumber(b, c.Number(p, i))
	}
	return appendText(b, c.Text(p, i))
}

// Close writes what is left.
func (w *csvWriter) Close() error {
	for _, t := range []*csvTable{w.samples, w.events} {
		if t != nil {
			if err := t.w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
