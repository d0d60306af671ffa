package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Files lists the files that hold recordings, in lexical order, with what
// their paths say about them.
func (f *Folder) Files() ([]File, error) {
	names, err := list(f.FS)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range names {
		if known, ok := f.Definition.read(name); ok {
			files = append(files, File{name, known})
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("dataset: %s: no file fits %s", f.Definition.Name, strings.Join(f.Definition.Files, " or "))
	}
	return files, nil
}

// read takes a path's fields.
func (d *Definition) read(name string) (gaze.Header, bool) {
	for _, text := range d.Files {
		p, err := format.ParsePattern(text)
		if err != nil {
			continue
		}
		fields := fits(p, name)
		if fields == nil {
			continue
		}
		return d.header(fields), true
	}
	return gaze.Header{}, false
}

// header is what the fields of a path say.
func (d *Definition) header(fields map[string]string) gaze.Header {
	var h gaze.Header
	for key, value := range fields {
		if to, ok := field(&h, key); ok {
			*to = value
		}
	}
	for key, template := range d.Fields {
		to, ok := field(&h, key)
		if v, err := format.Expand(template, fields); ok && err == nil { // checked with the definition
			*to = v
		}
	}
	h.Screen, _ = d.Screen.Screen() // checked with the definition
	return h
}

// Recordings streams all recordings in pieces, file by file, with what the
// path says filled in. want chooses by header, before anything is built; nil
// takes all. A file without a sample or event is skipped and counted (if all
// are, that is an error); any other error is passed on, and the next file
// follows. Nothing is yielded where want takes nothing: say so to the user.
func (f *Folder) Recordings(want func(*gaze.Header) bool) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		files, err := f.Files()
		if err != nil {
			yield(nil, err)
			return
		}
		empty := 0
		for _, file := range files {
			if !f.stream(file, want, yield, &empty) {
				return
			}
		}
		if empty == len(files) {
			yield(nil, fmt.Errorf("dataset: %s: %w in any of %d files", f.Definition.Name, format.ErrEmpty, empty))
		}
	}
}

func (f *Folder) stream(file File, want func(*gaze.Header) bool, yield func(*gaze.Recording, error) bool, empty *int) bool {
	if f.excluded(file, want) {
		return true
	}
	for piece, err := range f.Open(f.FS, file.Path, f.options(file, want)) {
		if why := f.skipped(err); why != "" {
			f.Report.Count(why, 1)
			*empty++
			continue
		}
		if !yield(piece, err) {
			return false
		}
	}
	return true
}

func (f *Folder) options(file File, want func(*gaze.Header) bool) format.Options {
	return format.Options{
		Format: f.Definition.Format, Mapping: f.Definition.Mapping,
		Known: file.Known, Want: want, Report: f.Report, BlinkPad: f.BlinkPad,
	}
}

// excluded spares opening a file when its path already says participant and
// stimulus and want refuses them.
func (f *Folder) excluded(file File, want func(*gaze.Header) bool) bool {
	h := file.Known
	return want != nil && h.Participant != "" && h.Stimulus != "" && !want(&h)
}

// ForStimuli is a filter for [Folder.Recordings]: recordings of the given
// stimuli, named as in the data, or without folder, or without folder and ending.
func ForStimuli(names ...string) func(*gaze.Header) bool {
	wanted := make(map[string]bool)
	for _, n := range names {
		wanted[n] = true
	}
	return func(h *gaze.Header) bool {
		base := path.Base(h.Stimulus)
		return wanted[h.Stimulus] || wanted[base] || wanted[strings.TrimSuffix(base, path.Ext(base))]
	}
}

// Participants lists the people in the data set, numbers in names in their
// order. Where paths do not say who it is, all files are read for it. Names
// that differ by case and blanks only are different people, and counted.
func (f *Folder) Participants() ([]string, error) {
	people, err := f.distinct(func(h *gaze.Header) string { return h.Participant })
	if err == nil && !f.spelled {
		f.spelled = true
		f.Report.CountSome("participant whose name differs from another's by case or blanks only (kept apart)", alike(people))
	}
	return people, err
}

// alike counts names that are others' but for case and blanks.
func alike(names []string) int {
	plain := make(map[string]bool)
	for _, n := range names {
		plain[strings.ToLower(strings.Join(strings.Fields(n), ""))] = true
	}
	return len(names) - len(plain)
}

// Stimuli lists the stimuli, like [Folder.Participants].
func (f *Folder) Stimuli() ([]string, error) {
	return f.distinct(func(h *gaze.Header) string { return h.Stimulus })
}

func (f *Folder) distinct(of func(*gaze.Header) string) ([]string, error) {
	files, err := f.Files()
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, file := range files {
		if v := of(&file.Known); v != "" {
			seen[v] = true
			continue
		}
		if err := f.collect(file, of, seen); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Keys(seen), natural), nil
}

