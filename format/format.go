package format

import (
	"io/fs"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Format is one kind of file.
type Format struct {
	Name       string   // short and stable, for example eyelink-asc
	Title      string   // for people, for example EyeLink ASC
	Extensions []string // usual file name endings with the dot; a hint, never proof

	// Detect says how well the beginning of a file fits. It must not keep h.
	Detect func(h Head) Match

	// Read streams the recordings of a file in pieces. nil: the format is
	// recognised in order to be refused with Hint.
	Read func(in *Input, o Options) gaze.Seq

	// Hint says what to do with a file of a format that is not read.
	Hint string

	// Foreign: no eye tracker's, so that in a folder that nobody has described
	// such a file is probably no recording.
	Foreign bool
}

// Opener streams the recordings of one file of a file system; format/all has
// the usual one.
type Opener func(fsys fs.FS, name string, o Options) gaze.Seq

// Scores of a [Match]. A file belongs to the format with the highest score; a
// tie at the top is ambiguous and refused.
const (
	No      = 0
	Maybe   = 20 // fits, but so does much else: the fallback for any table
	Likely  = 50 // several marks of the format
	Certain = 90 // a signature nothing else has
)

// Match is a format's judgement of a file's beginning.
type Match struct {
	Score int      // No to 100
	Why   []string // what was found, or what was missing where Score is No

	// Companion is set for a file that belongs to the format but is read
	// together with another one (its name) and holds no recording by itself.
	Companion string
}

// Options say how to read a file. The zero value reads what the file states.
type Options struct {
	// Format is the name of the reader to use; empty = detect.
	Format string

	// Mapping says what a table's columns mean; nil = recognise usual names.
	Mapping *Mapping

	// Known is what the caller knows better than the file, for example a
	// participant from a folder's name: its non-zero fields replace the file's.
	Known gaze.Header

	// Want chooses recordings by their header before they are built; nil = all.
	// The header is valid during the call only.
	Want func(h *gaze.Header) bool

	// BlinkPad is how long before and after a blink that the file states samples
	// count as lost, besides those within it. Readers without it say so.
	BlinkPad time.Duration

	// Report collects what was dropped and what was odd; nil = not wanted.
	Report *Report
}

// Wanted applies Known to a header and reports whether Want takes it.
func (o *Options) Wanted(h *gaze.Header) bool {
	o.apply(h)
	return o.Want == nil || o.Want(h)
}

func (o *Options) apply(h *gaze.Header) {
	k := &o.Known
	for _, f := range [...]struct {
		to   *string
		from string
	}{
		{&h.Participant, k.Participant}, {&h.Session, k.Session}, {&h.Task, k.Task},
		{&h.Trial, k.Trial}, {&h.Stimulus, k.Stimulus}, {&h.Format, k.Format},
	} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if k.Rate > 0 {
		h.Rate = k.Rate
	}
	if k.Unit != gaze.UnitUnknown {
		h.Unit = k.Unit
	}
	if k.PupilUnit != gaze.PupilUnknown {
		h.PupilUnit = k.PupilUnit
	}
	if k.Frame != gaze.OnScreen {
		h.Frame = k.Frame
	}
	mergeScreen(&h.Screen, k.Screen)
}

// mergeScreen replaces in s what k knows, side by side: a size in pixels does
// not erase a viewing distance.
func mergeScreen(s *gaze.Screen, k gaze.Screen) {
	if k.Known() {
		s.Width, s.Height = k.Width, k.Height
	}
	if k.WidthCm > 0 {
		s.WidthCm = k.WidthCm
	}
	if k.HeightCm > 0 {
		s.HeightCm = k.HeightCm
	}
	if k.DistanceCm > 0 {
		s.DistanceCm = k.DistanceCm
	}
	if k.FieldWidthDeg > 0 {
		s.FieldWidthDeg, s.FieldHeightDeg = k.FieldWidthDeg, k.FieldHeightDeg
	}
	if k.Origin != gaze.TopLeft {
		s.Origin = k.Origin
	}
}
