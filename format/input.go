package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// HeadSize is how much of a file's beginning detection sees.
const HeadSize = 64 << 10

// Limits on compressed input: data may grow MaxRatio-fold once they have grown
// beyond MaxFree bytes, and never beyond MaxBytes. Tables of numbers shrink
// 3- to 40-fold; what shrinks more is padding made to exhaust a reader.
const (
	MaxRatio = 250
	MaxFree  = 16 << 20
	MaxBytes = 64 << 30
)

// Head is the beginning of a file as detection sees it.
type Head struct {
	Name string // base name
	Raw  []byte // up to HeadSize bytes, decompressed
	Text []byte // the same as UTF-8 without byte-order mark; nil when binary
	Size int64  // of the file as stored; 0 = unknown
}

// Input is one file as a reader sees it: decompressed, and decoded on request.
type Input struct {
	Name string // base name: all that errors may say
	Path string // within FS, slash-separated, for names by pattern and for siblings
	FS   fs.FS  // where sidecar files are found; nil = nowhere
	Size int64  // of the file as stored; 0 = unknown

	Format     string // name of the format that reads it, for headers
	Compressed bool   // it was gzip

	body *bufio.Reader
	at   io.ReaderAt
	head Head
	enc  textEncoding
}

// NewInput opens a stream as an input: it decompresses gzip within the limits
// and looks at the beginning. name may be a path; errors use its base.
func NewInput(name string, r io.Reader) (*Input, error) {
	in := &Input{Name: path.Base(name), Path: name}
	in.at, _ = r.(io.ReaderAt)
	if f, ok := r.(fs.File); ok {
		if info, err := f.Stat(); err == nil {
			in.Size = info.Size()
		}
	}
	stored := &counting{r: r}
	in.body = bufio.NewReaderSize(stored, HeadSize)
	magic, err := in.body.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, in.readError(err)
	}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzip, err := gzip.NewReader(in.body)
		if err != nil {
			return nil, &SyntaxError{in.Name, 0, "damaged gzip data", err}
		}
		in.Compressed, in.at = true, nil
		in.body = bufio.NewReaderSize(Bounded(unzip, func() int64 { return stored.n }), HeadSize)
	}
	if err := in.look(); err != nil {
		return nil, err
	}
	return in, nil
}

func (in *Input) look() error {
	raw, err := in.body.Peek(HeadSize)
	if len(raw) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return in.readError(err)
	}
	in.enc = sniffEncoding(raw)
	in.head = Head{Name: in.Name, Raw: raw, Text: in.enc.decode(raw), Size: in.Size}
	return nil
}

func (in *Input) readError(err error) error {
	return &SyntaxError{in.Name, 0, "cannot be read", err}
}

// Head returns the beginning of the file. It is valid until the first read.
func (in *Input) Head() Head { return in.head }

// Bytes returns the decompressed content from its beginning. Use either Bytes
// or Text, once.
func (in *Input) Bytes() io.Reader { return in.body }

// Text returns the content as UTF-8 without a byte-order mark. Bytes that are
// no UTF-8 (older software writes Latin-1) pass unchanged.
func (in *Input) Text() io.Reader {
	if in.enc.wide != nil {
		return transform.NewReader(in.body, in.enc.wide.NewDecoder())
	}
	_, _ = in.body.Discard(in.enc.mark)
	return in.body
}

// Encoding names the text encoding where it is not plain UTF-8, else "".
func (in *Input) Encoding() string { return in.enc.name }

// ReaderAt gives random access to an uncompressed file, for columnar formats.
func (in *Input) ReaderAt() (io.ReaderAt, int64, bool) {
	return in.at, in.Size, in.at != nil && in.Size > 0
}

// textEncoding is how a file's bytes are text.
type textEncoding struct {
	name   string
	mark   int               // length of a UTF-8 byte-order mark
	wide   encoding.Encoding // UTF-16; else nil
	binary bool
}

// sniffEncoding recognises byte-order marks, UTF-16 without one (every other
// byte of the first hundred is zero), and bytes that are no text.
func sniffEncoding(raw []byte) textEncoding {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return textEncoding{name: "UTF-8 with byte-order mark", mark: 3}
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return textEncoding{name: "UTF-16", wide: unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)}
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return textEncoding{name: "UTF-16", wide: unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)}
	}
	var zero [2]int
	start := raw[:min(len(raw), 200)&^1]
	for i, c := range start {
		if c == 0 {
			zero[i&1]++
		}
	}
	half := len(start) / 2
	switch {
	case zero[0] == 0 && zero[1] == 0:
		return textEncoding{binary: bytes.IndexByte(raw, 0) >= 0}
	case half >= 8 && zero[0] == 0 && zero[1] > half*9/10:
		return textEncoding{name: "UTF-16 without byte-order mark", wide: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}
	case half >= 8 && zero[1] == 0 && zero[0] > half*9/10:
		return textEncoding{name: "UTF-16 without byte-order mark", wide: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}
	}
	return textEncoding{binary: true}
}

func (e textEncoding) decode(raw []byte) []byte {
	switch {
	case e.binary:
		return nil
	case e.wide != nil:
		text, err := io.ReadAll(transform.NewReader(bytes.NewReader(raw), e.wide.NewDecoder()))
		if err != nil && len(text) == 0 {
			return nil
		}
		return text
	}
	return raw[e.mark:]
}

// counting counts what is read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ErrBomb is the cause of errors about data that grow too much when
// decompressed.
var ErrBomb = errors.New("compressed data grow too much")

// Bounded ends decompression with [ErrBomb] where it outgrows the limits.
// stored says how many compressed bytes were read so far.
func Bounded(unzipped io.Reader, stored func() int64) io.Reader {
	return &bounded{r: unzipped, stored: stored}
}

type bounded struct {
	r      io.Reader
	stored func() int64
	n      int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if b.n > MaxBytes || b.n > MaxFree && b.n > MaxRatio*b.stored() {
		return n, fmt.Errorf("%w: more than %d-fold or %d GiB", ErrBomb, MaxRatio, MaxBytes>>30)
	}
	return n, err
}
