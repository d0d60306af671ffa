package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

var errPage = errors.New("a page of values is damaged")

// hybrid reads at most n numbers of bit-packed and run-length encoding; fewer
// where the bytes end.
func hybrid(b []byte, width, n int) ([]uint32, error) {
	if width < 0 || width > 32 {
		return nil, errPage
	}
	var out []uint32
	for len(out) < n && len(b) > 0 {
		head, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errPage
		}
		b = b[k:]
		count := head >> 1
		if head&1 == 1 {
			count = min(count, uint64(n)/8+1) // groups of eight
			bytes := min(int(count)*width, len(b))
			out = unpack(out, b[:bytes], width, min(int(count)*8, n-len(out)))
			b = b[bytes:]
			continue
		}
		size := (width + 7) / 8
		if size > len(b) {
			return nil, errPage
		}
		var v uint32
		for i := range size {
			v |= uint32(b[i]) << (8 * i)
		}
		b = b[size:]
		for range min(count, uint64(n-len(out))) {
			out = append(out, v)
		}
	}
	if width == 0 {
		for len(out) < n {
			out = append(out, 0)
		}
	}
	return out, nil
}

// unpack appends n numbers of the given width, least significant bit first.
func unpack(out []uint32, b []byte, width, n int) []uint32 {
	var bits uint64
	have := 0
	mask := uint64(1)<<width - 1
	for range n {
		for have < width {
			if len(b) == 0 {
				return out
			}
			bits |= uint64(b[0]) << have
			b = b[1:]
			have += 8
		}
		out = append(out, uint32(bits&mask))
		bits >>= width
		have -= width
	}
	return out
}

// values are a page's or a dictionary's, of its leaf's kind.
type values struct {
	wholes  []int64
	numbers []float64
	texts   [][]byte
}

func (v *values) len() int { return max(len(v.wholes), len(v.numbers), len(v.texts)) }

// encodings.
const (
	ePlain         = 0
	ePlainDict     = 2
	eRLE           = 3
	eDelta         = 5
	eDeltaLength   = 6
	eDeltaBytes    = 7
	eDict          = 8
	eByteStreamSpl = 9
)

// decode reads n values.
func (l *leaf) decode(encoding int64, b []byte, n int, dict *values) (values, error) {
	switch encoding {
	case ePlain:
		return l.plain(b, n)
	case ePlainDict, eDict:
		return l.indexed(b, n, dict)
	case eRLE:
		return l.logical(b, n)
	case eDelta:
		if l.physical == pInt32 || l.physical == pInt64 {
			w, _, err := deltas(b, n)
			return l.fromWholes(w), err
		}
	case eDeltaLength, eDeltaBytes:
		if l.physical == pBytes {
			t, err := deltaTexts(b, n, encoding == eDeltaBytes)
			return values{texts: t}, err
		}
	case eByteStreamSpl:
		if size := l.size(); size > 0 && l.physical != pBool {
			return l.plain(join(b, size), n)
		}
	}
	return values{}, errors.New("an encoding of values that is not read")
}

// size is the length of a value in bytes; 0 where it varies.
func (l *leaf) size() int {
	switch l.physical {
	case pInt32, pFloat:
		return 4
	case pInt64, pDouble:
		return 8
	case pInt96:
		return 12
	}
	return 0
}

func (l *leaf) plain(b []byte, n int) (values, error) {
	if l.physical == pBool {
		return l.fromWholes(widen(unpack(nil, b, 1, n))), nil
	}
	if l.physical == pBytes {
		return plainTexts(b, n)
	}
	size := l.size()
	if size == 0 || n > len(b)/size {
		return values{}, errPage
	}
	b = b[:n*size]
	switch l.physical {
	case pFloat, pDouble:
		return values{numbers: floats(b, size)}, nil
	case pInt96:
		return values{wholes: julian(b)}, nil
	}
	w := make([]int64, 0, n)
	for ; len(b) > 0; b = b[size:] {
		if size == 4 {
			w = append(w, int64(int32(binary.LittleEndian.Uint32(b))))
		} else {
			w = append(w, int64(binary.LittleEndian.Uint64(b)))
		}
	}
	return l.fromWholes(w), nil
}

