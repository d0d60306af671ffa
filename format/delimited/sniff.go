package delimited

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// dialect is how a table is written.
type dialect struct {
	delimiter byte
	decimal   byte
	skip      int // lines before the header
	comment   string
	headless  bool
	columns   []string
	rows      [][]string // of the head, with decimal points
}

func (d *dialect) decimalKey() string {
	if d.decimal == ',' {
		return ","
	}
	return ""
}

var errNoTable = errors.New("no delimiter (tab ; | , blank) splits its lines into equally many fields")

// delimiters in the order in which they win a tie.
var delimiters = [...]byte{'\t', ';', '|', ',', ' '}

const sniffLines = 200

// sniff finds a table's dialect. What the mapping states is taken from it.
func sniff(text []byte, m *format.Mapping) (dialect, error) {
	lines, first, above := headLines(text, m)
	if len(lines) == 0 {
		return dialect{}, errors.New("no lines of text")
	}
	if c := bytes.TrimSpace(lines[0]); (c[0] == '{' || c[0] == '<' || c[0] == '@') && m.Delimiter == "" {
		return dialect{}, errors.New("begins like JSON, XML or ARFF, not like a table")
	}
	d := dialect{decimal: '.', comment: m.Comment}
	start, ok := d.delimit(lines, m)
	if !ok {
		return dialect{}, errNoTable
	}
	d.skip = first[start]
	if !d.head(lines[start:], m) {
		return dialect{}, errNoTable
	}
	if d.delimiter == ' ' && m.Delimiter == "" && len(d.rows) > 0 && !anyNumber(d.rows) {
		return dialect{}, errNoTable // prose
	}
	if names := d.remarked(above[start], m); names != nil {
		d.headless, d.columns = false, names
		d.skip-- // the remark is the header line
	}
	return d, nil
}

// remarked returns the columns' names where they stand in a comment above the
// first row (# t, x, y). It must be sure: comments name people as well.
func (d *dialect) remarked(line []byte, m *format.Mapping) []string {
	if !d.headless || line == nil {
		return nil
	}
	mark := firstNonEmpty(m.Comment, markOf(line))
	line = bytes.TrimPrefix(line, []byte(mark))
	for _, c := range append([]byte{d.delimiter}, delimiters[:]...) {
		if c != '\t' {
			line = bytes.TrimLeft(line, " ")
		}
		fields := format.SplitFields(nil, line, c)
		if len(fields) != len(d.columns) {
			continue
		}
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = firstNonEmpty(strings.TrimSpace(string(f)), mark)
		}
		if known := m.ColumnNames(); len(known) > 0 && 2*hits(fields, known) > len(known) || len(known) == 0 && tableNames(names) {
			return names
		}
	}
	return nil
}

func anyNumber(rows [][]string) bool {
	return slices.ContainsFunc(rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(c string) bool { _, ok := format.ParseNumber([]byte(c), '.'); return ok })
	})
}

// tableNames reports whether names are those of a table of gaze.
func tableNames(names []string) bool {
	g := format.GuessMapping(names, nil)
	m := &g.Mapping
	return (m.X != "" || m.XLeft != "" || m.XRight != "") && (m.Time != "" || m.Duration != "") && !numeric(names)
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// delimit finds the delimiter and the line with which the table begins.
func (d *dialect) delimit(lines [][]byte, m *format.Mapping) (start int, ok bool) {
	names := m.ColumnNames()
	if c, start, ok := byNames(lines, names); ok && len(m.Columns) == 0 && (m.Delimiter == "" || m.Delimiter[0] == c) {
		d.delimiter = c
		return start, true
	}
	var width int
	if m.Delimiter != "" {
		d.delimiter = m.Delimiter[0]
		width, start, _ = consistency(lines, d.delimiter)
	} else if d.delimiter, width, start = bestDelimiter(lines); width < 2 {
		return 0, false
	}
	if m.SkipLines > 0 || len(m.Columns) > 0 || width < 2 {
		start = 0
	} else {
		start = d.pastNotes(lines, start, width)
	}
	return start, true
}

// pastNotes moves the start past lines like "Rate:<tab>250" that have a field
// fewer than the table and stand above its header line: names that numbers
// follow.
func (d *dialect) pastNotes(lines [][]byte, start, width int) int {
	cells := func(i int) []string {
		var row []string
		for _, f := range format.SplitFields(nil, lines[i], d.delimiter) {
			row = append(row, string(f))
		}
		return row
	}
	for i := start; i+1 < len(lines) && i < start+maxNotes; i++ {
		header := cells(i)
		if len(header) >= width && !anyNumber([][]string{header}) && numeric(cells(i+1)) {
			return i
		}
	}
	return start
}

// maxNotes is how many lines may stand above a header line.
const maxNotes = 60

// head splits the head's lines into names and rows.
func (d *dialect) head(lines [][]byte, m *format.Mapping) bool {
	var fields [][]byte
	for _, line := range lines {
		fields = format.SplitFields(fields[:0], line, d.delimiter)
		row := make([]string, len(fields))
		for i, f := range fields {
			row[i] = string(f)
		}
		d.rows = append(d.rows, row)
	}
	if len(d.rows) == 0 {
		return false
	}
	d.decimal = decimalOf(d.rows, d.delimiter, m)
	if len(m.Columns) > 0 {
		d.columns = m.Columns
	} else if d.columns = d.rows[0]; numeric(d.columns) {
		d.headless = true
		d.columns = make([]string, len(d.rows[0]))
		for i := range d.columns {
			d.columns[i] = "#" + strconv.Itoa(i+1)
		}
	} else {
		d.rows = d.rows[1:]
	}
	if d.decimal == ',' {
		for _, row := range d.rows {
			for i := range row {
				row[i] = strings.Replace(row[i], ",", ".", 1)
			}
		}
	}
	return true
}

// numeric reports whether a would-be header holds numbers.
func numeric(cells []string) bool {
	n := 0
	for _, c := range cells {
		if _, ok := format.ParseNumber([]byte(c), '.'); ok {
			n++
		} else if _, ok := format.ParseNumber([]byte(c), ','); ok {
			n++
		}
	}
	return n > 0 && 2*n >= len(cells)
}

// headLines returns the first lines that are neither empty nor comments, how
// many lines of the file precede each, and the comment directly above each.
func headLines(text []byte, m *format.Mapping) (lines [][]byte, before []int, above [][]byte) {
	sep := byte('\n')
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		sep = '\r'
	}
	var remark []byte
	for n := 0; len(text) > 0 && len(lines) < sniffLines; n++ {
		line, rest, ended := bytes.Cut(text, []byte{sep})
		text = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		if isComment(line, m.Comment) {
			remark = line
			continue
		}
		if n < m.SkipLines || len(bytes.TrimSpace(line)) == 0 {
			remark = nil
			continue
		}
		if !ended && len(lines) > 1 { // cut short by the end of the head
			break
		}
		lines, before, above = append(lines, line), append(before, n), append(above, remark)
		remark = nil
	}
	return lines, before, above
}

