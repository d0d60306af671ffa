package smi_test

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
	"github.com/gazeward/gazeward/format/smi"
	"github.com/gazeward/gazeward/gaze"
)

const converter = `## [iView]
## Converted from:	D:\IDF\jane_roe\run1.idf
## Date:	03.08.2009 11:50:02
## Version:	IDF Converter 3.0.20
## Sample Rate:	50
## Number of Samples:	5                        
## [Run]
## Subject:	p07                              
## Description:	left-handed
## [Calibration]
## Calibration Area:	1024	768
## [Geometry]
## Stimulus Dimension [mm]:	300	200
## Head Distance [mm]:	800
## Format:	LEFT, RAW, DIAMETER, CR, POR, QUALITY, MSG
## 
Time	Type	Trial	L Raw X [px]	L Raw Y [px]	L Dia X [px]	L Dia Y [px]	L CR1 X [px]	L CR1 Y [px]	L POR X [px]	L POR Y [px]	Timing
2152080664	MSG	1	Scene Image: d:\people\Jane\cups.bmp
2152092084	SMP	1	212.15	75.65	33.39	26.98	217.46	90.92	0.00	0.00	0
2152112047	SMP	1	212.28	75.82	32.90	27.77	217.49	90.84	512.25	0.00	0
2152132095	SMP	1	212.20	75.91	34.29	27.62	217.32	90.73	513.50	384.50	0
2152140000	MSG	1	# Message: nurse came in
2226853655	MSG	2	# Message: keys.PNG
2226863655	SMP	2	212.27	75.81	33.33	27.55	217.43	90.56	1030.00	200.00	0
2226883655	SMP	2	212.27	75.81	0.00	0.00	217.43	90.56	100.00	200.00	0
`

const begaze = `## [BeGaze]
## Converted from:	C:\roe.idf
## Sample Rate:	1000
## Subject:	P01
## Calibration Area:	1680	1050
## Calibration Point 0:	Position(841;526)
## Stimulus Dimension [mm]:	474	297
## Head Distance [mm]:	700
## System ID:	IRX0470703-1007
##
Time	Type	Trial	L POR X [px]	L POR Y [px]	L Pupil Diameter [mm]	R POR X [px]	R POR Y [px]	R Pupil Diameter [mm]	Pupil Confidence	L EPOS X	L Event Info	R Event Info	Stimulus
10000000100	SMP	1	850.71	717.53	3.14	851.71	718.53	3.15	1	31.7177	Fixation	Fixation	a.bmp
10000001100	SMP	1	850.72	717.54	3.14	851.72	718.54	3.15	1	31.7178	Saccade	Fixation	a.bmp
10000001500	MSG	1	# Message: START
10000002100	SMP	1	850.73	717.55	0	852.73	719.55	3.15	1	31.7179	Blink	Saccade	a.bmp
10000003100	SMP	2	850.74	717.56	3.14	851.74	718.56	3.15	1	31.7179	-	-	b.bmp
`

func comma() []byte {
	lines := strings.SplitAfter(converter, "\n")
	for i, line := range lines {
		if strings.Contains(line, "SMP") {
			lines[i] = strings.ReplaceAll(line, ".", ",")
		}
	}
	return []byte(strings.Join(lines, ""))
}

func fixtures() []formattest.Fixture {
	return []formattest.Fixture{
		{
			Name: "samples.txt", Data: []byte(converter), Recordings: 2, Samples: 5, Header: 17, Position: "513.50", Comma: comma(),
			Secrets: []string{"jane_roe", "Jane", "2009", "left-handed", "nurse", "21520"},
		},
		{
			Name: "begaze.txt", Data: []byte(begaze), Recordings: 2, Samples: 4, Header: 11, Position: "850.72",
			Secrets: []string{"roe", "IRX047", "841", "START", "31.717"},
		},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, smi.Format(), fixtures()...) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, smi.Format(), fixtures()...) }

