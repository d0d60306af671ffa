package feature

import (
	"iter"
	"slices"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Table holds one recording's features.
type Table struct {
	Header  gaze.Header
	Window  time.Duration
	Step    time.Duration    // the i-th window starts i steps after the recording's first sample
	Columns [Count][]float64 // one value per window; nil where the input is absent
	Absent  []int            // features without input in this recording, ascending; leave them out of means
	Span    time.Duration    // from the recording's first sample to the end of its last
	LeftOut int              // samples whose time did not run forward
	Other   []gaze.Signal    // columns beside the features in precomputed tables, one value per window
}

// Windows is the number of windows; 0 for a recording shorter than one.
func (t *Table) Windows() int {
	n := 0
	for i := range t.Columns {
		n = max(n, len(t.Columns[i]))
	}
	return n
}

// Has reports whether a feature's input is there.
func (t *Table) Has(i int) bool { return !slices.Contains(t.Absent, i) }

// Tables yields one table per recording, in order, holding one recording's
// features at a time; a table may be kept. A recording shorter than a window
// gives a table without windows, for the caller to list as skipped. After an
// error in a recording the next one follows.
//
// Blinks are those that the recording states, where it states a list of them;
// otherwise those found by losses, see [Options.BlinkSource].
func (o Options) Tables(pieces gaze.Seq) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		m := maker{options: o.Resolved()}
		var err error
		if m.stream, err = o.Stream(m.row); err != nil {
			yield(nil, err)
			return
		}
		for piece, err := range pieces {
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			if !m.add(piece, yield) {
				return
			}
		}
		m.finish(yield)
	}
}

// maker gathers one table at a time.
type maker struct {
	options Options
	stream  *Stream
	table   *Table // nil before the first recording
	blinks  statedBlinks
	broken  bool // the recording at hand is not to be told
}

func (m *maker) row(r Row) {
	for i, v := range r.Values {
		m.table.Columns[i] = append(m.table.Columns[i], v)
	}
}

// add takes a piece and yields the table that it ends.
func (m *maker) add(piece *gaze.Recording, yield func(*Table, error) bool) bool {
	if !piece.Continues || m.table == nil {
		if !m.finish(yield) {
			return false
		}
		m.table = &Table{Header: piece.Header, Window: m.options.Window, Step: m.options.Step}
		m.blinks, m.broken = statedBlinks{}, false
	}
	if m.broken {
		return true
	}
	m.blinks.add(piece)
	if err := m.stream.Add(piece); err != nil {
		m.broken = true
		return yield(nil, err)
	}
	return true
}

// finish ends the recording at hand.
func (m *maker) finish(yield func(*Table, error) bool) bool {
	if m.table == nil {
		return true
	}
	m.stream.Flush()
	t := m.table
	m.table = nil
	if m.broken {
		return true
	}
	t.Span, t.LeftOut = m.stream.span(), m.stream.leftOut
	m.choose(t)
	for _, i := range t.Absent {
		t.Columns[i] = nil
	}
	return yield(t, nil)
}

// choose settles whose blinks count.
func (m *maker) choose(t *Table) {
	s, source := m.stream, m.options.BlinkSource
	t.Absent = s.Absent()
	if source == NoBlinks || source == DetectedBlinks || !m.blinks.any {
		return
	}
	for k, column := range m.options.blinkColumns(m.blinks.closures(s.origin), s.columns.eye, t.Windows()) {
		t.Columns[blinkMean+k] = column
	}
	t.Absent = absent(s.columns.gaze, s.columns.gaze && s.pupils > 0, true)
}