// markOf is the usual mark with which a line is a comment; empty if none.
func markOf(line []byte) string {
	for _, mark := range [...]string{"#", "%", "//"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return mark
		}
	}
	return ""
}

func isComment(line []byte, mark string) bool {
	if mark != "" {
		return bytes.HasPrefix(line, []byte(mark))
	}
	return markOf(line) != ""
}

// bestDelimiter returns the delimiter whose field count agrees on most lines,
// that count, and the first line that has it. A comma must give two columns
// more than its rival: one column more is what decimal commas look like.
func bestDelimiter(lines [][]byte) (best byte, width, start int) {
	var share float64
	for _, c := range delimiters {
		w, s, agree := consistency(lines, c)
		odd := (1 - agree) * float64(len(lines)-s)
		if w < 2 || agree < 0.8 && odd > 1.5 || len(lines)-s < 2 && len(lines) > 1 {
			continue
		}
		if c == ' ' && width >= 2 {
			continue
		}
		if width < 2 || agree > share+0.1 || w > width+1 && agree >= share-0.02 && s <= start {
			best, width, start, share = c, w, s, agree
		}
	}
	return best, width, start
}

// byNames finds the header line by the columns a mapping names: the first line
// that some delimiter splits into fields with most of them.
func byNames(lines [][]byte, names []string) (delimiter byte, start int, ok bool) {
	var fields [][]byte
	most := 0
	for _, c := range delimiters {
		for i, line := range lines {
			fields = format.SplitFields(fields[:0], line, c)
			if n := hits(fields, names); n > most {
				delimiter, start, most = c, i, n
			}
		}
	}
	return delimiter, start, 2*most > len(names)
}

func hits(fields [][]byte, names []string) int {
	n := 0
	for _, name := range names {
		for _, f := range fields {
			if strings.EqualFold(strings.TrimSpace(string(f)), strings.TrimSpace(name)) {
				n++
				break
			}
		}
	}
	return n
}

// consistency returns the commonest field count of the lines, where it begins,
// and the share of lines from there on that have it.
func consistency(lines [][]byte, delimiter byte) (width, start int, share float64) {
	counts := make([]int, len(lines))
	often := make(map[int]int)
	var fields [][]byte
	for i, line := range lines {
		fields = format.SplitFields(fields[:0], line, delimiter)
		counts[i] = len(fields)
		often[counts[i]]++
		if counts[i] >= 2 && (width < 2 || often[counts[i]] > often[width]) {
			width = counts[i]
		}
	}
	if width < 2 {
		return 1, 0, 1
	}
	same, from := 0, -1
	for i, n := range counts {
		// The header and the rows may differ by a trailing delimiter.
		if n == width || n == width+1 || n == width-1 && n >= 2 {
			if from < 0 {
				from = i
			}
			same++
		}
	}
	return width, from, float64(same) / float64(len(counts)-from)
}

// decimalOf recognises decimal commas: numbers with a comma, none with a point.
func decimalOf(rows [][]string, delimiter byte, m *format.Mapping) byte {
	if m.Decimal != "" {
		return m.Decimal[0]
	}
	if delimiter == ',' {
		return '.'
	}
	commas := 0
	for _, row := range rows {
		for _, c := range row {
			if strings.Contains(c, ".") {
				if _, ok := format.ParseNumber([]byte(c), '.'); ok {
					return '.'
				}
			} else if strings.Contains(c, ",") {
				if _, ok := format.ParseNumber([]byte(c), ','); ok {
					commas++
				}
			}
		}
	}
	if commas > 0 {
		return ','
	}
	return '.'
}
