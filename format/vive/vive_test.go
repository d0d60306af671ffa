package vive_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/vive"
	"github.com/gazeward/gazeward/gaze"
)

const header = "time(100ns);time_stamp(ms);time(UnityVideoPlayer);frame;eye_valid_L;eye_valid_R;openness_L;openness_R;pupil_diameter_L(mm);pupil_diameter_R(mm);" +
	"pos_sensor_L.x;gaze_origin_L.x(mm);gaze_origin_R.x(mm);gaze_direct_L.x;gaze_direct_L.y;gaze_direct_L.z;gaze_direct_R.x;gaze_direct_R.y;gaze_direct_R.z;" +
	"distance_valid_C;helmet_pos_x;helmet_pos_y;helmet_pos_z;helmet_rot_x;helmet_rot_y;helmet_rot_z\n"

// The left eye looks 30° to the left, then is lost, then 45° up; the right one
// straight ahead, to the right, and is lost.
const log = header +
	"638342802882596202;-1511527596;11.27;123;31;31;1;0.9;3.83;3.95;0.40;38.0355;-32.1974;0.5;0;0.8660254;0;0;1;False;0.79;1.6287;0.70;10;350;359.5\n" +
	"638342802882675967;-1511527588;0.00;124;8;31;0;0.9;-1;3.96;0.40;38.0366;-32.1975;0;0;0;-0.70711;0;0.70711;False;0.79;1.6288;0.70;10;350;359.5\n" +
	"638342802882755770;-1511527580;0.00;125;31;24;1;0.1;3.85;-1;0.40;38.0378;-32.1976;0;0.70711;0.70711;0.1;0.1;0.9;False;0.79;1.6289;0.70;355;10;0\n"

func fixture() formattest.Fixture {
	return formattest.Fixture{
		Name: "log.csv", Data: []byte(log), Recordings: 1, Samples: 3, Header: 1, Position: "-0.70711",
		Secrets: []string{"38.03", "32.19", "1.628", "63834280"},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, vive.Format(), fixture()) }
