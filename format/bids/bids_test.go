package bids_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/bids"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

const alone = "1000\t512.25\t384.5\n1004\t513.75\t385.5\n1008\tn/a\tn/a\n1012\t515.5\t386.5\n"

func fixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "sub-07_task-read_run-02_recording-eye1_physio.tsv.gz", Data: []byte(alone), Recordings: 1, Samples: 4, Position: "513.75",
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, bids.Format(), fixture()) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, bids.Format(), fixture()) }

const (
	eye1 = "sub-07/ses-b/beh/sub-07_ses-b_task-read_run-02_recording-eye1"
	eye2 = "sub-07/ses-b/beh/sub-07_ses-b_task-read_run-02_recording-eye2"
)

// study is laid out as eye2bids does, with metadata inherited from the top.
func study() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: formattest.Zip([]byte(s))} }
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"dataset_description.json": text(`{"Name": "x", "BIDSVersion": "1.11.0"}`),
		"participants.tsv":         text("participant_id\tage\nsub-07\t31\n"),
		"task-read_physio.json": text(`{"PhysioType": "eyetrack", "Columns": ["timestamp", "x_coordinate", "y_coordinate", "pupil_size", "fps"],
			"timestamp": {"Units": "ms", "Origin": "System startup"}, "x_coordinate": {"Units": "pixel"}, "y_coordinate": {"Units": "pixel"},
			"pupil_size": {"Description": "Pupil area", "Units": "a.u."}, "SampleCoordinateSystem": "gaze-on-screen",
			"DeviceSerialNumber": "CLG-QXZ50", "SamplingFrequency": 500}`),
		"task-read_events.json": text(`{"InstitutionName": "Lab", "StimulusPresentation": {"ScreenDistance": 0.6, "ScreenOrigin": ["top", "left"],
			"ScreenSize": [0.696, 0.391], "ScreenResolution": [1920, 1080]}}`),
		"task-read_physioevents.json":                               text(`{"Columns": ["onset", "duration", "trial_type", "blink", "message"], "OnsetSource": "timestamp"}`),
		"sub-07/ses-b/sub-07_ses-b_physio.json":                     text(`{"SamplingFrequency": 1000}`),
		eye1 + "_physio.json":                                       text(`{"RecordedEye": "left", "StartTime": -3.2}`),
		eye2 + "_physio.json":                                       text(`{"RecordedEye": "right", "StartTime": -3.2}`),
		eye1 + "_physio.tsv.gz":                                     file("767001\t100\t200\t900\t1\n767002\t102\t201\t901\t1\n767003\t104\t202\t902\t1\n767004\tn/a\tn/a\tn/a\t1\n"),
		eye2 + "_physio.tsv.gz":                                     file("767002\t110\t210\t800\t1\n767003\t111\t211\t801\t1\n767004\t2147483647\t212\t802\t1\n767005\t113\t213\t803\t1\n"),
		eye1 + "_physioevents.tsv.gz":                               file("767001\tn/a\tn/a\tn/a\tJane pressed\n767001\t20\tfixation\t0\tn/a\n767021\t31\tsaccade\t1\tn/a\n"),
		"sub-07/ses-b/beh/sub-07_ses-b_task-read_run-02_events.tsv": text("onset\tduration\ttrial_type\n0\t2\ta\n2\t2\tb\n"),
	}
}

func openIn(t testing.TB, fsys fstest.MapFS, name string) *format.Input {
	in, err := format.NewInput(name, bytes.NewReader(fsys[name].Data))
	if err != nil {
		t.Fatal(err)
	}
	in.FS, in.Format = fsys, "bids"
	return in
}

