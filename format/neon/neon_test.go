package neon_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/neon"
	"github.com/gazeward/gazeward/gaze"
)

const zero = int64(1760676790465965534) // a Unix time in ns

// pack writes values little-endian without gaps, as NumPy's tofile does.
func pack(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func times(n int, from, step int64) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(from+int64(i)*step))
	}
	return b
}

var places = pack([]float32{719.5, 749.75, 718.5, 746.25, float32(math.NaN()), 3, 2147483648, 5, 700, 800})

const eyeLayout = `[
("pupil_diameter_left_mm",  "float32"),
("eyeball_center_left_x",   "float32"),
("pupil_diameter_right_mm", "float32"),
("eyelid_angle_top_left",   "uint8"),
]`

// recording is a folder with a part of five samples at 200 Hz, the first
// sample's eye state missing, and a second part of two samples.
func recording() fstest.MapFS {
	states := bytes.Join([][]byte{
		pack(float32(3.5), float32(31.7177), float32(3.75), uint8(9)), pack(float32(3.25), float32(31.7178), float32(0), uint8(9)),
		pack(float32(3.125), float32(31.7178), float32(3.625), uint8(9)),
	}, nil)
	fixations := bytes.Join([][]byte{
		pack(int32(1), zero-9e6, zero-1e6, make([]float32, 10)),
		pack(int32(1), zero-2e6, zero+6e6, []float32{1, 2, 3, 4, 715.5, 748.5, 9, 1.5, 100, 200}),
		pack(int32(0), zero+6e6, zero+15e6, []float32{10, 20, 300, 400, 5, 6, 700, 36.5, 2000, 5000}),
		pack(int32(1), zero+9e9, zero+10e9, make([]float32, 10)),
	}, nil)
	file := func(b []byte) *fstest.MapFile { return &fstest.MapFile{Data: b} }
	return fstest.MapFS{
		"r/gaze ps1.raw": file(places), "r/gaze ps1.time": file(times(5, zero, 5e6)), "r/gaze.dtype": file([]byte("[\n(\"x\", \"float32\"),\n(\"y\", \"float32\"),\n]\n")),
		"r/gaze ps2.raw": file(pack([]float32{50, 60, 70, 80})), "r/gaze ps2.time": file(times(2, zero+1e9, 5e6)),
		"r/worn ps1.raw":      file([]byte{255, 255, 255, 255, 0}),
		"r/eye_state ps1.raw": file(states), "r/eye_state ps1.time": file(times(3, zero+5e6, 5e6)), "r/eye_state.dtype": file([]byte(eyeLayout)),
		"r/fixations ps1.raw": file(fixations), "r/blinks ps1.raw": file(pack(zero+12e6, zero+19e6)),
		"r/info.json": file([]byte(`{"wearer_name": "Jane Roe", "module_serial_number": "123456"}`)),
	}
}

// beside is the format with the recording's files beside whatever is read.
func beside(files fstest.MapFS) format.Format {
	f := neon.Format()
	inner := f.Read
	f.Read = func(in *format.Input, o format.Options) gaze.Seq {
		in.FS, in.Path = files, "r/"+in.Name
		return inner(in, o)
	}
	return f
}

func fixture() formattest.Fixture {
	return formattest.Fixture{Name: "gaze ps1.raw", Data: places, Recordings: 1, Samples: 7, Fixations: 1, Saccades: 1, Blinks: 1, Binary: true}
}

func TestConformance(t *testing.T) { formattest.Run(t, beside(recording()), fixture()) }

func FuzzRead(f *testing.F) {
	for name, file := range recording() {
		f.Add(places, file.Data, strings.Contains(name, "eye_state"))
	}
	f.Fuzz(func(t *testing.T, raw, other []byte, states bool) {
		files := recording()
		for name := range files {
			if strings.HasPrefix(name, "r/eye_state") == states && name != "r/gaze ps1.time" {
				files[name] = &fstest.MapFile{Data: other}
			}
		}
		r := formattest.Read(t, beside(files), "gaze ps1.raw", raw, format.Options{})
		for _, rec := range r.Recordings {
			if n := rec.Samples.Len(); n > 7+len(other)/8 {
				t.Errorf("%d samples of %d and %d bytes", n, len(raw), len(other))
			}
		}
		neon.Format().Detect(format.Head{Name: "gaze ps1.raw", Raw: raw})
		neon.Format().Detect(format.Head{Name: "gaze.dtype", Raw: raw, Text: raw})
	})
}

