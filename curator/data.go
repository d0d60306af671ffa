package curator

import (
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // stimulus pictures
	_ "image/jpeg" // stimulus pictures
	_ "image/png"  // stimulus pictures
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	formats "github.com/gazeward/gazeward/format/all"
	"github.com/gazeward/gazeward/gaze"
)

// DataOptions say how a path becomes a data set.
type DataOptions struct {
	Dataset     string // name of a Definition, or a YAML file with one; empty = match the layout, else sniff every file
	Mapping     string // YAML file: what the columns of a table mean
	Participant string // pattern of file names, for example S{participant}_{session}.tsv
	Screen      gaze.Screen
	BlinkPad    time.Duration // samples so close to a blink are lost, where the reader can
}

// Data is an opened data set.
type Data struct {
	Folder dataset.Folder
	Name   string   // of the account: the Definition's name, or "unnamed"
	Why    []string // how the Definition was found
	Report *format.Report
	screen gaze.Screen
	people []string // once they are known
}

// Unnamed is the account name of data that no Definition describes.
const Unnamed = "unnamed"

// OpenData opens a file or a folder.
func OpenData(path string, o DataOptions) (*Data, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("curator: cannot open the data: %w", pathless(err))
	}
	d := &Data{Name: Unnamed, Report: new(format.Report), screen: o.Screen}
	if o.BlinkPad < 0 || o.BlinkPad > time.Second {
		return nil, refusal(fmt.Errorf("curator: the pad around blinks must be from 0 to 1s, got %v", o.BlinkPad))
	}
	d.Folder = dataset.Folder{Open: formats.StreamFS, Report: d.Report, BlinkPad: o.BlinkPad}
	if info.IsDir() {
		d.Folder.FS = os.DirFS(path)
		err = d.define(o)
	} else {
		d.Folder.FS = oneFile{os.DirFS(filepath.Dir(path)), filepath.Base(path)}
		err = d.defineFile(o, filepath.Base(path))
	}
	if err == nil && o.Mapping != "" {
		err = d.applyMapping(o.Mapping)
	}
	return d, err
}

// oneFile is a folder in which nothing but one file is found: its neighbours
// and everything below them are not looked at. Readers that know a file beside
// it by name still open it.
type oneFile struct {
	fs.FS
	name string
}

// ReadDir lists the file; it is [fs.ReadDirFS].
func (f oneFile) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	info, err := fs.Stat(f.FS, f.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}

// pathless removes the path from an error of the file system: it may name a
// participant.
func pathless(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	if e, ok := err.(*os.LinkError); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}

func (d *Data) define(o DataOptions) (err error) {
	switch {
	case o.Dataset != "":
		d.Folder.Definition, err = Definition(o.Dataset)
		d.Why = []string{"named on the command line"}
	case o.Participant != "":
		d.Folder.Definition, err = patternDefinition(o.Participant)
		d.Why = []string{"pattern of file names"}
	default:
		err = d.match()
	}
	if err == nil && d.Folder.Definition.Name != "" {
		d.Name = d.Folder.Definition.Name
	}
	return err
}

// match compares the layout with all Definitions; a folder that fits none is
// read file by file, each sniffed by itself.
func (d *Data) match() error {
	found, tried, err := dataset.Match(d.Folder.FS)
	for _, c := range tried {
		d.Why = append(d.Why, c.Name+": "+c.Why)
	}
	if err != nil {
		found = dataset.Definition{Name: Unnamed, Title: "files without a Definition", Files: []string{"**"}}
		d.Why = append(d.Why, "no Definition fits: every file is read by itself")
	}
	d.Folder.Definition = found
	if _, err := d.Folder.Files(); err != nil {
		return errors.New("curator: the folder holds no files")
	}
	return nil
}

func (d *Data) defineFile(o DataOptions, base string) error {
	d.Folder.Definition = dataset.Definition{Name: Unnamed, Title: "one file", Files: []string{literal(base)}}
	d.Why = []string{"a single file"}
	if o.Dataset != "" {
		def, err := Definition(o.Dataset)
		def.Files, def.Requires = []string{literal(base)}, nil
		d.Folder.Definition, d.Name = def, def.Name
		return err
	}
	if o.Participant != "" {
		def, err := patternDefinition(o.Participant)
		d.Folder.Definition = def
		return err
	}
	return nil
}