// natural orders texts with the numbers in them by their value: 2 before 10.
func natural(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		wordA, wordB := head(restA), head(restB)
		restA, restB = restA[len(wordA):], restB[len(wordB):]
		if isDigit(wordA[0]) && isDigit(wordB[0]) {
			wordA, wordB = strings.TrimLeft(wordA, "0"), strings.TrimLeft(wordB, "0")
			if c := cmp.Compare(len(wordA), len(wordB)); c != 0 {
				return c
			}
		}
		if c := strings.Compare(wordA, wordB); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(restA), len(restB)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// head is the run of digits or of other characters with which a text begins.
func head(s string) string {
	i := 1
	for i < len(s) && isDigit(s[i]) == isDigit(s[0]) {
		i++
	}
	return s[:i]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// collect reads a file's headers only: the filter notes them and takes none.
func (f *Folder) collect(file File, of func(*gaze.Header) string, seen map[string]bool) error {
	o := f.options(file, func(h *gaze.Header) bool {
		if v := of(h); v != "" {
			seen[strings.Clone(v)] = true
		}
		return false
	})
	o.Report = nil
	for _, err := range f.Open(f.FS, file.Path, o) {
		if err != nil && f.skipped(err) == "" {
			return err
		}
	}
	return nil
}

// skipped says why a file that cannot be read is no fault of the folder; empty
// if it is one.
func (f *Folder) skipped(err error) string {
	unknown, isUnknown := errors.AsType[*format.UnknownError](err)
	switch {
	case errors.Is(err, format.ErrEmpty):
		return "file without samples and events (skipped)"
	case beside(err):
		return "file that belongs to a recording beside it (read with that)"
	case (isUnknown && unknown.Suggestion == "" || foreign(err)) && f.Definition.any():
		return "file of no known format that is no table either (skipped)"
	}
	return ""
}

// foreign reports that a file is of a program that records no gaze.
func foreign(err error) bool {
	refused, ok := errors.AsType[*format.RefusedError](err)
	return ok && refused.Foreign
}

// any reports whether the definition takes every file, because nobody has said
// which hold recordings.
func (d *Definition) any() bool { return len(d.Files) == 1 && d.Files[0] == "**" }

// beside reports that a file is no recording but part of one in its folder.
func beside(err error) bool {
	refused, ok := errors.AsType[*format.RefusedError](err)
	return ok && refused.Beside
}

// Inspect describes each file by itself.
func (f *Folder) Inspect() ([]format.Summary, error) { return f.InspectSeeing(func(*gaze.Header) {}) }

// InspectSeeing is Inspect that shows the header of each recording, valid during
// the call.
func (f *Folder) InspectSeeing(see func(*gaze.Header)) ([]format.Summary, error) {
	files, err := f.Files()
	if err != nil {
		return nil, err
	}
	var all []format.Summary
	var failed []error
	var others []error // files that belong to recordings beside them
	for _, file := range files {
		o := f.options(file, func(h *gaze.Header) bool {
			see(h)
			return true
		})
		o.Report = new(format.Report)
		s, err := format.Summarize(f.Open(f.FS, file.Path, o), o.Report)
		s.File = file.Path
		if beside(err) {
			others = append(others, err)
			continue
		}
		if err != nil {
			failed = append(failed, err)
		}
		all = append(all, s)
	}
	switch {
	case len(all) == 0:
		if len(others) == 1 {
			return nil, others[0]
		}
		return nil, fmt.Errorf("dataset: %s: %w: all %d files belong to recordings that are not there; %w", f.Definition.Name, format.ErrEmpty, len(others), others[0])
	case len(failed) == len(all):
		return all, errors.Join(failed...)
	}
	return all, nil
}

// StimulusPath returns the path of a stimulus' picture in the file system; an
// error when the definition has none or the file is not there.
func (f *Folder) StimulusPath(stimulus string) (string, error) {
	if f.Definition.Stimuli == "" {
		return "", fmt.Errorf("dataset: %s has no stimulus pictures", f.Definition.Name)
	}
	name, err := format.Expand(f.Definition.Stimuli, map[string]string{"stimulus": stimulus})
	if err != nil {
		return "", err
	}
	if !fs.ValidPath(name) {
		return "", fmt.Errorf("dataset: %s: stimulus path leaves the folder", f.Definition.Name)
	}
	if _, err := fs.Stat(f.FS, name); err != nil {
		return "", fmt.Errorf("dataset: %s: no picture of this stimulus: %w", f.Definition.Name, err)
	}
	return name, nil
}

// Label returns the class of a recording by a label's name; false when the
// definition has no such label or the recording no such class.
func (d *Definition) Label(name string, h *gaze.Header) (string, bool) {
	for i := range d.Labels {
		if d.Labels[i].Name == name {
			return d.Labels[i].of(h)
		}
	}
	return "", false
}

func (l *Label) of(h *gaze.Header) (string, bool) {
	from, ok := field(h, l.Of)
	if !ok || *from == "" {
		return "", false
	}
	value := *from
	if l.Pattern != "" {
		p, err := format.ParsePattern(l.Pattern)
		if err != nil {
			return "", false
		}
		fields, ok := p.Match(value)
		if !ok {
			return "", false
		}
		value = fields["label"]
	}
	if len(l.Values) > 0 {
		value, ok = l.Values[value]
	}
	return value, ok
}
