package feature

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Precomputed reports whether a recording's signals are features already: one
// for each of [Names], as the definitions of MPIIDPEye and MPIIPrivacEye map
// their columns.
func Precomputed(signals []gaze.Signal) bool {
	for _, name := range names {
		if !slices.ContainsFunc(signals, func(s gaze.Signal) bool { return s.Name == name }) {
			return false
		}
	}
	return true
}

// ReadTables yields the tables of recordings whose signals are features
// already, in order. window is the one they were computed with: 30 s in both
// data sets; the step is one over the stated rate. Values stay as they are; a
// column without a single number is absent. Signals that are no features, such
// as a label, are the table's Other.
func ReadTables(pieces gaze.Seq, window time.Duration) iter.Seq2[*Table, error] {
	return func(yield func(*Table, error) bool) {
		if window <= 0 {
			yield(nil, fmt.Errorf("feature: window must be positive, got %v", window))
			return
		}
		for r, err := range gaze.Join(pieces) {
			var t *Table
			if err == nil {
				t, err = tableOf(r, window)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

func tableOf(r *gaze.Recording, window time.Duration) (*Table, error) {
	signals := r.Samples.Signals
	switch {
	case !Precomputed(signals):
		return nil, fmt.Errorf("feature: the recording's signals are not the %d features", Count)
	case !(r.Rate > 0):
		return nil, errors.New("feature: the step between windows is not known: the recording states no rate")
	}
	step := time.Duration(math.Round(float64(time.Second) / float64(r.Rate)))
	t := &Table{Header: r.Header, Window: window, Step: step}
	if n := r.Samples.Len(); n > 0 {
		t.Span = window + time.Duration(n-1)*step
	}
	for _, s := range signals {
		i := slices.Index(names[:], s.Name)
		if i < 0 || t.Columns[i] != nil {
			t.Other = append(t.Other, s)
			continue
		}
		t.Columns[i] = s.Values
	}
	for i, column := range t.Columns {
		if !slices.ContainsFunc(column, func(v float64) bool { return !math.IsNaN(v) }) {
			t.Columns[i], t.Absent = nil, append(t.Absent, i)
		}
	}
	return t, nil
}
