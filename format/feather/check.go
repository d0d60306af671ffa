package feather

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/gazeward/gazeward/format"
)

// Arrow reserves what counts in a file's metadata claim, before it looks. So
// the metadata are walked first: every count must fit into the bytes there are.

var errDamaged = errors.New("damaged Arrow data, or truncated")

// limits of metadata.
const (
	maxFields   = 4096
	maxDepth    = 16
	maxMetadata = 64 << 20
	maxBatches  = 1 << 20
)

// flatbuffer is a buffer of tables whose fields are found by number.
type flatbuffer []byte

// u32 reads a number; false outside of the buffer.
func (b flatbuffer) u32(at int) (int, bool) {
	if at < 0 || at+4 > len(b) {
		return 0, false
	}
	return int(binary.LittleEndian.Uint32(b[at:])), true
}

func (b flatbuffer) i64(at int) int64 {
	if at < 0 || at+8 > len(b) {
		return -1
	}
	return int64(binary.LittleEndian.Uint64(b[at:]))
}

// follow goes to where an offset points.
func (b flatbuffer) follow(at int) (int, bool) {
	v, ok := b.u32(at)
	return at + v, ok && v > 0 && at+v+4 <= len(b)
}

// field returns the place of a table's n-th field; 0 where it is not set.
func (b flatbuffer) field(table, n int) (int, bool) {
	back, ok := b.u32(table)
	if !ok {
		return 0, false
	}
	vtable := table - int(int32(back))
	if vtable < 0 || vtable+4 > len(b) {
		return 0, false
	}
	size := int(binary.LittleEndian.Uint16(b[vtable:]))
	if size < 4 || vtable+size > len(b) {
		return 0, false
	}
	if 4+2*n+2 > size {
		return 0, true
	}
	off := int(binary.LittleEndian.Uint16(b[vtable+4+2*n:]))
	if off == 0 {
		return 0, true
	}
	return table + off, table+off < len(b)
}

// table follows a field to the table it holds; 0 where it is not set.
func (b flatbuffer) table(table, n int) (int, bool) {
	at, ok := b.field(table, n)
	if !ok || at == 0 {
		return 0, ok
	}
	return b.follow(at)
}

// vector follows a field to its elements of a size and counts them.
func (b flatbuffer) vector(table, n, size int) (at, count int, ok bool) {
	at, ok = b.table(table, n)
	if !ok || at == 0 {
		return 0, 0, ok
	}
	count, ok = b.u32(at)
	return at + 4, count, ok && count <= (len(b)-at-4)/size
}

// check walks a file's metadata.
func check(r io.ReaderAt, size int64) error {
	footer, err := readFooter(r, size)
	if err != nil {
		return err
	}
	root, ok := footer.follow(0)
	if !ok {
		return errDamaged
	}
	schema, ok := footer.table(root, 1)
	if !ok || schema == 0 {
		return errDamaged
	}
	left := maxFields
	if !footer.fields(schema, 1, 0, &left) || !footer.pairs(schema, 2) || !footer.pairs(root, 4) {
		return errDamaged
	}
	for _, n := range [...]int{2, 3} { // dictionaries, record batches
		at, count, ok := footer.vector(root, n, 24)
		if !ok || count > maxBatches {
			return errDamaged
		}
		for i := range count {
			if err := checkBlock(r, size, footer, at+24*i); err != nil {
				return err
			}
		}
	}
	return nil
}

func readFooter(r io.ReaderAt, size int64) (flatbuffer, error) {
	var tail [10]byte
	if size < 18 {
		return nil, errDamaged
	}
	if _, err := r.ReadAt(tail[:], size-10); err != nil {
		return nil, errDamaged
	}
	n := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != "ARROW1" || n < 4 || n > size-18 || n > maxMetadata {
		return nil, errDamaged
	}
	b := make(flatbuffer, n)
	if _, err := r.ReadAt(b, size-10-n); err != nil {
		return nil, errDamaged
	}
	return b, nil
}

