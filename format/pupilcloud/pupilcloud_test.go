package pupilcloud_test

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
	"github.com/gazeward/gazeward/format/pupilcloud"
	"github.com/gazeward/gazeward/gaze"
)

const header = "section id,recording id,timestamp [ns],gaze x [px],gaze y [px],worn,fixation id,blink id,azimuth [deg],elevation [deg]\n"

// The stamps are Unix times that a float64 cannot hold to the nanosecond.
const gazeCSV = header +
	"5ec,aaaa-11,1629390345036471431,484.345,525.118,1,1,,-6.125,1.4396\n" +
	"5ec,aaaa-11,1629390345040486432,484.470,526.005,1,1,,-6.115,1.3731\n" +
	"5ec,aaaa-11,1629390345044486433,400.100,500.200,1,1,7,-6.000,1.3000\n" +
	"5ec,aaaa-11,1629390345048486434,401.100,501.200,0,,,-6.000,1.3000\n" +
	"5ec,aaaa-11,1629390345052486435,,,1,,,,\n" +
	"5ed,bbbb-22,1629390999000000001,10.5,20.5,1.0,,,2.5,3.5\n"

const native = "recording id,timestamp [ns],gaze x [px],gaze y [px]\n" +
	"aaaa-11,1629390345036471431,1084.345,525.118\naaaa-11,1629390345041471431,1084.5,525.2\n"

const surface = "section id,recording id,timestamp [ns],gaze detected on surface,gaze position on surface x [normalized],gaze position on surface y [normalized],fixation id,blink id\n" +
	"5ec,aaaa-11,1629390345036471431,True,0.4843,0.525,1,\n5ec,aaaa-11,1629390345040486431,False,1.4844,0.525,,\n"

const fixationsCSV = "section id,recording id,fixation id,start timestamp [ns],end timestamp [ns],duration [ms],fixation x [px],fixation y [px],azimuth [deg],elevation [deg]\n" +
	"5ec,aaaa-11,0,1629390344000000000,1629390345000000000,1000,1,1,0,0\n" +
	"5ec,aaaa-11,1,1629390345032471431,1629390345044471431,12,484.41,525.5,-6.1,1.4\n" +
	"5ed,bbbb-22,1,1629390999000000001,1629390999100000001,100,10.51,20.5,2.5,3.5\n"

const blinksCSV = "section id,recording id,blink id,start timestamp [ns],end timestamp [ns],duration [ms]\n" +
	"5ec,aaaa-11,7,1629390345044486433,1629390345047486433,3\n5ec,aaaa-11,8,1629390346000000000,1629390346100000000,100\n"

func fixtures() []formattest.Fixture {
	secrets := []string{"aaaa", "5ec", "16293903"}
	return []formattest.Fixture{
		{Name: "gaze.csv", Data: []byte(gazeCSV), Recordings: 2, Samples: 6, Header: 1, Position: "484.470", Secrets: secrets},
		{Name: "gaze.csv", Data: []byte(native), Recordings: 1, Samples: 2, Header: 1, Position: "1084.345", Secrets: secrets[:1]},
		{Name: "gaze.csv", Data: []byte(surface), Recordings: 1, Samples: 2, Header: 1, Position: "0.4843", Secrets: secrets},
	}
}

func lists() formattest.Fixture {
	return formattest.Fixture{
		Name: "fixations.csv", Data: []byte(fixationsCSV), Recordings: 2, Fixations: 3, Header: 1, Position: "484.41",
		Secrets: []string{"aaaa", "bbbb", "5ec", "16293903"},
	}
}

func TestConformance(t *testing.T)          { formattest.Run(t, pupilcloud.Format(), fixtures()...) }
func TestConformanceFixations(t *testing.T) { formattest.Run(t, pupilcloud.Fixations(), lists()) }
func FuzzRead(f *testing.F)                 { formattest.Fuzz(f, pupilcloud.Format(), fixtures()...) }
func FuzzReadFixations(f *testing.F)        { formattest.Fuzz(f, pupilcloud.Fixations(), lists()) }

