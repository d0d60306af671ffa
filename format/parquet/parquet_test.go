package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/parquet"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

// write writes recordings as the caller of a program would.
func write(recs []*gaze.Recording, pieces gaze.Seq) (fstest.MapFS, error) {
	s, err := canonical.Look(gazetest.Seq(recs...))
	if err != nil {
		return nil, err
	}
	var a, b bytes.Buffer
	var w canonical.Writer
	fsys := fstest.MapFS{"t.parquet": {}}
	switch {
	case !s.Samples:
		w, err = parquet.NewWriter(nil, &a, "", s)
	case s.Events:
		w, err = parquet.NewWriter(&a, &b, "t_events.parquet", s)
	default:
		w, err = parquet.NewWriter(&a, nil, "", s)
	}
	if err == nil {
		err = canonical.Copy(w, pieces)
	}
	fsys["t.parquet"].Data = a.Bytes()
	if b.Len() > 0 {
		fsys["t_events.parquet"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return fsys, err
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := formattest.Random(t)
		fsys, err := write(recs, gazetest.Pieces(rapid.IntRange(1, 10).Draw(t, "piece"), recs...))
		if err != nil {
			t.Fatal(err)
		}
		if d := formattest.Back(parquet.Format(), fsys, "t.parquet", recs); d != "" {
			t.Fatalf("differs from what was written (-want +got):\n%s", d)
		}
	})
}

func TestRoundTripOfPeople(t *testing.T) {
	for name, recs := range map[string][]*gaze.Recording{
		"annotated": gazetest.Annotated(3), "fixations only": gazetest.FixationsOnly(2), "lossy": gazetest.Lossy(2, 0.3), "wanderers": gazetest.Wanderers(2),
	} {
		fsys, err := write(recs, gazetest.Pieces(500, recs...))
		if err != nil {
			t.Fatal(err)
		}
		if d := formattest.Back(parquet.Format(), fsys, "t.parquet", recs); d != "" {
			t.Errorf("%s: differs from what was written:\n%.2000s", name, d)
		}
	}
}

// Renamed files are still found together.
func TestRenamed(t *testing.T) {
	recs := gazetest.Annotated(1)
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	fsys = fstest.MapFS{"d/u.parquet": fsys["t.parquet"], "d/u_events.parquet": fsys["t_events.parquet"]}
	if d := formattest.Back(parquet.Format(), fsys, "d/u.parquet", recs); d != "" {
		t.Errorf("differs:\n%.2000s", d)
	}
}

func canonicalFixture(t testing.TB) formattest.Fixture {
	recs := gazetest.People(2)
	for _, r := range recs {
		r.Samples.T = r.Samples.T[:20]
		for e := range r.Samples.Tracks {
			tr := &r.Samples.Tracks[e]
			for _, c := range []*[]float64{&tr.X, &tr.Y, &tr.Pupil, &tr.Confidence} {
				if *c != nil {
					*c = (*c)[:20]
				}
			}
		}
		r.Samples.Labels, r.Samples.Signals, r.Fixations, r.Saccades, r.Blinks = nil, nil, nil, nil, nil
	}
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	return formattest.Fixture{Name: "t.parquet", Data: fsys["t.parquet"].Data, Recordings: 2, Samples: 40, Binary: true}
}

func TestConformance(t *testing.T) { formattest.Run(t, parquet.Format(), canonicalFixture(t)) }

// rows as other programs write them.
type nested struct {
	Time     int64     `parquet:"time"`
	Pixel    []float64 `parquet:"pixel,list"`
	Subject  string    `parquet:"subject_id,dict"`
	Trial    int32     `parquet:"trial_id,delta"`
	Velocity []float32 `parquet:"velocity,list"`
}

type plain struct {
	Stamp time.Time `parquet:"timestamp_ns,timestamp(nanosecond)"`
	X     *float32  `parquet:"gaze_x_px,optional,split"`
	Y     float64   `parquet:"gaze_y_px,split"`
	Who   string    `parquet:"participant,delta"`
	OK    bool      `parquet:"ok"`
	Shown []byte    `parquet:"stimulus"`
	Birth uint32    `parquet:"birth_date"`
}

