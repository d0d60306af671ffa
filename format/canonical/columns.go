package canonical

import (
	"math"

	"github.com/gazeward/gazeward/gaze"
)

// Piece is a piece of a recording with the recording's number in the table.
type Piece struct {
	ID int
	*gaze.Recording
}

// Column is a column of a table: how it is called and how its cells are had.
// One of Whole, Number and Text is set; they take a row's index in the piece.
// A Number that is not finite is an empty cell.
type Column struct {
	Name   string
	About  string
	Same   bool // all rows of a piece have the same cell
	Whole  func(p Piece, i int) int64
	Number func(p Piece, i int) float64
	Text   func(p Piece, i int) string
}

// SampleColumns lists the columns of the table of samples.
func (s *Survey) SampleColumns() []Column {
	columns := append(who(), Column{
		Name: "t_ns", About: "time since the recording's start, ns",
		Whole: func(p Piece, i int) int64 { return int64(p.Samples.T[i]) },
	})
	columns = append(columns, s.units()...)
	for _, e := range eyes {
		columns = append(columns, s.eyeColumns(e.eye, e.suffix)...)
	}
	if s.Layout.Labels {
		columns = append(columns, Column{
			Name: "label", About: "what the source says of the sample: none, fixation, saccade, pursuit, blink, noise, oscillation",
			Text: func(p Piece, i int) string {
				if p.Samples.Labels == nil {
					return ""
				}
				return LabelName(p.Samples.Labels[i])
			},
		})
	}
	for n, name := range s.signals {
		columns = append(columns, Column{Name: name, About: "signal of the source", Number: s.signal(n)})
	}
	return columns
}

// who are the columns that say whose and what recording it is.
func who() []Column {
	return []Column{
		{Name: "recording", About: "number of the recording in the table", Same: true, Whole: func(p Piece, _ int) int64 { return int64(p.ID) }},
		{Name: "participant", About: "who was recorded; a pseudonym after gazeward convert", Same: true, Text: func(p Piece, _ int) string { return p.Participant }},
		{Name: "session", About: "session; a pseudonym where its name was no plain number", Same: true, Text: func(p Piece, _ int) string { return p.Session }},
		{Name: "task", About: "task or condition", Same: true, Text: func(p Piece, _ int) string { return p.Task }},
		{Name: "trial", About: "trial; a pseudonym where its name was no plain number", Same: true, Text: func(p Piece, _ int) string { return p.Trial }},
		{Name: "stimulus", About: "what was looked at", Same: true, Text: func(p Piece, _ int) string { return p.Stimulus }},
	}
}

func (s *Survey) units() []Column {
	var columns []Column
	any := func(flags [3]bool) bool { return flags[0] || flags[1] || flags[2] }
	if any(s.Layout.Eyes) {
		columns = append(columns, unitColumn)
	}
	if any(s.Layout.Pupil) {
		columns = append(columns, pupilUnitColumn)
	}
	return columns
}

var (
	unitColumn = Column{
		Name: "unit", About: "of positions: px (from the screen's origin), deg of visual angle, norm (0..1 of the screen), rad, mm, unknown", Same: true,
		Text: func(p Piece, _ int) string { return p.Unit.String() },
	}
	pupilUnitColumn = Column{
		Name: "pupil_unit", About: "of pupil sizes: mm, au_area and au_diam (arbitrary), px, unknown", Same: true,
		Text: func(p Piece, _ int) string { return p.PupilUnit.String() },
	}
)

func (s *Survey) eyeColumns(eye gaze.Eye, suffix string) []Column {
	var columns []Column
	add := func(has bool, name, about string, of func(*gaze.Track) []float64) {
		if has {
			columns = append(columns, Column{Name: name + suffix, About: about + ", " + eye.String(), Number: func(p Piece, i int) float64 {
				if v := of(&p.Samples.Tracks[eye]); v != nil {
					return v[i]
				}
				return math.NaN()
			}})
		}
	}
	l := &s.Layout
	add(l.Eyes[eye], "x", "horizontal position; empty = lost", func(t *gaze.Track) []float64 { return t.X })
	add(l.Eyes[eye], "y", "vertical position; empty = lost", func(t *gaze.Track) []float64 { return t.Y })
	add(l.Pupil[eye], "pupil", "pupil size; empty = lost", func(t *gaze.Track) []float64 { return t.Pupil })
	add(l.Confidence[eye], "confidence", "the tracker's confidence, 0..1", func(t *gaze.Track) []float64 { return t.Confidence })
	return columns
}

