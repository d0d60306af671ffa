package pupilcloud

import (
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// readFixations reads fixations.csv as a list.
func readFixations(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	columns := look(in.Head().Text)
	p, ok := choose(columns, startColumn, fixationPlaces[:])
	if !ok {
		yield(nil, refuse(in, notFixations))
		return
	}
	m := format.Mapping{
		Onset: startColumn, TimeUnit: "ns", Duration: "duration [ms]", DurationUnit: "ms",
		X: p.x, Y: p.y, Unit: p.unit.String(), Frame: p.frame.String(),
	}
	if index(columns, p.detected) >= 0 {
		m.ValidWhen = format.Conditions{{Column: p.detected, Op: "!=", Value: "False"}, {Column: p.detected, Op: "!=", Value: "false"}}
	}
	numbers := make(map[string]string)
	if slices.Contains(columns, "recording id") {
		m.Session = "recording id"
	}
	for _, id := range [...]string{"section id", "recording id"} {
		if slices.Contains(columns, id) {
			o.Report.DropIdentity(id)
		}
	}
	stopped := false
	err := format.Sheet{Delimiter: ',', Columns: columns, Skip: 1}.Read(&m, in, o, func(piece *gaze.Recording, err error) bool {
		if err == nil && m.Session != "" && o.Known.Session == "" {
			out := *piece
			out.Session = number(numbers, piece.Session)
			piece = &out
		}
		stopped = !yield(piece, err)
		return !stopped
	})
	if err != nil && !stopped {
		yield(nil, err)
	}
}

// number replaces an id by its place in the order of appearance.
func number(seen map[string]string, id string) string {
	n, ok := seen[id]
	if !ok {
		n = strconv.Itoa(len(seen) + 1)
		seen[id] = n
	}
	return n
}
