package dataset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/gaze"
)

const table = "timestamp|gaze_x|gaze_y|fixation_id\n0.0|700|300|0.0\n0.012|701|301|\n"

// reading is a folder laid out like gazeRE.
func reading() fstest.MapFS {
	fsys := fstest.MapFS{".hidden/data/X/y/0_z.csv.gz": {Data: []byte("no")}}
	for _, name := range []string{
		"data/A01/g-rel/0_g-rel_q1_r.csv.gz", "data/A01/g-rel/1_g-rel_q2_i.csv.gz", "data/A01/GoogleNQ/2_nq_1.csv.gz",
		"data/B02/g-rel/0_g-rel_q1_r.csv.gz",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(table)}
	}
	fsys["data/A01/g-rel/User_Rating"] = &fstest.MapFile{Data: []byte("True|False\n")}
	return fsys
}

func folder(t *testing.T, fsys fstest.MapFS) *dataset.Folder {
	t.Helper()
	d, _, err := dataset.Match(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
}

func TestDefinitionsAreComplete(t *testing.T) {
	ds, err := dataset.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		if d.Title == "" || d.Source == "" || d.Licence == "" || len(d.Files) == 0 {
			t.Errorf("%s is incomplete: %+v", d.Name, d)
		}
		// A table of text needs a mapping, another reader must exist.
		if _, err := all.ByName(d.Format); err != nil || d.Format == "delimited" && d.Mapping == nil {
			t.Errorf("%s cannot be read: %v", d.Name, err)
		}
		if same, err := dataset.ByName(d.Name); err != nil || same.Title != d.Title {
			t.Errorf("ByName(%s): %v", d.Name, err)
		}
	}
	if _, err := dataset.ByName("nonsense"); err == nil || !strings.Contains(err.Error(), "osie") {
		t.Errorf("error %v, want the names there are", err)
	}
}

func TestMatchSaysWhy(t *testing.T) {
	d, candidates, err := dataset.Match(reading())
	if err != nil || d.Name != "gazere" {
		t.Fatalf("%s %v", d.Name, err)
	}
	for _, c := range candidates {
		if c.Why == "" || (c.Name == "gazere") != (c.Files == 4) {
			t.Errorf("%+v", c)
		}
	}
	_, candidates, err = dataset.Match(fstest.MapFS{"a.csv": {}})
	if !errors.Is(err, dataset.ErrNoMatch) || len(candidates) < 2 || !strings.Contains(err.Error(), "not osie: no file") {
		t.Errorf("%v %v", candidates, err)
	}
}

func TestFolderFillsInWhoAndWhat(t *testing.T) {
	f := folder(t, reading())
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 4 {
		t.Fatalf("%d recordings, %v", len(recs), err)
	}
	h := recs[1].Header
	if h.Participant != "A01" || h.Task != "g-rel" || h.Trial != "0" || h.Stimulus != "g-rel_q1_r" || h.Screen.Width != 2560 {
		t.Errorf("%+v", h)
	}
	if l := recs[1].Samples.Labels; l[0] != gaze.InFixation || l[1] != gaze.Unlabelled {
		t.Errorf("labels %v", l)
	}
	for label, want := range map[string]string{"task": "g-rel", "relevance": "relevant"} {
		if got, ok := f.Definition.Label(label, &h); !ok || got != want {
			t.Errorf("%s: %q %v", label, got, ok)
		}
	}
	if got, ok := f.Definition.Label("relevance", &recs[0].Header); ok {
		t.Errorf("a GoogleNQ text is %q as a whole", got)
	}
}

func TestListsAndFilters(t *testing.T) {
	f := folder(t, reading())
	opened := 0
	f.Open = counted(&opened)
	people, err := f.Participants()
	if err != nil || !slices.Equal(people, []string{"A01", "B02"}) || opened != 0 {
		t.Errorf("%v %v, %d files opened", people, err, opened)
	}
	stimuli, err := f.Stimuli()
	if err != nil || !slices.Equal(stimuli, []string{"g-rel_q1_r", "g-rel_q2_i", "nq_1"}) {
		t.Errorf("%v %v", stimuli, err)
	}
	n := 0
	for r, err := range f.Recordings(dataset.ForStimuli("g-rel_q1_r")) {
		if err != nil || r.Stimulus != "g-rel_q1_r" {
			t.Errorf("%v %v", r.Header, err)
		}
		n++
	}
	if n != 2 || opened != 2 {
		t.Errorf("%d recordings from %d opened files, want 2 from 2", n, opened)
	}
}

