package all_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/format/formattest"
	"github.com/gazeward/gazeward/gaze"
)

func TestFormatsAreComplete(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range all.Formats() {
		if f.Name == "" || f.Title == "" || f.Detect == nil || len(f.Extensions) == 0 || seen[f.Name] {
			t.Errorf("%+v is incomplete or twice there", f)
		}
		if (f.Read == nil) == (f.Hint == "") {
			t.Errorf("%s: want a reader, or a hint for those who have such a file", f.Name)
		}
		seen[f.Name] = true
	}
}

const asc = "** TYPE: EDF_FILE\nSTART\t1 \tLEFT\tSAMPLES\nSAMPLES\tGAZE\tLEFT\tRATE\t 500.00\n1\t 1.0\t 2.0\t 3.0\t...\n3\t 1.0\t 2.0\t 3.0\t...\nEND\t5\n"

func TestSniff(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"EyeLink":         {asc, "eyelink-asc"},
		"EyeLink, gzip":   {string(formattest.Zip([]byte(asc))), "eyelink-asc"},
		"EyeLink, binary": {"SR_RESEARCH_1000FILE\nDATE", "eyelink-edf"},
		"MATLAB":          {"MATLAB 5.0 MAT-file" + strings.Repeat(" ", 107) + "IM", "matlab"},
		"HDF5":            {"\x89HDF\r\n\x1a\n", "hdf5"},
		"table":           {"a,b\n1,2\n3,4\n", "delimited"},
	} {
		in, err := format.NewInput("x", strings.NewReader(c.data))
		if err != nil {
			t.Fatal(err)
		}
		f, m, err := all.Sniff(in.Head())
		if err != nil || f.Name != c.want || len(m.Why) == 0 {
			t.Errorf("%s: %q %v %v, want %s", name, f.Name, m, err, c.want)
		}
	}
}

func TestUnknownSaysWhatWasTried(t *testing.T) {
	_, _, err := all.Sniff(format.Head{Name: "x.bin", Raw: []byte{1, 2, 3}})
	var u *format.UnknownError
	if !errors.As(err, &u) || len(u.Tried) != len(all.Formats()) {
		t.Fatalf("%v", err)
	}
	told := err.Error()
	for i, f := range all.Formats() {
		if len(u.Tried[i].Why) == 0 || !strings.Contains(told, f.Name) {
			t.Errorf("does not say that %s was tried, or why not: %v", f.Name, err)
		}
	}
	if n := strings.Count(told, "\n  not "); n < 4 || n > 6 || !strings.Contains(told, "not delimited: ") {
		t.Errorf("explains %d formats: %v", n, err)
	}
}

func TestStreamFS(t *testing.T) {
	fsys := fstest.MapFS{
		"a.asc": {Data: []byte(asc)}, "b.edf": {Data: []byte("SR_RESEARCH")}, "c.csv": {Data: []byte("time,x,y\n1,900,2\n2,901,4\n3,902,4\n")}, "d": {},
	}
	var report format.Report
	recs, err := gaze.Collect(all.StreamFS(fsys, "a.asc", format.Options{Report: &report, Known: gaze.Header{Participant: "p"}}))
	if err != nil || recs[0].Participant != "p" || recs[0].Samples.Len() != 2 {
		t.Errorf("%v %v", recs, err)
	}
	if name, why := report.Format(); name != "eyelink-asc" || len(why) == 0 {
		t.Errorf("%s %v", name, why)
	}
	_, err = gaze.Collect(all.StreamFS(fsys, "b.edf", format.Options{}))
	var refused *format.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "edf2asc") {
		t.Errorf("%v", err)
	}
	_, err = gaze.Collect(all.StreamFS(fsys, "c.csv", format.Options{}))
	var unknown *format.UnknownError
	if !errors.As(err, &unknown) || len(unknown.Tried) != len(all.Formats())-1 || unknown.Suggestion == "" {
		t.Errorf("%v", err)
	}
	if _, err = gaze.Collect(all.StreamFS(fsys, "d", format.Options{})); !errors.Is(err, format.ErrEmpty) {
		t.Errorf("empty file: %v", err)
	}
	if _, err = gaze.Collect(all.StreamFS(fsys, "e", format.Options{})); err == nil {
		t.Error("a file that is not there")
	}
	if _, err = gaze.Collect(all.StreamFS(fsys, "a.asc", format.Options{Format: "nonsense"})); err == nil {
		t.Error("a format that is not there")
	}
	m, err := format.ParseMapping([]byte("{time: time, time_unit: s, x: x, y: y, unit: px}"))
	if err != nil {
		t.Fatal(err)
	}
	if recs, err = gaze.Collect(all.StreamFS(fsys, "c.csv", format.Options{Mapping: m})); err != nil || recs[0].Samples.Len() != 3 {
		t.Errorf("%v %v", recs, err)
	}
}

func TestInspect(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/a.asc", asc)
	write("notes.txt", "just words\n")
	one, err := all.Inspect(filepath.Join(dir, "sub", "a.asc"), format.Options{})
	if err != nil || len(one) != 1 || one[0].File != "a.asc" || one[0].Rate.Hz != 500 {
		t.Errorf("%+v %v", one, err)
	}
	both, err := all.Inspect(dir, format.Options{})
	if err != nil || len(both) != 2 || both[0].Error == "" || both[1].Rows != 2 || both[1].File != "sub/a.asc" {
		t.Errorf("%+v %v", both, err)
	}
	if _, err := all.Inspect(filepath.Join(dir, "notes.txt"), format.Options{}); err == nil {
		t.Error("a text of words was inspected without an error")
	}
	if _, err := all.Inspect(t.TempDir(), format.Options{}); err == nil {
		t.Error("an empty folder was inspected without an error")
	}
	m, err := format.ParseMapping([]byte("{time: t, time_unit: ms, x: x, y: y, unit: px, filename_pattern: '{participant}/{task}.csv'}"))
	if err != nil {
		t.Fatal(err)
	}
	write("p7/read.csv", "t,x,y\n1,2,3\n")
	if recs, err := gaze.Collect(all.Stream(filepath.Join(dir, "p7", "read.csv"), format.Options{Mapping: m})); err != nil || recs[0].Participant != "p7" {
		t.Errorf("the folder's name does not reach the pattern: %v %v", recs, err)
	}
}
