package formattest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Fixture is a small whole file, written by the test, and what is in it.
type Fixture struct {
	Name    string // file name
	Data    []byte
	Options format.Options

	Recordings, Samples, Fixations, Saccades, Blinks int

	// Binary files are spared the tests of text.
	Binary bool

	// Header is the number of lines after which the data begin; 0 = unknown.
	Header int

	// Position is a text that occurs once: the x of a sample or fixation that
	// is valid in one eye. Its line is also the one that is repeated.
	Position string

	// Comma is the same table with decimal commas; nil where there are none.
	Comma []byte

	// Secrets are texts in Data that must not appear in anything read,
	// reported or complained about.
	Secrets []string
}

// Run runs the suite on each fixture.
func Run(t *testing.T, f format.Format, fixtures ...Fixture) {
	t.Helper()
	t.Run("nothing", func(t *testing.T) { nothing(t, f, fixtures) })
	for _, x := range fixtures {
		t.Run(x.Name, func(t *testing.T) { x.run(t, f) })
	}
}

func (x *Fixture) run(t *testing.T, f format.Format) {
	t.Run("whole", func(t *testing.T) { x.whole(t, f) })
	t.Run("detect", func(t *testing.T) { x.detect(t, f) })
	t.Run("stop", func(t *testing.T) { x.stop(t, f) })
	t.Run("want", func(t *testing.T) { x.want(t, f) })
	t.Run("truncated", func(t *testing.T) { x.truncated(t, f) })
	t.Run("encodings", func(t *testing.T) { x.encodings(t, f) })
	if x.Header > 0 {
		t.Run("header only", func(t *testing.T) { x.headerOnly(t, f) })
	}
	if x.Position != "" {
		t.Run("values", func(t *testing.T) { x.values(t, f) })
		t.Run("repeated", func(t *testing.T) { x.repeated(t, f) })
	}
	if x.Comma != nil {
		t.Run("decimal comma", func(t *testing.T) { x.same(t, f, x.Comma) })
	}
}

// Result is what a reader made of a file.
type Result struct {
	Recordings []*gaze.Recording
	Report     *format.Report
	Err        error
}

// Read reads data as a file and checks what must hold of any input: no panic,
// pieces within the limit, columns of equal length, and no empty result
// without an error.
func Read(t testing.TB, f format.Format, name string, data []byte, o format.Options) Result {
	t.Helper()
	r := Result{Report: new(format.Report)}
	o.Report = r.Report
	in, err := format.NewInput(name, bytes.NewReader(data))
	if err != nil {
		r.Err = err
		return r
	}
	in.Format = f.Name
	checked := func(yield func(*gaze.Recording, error) bool) {
		for piece, err := range f.Read(in, o) {
			if err == nil {
				checkPiece(t, piece)
			}
			if !yield(piece, err) {
				return
			}
		}
	}
	r.Recordings, r.Err = gaze.Collect(checked)
	if r.Err == nil && len(r.Recordings) == 0 && o.Want == nil {
		t.Errorf("%s: nothing read and no error: an empty result in silence", name)
	}
	for _, rec := range r.Recordings {
		if rec.Format != f.Name {
			t.Errorf("recording says it is from format %q, want %q", rec.Format, f.Name)
			break
		}
	}
	return r
}