func TestForStimuli(t *testing.T) {
	for _, c := range []struct {
		ask, have string
		want      bool
	}{
		{"1001.jpg", "1001.jpg", true}, {"1001", "1001.jpg", true}, {"1001.jpg", "img/1001.jpg", true},
		{"1001.jpg", "1001.png", false}, {"a.v2", "a.v3", false}, {"1001.jpg", "", false},
	} {
		if got := dataset.ForStimuli(c.ask)(&gaze.Header{Stimulus: c.have}); got != c.want {
			t.Errorf("%q for %q: %v", c.have, c.ask, got)
		}
	}
}

func TestFilesThatFail(t *testing.T) {
	fsys := reading()
	fsys["data/A01/g-rel/1_g-rel_q2_i.csv.gz"] = &fstest.MapFile{Data: []byte("timestamp|gaze_x|gaze_y|fixation_id\n")}
	fsys["data/A01/GoogleNQ/2_nq_1.csv.gz"] = &fstest.MapFile{Data: []byte("foo|bar\n1|2\n")}
	f := folder(t, fsys)
	good, bad := 0, 0
	for _, err := range f.Recordings(nil) {
		if err != nil {
			bad++
			if !strings.Contains(err.Error(), "2_nq_1.csv.gz") {
				t.Errorf("error %v, want the file's name", err)
			}
		} else {
			good++
		}
	}
	if good != 2 || bad != 1 {
		t.Errorf("%d read, %d errors, want 2 and 1: a header without rows is skipped and counted", good, bad)
	}
	if q := fmt.Sprint(f.Report.Quirks()); !strings.Contains(q, "1 × file without samples") {
		t.Errorf("quirks %s", q)
	}
	summaries, err := f.Inspect()
	if err != nil || len(summaries) != 4 {
		t.Fatalf("%d %v", len(summaries), err)
	}
	failed := 0
	for _, s := range summaries {
		if s.Error != "" {
			failed++
		}
	}
	if failed != 2 {
		t.Errorf("%d summaries with an error, want 2", failed)
	}
}

func TestAllFilesEmptyIsAnError(t *testing.T) {
	fsys := reading()
	for name, file := range fsys {
		if strings.HasSuffix(name, ".gz") {
			file.Data = []byte("timestamp|gaze_x|gaze_y|fixation_id\n")
		}
	}
	if _, err := gaze.Collect(folder(t, fsys).Recordings(nil)); !errors.Is(err, format.ErrEmpty) {
		t.Errorf("error %v, want ErrEmpty", err)
	}
}

