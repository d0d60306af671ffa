package pupilcore_test

import (
	"bytes"
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
	"github.com/gazeward/gazeward/format/pupilcore"
	"github.com/gazeward/gazeward/gaze"
)

const gazeHeader = "gaze_timestamp,world_index,confidence,norm_pos_x,norm_pos_y,base_data,gaze_point_3d_x,gaze_point_3d_y,gaze_point_3d_z," +
	"eye_center0_3d_x,eye_center0_3d_y,eye_center0_3d_z,gaze_normal0_x,gaze_normal0_y,gaze_normal0_z," +
	"eye_center1_3d_x,eye_center1_3d_y,eye_center1_3d_z,gaze_normal1_x,gaze_normal1_y,gaze_normal1_z\n"

const positions = gazeHeader +
	"5000.250,10,0.98,0.5010,0.25,5000.249-0 5000.251-1,-2.9,-0.9,133.2,17.9606,14.8,-24.2,-0.1,-0.1,0.9,-39.3572,15.0,-21.6,0.2,-0.07,0.97\n" +
	"5000.254,10,0.99,0.5000,0.26,5000.253-0 5000.255-1,-3.0,-0.9,132.9,17.9606,14.8,-24.2,-0.1,-0.1,0.9,-39.3572,15.0,-21.6,0.2,-0.07,0.97\n" +
	"5000.258,10,0.59,27.5,-1.25,5000.258-0,-3.0,-0.9,132.9,17.9606,14.8,-24.2,-0.1,-0.1,0.9,,,,,,\n" +
	"5000.262,11,0.6,0.4980,1.25,5000.262-1,-3.0,-0.9,132.9,,,,,,,-39.3572,15.0,-21.6,0.2,-0.07,0.97\n"

const fixationList = "id,start_timestamp,duration,start_frame_index,end_frame_index,norm_pos_x,norm_pos_y,dispersion,confidence,method,gaze_point_3d_x,gaze_point_3d_y,gaze_point_3d_z,base_data\n" +
	"4,5000.100,20.0,8,9,0.1,0.1,1.3,0.99,3d gaze,-3.0,-0.8,133.3,5000.1 5000.102\n" +
	"5,5000.246,10.0,9,10,0.5006,0.25,1.3,0.99,3d gaze,-3.0,-0.8,133.3,5000.246 5000.25\n" +
	"6,5000.262,200.0,11,15,0.4985,0.75,1.3,0.4,3d gaze,-3.0,-0.8,133.3,5000.262 5000.266\n" +
	"7,5009.000,200.0,11,15,0.4,0.75,1.3,0.9,3d gaze,-3.0,-0.8,133.3,5009.0 5009.1\n"

const blinkList = "id,start_timestamp,duration,end_timestamp,start_frame_index,index,end_frame_index,confidence,filter_response,base_data\n" +
	"5,5000.258,0.3754,5000.6334,437,442,448,0.41,0.51 0.53,5000.258 5000.262\n"

const surface = "world_timestamp,world_index,gaze_timestamp,x_norm,y_norm,x_scaled,y_scaled,on_surf,confidence\n" +
	"5000.26,10,5000.250,0.2031,0.75,0.2,0.75,True,0.97\n" +
	"5000.26,10,5000.254,1.3,0.70,1.3,0.70,False,0.97\n"

func fixtures() []formattest.Fixture {
	return []formattest.Fixture{
		{
			Name: "gaze_positions.csv", Data: []byte(positions), Recordings: 1, Samples: 4, Header: 1, Position: "0.5010",
			Secrets: []string{"17.96", "39.35", "5000.2"},
		},
		{
			Name: "gaze_positions_on_surface_poster.csv", Data: []byte(surface), Recordings: 1, Samples: 2, Header: 1,
			Position: "0.2031", Secrets: []string{"5000.2"},
		},
	}
}

func lists() formattest.Fixture {
	return formattest.Fixture{
		Name: "fixations.csv", Data: []byte(fixationList), Recordings: 1, Fixations: 4, Header: 1, Position: "0.5006",
		Secrets: []string{"5000.1"},
	}
}

func TestConformance(t *testing.T)          { formattest.Run(t, pupilcore.Format(), fixtures()...) }
func TestConformanceFixations(t *testing.T) { formattest.Run(t, pupilcore.Fixations(), lists()) }
func FuzzRead(f *testing.F)                 { formattest.Fuzz(f, pupilcore.Format(), fixtures()...) }
func FuzzReadFixations(f *testing.F)        { formattest.Fuzz(f, pupilcore.Fixations(), lists()) }