func floats(b []byte, size int) []float64 {
	out := make([]float64, 0, len(b)/size)
	for ; len(b) > 0; b = b[size:] {
		if size == 4 {
			out = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		} else {
			out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	return out
}

// julian reads the old times: nanoseconds of the day, and its Julian number.
func julian(b []byte) []int64 {
	var out []int64
	for ; len(b) >= 12; b = b[12:] {
		day := int64(binary.LittleEndian.Uint32(b[8:])) - 2440588
		out = append(out, day*86400e9+int64(binary.LittleEndian.Uint64(b)))
	}
	return out
}

// fromWholes applies sign and decimal places.
func (l *leaf) fromWholes(w []int64) values {
	if l.unsigned && l.physical == pInt32 {
		for i := range w {
			w[i] = int64(uint32(w[i]))
		}
	}
	if l.kind != number {
		return values{wholes: w}
	}
	scale := math.Pow10(l.scale)
	numbers := make([]float64, len(w))
	for i := range w {
		numbers[i] = float64(w[i]) / scale
	}
	return values{numbers: numbers}
}

func plainTexts(b []byte, n int) (values, error) {
	var out [][]byte
	for range n {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return values{}, errPage
		}
		k := int(binary.LittleEndian.Uint32(b))
		out = append(out, b[4:4+k])
		b = b[4+k:]
	}
	return values{texts: out}, nil
}

func widen(v []uint32) []int64 {
	w := make([]int64, len(v))
	for i, x := range v {
		w[i] = int64(x)
	}
	return w
}

// logical reads run-length encoded logical values.
func (l *leaf) logical(b []byte, n int) (values, error) {
	if l.physical != pBool || len(b) < 4 {
		return values{}, errPage
	}
	v, err := hybrid(b[4:], 1, n)
	return values{wholes: widen(v)}, err
}

func (l *leaf) indexed(b []byte, n int, dict *values) (values, error) {
	if dict == nil || len(b) < 1 {
		if n == 0 {
			return values{}, nil
		}
		return values{}, errPage
	}
	at, err := hybrid(b[1:], int(b[0]), n)
	if err != nil {
		return values{}, err
	}
	size := uint32(dict.len())
	for _, i := range at {
		if i >= size {
			return values{}, errPage
		}
	}
	switch l.kind {
	case whole:
		return values{wholes: pick(dict.wholes, at)}, nil
	case number:
		return values{numbers: pick(dict.numbers, at)}, nil
	}
	return values{texts: pick(dict.texts, at)}, nil
}

func pick[T any](from []T, at []uint32) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = from[k]
	}
	return out
}

// deltas reads at most n whole numbers of delta encoding, and what follows.
func deltas(b []byte, n int) ([]int64, []byte, error) {
	r := thrift{b: b}
	block, err1 := r.varint()
	minis, err2 := r.varint()
	total, err3 := r.varint()
	first, err4 := r.zigzag()
	if err := errors.Join(err1, err2, err3, err4); err != nil || minis == 0 || minis > 4096 || block == 0 || block%(8*minis) != 0 || block > 1<<24 {
		return nil, nil, errPage
	}
	if total > uint64(n) {
		return nil, nil, errPage
	}
	var out []int64
	if total > 0 {
		out = append(out, first)
	}
	each := int(block / minis)
	for uint64(len(out)) < total {
		least, err := r.zigzag()
		if err != nil || uint64(len(r.b)) < minis {
			return nil, nil, errPage
		}
		widths := r.b[:minis]
		r.b = r.b[minis:]
		for _, w := range widths {
			if uint64(len(out)) >= total {
				break
			}
			size := each / 8 * int(w)
			if w > 64 || size > len(r.b) {
				return nil, nil, errPage
			}
			out = undelta(out, r.b[:size], int(w), min(each, int(total)-len(out)), least)
			r.b = r.b[size:]
		}
	}
	return out, r.b, nil
}

// undelta appends n numbers, each the one before plus a packed difference.
func undelta(out []int64, b []byte, width, n int, least int64) []int64 {
	bit := 0
	for range n {
		var d uint64
		for k := 0; k < width; {
			take := min(8-bit%8, width-k)
			d |= uint64(b[bit/8]>>(bit%8)) & (1<<take - 1) << k
			bit += take
			k += take
		}
		out = append(out, out[len(out)-1]+least+int64(d))
	}
	return out
}

// deltaTexts reads texts whose lengths come first, and with prefixes the
// lengths that they share with the text before.
func deltaTexts(b []byte, n int, prefixes bool) ([][]byte, error) {
	var shared []int64
	var err error
	if prefixes {
		if shared, b, err = deltas(b, n); err != nil {
			return nil, err
		}
	}
	lengths, b, err := deltas(b, n)
	if err != nil || prefixes && len(shared) != len(lengths) {
		return nil, errPage
	}
	room := 64*len(b) + 1<<20 // shared beginnings must not grow without end
	var out [][]byte
	var last []byte
	for i, k := range lengths {
		if k < 0 || k > int64(len(b)) {
			return nil, errPage
		}
		one := b[:k:k]
		b = b[k:]
		if prefixes {
			if shared[i] < 0 || shared[i] > int64(len(last)) {
				return nil, errPage
			}
			one = append(last[:shared[i]:shared[i]], one...)
			if room -= len(one); room < 0 {
				return nil, errPage
			}
		}
		out, last = append(out, one), one
	}
	return out, nil
}

// join puts values together whose bytes were stored stream by stream.
func join(b []byte, size int) []byte {
	n := len(b) / size
	out := make([]byte, n*size)
	for i := range n {
		for k := range size {
			out[i*size+k] = b[k*n+i]
		}
	}
	return out
}
