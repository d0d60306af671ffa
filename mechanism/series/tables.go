package series

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/feature"
)

// Tables are the recordings of feature tables.
type Tables struct {
	Recordings []Signals
	Features   []int    // index of the feature that each signal is
	Bounds     []Bounds // public, of each signal
	Skipped    int      // tables without windows
}

// FromTables turns feature tables into recordings. Signals are the features
// that every table has and that can differ from zero under these options: one
// person without pupils leaves everybody's out, so that a guarantee needs
// [FromTablesOf]. The condition is the stimulus, else the task, else the
// session: the first that a header names.
func FromTables(tables []*feature.Table, o feature.Options) *Tables {
	return FromTablesOf(tables, o, func(i int) bool { return inAll(tables, i) })
}

// FromTablesOf takes the features that are wanted, whatever the tables have: a
// table that lacks one has no values there. Those that are always zero are
// never taken.
func FromTablesOf(tables []*feature.Table, o feature.Options, want func(feature int) bool) *Tables {
	out := &Tables{}
	bounds := o.Bounds()
	for i := range feature.Count {
		if !feature.AlwaysZero(i) && bounds[i].Lo < bounds[i].Hi && want(i) {
			out.Features = append(out.Features, i)
			out.Bounds = append(out.Bounds, Bounds(bounds[i]))
		}
	}
	for _, t := range tables {
		if t.Windows() == 0 {
			out.Skipped++
			continue
		}
		h := &t.Header
		r := Signals{
			Subject: h.Participant, Session: "session " + h.Session, Recording: strings.Join([]string{h.Session, h.Task, h.Trial, h.Stimulus}, "\x00"),
			Condition: cmp.Or(h.Stimulus, h.Task, h.Session),
		}
		for _, i := range out.Features {
			r.Values = append(r.Values, columnOf(t, i))
		}
		out.Recordings = append(out.Recordings, r)
	}
	return out
}

// columnOf is a feature's column, or one without values.
func columnOf(t *feature.Table, i int) []float64 {
	if len(t.Columns[i]) == t.Windows() {
		return t.Columns[i]
	}
	return slices.Repeat([]float64{math.NaN()}, t.Windows())
}

func inAll(tables []*feature.Table, i int) bool {
	for _, t := range tables {
		if t.Windows() > 0 && len(t.Columns[i]) != t.Windows() {
			return false
		}
	}
	return true
}
