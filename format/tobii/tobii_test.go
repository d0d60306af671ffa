package tobii_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/tobii"
	"github.com/gazeward/gazeward/gaze"
)

// rows joins cells by tabs; the lines of a test stay readable.
func rows(lines ...[]string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.Join(l, "\t") + "\n")
	}
	return b.String()
}

func cells(line string) []string { return strings.Split(line, "|") }

// proLab is as Pro Lab 1.2xx writes it, with a mouse event, an event of the
// experiment, a recording that is named after a person, and two stimuli.
var proLab = rows(
	cells("Recording timestamp [μs]|Computer timestamp [μs]|Sensor|Project name|Export date|Participant name|Recording name|Recording date|Timeline name|"+
		"Recording resolution height [px]|Recording resolution width [px]|Eyetracker timestamp [μs]|Event|Event value|Gaze point X [DACS px]|Gaze point Y [DACS px]|"+
		"Gaze point left X [DACS px]|Gaze point left Y [DACS px]|Gaze point right X [DACS px]|Gaze point right Y [DACS px]|Gaze point X [MCS norm]|Gaze point Y [MCS norm]|"+
		"Pupil diameter left [mm]|Pupil diameter right [mm]|Validity left|Validity right|Eye position left X [DACS mm]|Presented Stimulus name|Presented Media name|"+
		"Eye movement type|Gaze event duration [ms]|Eye movement type index|Fixation point X [DACS px]|Fixation point Y [DACS px]|"+
		"AOI hit [cat.png - tail]|AOI hit [cat.png - ear]|Handedness"),
	cells("1000000|77123456|||2024-05-06|||||||||RecordingStart|||||||||||||||||||||||"),
	cells("1003333|77126789|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5501|||512.5|300.25|510.5|301.5|514.5|299|0.26|0.27|3.125|3.25|Valid|Valid|31.7177|Cat|cat.png|Fixation|10|1|513|301|1|0|left"),
	cells("1004000|77127000|Mouse|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920||||||||||||||||||Cat|cat.png||||||||left"),
	cells("1006667|77130000|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5504|||516.5|302.25|514|303|519|301.5|0.26|0.27|3.125||Valid|Valid|31.7178|Cat|cat.png|Fixation|10|1|513|301|1|0|left"),
	cells("1010000|77133333|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5507|||700.125|400.5|700|400|9999|9999|0.3|0.3|3.1|3.2|Valid|Invalid|31.7179|Cat|cat.png|Saccade|7|1|||0|0|left"),
	cells("1013333|77136666|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5511|||||||||||||Invalid|Invalid||Cat|cat.png|EyesNotFound|7|1|||0|0|left"),
	cells("1016667|77140000|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5514|||800|500|799|501|801|499|||3|3|Valid|Valid|31.7179|Dog|dog.png|Fixation|250|2|801|501|||left"),
	cells("1020000|77143333|Eye Tracker|Study Roe|2024-05-06|P01|Jane 1|2024-05-05|Main|1080|1920|5517|||802|502|801|503|803|501|||3|3|Valid|Valid|31.7179|Dog|dog.png|Fixation|250|2|801|501|||left"),
	cells("0|88000000|Eye Tracker|Study Roe|2024-05-06|P01|Jane 2|2024-05-05|Main|1080|1920|9001|||80|50|79|51|81|49|||3|3|Valid|Valid|31.7179|Cat|cat.png|Unclassified|5|1|||||left"),
)

// oldProLab has no units in its names, decimal commas, and media coordinates.
var oldProLab = rows(
	cells("Recording timestamp|Participant name|Recording name|Event|Gaze point X (MCSnorm)|Gaze point Y (MCSnorm)|Gaze point left X (DACSmm)|Gaze point left Y (DACSmm)|"+
		"Pupil diameter left|Validity left|Validity right|Presented Media name|Presented Media width|Presented Media height|Eye movement type|Gaze event duration|Eye movement type index|"+
		"Fixation point X (MCSnorm)|Fixation point Y (MCSnorm)|Eye position left X (DACSmm)"),
	cells("0|7|Roe|ImageStimulusStart||||||||||||||||"),
	cells("16667|7|Roe||0,2501|0,5|-12,5|3,5|3,11|Valid|Invalid|a.png|1600|1200|Fixation|200|1|0,26|0,51|31,7"),
	cells("33333|7|Roe||0,2502|0,5|-12,6|3,5|3,12|Valid|Invalid|a.png|1600|1200|Fixation|200|1|0,26|0,51|31,7"),
	cells("50000|7|Roe||0,9|0,5|-12,6|3,5|3,12|Invalid|Invalid|a.png|1600|1200|Unclassified|20|1|||31,7"),
)

