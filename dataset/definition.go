package dataset

import (
	"io/fs"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Definition is one data set.
type Definition struct {
	Name  string `yaml:"name"`  // short and stable, for --dataset
	Title string `yaml:"title"` // for people

	// Files finds the recordings: patterns relative to the folder, whose fields
	// participant, session, task, trial, stimulus and order say who and what
	// ([format.Pattern]).
	Files []string `yaml:"files"`

	// Fields make participant, session, task, trial and stimulus of other fields
	// of Files: {session: '{round}-{half}'}.
	Fields map[string]string `yaml:"fields,omitempty"`
	// Requires are patterns of files that must be there for Match besides at
	// least one of Files.
	Requires []string `yaml:"requires,omitempty"`

	Format  string                `yaml:"format,omitempty"`  // reader's name; empty = detect
	Mapping *format.Mapping       `yaml:"mapping,omitempty"` // of a table or a MATLAB file
	Screen  *format.ScreenMapping `yaml:"screen,omitempty"`  // what is known of the screen and not in the files

	Stimuli string   `yaml:"stimuli,omitempty"` // template of a stimulus picture's path: stimuli/{stimulus}
	Labels  []Label  `yaml:"labels,omitempty"`
	Notes   []string `yaml:"notes,omitempty"` // quirks a user should know
	Source  string   `yaml:"source,omitempty"`
	Licence string   `yaml:"licence,omitempty"`
}

// Label is a class of recordings for experiments, taken out of a header field
// by a pattern.
type Label struct {
	Name    string            `yaml:"name"`
	Of      string            `yaml:"of"`                // participant, session, task, trial or stimulus
	Pattern string            `yaml:"pattern,omitempty"` // with a field {label}; empty = the whole text
	Values  map[string]string `yaml:"values,omitempty"`  // what a found text means; others are no label
}

// Folder is a data set in a file system.
type Folder struct {
	Definition Definition
	FS         fs.FS
	Open       format.Opener
	Report     *format.Report // of all its files; may be nil
	BlinkPad   time.Duration  // see [format.Options]

	spelled bool // alike names are counted
}

// File is one file of a data set with what its path says.
type File struct {
	Path  string
	Known gaze.Header
}