func checkPiece(t testing.TB, r *gaze.Recording) {
	t.Helper()
	n := r.Samples.Len()
	if n > format.PieceSamples || len(r.Fixations) > format.PieceSamples {
		t.Errorf("piece of %d samples and %d fixations, want at most %d", n, len(r.Fixations), format.PieceSamples)
	}
	if n+len(r.Fixations)+len(r.Saccades)+len(r.Blinks) == 0 {
		t.Error("piece without samples and events")
	}
	for e, tr := range r.Samples.Tracks {
		if (tr.X == nil) != (tr.Y == nil) {
			t.Errorf("%v: x without y", gaze.Eye(e))
		}
		for _, c := range [][]float64{tr.X, tr.Y, tr.Pupil, tr.Confidence} {
			if c != nil && len(c) != n {
				t.Errorf("%v: column of %d values for %d samples", gaze.Eye(e), len(c), n)
			}
		}
	}
	if l := r.Samples.Labels; l != nil && len(l) != n {
		t.Errorf("%d labels for %d samples", len(l), n)
	}
	for _, s := range r.Samples.Signals {
		if len(s.Values) != n {
			t.Errorf("signal of %d values for %d samples", len(s.Values), n)
		}
	}
	for _, f := range r.Fixations {
		if f.Duration < 0 {
			t.Error("fixation of negative duration")
		}
	}
}

func (x *Fixture) read(t testing.TB, f format.Format, data []byte) Result {
	t.Helper()
	r := Read(t, f, x.Name, data, x.Options)
	x.checkSecrets(t, r)
	return r
}

func (x *Fixture) checkSecrets(t testing.TB, r Result) {
	t.Helper()
	var b strings.Builder
	if r.Err != nil {
		fmt.Fprintln(&b, r.Err)
	}
	fmt.Fprintln(&b, r.Report.Dropped(), r.Report.Quirks())
	for _, rec := range r.Recordings {
		fmt.Fprintf(&b, "%+v\n", rec.Header)
		for _, s := range rec.Samples.Signals {
			fmt.Fprintln(&b, s.Name, s.Unit)
		}
	}
	for _, s := range x.Secrets {
		if !bytes.Contains(x.Data, []byte(s)) {
			t.Errorf("fixture does not hold its secret %q", s)
		}
		if strings.Contains(b.String(), s) {
			t.Errorf("%q came through:\n%s", s, b.String())
		}
	}
}

func (x *Fixture) whole(t *testing.T, f format.Format) {
	r := x.read(t, f, x.Data)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	var got [5]int
	got[0] = len(r.Recordings)
	for _, rec := range r.Recordings {
		got[1] += rec.Samples.Len()
		got[2] += len(rec.Fixations)
		got[3] += len(rec.Saccades)
		got[4] += len(rec.Blinks)
	}
	want := [5]int{x.Recordings, x.Samples, x.Fixations, x.Saccades, x.Blinks}
	if got != want {
		t.Errorf("recordings, samples, fixations, saccades, blinks = %v, want %v", got, want)
	}
}

func (x *Fixture) detect(t *testing.T, f format.Format) {
	in, err := format.NewInput(x.Name, bytes.NewReader(x.Data))
	if err != nil {
		t.Fatal(err)
	}
	m := f.Detect(in.Head())
	if m.Score <= format.No || m.Score > 100 || len(m.Why) == 0 {
		t.Errorf("Detect = %d %q, want a score and reasons", m.Score, m.Why)
	}
}

func (x *Fixture) stop(t *testing.T, f format.Format) {
	in, err := format.NewInput(x.Name, bytes.NewReader(x.Data))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range f.Read(in, x.Options) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d pieces before the break, want 1", n)
	}
}

// want refuses every recording: that is no error and no empty file.
func (x *Fixture) want(t *testing.T, f format.Format) {
	o := x.Options
	asked := 0
	o.Want = func(*gaze.Header) bool { asked++; return false }
	r := Read(t, f, x.Name, x.Data, o)
	if r.Err != nil || len(r.Recordings) > 0 {
		t.Errorf("%d recordings, error %v, want none of both", len(r.Recordings), r.Err)
	}
	if asked < x.Recordings {
		t.Errorf("asked for %d recordings, want %d", asked, x.Recordings)
	}
}

// truncated cuts the file after every line, and in the middle of it; binary
// files at every byte up to 4096 and then here and there.
func (x *Fixture) truncated(t *testing.T, f format.Format) {
	whole := x.read(t, f, x.Data)
	for _, n := range cuts(x.Data, x.Binary) {
		r := x.read(t, f, x.Data[:n])
		if rows(r) > rows(whole) {
			t.Fatalf("cut at byte %d: more rows than in the whole file", n)
		}
		if r.Err != nil {
			x.checkLocated(t, r.Err)
		}
	}
}

