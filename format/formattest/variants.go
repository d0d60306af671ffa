package formattest

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// same wants a variant of the file to read like the original.
func (x *Fixture) same(t *testing.T, f format.Format, data []byte) {
	t.Helper()
	want, got := x.read(t, f, x.Data), x.read(t, f, data)
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	if d := equal(want.Recordings, got.Recordings); d != "" {
		t.Errorf("differs from the original (-want +got):\n%s", d)
	}
}

func (x *Fixture) encodings(t *testing.T, f format.Format) {
	zipped := Zip(x.Data)
	t.Run("gzip", func(t *testing.T) { x.same(t, f, zipped) })
	t.Run("gzip cut", func(t *testing.T) {
		if r := x.read(t, f, zipped[:len(zipped)/2]); r.Err == nil {
			t.Error("half a gzip file without an error")
		}
	})
	if x.Binary {
		return
	}
	for name, data := range map[string][]byte{
		"CRLF":     bytes.ReplaceAll(x.Data, []byte("\n"), []byte("\r\n")),
		"CR":       bytes.ReplaceAll(x.Data, []byte("\n"), []byte("\r")),
		"BOM":      append([]byte("\xef\xbb\xbf"), x.Data...),
		"UTF-16LE": wide(x.Data, true, true), "UTF-16BE": wide(x.Data, false, true),
		"UTF-16LE without mark": wide(x.Data, true, false),
	} {
		t.Run(name, func(t *testing.T) { x.same(t, f, data) })
	}
}

// Zip compresses data with gzip.
func Zip(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data) // to memory
	_ = w.Close()
	return b.Bytes()
}

func wide(data []byte, little, mark bool) []byte {
	units := utf16.Encode([]rune(string(data)))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var out []byte
	for _, u := range units {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

// values replaces one position by what is no place: it must be lost, and
// nothing else change.
func (x *Fixture) values(t *testing.T, f format.Format) {
	if bytes.Count(x.Data, []byte(x.Position)) != 1 {
		t.Fatalf("position %q must occur once", x.Position)
	}
	whole := x.read(t, f, x.Data)
	for _, bad := range []string{"NaN", "nan", ".", "Inf", "-Inf", "2147483647", "4294967288", "-2147483648", "1e400", "x1y"} {
		t.Run(bad, func(t *testing.T) {
			r := x.read(t, f, bytes.Replace(x.Data, []byte(x.Position), []byte(bad), 1))
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if rows(r) != rows(whole) {
				t.Errorf("%d rows, want %d", rows(r), rows(whole))
			}
			if got, want := lost(r), lost(whole)+1; got != want {
				t.Errorf("%d lost positions, want %d", got, want)
			}
			if strings.HasPrefix(bad, "2") || strings.HasPrefix(bad, "4") {
				wantQuirk(t, r, "overflow")
			}
		})
	}
}

func lost(r Result) int {
	n := 0
	for _, rec := range r.Recordings {
		for _, tr := range rec.Samples.Tracks {
			for i := range tr.X {
				if gaze.Lost(tr.X[i], tr.Y[i]) {
					n++
				}
			}
		}
		for _, f := range rec.Fixations {
			if gaze.Lost(f.X, f.Y) {
				n++
			}
		}
	}
	return n
}

func wantQuirk(t *testing.T, r Result, word string) {
	t.Helper()
	for _, q := range r.Report.Quirks() {
		if strings.Contains(q.Text, word) && q.Count > 0 {
			return
		}
	}
	t.Errorf("no counted quirk about %q: %v", word, r.Report.Quirks())
}

// repeated doubles the line of the position: one row more, counted if it is a
// sample.
func (x *Fixture) repeated(t *testing.T, f format.Format) {
	at := bytes.Index(x.Data, []byte(x.Position))
	from := bytes.LastIndexByte(x.Data[:at], '\n') + 1
	to := at + bytes.IndexByte(x.Data[at:], '\n') + 1
	data := append(append(append([]byte(nil), x.Data[:to]...), x.Data[from:to]...), x.Data[to:]...)
	whole, r := x.read(t, f, x.Data), x.read(t, f, data)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if rows(r) != rows(whole)+1 {
		t.Errorf("%d rows, want %d", rows(r), rows(whole)+1)
	}
	if x.Samples > 0 {
		wantQuirk(t, r, "repeated")
	}
}

// Fuzz seeds a fuzz target with the fixtures and cuts of them, and checks what
// must hold of any bytes.
func Fuzz(f *testing.F, ff format.Format, fixtures ...Fixture) {
	var o format.Options
	for _, x := range fixtures {
		f.Add(x.Data)
		f.Add(x.Data[:len(x.Data)/2])
		f.Add(x.Data[:len(x.Data)-1])
		f.Add(Zip(x.Data))
		if !x.Binary {
			f.Add(wide(x.Data, true, true))
			f.Add(bytes.ReplaceAll(x.Data, []byte("\n"), []byte("\r\n")))
		}
		o = x.Options
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := format.NewInput("file", bytes.NewReader(data))
		if err != nil {
			return
		}
		m := ff.Detect(in.Head())
		if m.Score < 0 || m.Score > 100 {
			t.Errorf("score %d", m.Score)
		}
		Read(t, ff, "file", data, o)
	})
}
