package curator

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/manifest"
)

// ErrExists is returned, before anything is charged, when the output is there.
var ErrExists = errors.New("curator: the output exists")

// staging is a release being written: in a temporary folder beside its place,
// renamed when it is complete, so that nobody ever sees half of it.
type staging struct {
	final, dir string // absolute
	shown      string // final as it was typed
	force      bool
	outputs    []manifest.Output
}

// stage makes the temporary folder, which also shows that the place can be
// written before anything is charged.
func stage(final string, force bool) (*staging, error) {
	if final == "" {
		return nil, errors.New("curator: no output folder: give -o")
	}
	shown := filepath.Clean(final)
	final, err := filepath.Abs(final) // "." and ".." cannot be renamed
	if err != nil {
		return nil, err
	}
	if err := replaceable(final, force); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return nil, fmt.Errorf("curator: cannot make the output's parent: %w", unplaced(err))
	}
	dir, err := os.MkdirTemp(filepath.Dir(final), "."+filepath.Base(final)+".part-*")
	if err != nil {
		return nil, fmt.Errorf("curator: cannot write beside the output: %w", unplaced(err))
	}
	return &staging{final: final, shown: shown, dir: dir, force: force}, nil
}

// replaceable refuses to overwrite without force, and with force anything that
// is neither empty nor a release.
func replaceable(final string, force bool) error {
	info, err := os.Stat(final)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("curator: cannot write there: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%w and is no folder", ErrExists)
	case !force:
		return ErrExists
	}
	return onlyRelease(final)
}

// onlyRelease refuses a folder that holds anything but a release: what else
// lies there was put there by somebody and would be lost.
func onlyRelease(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("curator: cannot look into the output folder: %w", err)
	}
	if len(entries) == 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, manifest.FileName))
	if err != nil {
		return fmt.Errorf("%w and holds no release: it is not overwritten", ErrExists)
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return fmt.Errorf("%w and its manifest cannot be read: it is not overwritten", ErrExists)
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("curator: cannot look into the output folder: %w", err)
		}
		rel, err := filepath.Rel(dir, name)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil || rel == "." || rel == manifest.FileName:
			return err
		case slices.Contains(m.Excluded, rel) && d.IsDir():
			return fs.SkipDir
		case slices.ContainsFunc(m.Outputs, func(o manifest.Output) bool {
			return o.Path == rel && !d.IsDir() || strings.HasPrefix(o.Path, rel+"/") && d.IsDir()
		}):
			return nil
		}
		return fmt.Errorf("%w and holds %s, which is no part of the release there: it is not overwritten", ErrExists, rel)
	})
}

// file writes one file of the release.
func (s *staging) file(name, schema string, write func(io.Writer) error) error {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if dir := filepath.Dir(path); dir != s.dir { // one level deep, and never the staging folder itself
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	for _, step := range [...]func() error{func() error { return write(f) }, f.Sync, f.Close} {
		if err := step(); err != nil {
			_ = f.Close()
			return fmt.Errorf("curator: writing %s: %w", name, unplaced(err))
		}
	}
	s.outputs = append(s.outputs, manifest.Output{Path: name, Schema: manifest.Text(schema)})
	return nil
}

// unplaced is what an error of the file system says without paths, and once.
func unplaced(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}

// spare is how much room the disk must have before anything is charged.
const spare = 4 << 20

// room fails where the disk cannot take a release of some size: a disk that is
// full after the charge costs the charge.
func (s *staging) room() error {
	f, err := os.CreateTemp(s.dir, ".room-*")
	if err != nil {
		return fmt.Errorf("curator: cannot write beside the output: %w", unplaced(err))
	}
	defer os.Remove(f.Name())
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i * i >> 3) // what file systems do not squeeze
	}
	for n := 0; n < spare && err == nil; n += len(block) {
		_, err = f.Write(block)
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		_ = f.Close()
		return fmt.Errorf("curator: the disk has no room for a release (%d MiB were tried), nothing was charged: %w", spare>>20, unplaced(err))
	}
	return nil
}

// commit puts the folder into its place.
func (s *staging) commit() error {
	if err := os.Chmod(s.dir, 0o755); err != nil {
		return err
	}
	old := s.dir + ".old"
	if err := replaceable(s.final, s.force); err != nil {
		return err // it came into being while this one was made
	}
	err := os.Rename(s.final, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("curator: cannot replace the output: %w", err)
	}
	if err := os.Rename(s.dir, s.final); err != nil {
		return errors.Join(fmt.Errorf("curator: cannot put the output into its place: %w", err), restore(old, s.final))
	}
	return os.RemoveAll(old)
}

func restore(old, final string) error {
	if err := os.Rename(old, final); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// discard removes what was staged; after commit it does nothing.
func (s *staging) discard() { _ = os.RemoveAll(s.dir) }