func read(t *testing.T, f format.Format, text string) formattest.Result {
	t.Helper()
	r := formattest.Read(t, f, "gaze.csv", []byte(text), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestGaze(t *testing.T) {
	res := read(t, pupilcloud.Format(), gazeCSV)
	one, two := res.Recordings[0], res.Recordings[1]
	want := gaze.Header{Session: "1", Unit: gaze.Pixels, Frame: gaze.InWorld, Format: "pupil-cloud"}
	if one.Header != want || two.Session != "2" {
		t.Errorf("headers %+v and session %q, want %+v", one.Header, two.Session, want)
	}
	if got := one.Samples.T[1]; got != 4015001*time.Nanosecond || two.Samples.T[0] != 0 {
		t.Errorf("second sample at %v, want the stamps exact to the nanosecond", got)
	}
	tr, s := one.Samples.Tracks[gaze.Cyclopean], one.Samples
	for i, lost := range []bool{false, false, true, true, true} {
		if math.IsNaN(tr.X[i]) != lost || math.IsNaN(s.Signals[0].Values[i]) != lost || math.IsNaN(s.Signals[1].Values[i]) != lost {
			t.Errorf("sample %d: x %v, azimuth %v; want lost %v (in a blink, glasses off, empty)", i, tr.X[i], s.Signals[0].Values[i], lost)
		}
	}
	if tr.X[1] != 484.47 || s.Signals[0].Values[1] != -6.115 || s.Signals[1].Name != "elevation" {
		t.Errorf("%v, %+v", tr.X, s.Signals)
	}
	if fmt.Sprint(s.Labels) != fmt.Sprint([]gaze.Label{gaze.InFixation, gaze.InFixation, gaze.InBlink, gaze.Unlabelled, gaze.Unlabelled}) {
		t.Errorf("labels %v", s.Labels)
	}
	if id := fmt.Sprint(res.Report.Identity()); id != "[section id recording id]" {
		t.Errorf("identity carriers %s", id)
	}
	q := fmt.Sprint(res.Report.Quirks())
	if !strings.Contains(q, "1 × sample in a fixation and a blink") || !strings.Contains(q, "2 × recording of a file with several") {
		t.Errorf("quirks %s", q)
	}
}

func TestMappedGaze(t *testing.T) {
	r := read(t, pupilcloud.Format(), surface).Recordings[0]
	tr := r.Samples.Tracks[gaze.Cyclopean]
	if r.Unit != gaze.Normalized || r.Frame != gaze.OnScreen || tr.X[0] != 0.4843 || !math.IsNaN(tr.X[1]) {
		t.Errorf("%+v, %v", r.Header, tr.X)
	}
	picture := strings.NewReplacer("gaze position on surface x [normalized]", "gaze position in reference image x [px]",
		"gaze position on surface y [normalized]", "gaze position in reference image y [px]", "on surface", "in reference image").Replace(surface)
	r = read(t, pupilcloud.Format(), picture).Recordings[0]
	if tr = r.Samples.Tracks[gaze.Cyclopean]; r.Unit != gaze.Pixels || r.Frame != gaze.OnScreen || !math.IsNaN(tr.X[1]) {
		t.Errorf("%+v, %v", r.Header, tr.X)
	}
	list := strings.NewReplacer("fixation x [px]", "fixation x [normalized]", "fixation y [px]", "fixation y [normalized]",
		"azimuth [deg]", "fixation detected on surface", "-6.1,1.4", "false,1.4").Replace(fixationsCSV)
	fix := read(t, pupilcloud.Fixations(), list).Recordings[0].Fixations
	if fix[0].X != 1 || !math.IsNaN(fix[1].X) {
		t.Errorf("%+v, want the one that is not on the surface without a place", fix)
	}
}

func folder(t *testing.T, beside fstest.MapFS) ([]*gaze.Recording, *format.Report) {
	t.Helper()
	in, err := format.NewInput("export/gaze.csv", strings.NewReader(gazeCSV))
	if err != nil {
		t.Fatal(err)
	}
	in.FS = beside
	o := format.Options{Report: new(format.Report)}
	recs, err := gaze.Collect(pupilcloud.Format().Read(in, o))
	if err != nil || len(recs) != 2 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	return recs, o.Report
}

func TestFilesBeside(t *testing.T) {
	recs, report := folder(t, fstest.MapFS{
		"export/fixations.csv": {Data: []byte(fixationsCSV)}, "export/blinks.csv.gz": {Data: formattest.Zip([]byte(blinksCSV))},
		"export/info.json": {Data: []byte(`{"wearer_name": "Jane Roe", "android_device_id": "f00", "app_version": "2.8"}`)},
	})
	one, two := recs[0], recs[1]
	if len(one.Fixations) != 1 || len(one.Blinks) != 1 || len(two.Fixations) != 1 || len(two.Blinks) != 0 || two.Blinks == nil {
		t.Fatalf("%+v, %+v; %+v, %+v", one.Fixations, one.Blinks, two.Fixations, two.Blinks)
	}
	if f := one.Fixations[0]; f.Start != 0 || f.Duration != 8*time.Millisecond || f.X != 484.41 || f.Y != 525.5 {
		t.Errorf("fixation %+v, want what lies before the first sample cut off", f)
	}
	if want := (gaze.Blink{Start: 8015002 * time.Nanosecond, Duration: 3 * time.Millisecond}); one.Blinks[0] != want {
		t.Errorf("blink %+v, want %+v", one.Blinks[0], want)
	}
	if f := two.Fixations[0]; f.Start != 0 || f.Duration != 100*time.Millisecond || f.X != 10.51 {
		t.Errorf("fixation of the second recording %+v", f)
	}
	if q := fmt.Sprint(report.Quirks()); !strings.Contains(q, "2 × fixation or blink outside") {
		t.Errorf("quirks %s", q)
	}
	id := fmt.Sprint(report.Identity())
	if !strings.Contains(id, "info.json: wearer_name") || !strings.Contains(id, "info.json: android_device_id") || strings.Contains(id, "Jane") {
		t.Errorf("identity carriers %s", id)
	}
}

func TestDamagedFilesBeside(t *testing.T) {
	recs, report := folder(t, fstest.MapFS{
		"export/fixations.csv": {Data: []byte("rubbish")}, "export/blinks.csv": {Data: []byte(blinksCSV[:100])}, "export/info.json": {Data: []byte("{")},
	})
	if recs[0].Fixations != nil || len(recs[0].Blinks) != 0 {
		t.Errorf("%v, %v", recs[0].Fixations, recs[0].Blinks)
	}
	q := fmt.Sprint(report.Quirks())
	if !strings.Contains(q, "fixations.csv beside it cannot") || !strings.Contains(q, "info.json beside it cannot") {
		t.Errorf("quirks %s", q)
	}
	if recs, _ := folder(t, fstest.MapFS{}); recs[0].Fixations != nil || recs[0].Blinks != nil {
		t.Error("events are stated though there is no file of them")
	}
}

func TestFixationList(t *testing.T) {
	r := read(t, pupilcloud.Fixations(), fixationsCSV)
	one := r.Recordings[0]
	if one.Session != "1" || r.Recordings[1].Session != "2" || one.Frame != gaze.InWorld || one.Unit != gaze.Pixels {
		t.Errorf("%+v", one.Header)
	}
	if f := one.Fixations[1]; f.Start != 1032471431*time.Nanosecond || f.Duration != 12*time.Millisecond || f.X != 484.41 {
		t.Errorf("%+v", f)
	}
	known := formattest.Read(t, pupilcloud.Fixations(), "fixations.csv", []byte(fixationsCSV), format.Options{Known: gaze.Header{Session: "morning"}})
	if known.Recordings[0].Session != "morning" {
		t.Errorf("session %q, want what the caller knows", known.Recordings[0].Session)
	}
}

// Columns without a name are nobody's: pandas writes one for its index.
func TestColumnsWithoutName(t *testing.T) {
	unnamed := func(text string) string {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		return "," + strings.Join(lines, "false,") + "\n"
	}
	tr := read(t, pupilcloud.Format(), unnamed(gazeCSV)).Recordings[0].Samples.Tracks[gaze.Cyclopean]
	if tr.X[0] != 484.345 {
		t.Errorf("%v", tr.X)
	}
	if f := read(t, pupilcloud.Fixations(), unnamed(fixationsCSV)).Recordings[0].Fixations; f[1].X != 484.41 {
		t.Errorf("%+v", f)
	}
}

func TestCompanions(t *testing.T) {
	for _, text := range []string{
		blinksCSV, "section id,recording id,timestamp [ns],gyro x [deg/s]\n", "section id,recording id,timestamp [ns]\n",
		"section id,recording id,timestamp [ns],pupil diameter left [mm],eye ball center left x [mm]\n", "recording id,timestamp [ns],name,type\n",
	} {
		if m := pupilcloud.Format().Detect(format.Head{Text: []byte(text)}); m.Companion != "gaze.csv" || m.Score == format.No {
			t.Errorf("%.40s: %+v", text, m)
		}
	}
	for _, text := range []string{fixationsCSV, "a,b\n1,2\n", "timestamp [ns],x\n", ""} {
		if m := pupilcloud.Format().Detect(format.Head{Text: []byte(text)}); m.Score != format.No || len(m.Why) == 0 {
			t.Errorf("%.40s: %+v", text, m)
		}
	}
	if m := pupilcloud.Fixations().Detect(format.Head{Text: []byte(gazeCSV)}); m.Score != format.No {
		t.Errorf("%+v", m)
	}
}

func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString(header)
	for i := range n {
		fmt.Fprintf(&b, "27d80d6b-1b49-41ca-a125-fbd4ee0d65ef,afd3e1e3-3916-48ef-860c-3a66f8e3b737,%d,%d.345,%d.118,1,%d,,-6.124952556831593,1.4396192997836719\n",
			1629390345036471431+int64(i)*5000000, 400+i%300, 500+i%200, i/50)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, pupilcloud.Format(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(100_000)
	formattest.Benchmark(b, pupilcloud.Format(), "gaze.csv", data)
}

func TestRealExport(t *testing.T) {
	dir := formattest.Shared(t, "formats/pupil_invisible")
	for name, companion := range map[string]string{"gaze.csv.gz": "", "blinks.csv": "gaze.csv", "imu.csv.gz": "gaze.csv"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := format.NewInput(name, f)
		if err != nil {
			t.Fatal(err)
		}
		in.FS = os.DirFS(dir)
		if m := pupilcloud.Format().Detect(in.Head()); m.Score < format.Certain || m.Companion != companion {
			t.Errorf("%s: %+v", name, m)
		}
		if companion != "" {
			continue
		}
		report := new(format.Report)
		s, err := format.Summarize(pupilcloud.Format().Read(in, format.Options{Report: report}), report)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows != 5338 || s.Recordings != 1 || s.Unit != "px" || math.Abs(s.Lost-2103./5338) > 1e-9 {
			t.Errorf("%d rows of %d recordings, %s, lost %v", s.Rows, s.Recordings, s.Unit, s.Lost)
		}
		if s.Events.Blinks != 32 || math.Abs(s.Rate.Hz-200) > 2 {
			t.Errorf("%d blinks, %v Hz", s.Events.Blinks, s.Rate.Hz)
		}
		t.Logf("%+v, %+v, quirks %q", *s.Rate, s.Events, s.Quirks)
	}
}
