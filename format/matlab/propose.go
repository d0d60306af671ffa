package matlab

import (
	"sort"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// leaf is an array at the end of a path.
type leaf struct {
	path  string
	value *Value
}

// leaves lists the paths below a variable by their first elements.
func leaves(v *Value) []leaf {
	var all []leaf
	var visit func(v *Value, path string)
	visit = func(v *Value, path string) {
		switch {
		case v == nil || len(all) > 1000:
		case v.Class == Cell:
			visit(firstFilled(v), path+"{}")
		case v.Class == Struct || v.Class == Object:
			if v.Len() > 1 {
				path += "{}"
			}
			for _, f := range v.Fields {
				visit(v.Field(f), path+"."+f)
			}
		case v.Class == Char || v.Numeric():
			all = append(all, leaf{path, v})
		}
	}
	visit(v, v.Name)
	return all
}

func firstFilled(v *Value) *Value {
	for _, c := range v.Cells {
		if c.Len() > 0 {
			return c
		}
	}
	return nil
}

// propose makes the error of a file without mapping.
func propose(in *format.Input) error {
	var all []leaf
	err := Load(in.Bytes(), nil, func(v *Value) bool {
		all = append(all, leaves(v)...)
		return len(all) < 1000
	})
	if err != nil {
		return located(in, err)
	}
	if len(all) == 0 {
		return format.Empty(in.Name, 0)
	}
	e := &format.UnknownError{
		File:    in.Name,
		Because: "a MATLAB file needs a mapping that says which of its variables are time and positions",
	}
	if m, ok := guess(all); ok {
		e.Suggestion = m.YAML()
		return e
	}
	e.Incomplete = true
	e.Suggestion = "# the file holds: " + strings.Join(paths(all), ", ") +
		"\n# replace each ... by one of these; matrix(:,2) is its second column, cells{#} an element's number\n" +
		"time: ...\ntime_unit: ms # s, ms, us, ns\nx: ...\ny: ...\nunit: px # px, deg, norm\nparticipant: ...\nstimulus: ...\n"
	return e
}

func paths(all []leaf) []string {
	var names []string
	for _, l := range all {
		names = append(names, l.path)
		if len(names) == 60 {
			return append(names, "…")
		}
	}
	sort.Strings(names)
	return names
}

// guess takes the last parts of the paths as column names. A person's loop
// without a name gets the number of the element.
func guess(all []leaf) (*format.Mapping, bool) {
	full := make(map[string]string)
	var columns []string
	var row []string
	for _, l := range all {
		name := l.path[strings.LastIndexByte(l.path, '.')+1:]
		if full[name] != "" {
			return nil, false
		}
		full[name] = l.path
		columns = append(columns, name)
		row = append(row, "")
	}
	g := format.GuessMapping(columns, [][]string{row})
	if !g.Usable() {
		return nil, false
	}
	g.Mapping.Rename(func(name string) string { return full[name] })
	if _, err := newPlan(g.Mapping.ColumnNames()); err != nil {
		return nil, false
	}
	return &g.Mapping, true
}
