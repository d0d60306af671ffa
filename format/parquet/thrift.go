package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

// Types of Thrift's compact protocol.
const (
	tTrue = iota + 1
	tFalse
	tByte
	tInt16
	tInt32
	tInt64
	tDouble
	tBinary
	tList
	tSet
	tMap
	tStruct
)

// record is a Thrift struct: its fields by number.
type record map[int16]any

func (r record) int(id int16) (int64, bool) { v, ok := r[id].(int64); return v, ok }

// whole is a number, 0 where there is none.
func (r record) whole(id int16) int64 { v, _ := r[id].(int64); return v }

func (r record) text(id int16) string { v, _ := r[id].([]byte); return string(v) }

func (r record) record(id int16) record { v, _ := r[id].(record); return v }

func (r record) list(id int16) []any { v, _ := r[id].([]any); return v }

var errThrift = errors.New("the metadata are damaged")

// thrift decodes Thrift's compact protocol. It trusts no length: everything it
// makes is smaller than some dozen times the bytes it reads.
type thrift struct {
	b     []byte
	depth int
	items int
}

// limits of metadata.
const (
	maxDepth = 24
	maxItems = 1 << 22
)

func (t *thrift) byte() (byte, error) {
	if len(t.b) == 0 {
		return 0, errThrift
	}
	c := t.b[0]
	t.b = t.b[1:]
	return c, nil
}

func (t *thrift) varint() (uint64, error) {
	v, n := binary.Uvarint(t.b)
	if n <= 0 {
		return 0, errThrift
	}
	t.b = t.b[n:]
	return v, nil
}

func (t *thrift) zigzag() (int64, error) {
	v, err := t.varint()
	return int64(v>>1) ^ -int64(v&1), err
}

// structure reads a struct.
func (t *thrift) structure() (record, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, errThrift
	}
	defer func() { t.depth-- }()
	r := make(record)
	id := int16(0)
	for {
		c, err := t.byte()
		if err != nil || c == 0 {
			return r, err
		}
		if c>>4 != 0 {
			id += int16(c >> 4)
		} else {
			v, err := t.zigzag()
			if err != nil || v < math.MinInt16 || v > math.MaxInt16 {
				return nil, errThrift
			}
			id = int16(v)
		}
		switch c & 15 {
		case tTrue:
			r[id] = int64(1)
		case tFalse:
			r[id] = int64(0)
		default:
			if r[id], err = t.value(c & 15); err != nil {
				return nil, err
			}
		}
	}
}

func (t *thrift) value(kind byte) (any, error) {
	if t.items++; t.items > maxItems {
		return nil, errThrift
	}
	switch kind {
	case tTrue, tFalse, tByte: // in lists logical values take a byte
		c, err := t.byte()
		return int64(int8(c)), err
	case tInt16, tInt32, tInt64:
		return t.zigzag()
	case tDouble:
		if len(t.b) < 8 {
			return nil, errThrift
		}
		t.b = t.b[8:]
		return nil, nil
	case tBinary:
		return t.binary()
	case tList, tSet:
		return t.list()
	case tMap:
		return nil, t.skipMap()
	case tStruct:
		return t.structure()
	}
	return nil, errThrift
}

func (t *thrift) binary() ([]byte, error) {
	n, err := t.varint()
	if err != nil || n > uint64(len(t.b)) {
		return nil, errThrift
	}
	v := t.b[:n:n]
	t.b = t.b[n:]
	return v, nil
}

func (t *thrift) list() (any, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, errThrift
	}
	defer func() { t.depth-- }()
	c, err := t.byte()
	if err != nil {
		return nil, err
	}
	n := uint64(c >> 4)
	if n == 15 {
		if n, err = t.varint(); err != nil {
			return nil, err
		}
	}
	if n > uint64(len(t.b)) { // each item takes a byte at least
		return nil, errThrift
	}
	var items []any
	for range n {
		v, err := t.value(c & 15)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	return items, nil
}

func (t *thrift) skipMap() error {
	n, err := t.varint()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := t.byte()
	if err != nil || n > uint64(len(t.b)) {
		return errThrift
	}
	for range n {
		if _, err := t.value(kinds >> 4); err != nil {
			return err
		}
		if _, err := t.value(kinds & 15); err != nil {
			return err
		}
	}
	return nil
}
