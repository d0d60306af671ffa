package matlab_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
)

// matFile writes MATLAB v5 files for the tests, in every form a reader meets.
type matFile struct {
	bytes.Buffer
	order binary.AppendByteOrder
}

func newMat(order binary.AppendByteOrder) *matFile {
	f := &matFile{order: order}
	header := bytes.Repeat([]byte(" "), 128)
	copy(header, "MATLAB 5.0 MAT-file, Platform: TEST, Created on: Wed Oct 14 2015")
	copy(header[116:], make([]byte, 8))
	copy(header[124:], f.order.AppendUint16(nil, 0x0100))
	copy(header[126:], f.order.AppendUint16(nil, 'M'<<8|'I'))
	f.Write(header)
	return f
}

// element packs data with a tag, small where it fits.
func (f *matFile) element(kind uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 && kind != 14 {
		out := f.order.AppendUint32(nil, uint32(n)<<16|kind)
		return append(append(out, data...), make([]byte, 4-n)...)
	}
	out := f.order.AppendUint32(nil, kind)
	out = f.order.AppendUint32(out, uint32(len(data)))
	out = append(out, data...)
	if kind != 14 {
		out = append(out, make([]byte, -len(data)&7)...)
	}
	return out
}

func (f *matFile) matrix(class uint32, dims []int, name string, content ...[]byte) []byte {
	var d []byte
	for _, n := range dims {
		d = f.order.AppendUint32(d, uint32(n))
	}
	body := f.element(6, f.order.AppendUint32(f.order.AppendUint32(nil, class), 0))
	body = append(body, f.element(5, d)...)
	body = append(body, f.element(1, []byte(name))...)
	return f.element(14, append(body, bytes.Join(content, nil)...))
}

func (f *matFile) doubles(name string, rows int, values ...float64) []byte {
	var data []byte
	for _, v := range values {
		data = f.order.AppendUint64(data, math.Float64bits(v))
	}
	return f.matrix(6, []int{rows, len(values) / max(rows, 1)}, name, f.element(9, data))
}

// stored writes values of class double in the smaller type kind, as MATLAB does.
func (f *matFile) stored(name string, class, kind uint32, values ...int64) []byte {
	var data []byte
	for _, v := range values {
		switch kind {
		case 1, 2:
			data = append(data, byte(v))
		case 3, 4:
			data = f.order.AppendUint16(data, uint16(v))
		case 5, 6:
			data = f.order.AppendUint32(data, uint32(v))
		case 7:
			data = f.order.AppendUint32(data, math.Float32bits(float32(v)))
		case 12, 13:
			data = f.order.AppendUint64(data, uint64(v))
		}
	}
	return f.matrix(class, []int{1, len(values)}, name, f.element(kind, data))
}

func (f *matFile) text(name, s string) []byte {
	var data []byte
	for _, c := range s {
		data = f.order.AppendUint16(data, uint16(c))
	}
	return f.matrix(4, []int{1, len(data) / 2}, name, f.element(17, data))
}

func (f *matFile) cells(name string, elements ...[]byte) []byte {
	return f.matrix(1, []int{len(elements), 1}, name, elements...)
}

// structs writes a struct array: the values of all fields, element by element.
func (f *matFile) structs(name string, fields []string, values ...[]byte) []byte {
	names := make([]byte, 32*len(fields))
	for i, n := range fields {
		copy(names[32*i:], n)
	}
	content := [][]byte{f.element(5, f.order.AppendUint32(nil, 32)), f.element(1, names)}
	return f.matrix(2, []int{1, len(values) / len(fields)}, name, append(content, values...)...)
}

// put adds a variable, compressed or not.
func (f *matFile) put(variable []byte, compressed bool) *matFile {
	if !compressed {
		f.Write(variable)
		return f
	}
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(variable) // to memory
	_ = w.Close()
	f.Write(f.order.AppendUint32(f.order.AppendUint32(nil, 15), uint32(z.Len())))
	f.Write(z.Bytes())
	return f
}
