package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"

	"github.com/gazeward/gazeward/format"
)

// Limits of a page: what may be in memory of a column at once.
const (
	maxPage   = 256 << 20
	maxValues = 1 << 24
	maxWindow = 8 << 20 // of Zstandard
)

// column reads one leaf from the first row to the last.
type column struct {
	f     *file
	leaf  *leaf
	index int

	group  int
	at     int64 // of the next page
	left   int64 // values of the chunk not read yet
	dict   *values
	values values
	def    []uint32
	rep    []uint32
	n      int // entries of the page
	i      int // next entry
	v      int // next value
	zstd   *zstd.Decoder
}

func newColumn(f *file, index int) *column {
	return &column{f: f, leaf: &f.leaves[index], index: index, group: -1}
}

// cell is one value; null where there is none.
type cell struct {
	null   bool
	whole  int64
	number float64
	text   []byte
}

// next returns the next entry of a flat column.
func (c *column) next() (cell, error) {
	for c.i >= c.n {
		if err := c.page(); err != nil {
			return cell{}, err
		}
	}
	return c.take(), nil
}

func (c *column) take() cell {
	i := c.i
	c.i++
	if c.def != nil && int(c.def[i]) < c.leaf.maxDef || c.v >= c.values.len() {
		return cell{null: true}
	}
	v := c.v
	c.v++
	switch c.leaf.kind {
	case whole:
		return cell{whole: c.values.wholes[v]}
	case number:
		return cell{number: c.values.numbers[v]}
	}
	return cell{text: c.values.texts[v]}
}

// list appends the next row's elements.
func (c *column) list(to []cell) ([]cell, error) {
	for first := true; ; first = false {
		for c.i >= c.n {
			if err := c.page(); err != nil {
				if err == io.EOF && !first {
					err = nil
				}
				return to, err
			}
		}
		if !first && (c.rep == nil || c.rep[c.i] == 0) {
			return to, nil
		}
		to = append(to, c.take())
	}
}

// page reads the next page with values; io.EOF after the last.
func (c *column) page() error {
	for c.group < 0 || c.group < len(c.f.groups) && (c.at >= c.chunk().end || c.left <= 0) {
		if c.group++; c.group >= len(c.f.groups) {
			break
		}
		k := c.chunk()
		if k.start < 4 || k.end > c.f.size || k.end < k.start {
			return errThrift
		}
		c.at, c.left, c.dict = k.start, k.values, nil
	}
	if c.group >= len(c.f.groups) {
		return io.EOF
	}
	head, body, err := c.header()
	if err != nil {
		return err
	}
	switch head.whole(1) {
	case 0:
		return c.dataV1(head, body)
	case 2:
		return c.dictionary(head, body)
	case 3:
		return c.dataV2(head, body)
	}
	return nil // an index page
}

func (c *column) chunk() *chunk { return &c.f.groups[c.group].chunks[c.index] }

// header reads a page's header and body.
func (c *column) header() (record, []byte, error) {
	end := c.chunk().end
	for window := int64(4 << 10); ; window *= 16 {
		b := make([]byte, min(window, end-c.at))
		if _, err := c.f.r.ReadAt(b, c.at); err != nil {
			return nil, nil, err
		}
		t := thrift{b: b}
		head, err := t.structure()
		if err != nil {
			if int64(len(b)) == end-c.at || window > 1<<20 {
				return nil, nil, err
			}
			continue
		}
		start := c.at + int64(len(b)-len(t.b))
		size := head.whole(3)
		if size < 0 || size > maxPage || size > end-start || head.whole(2) < 0 || head.whole(2) > maxPage {
			return nil, nil, errPage
		}
		body := make([]byte, size)
		if _, err := c.f.r.ReadAt(body, start); err != nil {
			return nil, nil, err
		}
		c.at = start + size
		return head, body, nil
	}
}

// count checks how many entries a page claims.
func (c *column) count(n int64) (int, error) {
	limit := c.f.rows + 1
	if c.leaf.maxRep > 0 {
		limit = 64 * limit
	}
	if n < 0 || n > maxValues || n > limit {
		return 0, fmt.Errorf("%w: a page of %d values", format.ErrBomb, n)
	}
	return int(n), nil
}

