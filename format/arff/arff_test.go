package arff_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/arff"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

const labelled = `% Labelled by Jane Roe on 2016-03-04
%@METADATA width_px 1280.0
%@METADATA height_px 720.0
@RELATION gaze_labels_JR7

%@METADATA width_mm 400.0
%@METADATA height_mm 225.0
%@METADATA distance_mm 450.0
@ATTRIBUTE time INTEGER
@ATTRIBUTE x NUMERIC
@attribute y numeric
@ATTRIBUTE confidence NUMERIC
@ATTRIBUTE handlabeller1 INTEGER
@ATTRIBUTE handlabeller_final INTEGER
@ATTRIBUTE speed_1 NUMERIC

@DATA
1000,599.5,320.7,1.0,0,1,25.00
5000,599.625,320.75,1.0,1,1,?
9000,640.0,320.6,0.5,1,2,NaN
% a comment among the rows
13000,1500.0,-20.5,1.0,1,3,12.5
17000,0.0,0.0,0.0,1,4,12.5
21000,601.0,321.0,1.0,1,0,12.5
`

const sphere = `@RELATION gaze_360

%@METADATA distance_mm 0.00
%@METADATA height_mm 0.00
%@METADATA height_px 1080
%@METADATA width_mm 0.00
%@METADATA width_px 1920

%@METADATA fov_height_deg 100.00
%@METADATA fov_height_px 1440
%@METADATA fov_width_deg 100.00
%@METADATA fov_width_px 1280

@ATTRIBUTE time INTEGER
@ATTRIBUTE x NUMERIC
@ATTRIBUTE y NUMERIC
@ATTRIBUTE confidence NUMERIC
@ATTRIBUTE x_head NUMERIC
@ATTRIBUTE y_head NUMERIC
@ATTRIBUTE angle_deg_head NUMERIC
@ATTRIBUTE labeller_1 {unassigned, fixation,saccade,SP,noise,VOR,'OKN'}


@DATA
0,960.00,540.00,1.00,962.00,541.00,1.22,fixation
8300,959.50,539.00,1.00,962.00,541.00,1.23,SP
16700,10.00,539.00,1.00,961.00,541.00,1.24,OKN
`

const coord = `# Gaze file postprocessed using remove_blinks
# CVS version $Date: 2009-02-13 18:39:52 +0100 $
# Input file:
#     JRX_puppies.asc
gaze 1280 720
geometry distance 0.45 width 0.4 height 0.225
34000 768.2 263.2 1
38000 768.9 263.75 1
42000 769.125 263.5 1
46000 0 0 0
`

func labelledFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "a.arff", Data: []byte(labelled), Recordings: 1, Samples: 6, Header: 17, Position: "599.625",
		Secrets: []string{"Jane", "2016-03", "JR7"},
	}
}

func sphereFixture() formattest.Fixture {
	return formattest.Fixture{Name: "b.arff", Data: []byte(sphere), Recordings: 1, Samples: 3, Header: 24, Position: "959.50"}
}

func coordFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "c.coord", Data: []byte(coord), Recordings: 1, Samples: 4, Header: 6, Position: "769.125",
		Secrets: []string{"JRX", "2009"},
	}
}

func TestConformance(t *testing.T) {
	formattest.Run(t, arff.Format(), labelledFixture(), sphereFixture())
}
func TestConformanceCoord(t *testing.T) { formattest.Run(t, arff.Coord(), coordFixture()) }
func FuzzRead(f *testing.F)             { formattest.Fuzz(f, arff.Format(), labelledFixture(), sphereFixture()) }
func FuzzCoord(f *testing.F)            { formattest.Fuzz(f, arff.Coord(), coordFixture()) }

func read(t *testing.T, f format.Format, text string, o format.Options) *gaze.Recording {
	t.Helper()
	r := formattest.Read(t, f, "x", []byte(text), o)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Recordings[0]
}

var display = gaze.Screen{Width: 1280, Height: 720, WidthCm: 40, HeightCm: 22.5, DistanceCm: 45}

