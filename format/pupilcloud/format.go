package pupilcloud

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of gaze, in the scene video or mapped.
func Format() format.Format {
	return format.Format{
		Name: "pupil-cloud", Title: "Pupil Cloud (Invisible, Neon)", Extensions: []string{".csv"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, &o, yield) }
		},
	}
}

// Fixations returns the format of fixations.csv as a list of fixations.
func Fixations() format.Format {
	return format.Format{
		Name: "pupil-cloud-fixations", Title: "Pupil Cloud fixations", Extensions: []string{".csv"},
		Detect: detectFixations,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { readFixations(in, o, yield) }
		},
	}
}

const (
	stampColumn = "timestamp [ns]"
	startColumn = "start timestamp [ns]"
	endColumn   = "end timestamp [ns]"
)

// place is a pair of columns with positions and what they are.
type place struct {
	x, y     string
	detected string // column that says whether the gaze was on it; empty = none
	unit     gaze.Unit
	frame    gaze.Frame
	why      string
}

var gazePlaces = [...]place{
	{"gaze x [px]", "gaze y [px]", "", gaze.Pixels, gaze.InWorld, "gaze in the scene video"},
	{"gaze position on surface x [normalized]", "gaze position on surface y [normalized]", "gaze detected on surface",
		gaze.Normalized, gaze.OnScreen, "gaze mapped to a surface"},
	{"gaze position in reference image x [px]", "gaze position in reference image y [px]", "gaze detected in reference image",
		gaze.Pixels, gaze.OnScreen, "gaze mapped to a picture"},
}

var fixationPlaces = [...]place{
	{"fixation x [px]", "fixation y [px]", "", gaze.Pixels, gaze.InWorld, "fixations"},
	{"fixation x [normalized]", "fixation y [normalized]", "fixation detected on surface", gaze.Normalized, gaze.OnScreen, "fixations mapped to a surface"},
}

// look splits the header line.
func look(text []byte) []string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\r"))
	var columns []string
	for _, f := range format.SplitFields(nil, line, ',') {
		columns = append(columns, strings.TrimSpace(string(f)))
	}
	return columns
}

// index returns a column's place; -1 if there is none, or no name to look for.
func index(columns []string, name string) int {
	if name == "" {
		return -1
	}
	return slices.Index(columns, name)
}

// choose returns the places whose columns, and stamp, are there.
func choose(columns []string, stamp string, places []place) (place, bool) {
	if slices.Contains(columns, stamp) {
		for _, p := range places {
			if slices.Contains(columns, p.x) && slices.Contains(columns, p.y) {
				return p, true
			}
		}
	}
	return place{}, false
}

func (p place) match(stamp string) format.Match {
	return format.Match{Score: 95, Why: []string{p.why + ": columns " + stamp + ", " + p.x + ", " + p.y}}
}

var (
	notOurs      = format.Match{Why: []string{"no header line with " + stampColumn + " and gaze x [px] (or gaze position on surface, in reference image)"}}
	notFixations = format.Match{Why: []string{"no header line with " + startColumn + " and fixation x"}}
)

// companions are columns of the other files of an export.
var companions = [...]string{"gyro x [deg/s]", "pupil diameter left [mm]", "blink id", "saccade id", "recording id"}

func detect(h format.Head) format.Match {
	columns := look(h.Text)
	if p, ok := choose(columns, stampColumn, gazePlaces[:]); ok {
		return p.match(stampColumn)
	}
	if _, ok := choose(columns, startColumn, fixationPlaces[:]); ok {
		return notOurs
	}
	if slices.Contains(columns, stampColumn) || slices.Contains(columns, startColumn) {
		for _, c := range companions {
			if slices.Contains(columns, c) {
				return format.Match{Score: 95, Why: []string{"stamps in ns and the column " + c + ", but no gaze"}, Companion: "gaze.csv"}
			}
		}
	}
	return notOurs
}

func detectFixations(h format.Head) format.Match {
	if p, ok := choose(look(h.Text), startColumn, fixationPlaces[:]); ok {
		return p.match(startColumn)
	}
	return notFixations
}

// refuse says why a file that was named this format cannot be read.
func refuse(in *format.Input, m format.Match) error {
	if len(in.Head().Raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	return &format.SyntaxError{File: in.Name, Line: 1, Msg: m.Why[0]}
}