func file[T any](t testing.TB, rows []T, o ...pq.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, o...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func nestedRows(n int) []nested {
	rows := make([]nested, n)
	for i := range rows {
		f := float64(i)
		rows[i] = nested{Time: int64(1000 + 2*i), Pixel: []float64{f, 2 * f, 10 + f, 20 + f}, Subject: "s1", Trial: int32(i / 1500), Velocity: []float32{1, 2, 3, 4}}
	}
	rows[1].Pixel[2] = math.NaN()
	return rows
}

func plainRows(n int) []plain {
	rows := make([]plain, n)
	x := float32(640.5)
	for i := range rows {
		rows[i] = plain{Stamp: time.Unix(1700000000, int64(i)*4e6), X: &x, Y: float64(i) / 8, Who: "anna", OK: i != 2, Shown: []byte("dog.png"), Birth: 19900101}
	}
	rows[1].X = nil
	return rows
}

func read(t *testing.T, data []byte, o format.Options) formattest.Result {
	t.Helper()
	r := formattest.Read(t, parquet.Format(), "x.parquet", data, o)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestPymovements(t *testing.T) {
	r := read(t, file(t, nestedRows(3000)), format.Options{})
	if len(r.Recordings) != 2 {
		t.Fatalf("%d recordings, want one for each trial", len(r.Recordings))
	}
	one := r.Recordings[0]
	if one.Participant != "s1" || one.Trial != "0" || one.Unit != gaze.Pixels || one.Samples.T[1] != 2*time.Millisecond {
		t.Errorf("%+v %v", one.Header, one.Samples.T[:2])
	}
	left, right := one.Samples.Tracks[gaze.Left], one.Samples.Tracks[gaze.Right]
	if left.X[5] != 5 || left.Y[5] != 10 || right.X[5] != 15 || right.Y[5] != 25 || !math.IsNaN(right.X[1]) {
		t.Errorf("%v %v", left.X[:6], right.X[:6])
	}
	if got := fmt.Sprint(r.Report.Dropped()); !strings.Contains(got, "velocity_x_left") {
		t.Errorf("dropped %s", got)
	}
}

// Every compression, page version and encoding that is read.
func TestStorage(t *testing.T) {
	rows := plainRows(5000)
	for name, o := range map[string][]pq.WriterOption{
		"plain": nil, "snappy": {pq.Compression(&pq.Snappy)}, "gzip": {pq.Compression(&pq.Gzip)}, "zstd": {pq.Compression(&pq.Zstd)},
		"pages of version 1": {pq.DataPageVersion(1), pq.Compression(&pq.Zstd)}, "small pages": {pq.PageBufferSize(500), pq.Compression(&pq.Snappy)},
		"row groups": {pq.MaxRowsPerRowGroup(700)}, "dictionaries": {pq.DefaultEncoding(&pq.RLEDictionary)},
	} {
		t.Run(name, func(t *testing.T) {
			m := &format.Mapping{
				Time: "timestamp_ns", TimeUnit: "ns", X: "gaze_x_px", Y: "gaze_y_px", Unit: "px", Participant: "participant",
				Stimulus: "stimulus", ValidWhen: format.Conditions{{Column: "ok", Op: "==", Value: "1"}},
			}
			res := read(t, file(t, rows, o...), format.Options{Mapping: m})
			r := res.Recordings[0]
			track := r.Samples.Tracks[gaze.Cyclopean]
			if r.Participant != "anna" || r.Stimulus != "dog.png" || r.Samples.Len() != len(rows) || r.Samples.T[4999] != 4999*4*time.Millisecond {
				t.Fatalf("%+v, %d samples", r.Header, r.Samples.Len())
			}
			for i := range rows {
				if lost := i == 1 || i == 2; lost != math.IsNaN(track.X[i]) || !lost && (track.X[i] != 640.5 || track.Y[i] != rows[i].Y) {
					t.Fatalf("row %d: %v %v", i, track.X[i], track.Y[i])
				}
			}
			if got := fmt.Sprint(res.Report.Identity()); got != "[birth_date]" {
				t.Errorf("identity carriers %s", got)
			}
		})
	}
	lz4 := formattest.Read(t, parquet.Format(), "x.parquet", file(t, rows, pq.Compression(&pq.Lz4Raw)), format.Options{})
	if lz4.Err == nil || !strings.Contains(lz4.Err.Error(), "save with none, snappy, gzip or zstd") {
		t.Errorf("error %v", lz4.Err)
	}
}

// Usual names with units need no mapping; others get one proposed.
func TestGuess(t *testing.T) {
	if r := read(t, file(t, plainRows(50)), format.Options{}).Recordings[0]; r.Unit != gaze.Pixels || r.Participant != "anna" {
		t.Errorf("%+v", r.Header)
	}
	type bare struct{ T, X, Y float64 }
	r := formattest.Read(t, parquet.Format(), "x.parquet", file(t, []bare{{0, 1, 2}, {4, 1, 2}}), format.Options{})
	var unknown *format.UnknownError
	if !errors.As(r.Err, &unknown) || !strings.Contains(unknown.Suggestion, "time_unit: ms") {
		t.Errorf("error %v, want a mapping", r.Err)
	}
}

func fuzzFixtures(t testing.TB) []formattest.Fixture {
	return []formattest.Fixture{
		canonicalFixture(t),
		{Data: file(t, nestedRows(5), pq.Compression(&pq.Snappy))},
		{Data: file(t, plainRows(5), pq.DataPageVersion(1), pq.Compression(&pq.Gzip))},
	}
}

func FuzzRead(f *testing.F) { formattest.Fuzz(f, parquet.Format(), fuzzFixtures(f)...) }

// Lengths in a file are claims: a change of any byte must not make a reader
// reserve what the file cannot hold.
func TestClaims(t *testing.T) {
	const step = 23 // prime to the lengths of fields; 1 was tried
	for _, x := range fuzzFixtures(t) {
		for at := 4; at < len(x.Data); at += step {
			for _, c := range []byte{0xff, 0x7f} {
				data := bytes.Clone(x.Data)
				data[at] = c
				checkMemory(t, at, data)
			}
		}
	}
}

func checkMemory(t *testing.T, at int, data []byte) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	formattest.Read(t, parquet.Format(), "x.parquet", data, format.Options{})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("byte %d changed: %d MB reserved for a file of %d bytes", at, n>>20, len(data))
	}
}

