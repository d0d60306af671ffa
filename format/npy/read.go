package npy

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the records of an array. Without a mapping the fields are
// recognised by name; where that leaves a question, the error is a
// *[format.UnknownError] with a mapping that answers it.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if err := read(in, o, yield); err != nil {
			yield(nil, err)
		}
	}
}

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	raw := in.Head().Raw
	if len(raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	if detect(in.Head()).Score == 0 {
		return &format.SyntaxError{File: in.Name, Msg: "no NumPy array: does not begin with \\x93NUMPY"}
	}
	h, size, err := parseHeader(raw)
	if err != nil {
		return &format.SyntaxError{File: in.Name, Msg: err.Error()}
	}
	if h.rows == 0 {
		return format.Empty(in.Name, 0)
	}
	if o.Mapping == nil {
		if o.Mapping, err = mapping(in, &h, raw[size:]); err != nil {
			return err
		}
	}
	if known := screen(in); known.Known() && !o.Known.Screen.Known() && (o.Mapping.Screen == nil) {
		o.Known.Screen = known
	}
	table, err := format.NewTable(o.Mapping, h.names(), in, o)
	if err != nil {
		return err
	}
	for _, s := range table.Slots() {
		if f := h.fields[s.Column]; f.kind == 0 {
			return &format.SyntaxError{File: in.Name, Msg: "the type of field " + format.DisplayName(f.name) + " is not read"}
		}
	}
	table.Start(yield)
	r := &reader{header: h, name: in.Name, table: table, row: table.Row(), record: make([]byte, h.size)}
	return r.run(in.Bytes(), size)
}

type reader struct {
	header
	name   string
	table  *format.Table
	row    *format.Row
	record []byte
	text   []byte
}

func (r *reader) run(from io.Reader, skip int) error {
	if _, err := io.CopyN(io.Discard, from, int64(skip)); err != nil {
		return &format.SyntaxError{File: r.name, Msg: "cannot be read", Err: err}
	}
	next := func(int64) error { _, err := io.ReadFull(from, r.record); return err }
	if r.columns {
		all, err := io.ReadAll(from)
		if err != nil {
			return &format.SyntaxError{File: r.name, Msg: "cannot be read further", Err: err}
		}
		if int64(len(all))/int64(r.size) < r.rows {
			return &format.SyntaxError{File: r.name, Msg: "the array is cut short"}
		}
		next = func(n int64) error { r.gather(all, n); return nil }
	}
	for n := range r.rows {
		if err := next(n); err != nil {
			return r.short(n, err)
		}
		r.fill()
		if !r.table.Add(r.row) {
			break
		}
	}
	return r.table.Close()
}

// gather puts row n of an array in Fortran order together.
func (r *reader) gather(all []byte, n int64) {
	for i := range r.fields {
		f := &r.fields[i]
		copy(r.record[f.at:f.at+f.size], all[(int64(i)*r.rows+n)*int64(f.size):])
	}
}

// short gives out what was read and says where the file ends.
func (r *reader) short(n int64, cause error) error {
	_ = r.table.Close() // the cause comes first
	e := &format.SyntaxError{File: r.name, Msg: "ends after record " + strconv.FormatInt(n, 10) + " of " + strconv.FormatInt(r.rows, 10)}
	if !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) {
		e.Err = cause
	}
	return e
}

// fill takes the fields that the table asks for out of the record.
func (r *reader) fill() {
	r.text = r.text[:0]
	for _, s := range r.table.Slots() {
		f := &r.fields[s.Column]
		switch s.Kind {
		case format.TimeSlot:
			r.row.Time, r.row.HasTime = r.stamp(f)
		case format.NumberSlot:
			r.row.Numbers[s.Index] = r.number(f)
		case format.TextSlot:
			r.row.Texts[s.Index] = r.asText(f)
		}
	}
}

func (r *reader) stamp(f *field) (format.Stamp, bool) {
	switch f.kind {
	case 'i', 'u':
		whole := f.whole(r.record)
		return format.Stamp{Whole: whole}, f.kind == 'i' || whole >= 0
	case 'f':
		return format.StampOf(f.number(r.record))
	}
	return r.table.Time(r.asText(f))
}

func (r *reader) number(f *field) float64 {
	switch f.kind {
	case 'i', 'u', 'f', 'b':
		if v := f.number(r.record); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return r.table.Value(v)
		}
		return math.NaN()
	}
	return r.table.Number(r.asText(f), 0)
}

// asText returns a field as text: logical values as 1 and 0.
func (r *reader) asText(f *field) []byte {
	from := len(r.text)
	r.text = f.appendText(r.text, r.record)
	return r.text[from:]
}

func (f *field) order() binary.ByteOrder {
	if f.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// bits returns a number's bytes.
func (f *field) bits(record []byte) uint64 {
	b := record[f.at : f.at+f.size]
	switch f.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(f.order().Uint16(b))
	case 4:
		return uint64(f.order().Uint32(b))
	}
	return f.order().Uint64(b)
}

func (f *field) whole(record []byte) int64 {
	v := f.bits(record)
	if f.kind != 'i' {
		return int64(v)
	}
	shift := 64 - 8*f.size
	return int64(v<<shift) >> shift
}

func (f *field) number(record []byte) float64 {
	switch {
	case f.kind == 'f' && f.size == 4:
		return float64(math.Float32frombits(uint32(f.bits(record))))
	case f.kind == 'f':
		return math.Float64frombits(f.bits(record))
	case f.kind == 'u':
		return float64(f.bits(record))
	}
	return float64(f.whole(record))
}

func (f *field) appendText(to, record []byte) []byte {
	switch f.kind {
	case 'S', 'a':
		b := record[f.at : f.at+f.size]
		return append(to, strings.TrimRight(string(b), "\x00")...)
	case 'U':
		for i := f.at; i < f.at+f.size; i += 4 {
			if c := f.order().Uint32(record[i:]); c != 0 && c <= utf8.MaxRune {
				to = utf8.AppendRune(to, rune(c))
			}
		}
		return to
	case 'f':
		return strconv.AppendFloat(to, f.number(record), 'g', -1, 64)
	case 'u':
		return strconv.AppendUint(to, f.bits(record), 10)
	case 'i', 'b':
		return strconv.AppendInt(to, f.whole(record), 10)
	}
	return to
}
