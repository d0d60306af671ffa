package gazebase_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/gazebase"
	"github.com/gazeward/gazeward/gaze"
)

const flat = `n,x,y,val,dP,lab,xT,yT
0,-16.03606,5.905495,0,3198,1,NaN,NaN
1,-16.049634,5.905495,0,3196,1,NaN,NaN
2,-15.987654,5.896749,0,3194,2,NaN,NaN
3,NaN,NaN,4,NaN,-1,NaN,NaN
4,-14.5,5.8,4,3100,-1,NaN,NaN
5,-14.25,5.75,0,3190,0,NaN,NaN
`

const headset = `n,x,y,lx,ly,rx,ry,xT,yT,zT,clx,cly,clz,crx,cry,crz
0.0,0.7334,-4.9397,3.5087,-4.3093,-2.0631,-5.1669,0.0,0.0,0.4433,-0.0322,0.0028,-0.0294,0.0325,0.004,-0.0302
3.9699,0.7391,-4.9568,3.7095,-4.7536,-2.0802,-5.4778,0.0,0.0,0.4433,-0.0322,0.0029,-0.0294,0.0325,0.004,-0.0303
7.9582,nan,nan,nan,nan,-2.086,-5.4031,0.0,0.0,0.4433,-0.0322,0.0028,-0.0293,0.0325,0.004,-0.0302
`

func flatFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "S_1001_S2_TEX.csv", Data: []byte(flat), Recordings: 1, Samples: 6, Header: 1, Position: "-15.987654",
	}
}

func headsetFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "S_3042_S1_1_VRG.csv", Data: []byte(headset), Recordings: 1, Samples: 3, Header: 1, Position: "3.7095",
		Secrets: []string{"-0.0322"},
	}
}

func TestConformance(t *testing.T)   { formattest.Run(t, gazebase.Format(), flatFixture()) }
func TestConformanceVR(t *testing.T) { formattest.Run(t, gazebase.VR(), headsetFixture()) }
func FuzzRead(f *testing.F)          { formattest.Fuzz(f, gazebase.Format(), flatFixture()) }
func FuzzReadVR(f *testing.F)        { formattest.Fuzz(f, gazebase.VR(), headsetFixture()) }

func read(t *testing.T, f format.Format, name, text string, o format.Options) formattest.Result {
	t.Helper()
	r := formattest.Read(t, f, name, []byte(text), o)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

func TestGazeBase(t *testing.T) {
	r := read(t, gazebase.Format(), "S_1001_S2_TEX.csv", flat, format.Options{}).Recordings[0]
	want := gaze.Header{
		Participant: "001", Session: "1-2", Task: "TEX", Rate: 1000, Unit: gaze.Degrees, PupilUnit: gaze.PupilArea, Format: "gazebase",
		Screen: gaze.Screen{Width: 1680, Height: 1050, WidthCm: 47.4, HeightCm: 29.7, DistanceCm: 55, Origin: gaze.Center},
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	left := r.Samples.Tracks[gaze.Left]
	if r.Samples.T[5] != 5*time.Millisecond || left.X[0] != -16.03606 || left.Pupil[0] != 3198 {
		t.Errorf("%v %v %v", r.Samples.T[5], left.X[0], left.Pupil[0])
	}
	if !math.IsNaN(left.X[4]) {
		t.Error("val 4 is not lost")
	}
	labels := []gaze.Label{gaze.InFixation, gaze.InFixation, gaze.InSaccade, 0, 0, 0}
	if !slices.Equal(r.Samples.Labels, labels) {
		t.Errorf("labels %v", r.Samples.Labels)
	}
}

func TestGazeBaseVR(t *testing.T) {
	res := read(t, gazebase.VR(), "S_3042_S1_1_VRG.csv", headset, format.Options{})
	r := res.Recordings[0]
	if r.Participant != "042" || r.Session != "3-1" || r.Task != "1_VRG" || r.Frame != gaze.EyeInHead || r.Rate != 250 {
		t.Errorf("%+v", r.Header)
	}
	if len(r.Eyes()) != 3 || r.Samples.T[1] != 3969900*time.Nanosecond {
		t.Errorf("%v %v", r.Eyes(), r.Samples.T)
	}
	right := r.Samples.Tracks[gaze.Right]
	if !math.IsNaN(r.Samples.Tracks[gaze.Left].X[2]) || right.X[2] != -2.086 {
		t.Error("the loss of one eye is not that of the other")
	}
	if got := fmt.Sprint(res.Report.Identity()); got != "[clx cly clz crx cry crz]" {
		t.Errorf("identity carriers %s", got)
	}
}

// What a folder says wins, and other names are no obstacle.
func TestNames(t *testing.T) {
	r := read(t, gazebase.Format(), "other.csv", flat, format.Options{})
	if h := r.Recordings[0].Header; h.Participant != "" || h.Session != "" {
		t.Errorf("%+v", h)
	}
	if q := fmt.Sprint(r.Report.Quirks()); !strings.Contains(q, "filename_pattern") {
		t.Errorf("quirks %s", q)
	}
	o := format.Options{Known: gaze.Header{Participant: "a", Session: "b"}}
	if h := read(t, gazebase.Format(), "S_1001_S2_TEX.csv", flat, o).Recordings[0].Header; h.Participant != "a" || h.Session != "b" {
		t.Errorf("%+v", h)
	}
}

func TestOtherHeadersAreNot(t *testing.T) {
	for _, f := range []format.Format{gazebase.Format(), gazebase.VR()} {
		text := []byte("n,x,y\n0,1,2\n")
		if m := f.Detect(format.Head{Raw: text, Text: text}); m.Score != 0 || len(m.Why) == 0 {
			t.Errorf("%s: %+v", f.Name, m)
		}
	}
}
