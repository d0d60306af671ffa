package canonical

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Survey is what a table has to hold: the union of its recordings' columns,
// and what whole recordings have in common. Writers need it before the first
// row; its memory grows with the number of recordings whose settings differ,
// not with their length.
type Survey struct {
	Layout     format.Layout
	Samples    bool // some recording has samples
	Events     bool // some recording has events
	Recordings int
	Settings   []Setting // in the order of recordings
	Note       string    // of the sidecar: what the recordings are; empty = raw data of people

	signals []string // of Layout, as columns
}

// Setting is what recordings have in common, from one of them to the next
// setting's.
type Setting struct {
	From      int
	Unit      gaze.Unit
	PupilUnit gaze.PupilUnit
	Frame     gaze.Frame
	Rate      gaze.Hertz
	Screen    gaze.Screen
	Source    string // format they came from
	Columns   []string
}

// Look surveys recordings by reading them to their end.
func Look(pieces gaze.Seq) (*Survey, error) {
	s := new(Survey)
	for r, err := range pieces {
		if err != nil {
			return s, err
		}
		s.Add(r)
	}
	return s, nil
}

// Add takes a piece of a recording.
func (s *Survey) Add(r *gaze.Recording) {
	if !r.Continues {
		s.Recordings++
	}
	s.Samples = s.Samples || r.Samples.Len() > 0
	s.Events = s.Events || len(r.Fixations)+len(r.Saccades)+len(r.Blinks) > 0
	l := &s.Layout
	for e := range r.Samples.Tracks {
		t := &r.Samples.Tracks[e]
		l.Eyes[e] = l.Eyes[e] || t.X != nil
		l.Pupil[e] = l.Pupil[e] || t.Pupil != nil
		l.Confidence[e] = l.Confidence[e] || t.Confidence != nil
	}
	l.Labels = l.Labels || r.Samples.Labels != nil
	names := signalColumns(r.Samples.Signals)
	for i, name := range names {
		if !slices.Contains(s.signals, name) {
			s.signals = append(s.signals, name)
			l.Signals = append(l.Signals, gaze.Signal{Name: r.Samples.Signals[i].Name, Unit: r.Samples.Signals[i].Unit})
		}
	}
	if !r.Continues {
		s.settle(r, names)
	}
}

// settle notes a recording's settings if they are new.
func (s *Survey) settle(r *gaze.Recording, signals []string) {
	n := Setting{
		From: s.Recordings - 1, Unit: r.Unit, PupilUnit: r.PupilUnit, Frame: r.Frame, Rate: r.Rate, Screen: r.Screen,
		Source: r.Format, Columns: append(valueColumns(layoutOf(r)), signals...),
	}
	if len(s.Settings) > 0 {
		last := s.Settings[len(s.Settings)-1]
		last.From = n.From
		if slices.Equal(last.Columns, n.Columns) {
			last.Columns, n.Columns = nil, nil
			if fmt.Sprint(last) == fmt.Sprint(n) {
				return
			}
			n.Columns = s.Settings[len(s.Settings)-1].Columns
		}
	}
	s.Settings = append(s.Settings, n)
}

func layoutOf(r *gaze.Recording) format.Layout {
	var l format.Layout
	for e := range r.Samples.Tracks {
		t := &r.Samples.Tracks[e]
		l.Eyes[e], l.Pupil[e], l.Confidence[e] = t.X != nil, t.Pupil != nil, t.Confidence != nil
	}
	l.Labels = r.Samples.Labels != nil
	return l
}

// eyes in the order of their columns.
var eyes = [...]struct {
	eye    gaze.Eye
	suffix string
}{{gaze.Cyclopean, ""}, {gaze.Left, "_left"}, {gaze.Right, "_right"}}

// valueColumns lists a layout's columns without signals.
func valueColumns(l format.Layout) []string {
	names := []string{}
	for _, e := range eyes {
		if l.Eyes[e.eye] {
			names = append(names, "x"+e.suffix, "y"+e.suffix)
		}
		if l.Pupil[e.eye] {
			names = append(names, "pupil"+e.suffix)
		}
		if l.Confidence[e.eye] {
			names = append(names, "confidence"+e.suffix)
		}
	}
	if l.Labels {
		names = append(names, "label")
	}
	return names
}

// signalColumns names signals' columns, all different.
func signalColumns(signals []gaze.Signal) []string {
	var names []string
	for _, s := range signals {
		base := Plain(s.Name)
		name := signalColumn(base, s.Unit)
		for n := 2; slices.Contains(names, name); n++ {
			name = signalColumn(base+"#"+strconv.Itoa(n), s.Unit)
		}
		names = append(names, name)
	}
	return names
}

const signalPrefix = "signal:"

func signalColumn(name, unit string) string {
	name = signalPrefix + name
	if unit != "" || len(name) > 0 && name[len(name)-1] == ']' {
		name += " [" + Plain(unit) + "]"
	}
	return name
}