const studioHead = "StudioProjectName|ParticipantName|[Gender]Value|RecordingName|RecordingDate|RecordingResolution|MediaName|MediaWidth|MediaHeight|RecordingTimestamp|LocalTimeStamp|" +
	"StudioEvent|FixationIndex|GazeEventType|GazeEventDuration|FixationPointX (MCSpx)|FixationPointY (MCSpx)|GazePointIndex|" +
	"GazePointLeftX (ADCSpx)|GazePointLeftY (ADCSpx)|GazePointRightX (ADCSpx)|GazePointRightY (ADCSpx)|GazePointX (ADCSpx)|GazePointY (ADCSpx)|" +
	"DistanceLeft|PupilLeft|PupilRight|ValidityLeft|ValidityRight|AOI[face]Hit|"

var studio = rows(
	cells(studioHead),
	cells("Roe|B7|F|rec 1|05.06.2013|1920 x 1080|video.avi|1280|720|8|11:51:01.1|||||||||||||||||||||"),
	cells("Roe|B7|F|rec 1|05.06.2013|1920 x 1080|video.avi|1280|720|16|11:51:01.2||1|Fixation|33|600|300|1|900.5|480.25|910.5|481|905.5|480.6|634.5|3.01|3.02|0|1|1|"),
	cells("Roe|B7|F|rec 1|05.06.2013|1920 x 1080|video.avi|1280|720|33|11:51:01.2||1|Fixation|33|600|300|2|902.5|482.25|-1|-1|902.5|482.2|634.5|3.03|-1|0|4|1|"),
	cells("Roe|B7|F|rec 1|05.06.2013|1920 x 1080|video.avi|1280|720|49|11:51:01.2|||Unclassified|17|||3|5|5|6|6|5.5|5.5||||2|2|0|"),
)

var titta = rows(
	cells("|device_time_stamp|system_time_stamp|left_gaze_point_on_display_area_x|left_gaze_point_on_display_area_y|left_gaze_origin_in_user_coordinate_system_x|left_pupil_diameter|left_pupil_validity|left_gaze_point_validity|"+
		"right_gaze_point_on_display_area_x|right_gaze_point_on_display_area_y|right_pupil_diameter|right_pupil_validity|right_gaze_point_validity"),
	cells("0|5987654321|991|0.4511|0.5|31.7177|3.5|1|1|0.4611|0.51|3.25|1|1"),
	cells("1|5987655154|992|0.4512|0.5|31.7177|3.5|0|1|nan|nan|nan|0|0"),
	cells("2|5987655987|993|0.4513|0.5|31.7177|3.5|1|0|1.25|-0.5|3.5|1|1"),
)

var analytics = rows(
	cells("Time|LEyePos3dx|LGazePos2dx|LGazePos2dy|LPupilDm|LValidity|REyePos3dx|RGazePos2dx|RGazePos2dy|RPupilDm|RValidity|RelTimestamp"),
	cells("2619771723|0.0000|-1.0000|-1.0000|-1.0000|4|0.0000|-1.0000|-1.0000|-1.0000|4|0.0000"),
	cells("2619775056|31.7177|0.4982|0.4964|4.3067|0|42.0484|0.4894|0.4453|3.8441|0|3.3330"),
	cells("2619778408|31.7177|-1.0000|0.5|4.3067|1|42.0484|0.7|0.8|3.8441|3|6.6850"),
)

