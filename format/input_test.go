package format_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format"
)

func open(t testing.TB, data []byte) *format.Input {
	t.Helper()
	in, err := format.NewInput("dir/file.csv", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func zipped(t *testing.T, write func(w io.Writer)) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBombIsStopped(t *testing.T) {
	zeros := make([]byte, 1<<20)
	bomb := zipped(t, func(w io.Writer) {
		for range 200 {
			_, _ = w.Write(zeros)
		}
	})
	n, err := io.Copy(io.Discard, open(t, bomb).Bytes())
	if !errors.Is(err, format.ErrBomb) {
		t.Errorf("error %v after %d bytes, want ErrBomb", err, n)
	}
	if n > format.MaxFree+64<<10+int64(format.MaxRatio*len(bomb)) {
		t.Errorf("%d bytes came out of %d", n, len(bomb))
	}
}

func TestOrdinaryTablesAreNoBombs(t *testing.T) {
	var rows []byte
	for i := 0; len(rows) < format.MaxFree+1<<20; i++ {
		rows = append(strconv.AppendInt(rows, int64(i), 10), ",NaN,NaN,NaN,NaN,NaN,NaN,lost\n"...)
	}
	packed := zipped(t, func(w io.Writer) { _, _ = w.Write(rows) })
	if n, err := io.Copy(io.Discard, open(t, packed).Bytes()); err != nil || n != int64(len(rows)) {
		t.Errorf("%d of %d bytes, error %v", n, len(rows), err)
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":              nil,
		"a":             {"a"},
		"a\n":           {"a"},
		"a\n\nb":        {"a", "", "b"},
		"a\r\nb\r\n":    {"a", "b"},
		"a\rb\rc":       {"a", "b", "c"},
		"\xef\xbb\xbfa": {"a"},
	} {
		lines := format.NewLines(open(t, []byte(text)))
		var got []string
		for line, ok := lines.Next(); ok; line, ok = lines.Next() {
			got = append(got, string(line))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) || lines.Err() != nil {
			t.Errorf("%q: lines %q, error %v; want %q", text, got, lines.Err(), want)
		}
	}
}

func TestLinesAcrossBuffers(t *testing.T) {
	line := strings.Repeat("x", 300_000)
	lines := format.NewLines(open(t, []byte(line+"\n"+line+"y\nz")))
	for n, want := range []int{300_000, 300_001, 1} {
		got, ok := lines.Next()
		if !ok || len(got) != want || lines.Number() != n+1 {
			t.Fatalf("line %d has %d bytes, want %d", lines.Number(), len(got), want)
		}
	}
	if lines.Complete() {
		t.Error("the last line has no end and counts as complete")
	}
}

func TestTooLongLineIsLocated(t *testing.T) {
	lines := format.NewLines(open(t, []byte("a\n"+strings.Repeat("x", format.MaxLine+1))))
	for _, ok := lines.Next(); ok; _, ok = lines.Next() {
	}
	var s *format.SyntaxError
	if !errors.As(lines.Err(), &s) || s.Line != 2 || s.File != "file.csv" {
		t.Errorf("error %v, want one at file.csv:2", lines.Err())
	}
}

func TestReadErrorIsPassedOn(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(strings.Repeat("a\n", 60_000)), errReader{})
	in, err := format.NewInput("x", broken)
	if err != nil {
		t.Fatal(err)
	}
	lines := format.NewLines(in)
	for _, ok := lines.Next(); ok; _, ok = lines.Next() {
	}
	if !errors.Is(lines.Err(), errBroken) {
		t.Errorf("error %v, want the reader's", lines.Err())
	}
}

var errBroken = errors.New("disk on fire")

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errBroken }