func TestLabelled(t *testing.T) {
	r := read(t, arff.Format(), labelled, format.Options{})
	want := gaze.Header{Unit: gaze.Pixels, Screen: display, Format: "arff"}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	track := r.Samples.Tracks[gaze.Cyclopean]
	if r.Samples.T[1] != 4*time.Millisecond || track.X[1] != 599.625 || track.Confidence[2] != 0.5 {
		t.Errorf("%v %v %v", r.Samples.T[1], track.X[1], track.Confidence[2])
	}
	if !math.IsNaN(track.X[4]) {
		t.Error("confidence 0 is not lost")
	}
	labels := []gaze.Label{gaze.InFixation, gaze.InFixation, gaze.InSaccade, gaze.InPursuit, gaze.InNoise, gaze.Unlabelled}
	if d := cmp.Diff(labels, r.Samples.Labels); d != "" {
		t.Errorf("labels of handlabeller_final: %s", d)
	}
}

func TestSphere(t *testing.T) {
	r := read(t, arff.Format(), sphere, format.Options{})
	want := gaze.Header{
		Unit: gaze.Pixels, Frame: gaze.InWorld, Format: "arff",
		Screen: gaze.Screen{Width: 1920, Height: 1080, FieldWidthDeg: 360, FieldHeightDeg: 180},
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	if l := r.Samples.Labels; !slices.Equal(l, []gaze.Label{gaze.InFixation, gaze.InPursuit, gaze.Unlabelled}) {
		t.Errorf("labels %v", l)
	}
	var names []string
	for _, s := range r.Samples.Signals {
		names = append(names, s.Name+" "+s.Unit)
	}
	if !slices.Equal(names, []string{"x_head px", "y_head px", "angle_deg_head deg"}) || r.Samples.Signals[2].Values[1] != 1.23 {
		t.Errorf("signals %v", names)
	}
}

func TestCoord(t *testing.T) {
	r := read(t, arff.Coord(), coord, format.Options{})
	if r.Screen != display || r.Rate != 250 || r.Unit != gaze.Pixels || r.Samples.T[1] != 4*time.Millisecond {
		t.Errorf("%+v %v", r.Header, r.Samples.T)
	}
	slower := strings.NewReplacer("38000", "44000", "42000", "54000", "46000", "64000").Replace(coord)
	if r := read(t, arff.Coord(), slower, format.Options{}); r.Rate != 0 {
		t.Errorf("100 Hz is called %v", r.Rate)
	}
	if track := r.Samples.Tracks[gaze.Cyclopean]; !math.IsNaN(track.X[3]) || track.Y[1] != 263.75 {
		t.Errorf("%+v", track)
	}
}

// What the caller knows of the screen wins; a mapping reads other relations.
func TestOptions(t *testing.T) {
	known := gaze.Header{Screen: gaze.Screen{Width: 640, Height: 480, DistanceCm: 60}}
	if r := read(t, arff.Format(), labelled, format.Options{Known: known}); r.Screen.Width != 640 || r.Screen.DistanceCm != 60 || r.Screen.WidthCm != 40 {
		t.Errorf("%+v", r.Screen)
	}
	other := "@RELATION r\n@ATTRIBUTE ts INTEGER\n@ATTRIBUTE gx NUMERIC\n@ATTRIBUTE gy NUMERIC\n@DATA\n0,1,2\n4,3,4\n"
	if r := formattest.Read(t, arff.Format(), "x", []byte(other), format.Options{}); r.Err == nil {
		t.Error("an ARFF without time, x and y is read without a mapping")
	}
	m := &format.Mapping{Time: "ts", TimeUnit: "ms", X: "gx", Y: "gy", Unit: "norm"}
	if r := read(t, arff.Format(), other, format.Options{Mapping: m}); r.Unit != gaze.Normalized || r.Samples.Len() != 2 {
		t.Errorf("%+v", r.Header)
	}
}

func TestDetectRanks(t *testing.T) {
	for text, want := range map[string]int{
		labelled: 95, sphere: 100, coord: 0, "@RELATION r\n@ATTRIBUTE petal NUMERIC\n@DATA\n1\n": format.Likely, "a,b\n1,2\n": 0,
	} {
		if m := arff.Format().Detect(format.Head{Raw: []byte(text), Text: []byte(text)}); m.Score != want || len(m.Why) == 0 {
			t.Errorf("%.20q: %+v, want %d", text, m, want)
		}
	}
}