func proLabFixtures() []formattest.Fixture {
	return []formattest.Fixture{
		{
			Name: "export.tsv", Data: []byte(proLab), Recordings: 3, Samples: 7, Fixations: 2, Header: 1, Position: "700.125",
			Secrets: []string{"Jane", "Roe", "2024", "7712", "31.717", "RecordingStart", "tail"},
		},
		{
			Name: "old.tsv", Data: []byte(oldProLab), Recordings: 1, Samples: 3, Fixations: 1, Header: 1, Position: "0,2502",
			Secrets: []string{"Roe", "ImageStimulus", "31,7"},
		},
	}
}

// studioFixture comes with what laboratories save from a spreadsheet: semicolons
// and decimal commas, but for names and dates.
func studioFixture() formattest.Fixture {
	lines := strings.SplitAfter(strings.ReplaceAll(studio, "\t", ";"), "\n")
	for i, l := range lines[1:] {
		lines[i+1] = strings.NewReplacer("video.avi", "video.avi", "05.06.2013", "05.06.2013", "11:51:01.", "11:51:01.", ".", ",").Replace(l)
	}
	return formattest.Fixture{
		Name: "studio.tsv", Data: []byte(studio), Recordings: 1, Samples: 3, Fixations: 1, Header: 1, Position: "910.5",
		Comma: []byte(strings.Join(lines, "")), Secrets: []string{"Roe", "rec 1", "2013", "11:51", "634.5"},
	}
}

func sdkFixtures() []formattest.Fixture {
	return []formattest.Fixture{
		{Name: "titta.tsv", Data: []byte(titta), Recordings: 1, Samples: 3, Header: 1, Position: "0.4611", Secrets: []string{"31.717", "59876"}},
		{Name: "tx300.tsv", Data: []byte(analytics), Recordings: 1, Samples: 3, Header: 1, Position: "0.4982", Secrets: []string{"31.717", "42.04", "26197"}},
	}
}

func TestConformanceProLab(t *testing.T) { formattest.Run(t, tobii.ProLab(), proLabFixtures()...) }
func TestConformanceStudio(t *testing.T) { formattest.Run(t, tobii.Studio(), studioFixture()) }
func TestConformanceSDK(t *testing.T)    { formattest.Run(t, tobii.SDK(), sdkFixtures()...) }
func FuzzProLab(f *testing.F)            { formattest.Fuzz(f, tobii.ProLab(), proLabFixtures()...) }
func FuzzStudio(f *testing.F)            { formattest.Fuzz(f, tobii.Studio(), studioFixture()) }
func FuzzSDK(f *testing.F)               { formattest.Fuzz(f, tobii.SDK(), sdkFixtures()...) }