func read(t *testing.T, text string) formattest.Result {
	t.Helper()
	r := formattest.Read(t, smi.Format(), "x.txt", []byte(text), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestConverter(t *testing.T) {
	res := read(t, converter)
	one, two := res.Recordings[0], res.Recordings[1]
	want := gaze.Header{
		Participant: "p07", Trial: "1", Stimulus: "cups.bmp", Rate: 50, Unit: gaze.Pixels, PupilUnit: gaze.PupilPixels,
		Screen: gaze.Screen{Width: 1024, Height: 768, WidthCm: 30, HeightCm: 20, DistanceCm: 80}, Format: "smi",
	}
	if one.Header != want {
		t.Errorf("header %+v, want %+v", one.Header, want)
	}
	if two.Trial != "2" || two.Stimulus != "keys.PNG" {
		t.Errorf("second trial %q, stimulus %q", two.Trial, two.Stimulus)
	}
	left := one.Samples.Tracks[gaze.Left]
	if !math.IsNaN(left.X[0]) || left.X[1] != 512.25 || left.Y[1] != 0 || left.X[2] != 513.5 || left.Pupil[0] != 33.39 {
		t.Errorf("%v, %v, pupil %v: want 0, 0 lost and a single 0 kept", left.X, left.Y, left.Pupil)
	}
	if !math.IsNaN(two.Samples.Tracks[gaze.Left].Pupil[1]) {
		t.Error("a pupil of 0 is not lost")
	}
	if one.Samples.T[1] != 19963*time.Microsecond || two.Samples.T[0] != 0 {
		t.Errorf("times %v and %v", one.Samples.T, two.Samples.T)
	}
	carriers := strings.Join(res.Report.Identity(), "\n")
	for _, c := range []string{"## Converted from", "## Date", "## Description", "MSG"} {
		if !strings.Contains(carriers, c) {
			t.Errorf("%s is no identity carrier:\n%s", c, carriers)
		}
	}
	if q := fmt.Sprint(res.Report.Quirks()); strings.Contains(q, "too few fields") {
		t.Errorf("messages are counted as damaged samples: %s", q)
	}
}

func TestBeGaze(t *testing.T) {
	res := read(t, begaze)
	one := res.Recordings[0]
	if one.PupilUnit != gaze.PupilMillimetres || one.Stimulus != "a.bmp" || res.Recordings[1].Stimulus != "b.bmp" || one.Rate != 1000 {
		t.Errorf("%+v", one.Header)
	}
	left, right := one.Samples.Tracks[gaze.Left], one.Samples.Tracks[gaze.Right]
	if !math.IsNaN(left.X[2]) || right.X[2] != 852.73 {
		t.Errorf("left %v, right %v: want the left eye's blink lost in the left eye", left.X, right.X)
	}
	labels := one.Samples.Labels
	if labels[0] != gaze.InFixation || labels[1] != gaze.InSaccade || labels[2] != gaze.InBlink || res.Recordings[1].Samples.Labels[0] != gaze.Unlabelled {
		t.Errorf("labels %v", labels)
	}
	carriers := strings.Join(res.Report.Identity(), "\n")
	for _, c := range []string{"## System ID", "## Calibration Point", "L EPOS X"} {
		if !strings.Contains(carriers, c) {
			t.Errorf("%s is no identity carrier:\n%s", c, carriers)
		}
	}
}

// BeGaze of some versions names one column more than the rows have.
func TestShortRows(t *testing.T) {
	text := strings.ReplaceAll(begaze, "\ta.bmp", "")
	r := read(t, text)
	if len(r.Recordings) != 2 || r.Recordings[0].Stimulus != "" || r.Recordings[0].Samples.Len() != 3 {
		t.Errorf("%d recordings, %+v", len(r.Recordings), r.Recordings[0].Header)
	}
	r = read(t, begaze+"10000004100\tSMP\t2\t850.74\n10000005100\tUE\t2\tx\n")
	q := fmt.Sprint(r.Report.Quirks())
	if !strings.Contains(q, "1 × row with too few fields") || !strings.Contains(q, "1 × line that is neither") {
		t.Errorf("quirks %s", q)
	}
}

func TestKnownParticipantWins(t *testing.T) {
	r := formattest.Read(t, smi.Format(), "x.txt", []byte(begaze), format.Options{Known: gaze.Header{Participant: "s1"}})
	if r.Recordings[0].Participant != "s1" {
		t.Errorf("participant %q", r.Recordings[0].Participant)
	}
}

func TestOtherFilesAreNotOurs(t *testing.T) {
	for _, text := range []string{"", "Time\tx\ty\n", "## [BeGaze]\n", "Time\tType\tTrial\tL Raw X [px]\n", "words\n"} {
		if m := smi.Format().Detect(format.Head{Text: []byte(text)}); m.Score != format.No || len(m.Why) == 0 {
			t.Errorf("%q: %+v", text, m)
		}
		if r := formattest.Read(t, smi.Format(), "x.txt", []byte(text), format.Options{}); r.Err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString(converter[:strings.Index(converter, "2152080664")])
	for i := range n {
		fmt.Fprintf(&b, "%d\tSMP\t1\t212.15\t75.65\t33.39\t26.98\t217.46\t90.92\t%d.%02d\t%d.%02d\t0\n", 2152080664+int64(i)*2000, 300+i%500, i%100, 200+i%300, i%97)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, smi.Format(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(200_000)
	formattest.Benchmark(b, smi.Format(), "samples.txt", data)
}

func TestRealRecording(t *testing.T) {
	f, err := os.Open(filepath.Join(formattest.Shared(t, "formats/smi_txt"), "smi_data_example_recording1_Samples.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := format.NewInput("recording1_Samples.txt.gz", f)
	if err != nil {
		t.Fatal(err)
	}
	if m := smi.Format().Detect(in.Head()); m.Score < format.Certain {
		t.Errorf("not recognised: %+v", m)
	}
	report := new(format.Report)
	s, err := format.Summarize(smi.Format().Read(in, format.Options{Report: report}), report)
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 56116 || s.Rate.NominalHz != 50 || math.Abs(s.Rate.Hz-50) > 0.1 || s.Unit != "px" || fmt.Sprint(s.Eyes) != "[left]" {
		t.Errorf("%d rows, %+v, %s, %v", s.Rows, *s.Rate, s.Unit, s.Eyes)
	}
	if s.Recordings != 5 || math.Abs(s.Lost-17460./56116) > 1e-9 {
		t.Errorf("%d recordings, lost %v", s.Recordings, s.Lost)
	}
	if s.Screen.WidthPx != 1024 || s.Screen.HeightPx != 768 || *s.Screen.WidthCm != 30 || *s.Screen.DistanceCm != 80 {
		t.Errorf("screen %+v", s.Screen)
	}
	t.Logf("%d recordings, lost %v, quirks %q, identity %q", s.Recordings, s.Lost, s.Quirks, s.Identity)
}