func FuzzRead(f *testing.F)        { formattest.Fuzz(f, vive.Format(), fixture()) }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-3) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestAngles(t *testing.T) {
	res := formattest.Read(t, vive.Format(), "log.csv", []byte(log), format.Options{})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	r := res.Recordings[0]
	want := gaze.Header{Unit: gaze.Degrees, Frame: gaze.EyeInHead, PupilUnit: gaze.PupilMillimetres, Format: "vive-sranipal"}
	if r.Header != want {
		t.Errorf("header %+v, want %+v", r.Header, want)
	}
	nan := math.NaN()
	for i, w := range []struct{ leftYaw, leftPitch, rightYaw, rightPitch, leftPupil, headYaw, headPitch, headRoll float64 }{
		{-30, 0, 0, 0, 3.83, -10, -10, -0.5},
		{nan, nan, 45, 0, nan, -10, -10, -0.5},
		{0, 45, nan, nan, 3.85, 10, 5, 0},
	} {
		left, right, s := r.Samples.Tracks[gaze.Left], r.Samples.Tracks[gaze.Right], r.Samples.Signals
		near(t, fmt.Sprint("left yaw ", i), left.X[i], w.leftYaw)
		near(t, fmt.Sprint("left pitch ", i), left.Y[i], w.leftPitch)
		near(t, fmt.Sprint("right yaw ", i), right.X[i], w.rightYaw)
		near(t, fmt.Sprint("right pitch ", i), right.Y[i], w.rightPitch)
		near(t, fmt.Sprint("left pupil ", i), left.Pupil[i], w.leftPupil)
		near(t, fmt.Sprint("head yaw ", i), s[0].Values[i], w.headYaw)
		near(t, fmt.Sprint("head pitch ", i), s[1].Values[i], w.headPitch)
		near(t, fmt.Sprint("head roll ", i), s[2].Values[i], w.headRoll)
	}
	var names []string
	for _, s := range r.Samples.Signals {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "head_yaw head_pitch head_roll openness_L openness_R" {
		t.Errorf("signals %s", got)
	}
	if got := r.Samples.T[1]; got != 79765*100*time.Nanosecond {
		t.Errorf("second sample at %v", got)
	}
	carriers := strings.Join(res.Report.Identity(), " ")
	for _, c := range []string{"gaze_origin_L.x(mm)", "gaze_origin_R.x(mm)", "helmet_pos_x", "helmet_pos_y", "helmet_pos_z", "pos_sensor_L.x"} {
		if !strings.Contains(carriers, c) {
			t.Errorf("%s is no identity carrier: %s", c, carriers)
		}
	}
}

func TestOddVectors(t *testing.T) {
	text := strings.Replace(log, "0.5;0;0.8660254", "0.7;0;1.2124356", 1)
	text = strings.Replace(text, "0;0.70711;0.70711;0.1", "0;0.70711;2147483647;0.1", 1)
	r := formattest.Read(t, vive.Format(), "log.csv", []byte(text), format.Options{})
	left := r.Recordings[0].Samples.Tracks[gaze.Left]
	near(t, "yaw of a long vector", left.X[0], -30)
	near(t, "yaw with an overflow ahead", left.X[2], math.NaN())
	q := fmt.Sprint(r.Report.Quirks())
	if !strings.Contains(q, "1 × direction vector whose length") {
		t.Errorf("quirks %s", q)
	}
}

// Columns that a program did not log are not needed.
func TestWithoutHead(t *testing.T) {
	text := strings.NewReplacer("helmet_rot", "hat_turn", "openness", "lid", "pupil_diameter", "size").Replace(log)
	r := formattest.Read(t, vive.Format(), "log.csv", []byte(text), format.Options{})
	if r.Err != nil || len(r.Recordings[0].Samples.Signals) != 0 || r.Recordings[0].Samples.Tracks[gaze.Left].Pupil != nil {
		t.Errorf("%v, %+v", r.Err, r.Recordings[0].Samples)
	}
	near(t, "left yaw", r.Recordings[0].Samples.Tracks[gaze.Left].X[0], -30)
}

func TestOtherTablesAreNotOurs(t *testing.T) {
	for _, text := range []string{"frame;Timestamp;openness_L;openness_R\n", "time,x,y\n", ""} {
		if m := vive.Format().Detect(format.Head{Text: []byte(text)}); m.Score != format.No || len(m.Why) == 0 {
			t.Errorf("%q: %+v", text, m)
		}
	}
	r := formattest.Read(t, vive.Format(), "x.csv", []byte("time(100ns);eye_valid_L\n1;2\n"), format.Options{})
	if r.Err == nil || !strings.Contains(r.Err.Error(), "gaze_direct_R.z") {
		t.Errorf("%v", r.Err)
	}
}

func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString(header)
	for i := range n {
		fmt.Fprintf(&b, "%d;%d;0.00;%d;31;31;1;1;3.8%d;3.9;0.40;38.0;-32.1;0.0%05d;-0.0%05d;0.99;0.0%05d;-0.1;0.99;False;0.79;1.6;0.7;0.2523;332.%04d;359.6836\n",
			638342802882596202+int64(i)*83333, i, i, i%10, i%77777, i%66666, i%55555, i%10000)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, vive.Format(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(50_000)
	formattest.Benchmark(b, vive.Format(), "log.csv", data)
}

func inspect(t *testing.T, path string) (format.Summary, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := format.NewInput(filepath.Base(path), f)
	if err != nil {
		t.Fatal(err)
	}
	if m := vive.Format().Detect(in.Head()); m.Score < format.Certain {
		t.Errorf("not recognised: %+v", m)
	}
	report := new(format.Report)
	return format.Summarize(vive.Format().Read(in, format.Options{Report: report}), report)
}

func TestRealLogs(t *testing.T) {
	dir := formattest.Shared(t, "vive360")
	for name, want := range map[string]struct {
		rows, lost int // lost of both eyes together
	}{
		"TESTNA01_2D_Fist3": {1518, 213 + 210}, "TESTNA01_360VR_Fist3": {1665, 32 + 33}, "TESTNA05_2D_Spread7": {1354, 180 + 150},
		"TESTNA05_360VR_Spread7": {1337, 52 + 55}, "TESTNA10_360VR_Fist3": {1664, 624 + 1647}, "TESTNA15_2D_Pen3": {1298, 97 + 85},
		"TESTNA15_360VR_Pen3": {1373, 87 + 75},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := inspect(t, filepath.Join(dir, name+".csv.gz"))
			if err != nil {
				t.Fatal(err)
			}
			if s.Rows != want.rows || fmt.Sprint(s.Eyes) != "[left right]" || s.Unit != "deg" || math.Abs(s.Rate.Hz-120) > 4 {
				t.Errorf("%d rows, %v, %s, %v Hz", s.Rows, s.Eyes, s.Unit, s.Rate.Hz)
			}
			t.Logf("%v Hz, lost %v of %d, quirks %q", s.Rate.Hz, s.Lost*float64(2*s.Rows), 2*s.Rows, s.Quirks)
			if flat := strings.Contains(strings.Join(s.Quirks, "\n"), "head was not tracked"); flat != (name == "TESTNA10_360VR_Fist3") {
				t.Errorf("quirks %q", s.Quirks)
			}
			if lost := int(math.Round(s.Lost * float64(2*s.Rows))); lost != want.lost {
				t.Errorf("%d lost, want %d", lost, want.lost)
			}
		})
	}
	if _, err := inspect(t, filepath.Join(dir, "TESTVA03_2D_Spread9.csv")); !errors.Is(err, format.ErrEmpty) {
		t.Errorf("header-only file: %v, want ErrEmpty", err)
	}
}