func read(t *testing.T, f format.Format, text string) formattest.Result {
	t.Helper()
	r := formattest.Read(t, f, "x.tsv", []byte(text), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// same compares numbers; NaN equals NaN.
func same(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i := range want {
		if got[i] != want[i] && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

var nan = math.NaN()

func TestProLab(t *testing.T) {
	res := read(t, tobii.ProLab(), proLab)
	cat, dog, again := res.Recordings[0], res.Recordings[1], res.Recordings[2]
	want := gaze.Header{
		Participant: "P01", Session: "1", Task: "Main", Trial: "1", Stimulus: "Cat", Unit: gaze.Pixels, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Width: 1920, Height: 1080}, Format: "tobii-pro-lab",
	}
	if cat.Header != want {
		t.Errorf("header %+v, want %+v", cat.Header, want)
	}
	if dog.Stimulus != "Dog" || dog.Session != "1" || dog.Trial != "2" || again.Session != "2" || again.Trial != "1" || again.Stimulus != "Cat" {
		t.Errorf("%+v, %+v", dog.Header, again.Header)
	}
	tr := cat.Samples.Tracks
	same(t, "average x", tr[gaze.Cyclopean].X, 512.5, 516.5, 700.125, nan)
	same(t, "left x", tr[gaze.Left].X, 510.5, 514, 700, nan)
	same(t, "right y", tr[gaze.Right].Y, 299, 301.5, nan, nan)
	same(t, "left pupil", tr[gaze.Left].Pupil, 3.125, 3.125, 3.1, nan)
	same(t, "right pupil", tr[gaze.Right].Pupil, 3.25, nan, nan, nan)
	if fmt.Sprint(cat.Samples.Labels) != fmt.Sprint([]gaze.Label{gaze.InFixation, gaze.InFixation, gaze.InSaccade, gaze.Unlabelled}) {
		t.Errorf("labels %v", cat.Samples.Labels)
	}
	if cat.Samples.T[1] != 3334*time.Microsecond || dog.Samples.T[0] != 0 {
		t.Errorf("times %v, %v", cat.Samples.T, dog.Samples.T)
	}
	f := cat.Fixations[0]
	if f.Start != 0 || f.Duration != 10*time.Millisecond || f.X != 513 || f.Y != 301 || f.Eye != gaze.Cyclopean {
		t.Errorf("fixation %+v", f)
	}
	// It is stated to last 250 ms and goes on after the stimulus.
	if f = dog.Fixations[0]; f.Duration != 6666*time.Microsecond || f.X != 801 {
		t.Errorf("fixation %+v, want it as long as its samples", f)
	}
	if again.Fixations == nil || len(again.Fixations) != 0 {
		t.Errorf("%v, want an empty list: the file says that there was none", again.Fixations)
	}
	id, dropped := fmt.Sprint(res.Report.Identity()), fmt.Sprint(res.Report.Dropped())
	for _, c := range []string{"Computer timestamp", "Project name", "Export date", "Recording name", "Recording date", "Eyetracker timestamp", "Event", "Event value", "Eye position left X", "Handedness"} {
		if !strings.Contains(id, c) {
			t.Errorf("%s is no identity carrier: %s", c, id)
		}
	}
	if strings.Count(dropped, "AOI hit […]") != 1 || strings.Contains(id, "AOI hit") || strings.Contains(dropped, "Validity") {
		t.Errorf("dropped %s", dropped)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "2 × row of an event") || !strings.Contains(q, "1 × fixation that goes on") {
		t.Errorf("quirks %s", q)
	}
}

func TestOldProLab(t *testing.T) {
	res := read(t, tobii.ProLab(), oldProLab)
	r := res.Recordings[0]
	want := gaze.Header{
		Participant: "7", Session: "1", Trial: "1", Stimulus: "a.png", Unit: gaze.Normalized, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Width: 1600, Height: 1200}, Format: "tobii-pro-lab",
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	same(t, "average x", r.Samples.Tracks[gaze.Cyclopean].X, 0.2501, 0.2502, nan)
	if r.Samples.Tracks[gaze.Left].X != nil {
		t.Error("mm pass as shares of the media")
	}
	if f := r.Fixations[0]; f.X != 0.26 || f.Y != 0.51 {
		t.Errorf("fixation %+v", f)
	}
	if r.Samples.T[2] != 33333*time.Microsecond {
		t.Errorf("times %v", r.Samples.T)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "decimal comma") {
		t.Errorf("quirks %s", q)
	}
}

// Times without a unit are in µs, and in old versions in ms.
func TestTimesInMs(t *testing.T) {
	text := strings.NewReplacer("16667", "17", "33333", "33", "50000", "50").Replace(oldProLab)
	res := read(t, tobii.ProLab(), text)
	if got := res.Recordings[0].Samples.T[1]; got != 16*time.Millisecond {
		t.Errorf("second sample at %v", got)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "taken as ms") {
		t.Errorf("quirks %s", q)
	}
	text = strings.NewReplacer("16667", "17", "33333", "33", "50000", "50", "Recording timestamp", "Recording timestamp [ms]").Replace(oldProLab)
	if got := read(t, tobii.ProLab(), text).Recordings[0].Samples.T[1]; got != 16*time.Millisecond {
		t.Errorf("second sample at %v", got)
	}
}

func TestGlassesAndMillimetres(t *testing.T) {
	glasses := rows(
		cells("Recording timestamp [ms]|Sensor|Participant name|Recording media width [px]|Gaze point X [MCS px]|Gaze point Y [MCS px]|Gaze point 3D X [HUCS mm]|Gyro X [degrees/second]"),
		cells("0|Eye Tracker|P|1920|960.5|540|3|"), cells("3|Gyroscope|P|1920||||0.5"), cells("20|Eye Tracker|P|1920|961|541|3|"))
	r := read(t, tobii.ProLab(), glasses).Recordings[0]
	if r.Frame != gaze.InWorld || r.Unit != gaze.Pixels || r.Samples.Len() != 2 || r.Samples.Labels != nil || r.Trial != "" || r.Session != "" {
		t.Errorf("%+v, %d samples", r.Header, r.Samples.Len())
	}
	mm := rows(cells("Recording timestamp [ms]|Gaze point left X [DACS mm]|Gaze point left Y [DACS mm]"), cells("0|10.5|20.5"), cells("4|11|21"))
	res := read(t, tobii.ProLab(), mm)
	if r = res.Recordings[0]; r.Unit != gaze.Millimetres || r.Samples.Tracks[gaze.Left].X[0] != 10.5 {
		t.Errorf("%+v", r)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "positions in mm") {
		t.Errorf("quirks %s", q)
	}
}

// What GazePlotter's users export: eye movements without gaze.
func TestMovementsAlone(t *testing.T) {
	text := rows(cells("Recording timestamp [ms]|Participant name|Recording name|Presented Stimulus name|Eye movement type|Eye movement type index|Event|Fixation point X|Fixation point Y"),
		cells("0|P|r|S|||ImageStimulusStart||"), cells("2|P|r|S|Fixation|1||100|200"), cells("4|P|r|S|Fixation|1||100|200"),
		cells("6|P|r|S|Fixation|2||300|200"), cells("8|P|r|S|Saccade|1||||"))
	r := read(t, tobii.ProLab(), text).Recordings[0]
	if len(r.Fixations) != 2 || r.Fixations[0].Duration != 4*time.Millisecond || r.Fixations[1].X != 300 || r.Fixations[1].Start != 4*time.Millisecond {
		t.Errorf("%+v", r.Fixations)
	}
	if len(r.Eyes()) != 0 || r.Samples.Len() != 4 || r.Unit != gaze.Pixels {
		t.Errorf("%v, %d samples, %v", r.Eyes(), r.Samples.Len(), r.Unit)
	}
}

func TestStudio(t *testing.T) {
	res := read(t, tobii.Studio(), studio)
	r := res.Recordings[0]
	want := gaze.Header{
		Participant: "B7", Session: "1", Trial: "1", Stimulus: "video.avi", Unit: gaze.Pixels, PupilUnit: gaze.PupilMillimetres,
		Screen: gaze.Screen{Width: 1920, Height: 1080}, Format: "tobii-studio",
	}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	tr := r.Samples.Tracks
	same(t, "left x", tr[gaze.Left].X, 900.5, 902.5, nan)
	same(t, "right x", tr[gaze.Right].X, 910.5, nan, nan)
	same(t, "average x", tr[gaze.Cyclopean].X, 905.5, 902.5, nan)
	same(t, "right pupil", tr[gaze.Right].Pupil, 3.02, nan, nan)
	if r.Samples.T[2] != 33*time.Millisecond {
		t.Errorf("times %v", r.Samples.T)
	}
	// The fixation's place is stated on the media and not on the screen: the
	// mean of the samples stands for it.
	if f := r.Fixations[0]; f.X != (905.5+902.5)/2 || f.Duration != 33*time.Millisecond {
		t.Errorf("fixation %+v", f)
	}
	id := fmt.Sprint(res.Report.Identity())
	for _, c := range []string{"StudioProjectName", "[Gender]Value", "RecordingName", "RecordingDate", "LocalTimeStamp", "StudioEvent", "DistanceLeft"} {
		if !strings.Contains(id, c) {
			t.Errorf("%s is no identity carrier: %s", c, id)
		}
	}
}

func TestSDK(t *testing.T) {
	res := read(t, tobii.SDK(), titta)
	r := res.Recordings[0]
	want := gaze.Header{Unit: gaze.Normalized, PupilUnit: gaze.PupilMillimetres, Format: "tobii-sdk"}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	tr := r.Samples.Tracks
	same(t, "left x", tr[gaze.Left].X, 0.4511, 0.4512, nan)
	same(t, "right x", tr[gaze.Right].X, 0.4611, nan, 1.25)
	same(t, "left pupil", tr[gaze.Left].Pupil, 3.5, nan, nan)
	if r.Samples.T[1] != 833*time.Microsecond || tr[gaze.Cyclopean].X != nil {
		t.Errorf("times %v", r.Samples.T)
	}
	if id := fmt.Sprint(res.Report.Identity()); !strings.Contains(id, "left_gaze_origin") || !strings.Contains(id, "system_time_stamp") {
		t.Errorf("identity carriers %s", id)
	}
	words := strings.NewReplacer("_validity", "_valid", "\t1\t1\t0.46", "\tTrue\tTrue\t0.46", "\t1\t1\n", "\tTrue\tTrue\n", "\t0\t0\n", "\tFalse\tFalse\n",
		"\t0\t1\t", "\tFalse\tTrue\t", "\t1\t0\t", "\tTrue\tFalse\t").Replace(titta)
	tr = read(t, tobii.SDK(), words).Recordings[0].Samples.Tracks
	same(t, "left x of True and False", tr[gaze.Left].X, 0.4511, 0.4512, nan)
	same(t, "left pupil of True and False", tr[gaze.Left].Pupil, 3.5, nan, nan)
}

func TestAnalyticsSDK(t *testing.T) {
	res := read(t, tobii.SDK(), analytics)
	tr := res.Recordings[0].Samples.Tracks
	same(t, "left x", tr[gaze.Left].X, nan, 0.4982, -1)
	same(t, "left y", tr[gaze.Left].Y, nan, 0.4964, 0.5)
	same(t, "right x", tr[gaze.Right].X, nan, 0.4894, nan)
	same(t, "left pupil", tr[gaze.Left].Pupil, nan, 4.3067, 4.3067)
	if id := fmt.Sprint(res.Report.Identity()); id != "[LEyePos3dx REyePos3dx]" {
		t.Errorf("identity carriers %s", id)
	}
}

func TestTablesThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		f          format.Format
		text, want string
	}{
		"no time":     {tobii.ProLab(), "Gaze point X\tGaze point Y\n1\t2\n", "no column of time"},
		"no gaze":     {tobii.ProLab(), "Recording timestamp\tAge\n1\t2\n", "no columns of gaze"},
		"events only": {tobii.ProLab(), "Recording timestamp\tSensor\tGaze point X\tGaze point Y\n1\t\t\t\n2\tMouse\t\t\n", "none of 2 rows is a sample"},
		"no numbers":  {tobii.Studio(), "RecordingTimestamp\tGazePointX (ADCSpx)\tGazePointY (ADCSpx)\nnever\t1\t2\n", "readable time stamp"},
		"header only": {tobii.SDK(), "device_time_stamp\tleft_pupil_diameter\n", "nothing to read"},
	} {
		r := formattest.Read(t, c.f, "x.tsv", []byte(c.text), format.Options{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, r.Err, c.want)
		}
	}
}

// Each table belongs to one of the formats.
func TestDetectTellsThemApart(t *testing.T) {
	for text, want := range map[string]string{
		proLab: "tobii-pro-lab", oldProLab: "tobii-pro-lab", studio: "tobii-studio", titta: "tobii-sdk", analytics: "tobii-sdk",
		"time,x,y\n1,2,3\n": "", "Recording timestamp\tAge\n": "", "RecordingTimestamp\n": "", "Time\tType\n": "", "": "", "Time;LValidity;RValidity": "",
	} {
		for _, f := range []format.Format{tobii.ProLab(), tobii.Studio(), tobii.SDK()} {
			m := f.Detect(format.Head{Text: []byte(text)})
			if (m.Score >= format.Certain) != (f.Name == want) || len(m.Why) == 0 {
				t.Errorf("%.40q as %s: %+v", text, f.Name, m)
			}
		}
	}
}
