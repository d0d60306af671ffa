package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line of a text file, in bytes.
const MaxLine = 1 << 20

// Lines splits an input's text into lines, without copying, in constant
// memory. Line ends are \n, \r\n, or \r where the file has no \n.
type Lines struct {
	name       string
	r          io.Reader
	buf        []byte
	start, end int
	sep        byte
	number     int
	complete   bool
	eof        bool
	err        error
}

// NewLines reads the text of in from its beginning.
func NewLines(in *Input) *Lines {
	l := &Lines{name: in.Name, sep: '\n', buf: make([]byte, 256<<10)}
	text := in.Head().Text
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		l.sep = '\r'
	}
	l.r = in.Text()
	return l
}

// Next returns the next line without its end. It is valid until the next call.
func (l *Lines) Next() ([]byte, bool) {
	for {
		if i := bytes.IndexByte(l.buf[l.start:l.end], l.sep); i >= 0 {
			line := l.buf[l.start : l.start+i]
			l.start += i + 1
			return l.take(line, true), true
		}
		if l.eof {
			if l.start == l.end || l.err != nil {
				return nil, false
			}
			line := l.buf[l.start:l.end]
			l.start = l.end
			return l.take(line, false), true
		}
		l.fill()
	}
}

func (l *Lines) take(line []byte, complete bool) []byte {
	l.number++
	l.complete = complete
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

func (l *Lines) fill() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		if len(l.buf) >= MaxLine {
			l.fail(fmt.Sprintf("line longer than %d bytes: not a text file of this kind", MaxLine), nil)
			return
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	switch {
	case errors.Is(err, io.EOF):
		l.eof = true
	case err != nil:
		l.fail("the file cannot be read further (damaged or truncated)", err)
	}
}

func (l *Lines) fail(msg string, err error) {
	l.eof, l.err = true, &SyntaxError{l.name, l.number + 1, msg, err}
}

// Number is the number of the line returned last, from 1.
func (l *Lines) Number() int { return l.number }

// Complete reports whether the line returned last had a line end.
func (l *Lines) Complete() bool { return l.complete }

// Err returns the located error that ended the lines early; nil at the end of
// the file.
func (l *Lines) Err() error { return l.err }

// Errorf returns an error located at the line returned last.
func (l *Lines) Errorf(format string, args ...any) error {
	return &SyntaxError{l.name, l.number, fmt.Sprintf(format, args...), nil}
}
