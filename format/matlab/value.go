package matlab

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Class is a MATLAB class.
type Class uint8

// Classes of arrays (MAT-File Format, version 5, table 1-3).
const (
	Cell Class = iota + 1
	Struct
	Object
	Char
	Sparse
	Double
	Single
	Int8
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
)

// Limits on what a file may make the reader hold.
const (
	MaxNumbers = 1 << 27 // in one variable
	nodeCost   = 32      // of an array in a cell or struct, in numbers
	maxDepth   = 64      // of nesting
	maxFields  = 1 << 12
)

// Value is a variable or a part of one.
type Value struct {
	Name    string // of a variable
	Class   Class
	Dims    []int     // rows, columns, …
	Numbers []float64 // of numeric classes, in MATLAB's order: down the columns
	Text    string    // of Char; rows are separated by \n
	Cells   []*Value  // of Cell: its elements in MATLAB's order
	Fields  []string  // of Struct
	Members []*Value  // of Struct: element by element, for each its fields
}

// Numeric reports whether the value holds numbers.
func (v *Value) Numeric() bool { return v.Class >= Double && v.Class <= Uint64 }

// Len is the number of elements.
func (v *Value) Len() int {
	switch v.Class {
	case Cell:
		return len(v.Cells)
	case Struct, Object:
		if len(v.Fields) == 0 {
			return 0
		}
		return len(v.Members) / len(v.Fields)
	case Char:
		return 1
	}
	return len(v.Numbers)
}

// At returns element i of a cell array, or element i of a struct array as a
// struct of one element; nil where there is none.
func (v *Value) At(i int) *Value {
	switch {
	case i < 0 || i >= v.Len():
		return nil
	case v.Class == Cell:
		return v.Cells[i]
	case v.Class == Struct || v.Class == Object:
		n := len(v.Fields)
		return &Value{Class: v.Class, Dims: []int{1, 1}, Fields: v.Fields, Members: v.Members[i*n : (i+1)*n]}
	}
	return nil
}

// Field returns a field of a struct's first element; nil if it has none.
func (v *Value) Field(name string) *Value {
	for i, f := range v.Fields {
		if f == name && i < len(v.Members) {
			return v.Members[i]
		}
	}
	return nil
}

// Column returns column k (from 1) of a numeric matrix; nil if there is none.
func (v *Value) Column(k int) []float64 {
	if !v.Numeric() || len(v.Dims) < 2 || k < 1 {
		return nil
	}
	rows := v.Dims[0]
	if rows <= 0 || k > len(v.Numbers)/rows {
		return nil
	}
	return v.Numbers[(k-1)*rows : k*rows]
}

// matrix reads the content of a miMATRIX element of n bytes.
func (s *source) matrix(n uint32, depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("matlab: nested deeper than %d", maxDepth)
	}
	if int64(n) > s.left {
		return nil, fmt.Errorf("%w: an element is longer than the one that holds it", errDamaged)
	}
	if n == 0 {
		return &Value{Class: Double, Dims: []int{0, 0}}, nil
	}
	inner := s.within(n)
	s.left -= int64(n)
	if err := s.spend(nodeCost); err != nil {
		return nil, err
	}
	v, flags, err := inner.header()
	if err != nil {
		return nil, err
	}
	if err := inner.content(v, flags, depth); err != nil {
		return nil, err
	}
	return v, inner.skip(inner.left)
}

// header reads flags, dimensions and name.
func (s *source) header() (*Value, uint32, error) {
	_, data, err := s.element()
	if err != nil {
		return nil, 0, err
	}
	if len(data) < 8 {
		return nil, 0, fmt.Errorf("%w: array flags", errDamaged)
	}
	flags := s.order.Uint32(data)
	v := &Value{Class: Class(flags & 0xff)}
	if v.Class > Uint64 || v.Class == 0 { // function handles, objects of classdef
		return v, flags, nil
	}
	dims, err := s.numbers()
	if err != nil {
		return nil, 0, err
	}
	for _, d := range dims {
		v.Dims = append(v.Dims, int(d))
	}
	_, name, err := s.element()
	v.Name = strings.ToValidUTF8(string(name), "?")
	return v, flags, err
}

