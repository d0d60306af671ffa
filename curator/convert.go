package curator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/format/bids"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/feather"
	"github.com/gazeward/gazeward/format/parquet"
	"github.com/gazeward/gazeward/gaze"
)

// Convert writes recordings in another format, for work on the curator's side:
// names become pseudonyms and times count from the recording's start, but the
// gaze is that of the people, unprotected.
type Convert struct {
	Data  *Data // required
	Home  Home  // holds the key of the pseudonyms; required
	Out   string
	Force bool
	// To is csv, parquet, feather or bids; empty = by Out's ending. CSV is
	// compressed where Out ends in .gz; bids makes the folder Out.
	To      string
	Program string // name and version, for BIDS' GeneratedBy
}

// Formats that Convert writes.
var convertFormats = map[string]string{".csv": "csv", ".parquet": "parquet", ".feather": "feather", ".arrow": "feather"}

// target says in which format, and under which names, the tables go.
func (c Convert) target() (to, samples, events, sidecar string, err error) {
	if c.Out == "" {
		return "", "", "", "", errors.New("curator: no output file: give -o")
	}
	stem := canonical.Stem(c.Out)
	ending := strings.TrimPrefix(c.Out, stem)
	if to = c.To; to == "" {
		to = convertFormats[strings.TrimSuffix(strings.ToLower(ending), ".gz")]
	}
	if to != "csv" && to != "parquet" && to != "feather" {
		what := "cannot tell the output's format"
		if c.To != "" {
			what = fmt.Sprintf("there is no output format %q", c.To)
		}
		return "", "", "", "", fmt.Errorf("curator: %s: end it in .csv, .csv.gz, .parquet or .feather, or give --to csv, parquet, feather or bids", what)
	}
	return to, c.Out, stem + "_events" + ending, stem + ".json", nil
}

// Run reads the recordings twice: once for what the table has to hold, once to
// write it, so that memory does not grow with their length. It returns the
// files it wrote.
func (c Convert) Run(ctx context.Context) ([]string, error) {
	if c.To == "bids" {
		return c.runBIDS(ctx)
	}
	to, samples, events, sidecar, err := c.target()
	if err != nil {
		return nil, &RefusedError{err}
	}
	outputs := []string{samples, events}
	if to == "csv" {
		outputs = append(outputs, sidecar)
	}
	for _, name := range outputs {
		if err := c.free(name); err != nil {
			return nil, err
		}
	}
	pieces, err := c.anonymous(ctx)
	if err != nil {
		return nil, err
	}
	survey, err := canonical.Look(pieces())
	if err != nil {
		return nil, err
	}
	if !survey.Samples && !survey.Events {
		return nil, errors.New("curator: the recordings hold neither samples nor events, so there is nothing to write")
	}
	files := &files{}
	defer files.discard()
	if err := c.write(to, survey, pieces(), files, samples, events); err != nil {
		return nil, err
	}
	if to == "csv" {
		if err := writeSidecars(survey, files, sidecar, events); err != nil {
			return nil, err
		}
	}
	return files.commit()
}

// free reports a file that is in the way of an output.
func (c Convert) free(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil // it is not there, or writing it will say why not
	case info.IsDir():
		return &RefusedError{fmt.Errorf("curator: %s is a folder: give the name of a file", filepath.Base(name))}
	case !c.Force:
		return fmt.Errorf("%w: %s", ErrExists, filepath.Base(name))
	}
	return nil
}

// anonymous streams the recordings under pseudonyms, from the beginning each
// time it is called.
func (c Convert) anonymous(ctx context.Context) (func() gaze.Seq, error) {
	pseudonym, err := c.Home.Pseudonyms()
	data := c.Data
	return func() gaze.Seq {
		pieces := canonical.Names{Pseudonym: pseudonym}.Anonymous(data.Recordings(ctx, nil))
		data = c.Data.aside() // what is odd is counted once
		return pieces
	}, err
}

