package pico_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/pico"
	"github.com/gazeward/gazeward/gaze"
)

const header = "User Name\tVideo Name\tAvatar Name\tTimeline\tHead Position. x\tHead Position. y\tHead Position. z\tHead Rotation. x\tHead Rotation. y\tHead Rotation. z\t" +
	"Eye Left Blinking\tEye Right Blinking\tLeft Eye Gaze Openness\tRight Eye Gaze Openness\t" +
	"Combine Eye Gaze Point. x\tCombine Eye Gaze Vector. x\tCombine Eye Gaze Vector. y\tCombine Eye Gaze Vector. z\tLeft Eye Pose Status\tRight Eye Pose Status\tNameOfLookedObject\n"

const log = header +
	"P1\tbox A\tBob\t0.01111111\t0.1\t1.6033\t-0.3\t20\t350\t8\tFalse\tFalse\t1\t1\t0.0014\t0.5\t0\t0.8660254\t52\t52\tpoitrine\n" +
	"P1\tbox A\tBob\t0.02222222\t0.1\t1.6034\t-0.3\t350\t10\t8\tFalse\tFalse\t1\t1\t0.0014\t0\t-0.70711\t0.70712\t52\t52\tpoitrine\n" +
	"P1\tbox A\tBob\t0.03333333\t0.1\t1.6035\t-0.3\t350\t10\t8\tTrue\tTrue\t0\t0\t0\t0\t0\t0\t0\t0\tpoitrine\n" +
	"P1\tbox B\tBob\t0.01111111\t0.1\t1.6036\t-0.3\t350\t10\t8\tFalse\tTrue\t1\t0\t0.0014\t0\t0\t1\t52\t0\tbras\n"

func fixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "log.csv", Data: []byte(log), Recordings: 2, Samples: 4, Header: 1, Position: "-0.70711",
		Secrets: []string{"Bob", "1.603", "poitrine"},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, pico.Format(), fixture()) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, pico.Format(), fixture()) }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-3) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestAngles(t *testing.T) {
	res := formattest.Read(t, pico.Format(), "log.csv", []byte(log), format.Options{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	a, b := res.Recordings[0], res.Recordings[1]
	want := gaze.Header{Participant: "P1", Stimulus: "box A", Unit: gaze.Degrees, Frame: gaze.EyeInHead, Format: "pico"}
	if a.Header != want || b.Stimulus != "box B" {
		t.Errorf("headers %+v, %+v, want %+v", a.Header, b.Header, want)
	}
	nan := math.NaN()
	for i, w := range [][4]float64{{30, 0, -10, -20}, {0, -45, 10, 10}, {nan, nan, 10, 10}} {
		tr, s := a.Samples.Tracks[gaze.Cyclopean], a.Samples.Signals
		near(t, fmt.Sprint("yaw ", i), tr.X[i], w[0])
		near(t, fmt.Sprint("pitch ", i), tr.Y[i], w[1])
		near(t, fmt.Sprint("head yaw ", i), s[0].Values[i], w[2])
		near(t, fmt.Sprint("head pitch ", i), s[1].Values[i], w[3])
		near(t, fmt.Sprint("head roll ", i), s[2].Values[i], 8)
	}
	near(t, "yaw with one eye lost", b.Samples.Tracks[gaze.Cyclopean].X[0], nan)
	if s := b.Samples.Signals; len(s) != 5 || s[3].Name != "openness_L" || s[4].Name != "openness_R" || s[4].Values[0] != 0 {
		t.Errorf("signals %+v", s)
	}
	carriers := strings.Join(res.Report.Identity(), ", ")
	for _, c := range []string{"Head Position. y", "Combine Eye Gaze Point. x", "Avatar Name"} {
		if !strings.Contains(carriers, c) {
			t.Errorf("%s is no identity carrier: %s", c, carriers)
		}
	}
}

func TestWithoutHeadAndNames(t *testing.T) {
	text := strings.NewReplacer("Head Rotation", "Hat", "User Name", "who", "Video Name", "what").Replace(log)
	text = strings.Replace(text, "-0.70711\t0.70712", "-0.70711\t4294967288", 1)
	text = strings.Replace(text, "0.5\t0\t0.8660254", "0.7\t0\t1.2124356", 1)
	r := formattest.Read(t, pico.Format(), "log.csv", []byte(text), format.Options{})
	if r.Err != nil || len(r.Recordings) != 1 || len(r.Recordings[0].Samples.Signals) != 2 || r.Recordings[0].Participant != "" {
		t.Fatalf("%v, %d recordings", r.Err, len(r.Recordings))
	}
	near(t, "yaw of a long vector", r.Recordings[0].Samples.Tracks[gaze.Cyclopean].X[0], 30)
	near(t, "yaw with an overflow ahead", r.Recordings[0].Samples.Tracks[gaze.Cyclopean].X[1], math.NaN())
	if q := fmt.Sprint(r.Report.Quirks()); !strings.Contains(q, "1 × direction vector whose length") {
		t.Errorf("quirks %s", q)
	}
}

const quest = "Matricule;TrainingName;Date;Sequence;SequenceTime;CenterEyePosX;CenterEyePosY;CenterEyePosZ;CenterEyeRotX;CenterEyeRotY;CenterEyeRotZ;CenterEyeRotW\n" +
	"08;Base;2025-05-27;1;5,38;-0,25;1,71;0,58;-0,01;0,05;0,009;0,998\n"

func TestQuestProIsRefused(t *testing.T) {
	f := pico.QuestPro()
	if f.Read != nil || !strings.Contains(f.Hint, "no eye columns") {
		t.Errorf("hint %q", f.Hint)
	}
	if m := f.Detect(format.Head{Text: []byte(quest)}); m.Score < format.Certain {
		t.Errorf("%+v", m)
	}
	for _, text := range []string{log, "", "a;b\n", strings.Replace(quest, "Sequence;", "GazeX;", 1)} {
		if m := f.Detect(format.Head{Text: []byte(text)}); m.Score != format.No || len(m.Why) == 0 {
			t.Errorf("%.20q: %+v", text, m)
		}
	}
	r := formattest.Read(t, pico.Format(), "x.csv", []byte(quest), format.Options{})
	if r.Err == nil || !strings.Contains(r.Err.Error(), "Left Eye Pose Status") {
		t.Errorf("%v", r.Err)
	}
}

func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString(header)
	for i := range n {
		fmt.Fprintf(&b, "P1\tbox\tBob\t%.7f\t0.1\t1.6\t-0.3\t20.%04d\t0.5\t8\tFalse\tFalse\t1\t1\t0.001\t0.0%05d\t0.1%05d\t0.96\t52\t52\tbras\n",
			float64(i)/90, i%10000, i%77777, i%66666)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, pico.Format(), format.Options{}, write(70_000), write(280_000))
}

func open(t *testing.T, path string) *format.Input {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	in, err := format.NewInput(filepath.Base(path), f)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestRealLogs(t *testing.T) {
	in := open(t, filepath.Join(formattest.Shared(t, "formats/pico_neo3_pro"), "boxing_VR.csv.gz"))
	if m := pico.Format().Detect(in.Head()); m.Score < format.Certain {
		t.Errorf("not recognised: %+v", m)
	}
	report := new(format.Report)
	s, err := format.Summarize(pico.Format().Read(in, format.Options{Report: report}), report)
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 492 || s.Recordings != 1 || math.Abs(s.Rate.Hz-90) > 0.1 || s.Unit != "deg" || math.Abs(s.Lost-6./492) > 1e-9 {
		t.Errorf("%d rows of %d recordings, %v Hz, %s, lost %v", s.Rows, s.Recordings, s.Rate.Hz, s.Unit, s.Lost)
	}
	t.Logf("quirks %q, identity %q", s.Quirks, s.Identity)
	in = open(t, filepath.Join(formattest.Shared(t, "formats/meta_quest_pro"), "baseball_360VR.csv.gz"))
	if m := pico.QuestPro().Detect(in.Head()); m.Score < format.Certain {
		t.Errorf("not recognised: %+v", m)
	}
}