func (s *source) content(v *Value, flags uint32, depth int) error {
	switch {
	case v.Class == Cell:
		return s.cells(v, depth)
	case v.Class == Struct:
		return s.members(v, depth)
	case v.Class == Object:
		if _, _, err := s.element(); err != nil { // class name
			return err
		}
		return s.members(v, depth)
	case v.Class == Char:
		return s.text(v)
	case v.Numeric():
		var err error
		v.Numbers, err = s.numbers()
		return err // an imaginary part is skipped
	}
	return nil // sparse and opaque ones are skipped
}

// count is the product of the dimensions, if it can be that much in the bytes
// that are left.
func (s *source) count(v *Value) (int, error) {
	n := int64(1)
	for _, d := range v.Dims {
		if d < 0 || d > 0 && n > s.left/int64(d) {
			return 0, fmt.Errorf("%w: dimensions larger than the data", errDamaged)
		}
		n *= int64(d)
	}
	return int(n), nil
}

func (s *source) cells(v *Value, depth int) error {
	n, err := s.count(v)
	if err != nil {
		return err
	}
	for range n {
		c, err := s.child(depth)
		if err != nil {
			return err
		}
		v.Cells = append(v.Cells, c)
	}
	return nil
}

func (s *source) child(depth int) (*Value, error) {
	t, err := s.tag()
	if err != nil {
		return nil, err
	}
	if t.kind != miMATRIX || t.small {
		return nil, fmt.Errorf("%w: element of type %d where an array was expected", errDamaged, t.kind)
	}
	return s.matrix(t.n, depth+1)
}

func (s *source) members(v *Value, depth int) error {
	width, err := s.numbers()
	if err != nil {
		return err
	}
	_, names, err := s.element()
	if err != nil {
		return err
	}
	if len(width) != 1 || width[0] < 1 || len(names)/int(width[0]) > maxFields {
		return fmt.Errorf("%w: field names", errDamaged)
	}
	for w := int(width[0]); len(names) >= w; names = names[w:] {
		name, _, _ := strings.Cut(string(names[:w]), "\x00")
		v.Fields = append(v.Fields, name)
	}
	n, err := s.count(v)
	if err != nil {
		return err
	}
	for range n * len(v.Fields) {
		c, err := s.child(depth)
		if err != nil {
			return err
		}
		v.Members = append(v.Members, c)
	}
	return nil
}

// text reads characters, which MATLAB stores down the columns as well.
func (s *source) text(v *Value) error {
	t, data, err := s.element()
	if err != nil {
		return err
	}
	chars, err := s.characters(t.kind, data)
	if err != nil {
		return err
	}
	rows := 1
	if len(v.Dims) > 0 && v.Dims[0] > 1 && v.Dims[0] <= len(chars) {
		rows = v.Dims[0]
	}
	lines := make([]string, rows)
	for r := range rows {
		var b strings.Builder
		for i := r; i < len(chars); i += rows {
			b.WriteRune(chars[i])
		}
		lines[r] = strings.TrimRight(b.String(), " \x00")
	}
	v.Text = strings.Join(lines, "\n")
	return nil
}

func (s *source) characters(kind uint32, data []byte) ([]rune, error) {
	switch kind {
	case miUTF8, miINT8:
		if utf8.Valid(data) {
			return []rune(string(data)), nil
		}
	case miUTF16, miUINT16:
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = s.order.Uint16(data[2*i:])
		}
		return utf16.Decode(units), nil
	}
	codes, err := s.convert(kind, data)
	if err != nil {
		return nil, err
	}
	out := make([]rune, len(codes))
	for i, c := range codes {
		out[i] = rune(c)
	}
	return out, nil
}

// byteOrder reads the mark of a file's header.
func byteOrder(header []byte) (binary.ByteOrder, bool) {
	switch string(header[126:128]) {
	case "IM":
		return binary.LittleEndian, true
	case "MI":
		return binary.BigEndian, true
	}
	return nil, false
}
