package feather_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/feather"
	"github.com/gazeward/gazeward/format/formattest"
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
	fsys := fstest.MapFS{"t.feather": {}}
	switch {
	case !s.Samples:
		w, err = feather.NewWriter(nil, &a, "", s)
	case s.Events:
		w, err = feather.NewWriter(&a, &b, "t_events.feather", s)
	default:
		w, err = feather.NewWriter(&a, nil, "", s)
	}
	if err == nil {
		err = canonical.Copy(w, pieces)
	}
	fsys["t.feather"].Data = a.Bytes()
	if b.Len() > 0 {
		fsys["t_events.feather"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return fsys, err
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := formattest.Random(t)
		if rapid.Bool().Draw(t, "one unit") {
			for _, r := range recs {
				r.Unit = recs[0].Unit
			}
		}
		fsys, err := write(recs, gazetest.Pieces(rapid.IntRange(1, 10).Draw(t, "piece"), recs...))
		if err != nil {
			t.Fatal(err)
		}
		if d := formattest.Back(feather.Format(), fsys, "t.feather", recs); d != "" {
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
		if d := formattest.Back(feather.Format(), fsys, "t.feather", recs); d != "" {
			t.Errorf("%s: differs from what was written:\n%.2000s", name, d)
		}
	}
}

// What pymovements wants: time in ms, and lists of the positions of both eyes.
func TestColumnsForPymovements(t *testing.T) {
	recs := gazetest.Lossy(1, 0.2)
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewFileReader(bytes.NewReader(fsys["t.feather"].Data))
	if err != nil {
		t.Fatal(err)
	}
	batch, err := r.RecordBatchAt(0)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) arrow.Array { return batch.Column(r.Schema().FieldIndices(name)[0]) }
	pixel, ok := at("pixel").(*array.List)
	if !ok {
		t.Fatalf("no list of pixels: %v", r.Schema())
	}
	values := pixel.ListValues().(*array.Float64)
	width := 2 * len(recs[0].Eyes())
	track, _, _ := recs[0].Best()
	for i := range 50 {
		from, to := pixel.ValueOffsets(i)
		if int(to-from) != width || pixel.IsNull(i) {
			t.Fatalf("row %d has %d elements, want %d: lost is NaN, not null", i, to-from, width)
		}
		x := values.Value(int(to) - 2)
		if want := track.X[i]; x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("row %d: %v, want %v", i, x, want)
		}
		if ms := at("time").(*array.Float64).Value(i); ms != float64(recs[0].Samples.T[i])/1e6 {
			t.Errorf("row %d at %v ms", i, ms)
		}
	}
}

