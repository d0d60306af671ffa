package canonical

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// longest is the most a time may lie from its recording's start: longer ones
// are absolute times, which must not enter.
const longest = 24 * time.Hour

// happening is a row of the table of events.
type happening struct {
	id              int64
	header          gaze.Header
	kind            string
	eye             gaze.Eye
	onset, duration time.Duration
	v               [7]float64 // eventNumbers
}

// eventNumbers are the numeric columns of the table of events.
var eventNumbers = [...]string{"x", "y", "x_end", "y_end", "pupil", "amplitude_deg", "peak_velocity_deg_s"}

// eventDecoder turns rows into happenings.
type eventDecoder struct {
	cells
	kind, eye       int
	onset, duration int
	numbers         [len(eventNumbers)]int
	unknown         int
	given           int
	emit            func(*happening) bool
}

func newEventDecoder(columns []string, in *format.Input, r *format.Report) *eventDecoder {
	d := new(eventDecoder)
	d.bind(columns, in, r)
	d.kind, d.eye = d.text("event"), d.text("eye")
	d.onset, d.duration = d.text("onset_ns"), d.text("duration_ns")
	for i, name := range eventNumbers {
		d.numbers[i] = d.number(name)
	}
	d.drop(r)
	return d
}

// Add takes the row as it is filled.
func (d *eventDecoder) Add(row *format.Row) bool {
	d.rows++
	id, ok := d.id(row)
	if !ok {
		return true
	}
	h := happening{id: id, header: d.header(row), kind: string(row.Texts[d.kind])}
	if d.eye >= 0 {
		h.eye = parseName(string(row.Texts[d.eye]), gaze.Right)
	}
	var okOnset, okDuration bool
	h.onset, okOnset = nanoseconds(row.Texts[d.onset])
	h.duration, okDuration = nanoseconds(row.Texts[d.duration])
	if !okOnset || !okDuration || h.duration < 0 {
		d.badTime++
		return true
	}
	switch h.kind {
	case fixation, saccade, blink:
	default:
		d.unknown++
		return true
	}
	for i, at := range d.numbers {
		if h.v[i] = math.NaN(); at >= 0 {
			h.v[i] = row.Numbers[at]
		}
	}
	h.v[0], h.v[1] = d.place(h.v[0], h.v[1])
	h.v[2], h.v[3] = d.place(h.v[2], h.v[3])
	d.given++
	return d.emit(&h)
}

func nanoseconds(cell []byte) (time.Duration, bool) {
	s, ok := format.ParseStamp(cell, '.')
	t := time.Duration(s.Whole)
	return t, ok && t > -longest && t < longest
}

// Close notes what was odd and says why nothing was read, if so.
func (d *eventDecoder) Close() error {
	d.counts()
	d.report.CountSome("event of an unknown kind (left out)", d.unknown)
	switch {
	case d.rows == 0:
		return format.Empty(d.in.Name, d.row.Line)
	case d.given == 0:
		return d.fail("none of %d rows could be used", d.rows)
	}
	return nil
}

// add appends an event to the open recording.
func (h *happening) add(b *format.Builder) {
	v := &h.v
	switch h.kind {
	case fixation:
		b.Fixation(gaze.Fixation{Eye: h.eye, Start: h.onset, Duration: h.duration, X: v[0], Y: v[1], Pupil: v[4]})
	case saccade:
		b.Saccade(gaze.Saccade{
			Eye: h.eye, Start: h.onset, Duration: h.duration, X0: v[0], Y0: v[1], X1: v[2], Y1: v[3],
			Amplitude: v[5], PeakVelocity: v[6],
		})
	case blink:
		b.Blink(gaze.Blink{Eye: h.eye, Start: h.onset, Duration: h.duration})
	}
}
