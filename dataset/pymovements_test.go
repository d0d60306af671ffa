package dataset_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/gaze"
)

func imported(t *testing.T, yaml string, fsys fstest.MapFS) *dataset.Folder {
	t.Helper()
	d, err := dataset.ParseDefinition([]byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
}

// A folder is read by a definition of pymovements: who and which session by the
// path, the trial by path and columns, columns by their names before column_map.
func TestPymovementsFolder(t *testing.T) {
	f := imported(t, `
name: Dots
resources:
  - content: gaze
    filename_pattern: 'r{round_id:1d}{subject_id:d}_{page_id:d}.csv'
    filename_pattern_schema_overrides:
      round_id: !int
    load_kwargs:
      trial_columns: [dot]
      time_column: clock
      time_unit: step
      pixel_columns: [xl, yl, xr, yr]
      column_map: {left: xl, Dot: dot}
      read_csv_kwargs: {separator: ";", null_values: "-1"}
  - content: imagestimulus
    filename_pattern: '{stimulus_id}.jpg'
experiment:
  screen: {width_px: 1280, height_px: 1024, origin: upper left}
  eyetracker: {sampling_rate: 500}
`, fstest.MapFS{
		"raw/deep/r107_3.csv": {Data: []byte("clock;left;yl;xr;yr;Dot\n10;1;2;3;4;a\n11;-1;-1;3;4;a\n0;1;2;3;4;b\n")},
		"raw/r208_1.csv.gz":   {Data: zipped("clock;left;yl;xr;yr;Dot\n0;1;2;3;4;a\n")},
		"raw/other.csv":       {Data: []byte("no such file")},
	})
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 3 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	h := recs[0].Header
	if h.Participant != "07" || h.Session != "1" || h.Trial != "3-a" || recs[1].Trial != "3-b" || h.Unit != gaze.Pixels || h.Screen.Width != 1280 || h.Rate != 500 {
		t.Errorf("%+v", h)
	}
	s := recs[0].Samples
	if s.T[1] != 2e6 || !gaze.Lost(s.Tracks[gaze.Left].X[1], 0) || s.Tracks[gaze.Right].X[1] != 3 {
		t.Errorf("%+v", s)
	}
	if people, err := f.Participants(); err != nil || !slices.Equal(people, []string{"07", "08"}) {
		t.Errorf("%v %v", people, err)
	}
}

// What an eye tracker's own file does not say, the definition does.
func TestPymovementsVendorFiles(t *testing.T) {
	f := imported(t, `
name: Pages
resources: [{content: gaze, filename_pattern: 's{subject_id:d}_{session_id:d}.asc'}]
experiment: {screen_width_px: 1280, screen_height_px: 1024, screen_width_cm: 38, screen_height_cm: 30.2, distance_cm: 68, origin: upper left, sampling_rate: 1000}
`, fstest.MapFS{"s3_2.asc": {Data: []byte("** CONVERTED FROM x\nMSG 90 DISPLAY_COORDS 0 0 1919 1079\nSTART 100 LEFT SAMPLES EVENTS\n" +
		"SAMPLES GAZE LEFT RATE 1000.00\n100 1.0 2.0 300.0 ...\n101 1.0 2.0 300.0 ...\nEND 102 SAMPLES EVENTS\n")}})
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 1 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	if h := recs[0].Header; h.Participant != "3" || h.Session != "2" || h.Screen.Width != 1920 || h.Screen.WidthCm != 38 || h.Screen.DistanceCm != 68 {
		t.Errorf("%+v", h)
	}
}

func TestFieldsOfDefinitions(t *testing.T) {
	const start = "{name: x, files: ['{a}_{half:d}.csv'], fields: "
	f := imported(t, start+"{participant: 'p{a}', session: '{a}-{half}'}}", fstest.MapFS{"Q_2.csv": {Data: []byte("t_ms,x_px,y_px\n0,1,2\n")}})
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 1 || recs[0].Participant != "pQ" || recs[0].Session != "Q-2" {
		t.Errorf("%v %v", recs, err)
	}
	for text, want := range map[string]string{
		start + "{participant: '{b}'}}":                 "no field b",
		start + "{shoe: '{a}'}}":                        "shoe",
		"{name: x, files: [a], screen: {width_px: -1}}": "negative",
	} {
		if _, err := dataset.ParseDefinition([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
}
