package dataset_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/all"
)

// The definitions read the real folders to the row, as their READMEs count.
func TestDefinitionsOnRealFolders(t *testing.T) {
	for _, c := range []struct {
		name                        string
		files, people, rows, broken int
	}{
		{"vrload", 120, 24, 804187, 0},
		{"edvam", 16, 16, 56785, 0},
		{"vive360", 8, 5, 10209, 1}, // one file has a header and nothing else
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join("..", "..", "shared", "data", c.name)
			if _, err := os.Stat(root); err != nil {
				t.Skip("no folder shared/data beside the checkout")
			}
			d, err := dataset.ByName(c.name)
			if err != nil {
				t.Fatal(err)
			}
			f := &dataset.Folder{Definition: d, FS: os.DirFS(root), Open: all.StreamFS, Report: new(format.Report)}
			summaries, err := f.Inspect()
			if err != nil {
				t.Fatal(err)
			}
			rows, broken := 0, 0
			for _, s := range summaries {
				rows += s.Rows
				if s.Error != "" {
					broken++
				}
			}
			people, err := f.Participants()
			if err != nil || len(summaries) != c.files || len(people) != c.people || rows != c.rows || broken != c.broken {
				t.Errorf("%d files, %d people, %d rows, %d broken, %v: want %+v", len(summaries), len(people), rows, broken, err, c)
			}
		})
	}
}

// Files that belong to a recording are read with it and are no errors.
func TestCompanionsAreNoErrors(t *testing.T) {
	fsys := fstest.MapFS{
		"ann/gaze.csv":   {Data: []byte("section id,recording id,timestamp [ns],gaze x [px],gaze y [px],worn,fixation id,blink id,azimuth [deg],elevation [deg]\na,b,1000000000,900,500,1,,,0,0\na,b,1005000000,901,500,1,,,0,0\na,b,1010000000,902,500,1,,,0,0\n")},
		"ann/blinks.csv": {Data: []byte("section id,recording id,blink id,start timestamp [ns],end timestamp [ns],duration [ms]\n")},
	}
	d, err := dataset.FromPattern("{participant}/*")
	if err != nil {
		t.Fatal(err)
	}
	f := &dataset.Folder{Definition: d, FS: fsys, Open: all.StreamFS, Report: new(format.Report)}
	summaries, err := f.Inspect()
	if err != nil || len(summaries) != 1 || summaries[0].Rows != 3 {
		t.Errorf("%d summaries, %v", len(summaries), err)
	}
	people, err := f.Participants()
	if err != nil || len(people) != 1 {
		t.Errorf("people %v, %v", people, err)
	}
	rows := 0
	for r, err := range f.Recordings(nil) {
		if err != nil {
			t.Fatal(err)
		}
		rows += r.Samples.Len()
	}
	if rows != 3 {
		t.Errorf("%d rows", rows)
	}
}
