package pupilcore

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"slices"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// events are the fixations or blinks of a file beside the gaze, by their start.
// There are a few of them per second, so they are held.
type events struct {
	list []event
	next int
	out  int
}

type event struct {
	start    format.Stamp
	duration time.Duration
	x, y     float64
}

// beside opens the files that Pupil Player writes next to gaze_positions.csv.
// One that is missing or damaged is no error: the gaze is whole without it.
func beside(in *format.Input, o *format.Options, least float64) (fixations, blinks *events) {
	if in.FS == nil {
		return nil, nil
	}
	for _, b := range [...]struct {
		name string
		unit string // of durations
		to   **events
	}{{"fixations.csv", "ms", &fixations}, {"blinks.csv", "s", &blinks}} {
		f, ok := sibling(in, b.name)
		if !ok {
			continue
		}
		side, err := format.NewInput(b.name, f)
		if err == nil {
			*b.to, err = readEvents(side, b.unit, least)
		}
		_ = f.Close() // was only read
		if err != nil {
			o.Report.Count(b.name+" beside it cannot be read to its end", 1)
		}
	}
	return fixations, blinks
}

// sibling opens a file of the same folder, compressed or not.
func sibling(in *format.Input, name string) (fs.File, bool) {
	for _, name := range [...]string{name, name + ".gz"} {
		if f, err := in.FS.Open(path.Join(path.Dir(in.Path), name)); err == nil {
			return f, true
		}
	}
	return nil, false
}

// eventColumns are the places of what is read of an event; -1 = none.
type eventColumns struct{ start, duration, x, y, confidence int }

func readEvents(in *format.Input, unit string, least float64) (*events, error) {
	length, err := format.ParseTimeUnit(unit)
	if err != nil {
		return nil, err
	}
	lines, e := format.NewLines(in), new(events)
	t, _ := look(in.Head().Text)
	if t.kind != fixations && t.kind != companion {
		return nil, refuse(in, notFixations)
	}
	at := func(name string) int { return slices.Index(t.columns, name) }
	c := eventColumns{at("start_timestamp"), at("duration"), at("norm_pos_x"), at("norm_pos_y"), at("confidence")}
	if c.x < 0 {
		c.confidence = -1 // of a blink: not that of a position
	}
	lines.Next()
	var fields [][]byte
	for line, ok := lines.Next(); ok; line, ok = lines.Next() {
		if fields = format.SplitFields(fields[:0], line, ','); len(fields) < len(t.columns) {
			continue
		}
		if one, ok := c.event(fields, &length, least); ok {
			e.list = append(e.list, one)
		}
	}
	slices.SortStableFunc(e.list, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.start.Whole, b.start.Whole), cmp.Compare(a.start.Frac, b.start.Frac))
	})
	return e, lines.Err()
}

func (c *eventColumns) event(fields [][]byte, length *format.Clock, least float64) (e event, ok bool) {
	start, okStart := format.ParseStamp(fields[c.start], '.')
	stamp, okLength := format.ParseStamp(fields[c.duration], '.')
	d, fits := length.Length(stamp)
	if !okStart || !okLength || !fits || d < 0 {
		return e, false
	}
	e = event{start: start, duration: d, x: math.NaN(), y: math.NaN()}
	if c.x < 0 {
		return e, true
	}
	if v, ok := format.ParseNumber(fields[c.confidence], '.'); ok && v < least {
		return e, true
	}
	x, okX := format.ParseNumber(fields[c.x], '.')
	y, okY := format.ParseNumber(fields[c.y], '.')
	if okX && okY && !format.Overflowed(x) && !format.Overflowed(y) {
		e.x, e.y = x, 1-y
	}
	return e, true
}

// take appends the events that begin until end to list. What begins before the
// first sample begins with it, and what ends before is left out.
func (e *events) take(clock *format.Clock, end time.Duration, list []gaze.Fixation) []gaze.Fixation {
	if e == nil {
		return list
	}
	if list == nil {
		list = []gaze.Fixation{}
	}
	for ; e.next < len(e.list) && len(list) < format.PieceSamples; e.next++ {
		one := e.list[e.next]
		start, ok := clock.Since(one.start)
		if ok && start > end {
			break
		}
		if !ok || start+one.duration <= 0 {
			e.out++
			continue
		}
		if start < 0 {
			start, one.duration = 0, start+one.duration
		}
		list = append(list, gaze.Fixation{Start: start, Duration: one.duration, X: one.x, Y: one.y, Pupil: math.NaN()})
	}
	return list
}

// left counts the events that were not given out.
func (e *events) left() int {
	if e == nil {
		return 0
	}
	return e.out + len(e.list) - e.next
}
