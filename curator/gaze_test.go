package curator

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func (l *lab) gaze(t *testing.T, values map[string]string) *GazeJob {
	t.Helper()
	return &GazeJob{Job: l.job(t), Spec: spec(t, "gaze", "kaleido"), Values: values, Pictures: 2}
}

func kaleido() map[string]string {
	return map[string]string{"epsilon": "3", "window": "200ms", "radius": "5%"}
}

// released reads the recordings of a release back, as anybody would.
func released(t *testing.T, dir string) []*gaze.Recording {
	t.Helper()
	d, err := OpenData(filepath.Join(dir, "recordings"), DataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := gaze.Collect(d.Recordings(t.Context(), nil))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGazeRelease: one table per recording, under pseudonyms, that reads back as
// gaze on the screen; a charge per window and distance; a manifest and pictures.
func TestGazeRelease(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 3)
	r, err := l.gaze(t, kaleido()).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := released(t, r.Dir)
	if len(all) != 3 {
		t.Fatalf("%d recordings", len(all))
	}
	for _, rec := range all {
		track, _, ok := rec.Best()
		if !ok || rec.Samples.Len() != 60 || rec.Unit != gaze.Pixels || rec.Screen != screen || rec.Stimulus != "hill" || rec.Samples.T[0] != 0 {
			t.Errorf("%+v with %d samples", rec.Header, rec.Samples.Len())
		}
		for i, x := range track.X {
			if !rec.Screen.Contains(x, track.Y[i]) {
				t.Errorf("(%v, %v) lies beside the screen", x, track.Y[i])
			}
		}
	}
	entries := l.entries(t)
	if len(entries) != 1 || entries[0].Key.Unit != dp.Window || entries[0].Key.Distance != "px" || entries[0].Key.Dataset != "unnamed, windows of 200ms" || !strings.HasPrefix(entries[0].What, "gaze/kaleido") {
		t.Errorf("%+v", entries)
	}
	m := readManifest(t, r.Dir)
	if !m.Private || m.Basic.DataProductType != "Dataset" || m.Mechanisms[0].Calibration != "guaranteed" || m.DeploymentModel.ModelName != "Local" {
		t.Errorf("%+v", m.Basic)
	}
	for _, name := range []string{"scanpath-1.png", "scanpath-2.png", "report.html"} {
		if _, err := os.Stat(filepath.Join(r.Dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "scanpath-3.png")); err == nil {
		t.Error("more pictures than were asked for")
	}
	if sees(t, r.Dir, synthetic) {
		t.Error("protected recordings are called synthetic")
	}
}

func readManifest(t *testing.T, dir string) *manifest.Manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sees looks for a word in names and contents of a release's recordings, and in
// its page.
func sees(t *testing.T, dir, word string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "recordings", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.Contains(name[len(dir):], word) || bytes.Contains(content(t, name), []byte(word)) {
			return true
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	return err == nil && bytes.Contains(page, []byte(word))
}

func content(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if b, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestGazeLeaksNothing: neither names nor what the files said beside the gaze, nor
// the gaze itself.
func TestGazeLeaksNothing(t *testing.T) {
	for _, void := range []bool{false, true} {
		l := newLab(t)
		l.table(t, "recordings.csv", 4)
		j := l.gaze(t, kaleido())
		if void {
			j.Values["calibration"] = "published"
		}
		r, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if files := search(t, r.Dir); files < 12 {
			t.Errorf("the search saw %d files only", files)
		}
		names, _ := filepath.Glob(filepath.Join(r.Dir, "recordings", "*.csv.gz"))
		for _, name := range names {
			text := string(content(t, name))
			searchText(t, "a recording", text)
			if !regexp.MustCompile(`^[0-9a-f]{16}_[0-9a-f]{16}_hill\.csv\.gz$`).MatchString(filepath.Base(name)) {
				t.Errorf("file %s", filepath.Base(name))
			}
			if strings.Contains(text, ",40,60") || strings.Contains(text, ",40,61") {
				t.Error("a raw position is there")
			}
		}
		for _, told := range l.told {
			searchText(t, "a message", told)
		}
		if charges := len(l.entries(t)); charges != map[bool]int{false: 1, true: 0}[void] {
			t.Errorf("void %v: %d charges", void, charges)
		}
		if m := readManifest(t, r.Dir); m.Private == void {
			t.Errorf("void %v: private %v", void, m.Private)
		}
	}
}

// fake is a mechanism of gaze paths that does as it is told.
type fake struct {
	guarantee dp.Guarantee
	synthetic bool
	fails     error
	people    []string // who it was given
	out       func(yield func(*gaze.Recording, error) bool)
}

func (f *fake) Guarantee() dp.Guarantee { return f.guarantee }

func (f *fake) Plan() mechanism.Plan {
	return mechanism.Plan{Mechanism: "synthesis/fake", Calibration: mechanism.Guaranteed, Guarantee: f.guarantee, Parameters: map[string]string{"subjects": "3"}}
}

func (f *fake) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if f.fails != nil {
		return nil, f.fails
	}
	for r, err := range pieces {
		if err != nil {
			return nil, err
		}
		if !r.Continues {
			f.people = append(f.people, r.Participant)
		}
	}
	return &mechanism.PathRelease{Release: mechanism.Draw(f.Plan(), src), Recordings: f.out, Synthetic: f.synthetic}, nil
}

func (f *fake) spec(name string) mechanism.Spec {
	return mechanism.Spec{
		Name: name, Summary: "for tests", Source: "here",
		Fields: []mechanism.Field{{Name: "subjects", Kind: mechanism.Count, Doc: "n"}, {Name: "rate", Kind: mechanism.Number, Doc: "Hz"}, {Name: "width", Kind: mechanism.Number, Doc: "px"}},
		New: func(p mechanism.Params) (mechanism.Mechanism, error) {
			p = p.Collect()
			if p.Number("rate") <= 0 || p.Count("subjects") < 1 || p.Number("width") <= 0 {
				return nil, errors.New("fake: subjects, rate and width are needed")
			}
			return f, p.Err()
		},
	}
}

// nobodys are n recordings of a second at 100 Hz, which carry more than they should.
func nobodys(n int) func(yield func(*gaze.Recording, error) bool) {
	return func(yield func(*gaze.Recording, error) bool) {
		for i := range n {
			r := &gaze.Recording{Header: gaze.Header{Participant: "Quokka", Session: "Wombat", Unit: gaze.Pixels, Rate: 100, Screen: screen}}
			track := &r.Samples.Tracks[gaze.Right]
			for k := range 100 {
				r.Samples.T = append(r.Samples.T, time.Duration(k)*10*time.Millisecond)
				track.X, track.Y, track.Pupil = append(track.X, float64(100+i)), append(track.Y, 50), append(track.Pupil, 4.1234)
			}
			r.Samples.Signals = []gaze.Signal{{Name: "Kowari", Values: make([]float64, 100)}}
			r.Blinks = []gaze.Blink{{Duration: 1}}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// TestSynthesis: recordings of nobody are numbered, marked in every file and row,
// and hold positions alone, whatever a mechanism leaves in them.
func TestSynthesis(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 3)
	f := &fake{guarantee: dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-3}, synthetic: true, out: nobodys(5)}
	j := &GazeJob{Job: l.job(t), Spec: f.spec("synthesis/fake"), Values: map[string]string{"rate": "100"}}
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if slices.Sort(f.people); len(f.people) != 3 || f.people[0] != "Quokka 00" {
		t.Errorf("the mechanism was given %q", f.people)
	}
	search(t, r.Dir)
	names, _ := filepath.Glob(filepath.Join(r.Dir, "recordings", "*.csv.gz"))
	if len(names) != 5 || filepath.Base(names[0]) != "synthetic-0001.csv.gz" {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		text := string(content(t, name))
		searchText(t, "a recording", text)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) != 101 || lines[0] != "recording,participant,session,task,trial,stimulus,t_ns,unit,x_right,y_right" {
			t.Errorf("%d lines, the first %q", len(lines), lines[0])
		}
		for _, line := range lines[1:] {
			if !strings.Contains(line, ",synthetic-000") {
				t.Fatalf("a row is not marked: %q", line)
			}
		}
		sidecar := content(t, strings.TrimSuffix(name, ".csv.gz")+".json")
		if !bytes.Contains(sidecar, []byte("Synthetic gaze")) || bytes.Contains(sidecar, []byte("VOID")) {
			t.Error("the sidecar does not say what it is")
		}
	}
	if m := readManifest(t, r.Dir); m.Basic.DataProductType != "Synthetic data" || !strings.Contains(string(m.Basic.Description), "5 recordings of synthetic") {
		t.Errorf("%+v", m.Basic)
	}
	if page, err := os.ReadFile(filepath.Join(r.Dir, "report.html")); err != nil || !bytes.Contains(page, []byte("ynthetic scan path")) {
		t.Error("the page's pictures are not marked")
	}
	if n := len(l.entries(t)); n != 1 {
		t.Errorf("%d charges", n)
	}
}

// TestSynthesisReadsNoStamps: the time stamps of people behind a synthesis are
// protected, and the rate that they show would name the first one's clock.
func TestSynthesisReadsNoStamps(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 3)
	for product, want := range map[string]gaze.Hertz{"synthesis/fake": 0, "gaze/fake": 100} {
		j := &GazeJob{Job: l.job(t), Spec: (&fake{}).spec(product), Values: map[string]string{}}
		if err := j.prepare(t.Context()); err != nil || j.rate != want {
			t.Errorf("%s: rate %v, want %v (%v)", product, j.rate, want, err)
		}
	}
}

// TestGazeFailures: what fails before the draw costs nothing, what fails after it
// is charged, and nothing is left behind.
func TestGazeFailures(t *testing.T) {
	broken := errors.New("no more")
	guarantee := dp.Guarantee{Measure: dp.Pure, Epsilon: 1, Unit: dp.Window, Model: dp.Local}
	halfway := func(yield func(*gaze.Recording, error) bool) { nobodys(1)(yield); yield(nil, broken) }
	for name, c := range map[string]struct {
		f       *fake
		change  func(*GazeJob)
		charged int
	}{
		"protect":       {f: &fake{guarantee: guarantee, fails: broken}, charged: 1},
		"in between":    {f: &fake{guarantee: guarantee, out: halfway}, charged: 1},
		"nothing drawn": {f: &fake{guarantee: guarantee, out: nobodys(0)}, charged: 1},
		"no stimulus":   {f: &fake{guarantee: guarantee, out: nobodys(1)}, change: func(j *GazeJob) { j.Stimuli = []string{"valley"} }},
		"too few":       {f: &fake{guarantee: guarantee, out: nobodys(1)}, change: func(j *GazeJob) { j.Enrolled = 2 }},
		"no parameter":  {f: &fake{guarantee: guarantee, out: nobodys(1)}, change: func(j *GazeJob) { j.Values = map[string]string{"epsilon": "1"} }},
		"no rate":       {f: &fake{guarantee: guarantee, out: nobodys(1)}, change: func(j *GazeJob) { j.Values = map[string]string{"rate": "-1"} }},
	} {
		l := newLab(t)
		l.table(t, "recordings.csv", 3)
		j := &GazeJob{Job: l.job(t), Spec: c.f.spec("gaze/fake"), Values: map[string]string{}}
		if c.change != nil {
			c.change(j)
		}
		_, err := j.Run(t.Context())
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		searchText(t, "an error", err.Error())
		if n := len(l.entries(t)); n != c.charged {
			t.Errorf("%s: %d charges, want %d (%v)", name, n, c.charged, err)
		}
		if left := l.leftovers(t); len(left) > 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

// TestGazePrecheck refuses without data what no data can make right, and takes
// what only a screen or a sphere can tell.
func TestGazePrecheck(t *testing.T) {
	for _, good := range []map[string]string{
		kaleido(), {"epsilon": "3", "radius": "2deg"}, {"epsilon": "3", "radius": "2deg", "surface": "sphere"}, {"epsilon": "3", "radius": "50px", "threshold": "1deg"},
	} {
		if err := (&GazeJob{Spec: spec(t, "gaze", "kaleido"), Values: good}).Precheck(); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
	for _, bad := range []map[string]string{
		{"epsilon": "3"}, {"epsilon": "0", "radius": "5%"}, {"epsilon": "3", "radius": "5"}, {"epsilon": "3", "radius": "5%", "window": "0s"}, {"epsilon": "3", "radius": "50px", "surface": "sphere"},
		{"epsilon": "3", "radius": "5%", "age": "7"},
	} {
		var refused *RefusedError
		if err := (&GazeJob{Spec: spec(t, "gaze", "kaleido"), Values: bad}).Precheck(); !errors.As(err, &refused) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// TestCaps: where ε counts per distance, a cap is that of an ε per radius.
func TestCaps(t *testing.T) {
	geo, sphere := dp.Guarantee{Measure: dp.Geo, Epsilon: 3, Radius: 50, RadiusUnit: "px"}, dp.Guarantee{Measure: dp.Geo, Epsilon: 3, Delta: 1e-9, Radius: 5, RadiusUnit: "deg"}
	for _, c := range []struct {
		cap            *Cap
		g              dp.Guarantee
		epsilon, delta float64
	}{
		{nil, geo, 0.2, 0}, {nil, sphere, 2, 1e-6}, {nil, dp.Guarantee{Epsilon: 3}, DefaultCapEpsilon, DefaultCapDelta},
		{&Cap{Epsilon: 4}, geo, 0.08, 0}, {&Cap{4, 1e-3}, dp.Guarantee{Epsilon: 3}, 4, 1e-3},
	} {
		if got, err := c.cap.forAccount(c.g); err != nil || got.Epsilon.Float64() != c.epsilon || got.Delta.Float64() != c.delta {
			t.Errorf("%v for %v: %v, %v", c.cap, c.g, got, err)
		}
	}
	for _, bad := range []Cap{{Epsilon: -1}, {Epsilon: math.NaN()}, {Epsilon: 1, Delta: 2}} {
		if _, err := bad.forAccount(geo); err == nil {
			t.Errorf("%v is a cap", bad)
		}
	}
}

// TestFrame: positions of any unit and origin come to the same px.
func TestFrame(t *testing.T) {
	f := frame{unit: gaze.Pixels, screen: screen}
	for name, c := range map[string]struct {
		unit   gaze.Unit
		origin gaze.Origin
		x, y   float64
	}{
		"px": {gaze.Pixels, gaze.TopLeft, 80, 60}, "bottom": {gaze.Pixels, gaze.BottomLeft, 80, 180}, "centre": {gaze.Pixels, gaze.Center, -80, 60},
		"norm": {gaze.Normalized, gaze.TopLeft, 0.25, 0.25}, "mm": {gaze.Millimetres, gaze.TopLeft, 40, 30},
	} {
		r := &gaze.Recording{Header: gaze.Header{Unit: c.unit, Screen: screen}}
		r.Screen.Origin = c.origin
		r.Samples.T = []time.Duration{0, 1}
		r.Samples.Tracks[gaze.Left] = gaze.Track{X: []float64{c.x, math.NaN()}, Y: []float64{c.y, 1}, Pupil: []float64{3, 3}}
		r.Samples.Labels = make([]gaze.Label, 2)
		var out gaze.Recording
		if err := f.put(&out, r); err != nil {
			t.Fatal(name, err)
		}
		got := out.Samples.Tracks[gaze.Left]
		if math.Abs(got.X[0]-80) > 1e-9 || math.Abs(got.Y[0]-60) > 1e-9 || !math.IsNaN(got.X[1]) || out.Unit != gaze.Pixels || out.Screen.Origin != gaze.TopLeft {
			t.Errorf("%s: (%v, %v) in %v", name, got.X[0], got.Y[0], out.Unit)
		}
		if got.Pupil != nil || out.Samples.Labels != nil {
			t.Errorf("%s: more than positions", name)
		}
	}
	for name, h := range map[string]gaze.Header{
		"another screen": {Unit: gaze.Pixels, Screen: gaze.Screen{Width: 5, Height: 5}},
		"eye in head":    {Unit: gaze.Degrees, Frame: gaze.EyeInHead, Screen: gaze.Screen{Width: 320, Height: 240}},
		"no geometry":    {Unit: gaze.Degrees, Screen: gaze.Screen{Width: 320, Height: 240}},
	} {
		if err := f.takes(&h); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if err := (frame{unit: gaze.Degrees, sphere: true}).takes(&gaze.Header{Unit: gaze.Pixels}); err == nil {
		t.Error("px are taken for directions")
	}
}

// TestGazeOnTheSphere: directions stay directions, with a radius in degrees, and
// are drawn as a panorama.
func TestGazeOnTheSphere(t *testing.T) {
	l := newLab(t)
	var b strings.Builder
	b.WriteString("participant,stimulus,time [ms],yaw [deg],pitch [deg]\n")
	c := simulate.Cohort{People: 2, Scenes: []simulate.Scene{simulate.Room()}, Seconds: 2, Rate: 60}
	for r, err := range c.Recordings(noise.Seeded(1)) {
		if err != nil {
			t.Fatal(err)
		}
		writeDirections(&b, r)
	}
	l.write(t, "room.csv", b.String())
	mapping := filepath.Join(filepath.Dir(l.dir), "m.yaml")
	text := "participant: participant\nstimulus: stimulus\ntime: \"time [ms]\"\ntime_unit: ms\nx: \"yaw [deg]\"\ny: \"pitch [deg]\"\nunit: deg\nframe: gaze-in-world\n"
	if err := os.WriteFile(mapping, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := OpenData(l.dir, DataOptions{Mapping: mapping})
	if err != nil {
		t.Fatal(err)
	}
	j := l.gaze(t, map[string]string{"epsilon": "3", "radius": "2deg"})
	j.Data = d
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Plan.Parameters; p["surface"] != "sphere" || r.Plan.Guarantee.RadiusUnit != "deg" {
		t.Errorf("%v, %v", p, r.Plan.Guarantee)
	}
	for _, rec := range released(t, r.Dir) {
		track, _, _ := rec.Best()
		if rec.Unit != gaze.Degrees || rec.Frame != gaze.InWorld || !(math.Abs(track.X[10]) <= 180) || !(math.Abs(track.Y[10]) <= 90) {
			t.Errorf("%+v", rec.Header)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "scanpath-1.png")); err != nil {
		t.Error(err)
	}
	j = l.gaze(t, map[string]string{"epsilon": "3", "radius": "50px"})
	j.Data = d
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "deg") {
		t.Errorf("a radius in px on the sphere: %v", err)
	}
}

func writeDirections(b *strings.Builder, r *gaze.Recording) {
	track, _, _ := r.Best()
	for i, at := range r.Samples.T {
		b.WriteString("Quokka " + r.Participant + "," + r.Stimulus + "," + number(at.Seconds()*1000) + ",")
		if !gaze.Lost(track.X[i], track.Y[i]) {
			b.WriteString(number(track.X[i]) + "," + number(track.Y[i]))
		} else {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// TestOneClock: with a common clock the time stamps of a release say nothing of
// the tracker's own.
func TestOneClock(t *testing.T) {
	l := newLab(t)
	l.table(t, "recordings.csv", 2)
	j := l.gaze(t, kaleido())
	j.Clock = 50
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range released(t, r.Dir) {
		for i, at := range out.Samples.T {
			if at != time.Duration(i)*20*time.Millisecond {
				t.Fatalf("sample %d at %v", i, at)
			}
		}
	}
}
