package curator

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// signals is a job on the lab's recordings of 0.6 s: windows of 200 ms every
// 50 ms make nine.
func (l *lab) signals(t *testing.T, name string, values map[string]string) *SeriesJob {
	t.Helper()
	if values["epsilon"] == "" {
		values["epsilon"] = "2"
	}
	return &SeriesJob{Job: l.job(t), Spec: spec(t, "series", name), Values: values, Options: feature.Options{Window: 200 * time.Millisecond, Step: 50 * time.Millisecond}}
}

// readSignals reads a released table.
func readSignals(t *testing.T, name string) (header []string, rows [][]float64) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		var row []float64
		for _, cell := range line {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

func tablesOf(t *testing.T, r *Release) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(r.Dir, "signals", "*.csv.gz"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d tables, %v", len(names), err)
	}
	return names
}

// TestSeriesReleases: every mechanism is charged once what it promises, or
// nothing where it promises nothing; its tables have the shape that was
// promised and hold no secret.
func TestSeriesReleases(t *testing.T) {
	for name, v := range map[string]struct {
		mechanism string
		values    map[string]string
		tables    int
		charged   string // ε in the ledger; empty = nothing
	}{
		"gaussian":    {"gaussian", map[string]string{"delta": "1e-3"}, 6, "2"},
		"lpa":         {"lpa", map[string]string{"unit": "recording"}, 6, "2"},
		"fpa paid":    {"fpa", map[string]string{"choose": "paid"}, 6, "2"},
		"cfpa":        {"cfpa", map[string]string{"unit": "chunk", "chunk": "4"}, 6, "2"},
		"dcfpa":       {"dcfpa", map[string]string{"chunk": "4"}, 6, "2"},
		"steil":       {"steil", map[string]string{"block": "4"}, 6, "2"},
		"mean":        {"mean", map[string]string{"delta": "1e-3"}, 1, "2"},
		"published":   {"cfpa", map[string]string{"chunk": "4", "calibration": "published"}, 6, ""},
		"k from data": {"fpa", map[string]string{"choose": "squared-error"}, 6, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.table(t, "recordings.csv", 6)
			j := l.signals(t, v.mechanism, v.values)
			r, err := j.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			names := tablesOf(t, r)
			if len(names) != v.tables {
				t.Errorf("%d tables, want %d", len(names), v.tables)
			}
			header, rows := readSignals(t, names[0])
			want := 9
			if v.mechanism == "steil" {
				want = 3
			}
			if len(rows) != want || header[0] != "start [s]" || len(header) != len(rows[0]) || !strings.HasPrefix(header[1], "fixation_rate") {
				t.Errorf("%d rows under %v", len(rows), header)
			}
			if v.mechanism != "steil" && (rows[1][0] != 0.05 || rows[8][0] != 0.4) {
				t.Errorf("windows start at %v and %v", rows[1][0], rows[8][0])
			}
			for _, name := range names {
				header, rows := readSignals(t, name)
				for _, row := range rows {
					if len(row) != len(header) {
						t.Errorf("a row of %d cells", len(row))
					}
				}
				searchText(t, "a header", strings.Join(header, ","))
			}
			entries := l.entries(t)
			if len(entries) != min(1, len(v.charged)) || len(entries) == 1 && entries[0].Charged().Epsilon.String() != v.charged {
				t.Errorf("charged %+v, want %q", entries, v.charged)
			}
			search(t, r.Dir)
			for _, told := range l.told {
				searchText(t, "a message", told)
			}
		})
	}
}

