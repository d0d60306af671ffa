package canonical_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

const samples = `recording,participant,session,task,trial,stimulus,t_ns,unit,pupil_unit,x_left,y_left,pupil_left,x_right,y_right,pupil_right,label,signal:openness [1]
0,P1,1,read,a,"one, ""two""",0,px,mm,100.25,200,3.5,110,201,3.6,fixation,0.9
0,P1,1,read,a,"one, ""two""",4000000,px,mm,101.5,201,3.5,,,,saccade,
0,P1,1,read,a,"one, ""two""",8000000,px,mm,102.75,202,3.5,112,203,3.6,none,0.8
1,P2,1,read,a,x,0,px,mm,1,2,3,4,5,6,blink,0
`

const events = `recording,participant,session,task,trial,stimulus,event,eye,onset_ns,duration_ns,unit,x,y,x_end,y_end,pupil,pupil_unit,amplitude_deg,peak_velocity_deg_s
0,P1,1,read,a,x,fixation,left,0,200000000,px,100.25,200,,,3.5,mm,,
0,P1,1,read,a,x,saccade,left,200000000,30000000,px,100,200,400,300,,mm,8.5,210
2,P2,,,b,y,blink,right,5000000,120000000,deg,,,,,,unknown,,
`

func samplesFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "t.csv", Data: []byte(samples), Recordings: 2, Samples: 4, Header: 1, Position: "101.5",
	}
}

func eventsFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "e.csv", Data: []byte(events), Recordings: 2, Fixations: 1, Saccades: 1, Blinks: 1, Header: 1,
	}
}

func TestConformance(t *testing.T) {
	formattest.Run(t, canonical.CSV(), samplesFixture(), eventsFixture())
}
func FuzzRead(f *testing.F) { formattest.Fuzz(f, canonical.CSV(), samplesFixture(), eventsFixture()) }

// write writes recordings as the caller of a program would.
func write(recs []*gaze.Recording, pieces gaze.Seq) (fstest.MapFS, error) {
	s, err := canonical.Look(gazetest.Seq(recs...))
	if err != nil {
		return nil, err
	}
	var a, b bytes.Buffer
	var w canonical.Writer
	name, other := "out/t.csv", ""
	fsys := fstest.MapFS{}
	switch {
	case !s.Samples:
		w, err = canonical.NewCSV(nil, &a, s)
	case s.Events:
		w, err = canonical.NewCSV(&a, &b, s)
		other = "t_events.csv"
	default:
		w, err = canonical.NewCSV(&a, nil, s)
	}
	if err == nil {
		err = canonical.Copy(w, pieces)
	}
	if err != nil {
		return nil, err
	}
	rows := map[bool]string{true: "samples", false: "events"}[s.Samples]
	side, err := s.Sidecar(rows, other)
	fsys[name], fsys["out/t.json"] = &fstest.MapFile{Data: a.Bytes()}, &fstest.MapFile{Data: side}
	if other != "" {
		fsys["out/"+other] = &fstest.MapFile{Data: b.Bytes()}
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
		if d := formattest.Back(canonical.CSV(), fsys, "out/t.csv", recs); d != "" {
			t.Fatalf("differs from what was written (-want +got):\n%s\n%s", d, fsys["out/t.csv"].Data)
		}
	})
}

// Simulated people, with everything a tracker states.
func TestRoundTripOfPeople(t *testing.T) {
	for name, recs := range map[string][]*gaze.Recording{
		"annotated": gazetest.Annotated(3), "fixations only": gazetest.FixationsOnly(2), "lossy": gazetest.Lossy(2, 0.3), "wanderers": gazetest.Wanderers(2),
	} {
		fsys, err := write(recs, gazetest.Pieces(500, recs...))
		if err != nil {
			t.Fatal(err)
		}
		if d := formattest.Back(canonical.CSV(), fsys, "out/t.csv", recs); d != "" {
			t.Errorf("%s: differs from what was written:\n%.2000s", name, d)
		}
	}
}