func TestBothEyes(t *testing.T) {
	report := new(format.Report)
	recs, err := gaze.Collect(bids.Read(openIn(t, study(), eye1+"_physio.tsv.gz"), format.Options{Report: report}))
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	r := recs[0]
	want := gaze.Header{
		Participant: "07", Session: "b", Task: "read", Trial: "02", Rate: 1000, Unit: gaze.Pixels, PupilUnit: gaze.PupilArea, Format: "bids",
		Screen: gaze.Screen{Width: 1920, Height: 1080, WidthCm: 69.6, HeightCm: 39.1, DistanceCm: 60},
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	left, right := r.Samples.Tracks[gaze.Left], r.Samples.Tracks[gaze.Right]
	if r.Samples.Len() != 5 || r.Samples.T[4] != 4*time.Millisecond {
		t.Fatalf("times %v", r.Samples.T)
	}
	if left.X[1] != 102 || right.X[1] != 110 || right.Pupil[1] != 800 || !math.IsNaN(right.X[0]) || !math.IsNaN(left.X[4]) || right.Y[4] != 213 {
		t.Errorf("left %v, right %v", left.X, right.X)
	}
	fix := gaze.Fixation{Eye: gaze.Left, Duration: 20 * time.Millisecond, X: 102, Y: 201, Pupil: math.NaN()}
	if d := gocmp.Diff([]gaze.Fixation{fix}, r.Fixations, cmpopts.EquateNaNs()); d != "" {
		t.Errorf("fixations (the place is the samples' mean): %s", d)
	}
	if len(r.Saccades) != 1 || r.Saccades[0].Start != 20*time.Millisecond || r.Saccades[0].Duration != 31*time.Millisecond || len(r.Blinks) != 1 {
		t.Errorf("%+v %+v", r.Saccades, r.Blinks)
	}
	if got := fmt.Sprint(report.Identity()); !strings.Contains(got, "DeviceSerialNumber") || !strings.Contains(got, "messages") {
		t.Errorf("identity carriers %s", got)
	}
	if got := fmt.Sprint(report.Dropped()); !strings.Contains(got, "fps") || strings.Contains(got, "QXZ50") || strings.Contains(got, "Jane") {
		t.Errorf("dropped %s", got)
	}
	if got := fmt.Sprint(report.Quirks()); !strings.Contains(got, "1 × overflow") {
		t.Errorf("quirks %s", got)
	}
}

// The second eye belongs to the first one's recording: no file is read twice,
// and a scan of the folder goes on.
func TestSecondEyeIsACompanion(t *testing.T) {
	_, err := gaze.Collect(bids.Read(openIn(t, study(), eye2+"_physio.tsv.gz"), format.Options{}))
	if !errors.Is(err, format.ErrEmpty) || !strings.Contains(err.Error(), "recording-eye1") {
		t.Errorf("error %v", err)
	}
	fsys := study()
	fsys[eye1+"_physio.tsv.gz"] = &fstest.MapFile{Data: formattest.Zip(nil)} // as in the public examples
	recs, err := gaze.Collect(bids.Read(openIn(t, fsys, eye2+"_physio.tsv.gz"), format.Options{}))
	if err != nil || len(recs) != 1 || recs[0].Samples.Len() != 4 {
		t.Errorf("%v: an empty first eye must not hide the second", err)
	}
	_, err = gaze.Collect(bids.Read(openIn(t, fsys, eye1+"_physio.tsv.gz"), format.Options{}))
	if !errors.Is(err, format.ErrEmpty) {
		t.Errorf("error %v for an empty file", err)
	}
}

func TestOtherPhysiology(t *testing.T) {
	fsys := study()
	fsys["task-read_physio.json"] = &fstest.MapFile{Data: []byte(`{"PhysioType": "generic", "Columns": ["cardiac"]}`)}
	_, err := gaze.Collect(bids.Read(openIn(t, fsys, eye1+"_physio.tsv.gz"), format.Options{}))
	if !errors.Is(err, format.ErrEmpty) || !strings.Contains(err.Error(), "no eye tracking") {
		t.Errorf("error %v", err)
	}
}

// One file by itself, without the folder above: what it lacks is told.
func TestFileAlone(t *testing.T) {
	r := formattest.Read(t, bids.Format(), fixture().Name, []byte(alone), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	h := r.Recordings[0].Header
	if h.Participant != "07" || h.Trial != "02" || h.Unit != gaze.UnitUnknown || r.Recordings[0].Samples.T[1] != 4*time.Millisecond {
		t.Errorf("%+v %v", h, r.Recordings[0].Samples.T)
	}
	if q := fmt.Sprint(r.Report.Quirks()); !strings.Contains(q, "no sidecar") || !strings.Contains(q, "unit of positions") {
		t.Errorf("quirks %s", q)
	}
}

func TestDetect(t *testing.T) {
	for name, want := range map[string][2]bool{
		eye1 + "_physio.tsv.gz": {true, false}, eye1 + "_physioevents.tsv.gz": {false, true}, eye1 + "_physio.json": {false, true},
		"task-read_events.json": {false, true}, "participants.tsv": {false, true}, "dataset_description.json": {false, true},
		"a.csv": {false, false}, "sub-1_x": {false, false},
	} {
		data := []byte("participant_id BIDSVersion")
		h := format.Head{Name: path.Base(name), Raw: data, Text: data}
		main, beside := bids.Format().Detect(h), bids.Beside().Detect(h)
		if main.Score > 0 != want[0] || beside.Score > 0 != want[1] || want[1] != (beside.Companion != "") || len(main.Why)*len(beside.Why) == 0 {
			t.Errorf("%s: %+v %+v", name, main, beside)
		}
	}
}

// memory is a folder in memory.
type memory struct {
	fsys fstest.MapFS
	open int
}

type memoryFile struct {
	bytes.Buffer
	m    *memory
	name string
}

func (f *memoryFile) Close() error {
	f.m.open--
	f.m.fsys[f.name] = &fstest.MapFile{Data: f.Bytes()}
	return nil
}

func (m *memory) create(name string) (io.WriteCloser, error) {
	if m.fsys[name] != nil {
		return nil, fmt.Errorf("%s is written twice", name)
	}
	m.open++
	return &memoryFile{m: m, name: name}, nil
}

func write(pieces gaze.Seq) (fstest.MapFS, *bids.Writer, error) {
	m := &memory{fsys: fstest.MapFS{}}
	w := bids.NewWriter(m.create, "gazeward (test)")
	for r, err := range pieces {
		if err == nil {
			err = w.Add(r)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	err := w.Close()
	if err == nil && m.open != 0 {
		err = fmt.Errorf("%d files are not closed", m.open)
	}
	return m.fsys, w, err
}

// readAll opens every file as a scan of the folder does.
func readAll(t interface{ Fatal(...any) }, fsys fstest.MapFS) []*gaze.Recording {
	var names []string
	for name := range fsys {
		if strings.HasSuffix(name, "_physio.tsv.gz") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var all []*gaze.Recording
	for _, name := range names {
		in, err := format.NewInput(name, bytes.NewReader(fsys[name].Data))
		if err != nil {
			t.Fatal(err)
		}
		in.FS = fsys
		recs, err := gaze.Collect(bids.Read(in, format.Options{}))
		if err != nil && !errors.Is(err, format.ErrEmpty) {
			t.Fatal(err)
		}
		all = append(all, recs...)
	}
	return all
}

// normal is what BIDS keeps of recordings.
func normal(recs []*gaze.Recording) []*gaze.Recording {
	var kept []*gaze.Recording
	for _, r := range recs {
		if len(r.Eyes()) == 0 {
			continue
		}
		r = gazetest.Clone(r)
		r.Screen.FieldWidthDeg, r.Screen.FieldHeightDeg, r.Format = 0, 0, ""
		if len(r.Fixations)+len(r.Saccades)+len(r.Blinks) == 0 && r.Samples.Tracks[0].Pupil == nil && r.Samples.Tracks[1].Pupil == nil && r.Samples.Tracks[2].Pupil == nil {
			r.PupilUnit = gaze.PupilUnknown // of nothing
		}
		slices.SortStableFunc(r.Fixations, func(a, b gaze.Fixation) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Eye, b.Eye), cmp.Compare(a.Duration, b.Duration))
		})
		slices.SortStableFunc(r.Saccades, func(a, b gaze.Saccade) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Eye, b.Eye), cmp.Compare(a.Duration, b.Duration))
		})
		slices.SortStableFunc(r.Blinks, func(a, b gaze.Blink) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Eye, b.Eye), cmp.Compare(a.Duration, b.Duration))
		})
		kept = append(kept, r)
	}
	return kept
}

