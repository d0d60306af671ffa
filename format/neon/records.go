package neon

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/gazeward/gazeward/format"
)

// records streams a file of records. nil is a file that is not there.
type records struct {
	layout
	r      *bufio.Reader
	file   fs.File
	record []byte
	err    error // why it ended early
	cut    bool  // the last record is not whole
}

func newRecords(r io.Reader, l layout) *records {
	return &records{layout: l, r: bufio.NewReaderSize(r, 64<<10), record: make([]byte, l.size)}
}

// next reads a record, valid until the next call.
func (r *records) next() ([]byte, bool) {
	if r == nil || r.err != nil {
		return nil, false
	}
	switch n, err := io.ReadFull(r.r, r.record); {
	case err == nil:
		return r.record, true
	case errors.Is(err, io.EOF):
	case errors.Is(err, io.ErrUnexpectedEOF) && n > 0 && r.ended():
		r.cut = true
	default:
		r.err = err
	}
	return nil, false
}

// ended tells the file's end from that of damaged gzip data, which is an
// unexpected one as well.
func (r *records) ended() bool {
	_, err := r.r.Peek(1)
	return errors.Is(err, io.EOF)
}

// count reads to the end and counts the records.
func (r *records) count() int {
	n := 0
	for _, ok := r.next(); ok; _, ok = r.next() {
		n++
	}
	return n
}

func (r *records) close() {
	if r != nil && r.file != nil {
		_ = r.file.Close() // was only read
	}
}

// folder is where the files of a recording lie.
type folder struct {
	fs  fs.FS
	dir string
}

func (f folder) open(name string) (fs.File, bool) {
	if f.fs == nil {
		return nil, false
	}
	file, err := f.fs.Open(path.Join(f.dir, name))
	return file, err == nil
}

// exists reports whether a file can be opened.
func (f folder) exists(name string) bool {
	file, ok := f.open(name)
	if ok {
		_ = file.Close() // was not read
	}
	return ok
}

// layout reads a sensor's .dtype file; without one the usual layout holds.
func (f folder) layout(sensor, usual string) layout {
	file, ok := f.open(sensor + ".dtype")
	if !ok {
		return parseLayout(usual)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<16))
	if err != nil {
		return parseLayout(usual)
	}
	return parseLayout(string(text))
}

// records opens a file of records; nil if it is not there or has no layout.
func (f folder) records(name string, l layout) *records {
	if l.size == 0 {
		return nil
	}
	file, ok := f.open(name)
	if !ok {
		return nil
	}
	in, err := format.NewInput(name, file)
	if err != nil {
		_ = file.Close() // was only read
		return nil
	}
	r := newRecords(in.Bytes(), l)
	r.file = file
	return r
}
