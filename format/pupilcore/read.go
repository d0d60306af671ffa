package pupilcore

import (
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// clockSignal carries the stamps through the table: the events of the files
// beside it are placed by the first. It does not leave the room.
const clockSignal = "stamp"

const surfacePrefix = "gaze_positions_on_surface_"

func read(in *format.Input, o format.Options, least float64, yield func(*gaze.Recording, error) bool) {
	t, _ := look(in.Head().Text)
	m := format.Mapping{
		Time: "gaze_timestamp", TimeUnit: "s", Unit: "norm", Confidence: "confidence", MinConfidence: least,
		Signals: []format.SignalMapping{{Name: clockSignal, Column: "gaze_timestamp"}},
	}
	p := passing{o: &o, yield: yield}
	switch t.kind {
	case inVideo:
		m.X, m.Y, m.Frame = "norm_pos_x", "norm_pos_y", gaze.InWorld.String()
		p.fixations, p.blinks = beside(in, &o, least)
	case onSurface:
		m.X, m.Y = "x_norm", "y_norm"
		if strings.HasPrefix(in.Name, surfacePrefix) {
			m.FilenamePattern = surfacePrefix + "{stimulus}.csv"
		}
	default:
		yield(nil, refuse(in, notOurs))
		return
	}
	p.read(&m, t, in)
}

// readFixations reads fixations.csv as a list.
func readFixations(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	t, _ := look(in.Head().Text)
	if t.kind != fixations {
		yield(nil, refuse(in, notFixations))
		return
	}
	m := format.Mapping{
		Onset: "start_timestamp", TimeUnit: "s", Duration: "duration", DurationUnit: "ms", Frame: gaze.InWorld.String(),
		X: "norm_pos_x", Y: "norm_pos_y", Unit: "norm", Confidence: "confidence", MinConfidence: MinConfidence,
	}
	p := passing{o: &o, yield: yield}
	p.read(&m, t, in)
}

// refuse says why a file that another format was forced upon cannot be read.
func refuse(in *format.Input, m format.Match) error {
	if len(in.Head().Raw) == 0 {
		return format.Empty(in.Name, 0)
	}
	return &format.SyntaxError{File: in.Name, Line: 1, Msg: m.Why[0]}
}

// passing completes the table's pieces on their way: positions are counted
// from the top, events of the files beside it join the piece they begin in.
type passing struct {
	o                 *format.Options
	yield             func(*gaze.Recording, error) bool
	fixations, blinks *events
	clock             format.Clock
}

func (p *passing) read(m *format.Mapping, t table, in *format.Input) {
	sheet := format.Sheet{Delimiter: ',', Columns: t.columns, Skip: 1}
	stopped := false
	err := sheet.Read(m, in, *p.o, func(piece *gaze.Recording, err error) bool {
		stopped = !p.piece(piece, err)
		return !stopped
	})
	if stopped {
		return
	}
	p.o.Report.CountSome("fixation or blink outside of the samples' time (left out)", p.fixations.left()+p.blinks.left())
	if err != nil {
		p.yield(nil, err)
	}
}

func (p *passing) piece(r *gaze.Recording, err error) bool {
	if err != nil {
		return p.yield(r, err)
	}
	out := *r
	y := out.Samples.Tracks[gaze.Cyclopean].Y
	for i := range y {
		y[i] = 1 - y[i]
	}
	for i := range out.Fixations {
		out.Fixations[i].Y = 1 - out.Fixations[i].Y
	}
	p.join(&out)
	return p.yield(&out, nil)
}

// join takes the stamps out and puts the events in.
func (p *passing) join(r *gaze.Recording) {
	s := &r.Samples
	if len(s.Signals) == 0 || s.Len() == 0 {
		return
	}
	if !p.clock.Started() {
		p.clock, _ = format.ParseTimeUnit("s")
		stamp, _ := format.StampOf(s.Signals[0].Values[0])
		p.clock.Start(stamp)
	}
	s.Signals = nil
	end := s.T[s.Len()-1]
	r.Fixations = p.fixations.take(&p.clock, end, r.Fixations)
	if p.blinks != nil {
		r.Blinks = []gaze.Blink{} // an empty list says that there was none
	}
	for _, b := range p.blinks.take(&p.clock, end, nil) {
		r.Blinks = append(r.Blinks, gaze.Blink{Start: b.Start, Duration: b.Duration})
	}
}