func diff(want, got []*gaze.Recording) string {
	return gocmp.Diff(normal(want), normal(got), cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-12, 0))
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := formattest.Random(t)
		positions := false
		for i, r := range recs {
			// labels of BIDS; trial and stimulus pass as they are
			r.Participant, r.Session, r.Task = "a", []string{"", "1"}[i%2], "read"
			r.Trial, r.Stimulus = fmt.Sprintf("trial %d", i), strings.TrimSpace(r.Stimulus+"x")
			if r.Rate == 0 {
				r.Rate = 250
			}
			positions = positions || len(r.Eyes()) > 0
		}
		fsys, w, err := write(gazetest.Pieces(rapid.IntRange(1, 10).Draw(t, "piece"), recs...))
		if !positions {
			if err == nil || !strings.Contains(err.Error(), "no recording with samples") {
				t.Fatalf("error %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if w.Written+w.Skipped != len(recs) {
			t.Fatalf("%d written, %d skipped of %d", w.Written, w.Skipped, len(recs))
		}
		want := normal(recs)
		slices.SortStableFunc(want, func(a, b *gaze.Recording) int { return cmp.Compare(a.Session, b.Session) })
		if d := diff(want, readAll(t, fsys)); d != "" {
			t.Fatalf("differs from what was written (-want +got):\n%s", d)
		}
	})
}