// Where nobody has said which files hold recordings, licences and pictures lie
// beside them; a table that needs a mapping must not be passed over.
func TestFilesThatAreNone(t *testing.T) {
	fsys := fstest.MapFS{
		"a.csv": {Data: []byte("time_ms,x_px,y_px,participant\n0,1,2,p\n4,1,2,p\n")}, "LICENSE": {Data: []byte("Anybody may.\n\nReally.\n")},
		"b.png": {Data: []byte("\x89PNG\r\n\x1a\n\x00\x00")},
	}
	f := &dataset.Folder{Definition: dataset.Definition{Name: "any", Files: []string{"**"}}, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 1 {
		t.Errorf("%d recordings, %v", len(recs), err)
	}
	if q := fmt.Sprint(f.Report.Quirks()); !strings.Contains(q, "2 × file of no known format") {
		t.Errorf("quirks %s", q)
	}
	if people, err := f.Participants(); err != nil || !slices.Equal(people, []string{"p"}) {
		t.Errorf("%v %v", people, err)
	}
	fsys["c.csv"] = &fstest.MapFile{Data: []byte("a,b,c\n0,1,2\n4,1,2\n")}
	if _, err := gaze.Collect(f.Recordings(nil)); err == nil {
		t.Error("a table with unknown columns is passed over")
	}
	f.Definition.Files = []string{"*"}
	delete(fsys, "c.csv")
	if _, err := gaze.Collect(f.Recordings(nil)); err == nil {
		t.Error("a file that the definition names is passed over")
	}
}

func TestFromPattern(t *testing.T) {
	d, err := dataset.FromPattern("S{participant}_{session}.tsv")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("time_ms\tx_px\ty_px\n0\t1\t2\n4\t1\t2\n")
	fsys := fstest.MapFS{
		"S1_a.tsv": {Data: text}, "S1_b.tsv": {Data: text}, "deep/s1_a.tsv": {Data: text}, "deep/S10_a.tsv": {Data: text},
		"S2_a.tsv": {Data: text}, "other.tsv": {Data: text}, "notes.txt": {Data: []byte("words")},
	}
	f := dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
	people, err := f.Participants()
	if err != nil || !slices.Equal(people, []string{"1", "2", "10"}) {
		t.Errorf("%v %v, want 1, 2, 10 in this order", people, err)
	}
	recs, err := gaze.Collect(f.Recordings(nil))
	if err != nil || len(recs) != 4 || recs[1].Session == "" {
		t.Errorf("%d %v", len(recs), err)
	}
	for _, bad := range []string{"S{session}.tsv", "{participant", ""} {
		if _, err := dataset.FromPattern(bad); err == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
}

func TestParticipantsWithinFiles(t *testing.T) {
	d, err := dataset.ParseDefinition([]byte(`
name: mine
title: my study
files: ["*.csv"]
mapping: {time: t, time_unit: ms, x: x, y: y, unit: px, participant: who, stimulus: pic}
stimuli: "pics/{stimulus}.png"
`))
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{
		"a.csv": {Data: []byte("t,x,y,who,pic\n0,1,2,anna,p1\n1,1,2,anna,p1\n0,1,2,Bo,p2\n")},
		"b.csv": {Data: []byte("t,x,y,who,pic\n0,1,2,bo,p1\n")}, "pics/p1.png": {Data: []byte("png")},
	}
	f := dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
	people, err := f.Participants()
	if err != nil || !slices.Equal(people, []string{"Bo", "anna", "bo"}) {
		t.Errorf("%v %v", people, err)
	}
	if q := fmt.Sprint(f.Report.Quirks()); !strings.Contains(q, "case or blanks") {
		t.Errorf("Bo and bo are not noticed: %s", q)
	}
	if path, err := f.StimulusPath("p1"); err != nil || path != "pics/p1.png" {
		t.Errorf("%s %v", path, err)
	}
	for _, bad := range []string{"p3", "../../secret", ""} {
		if path, err := f.StimulusPath(bad); err == nil {
			t.Errorf("%q leads to %s", bad, path)
		}
	}
}

func TestDefinitionsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "empty",
		"title: x":                               "name",
		"{name: x}":                              "files",
		"{name: x, file: y}":                     "field file not found",
		"{name: x, files: ['{a}{a}']}":           "twice",
		"{name: x, files: [a], mapping: {x: x}}": "together",
		"{name: x, files: [a], labels: [{name: l, of: shoe}]}":                       "shoe",
		"{name: x, files: [a], labels: [{name: l, of: task, pattern: 'a_{b}'}]}":     "{label}",
		"{name: x, files: [a], mapping: {time: t, time_unit: ms, x: x, y: y, z: z}}": "field z not found",
	} {
		if _, err := dataset.ParseDefinition([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
}

func FuzzParseDefinition(f *testing.F) {
	f.Add([]byte("{name: x, files: ['{participant}/*.csv'], mapping: {time: t, time_unit: ms, x: x, y: y}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := dataset.ParseDefinition(text)
		if err != nil {
			return
		}
		folder := dataset.Folder{Definition: d, FS: reading(), Open: all.StreamFS}
		_, _ = folder.Files() // must not panic
		d.Label("x", &gaze.Header{})
	})
}

// TestOnlyFilesAreRead: what lies in a folder and is no file, such as a pipe
// that nobody writes to, is passed over.
func TestOnlyFilesAreRead(t *testing.T) {
	fsys := reading()
	before, err := folder(t, fsys).Files()
	if err != nil {
		t.Fatal(err)
	}
	for i, mode := range []fs.FileMode{fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice, fs.ModeIrregular} {
		fsys[fmt.Sprintf("data/C03/g-rel/%d_g-rel_q1_r.csv.gz", i)] = &fstest.MapFile{Mode: mode | 0o644, Data: []byte(table)}
	}
	after, err := folder(t, fsys).Files()
	if err != nil || len(after) != len(before) || len(before) == 0 {
		t.Errorf("%d files with pipes among them, %d without: %v", len(after), len(before), err)
	}
}