func TestReadWithoutSidecar(t *testing.T) {
	r := formattest.Read(t, canonical.CSV(), "t.csv", []byte(samples), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	h := r.Recordings[0].Header
	want := gaze.Header{
		Participant: "P1", Session: "1", Task: "read", Trial: "a", Stimulus: `one, "two"`, Unit: gaze.Pixels, PupilUnit: gaze.PupilMillimetres,
		Format: "canonical-csv",
	}
	if h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	s := &r.Recordings[0].Samples
	if !math.IsNaN(s.Tracks[gaze.Right].X[1]) || s.Tracks[gaze.Left].X[2] != 102.75 || s.Labels[1] != gaze.InSaccade {
		t.Errorf("%+v", s)
	}
	if s.Signals[0].Name != "openness" || s.Signals[0].Unit != "1" || s.Signals[0].Values[2] != 0.8 {
		t.Errorf("%+v", s.Signals)
	}
	if q := fmt.Sprint(r.Report.Quirks()); !strings.Contains(q, "no sidecar") {
		t.Errorf("quirks %s", q)
	}
}

// The table of events is read with the table of samples beside it, and not a
// second time by itself.
func TestEventsBelongToTheirTable(t *testing.T) {
	recs := gazetest.Annotated(1)
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	in, err := format.NewInput("out/t_events.csv", bytes.NewReader(fsys["out/t_events.csv"].Data))
	if err != nil {
		t.Fatal(err)
	}
	in.FS = fsys
	_, err = gaze.Collect(canonical.CSV().Read(in, format.Options{}))
	if !errors.Is(err, format.ErrEmpty) || !strings.Contains(err.Error(), "beside it") {
		t.Errorf("error %v", err)
	}
	side := fsys["out/t.json"].Data
	if m := canonical.CSV().Detect(format.Head{Name: "t.json", Raw: side, Text: side}); m.Companion == "" {
		t.Errorf("the sidecar is not a companion: %+v", m)
	}
}

// Events left behind by an older table are not those of a table that says it
// has none.
func TestOthersEventsStayOut(t *testing.T) {
	recs := gazetest.People(1)
	recs[0].Fixations, recs[0].Saccades, recs[0].Blinks = nil, nil, nil
	fsys, err := write(recs, gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	fsys["out/t_events.csv"] = &fstest.MapFile{Data: []byte(events)}
	if d := formattest.Back(canonical.CSV(), fsys, "out/t.csv", recs); d != "" {
		t.Errorf("differs:\n%.1000s", d)
	}
}

// Absolute times must not enter, whoever made the table.
func TestAbsoluteTimesStayOut(t *testing.T) {
	text := strings.ReplaceAll(samples, ",4000000,", ",1700000000004000000,")
	r := formattest.Read(t, canonical.CSV(), "t.csv", []byte(text), format.Options{})
	if r.Err != nil || r.Recordings[0].Samples.Len() != 2 {
		t.Errorf("%v", r.Err)
	}
	if q := fmt.Sprint(r.Report.Quirks()); !strings.Contains(q, "1 × time stamp or duration out of range") {
		t.Errorf("quirks %s", q)
	}
}

func TestSourcesThatChange(t *testing.T) {
	few, more := gazetest.People(1), gazetest.Annotated(2)
	s, err := canonical.Look(gazetest.Seq(few...))
	if err != nil {
		t.Fatal(err)
	}
	w, err := canonical.NewCSV(io.Discard, nil, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := canonical.Copy(w, gazetest.Seq(more...)); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("error %v", err)
	}
}

func TestDamagedTables(t *testing.T) {
	for text, want := range map[string]string{
		"recording,participant,t_ns\n0,a,0\n":             "no columns of positions",
		"recording,participant,t_ns,x,y\nz,a,0,1,2\n":     "none of 1 rows",
		"recording,participant,t_ns,x,y\n0,a,0,one,two\n": "no numbers",
		"a,b\n1,2\n": "not a canonical table",
		"recording,participant,event,onset_ns,duration_ns\n0,a,sneeze,0,1\n": "none of 1 rows",
	} {
		r := formattest.Read(t, canonical.CSV(), "t.csv", []byte(text), format.Options{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%q: error %v, want one about %q", text, r.Err, want)
		}
	}
}
