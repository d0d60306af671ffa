package curator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

// readings writes n people of the lab who read for some seconds each, under
// names that nobody may see.
func (l *lab) readings(t *testing.T, seconds ...float64) {
	t.Helper()
	for p, s := range seconds {
		var b strings.Builder
		b.WriteString("time [ms],x [px],y [px]\n")
		for i := range int(s * 100) {
			fmt.Fprintf(&b, "%d,%.1f,%.1f\n", i*10, 40+float64(i/25%6*40)+float64(i%3), 60+float64(i/150*20))
		}
		l.write(t, fmt.Sprintf("Quokka%02d_2024-05-01.csv", p), b.String())
	}
}

func (l *lab) opened(t *testing.T) *Data {
	t.Helper()
	d, err := OpenData(l.dir, DataOptions{Screen: screen, Participant: "{participant}_{session}.csv"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFeaturesOfAFolder(t *testing.T) {
	l := newLab(t)
	l.readings(t, 6, 2.5, 3)
	out := filepath.Join(t.TempDir(), "features")
	job := Features{FeatureData: FeatureData{Data: l.opened(t), Options: feature.Options{Window: 3 * time.Second}}, Home: l.home, Out: out, Program: "gazeward test"}
	got, err := job.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got.Protected || len(got.Tables) != 2 || len(got.Skipped) != 1 || got.Skipped[0].Seconds != 2.5 || got.Windows != 7+1 {
		t.Fatalf("%+v", got)
	}
	if len(got.Columns) != 52 || got.Columns[11].Unit != "deg" || got.Columns[11].Upper != 60 || got.Parameters["window"] != "3s" {
		t.Errorf("columns %v, parameters %v", got.Columns, got.Parameters)
	}
	if len(got.Absent) != 7 || got.Absent[0] != (AbsentFeature{"fixation_pupil_mean_mean", 2}) {
		t.Errorf("absent %v", got.Absent)
	}
	var again FeatureFolder
	text, err := os.ReadFile(filepath.Join(out, "features.json"))
	if err != nil || json.Unmarshal(text, &again) != nil || again.Tables[0].File != got.Tables[0].File || !strings.Contains(again.Warning, "NOT PROTECTED") {
		t.Errorf("features.json: %v", err)
	}
	rows := table(t, filepath.Join(out, got.Tables[0].File))
	if len(rows) != 1+7 || len(rows[0]) != 52 || rows[0][0] != "fixation_rate [1/s]" || rows[1][21] != "" || rows[1][30] != "0" {
		t.Errorf("%d rows, %q", len(rows), rows[0])
	}
	for table, err := range job.Tables(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for k, column := range table.Columns {
			for i, v := range column {
				if read, err := strconv.ParseFloat(rows[1+i][k], 64); err != nil || read != v {
					t.Errorf("window %d, %s: %v was written as %s", i, rows[0][k], v, rows[1+i][k])
				}
			}
		}
		break
	}
	private(t, out)
	search(t, out)
}

func table(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
	}
	return rows
}

// private checks that nobody else may read a folder.
func private(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v", info.Mode())
	}
}

func TestFeaturesAreNotOverwritten(t *testing.T) {
	l := newLab(t)
	l.readings(t, 4)
	out := filepath.Join(t.TempDir(), "features")
	run := func(window time.Duration, force bool) error {
		job := Features{FeatureData: FeatureData{Data: l.opened(t), Options: feature.Options{Window: window}}, Home: l.home, Out: out, Force: force}
		_, err := job.Run(context.Background())
		return err
	}
	if err := run(time.Second, false); err != nil {
		t.Fatal(err)
	}
	if err := run(time.Second, false); !errors.Is(err, ErrExists) {
		t.Errorf("over an older folder: %v", err)
	}
	if err := run(2*time.Second, true); err != nil {
		t.Errorf("over an older folder, wanted: %v", err)
	}
	if err := os.WriteFile(filepath.Join(out, "thesis.txt"), []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(time.Second, true); !errors.Is(err, ErrExists) {
		t.Errorf("over somebody's work: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".part-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFeaturesThatCannotBe(t *testing.T) {
	l := newLab(t)
	l.readings(t, 2, 3.5)
	run := func(o feature.Options, screen gaze.Screen) error {
		d := l.opened(t)
		d.screen = screen
		out := filepath.Join(t.TempDir(), "features")
		_, err := Features{FeatureData: FeatureData{Data: d, Options: o}, Home: l.home, Out: out}.Run(context.Background())
		if entries, _ := os.ReadDir(filepath.Dir(out)); err != nil && len(entries) > 0 {
			t.Errorf("%v, and left behind %v", err, entries)
		}
		return err
	}
	if err := run(feature.Options{Window: 4 * time.Second}, screen); err == nil || !strings.Contains(err.Error(), "the longest of 2 lasts 3.5 s") {
		t.Errorf("no recording of a window's length: %v", err)
	}
	if err := run(feature.Options{Window: time.Second}, gaze.Screen{}); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("without geometry: %v", err)
	}
	o := feature.Options{Window: time.Second}
	o.Detector.PixelsPerDegree = 30
	if err := run(o, gaze.Screen{}); err != nil {
		t.Errorf("with an explicit scale: %v", err)
	}
	var refused *RefusedError
	if err := run(feature.Options{Window: -1}, screen); !errors.As(err, &refused) {
		t.Errorf("a window of less than nothing: %v", err)
	}
	_, err := Features{FeatureData: FeatureData{Data: l.opened(t)}, Home: l.home}.Run(context.Background())
	if !errors.As(err, &refused) {
		t.Errorf("without an output: %v", err)
	}
}

// precomputed writes a folder as the authors of a data set do: a file without a
// header line per person and recording, a row per window.
func precomputed(t *testing.T, pattern string, columns, windows int, recordings ...[2]int) string {
	t.Helper()
	dir := t.TempDir()
	for _, r := range recordings {
		var b strings.Builder
		for i := range windows {
			for k := range columns {
				if k > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "%g", precomputedValue(r, i, k))
			}
			b.WriteByte('\n')
		}
		path := filepath.Join(dir, fmt.Sprintf(pattern, r[0], r[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func precomputedValue(r [2]int, window, column int) float64 {
	switch {
	case column == 52:
		return float64(window % 2) // the label
	case feature.AlwaysZero(column):
		return 0
	}
	return float64(r[0]) + float64(r[1])/10 + float64(window)/128 + float64(column)*100
}

// Folders in the layouts of MPIIDPEye and MPIIPrivacEye yield tables of what
// stands in their files.
func TestPrecomputedTables(t *testing.T) {
	for _, c := range []struct {
		dataset, pattern string
		columns          int
		step             time.Duration
		label, task      string
		other            int
	}{
		{"mpiidpeye", "Eye_Movement_Features/Data_P%d_R%d_Pami_Features_52.csv", 52, time.Second / 2, "document", "comic", 0},
		{"mpiiprivaceye", "Features_and_Ground_Truth/P%d_R%d_data.csv", 53, time.Second, "session", "1", 1},
	} {
		recordings := [][2]int{{1, 1}, {1, 2}, {2, 1}, {10, 3}}
		d, err := OpenData(precomputed(t, c.pattern, c.columns, 9, recordings...), DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data := FeatureData{Data: d}
		if d.Name != c.dataset || !data.Precomputed() {
			t.Fatalf("%s is taken for %s, precomputed: %v", c.dataset, d.Name, data.Precomputed())
		}
		n := 0
		for got, err := range data.Tables(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			i := slices.IndexFunc(recordings, func(r [2]int) bool {
				return got.Header.Participant == fmt.Sprint(r[0]) && got.Columns[0][0] == precomputedValue(r, 0, 0)
			})
			if i < 0 || got.Windows() != 9 || got.Step != c.step || got.Window != 30*time.Second || len(got.Absent) != 0 || got.Span != 30*time.Second+8*c.step || len(got.Other) != c.other {
				t.Fatalf("%s: %+v", c.dataset, got)
			}
			if label, ok := d.Folder.Definition.Label(c.label, &got.Header); i == 0 && (!ok || label != c.task) {
				t.Errorf("%s: label %q", c.dataset, label)
			}
			for k, column := range got.Columns {
				for w, v := range column {
					if v != precomputedValue(recordings[i], w, k) {
						t.Fatalf("%s, %v, window %d, feature %d: %v", c.dataset, recordings[i], w, k, v)
					}
				}
			}
			if c.other > 0 && (got.Other[0].Name != "privacy_label" || got.Other[0].Values[3] != 1) {
				t.Errorf("%s: label column %+v", c.dataset, got.Other[0])
			}
		}
		if n != len(recordings) {
			t.Errorf("%s: %d tables", c.dataset, n)
		}
	}
}

// Gaze gives computed tables, whose headers still name people.
func TestGazeIsNotPrecomputed(t *testing.T) {
	l := newLab(t)
	l.readings(t, 2)
	data := FeatureData{Data: l.opened(t), Options: feature.Options{Window: time.Second}}
	if data.Precomputed() {
		t.Error("gaze is taken for features")
	}
	for got, err := range data.Tables(context.Background()) {
		if err != nil || got.Windows() != 3 || got.Header.Participant != "Quokka00" {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// gazeRE at 30 s: 31 of 120 recordings are shorter than a window; reading looks
// like reading.
func TestFeaturesOfReaders(t *testing.T) {
	d, err := OpenData(formattest.Shared(t, "gazere"), DataOptions{Dataset: "gazere"})
	if err != nil {
		t.Fatal(err)
	}
	tables, skipped := 0, 0
	var rate, amplitude, right float64
	clamped, values := 0, 0
	bounds := feature.Options{}.Bounds()
	for got, err := range (FeatureData{Data: d}).Tables(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if got.Windows() == 0 {
			skipped++
			continue
		}
		tables++
		if len(got.Absent) != 7 || got.Has(21) || got.Has(27) { // no pupils, and losses were filled
			t.Fatalf("absent %v", got.Absent)
		}
		rate, amplitude, right = rate+got.Columns[0][0], amplitude+got.Columns[11][0], right+got.Columns[9][0]
		for k, column := range got.Columns {
			for _, v := range column {
				values++
				if bounds[k].Clamp(v) != v {
					clamped++
				}
			}
		}
	}
	n := float64(tables)
	t.Logf("%d tables, %d skipped; %.2f fixations per s, saccades of %.2f deg, %.2f of them to the right; %d of %d values beyond their bounds",
		tables, skipped, rate/n, amplitude/n, right/n, clamped, values)
	if tables != 89 || skipped != 31 {
		t.Errorf("%d tables, %d skipped, want 89 and 31", tables, skipped)
	}
	if rate/n < 2.5 || rate/n > 5 || amplitude/n < 1.5 || amplitude/n > 5 || right/n < 0.6 || math.IsNaN(right) {
		t.Error("this does not look like reading")
	}
	if clamped*100 > values {
		t.Error("more than one per cent of the values lie beyond their bounds")
	}
}