func read(t *testing.T, f format.Format, name, text string) *gaze.Recording {
	t.Helper()
	r := formattest.Read(t, f, name, []byte(text), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Recordings[0]
}

func TestGazePositions(t *testing.T) {
	r := read(t, pupilcore.Format(), "gaze_positions.csv", positions)
	want := gaze.Header{Unit: gaze.Normalized, Frame: gaze.InWorld, Format: "pupil-core"}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	tr := r.Samples.Tracks[gaze.Cyclopean]
	if tr.X[0] != 0.501 || tr.Y[0] != 0.75 || tr.Y[3] != -0.25 {
		t.Errorf("%v, %v: want y counted from the top", tr.X, tr.Y)
	}
	if !math.IsNaN(tr.X[2]) || !math.IsNaN(tr.Y[2]) || math.IsNaN(tr.X[3]) {
		t.Errorf("x %v: want the sample of confidence 0.59 lost and that of 0.6 kept", tr.X)
	}
	if tr.Confidence[2] != 0.59 {
		t.Errorf("confidence %v is not kept", tr.Confidence)
	}
	if r.Samples.T[3] != 12*time.Millisecond || len(r.Samples.Signals) != 0 {
		t.Errorf("times %v, signals %v", r.Samples.T, r.Samples.Signals)
	}
}

func TestConfidenceCanBeChosen(t *testing.T) {
	for least, lost := range map[float64]int{0: 0, 0.6: 1, 0.985: 3} {
		r := read(t, pupilcore.WithConfidence(least), "gaze_positions.csv", positions)
		n := 0
		for _, x := range r.Samples.Tracks[gaze.Cyclopean].X {
			if math.IsNaN(x) {
				n++
			}
		}
		if n != lost {
			t.Errorf("least confidence %v: %d lost, want %d", least, n, lost)
		}
	}
}

func TestIdentityCarriers(t *testing.T) {
	r := formattest.Read(t, pupilcore.Format(), "gaze_positions.csv", []byte(positions), format.Options{})
	if got := strings.Join(r.Report.Identity(), " "); strings.Count(got, "eye_center") != 6 {
		t.Errorf("identity carriers %q, want the six of the eyes' centres", got)
	}
	if got := strings.Join(r.Report.Dropped(), " "); !strings.Contains(got, "gaze_point_3d_x") || !strings.Contains(got, "base_data") {
		t.Errorf("dropped %q", got)
	}
}

// folder reads gaze_positions.csv with files beside it.
func folder(t *testing.T, beside fstest.MapFS) (*gaze.Recording, *format.Report) {
	t.Helper()
	in, err := format.NewInput("exports/000/gaze_positions.csv", strings.NewReader(positions))
	if err != nil {
		t.Fatal(err)
	}
	in.FS = beside
	o := format.Options{Report: new(format.Report)}
	recs, err := gaze.Collect(pupilcore.Format().Read(in, o))
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	return recs[0], o.Report
}

func TestEventsBeside(t *testing.T) {
	r, report := folder(t, fstest.MapFS{
		"exports/000/fixations.csv": {Data: []byte(fixationList)}, "exports/000/blinks.csv.gz": {Data: formattest.Zip([]byte(blinkList))},
	})
	if len(r.Fixations) != 2 || len(r.Blinks) != 1 || r.Samples.Len() != 4 {
		t.Fatalf("%d fixations, %d blinks, %d samples", len(r.Fixations), len(r.Blinks), r.Samples.Len())
	}
	// It began 4 ms before the first sample: what was not recorded is cut.
	first := gaze.Fixation{Duration: 6 * time.Millisecond, X: 0.5006, Y: 0.75}
	if got := r.Fixations[0]; got.Start != first.Start || got.Duration != first.Duration || got.X != first.X || got.Y != first.Y {
		t.Errorf("fixation %+v, want %+v", got, first)
	}
	if got := r.Fixations[1]; got.Start != 12*time.Millisecond || got.Duration != 200*time.Millisecond || !math.IsNaN(got.X) {
		t.Errorf("fixation of low confidence %+v, want no place", got)
	}
	if want := (gaze.Blink{Start: 8 * time.Millisecond, Duration: 375400 * time.Microsecond}); r.Blinks[0] != want {
		t.Errorf("blink %+v, want %+v", r.Blinks[0], want)
	}
	if q := fmt.Sprint(report.Quirks()); !strings.Contains(q, "2 × fixation or blink outside") {
		t.Errorf("quirks %v, want those before and after the samples counted", q)
	}
}

func TestNoFilesOrDamagedFilesBeside(t *testing.T) {
	r, _ := folder(t, fstest.MapFS{})
	if r.Fixations != nil || r.Blinks != nil {
		t.Error("events are stated though there is no file of them")
	}
	r, report := folder(t, fstest.MapFS{
		"exports/000/fixations.csv": {Data: []byte("nothing of the kind\n")}, "exports/000/blinks.csv": {Data: []byte(blinkList[:150])},
	})
	if r.Fixations != nil || len(r.Blinks) != 0 {
		t.Errorf("%v, %v", r.Fixations, r.Blinks)
	}
	if q := fmt.Sprint(report.Quirks()); !strings.Contains(q, "fixations.csv beside it cannot be read") {
		t.Errorf("quirks %v", q)
	}
}

func TestSurface(t *testing.T) {
	r := read(t, pupilcore.Format(), "gaze_positions_on_surface_poster.csv", surface)
	tr := r.Samples.Tracks[gaze.Cyclopean]
	if r.Stimulus != "poster" || r.Frame != gaze.OnScreen || tr.X[0] != 0.2031 || tr.Y[0] != 0.25 || tr.X[1] != 1.3 {
		t.Errorf("%+v, %v, %v", r.Header, tr.X, tr.Y)
	}
}

func TestCompanions(t *testing.T) {
	for name, header := range map[string]string{
		"blinks": blinkList, "pupils": "pupil_timestamp,world_index,eye_id,confidence,norm_pos_x,norm_pos_y,diameter,method\n1,1,0,1,0.5,0.5,30,2d\n",
	} {
		if m := pupilcore.Format().Detect(format.Head{Text: []byte(header)}); m.Companion != "gaze_positions.csv" || m.Score == format.No {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := pupilcore.Format().Detect(format.Head{Text: []byte(fixationList)}); m.Score != format.No {
		t.Errorf("fixations pass as gaze: %+v", m)
	}
	if m := pupilcore.Fixations().Detect(format.Head{Text: []byte(positions)}); m.Score != format.No {
		t.Errorf("gaze passes as fixations: %+v", m)
	}
}

// write writes n samples at 200 Hz.
func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString(gazeHeader)
	for i := range n {
		fmt.Fprintf(&b, "%.6f,%d,0.9%d,0.%04d,0.%04d,a-0 b-1,-2.9948113387549924,-0.9121150791401673,133.25728783909278,17.96061418452905,14.88838859452435,"+
			"-24.288193628464853,-0.13137130411099512,-0.1251803764196246,0.9833979122489623,-39.35721110627547,15.085789361983647,-21.64878490133934,"+
			"0.22751413009884172,-0.07371620993716846,0.9709805564468668\n", 1000+float64(i)/200, i/7, i%10, i%10000, i%9999)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, pupilcore.Format(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(50_000)
	formattest.Benchmark(b, pupilcore.Format(), "gaze_positions.csv", data)
}

func TestRealExport(t *testing.T) {
	dir := formattest.Shared(t, "formats/pupil_core")
	f, err := os.Open(filepath.Join(dir, "gaze_positions.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := format.NewInput("gaze_positions.csv.gz", f)
	if err != nil {
		t.Fatal(err)
	}
	in.FS = os.DirFS(dir)
	report := new(format.Report)
	s, err := format.Summarize(pupilcore.Format().Read(in, format.Options{Report: report}), report)
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 2054 || math.Abs(s.SpanS-6.932) > 0.001 || s.Unit != "norm" || fmt.Sprint(s.Eyes) != "[cyclopean]" {
		t.Errorf("%d rows in %v s, %s, %v", s.Rows, s.SpanS, s.Unit, s.Eyes)
	}
	if want := 441. / 2054; math.Abs(s.Lost-want) > 1e-9 || s.Events.Fixations != 36 || s.Events.Blinks != 3 || len(s.Identity) != 6 {
		t.Errorf("lost %v, %+v, identity %q, quirks %q", s.Lost, s.Events, s.Identity, s.Quirks)
	}
	t.Logf("%+v, quirks %q", *s.Rate, s.Quirks)
}
