package matlab

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"

	"github.com/gazeward/gazeward/format"
)

// Data types of elements (MAT-File Format, version 5, table 1-1).
const (
	miINT8       = 1
	miUINT8      = 2
	miINT16      = 3
	miUINT16     = 4
	miINT32      = 5
	miUINT32     = 6
	miSINGLE     = 7
	miDOUBLE     = 9
	miINT64      = 12
	miUINT64     = 13
	miMATRIX     = 14
	miCOMPRESSED = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

// sizes of one value of a type in bytes; 0 = no numbers.
var sizes = [...]int{
	miINT8: 1, miUINT8: 1, miINT16: 2, miUINT16: 2, miINT32: 4, miUINT32: 4, miSINGLE: 4, miDOUBLE: 8,
	miINT64: 8, miUINT64: 8, miUTF8: 1, miUTF16: 2, miUTF32: 4,
}

// tag begins an element. Small elements (at most four bytes) are packed into
// the tag's second word.
type tag struct {
	kind  uint32
	n     uint32 // bytes of data
	small bool
	word  [4]byte // data of a small element
}

// source reads elements and keeps count of what is left of the enclosing one.
type source struct {
	r      io.Reader
	order  binary.ByteOrder
	left   int64
	budget *int // numbers that the variable may still hold
}

// within is a source of the next n bytes.
func (s *source) within(n uint32) *source {
	return &source{r: s.r, order: s.order, left: int64(n), budget: s.budget}
}

// spend takes n numbers off the variable's budget.
func (s *source) spend(n int) error {
	if *s.budget -= n; *s.budget < 0 {
		return fmt.Errorf("matlab: a variable is larger than %d numbers", MaxNumbers)
	}
	return nil
}

var errDamaged = errors.New("damaged or truncated MATLAB data")

func (s *source) read(p []byte) error {
	if int64(len(p)) > s.left {
		return fmt.Errorf("%w: an element is longer than the one that holds it", errDamaged)
	}
	s.left -= int64(len(p))
	if _, err := io.ReadFull(s.r, p); err != nil {
		return damaged(err)
	}
	return nil
}

func (s *source) skip(n int64) error {
	if n > s.left {
		return fmt.Errorf("%w: an element is longer than the one that holds it", errDamaged)
	}
	s.left -= n
	if _, err := io.CopyN(io.Discard, s.r, n); err != nil {
		return damaged(err)
	}
	return nil
}

func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return errors.Join(errDamaged, err)
}

func (s *source) tag() (tag, error) {
	var b [8]byte
	if err := s.read(b[:]); err != nil {
		return tag{}, err
	}
	first := s.order.Uint32(b[:4])
	if n := first >> 16; n != 0 {
		if n > 4 {
			return tag{}, fmt.Errorf("%w: small element of %d bytes", errDamaged, n)
		}
		return tag{kind: first & 0xffff, n: n, small: true, word: [4]byte(b[4:])}, nil
	}
	return tag{kind: first, n: s.order.Uint32(b[4:])}, nil
}

// padding is what follows an element of n bytes up to a multiple of eight.
func padding(n uint32) int64 { return int64(-n & 7) }

// bytes reads an element's data, growing as they really arrive: a length in a
// damaged file reserves nothing.
func (s *source) bytes(t tag) ([]byte, error) {
	if t.small {
		return t.word[:t.n], nil
	}
	if int64(t.n) > s.left {
		return nil, fmt.Errorf("%w: an element is longer than the one that holds it", errDamaged)
	}
	if int64(t.n) > 8*int64(*s.budget) {
		return nil, s.spend(MaxNumbers + 1)
	}
	const step = 1 << 20
	var data []byte
	for n := int(t.n); n > 0; {
		k := min(n, step)
		data = append(data, make([]byte, k)...)
		if err := s.read(data[len(data)-k:]); err != nil {
			return nil, err
		}
		n -= k
	}
	return data, s.skip(min(padding(t.n), s.left))
}

// element reads a tag and its data.
func (s *source) element() (tag, []byte, error) {
	t, err := s.tag()
	if err != nil {
		return t, nil, err
	}
	data, err := s.bytes(t)
	return t, data, err
}

// numbers reads a numeric element as float64s, whatever type it is stored in.
func (s *source) numbers() ([]float64, error) {
	t, data, err := s.element()
	if err != nil {
		return nil, err
	}
	return s.convert(t.kind, data)
}

func (s *source) convert(kind uint32, data []byte) ([]float64, error) {
	if int(kind) >= len(sizes) || sizes[kind] == 0 {
		return nil, fmt.Errorf("%w: type %d is not numeric", errDamaged, kind)
	}
	size := sizes[kind]
	if err := s.spend(len(data) / size); err != nil {
		return nil, err
	}
	out := make([]float64, len(data)/size)
	for i := range out {
		out[i] = s.number(kind, data[i*size:])
	}
	return out, nil
}

func (s *source) number(kind uint32, b []byte) float64 {
	switch kind {
	case miINT8:
		return float64(int8(b[0]))
	case miUINT8, miUTF8:
		return float64(b[0])
	case miINT16:
		return float64(int16(s.order.Uint16(b)))
	case miUINT16, miUTF16:
		return float64(s.order.Uint16(b))
	case miINT32:
		return float64(int32(s.order.Uint32(b)))
	case miUINT32, miUTF32:
		return float64(s.order.Uint32(b))
	case miSINGLE:
		return float64(math.Float32frombits(s.order.Uint32(b)))
	case miINT64:
		return float64(int64(s.order.Uint64(b)))
	case miUINT64:
		return float64(s.order.Uint64(b))
	}
	return math.Float64frombits(s.order.Uint64(b))
}

// inflate opens a compressed element as a source of its own.
func (s *source) inflate(n uint32) (*source, func() error, error) {
	if int64(n) > s.left {
		return nil, nil, fmt.Errorf("%w: an element is longer than the file", errDamaged)
	}
	s.left -= int64(n)
	packed := &io.LimitedReader{R: s.r, N: int64(n)}
	z, err := zlib.NewReader(bufio.NewReaderSize(packed, 32<<10))
	if err != nil {
		return nil, nil, damaged(err)
	}
	bounded := format.Bounded(z, func() int64 { return int64(n) - packed.N })
	finish := func() error { // go on to the next element
		if _, err := io.Copy(io.Discard, packed); err != nil {
			return damaged(err)
		}
		return nil
	}
	return &source{r: bounded, order: s.order, left: math.MaxInt64, budget: s.budget}, finish, nil
}
