package canonical

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// ListColumns names the elements of a list column as columns of their own,
// with the order of pymovements: x, y; or x and y of the left, then of the
// right eye; or these and then of both together.
func ListColumns(name string, n int) []string {
	pairs := map[int][]string{2: {""}, 4: {"_left", "_right"}, 6: {"_left", "_right", "_avg"}}[n]
	var names []string
	for _, suffix := range pairs {
		names = append(names, name+"_x"+suffix, name+"_y"+suffix)
	}
	if pairs == nil {
		for i := range n {
			names = append(names, name+"["+strconv.Itoa(i)+"]")
		}
	}
	return names
}

// Guess proposes a mapping for a table of another program: pymovements' nested
// positions, or columns of usual names. Where these leave a question, the
// error is a *[format.UnknownError] with a mapping that answers it.
func Guess(in *format.Input, columns []string, rows [][]string) (*format.Mapping, error) {
	g := format.GuessMapping(columns, rows)
	m := &g.Mapping
	if nested(m, columns) {
		if slices.Contains(columns, "time") && m.Time == "time" {
			m.TimeUnit = "ms"
		}
		if m.Check() == nil {
			return m, nil
		}
	}
	if g.Sure() && g.Usable() {
		return m, nil
	}
	e := &format.UnknownError{File: in.Name, Because: strings.Join(g.Missing, "; ") + " not stated by the table's columns", Suggestion: m.YAML()}
	if !g.Usable() {
		e.Incomplete = true
		e.Suggestion = "# the table's columns: " + shown(columns) +
			"\n# replace each ... by one of them\ntime: ...\ntime_unit: ms # s, ms, us, ns\nx: ...\ny: ...\nunit: px # px, deg, norm\nparticipant: ...\nstimulus: ...\n"
	}
	return nil, e
}

func shown(columns []string) string {
	var names []string
	for _, c := range columns {
		if names = append(names, format.DisplayName(c)); len(names) == 60 {
			names = append(names, "…")
			break
		}
	}
	return strings.Join(names, ", ")
}

// lists are pymovements' names for nested positions.
var lists = [...]struct {
	name string
	unit gaze.Unit
}{{"pixel", gaze.Pixels}, {"position", gaze.Degrees}}

// nested takes pymovements' pixel (px) or position (deg) columns.
func nested(m *format.Mapping, columns []string) bool {
	has := func(name string) bool { return slices.Contains(columns, name) }
	for _, list := range lists {
		switch {
		case has(list.name + "_x_left"):
			m.X, m.Y = "", ""
			m.XLeft, m.YLeft, m.XRight, m.YRight = list.name+"_x_left", list.name+"_y_left", list.name+"_x_right", list.name+"_y_right"
			if has(list.name + "_x_avg") {
				m.X, m.Y = list.name+"_x_avg", list.name+"_y_avg"
			}
		case has(list.name+"_x") && has(list.name+"_y"):
			m.X, m.Y, m.XLeft, m.YLeft, m.XRight, m.YRight = list.name+"_x", list.name+"_y", "", "", "", ""
		default:
			continue
		}
		m.Unit, m.Eye = list.unit.String(), ""
		return true
	}
	return false
}
