package fixations_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/fixations"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

const fixationReport = "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tEYE_REPORTED\tDATA_FILE\tCURRENT_FIX_INDEX\tCURRENT_FIX_START\tCURRENT_FIX_DURATION\tCURRENT_FIX_X\tCURRENT_FIX_Y\tCURRENT_FIX_PUPIL\timage\n" +
	"s01\t1\tLEFT\tjane.edf\t1\t0\t180\t512.25\t384.5\t790\tdog.png\n" +
	"s01\t1\tLEFT\tjane.edf\t2\t212\t240\t600.75\t300.5\t.\tdog.png\n" +
	"s01\t1\tLEFT\tjane.edf\t3\t480\t90\t.\t.\t.\tdog.png\n" +
	"s01\t2\tRIGHT\tjane.edf\t1\t4\t200\t-99\t100.5\t801\tcat.png\n" +
	"s02\t1\tLEFT\troe.edf\t1\t8\t210\t100.125\t200.5\t812\tcat.png\n"

const sampleReport = "RECORDING_SESSION_LABEL\tTRIAL_INDEX\tTIMESTAMP\tLEFT_GAZE_X\tLEFT_GAZE_Y\tLEFT_PUPIL_SIZE\tLEFT_IN_BLINK\tRIGHT_GAZE_X\tRIGHT_GAZE_Y\tRIGHT_PUPIL_SIZE\tRIGHT_IN_BLINK\tSAMPLE_MESSAGE\n" +
	"s01\t1\t700010\t512.10\t384.20\t790.0\t0\t513.00\t385.00\t780.0\t0\t.\n" +
	"s01\t1\t700012\t512.25\t384.30\t791.0\t0\t.\t.\t.\t0\tJane pressed\n" +
	"s01\t1\t700014\t0.00\t0.00\t792.0\t1\t513.20\t385.10\t781.0\t0\t.\n" +
	"s01\t2\t800000\t500.10\t300.20\t793.0\t0\t501.10\t301.20\t782.0\t0\t.\n"

const plotter = `stimulus,participant,timestamp,duration,eyemovementtype,AOI
map,Jane,0,180,0,legend
map,Jane,180,40,1,
map,Jane,220,200.5,0,"north, south"
map,Roe,0,90,0,
`

func fixationFixture() formattest.Fixture {
	number := strings.NewReplacer("512.25", "512,25", "384.5", "384,5", "600.75", "600,75", "300.5", "300,5", "100.5", "100,5", "100.125", "100,125", "200.5", "200,5")
	return formattest.Fixture{
		Name: "fix.txt", Data: []byte(fixationReport), Recordings: 3, Fixations: 5, Header: 1, Position: "600.75",
		Comma: []byte(number.Replace(fixationReport)), Secrets: []string{"jane.edf", "roe.edf"},
	}
}

func sampleFixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "samples.txt", Data: []byte(sampleReport), Recordings: 2, Samples: 4, Header: 1, Position: "512.25",
		Secrets: []string{"Jane"},
	}
}

func plotterFixture() formattest.Fixture {
	return formattest.Fixture{Name: "events.csv", Data: []byte(plotter), Recordings: 2, Fixations: 3, Header: 1, Secrets: []string{"legend"}}
}

func TestFixationReports(t *testing.T) { formattest.Run(t, fixations.DataViewer(), fixationFixture()) }
func TestSampleReports(t *testing.T) {
	formattest.Run(t, fixations.DataViewerSamples(), sampleFixture())
}
func TestGazePlotter(t *testing.T) { formattest.Run(t, fixations.GazePlotter(), plotterFixture()) }
func FuzzDataViewer(f *testing.F)  { formattest.Fuzz(f, fixations.DataViewer(), fixationFixture()) }
func FuzzSampleReport(f *testing.F) {
	formattest.Fuzz(f, fixations.DataViewerSamples(), sampleFixture())
}
func FuzzGazePlotter(f *testing.F) { formattest.Fuzz(f, fixations.GazePlotter(), plotterFixture()) }