// TestChunksOfOtherLengthAreOtherUnits: each has an account of its own.
func TestChunksOfOtherLengthAreOtherUnits(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 4)
	for _, chunk := range []string{"3", "4", "4"} {
		if _, err := l.signals(t, "cfpa", map[string]string{"unit": "chunk", "chunk": chunk}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	entries := l.entries(t)
	if len(entries) != 3 || entries[0].Key == entries[1].Key || entries[1].Key != entries[2].Key {
		t.Fatalf("%+v", entries)
	}
	if !strings.Contains(entries[0].Key.Dataset, "chunks of 3 windows") {
		t.Errorf("the account is called %q", entries[0].Key.Dataset)
	}
}

func TestSeededSeriesAreVoid(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 4)
	j := l.signals(t, "gaussian", map[string]string{})
	j.Source = noise.Seeded(1)
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, void := r.Plan.Guarantee.Void(); !void || len(l.entries(t)) != 0 {
		t.Errorf("%v, %d entries", r.Plan.Guarantee, len(l.entries(t)))
	}
	page, err := os.ReadFile(filepath.Join(r.Dir, "report.html"))
	if err != nil || !bytes.Contains(page, []byte("NO privacy guarantee")) {
		t.Errorf("the page does not say so: %v", err)
	}
}

// TestRefusedSeries cost nothing and leave nothing.
func TestRefusedSeries(t *testing.T) {
	for name, change := range map[string]func(*SeriesJob){
		"ε":             func(j *SeriesJob) { j.Values["epsilon"] = "-1" },
		"long window":   func(j *SeriesJob) { j.Options.Window = time.Minute },
		"k > n/2+1":     func(j *SeriesJob) { j.Spec = spec(t, "series", "fpa"); j.Values["coefficients"] = "6" },
		"wrong step":    func(j *SeriesJob) { j.Values["step"] = "soon" },
		"few enrolled":  func(j *SeriesJob) { j.Spec = spec(t, "series", "mean"); j.Enrolled = 2 },
		"no stimulus":   func(j *SeriesJob) { j.Stimuli = []string{"meadow"} },
		"too small ε":   func(j *SeriesJob) { j.Spec = spec(t, "series", "lpa"); j.Values["epsilon"] = "1e-9" },
		"short length":  func(j *SeriesJob) { j.Values["length"] = "8" },
		"conditions":    func(j *SeriesJob) { j.Spec = spec(t, "series", "mean"); j.Values["conditions"] = "2" },
		"bounds turned": func(j *SeriesJob) { j.Values["lower"], j.Values["upper"] = "1", "0" },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.table(t, "recordings.csv", 3)
			j := l.signals(t, "gaussian", map[string]string{})
			change(j)
			if _, err := j.Run(t.Context()); err == nil {
				t.Error("released")
			} else {
				searchText(t, "the error", err.Error())
			}
			if len(l.entries(t)) != 0 || len(l.leftovers(t)) != 0 {
				t.Errorf("%d entries, leftovers %v", len(l.entries(t)), l.leftovers(t))
			}
		})
	}
}