func (c *column) dictionary(head record, body []byte) error {
	d := head.record(7)
	n, err := c.count(d.whole(1))
	if err != nil {
		return err
	}
	b, err := c.inflate(body, head.whole(2))
	if err != nil {
		return err
	}
	v, err := c.leaf.plain(b, n)
	c.dict = &v
	return err
}

func (c *column) dataV1(head record, body []byte) error {
	d := head.record(5)
	n, err := c.count(d.whole(1))
	if err != nil {
		return err
	}
	b, err := c.inflate(body, head.whole(2))
	if err != nil {
		return err
	}
	if c.rep, b, err = levels(b, c.leaf.maxRep, n); err != nil {
		return err
	}
	if c.def, b, err = levels(b, c.leaf.maxDef, n); err != nil {
		return err
	}
	return c.fill(d.whole(2), b, n)
}

// levels reads repetition or definition levels with their length.
func levels(b []byte, most, n int) ([]uint32, []byte, error) {
	if most == 0 {
		return nil, b, nil
	}
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, errPage
	}
	k := binary.LittleEndian.Uint32(b)
	v, err := hybrid(b[4:4+k], bits.Len(uint(most)), n)
	if err == nil && len(v) < n {
		err = errPage
	}
	return v, b[4+k:], err
}

func (c *column) dataV2(head record, body []byte) error {
	d := head.record(8)
	n, err := c.count(d.whole(1))
	if err != nil {
		return err
	}
	defs, reps := d.whole(5), d.whole(6)
	if defs < 0 || reps < 0 || defs+reps > int64(len(body)) {
		return errPage
	}
	read := func(b []byte, most int) ([]uint32, error) {
		if most == 0 {
			return nil, nil
		}
		v, err := hybrid(b, bits.Len(uint(most)), n)
		if err == nil && len(v) < n {
			err = errPage
		}
		return v, err
	}
	if c.rep, err = read(body[:reps], c.leaf.maxRep); err != nil {
		return err
	}
	if c.def, err = read(body[reps:reps+defs], c.leaf.maxDef); err != nil {
		return err
	}
	b := body[reps+defs:]
	if compressed, stated := d.int(7); !stated || compressed == 1 {
		if b, err = c.inflate(b, head.whole(2)-reps-defs); err != nil {
			return err
		}
	}
	return c.fill(d.whole(4), b, n)
}

// fill decodes a page's values.
func (c *column) fill(encoding int64, b []byte, n int) (err error) {
	present := n
	if c.def != nil {
		present = 0
		for _, d := range c.def {
			if int(d) == c.leaf.maxDef {
				present++
			}
		}
	}
	c.values = values{}
	if present > 0 {
		if c.values, err = c.leaf.decode(encoding, b, present, c.dict); err != nil {
			return err
		}
		if c.values.len() < present {
			return errPage
		}
	}
	c.n, c.i, c.v = n, 0, 0
	c.left -= int64(n)
	return nil
}

// codecs.
const (
	cNone   = 0
	cSnappy = 1
	cGzip   = 2
	cZstd   = 6
)

// inflate decompresses; size is what the page claims, and the most it gets.
func (c *column) inflate(b []byte, size int64) ([]byte, error) {
	if size < 0 || size > maxPage || size > format.MaxFree && size > format.MaxRatio*int64(len(b)) {
		return nil, format.ErrBomb
	}
	switch c.chunk().codec {
	case cNone:
		return b, nil
	case cSnappy:
		n, err := snappy.DecodedLen(b)
		if err != nil || int64(n) > size {
			return nil, errPage
		}
		return snappy.Decode(nil, b)
	case cGzip:
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, errPage
		}
		return limited(r, size)
	case cZstd:
		if err := c.reset(b); err != nil {
			return nil, errPage
		}
		return limited(c.zstd, size)
	}
	return nil, fmt.Errorf("compressed with codec %d, which is not read: save with none, snappy, gzip or zstd", c.chunk().codec)
}

func (c *column) reset(b []byte) (err error) {
	if c.zstd == nil {
		c.zstd, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		return err
	}
	return c.zstd.Reset(bytes.NewReader(b))
}

func limited(r io.Reader, size int64) ([]byte, error) {
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, size+1))
	if err != nil || n > size {
		return nil, errPage
	}
	return out.Bytes(), nil
}
