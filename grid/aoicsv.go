package grid

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// SyntaxError says where a file of areas is wrong. Areas are public, so the
// message may quote them.
type SyntaxError struct {
	Line int // from 1
	Msg  string
}

// Error returns the message with its line.
func (e *SyntaxError) Error() string { return fmt.Sprintf("grid: areas, line %d: %s", e.Line, e.Msg) }

// maxCoordinate bounds coordinates so that areas cannot overflow.
const maxCoordinate = 1e9

// ParseAOIs reads areas of interest from CSV (separated by comma, semicolon or
// tab, as its header line is). The header names the columns, in any order:
// name and either x, y, width, height or polygon (or all five: rows with a
// polygon use it), and optionally stimulus; other columns are ignored. A polygon
// is a list of numbers x1 y1 x2 y2 … separated by spaces, commas or semicolons.
// Errors are [SyntaxError]s.
func ParseAOIs(r io.Reader) (AOIs, error) {
	buffered := bufio.NewReader(r)
	table := csv.NewReader(buffered)
	table.Comma = separator(buffered)
	table.TrimLeadingSpace = true
	table.FieldsPerRecord = -1
	head, err := table.Read()
	if err == io.EOF {
		return nil, &SyntaxError{1, "empty file: want a header line such as name,x,y,width,height"}
	} else if err != nil {
		return nil, located(err)
	}
	p, err := newAOIParser(head)
	if err != nil {
		return nil, err
	}
	for {
		row, err := table.Read()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, located(err)
		}
		line, _ := table.FieldPos(0)
		if err := p.add(row, line); err != nil {
			return nil, err
		}
	}
	if len(p.areas) == 0 {
		return nil, &SyntaxError{1, "no areas below the header line"}
	}
	return p.areas, nil
}

// separator looks at the header line and skips a byte order mark.
func separator(r *bufio.Reader) rune {
	if mark, _ := r.Peek(3); string(mark) == "\ufeff" {
		r.Discard(3)
	}
	start, _ := r.Peek(r.Size())
	head, _, _ := strings.Cut(string(start), "\n")
	switch {
	case strings.Contains(head, ","):
		return ','
	case strings.Contains(head, ";"):
		return ';'
	case strings.Contains(head, "\t"):
		return '\t'
	}
	return ','
}

func located(err error) error {
	if parse, ok := errors.AsType[*csv.ParseError](err); ok {
		return &SyntaxError{parse.Line, parse.Err.Error()}
	}
	return fmt.Errorf("grid: reading areas: %w", err)
}

// aoiParser turns rows into areas.
type aoiParser struct {
	column map[string]int
	areas  AOIs
	lines  map[[2]string]int // where a (stimulus, name) was first seen
}

var rectangleColumns = [...]string{"x", "y", "width", "height"}

func newAOIParser(head []string) (*aoiParser, error) {
	p := &aoiParser{column: map[string]int{}, lines: map[[2]string]int{}}
	for i, name := range head {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := p.column[name]; twice && name != "" {
			return nil, &SyntaxError{1, fmt.Sprintf("column %q appears twice", name)}
		}
		p.column[name] = i
	}
	if _, ok := p.column["name"]; !ok {
		return nil, &SyntaxError{1, "no column name: want name,x,y,width,height or name,polygon"}
	}
	if _, ok := p.column["polygon"]; ok {
		return p, nil
	}
	for _, name := range rectangleColumns {
		if _, ok := p.column[name]; !ok {
			return nil, &SyntaxError{1, fmt.Sprintf("no column %s: want name,x,y,width,height or name,polygon", name)}
		}
	}
	return p, nil
}

func (p *aoiParser) cell(row []string, column string) string {
	if i, ok := p.column[column]; ok && i < len(row) {
		return strings.TrimSpace(row[i])
	}
	return ""
}

func (p *aoiParser) add(row []string, line int) error {
	a := AOI{Name: p.cell(row, "name"), Stimulus: p.cell(row, "stimulus")}
	if a.Name == "" {
		return &SyntaxError{line, "area without a name"}
	}
	if first, twice := p.seen(a); twice {
		return &SyntaxError{line, fmt.Sprintf("area %q was named in line %d already", a.Name, first)}
	}
	p.lines[[2]string{a.Stimulus, a.Name}] = line
	var err error
	if polygon := p.cell(row, "polygon"); polygon != "" {
		err = a.parsePolygon(polygon)
	} else {
		err = p.rectangle(&a, row)
	}
	if err != nil {
		return &SyntaxError{line, fmt.Sprintf("area %q: %v", a.Name, err)}
	}
	p.areas = append(p.areas, a)
	return nil
}

// seen looks for an area of the same name that some stimulus would show twice.
func (p *aoiParser) seen(a AOI) (line int, ok bool) {
	if line, ok = p.lines[[2]string{a.Stimulus, a.Name}]; ok {
		return line, true
	}
	if a.Stimulus != "" {
		line, ok = p.lines[[2]string{"", a.Name}]
		return line, ok
	}
	for _, b := range p.areas {
		if b.Name == a.Name {
			return p.lines[[2]string{b.Stimulus, b.Name}], true
		}
	}
	return 0, false
}

func (p *aoiParser) rectangle(a *AOI, row []string) error {
	into := [...]*float64{&a.X, &a.Y, &a.Width, &a.Height}
	for i, name := range rectangleColumns {
		v, err := number(p.cell(row, name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*into[i] = v
	}
	if a.Width <= 0 || a.Height <= 0 {
		return fmt.Errorf("width and height must be positive, got %g × %g", a.Width, a.Height)
	}
	return nil
}

func (a *AOI) parsePolygon(s string) error {
	fields := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) })
	if len(fields)%2 != 0 {
		return fmt.Errorf("a polygon needs pairs of numbers, got %d numbers", len(fields))
	}
	for i := 0; i < len(fields); i += 2 {
		x, errX := number(fields[i])
		y, errY := number(fields[i+1])
		if err := errors.Join(errX, errY); err != nil {
			return fmt.Errorf("corner %d: %w", i/2+1, err)
		}
		a.Polygon = append(a.Polygon, Point{x, y})
	}
	if n := len(a.Polygon); n > 1 && a.Polygon[0] == a.Polygon[n-1] {
		a.Polygon = a.Polygon[:n-1]
	}
	if len(a.Polygon) < 3 {
		return fmt.Errorf("a polygon needs three corners, got %d", len(a.Polygon))
	}
	a.enclose()
	if a.Width == 0 || a.Height == 0 {
		return errors.New("a polygon needs an area, all corners lie on one line")
	}
	return nil
}

func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > maxCoordinate {
		return 0, fmt.Errorf("want a number of pixels, got %q", s)
	}
	return v, nil
}
