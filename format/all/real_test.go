package all_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/formattest"
)

func TestRealEyeLink(t *testing.T) {
	dir := formattest.Shared(t, "formats/eyelink_asc")
	for name, want := range map[string]struct {
		hz         float64
		eyes       string
		recordings int
		rows       int
		lost       float64
		screen     [2]int
		quirk      string
	}{
		"eyelink_monocular_example.asc":          {1000, "[left]", 5, 16, 0, [2]int{1280, 1024}, "TRIALID"},
		"eyelink_monocular_2khz_example.asc":     {2000, "[left]", 5, 16, 0, [2]int{1280, 1024}, "TRIALID"},
		"eyelink_monocular_no_dummy_example.asc": {500, "[left]", 1, 297, 69. / 297, [2]int{1920, 1080}, "without END"},
		"eyelink_binocular_example.asc":          {1000, "[left right]", 1, 368, 177. / 736, [2]int{1920, 1080}, ""},
		"eyelinker_bino500.asc.gz":               {500, "[left right]", 4, 1745, 0, [2]int{1024, 768}, ""},
		"eyelinker_mono250.asc.gz":               {250, "[left]", 4, 914, 0, [2]int{1024, 768}, ""},
		"eyelinker_mono2000.asc.gz":              {2000, "[right]", 4, 8976, 0, [2]int{1024, 768}, "4488 × time stamp repeated"},
		"eyelinker_monoRemote250.asc.gz":         {250, "[left]", 4, 5129, 0, [2]int{1024, 768}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := all.Inspect(filepath.Join(dir, name), format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := all[0]
			if s.Format != "eyelink-asc" || s.Rate.Hz != want.hz || s.Rate.NominalHz != want.hz || s.Unit != "px" {
				t.Errorf("%s, %+v, %s", s.Format, *s.Rate, s.Unit)
			}
			if fmt.Sprint(s.Eyes) != want.eyes || s.Recordings != want.recordings || s.Rows != want.rows {
				t.Errorf("%v, %d recordings, %d rows", s.Eyes, s.Recordings, s.Rows)
			}
			if math.Abs(s.Lost-want.lost) > 1e-9 || s.Screen.WidthPx != want.screen[0] || s.Screen.HeightPx != want.screen[1] {
				t.Errorf("lost %v, screen %+v", s.Lost, s.Screen)
			}
			if want.quirk != "" && !strings.Contains(strings.Join(s.Quirks, "\n"), want.quirk) {
				t.Errorf("quirks %q", s.Quirks)
			}
			if !strings.Contains(strings.Join(s.Identity, "\n"), "SERIAL NUMBER") {
				t.Errorf("identity carriers %q", s.Identity)
			}
		})
	}
}

func TestRealEDF(t *testing.T) {
	dir := formattest.Shared(t, "formats/eyelink_edf")
	both, err := all.Inspect(dir, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := both[0]; s.Rows != 10294 || s.Events.Fixations == 0 || fmt.Sprint(s.Eyes) != "[left right]" {
		t.Errorf("%+v", s)
	}
	_, err = all.Inspect(filepath.Join(dir, "eyelink_data_example.edf"), format.Options{})
	var refused *format.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "edf2asc") {
		t.Errorf("error %v, want the hint", err)
	}
}

// Whatever lies among the real files: read, or refused with a reason, never
// empty in silence.
func TestRealFilesOfAllKinds(t *testing.T) {
	for _, folder := range []string{"formats", "edvam", "vive360", "vrload"} {
		summaries, _ := all.Inspect(formattest.Shared(t, folder), format.Options{}) // an error where all files are refused
		if len(summaries) == 0 {
			t.Errorf("%s: no summaries", folder)
		}
		for _, s := range summaries {
			if s.Error == "" && s.Rows == 0 {
				t.Errorf("%s/%s: empty in silence", folder, s.File)
			}
		}
	}
}

// A mapping is enough for tables nobody has thought of.
func TestRealTablesByMapping(t *testing.T) {
	for _, c := range []struct {
		file, yaml string
		rows       int
		hz         float64
		lost       float64
		quirk      string
	}{
		{"formats/gazebase/S_1001_S1_TEX.csv.gz", `
{time: n, time_unit: ms, x: x, y: y, unit: deg, valid_when: val == 0, pupil: dP, pupil_unit: au_area, sampling_rate: 1000,
 filename_pattern: 'S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv', label: {column: lab, values: {1: fixation, 2: saccade}},
 screen: {width_px: 1680, height_px: 1050, width_cm: 47.4, height_cm: 29.7, distance_cm: 55, origin: center}}`, 60233, 1000, -1, ""},
		{"formats/tobii_tsv/participant1_1.tsv", `
{time: Time, time_unit: us, x_left: LGazePos2dx, y_left: LGazePos2dy, x_right: RGazePos2dx, y_right: RGazePos2dy, unit: norm,
 valid_when_left: LValidity < 2, valid_when_right: RValidity < 2, null_values: -1}`, -1, 300, -1, ""},
		{"formats/smi_txt/smi_data_example_recording1_Samples.txt.gz", `
{time: Time, time_unit: us, rows_where: Type == SMP, x: 'L POR X [px]', y: 'L POR Y [px]', unit: px, null_values: 0, eye: left}`, 56116, 50, -1, "too few fields"},
		{"edvam/raw_subset/1.csv.gz", `
{time: time, time_unit: s, x: gaze_norm_pos_x, y: gaze_norm_pos_y, unit: norm, confidence: confidence, min_confidence: 0.6,
 frame: gaze-in-world, filename_pattern: '{participant:d}.csv'}`, -1, -1, -1, "occurs again"},
		{"vrload/data/P1/Eyerecording_Test_Control.csv.gz", `
{time: Timestamp, time_unit: datetime, null_values: -1, filename_pattern: '{participant}/Eyerecording_Test_{task}.csv',
 signals: [{column: openness_L}, {column: 'pupil_diameter_L(mm)', unit: mm}]}`, -1, -1, -1, ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			m, err := format.ParseMapping([]byte(c.yaml))
			if err != nil {
				t.Fatal(err)
			}
			root := formattest.Shared(t, strings.SplitN(c.file, "/", 2)[0])
			some, err := all.Inspect(filepath.Join(filepath.Dir(root), c.file), format.Options{Mapping: m})
			if err != nil {
				t.Fatal(err)
			}
			s := some[0]
			if c.rows >= 0 && s.Rows != c.rows || c.hz >= 0 && math.Abs(s.Rate.Hz-c.hz) > 0.02*c.hz {
				t.Errorf("%d rows at %v Hz, want %d at %v", s.Rows, s.Rate.Hz, c.rows, c.hz)
			}
			if s.Rows == 0 || s.Lost >= 1 || !strings.Contains(strings.Join(s.Quirks, "\n"), c.quirk) {
				t.Errorf("%d rows, lost %v, quirks %q", s.Rows, s.Lost, s.Quirks)
			}
			t.Logf("%d rows, %.1f Hz, lost %.3f, quirks %q, dropped %d, identity %q", s.Rows, s.Rate.Hz, s.Lost, s.Quirks, len(s.Dropped), s.Identity)
		})
	}
}
