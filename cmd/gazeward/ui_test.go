package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "secret/place", Err: syscall.ENOSPC}
}

// What could not be printed is an error, as words and as JSON.
func TestResultThatCannotBePrinted(t *testing.T) {
	for _, json := range []bool{false, true} {
		u := &ui{out: full{}, err: io.Discard, json: json}
		err := u.result(map[string]int{"a": 1}, func(w io.Writer) {
			fmt.Fprintln(w, "a")
			fmt.Fprintln(w, "b")
		})
		if !errors.Is(err, syscall.ENOSPC) || u.exit(err) != 3 {
			t.Errorf("json %v: %v", json, err)
		}
		if h := hint(err); !strings.Contains(h, "make room") {
			t.Errorf("hint %q", h)
		}
	}
}

func TestInterruptedIsSaidPlainly(t *testing.T) {
	var said bytes.Buffer
	u := &ui{out: io.Discard, err: &said}
	if code := u.exit(fmt.Errorf("reading: %w", context.Canceled)); code != 3 || !strings.HasPrefix(said.String(), "gazeward: interrupted\n") {
		t.Errorf("%d %q", code, said.String())
	}
}

func TestManyFilesAreOneLine(t *testing.T) {
	files := []string{"out/report.html", "out/manifest.json"}
	for i := range 30 {
		files = append(files, fmt.Sprintf("out/recordings/%d.csv.gz", i))
	}
	var said bytes.Buffer
	wrote(&said, files)
	if n := strings.Count(said.String(), "\n"); n != 3 || !strings.Contains(said.String(), "(30 files)") || !strings.Contains(said.String(), "report.html") {
		t.Error(said.String())
	}
}