func read(t *testing.T, files fstest.MapFS, name string) formattest.Result {
	t.Helper()
	r := formattest.Read(t, beside(files), name, files["r/"+name].Data, format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestRecording(t *testing.T) {
	res := read(t, recording(), "gaze ps1.raw")
	r := res.Recordings[0]
	want := gaze.Header{
		Unit: gaze.Pixels, Frame: gaze.InWorld, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Width: 1600, Height: 1200}, Format: "neon-native",
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	s := r.Samples
	if s.T[1] != 5*time.Millisecond || s.T[5] != time.Second || s.T[6] != 1005*time.Millisecond {
		t.Errorf("times %v", s.T)
	}
	nan := math.NaN()
	tr := s.Tracks
	for i, w := range [][4]float64{
		{719.5, 749.75, nan, nan}, {718.5, 746.25, 3.5, 3.75}, {nan, nan, 3.25, nan}, {nan, nan, 3.125, 3.625}, {nan, nan, nan, nan},
		{50, 60, nan, nan}, {70, 80, nan, nan},
	} {
		got := [4]float64{tr[gaze.Cyclopean].X[i], tr[gaze.Cyclopean].Y[i], tr[gaze.Left].Pupil[i], tr[gaze.Right].Pupil[i]}
		for n := range w {
			if got[n] != w[n] && !(math.IsNaN(got[n]) && math.IsNaN(w[n])) {
				t.Errorf("sample %d: %v, want %v", i, got, w)
				break
			}
		}
	}
	f := r.Fixations[0]
	if f.Start != 0 || f.Duration != 6*time.Millisecond || f.X != 715.5 || f.Y != 748.5 {
		t.Errorf("fixation %+v, want what lies before the first sample cut off", f)
	}
	q := r.Saccades[0]
	if q.Start != 6*time.Millisecond || q.Duration != 9*time.Millisecond || q.X0 != 10 || q.Y1 != 400 || q.Amplitude != 36.5 || !math.IsNaN(q.PeakVelocity) {
		t.Errorf("saccade %+v", q)
	}
	if want := (gaze.Blink{Start: 12 * time.Millisecond, Duration: 7 * time.Millisecond}); r.Blinks[0] != want {
		t.Errorf("blink %+v, want %+v", r.Blinks[0], want)
	}
	id := fmt.Sprint(res.Report.Identity())
	for _, want := range []string{"eyeball_center", "optical_axis", "info.json: wearer_name", "info.json: module_serial_number"} {
		if !strings.Contains(id, want) {
			t.Errorf("%s is no identity carrier: %s", want, id)
		}
	}
	quirks := fmt.Sprint(res.Report.Quirks())
	if !strings.Contains(quirks, "2 × fixation, saccade or blink outside") || !strings.Contains(quirks, "1 × overflow") || strings.Contains(id+quirks, "Jane") {
		t.Errorf("quirks %s", quirks)
	}
}

func TestGazeAlone(t *testing.T) {
	all := recording()
	files := fstest.MapFS{"r/gaze ps1.raw": all["r/gaze ps1.raw"], "r/gaze ps1.time": {Data: times(4, zero, 5e6)[:30]}}
	res := read(t, files, "gaze ps1.raw")
	r := res.Recordings[0]
	if r.Samples.Len() != 3 || r.Fixations != nil || r.Blinks != nil || r.Samples.Tracks[gaze.Left].Pupil != nil {
		t.Errorf("%d samples, %+v", r.Samples.Len(), r)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "2 × sample without a usable time") || !strings.Contains(q, "1 × file whose last record") {
		t.Errorf("quirks %s", q)
	}
	files["r/gaze ps1.time"] = &fstest.MapFile{Data: times(7, zero, 5e6)}
	if q := fmt.Sprint(read(t, files, "gaze ps1.raw").Report.Quirks()); !strings.Contains(q, "2 × time stamp without a sample") {
		t.Errorf("quirks %s", q)
	}
}

func TestGazeAt200Hz(t *testing.T) {
	files := recording()
	files["r/gaze_200hz.raw"], files["r/gaze_200hz.time"] = files["r/gaze ps1.raw"], files["r/gaze ps1.time"]
	r := read(t, files, "gaze_200hz.raw").Recordings[0]
	if r.Rate != 200 || r.Samples.Len() != 5 || len(r.Fixations) != 1 || r.Samples.Tracks[gaze.Left].Pupil[1] != 3.5 {
		t.Errorf("%v Hz, %d samples, %d fixations", r.Rate, r.Samples.Len(), len(r.Fixations))
	}
	res := formattest.Read(t, beside(files), "gaze ps1.raw", places, format.Options{})
	var refused *format.RefusedError
	if !errors.As(res.Err, &refused) || !strings.Contains(res.Err.Error(), "gaze_200hz.raw") {
		t.Errorf("the same gaze twice: %v", res.Err)
	}
}

func TestFilesThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct{ file, content, want string }{
		"no times":     {"r/gaze ps1.time", "", "gaze ps1.time"},
		"other layout": {"r/gaze.dtype", `[("azimuth", "float32")]`, "gaze.dtype"},
	} {
		files := recording()
		delete(files, c.file)
		if c.content != "" {
			files[c.file] = &fstest.MapFile{Data: []byte(c.content)}
		}
		r := formattest.Read(t, beside(files), "gaze ps1.raw", places, format.Options{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
}

func TestDetect(t *testing.T) {
	for name, want := range map[string]struct {
		score     bool
		companion string
	}{
		"gaze ps1.raw": {true, ""}, "gaze_200hz.raw": {true, ""}, "gaze ps2.raw": {true, "gaze ps1.raw"}, "worn ps1.raw": {true, "gaze ps1.raw"},
		"eye_state ps1.time": {true, "gaze ps1.raw"}, "gaze ps1.txt": {false, ""}, "picture ps1.raw": {false, ""}, "gaze.raw": {false, ""}, "gaze psx.raw": {false, ""},
	} {
		if m := neon.Format().Detect(format.Head{Name: name, Raw: places}); (m.Score > format.No) != want.score || m.Companion != want.companion || len(m.Why) == 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := neon.Format().Detect(format.Head{Name: "gaze ps1.raw", Raw: []byte("time,x,y\n1,2,3\n"), Text: []byte("time,x,y\n1,2,3\n")}); m.Score > format.No {
		t.Errorf("text: %+v", m)
	}
	if m := neon.Format().Detect(format.Head{Name: "eye_state.dtype", Text: []byte(eyeLayout)}); m.Companion == "" {
		t.Errorf(".dtype: %+v", m)
	}
}

func TestConstantMemory(t *testing.T) {
	write := func(n int) []byte {
		var b []byte
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i%1600)))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i%1200)))
		}
		return b
	}
	f := beside(fstest.MapFS{"r/gaze ps1.time": {Data: times(280_000, zero, 5e6)}})
	inner := f.Read
	f.Read = func(in *format.Input, o format.Options) gaze.Seq {
		in.Name = "gaze ps1.raw"
		return inner(in, o)
	}
	formattest.Constant(t, f, format.Options{}, write(70_000), write(280_000))
}

func TestRealRecording(t *testing.T) {
	dir := formattest.Shared(t, "formats/pupil_neon_native")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := format.NewInput(e.Name(), f)
		if err != nil {
			t.Fatal(err)
		}
		m := neon.Format().Detect(in.Head())
		if e.Name() != "gaze ps1.raw" {
			if !strings.HasPrefix(e.Name(), "LICENSE") && m.Companion != "gaze ps1.raw" {
				t.Errorf("%s: %+v", e.Name(), m)
			}
			continue
		}
		in.FS = os.DirFS(dir)
		report := new(format.Report)
		s, err := format.Summarize(neon.Format().Read(in, format.Options{Report: report}), report)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows != 1788 || math.Abs(s.Rate.Hz-200) > 1 || s.Unit != "px" || s.Lost != 0 || s.Events.Fixations+s.Events.Saccades != 45 || m.Score < format.Certain {
			t.Errorf("%d rows, %v Hz, %s, lost %v, %+v, %+v", s.Rows, s.Rate.Hz, s.Unit, s.Lost, s.Events, m)
		}
		t.Logf("%+v, %+v, quirks %q, dropped %q", *s.Rate, s.Events, s.Quirks, s.Dropped)
	}
}
