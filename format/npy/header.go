package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// Limits on what a header may claim: a record is read into memory as a whole.
const (
	maxFields = 4096
	maxRecord = 1 << 20
)

// header is what stands before the records.
type header struct {
	fields  []field
	size    int   // of a record in bytes
	rows    int64 // claimed
	columns bool  // Fortran order: one column after the other
}

// field is one number or text of a record.
type field struct {
	name string
	kind byte // b i u f S U, as in NumPy
	size int  // bytes
	big  bool // byte order
	at   int  // within the record
}

func (h *header) names() []string {
	names := make([]string, len(h.fields))
	for i, f := range h.fields {
		names[i] = f.name
	}
	return names
}

// parseHeader reads the description; size is where the records begin.
func parseHeader(b []byte) (h header, size int, err error) {
	if len(b) < 10 {
		return h, 0, errors.New("the header is cut short")
	}
	length, start := int(binary.LittleEndian.Uint16(b[8:])), 10
	if b[6] >= 2 {
		if len(b) < 12 {
			return h, 0, errors.New("the header is cut short")
		}
		length, start = int(binary.LittleEndian.Uint32(b[8:])), 12
	}
	if length > len(b)-start {
		return h, 0, errors.New("the header is cut short, or longer than 64 KiB")
	}
	v, err := parseLiteral(string(b[start : start+length]))
	if err != nil {
		return h, 0, err
	}
	dict, ok := v.(map[string]any)
	if !ok {
		return h, 0, errors.New("the header is no dictionary")
	}
	err = h.describe(dict)
	return h, start + length, err
}

func (h *header) describe(dict map[string]any) error {
	shape, ok := dict["shape"].(tuple)
	if !ok {
		return errors.New("the header has no shape")
	}
	h.columns, _ = dict["fortran_order"].(bool)
	dims := make([]int64, len(shape))
	for i, d := range shape {
		if dims[i], ok = d.(int64); !ok || dims[i] < 0 {
			return errors.New("the header's shape is damaged")
		}
	}
	if err := h.add("", dict["descr"], 0); err != nil {
		return err
	}
	if len(h.fields) == 1 && h.fields[0].name == "" {
		return h.plain(dims)
	}
	h.columns = false
	if len(dims) > 1 {
		return fmt.Errorf("a structured array of %d dimensions is not read: want one record per sample", len(dims))
	}
	h.rows = 1
	if len(dims) == 1 {
		h.rows = dims[0]
	}
	return nil
}

// plain turns a matrix into records of its columns, #1, #2 and so on.
func (h *header) plain(dims []int64) error {
	if len(dims) < 1 || len(dims) > 2 {
		return fmt.Errorf("a plain array of %d dimensions is not read: want rows, or rows × columns", len(dims))
	}
	width := int64(1)
	if len(dims) == 2 {
		width = dims[1]
	}
	one := h.fields[0]
	if width < 1 || width > maxFields || width*int64(one.size) > maxRecord {
		return fmt.Errorf("%d columns are too many or too few", width)
	}
	h.rows, h.fields, h.size = dims[0], nil, 0
	for i := range int(width) {
		one.name, one.at = "#"+strconv.Itoa(i+1), h.size
		h.fields = append(h.fields, one)
		h.size += one.size
	}
	return nil
}

// add appends the fields of a type: a code such as <f8, a list of named types,
// or one of these with a shape.
func (h *header) add(name string, descr any, depth int) error {
	if depth > 8 {
		return errors.New("the header's types are nested too deeply")
	}
	switch d := descr.(type) {
	case string:
		return h.addCode(name, d)
	case list:
		for _, entry := range d {
			if err := h.addNamed(name, entry, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("the header's type is not understood")
}

func (h *header) addNamed(parent string, entry any, depth int) error {
	t, ok := entry.(tuple)
	if !ok || len(t) < 2 || len(t) > 3 {
		return errors.New("the header's fields are damaged")
	}
	name, ok := t[0].(string)
	if !ok { // (title, name)
		if pair, isPair := t[0].(tuple); isPair && len(pair) == 2 {
			name, ok = pair[1].(string)
		}
	}
	if !ok {
		return errors.New("the header's fields are damaged")
	}
	if parent != "" {
		name = parent + "." + name
	}
	if len(t) == 2 {
		return h.add(name, t[1], depth)
	}
	n, err := product(t[2])
	if err != nil {
		return err
	}
	for i := range n {
		if err := h.add(name+"["+strconv.Itoa(i)+"]", t[1], depth); err != nil {
			return err
		}
	}
	return nil
}

// product is the number of elements of a field that is an array itself.
func product(shape any) (int, error) {
	dims, ok := shape.(tuple)
	if !ok {
		dims = tuple{shape}
	}
	n := int64(1)
	for _, d := range dims {
		v, ok := d.(int64)
		if !ok || v < 0 || v > maxFields {
			return 0, errors.New("the header's field shapes are damaged")
		}
		if n *= v; n > maxFields {
			return 0, errors.New("a field holds too many elements")
		}
	}
	return int(n), nil
}

// addCode appends a field of a basic type.
func (h *header) addCode(name, code string) error {
	f := field{name: name, at: h.size}
	if len(code) < 2 {
		return errors.New("the header's type is not understood")
	}
	switch code[0] {
	case '>':
		f.big = true
	case '<', '|', '=':
	default:
		code = "|" + code
	}
	f.kind = code[1]
	if f.kind == 'O' {
		return errors.New("arrays of Python objects (pickles) are not read: save numbers")
	}
	n, err := strconv.Atoi(leadingDigits(code[2:]))
	if err != nil || n < 0 || n > maxRecord {
		return errors.New("the header's type is not understood")
	}
	if f.size = n; f.kind == 'U' {
		f.size = 4 * n
	}
	return h.place(f)
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

// place appends a field of known type. Padding between fields (V) only takes
// room.
func (h *header) place(f field) error {
	known := false
	if f.kind == 'M' || f.kind == 'm' { // dates and spans are whole numbers of their unit
		f.kind = 'i'
	}
	switch f.kind {
	case 'b':
		known = f.size == 1
	case 'i', 'u':
		known = f.size == 1 || f.size == 2 || f.size == 4 || f.size == 8
	case 'f':
		known = f.size == 4 || f.size == 8
	case 'S', 'U', 'a':
		known = true
	}
	h.size += f.size
	if h.size > maxRecord || len(h.fields) >= maxFields {
		return errors.New("the records are too long")
	}
	switch {
	case known:
		h.fields = append(h.fields, f)
	case f.kind == 'V':
	case (f.kind == 'f' || f.kind == 'c') && f.name != "": // half, long double, complex: must not be asked for
		f.kind = 0
		h.fields = append(h.fields, f)
	default:
		return fmt.Errorf("numbers of type %c%d are not read", f.kind, f.size)
	}
	return nil
}