// literal is a pattern that fits one file name: the pattern's special
// characters cannot be written, so that part of the name fits anything.
func literal(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("{}*", r) {
			return '*'
		}
		return r
	}, name)
}

// Definition returns a data set's definition by its name, or from a YAML file:
// one of ours or of pymovements.
func Definition(name string) (dataset.Definition, error) {
	if ext := strings.ToLower(filepath.Ext(name)); ext == ".yaml" || ext == ".yml" {
		text, err := os.ReadFile(name)
		if err != nil {
			return dataset.Definition{}, fmt.Errorf("curator: cannot read the definition: %w", pathless(err))
		}
		def, err := dataset.ParseDefinition(text)
		return def, refusal(err)
	}
	def, err := dataset.ByName(name)
	return def, refusal(err)
}

func patternDefinition(pattern string) (dataset.Definition, error) {
	def, err := dataset.FromPattern(pattern)
	def.Name = Unnamed
	return def, refusal(err)
}

func (d *Data) applyMapping(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("curator: cannot read the mapping: %w", pathless(err))
	}
	m, err := format.ParseMapping(text)
	if err == nil {
		d.Folder.Definition.Mapping = m
		d.Folder.Definition.Notes = append(d.Folder.Definition.Notes, m.Notes...)
	}
	return refusal(err)
}

// refusal marks what was typed wrong, whatever the data.
func refusal(err error) error {
	if err != nil {
		err = &RefusedError{err}
	}
	return err
}

// aside is the same data with a report of its own: what is looked through
// before the recordings are read must not be counted twice.
func (d *Data) aside() *Data {
	c := *d
	c.Report = new(format.Report)
	c.Folder.Report = c.Report
	return &c
}

// Recordings streams the wanted recordings; the screen given by the user
// replaces what files leave unknown.
func (d *Data) Recordings(ctx context.Context, want func(*gaze.Header) bool) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for r, err := range d.Folder.Recordings(want) {
			if err == nil {
				err = ctx.Err()
			}
			if r != nil {
				r.Screen = d.complete(&r.Header)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// complete fills in what the user knows of the screen. For directions in the
// world its size in pixels is that of a panorama all around.
func (d *Data) complete(h *gaze.Header) gaze.Screen {
	s, u := h.Screen, d.screen
	if u.Known() && !s.Known() && h.Frame == gaze.InWorld && (h.Unit == gaze.Degrees || h.Unit == gaze.Radians) {
		return gaze.Screen{Width: u.Width, Height: u.Height, Origin: gaze.Center, FieldWidthDeg: 360, FieldHeightDeg: 180}
	}
	if u.Known() {
		s.Width, s.Height = u.Width, u.Height
	}
	if u.WidthCm > 0 {
		s.WidthCm, s.HeightCm = u.WidthCm, u.HeightCm
	}
	if u.DistanceCm > 0 {
		s.DistanceCm = u.DistanceCm
	}
	return s
}

// Units lists the protected units in the data: participants, or their sessions.
func (d *Data) Units(ctx context.Context, recording bool) ([]string, error) {
	if recording {
		return d.sessions(ctx)
	}
	if d.people != nil {
		return d.people, nil
	}
	people, err := d.Folder.Participants()
	if err == nil && len(people) == 0 {
		err = errors.New("curator: nothing in the data says who was recorded: give --participant 'S{participant}_{session}.tsv' or a mapping with a participant")
	}
	if err == nil {
		d.people = people
	}
	return people, err
}

func (d *Data) sessions(ctx context.Context) ([]string, error) {
	seen, list := map[string]bool{}, []string{}
	for r, err := range d.aside().Recordings(ctx, func(*gaze.Header) bool { return true }) {
		if err != nil {
			return nil, err
		}
		if key := unitKey(&r.Header, true); r.Participant != "" && !seen[key] {
			seen[key] = true
			list = append(list, key)
		}
	}
	return list, nil
}

// unitKey says whom a recording belongs to.
func unitKey(h *gaze.Header, recording bool) string {
	if !recording {
		return strings.Clone(h.Participant)
	}
	return h.Participant + "\x00" + h.Session
}

// Stimulus returns the picture of a stimulus, nil when there is none.
func (d *Data) Stimulus(name string) image.Image {
	path, err := d.Folder.StimulusPath(name)
	if err != nil {
		return nil
	}
	f, err := d.Folder.FS.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		return nil
	}
	return img
}
