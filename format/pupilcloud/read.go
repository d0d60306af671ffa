package pupilcloud

import (
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

type reader struct {
	in    *format.Input
	o     *format.Options
	lines *format.Lines
	b     *format.Builder
	clock format.Clock
	cells [][]byte

	columns []string
	at      locations
	place   place
	layout  format.Layout

	recording string // id of the open one
	number    int    // of recordings
	beside    sidecars

	short, noTime, noNumber, overflow, both int
}

// locations are the columns of what is read; -1 = none.
type locations struct {
	time, x, y, worn, blink, fixation, detected, recording int
	azimuth, elevation                                     int
	last                                                   int
}

func read(in *format.Input, o *format.Options, yield func(*gaze.Recording, error) bool) {
	r := &reader{in: in, o: o, columns: look(in.Head().Text)}
	var ok bool
	if r.place, ok = choose(r.columns, stampColumn, gazePlaces[:]); !ok {
		yield(nil, refuse(in, notOurs))
		return
	}
	r.clock, _ = format.ParseTimeUnit("ns")
	r.lines, r.b = format.NewLines(in), format.NewBuilder(o, yield)
	r.locate()
	if r.place.frame == gaze.InWorld {
		r.beside = openBeside(in, o)
	}
	r.lines.Next() // the header
	r.rows()
	r.end()
	r.report()
	if err := r.finish(); err != nil && !r.b.Stopped() {
		yield(nil, err)
	}
}

func (r *reader) locate() {
	at := func(name string) int { return index(r.columns, name) }
	r.at = locations{
		time: at(stampColumn), x: at(r.place.x), y: at(r.place.y), worn: at("worn"), blink: at("blink id"), fixation: at("fixation id"),
		detected: at(r.place.detected), recording: at("recording id"), azimuth: at("azimuth [deg]"), elevation: at("elevation [deg]"),
	}
	r.at.last = max(r.at.time, r.at.x, r.at.y)
	r.layout = format.Layout{Eyes: [3]bool{gaze.Cyclopean: true}, Labels: r.at.fixation >= 0 || r.at.blink >= 0}
	if r.at.azimuth >= 0 && r.at.elevation >= 0 {
		r.layout.Signals = []gaze.Signal{{Name: "azimuth", Unit: "deg"}, {Name: "elevation", Unit: "deg"}}
	}
}

func (r *reader) rows() {
	for !r.b.Stopped() {
		line, ok := r.lines.Next()
		if !ok {
			return
		}
		if len(line) == 0 {
			continue
		}
		r.cells = format.SplitFields(r.cells[:0], line, ',')
		if len(r.cells) <= r.at.last || !r.lines.Complete() && len(r.cells) < len(r.columns) {
			r.short++
			continue
		}
		r.row()
	}
}

func (r *reader) cell(column int) []byte {
	if column < 0 || column >= len(r.cells) {
		return nil
	}
	return r.cells[column]
}

func (r *reader) row() {
	stamp, ok := format.ParseStamp(r.cell(r.at.time), '.')
	if !ok {
		r.noTime++
		return
	}
	if id := r.cell(r.at.recording); !r.b.Open() || string(id) != r.recording {
		r.begin(string(id), stamp)
	}
	t, ok := r.clock.Since(stamp)
	if !ok {
		r.noTime++
		return
	}
	r.beside.give(r.b, &r.clock, t)
	i := r.b.Sample(t)
	s := &r.b.Recording().Samples
	inFixation, inBlink := len(r.cell(r.at.fixation)) > 0, len(r.cell(r.at.blink)) > 0
	switch {
	case inBlink:
		s.Labels[i] = gaze.InBlink
		if inFixation {
			r.both++
		}
	case inFixation:
		s.Labels[i] = gaze.InFixation
	}
	if inBlink || !r.worn() {
		return
	}
	track := &s.Tracks[gaze.Cyclopean]
	track.X[i], track.Y[i] = r.position()
	if len(s.Signals) > 0 && !gaze.Lost(track.X[i], track.Y[i]) {
		s.Signals[0].Values[i], s.Signals[1].Values[i] = r.numberAt(r.at.azimuth), r.numberAt(r.at.elevation)
	}
}

// worn reports whether the glasses were on and, for mapped gaze, whether they
// saw what it is mapped to.
func (r *reader) worn() bool {
	if v, ok := format.ParseNumber(r.cell(r.at.worn), '.'); ok && v == 0 {
		return false
	}
	return !strings.EqualFold(string(r.cell(r.at.detected)), "false")
}

func (r *reader) position() (x, y float64) {
	x, y = r.numberAt(r.at.x), r.numberAt(r.at.y)
	if format.Overflowed(x) || format.Overflowed(y) {
		r.overflow++
		v, _ := format.ParseNumber(nil, '.')
		return v, v
	}
	return x, y
}

func (r *reader) numberAt(column int) float64 {
	cell := r.cell(column)
	v, ok := format.ParseNumber(cell, '.')
	if !ok && !format.IsMissing(cell) {
		r.noNumber++
	}
	return v
}

// begin opens a recording. Its id is a number, the first being 1: the file's
// ids lead to the recording in the cloud.
func (r *reader) begin(id string, zero format.Stamp) {
	r.end()
	r.recording = id
	r.number++
	h := gaze.Header{Unit: r.place.unit, Frame: r.place.frame, Format: "pupil-cloud"}
	if r.at.recording >= 0 {
		h.Session = strconv.Itoa(r.number)
	}
	r.clock.Start(zero)
	r.b.Begin(h, r.layout)
	r.beside.begin(id)
	if r.beside.fixations != nil {
		r.b.Recording().Fixations = []gaze.Fixation{} // an empty list says that there was none
	}
	if r.beside.blinks != nil {
		r.b.Recording().Blinks = []gaze.Blink{}
	}
}

func (r *reader) end() {
	r.beside.end()
	r.b.End()
}

func (r *reader) report() {
	report := r.o.Report
	for _, c := range r.columns {
		switch c {
		case stampColumn, r.place.x, r.place.y, "worn", "blink id", "fixation id", "azimuth [deg]", "elevation [deg]", r.place.detected, "":
		case "section id", "recording id":
			report.DropIdentity(c)
		default:
			report.Drop(format.DisplayName(c))
		}
	}
	report.CountSome("row with too few fields (left out)", r.short)
	report.CountSome("row without a readable time stamp (left out)", r.noTime)
	report.CountSome("cell that is no number (counted as lost)", r.noNumber)
	report.CountSome("overflow value in a position (counted as lost)", r.overflow)
	report.CountSome("sample in a fixation and a blink at once (counted as blink)", r.both)
	report.CountSome("fixation or blink outside of the samples' time (left out)", r.beside.left)
	if r.number > 1 {
		report.Count("recording of a file with several: who wore the glasses is not stated", r.number)
	}
	if e := r.in.Encoding(); e != "" {
		report.Count("text is "+e, 0)
	}
}

func (r *reader) finish() error {
	if err := r.lines.Err(); err != nil {
		return err
	}
	if r.b.Recordings() > 0 {
		return nil
	}
	if r.short+r.noTime > 0 {
		return r.lines.Errorf("none of %d rows has a time stamp and a position", r.short+r.noTime)
	}
	return format.Empty(r.in.Name, r.lines.Number())
}