// signal finds a recording's own signal for one of the table's columns.
func (s *Survey) signal(n int) func(Piece, int) float64 {
	column := s.signals[n]
	return func(p Piece, i int) float64 {
		if n < len(p.Samples.Signals) && p.Samples.Signals[n].Name == s.Layout.Signals[n].Name && p.Samples.Signals[n].Unit == s.Layout.Signals[n].Unit {
			return p.Samples.Signals[n].Values[i]
		}
		for k, name := range signalColumns(p.Samples.Signals) {
			if name == column {
				return p.Samples.Signals[k].Values[i]
			}
		}
		return math.NaN()
	}
}

// Events counts the rows of a piece in the table of events.
func (p Piece) Events() int { return len(p.Fixations) + len(p.Saccades) + len(p.Blinks) }

// event is one event of any kind; what a kind does not have is NaN.
type event struct {
	kind              string
	eye               gaze.Eye
	onset, duration   int64
	x, y, x1, y1      float64
	pupil             float64
	amplitude, moving float64
}

const (
	fixation = "fixation"
	saccade  = "saccade"
	blink    = "blink"
)

// event returns the i-th event: fixations, then saccades, then blinks.
func (p Piece) event(i int) event {
	n := math.NaN()
	if i < len(p.Fixations) {
		f := &p.Fixations[i]
		return event{fixation, f.Eye, int64(f.Start), int64(f.Duration), f.X, f.Y, n, n, f.Pupil, n, n}
	}
	if i -= len(p.Fixations); i < len(p.Saccades) {
		s := &p.Saccades[i]
		return event{saccade, s.Eye, int64(s.Start), int64(s.Duration), s.X0, s.Y0, s.X1, s.Y1, n, s.Amplitude, s.PeakVelocity}
	}
	b := &p.Blinks[i-len(p.Saccades)]
	return event{blink, b.Eye, int64(b.Start), int64(b.Duration), n, n, n, n, n, n, n}
}

// EventColumns lists the columns of the table of events.
func EventColumns() []Column {
	number := func(name, about string, of func(*event) float64) Column {
		return Column{Name: name, About: about, Number: func(p Piece, i int) float64 { e := p.event(i); return of(&e) }}
	}
	return append(who(),
		Column{Name: "event", About: "fixation, saccade or blink, as the source states it", Text: func(p Piece, i int) string { return p.event(i).kind }},
		Column{Name: "eye", About: "left, right, or cyclopean: both or not stated", Text: func(p Piece, i int) string { return p.event(i).eye.String() }},
		Column{Name: "onset_ns", About: "since the recording's start, ns", Whole: func(p Piece, i int) int64 { return p.event(i).onset }},
		Column{Name: "duration_ns", About: "ns", Whole: func(p Piece, i int) int64 { return p.event(i).duration }},
		unitColumn,
		number("x", "of a fixation, or where a saccade begins", func(e *event) float64 { return e.x }),
		number("y", "of a fixation, or where a saccade begins", func(e *event) float64 { return e.y }),
		number("x_end", "where a saccade ends", func(e *event) float64 { return e.x1 }),
		number("y_end", "where a saccade ends", func(e *event) float64 { return e.y1 }),
		number("pupil", "mean during a fixation", func(e *event) float64 { return e.pupil }),
		pupilUnitColumn,
		number("amplitude_deg", "of a saccade, deg", func(e *event) float64 { return e.amplitude }),
		number("peak_velocity_deg_s", "of a saccade, deg/s", func(e *event) float64 { return e.moving }),
	)
}