// TestClampedValuesAreTold to the curator, and stand in no file.
func TestClampedValuesAreTold(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 3)
	j := l.signals(t, "gaussian", map[string]string{"lower": "0", "upper": "1e-3"})
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(l.told, func(s string) bool { return strings.Contains(s, "lie outside their public bounds") })
	if i < 0 {
		t.Fatalf("told %q", l.told)
	}
	err = filepath.WalkDir(r.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if b, err := os.ReadFile(name); err != nil || bytes.Contains(b, []byte("lie outside")) {
			t.Errorf("%s tells it too (%v)", filepath.Base(name), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSeriesPlanBeforeTheCharge: what is released is what was planned from
// public facts.
func TestSeriesPlanBeforeTheCharge(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 5)
	j := l.signals(t, "dcfpa", map[string]string{"chunk": "4"})
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var m mechanism.Mechanism = j.mechanism
	if g := m.Guarantee(); g.String() != r.Plan.Guarantee.String() {
		t.Errorf("%v, planned %v", r.Plan.Guarantee, g)
	}
	d := m.(series.Laplace)
	if d.Cut.Length != 9 || d.Cut.Recordings != 1 || d.Cut.Features != len(j.Features) || len(d.Bounds) != d.Cut.Features || d.Cut.Window != 200*time.Millisecond {
		t.Errorf("%+v", d.Cut)
	}
	if _, err := l.signals(t, "dcfpa", map[string]string{"chunk": "4"}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	j = l.signals(t, "dcfpa", map[string]string{"chunk": "4", "epsilon": "9"})
	if _, err := j.Run(t.Context()); err == nil || errors.As(err, new(*ChargedError)) {
		t.Errorf("13 of 10 were spent: %v", err)
	}
}

// TestTrialsOfASessionAreOneRecording: the ledger's recording is a session, and
// the ε that it is charged holds for all of its trials together.
func TestTrialsOfASessionAreOneRecording(t *testing.T) {
	l := newLab(t)
	var b strings.Builder
	b.WriteString("participant,session,trial,stimulus,time [us],x [px],y [px]\n")
	for p := range 2 {
		for trial := range 4 {
			for i := range 60 {
				fmt.Fprintf(&b, "Quokka %02d,1,%d,hill,%d,%d,%d\n", p, trial+1, 1714566612345000+i*10000, 40+i/20*30, 60+trial)
			}
		}
	}
	l.write(t, "recordings.csv", b.String())
	j := l.signals(t, "lpa", map[string]string{"unit": "recording", "epsilon": "4"})
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := j.mechanism.(series.Laplace).Cut; c.Trials != 4 || c.Recordings != 4 || len(tablesOf(t, r)) != 8 {
		t.Fatalf("%+v, %d tables", c, len(tablesOf(t, r)))
	}
	if e := r.Plan.Parameters["epsilon-per-signal-and-chunk"]; e != strconv.FormatFloat(4/float64(4*len(j.Features)), 'g', 6, 64) {
		t.Errorf("ε of one trial's signal is %s: that of the session is not 4", e)
	}
}

// TestLengthOfMeans: read off the data it is not protected, and the guarantee
// says so; typed it is neither, whoever recorded for how long.
func TestLengthOfMeans(t *testing.T) {
	const longest = "how long the longest recording is"
	for _, length := range []string{"", "5", "12"} {
		l := newLab(t)
		l.table(t, "recordings.csv", 4)
		values := map[string]string{"delta": "1e-3"}
		if length != "" {
			values["length"] = length
		}
		r, err := l.signals(t, "mean", values).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, rows := readSignals(t, tablesOf(t, r)[0])
		if want := cmp.Or(length, "9"); strconv.Itoa(len(rows)) != want {
			t.Errorf("%d rows, want %s", len(rows), want)
		}
		if says := slices.Contains(r.Plan.Guarantee.Unprotected, longest); says != (length == "") {
			t.Errorf("length %q: unprotected are %q", length, r.Plan.Guarantee.Unprotected)
		}
	}
}

// TestNamesAreNotProtected, and the guarantee says so.
func TestNamesAreNotProtected(t *testing.T) {
	for _, name := range []string{"lpa", "gaussian"} {
		l := newLab(t)
		l.table(t, "recordings.csv", 3)
		r, err := l.signals(t, name, map[string]string{}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if u := strings.Join(r.Plan.Guarantee.Unprotected, "; "); !strings.Contains(u, "names of stimuli, tasks, trials and sessions") {
			t.Errorf("%s leaves unprotected: %s", name, u)
		}
	}
}

// TestForeignFeaturesPromiseNothingOfGaze: how far the gaze of one second
// reaches into features that others computed is not known.
func TestForeignFeaturesPromiseNothingOfGaze(t *testing.T) {
	for _, name := range []string{"lpa", "gaussian"} {
		l := newLab(t)
		l.table(t, "recordings.csv", 1)
		j := l.signals(t, name, map[string]string{})
		d, err := OpenData(precomputed(t, "Eye_Movement_Features/Data_P%d_R%d_Pami_Features_52.csv", 52, 9, [][2]int{{1, 1}, {1, 2}, {2, 1}}...), DataOptions{})
		if err != nil {
			t.Fatal(err)
		}
		j.Data, j.Options = d, feature.Options{}
		r, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if g, says := r.Plan.Composed["gaze"]; says || r.Plan.Parameters["gaze"] != "" || len(r.Plan.Composed) < 2 {
			t.Errorf("%s: of gaze it says %v", name, g)
		}
	}
}

// TestSessionsAsConditionsArePseudonyms: where nothing but a session tells
// recordings apart, means are per session, and its name may say who it was.
func TestSessionsAsConditionsArePseudonyms(t *testing.T) {
	l := newLab(t)
	var b strings.Builder
	b.WriteString("participant,session,time [us],x [px],y [px]\n")
	for p := range 3 {
		for i := range 60 {
			fmt.Fprintf(&b, "Quokka %02d,Wombat,%d,%d,60\n", p, 1714566612345000+i*10000, 40+i/20*30)
		}
	}
	l.write(t, "recordings.csv", b.String())
	r, err := l.signals(t, "mean", map[string]string{"delta": "1e-3", "length": "9"}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	search(t, r.Dir)
	for _, name := range tablesOf(t, r) {
		searchText(t, "a file's name", filepath.Base(name))
		if len(filepath.Base(name)) < len("mean_0123456789abcdef.csv.gz") {
			t.Errorf("%s names no pseudonym", filepath.Base(name))
		}
	}
}

// TestSignalsArePublic: whatever one person's samples hold, the same signals
// are released of everybody, or none.
func TestSignalsArePublic(t *testing.T) {
	// With blank, the last person loses samples for long enough to be a blink and has no pupils.
	run := func(blank bool, change func(*SeriesJob)) (header string, err error) {
		l := newLab(t)
		var b strings.Builder
		b.WriteString("participant,session,stimulus,time [us],x [px],y [px],pupil [mm]\n")
		for p := range 3 {
			for i := range 60 {
				at := fmt.Sprintf("%d,60,3.5", 40+i/20*30)
				if odd := blank && p == 2; odd && i > 20 && i < 32 {
					at = ",,"
				} else if odd {
					at = fmt.Sprintf("%d,60,", 40+i/20*30)
				}
				fmt.Fprintf(&b, "Quokka %02d,1,hill,%d,%s\n", p, 1714566612345000+i*10000, at)
			}
		}
		l.write(t, "recordings.csv", b.String())
		j := l.signals(t, "mean", map[string]string{"delta": "1e-3", "length": "9"})
		change(j)
		r, err := j.Run(t.Context())
		if err != nil {
			return "", err
		}
		names, _ := readSignals(t, tablesOf(t, r)[0])
		return strings.Join(names, ","), nil
	}
	for name, v := range map[string]struct {
		change func(*SeriesJob)
		signal string
		has    bool
	}{
		"blinks as they come": {func(*SeriesJob) {}, "blink", false},
		"pupils as they come": {func(*SeriesJob) {}, "pupil", false},
		"blinks":              {func(j *SeriesJob) { j.Options.BlinkSource, j.Values["gaps"] = feature.DetectedBlinks, "interpolate" }, "blink", true},
		"pupils":              {func(j *SeriesJob) { j.Pupils, j.Values["gaps"] = true, "interpolate" }, "pupil", true},
	} {
		without, err := run(false, v.change)
		if err != nil {
			t.Fatal(name, err)
		}
		with, err := run(true, v.change)
		if err != nil {
			t.Fatal(name, err)
		}
		if with != without || strings.Contains(with, v.signal) != v.has {
			t.Errorf("%s: one person turns %s into %s", name, without, with)
		}
	}
	if _, err := run(true, func(j *SeriesJob) { j.Pupils = true }); !errors.Is(err, series.ErrGap) {
		t.Errorf("pupils that one person lacks: %v", err)
	}
}
