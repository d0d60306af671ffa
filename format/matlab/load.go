package matlab

import (
	"fmt"
	"io"
	"math"
)

const headerSize = 128

// Load reads variables from a file until visit returns false or the file ends.
// want chooses them by name before their content is read; nil takes all. Only
// the variable at hand is in memory.
func Load(r io.Reader, want func(name string) bool, visit func(*Value) bool) error {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return fmt.Errorf("%w: no header of %d bytes", errDamaged, headerSize)
	}
	order, ok := byteOrder(header)
	if !ok {
		return fmt.Errorf("%w: no byte order mark in the header", errDamaged)
	}
	s := &source{r: r, order: order, left: math.MaxInt64}
	for {
		v, err := s.variable(want)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if v != nil && !visit(v) {
			return nil
		}
	}
}

// variable reads the next variable; nil if it is none or not wanted, and
// io.EOF after the last.
func (s *source) variable(want func(string) bool) (*Value, error) {
	budget := MaxNumbers
	s.budget = &budget
	var b [8]byte
	switch n, err := io.ReadFull(s.r, b[:]); {
	case n == 0:
		return nil, io.EOF
	case err != nil:
		return nil, damaged(err)
	}
	kind, n := s.order.Uint32(b[:4]), s.order.Uint32(b[4:])
	switch {
	case kind>>16 != 0: // small: no variable
		return nil, nil
	case kind == miCOMPRESSED:
		return s.compressed(n, want)
	case kind == miMATRIX:
		inner := s.within(n)
		v, err := inner.named(want)
		if err != nil {
			return nil, err
		}
		return v, inner.skip(inner.left)
	}
	return nil, s.skip(int64(n) + padding(n))
}

func (s *source) compressed(n uint32, want func(string) bool) (*Value, error) {
	inner, finish, err := s.inflate(n)
	if err != nil {
		return nil, err
	}
	t, err := inner.tag()
	if err != nil {
		return nil, err
	}
	if t.kind != miMATRIX || t.small {
		return nil, finish()
	}
	v, err := inner.within(t.n).named(want)
	if err != nil {
		return nil, err
	}
	return v, finish()
}

// named reads a variable if its name is wanted.
func (s *source) named(want func(string) bool) (*Value, error) {
	if s.left == 0 {
		return nil, nil
	}
	v, flags, err := s.header()
	if err != nil || want != nil && !want(v.Name) {
		return nil, err
	}
	return v, s.content(v, flags, 0)
}
