package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

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
