package pico

import (
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// The signals of the table, in this order: what directions and head rotation
// are made of, then the eyelids, which leave as they are.
const (
	gazeZ = iota
	headX
	headY
	headZ
	given
)

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	sheet := look(in.Head().Text)
	if missing := lacks(sheet.Columns, signature); len(missing) > 0 {
		yield(nil, refuse(in, missing))
		return
	}
	has := func(c string) bool { return slices.Contains(sheet.Columns, c) }
	m := format.Mapping{
		Time: "Timeline", TimeUnit: "s", Unit: gaze.Degrees.String(), Frame: gaze.EyeInHead.String(),
		X: vector + "x", Y: vector + "y",
		ValidWhen: format.Conditions{{Column: "Left Eye Pose Status", Op: "==", Value: "52"}, {Column: "Right Eye Pose Status", Op: "==", Value: "52"}},
		Signals:   []format.SignalMapping{{Column: vector + "z"}},
	}
	p := passing{o: &o, yield: yield}
	if has("Head Rotation. x") && has("Head Rotation. y") && has("Head Rotation. z") {
		p.head = true
		m.Signals = append(m.Signals, format.SignalMapping{Column: "Head Rotation. x"}, format.SignalMapping{Column: "Head Rotation. y"},
			format.SignalMapping{Column: "Head Rotation. z"})
	}
	for _, s := range [...]format.SignalMapping{{Name: "openness_L", Column: "Left Eye Gaze Openness"}, {Name: "openness_R", Column: "Right Eye Gaze Openness"}} {
		if has(s.Column) {
			m.Signals = append(m.Signals, s)
		}
	}
	if has("User Name") {
		m.Participant = "User Name"
	}
	if has("Video Name") {
		m.Stimulus = "Video Name"
	}
	for _, c := range sheet.Columns {
		if carries(c) {
			o.Report.DropIdentity(c)
		}
	}
	if err := sheet.Read(&m, in, o, p.piece); err != nil && !p.stopped {
		yield(nil, err)
	}
	o.Report.CountSome("direction vector whose length is far from 1 (counted as lost)", p.odd)
}

// carries names the columns that say how tall somebody is, how long the arms
// are, and where the eyes lie in the head.
func carries(column string) bool {
	for _, begin := range [...]string{"Head Position", "Controller Left Position", "Controller Right Position", "Combine Eye Gaze Point",
		"Left Eye Position Guide", "Right Eye Position Guide", "DistanceAvatar"} {
		if strings.HasPrefix(column, begin) {
			return true
		}
	}
	return false
}

func refuse(in *format.Input, missing []string) error {
	if len(in.Head().Raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	return &format.SyntaxError{File: in.Name, Line: 1, Msg: "not a Pico log: no columns " + strings.Join(missing, ", ")}
}

// passing turns a table's pieces into angles on their way.
type passing struct {
	o       *format.Options
	yield   func(*gaze.Recording, error) bool
	head    bool
	stopped bool
	odd     int
}

func (p *passing) piece(r *gaze.Recording, err error) bool {
	if err == nil {
		out := *r
		p.convert(&out)
		r = &out
	}
	p.stopped = !p.yield(r, err)
	return !p.stopped
}

func (p *passing) convert(r *gaze.Recording) {
	s := &r.Samples
	p.odd += s.Tracks[gaze.Cyclopean].ToAngles(s.Signals[gazeZ].Values)
	if !p.head {
		s.Signals = s.Signals[headX:]
		return
	}
	head := gaze.UnityHead(s.Signals[headX].Values, s.Signals[headY].Values, s.Signals[headZ].Values)
	s.Signals = append(head, s.Signals[given:]...)
}