// file writes a table as other programs do.
func file(t testing.TB, o []ipc.Option, columns []arrow.Field, fill func(b *array.RecordBuilder), batches int) []byte {
	t.Helper()
	var out bytes.Buffer
	schema := arrow.NewSchema(columns, nil)
	w, err := ipc.NewFileWriter(&out, append([]ipc.Option{ipc.WithSchema(schema)}, o...)...)
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	for range batches {
		fill(b)
		if err := w.Write(b.NewRecordBatch()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pymovements(t testing.TB, o ...ipc.Option) []byte {
	list := arrow.LargeListOf(arrow.PrimitiveTypes.Float64)
	columns := []arrow.Field{
		{Name: "time", Type: arrow.PrimitiveTypes.Int64}, {Name: "position", Type: list},
		{Name: "subject_id", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint32, ValueType: arrow.BinaryTypes.String}},
		{Name: "text_id", Type: arrow.BinaryTypes.StringView}, {Name: "velocity", Type: list}, {Name: "done", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "odd", Type: arrow.FixedWidthTypes.Float16},
	}
	at := int64(5000)
	return file(t, o, columns, func(b *array.RecordBuilder) {
		for i := range 10 {
			b.Field(0).(*array.Int64Builder).Append(at)
			at += 2
			for _, k := range []int{1, 4} {
				l := b.Field(k).(*array.LargeListBuilder)
				l.Append(true)
				v := l.ValueBuilder().(*array.Float64Builder)
				v.AppendValues([]float64{float64(i), -1.5}, nil)
			}
			if err := b.Field(2).(*array.BinaryDictionaryBuilder).AppendString("s7"); err != nil {
				t.Fatal(err)
			}
			b.Field(3).(*array.StringViewBuilder).Append("a long enough name of a text")
			b.Field(5).(*array.BooleanBuilder).Append(true)
			b.Field(6).AppendNull()
		}
	}, 3)
}

func TestPymovements(t *testing.T) {
	for name, o := range map[string][]ipc.Option{"plain": nil, "zstd": {ipc.WithZstd()}, "lz4": {ipc.WithLZ4()}} {
		res := formattest.Read(t, feather.Format(), "x.feather", pymovements(t, o...), format.Options{})
		if res.Err != nil {
			t.Fatal(name, res.Err)
		}
		r := res.Recordings[0]
		if r.Participant != "s7" || r.Unit != gaze.Degrees || r.Samples.Len() != 30 || r.Samples.T[29] != 58*time.Millisecond {
			t.Errorf("%s: %+v, %d samples", name, r.Header, r.Samples.Len())
		}
		if track := r.Samples.Tracks[gaze.Cyclopean]; track.X[3] != 3 || track.Y[3] != -1.5 {
			t.Errorf("%s: %v %v", name, track.X, track.Y)
		}
		if got := fmt.Sprint(res.Report.Dropped()); got != "[text_id velocity_x velocity_y done odd]" {
			t.Errorf("dropped %s", got)
		}
	}
}

func TestMapping(t *testing.T) {
	m := &format.Mapping{Time: "time", TimeUnit: "ms", X: "velocity_x", Y: "position_y", Unit: "deg", Participant: "text_id", ValidWhen: format.Conditions{{Column: "done", Op: "==", Value: "1"}}}
	r := formattest.Read(t, feather.Format(), "x.feather", pymovements(t), format.Options{Mapping: m})
	if r.Err != nil || r.Recordings[0].Participant != "a long enough name of a text" || r.Recordings[0].Samples.Tracks[0].X[4] != 4 {
		t.Errorf("%v", r.Err)
	}
	m.Pupil = "odd"
	if r := formattest.Read(t, feather.Format(), "x.feather", pymovements(t), format.Options{Mapping: m}); r.Err == nil || !strings.Contains(r.Err.Error(), "column odd") {
		t.Errorf("error %v", r.Err)
	}
	bare := file(t, nil, []arrow.Field{{Name: "t", Type: arrow.PrimitiveTypes.Float64}, {Name: "x", Type: arrow.PrimitiveTypes.Float64}, {Name: "y", Type: arrow.PrimitiveTypes.Float64}},
		func(b *array.RecordBuilder) {
			for k := range 3 {
				b.Field(k).(*array.Float64Builder).AppendValues([]float64{0, 4, 8}, nil)
			}
		}, 1)
	var unknown *format.UnknownError
	if r := formattest.Read(t, feather.Format(), "x.feather", bare, format.Options{}); !errors.As(r.Err, &unknown) || !strings.Contains(unknown.Suggestion, "time_unit: ms") {
		t.Errorf("error %v, want a mapping", r.Err)
	}
}

func fixture(t testing.TB) formattest.Fixture {
	return formattest.Fixture{Name: "t.feather", Data: pymovements(t), Recordings: 1, Samples: 30, Binary: true}
}

func TestConformance(t *testing.T) { formattest.Run(t, feather.Format(), fixture(t)) }

func fuzzFixtures(t testing.TB) []formattest.Fixture {
	recs := gazetest.FixationsOnly(1)
	recs[0].Fixations = recs[0].Fixations[:3]
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	return []formattest.Fixture{fixture(t), {Data: pymovements(t, ipc.WithLZ4())}, {Data: fsys["t.feather"].Data}}
}

func FuzzRead(f *testing.F) { formattest.Fuzz(f, feather.Format(), fuzzFixtures(f)...) }

// Lengths in a file are claims: a change of any byte must not make a reader
// reserve what the file cannot hold.
func TestClaims(t *testing.T) {
	const step = 23 // prime to the lengths of fields; 1 was tried
	for _, x := range fuzzFixtures(t) {
		for at := 4; at < len(x.Data); at += step {
			for _, c := range []byte{0xff, 0x7f} {
				data := bytes.Clone(x.Data)
				data[at] = c
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				formattest.Read(t, feather.Format(), "x.feather", data, format.Options{})
				runtime.ReadMemStats(&after)
				if n := after.TotalAlloc - before.TotalAlloc; n > 160<<20 {
					t.Errorf("byte %d changed: %d MB reserved for a file of %d bytes", at, n>>20, len(data))
				}
			}
		}
	}
}

func TestOldFilesAreRefused(t *testing.T) {
	f := feather.Old()
	if m := f.Detect(format.Head{Raw: []byte("FEA1....")}); m.Score < format.Certain || f.Read != nil || f.Hint == "" {
		t.Errorf("%+v", m)
	}
}

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
		w, err := feather.NewWriter(&bytes.Buffer{}, nil, "", s)
		if err == nil {
			err = canonical.Copy(w, gazetest.Seq(recs...))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// Another program that writes our table anew keeps its columns, but not what
// the metadata say of them: positions must not vanish.
func TestTablesWrittenAnew(t *testing.T) {
	list := arrow.ListOf(arrow.PrimitiveTypes.Float64)
	for name, want := range map[string]struct {
		lists    []string
		elements int
		eyes     string
		x        []float64 // of the eyes in their order
		unit     gaze.Unit
	}{
		"one eye":     {[]string{"pixel"}, 2, "[cyclopean]", []float64{0}, gaze.Pixels},
		"both eyes":   {[]string{"pixel"}, 4, "[left right]", []float64{0, 2}, gaze.Pixels},
		"and both":    {[]string{"position"}, 6, "[cyclopean left right]", []float64{4, 0, 2}, gaze.Degrees},
		"other lists": {[]string{"velocity", "position", "pixel"}, 2, "[cyclopean]", []float64{0}, gaze.Pixels},
	} {
		columns := []arrow.Field{
			{Name: "recording", Type: arrow.PrimitiveTypes.Int64}, {Name: "participant", Type: arrow.BinaryTypes.String},
			{Name: "time", Type: arrow.PrimitiveTypes.Float64}, {Name: "unit", Type: arrow.BinaryTypes.String},
		}
		for _, l := range want.lists {
			columns = append(columns, arrow.Field{Name: l, Type: list})
		}
		data := file(t, nil, columns, func(b *array.RecordBuilder) {
			b.Field(0).(*array.Int64Builder).Append(0)
			b.Field(1).(*array.StringBuilder).Append("p")
			b.Field(2).(*array.Float64Builder).Append(2.5)
			b.Field(3).(*array.StringBuilder).Append("norm")
			for i := range want.lists {
				l := b.Field(4 + i).(*array.ListBuilder)
				l.Append(true)
				for k := range want.elements {
					l.ValueBuilder().(*array.Float64Builder).Append(float64(k))
				}
			}
		}, 1)
		r := formattest.Read(t, feather.Format(), "x.feather", data, format.Options{})
		if r.Err != nil {
			t.Errorf("%s: %v", name, r.Err)
			continue
		}
		rec := r.Recordings[0]
		var x []float64
		for _, e := range rec.Eyes() {
			x = append(x, rec.Samples.Tracks[e].X[0])
		}
		if fmt.Sprint(rec.Eyes()) != want.eyes || !slices.Equal(x, want.x) || rec.Unit != want.unit || rec.Participant != "p" {
			t.Errorf("%s: eyes %v, x %v, %v, want %+v", name, rec.Eyes(), x, rec.Unit, want)
		}
	}
}
