package tobii_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/format/tobii"
)

// write writes an export of n samples at 600 Hz with fixations of 150 samples.
func write(n int) []byte {
	var b bytes.Buffer
	b.WriteString("Recording timestamp [μs]\tSensor\tParticipant name\tRecording name\tGaze point X [DACS px]\tGaze point Y [DACS px]\tGaze point left X [DACS px]\tGaze point left Y [DACS px]\t" +
		"Pupil diameter left [mm]\tValidity left\tValidity right\tPresented Stimulus name\tEye movement type\tGaze event duration [ms]\tEye movement type index\tFixation point X [DACS px]\tFixation point Y [DACS px]\n")
	for i := range n {
		fmt.Fprintf(&b, "%d\tEye Tracker\tP01\tR1\t%d.%02d\t%d.5\t%d.25\t%d.5\t3.1%d\tValid\tValid\tcat\tFixation\t250\t%d\t%d\t300\n",
			int64(i)*1667, i%1900, i%100, i%1000, i%1900, i%1000, i%10, i/150, 400+i/150%99)
	}
	return b.Bytes()
}

func TestConstantMemory(t *testing.T) {
	formattest.Constant(t, tobii.ProLab(), format.Options{}, write(70_000), write(280_000))
}

func BenchmarkRead(b *testing.B) {
	data := write(100_000)
	formattest.Benchmark(b, tobii.ProLab(), "export.tsv", data)
}

func TestRealTX300(t *testing.T) {
	dir := formattest.Shared(t, "formats/tobii_tsv")
	for name, want := range map[string]struct{ rows, lost int }{
		"participant1_1.tsv": {651, 9 + 9}, "participant2_3.tsv": {1207, 285 + 283},
	} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in, err := format.NewInput(name, f)
		if err != nil {
			t.Fatal(err)
		}
		if m := tobii.SDK().Detect(in.Head()); m.Score < format.Certain {
			t.Errorf("%s is not recognised: %+v", name, m)
		}
		report := new(format.Report)
		s, err := format.Summarize(tobii.SDK().Read(in, format.Options{Report: report}), report)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows != want.rows || math.Abs(s.Rate.Hz-300) > 0.5 || s.Unit != "norm" || fmt.Sprint(s.Eyes) != "[left right]" {
			t.Errorf("%s: %d rows, %v Hz, %s, %v", name, s.Rows, s.Rate.Hz, s.Unit, s.Eyes)
		}
		if lost := int(math.Round(s.Lost * float64(2*s.Rows))); lost != want.lost {
			t.Errorf("%s: %d lost, want %d", name, lost, want.lost)
		}
		t.Logf("%+v, quirks %q, identity %q, dropped %q", *s.Rate, s.Quirks, s.Identity, s.Dropped)
	}
}
