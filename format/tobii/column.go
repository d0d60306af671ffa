package tobii

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/gazeward/gazeward/format"
)

// column is a header cell taken apart: "Gaze point left X [DACS px]" has the
// base gazepointleftx, the system dacs and the unit px. Versions of Tobii's
// programs differ in blanks, case and brackets.
type column struct {
	name, base, system, unit string
}

// systems of coordinates: of the display, the media, the recording, the head
// unit, the user.
var systems = []string{"", "dacs", "adcs", "mcs", "rcs", "hucs", "ucs"}

var units = []string{"px", "norm", "mm", "μs", "µs", "us", "ms"}

func takeApart(name string) column {
	c := column{name: strings.TrimSpace(name)}
	base := c.name
	if open := strings.LastIndexAny(c.name, "[("); open > 0 && strings.HasSuffix(c.name, "]") || open > 0 && strings.HasSuffix(c.name, ")") {
		inside := strings.ReplaceAll(strings.ToLower(c.name[open+1:len(c.name)-1]), " ", "")
		for _, unit := range units {
			if system, ok := strings.CutSuffix(inside, unit); ok && slices.Contains(systems, system) {
				c.system, c.unit = system, unit
				base = c.name[:open]
				break
			}
		}
	}
	c.base = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, base)
	return c
}

// table is what a header line tells.
type table struct {
	delimiter byte
	columns   []column
}

// look splits a header line at the delimiter that gives most columns.
func look(line []byte) table {
	t := table{delimiter: '\t'}
	for _, d := range [...]byte{';', ','} {
		if bytes.Count(line, []byte{d}) > bytes.Count(line, []byte{t.delimiter}) {
			t.delimiter = d
		}
	}
	for _, f := range format.SplitFields(nil, line, t.delimiter) {
		t.columns = append(t.columns, takeApart(string(f)))
	}
	return t
}

// at returns the first column with one of the bases; -1 if there is none.
func (t *table) at(bases ...string) int {
	for _, b := range bases {
		for i, c := range t.columns {
			if c.base == b {
				return i
			}
		}
	}
	return -1
}

// pair returns the columns x and y in a system of coordinates.
func (t *table) pair(base string, in class) (x, y int) {
	x, y = -1, -1
	for i, c := range t.columns {
		switch {
		case !in.holds(c):
		case x < 0 && c.base == base+"x":
			x = i
		case y < 0 && c.base == base+"y":
			y = i
		}
	}
	if x < 0 || y < 0 {
		return -1, -1
	}
	return x, y
}

// has reports whether a header cell begins so as it is written.
func (t *table) has(name string) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return strings.HasPrefix(c.name, name) })
}
