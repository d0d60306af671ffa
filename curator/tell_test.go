package curator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/gazeward/gazeward/manifest"
)

// The page of a release with hundreds of recordings names them in one line for
// each kind; the files beside it one by one.
func TestListedFoldsManyFiles(t *testing.T) {
	var s staging
	for i := range 2 * many {
		for _, ending := range []string{"csv.gz", "json"} {
			s.outputs = append(s.outputs, manifest.Output{Path: fmt.Sprintf("recordings/%d.%s", i, ending), Schema: manifest.Text(ending)})
		}
		s.outputs = append(s.outputs, manifest.Output{Path: fmt.Sprintf("map-%d.png", i)})
	}
	files := (&teller{out: &s}).listed()
	if len(files) != 2+2*many || files[0].Path != "recordings/*.csv.gz" || !strings.HasPrefix(files[0].What, "24 files: csv.gz") {
		t.Errorf("%d files: %v", len(files), files[0])
	}
}

// Errors of the disk name no path, and say once what happened.
func TestDiskErrorsNameNoPath(t *testing.T) {
	cause := &fs.PathError{Op: "write", Path: "/data/Jane Doe/out", Err: syscall.ENOSPC}
	err := unplaced(errors.Join(fmt.Errorf("closing: %w", cause), cause))
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "Jane") || strings.Count(err.Error(), "no space") > 1 {
		t.Error(err)
	}
}

func TestRoomLeavesNothingBehind(t *testing.T) {
	s, err := stage(t.TempDir()+"/out", false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.discard()
	if err := s.room(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}
	s.discard()
	if err := s.room(); err == nil || strings.Contains(err.Error(), s.dir) {
		t.Errorf("a folder that is gone: %v", err)
	}
}

// A note stays in the ledger and in later releases: it must not name a person
// whose name is short either.
func TestMentions(t *testing.T) {
	people := []string{"S1", "p-07", "Ann", "7", "12", "104"}
	for text, want := range map[string]bool{
		"for S1": true, "redo (s1)": true, "p-07 left": true, "ann asked": true, "id 104": true,
		"annual": false, "S10": false, "7 of 12 pictures": false, "": false, "p 07": false,
	} {
		if got := mentions(text, people); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