// fields checks the fields of a schema, or the children of one.
func (b flatbuffer) fields(table, n, depth int, left *int) bool {
	at, count, ok := b.vector(table, n, 4)
	if !ok || depth > maxDepth {
		return false
	}
	if *left -= count; *left < 0 {
		return false
	}
	for i := range count {
		f, ok := b.follow(at + 4*i)
		if !ok || !b.width(f) || !b.pairs(f, 6) || !b.fields(f, 5, depth+1, left) {
			return false
		}
	}
	return true
}

// width checks the lengths of types that have a fixed one.
func (b flatbuffer) width(field int) bool {
	kind, ok := b.field(field, 2)
	parameters, ok2 := b.table(field, 3)
	if !ok || !ok2 || kind == 0 || parameters == 0 {
		return ok && ok2
	}
	switch b[kind] {
	case 15, 16: // bytes and lists of fixed size
		at, ok := b.field(parameters, 0)
		if !ok || at == 0 {
			return ok
		}
		n, ok := b.u32(at)
		return ok && n >= 0 && n <= 1<<16
	}
	return true
}

// pairs checks key-value metadata.
func (b flatbuffer) pairs(table, n int) bool {
	at, count, ok := b.vector(table, n, 4)
	for i := range count {
		kv, in := b.follow(at + 4*i)
		if !in {
			return false
		}
		for k := range 2 {
			if _, _, in := b.vector(kv, k, 1); !in {
				return false
			}
		}
	}
	return ok
}

// checkBlock checks the message that a block of the footer points to.
func checkBlock(r io.ReaderAt, size int64, footer flatbuffer, at int) error {
	offset, body := footer.i64(at), footer.i64(at+16)
	meta, ok := footer.u32(at + 8)
	if !ok || offset < 8 || body < 0 || meta < 8 || meta > maxMetadata || offset > size || body > size || offset+int64(meta)+body > size {
		return errDamaged
	}
	b := make(flatbuffer, meta)
	if _, err := r.ReadAt(b, offset); err != nil {
		return errDamaged
	}
	if first, _ := b.u32(0); first == 0xffffffff {
		b = b[8:]
	} else {
		b = b[4:]
	}
	root, ok := b.follow(0)
	if !ok {
		return errDamaged
	}
	kind, ok := b.field(root, 1)
	header, ok2 := b.table(root, 2)
	if !ok || !ok2 || kind == 0 || header == 0 {
		return errDamaged
	}
	if b[kind] == 2 { // a dictionary: its record batch
		if header, ok = b.table(header, 1); !ok || header == 0 {
			return errDamaged
		}
	}
	return b.batch(header, body, size)
}

// batch checks a record batch's counts against its body and the file.
func (b flatbuffer) batch(table int, body, size int64) error {
	rows := max(format.MaxFree, format.MaxRatio*size)
	if at, ok := b.field(table, 0); !ok || at != 0 && (b.i64(at) < 0 || b.i64(at) > rows) {
		return format.ErrBomb
	}
	at, nodes, ok := b.vector(table, 1, 16)
	if !ok {
		return errDamaged
	}
	for i := range nodes {
		if n := b.i64(at + 16*i); n < 0 || n > 64*rows {
			return errDamaged
		}
	}
	at, buffers, ok := b.vector(table, 2, 16)
	if !ok {
		return errDamaged
	}
	for i := range buffers {
		from, n := b.i64(at+16*i), b.i64(at+16*i+8)
		if from < 0 || n < 0 || from > body || n > body-from {
			return errDamaged
		}
	}
	at, counts, ok := b.vector(table, 4, 8)
	left := int64(buffers)
	for i := range counts {
		n := b.i64(at + 8*i)
		if n < 0 || n > left {
			return errDamaged
		}
		left -= n
	}
	if !ok {
		return errDamaged
	}
	return nil
}