func TestRoundTripOfPeople(t *testing.T) {
	recs := gazetest.Annotated(3)
	fsys, _, err := write(gazetest.Pieces(500, recs...))
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, fsys)
	if len(got) != len(recs) {
		t.Fatalf("%d recordings of %d", len(got), len(recs))
	}
	for i := range got { // names become labels
		got[i].Participant, got[i].Session, got[i].Task, got[i].Trial = recs[i].Participant, recs[i].Session, recs[i].Task, recs[i].Trial
	}
	if d := diff(recs, got); d != "" {
		t.Errorf("differs:\n%.2000s", d)
	}
}

// What the specification requires of names and sidecars.
func TestSpecification(t *testing.T) {
	recs := gazetest.Lossy(2, 0.1)
	recs[0].Participant, recs[1].Participant = "a-1", "A1" // equal but for case and signs
	recs[0].Session, recs[0].Screen.DistanceCm = "2024-03-05", 0
	fsys, _, err := write(gazetest.Seq(recs...))
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(fsys["dataset_description.json"].Data, &about); err != nil || about["DatasetType"] != "derivative" || about["BIDSVersion"] != "1.11.0" || about["GeneratedBy"] == nil {
		t.Errorf("%v %v", about, err)
	}
	if got := string(fsys["participants.tsv"].Data); got != "participant_id\nsub-a1\nsub-A1x2\n" {
		t.Errorf("participants %q", got)
	}
	checked := 0
	for name, f := range fsys {
		if !strings.HasSuffix(name, "_physio.json") {
			continue
		}
		checked++
		var side map[string]any
		if err := json.Unmarshal(f.Data, &side); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"SamplingFrequency", "StartTime", "Columns", "PhysioType", "RecordedEye", "SampleCoordinateSystem", "x_coordinate", "y_coordinate"} {
			if side[key] == nil {
				t.Errorf("%s lacks %s", name, key)
			}
		}
		if c := side["Columns"].([]any); c[0] != "timestamp" || c[1] != "x_coordinate" || c[2] != "y_coordinate" {
			t.Errorf("columns %v", c)
		}
		if fsys[strings.Replace(name, ".json", ".tsv.gz", 1)] == nil {
			t.Errorf("%s stands alone", name)
		}
		run, _, _ := strings.Cut(name, "_recording-")
		var events struct{ StimulusPresentation map[string]any }
		if err := json.Unmarshal(fsys[run+"_events.json"].Data, &events); err != nil || events.StimulusPresentation["ScreenOrigin"] == nil {
			t.Errorf("%s: %v %v", run, events, err)
		}
	}
	if checked < 2 {
		t.Errorf("%d sidecars", checked)
	}
}

func TestConstantMemory(t *testing.T) {
	row := func(n int) []byte {
		var b bytes.Buffer
		for i := range n {
			fmt.Fprintf(&b, "%d\t512.25\t384.5\n", 1000+i)
		}
		return b.Bytes()
	}
	formattest.Constant(t, bids.Format(), format.Options{}, row(200_000), row(800_000))
}
