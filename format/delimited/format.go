package delimited

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// Format returns the format of any table of text. It matches weakly, so that
// every format that knows its columns comes first.
func Format() format.Format {
	return format.Format{
		Name: "delimited", Title: "CSV or TSV", Extensions: []string{".csv", ".tsv", ".txt", ".dat"},
		Detect: detect, Read: Read,
	}
}

func detect(h format.Head) format.Match {
	if h.Text == nil {
		return format.Match{Why: []string{"binary, not text"}}
	}
	d, err := sniff(h.Text, &format.Mapping{})
	if err != nil {
		return format.Match{Why: []string{err.Error()}}
	}
	why := []string{fmt.Sprintf("%d columns separated by %s", len(d.columns), separatorName(d.delimiter))}
	g := format.GuessMapping(d.columns, d.rows)
	return format.Match{Score: format.Maybe, Why: append(why, g.Why...)}
}

func separatorName(c byte) string {
	switch c {
	case '\t':
		return "tab"
	case ' ':
		return "blanks"
	}
	return string(rune(c))
}

// propose makes the error of a table whose columns are not all recognised.
func propose(name string, d dialect, g format.Guess) error {
	e := &format.UnknownError{File: name, Because: "a table, but its columns do not say: " + strings.Join(g.Missing, ", ")}
	if d.headless {
		e.Because = "a table without a header line: its columns have no names"
	} else if whose := format.SideBySide(d.columns); len(whose) > 1 && g.Mapping.X != "" && slices.Contains(whose, without(g.Mapping.X)) {
		e.Because += fmt.Sprintf("; positions stand side by side (%s): a mapping reads one of them, make one for each", strings.Join(whose[:min(len(whose), 8)], ", "))
	}
	if !g.Usable() {
		e.Suggestion, e.Incomplete = template(d, &g.Mapping), true
		return e
	}
	m := g.Mapping
	m.Decimal, m.SkipLines = d.decimalKey(), d.skip
	if d.delimiter != ',' {
		m.Delimiter = string(rune(d.delimiter))
	}
	e.Suggestion = m.YAML()
	return e
}

// without is a column's name without its x.
func without(name string) string {
	if whose := format.SideBySide([]string{name, strings.NewReplacer("x", "y", "X", "Y").Replace(name)}); len(whose) > 0 {
		return whose[0]
	}
	return ""
}

// template is a mapping to fill in, for tables with unusual names; what was
// recognised stands there.
func template(d dialect, known *format.Mapping) string {
	var b strings.Builder
	b.WriteString("# columns: ")
	quote := namesOnly(d.columns)
	for i, c := range d.columns {
		if i > 0 {
			b.WriteString(", ")
		}
		if quote {
			b.WriteString(format.DisplayName(c))
		} else {
			fmt.Fprintf(&b, "column %d", i+1)
		}
	}
	b.WriteString("\n# replace each ... by a column's name or its number (#2), or leave the line out\n")
	m := *known
	m.Delimiter, m.Decimal, m.SkipLines = string(rune(d.delimiter)), d.decimalKey(), d.skip
	for _, gap := range [...]*string{&m.Time, &m.X, &m.Y, &m.Participant, &m.Stimulus} {
		if *gap == "" {
			*gap = "..."
		}
	}
	if m.TimeUnit == "" {
		m.TimeUnit = "ms"
	}
	if m.Unit == "" {
		m.Unit = "px"
	}
	b.WriteString(m.YAML())
	b.WriteString("# time_unit: s, ms, us, ns, datetime; unit: px, deg, norm\n")
	return b.String()
}

// namesOnly reports whether a first line looks like names throughout. One that
// holds a number or an address may be a row of data, which is not quoted: it may
// name somebody.
func namesOnly(columns []string) bool {
	for _, c := range columns {
		if _, number := format.ParseNumber([]byte(c), '.'); number || strings.ContainsRune(c, '@') {
			return false
		}
	}
	return true
}
