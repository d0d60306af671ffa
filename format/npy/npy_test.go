package npy_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/npy"
	"github.com/gazeward/gazeward/gaze"
)

// array writes a header of version 1 and the given records.
func array(descr, shape string, order binary.ByteOrder, values ...any) []byte {
	text := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	b := []byte("\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = append(b, text...)
	var body bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&body, order, v); err != nil {
			panic(err)
		}
	}
	return append(b, body.Bytes()...)
}

var nan = float32(math.NaN())

func irf() []byte {
	return array("[('t', '<f8'), ('x', '<f4'), ('y', '<f4'), ('status', '|b1'), ('evt', '|u1')]", "(4,)", binary.LittleEndian,
		0.5, float32(1.25), float32(-2.5), true, uint8(1),
		0.501, float32(1.5), float32(-2.25), true, uint8(2),
		0.502, nan, nan, false, uint8(5),
		0.503, float32(99), float32(99), false, uint8(3),
	)
}

func fixture() formattest.Fixture {
	return formattest.Fixture{Name: "a.npy", Data: irf(), Recordings: 1, Samples: 4, Binary: true}
}

func TestConformance(t *testing.T) { formattest.Run(t, npy.Format(), fixture()) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, npy.Format(), fixture()) }

// FuzzMapped reads whatever the fields are called.
func FuzzMapped(f *testing.F) {
	x := fixture()
	x.Options.Mapping = &format.Mapping{Time: "#1", TimeUnit: "s", X: "#2", Y: "#3", Unit: "px", Participant: "#1"}
	f.Add([]byte(big()))
	formattest.Fuzz(f, npy.Format(), x)
}

func read(t *testing.T, data []byte, m *format.Mapping) *gaze.Recording {
	t.Helper()
	r := formattest.Read(t, npy.Format(), "x.npy", data, format.Options{Mapping: m})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Recordings[0]
}

func TestEventArrays(t *testing.T) {
	r := read(t, irf(), nil)
	if r.Unit != gaze.Degrees || r.Samples.T[3] != 3*time.Millisecond {
		t.Errorf("%+v %v", r.Header, r.Samples.T)
	}
	track := r.Samples.Tracks[gaze.Cyclopean]
	if track.X[1] != 1.5 || track.Y[1] != -2.25 || !math.IsNaN(track.X[2]) || !math.IsNaN(track.X[3]) {
		t.Errorf("%v %v", track.X, track.Y)
	}
	if want := []gaze.Label{gaze.InFixation, gaze.InSaccade, gaze.InBlink, gaze.InOscillation}; !slices.Equal(r.Samples.Labels, want) {
		t.Errorf("labels %v", r.Samples.Labels)
	}
}

func big() []byte {
	return array("[('who', '>U3'), ('time_ns', '>i8'), ('pos', [('x_px', '>u2'), ('y_px', '>i2')]), ('', '|V1'), ('pad', '>f4', (2,)), ('code', '|S2')]",
		"(2,)", binary.BigEndian,
		[]rune{'a', 'é', 0}, int64(1700000000000000001), uint16(500), int16(-7), uint8(0), float32(1), float32(2), [2]byte{'o', 'k'},
		[]rune{'a', 'é', 0}, int64(1700000000004000001), uint16(501), int16(-8), uint8(0), float32(1), float32(2), [2]byte{'n', 'o'},
	)
}

// Nested fields, text, padding, big-endian numbers, and whole nanoseconds that
// no float64 holds.
func TestFieldsOfAllKinds(t *testing.T) {
	r := read(t, big(), &format.Mapping{
		Time: "time_ns", TimeUnit: "ns", X: "pos.x_px", Y: "pos.y_px", Unit: "px", Participant: "who",
		ValidWhen: format.Conditions{{Column: "code", Op: "==", Value: "ok"}},
		Signals:   []format.SignalMapping{{Column: "pad[1]"}},
	})
	track := r.Samples.Tracks[gaze.Cyclopean]
	if r.Participant != "aé" || r.Samples.T[1] != 4*time.Millisecond || track.X[0] != 500 || track.Y[0] != -7 || !math.IsNaN(track.X[1]) {
		t.Errorf("%q %v %v %v", r.Participant, r.Samples.T, track.X, track.Y)
	}
	if r.Samples.Signals[0].Values[0] != 2 {
		t.Errorf("%+v", r.Samples.Signals)
	}
}

