package bids

import (
	"bytes"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
)

func short(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// sheet is a headerless table: a file's lines, taken apart by columns.
type sheet struct {
	lines   *format.Lines
	file    fs.File // to be closed; nil for the input itself
	columns []string
	cells   [][]byte
	bad     int // cells that are no numbers
	short   int // rows with too few cells
	head    []byte
}

// open opens a table beside the input; nil if it is not there or empty.
func open(fsys fs.FS, name string, columns []string) *sheet {
	if fsys == nil {
		return nil
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	in, err := format.NewInput(name, f)
	if err != nil || len(in.Head().Raw) == 0 {
		f.Close()
		return nil
	}
	head := bytes.Clone(in.Head().Text[:min(len(in.Head().Text), 16<<10)])
	return &sheet{lines: format.NewLines(in), file: f, columns: columns, head: head}
}

func (s *sheet) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// at returns a column's place, -1 without it.
func (s *sheet) at(name string) int {
	for i, c := range s.columns {
		if c == name {
			return i
		}
	}
	return -1
}

// next reads the next row with at least n cells.
func (s *sheet) next(n int) bool {
	for {
		line, ok := s.lines.Next()
		if !ok {
			return false
		}
		if len(line) == 0 {
			continue
		}
		s.cells = split(s.cells[:0], line)
		if len(s.cells) < n || !s.lines.Complete() && len(s.cells) < len(s.columns) {
			s.short++
			continue
		}
		return true
	}
}

// split cuts a line at its tabs; nothing in BIDS is quoted.
func split(cells [][]byte, line []byte) [][]byte {
	from := 0
	for i, c := range line {
		if c == '\t' {
			cells = append(cells, line[from:i])
			from = i + 1
		}
	}
	return append(cells, line[from:])
}

// number reads a cell; NaN where it is missing.
func (s *sheet) number(i int) float64 {
	if i < 0 || i >= len(s.cells) {
		return math.NaN()
	}
	v, ok := format.ParseNumber(s.cells[i], '.')
	if !ok {
		if !format.IsMissing(s.cells[i]) {
			s.bad++
		}
		return math.NaN()
	}
	return v
}

// text reads a cell; empty where it is n/a.
func (s *sheet) text(i int) string {
	if i < 0 || i >= len(s.cells) {
		return ""
	}
	t := strings.ToValidUTF8(string(s.cells[i]), "?")
	if t == "n/a" {
		return ""
	}
	return t
}