func cuts(data []byte, binary bool) []int {
	var at []int
	if binary {
		for n := 0; n < len(data); n += 1 + n/4096 {
			at = append(at, n)
		}
		return at
	}
	last := 0
	for i, c := range data {
		if c == '\n' {
			at = append(at, (last+i)/2, i, i+1)
			last = i
		}
	}
	return at
}

func rows(r Result) int {
	n := 0
	for _, rec := range r.Recordings {
		n += rec.Samples.Len() + len(rec.Fixations)
	}
	return n
}

// checkLocated wants an error that names the file.
func (x *Fixture) checkLocated(t *testing.T, err error) {
	t.Helper()
	var s *format.SyntaxError
	var u *format.UnknownError
	if !errors.As(err, &s) && !errors.As(err, &u) {
		t.Errorf("error of type %T, want *format.SyntaxError: %v", err, err)
	} else if !strings.Contains(err.Error(), x.Name) {
		t.Errorf("error does not name the file: %v", err)
	}
}

func (x *Fixture) headerOnly(t *testing.T, f format.Format) {
	end := 0
	for range x.Header {
		end += bytes.IndexByte(x.Data[end:], '\n') + 1
	}
	r := x.read(t, f, x.Data[:end])
	if !errors.Is(r.Err, format.ErrEmpty) {
		t.Errorf("error %v, want one that is ErrEmpty", r.Err)
	}
}

// nothing reads files without content and files of noise.
func nothing(t *testing.T, f format.Format, fixtures []Fixture) {
	var o format.Options
	if len(fixtures) > 0 {
		o = fixtures[0].Options
	}
	for name, data := range map[string][]byte{
		"empty": nil, "blank": []byte("\n\n \n"), "nul": make([]byte, 3000), "one byte": {7}, "noise": noise(20000),
		"text":      []byte(strings.Repeat("It was the best of times, it was the worst of times.\n", 50)),
		"long line": bytes.Repeat([]byte("7"), 3<<20),
	} {
		r := Read(t, f, "file", data, o)
		if r.Err == nil {
			t.Errorf("%s: no error", name)
		}
		f.Detect(format.Head{Name: "file", Raw: data, Text: data})
		f.Detect(format.Head{Name: "file", Raw: data})
	}
}

// Constant checks that reading four times as much does not allocate more: a
// long recording must not be held in memory. small and large are files of at
// least two and eight pieces.
func Constant(t *testing.T, f format.Format, o format.Options, small, large []byte) {
	t.Helper()
	first := allocated(t, f, o, small)
	second := allocated(t, f, o, large)
	if second > first+first/4+1<<20 {
		t.Errorf("%d bytes allocated for %d bytes of input, %d for %d: memory grows with the file", first, len(small), second, len(large))
	}
}

func allocated(t *testing.T, f format.Format, o format.Options, data []byte) uint64 {
	t.Helper()
	in, err := format.NewInput("file", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pieces := 0
	for _, err := range f.Read(in, o) {
		if err != nil {
			t.Fatal(err)
		}
		pieces++
	}
	runtime.ReadMemStats(&after)
	if pieces < 2 {
		t.Fatalf("%d pieces: the file is too short to tell", pieces)
	}
	return after.TotalAlloc - before.TotalAlloc
}

// noise is reproducible bytes without any structure.
func noise(n int) []byte {
	out := make([]byte, n)
	s := uint64(1)
	for i := range out {
		s = s*6364136223846793005 + 1442695040888963407
		out[i] = byte(s >> 56)
	}
	return out
}

// equal compares recordings; NaN equals NaN.
func equal(a, b []*gaze.Recording) string {
	return cmp.Diff(a, b, cmpopts.EquateNaNs())
}