func read(t *testing.T, f format.Format, data string) []*gaze.Recording {
	t.Helper()
	r := formattest.Read(t, f, "x.txt", []byte(data), format.Options{})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Recordings
}

func TestFixationsOfDataViewer(t *testing.T) {
	recs := read(t, fixations.DataViewer(), fixationReport)
	want := gaze.Header{
		Participant: "s01", Trial: "1", Stimulus: "dog.png", Unit: gaze.Pixels, PupilUnit: gaze.PupilArea, Format: "data-viewer-fixations",
	}
	if recs[0].Header != want {
		t.Errorf("header %+v, want %+v", recs[0].Header, want)
	}
	f := recs[0].Fixations
	if f[0] != (gaze.Fixation{Eye: gaze.Left, Duration: 180 * time.Millisecond, X: 512.25, Y: 384.5, Pupil: 790}) {
		t.Errorf("%+v", f[0])
	}
	if f[1].Start != 212*time.Millisecond || !math.IsNaN(f[1].Pupil) || !math.IsNaN(f[2].X) {
		t.Errorf("%+v", f[1:])
	}
	if cat := recs[1]; cat.Fixations[0].Eye != gaze.Right || !math.IsNaN(cat.Fixations[0].X) || cat.Fixations[0].Start != 4*time.Millisecond {
		t.Errorf("%+v: onsets count from the trial's start, -99 is missing", cat.Fixations)
	}
}

// A report of both eyes together does not say which eye: no row is left out.
func TestEyeUsedBoth(t *testing.T) {
	both := strings.NewReplacer("LEFT", "BOTH", "EYE_REPORTED", "EYE_USED").Replace(fixationReport)
	if recs := read(t, fixations.DataViewer(), both); len(recs) != 3 || recs[0].Fixations[0].Eye != gaze.Cyclopean {
		t.Errorf("%d recordings", len(recs))
	}
}

func TestSamplesOfDataViewer(t *testing.T) {
	recs := read(t, fixations.DataViewerSamples(), sampleReport)
	r := recs[0]
	if r.Participant != "s01" || r.Trial != "1" || r.Unit != gaze.Pixels || r.Samples.T[2] != 4*time.Millisecond {
		t.Errorf("%+v %v", r.Header, r.Samples.T)
	}
	left, right := r.Samples.Tracks[gaze.Left], r.Samples.Tracks[gaze.Right]
	if left.X[1] != 512.25 || !math.IsNaN(right.X[1]) || !math.IsNaN(left.X[2]) || right.X[2] != 513.2 {
		t.Errorf("left %v, right %v: a blink of one eye is lost in it alone", left.X, right.X)
	}
}

func TestTimesOfGazePlotter(t *testing.T) {
	res := formattest.Read(t, fixations.GazePlotter(), "x.csv", []byte(plotter), format.Options{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	f := res.Recordings[0].Fixations
	if len(f) != 2 || f[1].Start != 220*time.Millisecond || f[1].Duration != 200500*time.Microsecond || !math.IsNaN(f[1].X) {
		t.Errorf("%+v", f)
	}
	if q := fmt.Sprint(res.Report.Quirks()); !strings.Contains(q, "1 × row that is no fixation") || !strings.Contains(q, "times only") {
		t.Errorf("quirks %s", q)
	}
}

func TestSaccadeReportsAreRefused(t *testing.T) {
	f := fixations.DataViewerSaccades()
	text := []byte("RECORDING_SESSION_LABEL\tCURRENT_SAC_DURATION\ns1\t40\n")
	if m := f.Detect(format.Head{Raw: text, Text: text}); m.Score < format.Certain || f.Read != nil || f.Hint == "" {
		t.Errorf("%+v", m)
	}
	if m := f.Detect(format.Head{Text: bytes.ToUpper([]byte(plotter))}); m.Score != 0 {
		t.Errorf("%+v", m)
	}
}
