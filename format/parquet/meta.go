package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// maxFooter bounds a file's metadata.
const maxFooter = 16 << 20

// file is a Parquet file's description.
type file struct {
	r      io.ReaderAt
	size   int64
	leaves []leaf
	groups []group
	rows   int64
	meta   map[string]string // key-value metadata
}

// leaf is a column of values.
type leaf struct {
	path     []string
	physical int
	length   int // of fixed-length values
	kind     kind
	scale    int // decimal places of whole numbers
	unsigned bool
	maxDef   int
	maxRep   int
}

// kind is what a leaf's values become.
type kind uint8

const (
	unread kind = iota
	whole
	number
	text
)

// physical types.
const (
	pBool = iota
	pInt32
	pInt64
	pInt96
	pFloat
	pDouble
	pBytes
	pFixed
)

// group is a row group: where each leaf's pages lie.
type group struct {
	rows   int64
	chunks []chunk
}

type chunk struct {
	codec      int64
	values     int64
	start, end int64
}

// openFile reads the description at a file's end.
func openFile(r io.ReaderAt, size int64) (*file, error) {
	var tail [8]byte
	if size < 12 {
		return nil, errors.New("shorter than any Parquet file")
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return nil, err
	}
	switch string(tail[4:]) {
	case "PAR1":
	case "PARE":
		return nil, errors.New("encrypted Parquet is not read")
	default:
		return nil, errors.New("does not end with PAR1: truncated, or not Parquet")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:4]))
	if n > maxFooter || n > size-12 {
		return nil, errThrift
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-8-n); err != nil {
		return nil, err
	}
	t := thrift{b: footer}
	m, err := t.structure()
	if err != nil {
		return nil, err
	}
	f := &file{r: r, size: size, meta: make(map[string]string)}
	if err := f.schema(m.list(2)); err != nil {
		return nil, err
	}
	for _, kv := range m.list(5) {
		if kv, ok := kv.(record); ok {
			f.meta[kv.text(1)] = kv.text(2)
		}
	}
	return f, f.rowGroups(m.list(4))
}

// schema flattens the tree of columns, which is written depth first.
func (f *file) schema(nodes []any) error {
	rest := nodes
	var visit func(path []string, def, rep int) error
	next := func() (record, error) {
		if len(rest) == 0 {
			return nil, errThrift
		}
		e, ok := rest[0].(record)
		if rest = rest[1:]; !ok {
			return nil, errThrift
		}
		return e, nil
	}
	children := func(e record, path []string, def, rep int) error {
		for range e.whole(5) {
			if err := visit(path, def, rep); err != nil {
				return err
			}
		}
		return nil
	}
	visit = func(path []string, def, rep int) error {
		e, err := next()
		if err != nil || len(path) > maxDepth {
			return errThrift
		}
		switch e.whole(3) {
		case 1: // optional
			def++
		case 2: // repeated
			def++
			rep++
		}
		path = append(path[:len(path):len(path)], e.text(4))
		if _, isGroup := e.int(5); isGroup {
			return children(e, path, def, rep)
		}
		f.leaves = append(f.leaves, newLeaf(e, path, def, rep))
		return nil
	}
	root, err := next()
	if err != nil {
		return err
	}
	return children(root, nil, 0, 0)
}

func newLeaf(e record, path []string, def, rep int) leaf {
	l := leaf{path: path, physical: int(e.whole(1)), length: int(e.whole(2)), maxDef: def, maxRep: rep}
	converted, hasConverted := e.int(6)
	logical := e.record(10)
	l.unsigned = hasConverted && converted >= 11 && converted <= 14
	if i := logical.record(10); i != nil {
		l.unsigned = i.whole(2) == 0
	}
	decimal := hasConverted && converted == 5 || logical.record(5) != nil
	switch l.physical {
	case pBool, pInt32, pInt64:
		if l.kind = whole; decimal {
			l.kind, l.scale = number, int(e.whole(7))
		}
	case pInt96:
		l.kind = whole
	case pFloat, pDouble:
		l.kind = number
	case pBytes:
		if l.kind = text; decimal {
			l.kind = unread
		}
	}
	if rep > 1 || l.scale < 0 || l.scale > 30 {
		l.kind = unread
	}
	return l
}

func (f *file) rowGroups(groups []any) error {
	for _, g := range groups {
		g, ok := g.(record)
		if !ok {
			return errThrift
		}
		one := group{rows: g.whole(3)}
		for _, c := range g.list(1) {
			c, ok := c.(record)
			if !ok {
				return errThrift
			}
			one.chunks = append(one.chunks, newChunk(c))
		}
		if len(one.chunks) != len(f.leaves) || one.rows < 0 {
			return errThrift
		}
		f.rows += one.rows
		if f.rows < 0 || f.rows > format.MaxFree && f.rows > format.MaxRatio*f.size {
			return fmt.Errorf("%w: %d rows in %d bytes", format.ErrBomb, f.rows, f.size)
		}
		f.groups = append(f.groups, one)
	}
	return nil
}

func newChunk(c record) chunk {
	m := c.record(3)
	k := chunk{codec: m.whole(4), values: m.whole(5), start: m.whole(9)}
	if at := m.whole(11); at > 0 && at < k.start {
		k.start = at
	}
	k.end = k.start + m.whole(7)
	if c.text(1) != "" || m == nil { // in another file, or encrypted
		k.end = -1
	}
	return k
}

// name is a leaf's column: its path without the levels that lists need.
func (l *leaf) name() string {
	if l.maxRep == 1 {
		return l.path[0]
	}
	return strings.Join(l.path, ".")
}
