package all

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gazeward/gazeward/format"
)

// Inspect reads a file, or every file of a folder and its subfolders, and
// describes each. For a single file an unreadable one is an error; in a folder
// it is a Summary with Error set, and Inspect fails only if nothing there could
// be read.
func Inspect(file string, o format.Options) ([]format.Summary, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		fsys, name, err := locate(file)
		if err != nil {
			return nil, err
		}
		s, err := inspectFile(fsys, name, o)
		s.File = filepath.Base(file)
		return []format.Summary{s}, err
	}
	return InspectFS(os.DirFS(file), o)
}

// InspectFS is [Inspect] for all files of a file system.
func InspectFS(fsys fs.FS, o format.Options) ([]format.Summary, error) {
	var all []format.Summary
	var failed []error
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s, err := inspectFile(fsys, name, o)
		if err != nil {
			failed = append(failed, err)
		}
		all = append(all, s)
		return nil
	})
	if err == nil && len(failed) == len(all) {
		err = errors.Join(failed...)
		if len(all) == 0 {
			err = errors.New("format: the folder holds no files")
		}
	}
	return all, err
}

func inspectFile(fsys fs.FS, name string, o format.Options) (format.Summary, error) {
	o.Report = new(format.Report)
	s, err := format.Summarize(StreamFS(fsys, name, o), o.Report)
	s.File = name
	return s, err
}