// runBIDS writes a BIDS derivative into a new folder, complete or not at all.
func (c Convert) runBIDS(ctx context.Context) ([]string, error) {
	if c.Out == "" {
		return nil, &RefusedError{errors.New("curator: no output folder: give -o")}
	}
	if entries, err := os.ReadDir(c.Out); len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &RefusedError{errors.New("curator: the output exists: BIDS is written into a new or empty folder")}
	}
	pieces, err := c.anonymous(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(c.Out), 0o755); err != nil {
		return nil, fmt.Errorf("curator: cannot make the output's parent: %w", pathless(err))
	}
	dir, err := os.MkdirTemp(filepath.Dir(c.Out), ".part-*")
	if err != nil {
		return nil, fmt.Errorf("curator: cannot write beside the output: %w", pathless(err))
	}
	defer os.RemoveAll(dir)
	if err := c.fillBIDS(dir, pieces()); err != nil {
		return nil, err
	}
	if err = os.Remove(c.Out); err == nil || errors.Is(err, fs.ErrNotExist) { // it was empty
		err = os.Rename(dir, c.Out)
	}
	if err != nil {
		return nil, fmt.Errorf("curator: cannot put the output into its place: %w", pathless(err))
	}
	return []string{c.Out}, nil
}

// fillBIDS writes the recordings into a folder.
func (c Convert) fillBIDS(dir string, pieces gaze.Seq) error {
	w := bids.NewWriter(func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}, c.Program)
	for r, err := range pieces {
		if err == nil {
			err = w.Add(r)
		}
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if w.Written == 0 {
		return errors.New("curator: no recording has samples of positions, so BIDS has no place for them")
	}
	c.Data.Report.CountSome("recording without samples of positions, for which BIDS has no place (left out)", w.Skipped)
	return nil
}

// write makes the tables that are not empty.
func (c Convert) write(to string, s *canonical.Survey, pieces gaze.Seq, f *files, samples, events string) error {
	var rows, marks io.Writer
	var err error
	if s.Samples {
		if rows, err = f.create(samples); err != nil {
			return err
		}
	}
	if s.Events {
		if !s.Samples {
			events = samples // the only table has the name that was asked for
		}
		if marks, err = f.create(events); err != nil {
			return err
		}
	}
	name := ""
	if s.Samples && s.Events {
		name = filepath.Base(events)
	}
	var w canonical.Writer
	switch to {
	case "parquet":
		w, err = parquet.NewWriter(rows, marks, name, s)
	case "feather":
		w, err = feather.NewWriter(rows, marks, name, s)
	default:
		w, err = canonical.NewCSV(rows, marks, s)
	}
	if err != nil {
		return err
	}
	return canonical.Copy(w, pieces)
}

// writeSidecars puts units and geometry beside tables of text.
func writeSidecars(s *canonical.Survey, f *files, sidecar, events string) error {
	kind, name := "samples", ""
	if !s.Samples {
		kind = "events"
	} else if s.Events {
		name = filepath.Base(events)
	}
	text, err := s.Sidecar(kind, name)
	if err != nil {
		return err
	}
	w, err := f.create(sidecar)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// files are outputs being written beside their places, renamed when all are
// complete.
type files struct{ open []*file }

type file struct {
	final string
	tmp   *os.File
	zip   *gzip.Writer
}

func (f *files) create(name string) (io.Writer, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, fmt.Errorf("curator: cannot make the output's folder: %w", pathless(err))
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return nil, fmt.Errorf("curator: cannot write the output: %w", pathless(err))
	}
	o := &file{final: name, tmp: tmp}
	f.open = append(f.open, o)
	if strings.HasSuffix(name, ".gz") {
		o.zip = gzip.NewWriter(tmp)
		return o.zip, nil
	}
	return tmp, nil
}

// commit closes and renames all files. They hold people's gaze: mode 0600.
func (f *files) commit() ([]string, error) {
	var names []string
	for _, o := range f.open {
		var err error
		if o.zip != nil {
			err = o.zip.Close()
		}
		if err = errors.Join(err, o.tmp.Sync(), o.tmp.Close()); err != nil {
			return nil, fmt.Errorf("curator: cannot write the output: %w", pathless(err))
		}
	}
	for _, o := range f.open {
		if err := os.Rename(o.tmp.Name(), o.final); err != nil {
			return names, fmt.Errorf("curator: cannot put the output into its place: %w", pathless(err))
		}
		names = append(names, o.final)
	}
	f.open = nil
	return names, nil
}

func (f *files) discard() {
	for _, o := range f.open {
		_ = o.tmp.Close()
		_ = os.Remove(o.tmp.Name())
	}
}