func TestUsualNamesAreEnough(t *testing.T) {
	data := array("[('timestamp_ms', '<i4'), ('x_px', '<f8'), ('y_px', '<f8')]", "(2,)", binary.LittleEndian,
		int32(100), 640.0, 480.0, int32(104), 2147483647.0, 481.0)
	res := formattest.Read(t, npy.Format(), "x.npy", data, format.Options{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	if r := res.Recordings[0]; r.Unit != gaze.Pixels || r.Samples.T[1] != 4*time.Millisecond || !math.IsNaN(r.Samples.Tracks[0].X[1]) {
		t.Errorf("%+v %v", r.Header, r.Samples.T)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "overflow") {
		t.Errorf("quirks %s", q)
	}
	data = array("[('time', '<f8'), ('x', '<f8'), ('y', '<f8')]", "(2,)", binary.LittleEndian, 0.0, 640.0, 480.0, 0.004, 641.0, 481.0)
	res = formattest.Read(t, npy.Format(), "x.npy", data, format.Options{})
	if res.Err == nil || !strings.Contains(res.Err.Error(), "time_unit: s") {
		t.Errorf("error %v, want a mapping", res.Err)
	}
}

func TestMatrices(t *testing.T) {
	m := &format.Mapping{SamplingRate: 100, X: "#1", Y: "#2", Unit: "px"}
	rows := array("'<f8'", "(3, 2)", binary.LittleEndian, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
	columns := bytes.Replace(array("'<f8'", "(3, 2)", binary.LittleEndian, 1.0, 3.0, 5.0, 2.0, 4.0, 6.0), []byte("False"), []byte("True "), 1)
	for name, data := range map[string][]byte{"C order": rows, "Fortran order": columns} {
		r := read(t, data, m)
		if track := r.Samples.Tracks[0]; !slices.Equal(track.X, []float64{1, 3, 5}) || !slices.Equal(track.Y, []float64{2, 4, 6}) {
			t.Errorf("%s: %v %v", name, track.X, track.Y)
		}
	}
}

func TestDamagedHeaders(t *testing.T) {
	m := &format.Mapping{Time: "t", TimeUnit: "s", X: "x", Y: "x", Unit: "px"}
	for descr, want := range map[string]string{
		"[('t', '|O'), ('x', '<f8')]": "pickles", "[('t', '<f8'), ('x', '<f2')]": "field x", "[('t', '<f8'": "literal",
		"'<c16'": "c16", "[('t', '<f8'), ('x', '<f8', (99999999,))]": "damaged", "3": "not understood",
		"[('t', '<f8'), ('x', '|S9999999')]": "not understood", "[('t',)]": "damaged",
	} {
		r := formattest.Read(t, npy.Format(), "x.npy", append(array(descr, "(1,)", binary.LittleEndian), make([]byte, 64)...), format.Options{Mapping: m})
		if r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", descr, r.Err, want)
		}
	}
}

// A file that ends early is read to there, then located.
func TestTruncatedArray(t *testing.T) {
	data := array("[('t', '<f8'), ('x', '<f8')]", "(1000000000,)", binary.LittleEndian, 1.0, 2.0, 3.0)
	in, err := format.NewInput("x.npy", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for piece, e := range npy.Read(in, format.Options{Mapping: &format.Mapping{Time: "t", TimeUnit: "s", X: "x", Y: "x", Unit: "px"}}) {
		if err = e; e == nil {
			rows += piece.Samples.Len()
		}
	}
	if err == nil || !strings.Contains(err.Error(), "x.npy: ends after record 1 of 1000000000") || rows != 1 {
		t.Errorf("error %v after %d rows", err, rows)
	}
}

// The geometry lies beside arrays of this kind.
func TestGeometryBeside(t *testing.T) {
	const config = `{"geom": {"screen_width": 533.0, "screen_height": 301.0, "eye_distance": 565.0, "display_width_pix": 1920.0, "display_height_pix": 1080.0}}`
	in, err := format.NewInput("d/x.npy", bytes.NewReader(irf()))
	if err != nil {
		t.Fatal(err)
	}
	in.FS = fstest.MapFS{"d/db_config.json": {Data: []byte(config)}}
	recs, err := gaze.Collect(npy.Read(in, format.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	want := gaze.Screen{Width: 1920, Height: 1080, WidthCm: 53.3, HeightCm: 30.1, DistanceCm: 56.5, Origin: gaze.Center}
	if recs[0].Screen != want {
		t.Errorf("%+v", recs[0].Screen)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2*n, 2*n).Draw(t, "values")
		var b bytes.Buffer
		if err := npy.Write(&b, npy.Array{Shape: []int{n, 2}, Values: values}); err != nil {
			t.Fatal(err)
		}
		if head := bytes.IndexByte(b.Bytes(), '\n') + 1; head%64 != 0 || b.Len() != head+16*n {
			t.Fatalf("header of %d bytes, %d in all", head, b.Len())
		}
		in, err := format.NewInput("x.npy", bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		m := &format.Mapping{SamplingRate: 1000, X: "#1", Y: "#2", Unit: "px"}
		recs, err := gaze.Collect(npy.Read(in, format.Options{Mapping: m}))
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if track := recs[0].Samples.Tracks[0]; track.X[i] != values[2*i] || track.Y[i] != values[2*i+1] {
				t.Fatalf("row %d: %v %v, want %v", i, track.X[i], track.Y[i], values[2*i:2*i+2])
			}
		}
	})
}

func TestArchive(t *testing.T) {
	maps := []npy.Array{{Name: "mean", Shape: []int{2, 3}, Values: make([]float64, 6)}, {Name: "n", Shape: nil, Values: []float64{7}}}
	var b, again bytes.Buffer
	if err := npy.WriteArchive(&b, maps...); err != nil {
		t.Fatal(err)
	}
	if err := npy.WriteArchive(&again, maps...); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("equal arrays, different bytes (%v)", err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"(2, 3)", "()"} {
		f, err := z.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil || z.File[i].Name != maps[i].Name+".npy" || !strings.Contains(string(data[:80]), "'shape': "+want) {
			t.Errorf("%s: %q %v", z.File[i].Name, data, err)
		}
	}
	for _, bad := range [][]npy.Array{{{Name: "a", Shape: []int{2}}}, {{Shape: []int{0}}}, {{Name: "a", Shape: []int{0}}, {Name: "a", Shape: []int{0}}}, {{Name: "a", Shape: []int{-1}}}} {
		if err := npy.WriteArchive(io.Discard, bad...); err == nil {
			t.Errorf("%+v is written", bad)
		}
	}
}
