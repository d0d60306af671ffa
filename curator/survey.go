package curator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Survey is what one reading of a data set finds, for the curator: counts are
// exact. Names of people are counted, not kept.
type Survey struct {
	Files      []format.Summary `json:"files"`
	Beside     []string         `json:"beside"`     // files that are read as part of another
	Others     []string         `json:"others"`     // files that the Definition does not take for recordings
	Recordings int              `json:"recordings"` // trials
	People     int              `json:"people"`     // different participants; 0 = nothing says who was recorded
	Sessions   int              `json:"sessions"`   // different sessions of them
	Nameless   int              `json:"nameless"`   // recordings of nobody named
	Stimuli    []string         `json:"stimuli"`    // as the data have them
	Failed     int              `json:"failed"`     // files with an error
}

// Survey reads every file once. progress is told how many of how many files
// were read; it may be nil. Files that cannot be read are listed with their
// error; it is an error only when none can.
func (d *Data) Survey(ctx context.Context, progress func(done, total int)) (*Survey, error) {
	files, err := d.Folder.Files()
	if err != nil {
		return nil, err
	}
	s := &Survey{Beside: []string{}}
	seen := census{people: map[string]bool{}, sessions: map[string]bool{}}
	var first error
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i, len(files))
		}
		if err := d.surveyFile(ctx, file, s, &seen); err != nil && first == nil {
			first = err
		}
	}
	if s.Others, err = d.others(files, s.Beside); err != nil {
		return nil, err
	}
	s.People, s.Sessions = len(seen.people), len(seen.sessions)
	if s.Stimuli, err = d.Folder.Stimuli(); err != nil { // in the data's own order
		s.Stimuli = []string{}
	}
	if s.Failed == len(s.Files) {
		return s, first
	}
	return s, ctx.Err()
}

// census tells people and sessions apart.
type census struct{ people, sessions map[string]bool }

func (c *census) add(h *gaze.Header, s *Survey) {
	s.Recordings++
	if h.Participant == "" {
		s.Nameless++
		return
	}
	c.people[strings.Clone(h.Participant)] = true
	c.sessions[strings.Clone(unitKey(h, true))] = true
}

func (d *Data) surveyFile(ctx context.Context, file dataset.File, s *Survey, seen *census) error {
	report := new(format.Report)
	pieces := d.Folder.Open(d.Folder.FS, file.Path, d.options(file, report))
	tapped := func(yield func(*gaze.Recording, error) bool) {
		for r, err := range pieces {
			if err == nil && !r.Continues {
				seen.add(&r.Header, s)
			}
			if err == nil {
				err = ctx.Err()
			}
			if !yield(r, err) || ctx.Err() != nil {
				return
			}
		}
	}
	summary, err := format.Summarize(tapped, report)
	if refused, ok := errors.AsType[*format.RefusedError](err); ok && refused.Beside {
		s.Beside = append(s.Beside, file.Path)
		return nil
	}
	if err != nil {
		s.Failed++
	}
	summary.File = file.Path
	s.Files = append(s.Files, summary)
	return err
}

func (d *Data) options(file dataset.File, report *format.Report) format.Options {
	def := &d.Folder.Definition
	return format.Options{Format: def.Format, Mapping: def.Mapping, Known: file.Known, Report: report}
}

// others lists the files that are no recordings.
func (d *Data) others(files []dataset.File, beside []string) ([]string, error) {
	others := []string{}
	err := fs.WalkDir(d.Folder.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		known := slices.ContainsFunc(files, func(f dataset.File) bool { return f.Path == name }) || slices.Contains(beside, name)
		if !known && len(others) < maxOthers {
			others = append(others, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("curator: the folder cannot be listed: %w", pathless(err))
	}
	return others, nil
}

// maxOthers bounds what is listed of a folder that holds other things as well.
const maxOthers = 500

// Recording reads recording n, counted from 0, of a file of the data set, for
// the curator's eyes only. It stops after about most samples.
func (d *Data) Recording(ctx context.Context, path string, n, most int) (*gaze.Recording, error) {
	files, err := d.Folder.Files()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f dataset.File) bool { return f.Path == path })
	if i < 0 {
		return nil, errNoRecording
	}
	pieces := d.Folder.Open(d.Folder.FS, path, d.options(files[i], new(format.Report)))
	for r, err := range gaze.Join(nth(ctx, pieces, n, most)) {
		if r != nil {
			r.Screen = d.complete(&r.Header)
		}
		return r, err
	}
	return nil, errNoRecording
}

var errNoRecording = errors.New("curator: the data hold no such recording")

// nth passes the pieces of one recording, and errors before it ends.
func nth(ctx context.Context, pieces gaze.Seq, n, most int) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		at, samples := -1, 0
		for r, err := range pieces {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !r.Continues {
				at++
			}
			if at > n || samples >= most {
				return
			}
			if at == n && !yield(r, nil) {
				return
			}
			if at == n {
				samples += r.Samples.Len()
			}
		}
	}
}
