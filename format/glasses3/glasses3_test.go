package glasses3_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/glasses3"
	"github.com/gazeward/gazeward/gaze"
)

const data = `{"type":"gaze","timestamp":1000.006684,"data":{"gaze2d":[0.5722,0.5182],"gaze3d":[-8.5,-1.1,52.3],"eyeleft":{"gazeorigin":[28.49,-11.0,-25.17],"gazedirection":[-0.1,-0.06,0.98],"pupildiameter":3.654},"eyeright":{"gazeorigin":[-31.76,-9.4,-25.8],"gazedirection":[-0.15,-0.006,0.98],"pupildiameter":4.593}}}
{"type":"gaze","timestamp":1000.016710,"data":{}}
{ "type" : "gaze", "timestamp" : 1000.026704, "data" : { "gaze2d" : [ 1.25, -0.0312 ], "eyeleft" : {}, "eyeright" : { "pupildiameter" : 4.5 } } }
{"type":"gaze","timestamp":1000.036704,"data":{"gaze2d":[0.25,0.75],"eyeleft":{"pupildiameter":-1},"eyeright":{}}}
`

func fixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "gazedata", Data: []byte(data), Recordings: 1, Samples: 4, Position: "0.5722", Secrets: []string{"28.49", "31.76", "1000.0"},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, glasses3.Format(), fixture()) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, glasses3.Format(), fixture()) }

func TestGaze(t *testing.T) {
	res := formattest.Read(t, glasses3.Format(), "gazedata", []byte(data), format.Options{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	r := res.Recordings[0]
	want := gaze.Header{
		Unit: gaze.Normalized, Frame: gaze.InWorld, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Width: 1920, Height: 1080}, Format: "tobii-glasses3",
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	s := r.Samples
	if s.T[1] != 10026*time.Microsecond || s.T[3] != 30020*time.Microsecond {
		t.Errorf("times %v, want them counted from the first", s.T)
	}
	nan := math.NaN()
	for i, w := range [][4]float64{{0.5722, 0.5182, 3.654, 4.593}, {nan, nan, nan, nan}, {1.25, -0.0312, nan, 4.5}, {0.25, 0.75, nan, nan}} {
		got := [4]float64{s.Tracks[gaze.Cyclopean].X[i], s.Tracks[gaze.Cyclopean].Y[i], s.Tracks[gaze.Left].Pupil[i], s.Tracks[gaze.Right].Pupil[i]}
		for n := range w {
			if got[n] != w[n] && !(math.IsNaN(got[n]) && math.IsNaN(w[n])) {
				t.Errorf("sample %d: %v, want %v", i, got, w)
				break
			}
		}
	}
	if id := res.Report.Identity(); len(id) != 1 || !strings.Contains(id[0], "gazeorigin") {
		t.Errorf("identity carriers %q", id)
	}
	if d := res.Report.Dropped(); len(d) != 3 {
		t.Errorf("dropped %q", d)
	}
}

func TestDamagedLines(t *testing.T) {
	text := data + `{"type":"gaze","timestamp":soon,"data":{}}
{"type":"imu","timestamp":1000.04,"data":{}}
rubbish
{"type":"gaze","timestamp":1000.046,"data":{"gaze2d":[0.5
`
	r := formattest.Read(t, glasses3.Format(), "gazedata", []byte(text), format.Options{})
	if r.Err != nil || r.Recordings[0].Samples.Len() != 4 {
		t.Fatalf("%v, %+v", r.Err, r.Recordings)
	}
	q := fmt.Sprint(r.Report.Quirks())
	for _, want := range []string{"2 × damaged", "1 × line of another kind", "1 × line without a readable time"} {
		if !strings.Contains(q, want) {
			t.Errorf("quirks %s, want %q", q, want)
		}
	}
}

func TestOtherStreams(t *testing.T) {
	for kind, companion := range map[string]string{"imu": "gazedata.gz", "syncport": "gazedata.gz", "event": "gazedata.gz", "banana": ""} {
		text := `{"type":"` + kind + `","timestamp":0.1,"data":{}}` + "\n"
		m := glasses3.Format().Detect(format.Head{Text: []byte(text)})
		if m.Companion != companion || (m.Score > format.No) != (companion != "") {
			t.Errorf("%s: %+v", kind, m)
		}
		r := formattest.Read(t, glasses3.Format(), "imudata", []byte(text), format.Options{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), "gazedata") {
			t.Errorf("%s: %v", kind, r.Err)
		}
	}
}

func write(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"type":"gaze","timestamp":%.6f,"data":{"gaze2d":[0.%05d00000000015,0.5182],"gaze3d":[-8.5,-1.1,52.3],`+
			`"eyeleft":{"gazeorigin":[28.490000000000006,-11.0,-25.17],"gazedirection":[-0.1,-0.06,0.98],"pupildiameter":3.65%02d},`+
			`"eyeright":{"gazeorigin":[-31.760000000000005,-9.4,-25.8],"gazedirection":[-0.15,-0.006,0.98],"pupildiameter":4.593}}}`+"\n", float64(i)/100, i%99999, i%100)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, glasses3.Format(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(50_000)
	formattest.Benchmark(b, glasses3.Format(), "gazedata", data)
}

func TestRealRecording(t *testing.T) {
	dir := formattest.Shared(t, "formats/tobii_pro_glasses3")
	for name, companion := range map[string]string{"gazedata.gz": "", "imudata.gz": "gazedata.gz", "eventdata.gz": "gazedata.gz"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := format.NewInput(name, f)
		if err != nil {
			t.Fatal(err)
		}
		if m := glasses3.Format().Detect(in.Head()); m.Score < format.Certain || m.Companion != companion {
			t.Errorf("%s: %+v", name, m)
		}
		if companion != "" {
			continue
		}
		report := new(format.Report)
		s, err := format.Summarize(glasses3.Format().Read(in, format.Options{Report: report}), report)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows != 6547 || math.Abs(s.Rate.Hz-100) > 0.5 || s.Unit != "norm" || math.Abs(s.Lost-412./6547) > 1e-9 {
			t.Errorf("%d rows, %v Hz, %s, lost %v", s.Rows, s.Rate.Hz, s.Unit, s.Lost)
		}
		t.Logf("%+v, quirks %q, dropped %q", *s.Rate, s.Quirks, s.Dropped)
	}
}
