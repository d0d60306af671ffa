package vive

import (
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// The signals of the table, in this order: what directions and head rotation
// are made of, then the eyelids, which leave as they are.
const (
	leftZ = iota
	rightZ
	headX
	headY
	headZ
	given
)

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	sheet, missing := look(in.Head().Text)
	if len(missing) > 0 {
		yield(nil, refuse(in, missing))
		return
	}
	has := func(c string) bool { return slices.Contains(sheet.Columns, c) }
	m := format.Mapping{
		Time: timeColumn, TimeUnit: "100ns", Unit: gaze.Degrees.String(), Frame: gaze.EyeInHead.String(),
		XLeft: "gaze_direct_L.x", YLeft: "gaze_direct_L.y", ValidWhenLeft: valid("eye_valid_L"),
		XRight: "gaze_direct_R.x", YRight: "gaze_direct_R.y", ValidWhenRight: valid("eye_valid_R"),
		Signals: []format.SignalMapping{{Column: "gaze_direct_L.z"}, {Column: "gaze_direct_R.z"}},
	}
	if has("pupil_diameter_L(mm)") && has("pupil_diameter_R(mm)") {
		m.PupilLeft, m.PupilRight, m.PupilUnit = "pupil_diameter_L(mm)", "pupil_diameter_R(mm)", "mm"
	}
	p := passing{o: &o, yield: yield}
	if has("helmet_rot_x") && has("helmet_rot_y") && has("helmet_rot_z") {
		p.head = true
		m.Signals = append(m.Signals, format.SignalMapping{Column: "helmet_rot_x"}, format.SignalMapping{Column: "helmet_rot_y"},
			format.SignalMapping{Column: "helmet_rot_z"})
	}
	for _, c := range [...]string{"openness_L", "openness_R"} {
		if has(c) {
			m.Signals = append(m.Signals, format.SignalMapping{Column: c})
		}
	}
	for _, c := range sheet.Columns { // how tall somebody is, and how the eyes lie in the head
		if strings.HasPrefix(c, "helmet_pos") || strings.HasPrefix(c, "pos_sensor") || strings.HasPrefix(c, "gaze_origin") {
			o.Report.DropIdentity(c)
		}
	}
	if err := sheet.Read(&m, in, o, p.piece); err != nil && !p.stopped {
		yield(nil, err)
	}
	p.report()
}

// valid is SRanipal's bit field of an eye: 31 says that origin, direction,
// pupil, openness and sensor position are all valid.
func valid(column string) format.Conditions {
	return format.Conditions{{Column: column, Op: "==", Value: "31"}}
}

func refuse(in *format.Input, missing []string) error {
	if len(in.Head().Raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	return &format.SyntaxError{File: in.Name, Line: 1, Msg: "not a SRanipal log: no columns " + strings.Join(missing, ", ")}
}

// passing turns a table's pieces into angles on their way.
type passing struct {
	o       *format.Options
	yield   func(*gaze.Recording, error) bool
	head    bool
	stopped bool

	any, turned bool // there were pieces; the head was not at 0, 0, 0 all the time
	odd         int
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
	p.any = true
	p.angles(&s.Tracks[gaze.Left], s.Signals[leftZ].Values)
	p.angles(&s.Tracks[gaze.Right], s.Signals[rightZ].Values)
	if !p.head {
		s.Signals = s.Signals[headX:]
		return
	}
	head := gaze.UnityHead(s.Signals[headX].Values, s.Signals[headY].Values, s.Signals[headZ].Values)
	for _, h := range head {
		p.turned = p.turned || slices.ContainsFunc(h.Values, func(v float64) bool { return v != 0 })
	}
	s.Signals = append(head, s.Signals[given:]...)
}

// angles makes angles of vectors. SRanipal's x points to the wearer's left, as
// the origins of the eyes and the eyes' turning against head turns show.
func (p *passing) angles(t *gaze.Track, z []float64) {
	for i := range t.X {
		t.X[i] = -t.X[i]
	}
	p.odd += t.ToAngles(z)
}

func (p *passing) report() {
	p.o.Report.CountSome("direction vector whose length is far from 1 (counted as lost)", p.odd)
	if p.head && p.any && !p.turned {
		p.o.Report.Count("head rotation is 0, 0, 0 throughout: the head was not tracked", 0)
	}
}