func TestBombs(t *testing.T) {
	rows := make([]plain, 400_000) // 50 MB of nothing
	data := file(t, rows, pq.Compression(&pq.Zstd), pq.PageBufferSize(64<<20))
	r := formattest.Read(t, parquet.Format(), "x.parquet", data, format.Options{})
	if r.Err != nil && !errors.Is(r.Err, format.ErrBomb) && !strings.Contains(r.Err.Error(), "none of") {
		t.Errorf("error %v for %d bytes", r.Err, len(data))
	}
}

func TestConstantMemory(t *testing.T) {
	write := func(n int) []byte {
		return file(t, plainRows(n), pq.MaxRowsPerRowGroup(50_000), pq.Compression(&pq.Snappy))
	}
	small, large := write(150_000), write(600_000)
	peak := func(data []byte) uint64 {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		in, err := format.NewInput("x.parquet", &sized{bytes.NewReader(data)})
		if err != nil {
			t.Fatal(err)
		}
		in.Size = int64(len(data))
		most := uint64(0)
		for _, err := range parquet.Read(in, format.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
		}
		return most
	}
	if a, b := peak(small), peak(large); b > a+a/2+8<<20 {
		t.Errorf("%d MB held for 150 000 rows, %d MB for 600 000: memory grows with the file", a>>20, b>>20)
	}
}

// sized gives random access like a file.
type sized struct{ *bytes.Reader }

var _ compress.Codec = &pq.Zstd

func BenchmarkWrite(b *testing.B) {
	recs := gazetest.People(40)
	s, err := canonical.Look(gazetest.Seq(recs...))
	if err != nil {
		b.Fatal(err)
	}
	rows := 0
	for _, r := range recs {
		rows += r.Samples.Len()
	}
	for b.Loop() {
		w, err := parquet.NewWriter(&bytes.Buffer{}, nil, "", s)
		if err == nil {
			err = canonical.Copy(w, gazetest.Seq(recs...))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkRead(b *testing.B) {
	data := file(b, plainRows(500_000), pq.Compression(&pq.Snappy))
	for b.Loop() {
		in, err := format.NewInput("x.parquet", bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range parquet.Read(in, format.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(500_000*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
