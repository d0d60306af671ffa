package pupilcloud

import (
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// sidecars are the events of the files beside gaze.csv by recording. There are
// a few per second, so they are held.
type sidecars struct {
	fixations, blinks         map[string][]event // nil = no such file
	nextFixations, nextBlinks []event            // of the open recording
	left                      int                // events that were not given out
}

type event struct {
	start    format.Stamp
	duration time.Duration
	x, y     float64
}

// openBeside reads what lies next to gaze.csv. A file that is missing or
// damaged is no error: the gaze is whole without it.
func openBeside(in *format.Input, o *format.Options) sidecars {
	var s sidecars
	if in.FS == nil {
		return s
	}
	open := func(name string, use func(*format.Input) error) {
		f, ok := sibling(in, name)
		if !ok {
			return
		}
		defer f.Close()
		side, err := format.NewInput(name, f)
		if err == nil {
			err = use(side)
		}
		if err != nil {
			o.Report.Count(name+" beside it cannot be read to its end", 1)
		}
	}
	open("fixations.csv", func(f *format.Input) (err error) {
		s.fixations, err = readEvents(f, "fixation id", fixationPlaces[0])
		return err
	})
	open("blinks.csv", func(f *format.Input) (err error) {
		s.blinks, err = readEvents(f, "blink id", place{})
		return err
	})
	open("info.json", func(f *format.Input) error { return dropInfo(f, o.Report) })
	return s
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

// carriers are the keys of info.json that say who wore what.
var carriers = []string{"wearer_name", "wearer_id", "android_device_id", "android_device_name", "android_device_model", "module_serial_number",
	"frame_id", "frame_name", "workspace_id", "recording_id", "gaze_offset", "template_data", "start_time", "calib_version"}

// dropInfo lists what info.json holds; nothing of it enters.
func dropInfo(in *format.Input, report *format.Report) error {
	var keys map[string]json.RawMessage
	if err := json.NewDecoder(io.LimitReader(in.Bytes(), 1<<20)).Decode(&keys); err != nil {
		return err
	}
	for _, k := range carriers {
		if _, ok := keys[k]; ok {
			report.DropIdentity("info.json: " + k)
		}
	}
	report.Drop("other content of info.json")
	return nil
}

// readEvents reads fixations.csv or blinks.csv, by recording and start.
func readEvents(in *format.Input, id string, p place) (map[string][]event, error) {
	columns := look(in.Head().Text)
	at := func(name string) int { return index(columns, name) }
	start, end, recording, x, y := at(startColumn), at(endColumn), at("recording id"), at(p.x), at(p.y)
	if start < 0 || end < 0 || at(id) < 0 {
		return nil, refuse(in, notFixations)
	}
	clock, err := format.ParseTimeUnit("ns")
	if err != nil {
		return nil, err
	}
	events := make(map[string][]event)
	lines := format.NewLines(in)
	lines.Next()
	var cells [][]byte
	for line, ok := lines.Next(); ok; line, ok = lines.Next() {
		if cells = format.SplitFields(cells[:0], line, ','); len(cells) < len(columns) {
			continue
		}
		from, okFrom := format.ParseStamp(cells[start], '.')
		to, okTo := format.ParseStamp(cells[end], '.')
		clock.Start(from)
		d, fits := clock.Since(to)
		if !okFrom || !okTo || !fits || d < 0 {
			continue
		}
		e := event{from, d, math.NaN(), math.NaN()}
		if x >= 0 && y >= 0 {
			e.x, e.y = placeOf(cells[x], cells[y])
		}
		key := ""
		if recording >= 0 {
			key = string(cells[recording])
		}
		events[key] = append(events[key], e)
	}
	for _, list := range events {
		slices.SortStableFunc(list, func(a, b event) int { return cmp.Compare(a.start.Whole, b.start.Whole) })
	}
	return events, lines.Err()
}

func placeOf(x, y []byte) (float64, float64) {
	a, okX := format.ParseNumber(x, '.')
	b, okY := format.ParseNumber(y, '.')
	if !okX || !okY || format.Overflowed(a) || format.Overflowed(b) {
		return math.NaN(), math.NaN()
	}
	return a, b
}

// begin turns to the events of a recording.
func (s *sidecars) begin(id string) {
	s.nextFixations, s.nextBlinks = s.fixations[id], s.blinks[id]
}

// end counts what began after the last sample.
func (s *sidecars) end() {
	s.left += len(s.nextFixations) + len(s.nextBlinks)
	s.nextFixations, s.nextBlinks = nil, nil
}

// give passes on the events that have begun at a time. What began before the
// first sample begins with it, and what ended before is left out.
func (s *sidecars) give(b *format.Builder, clock *format.Clock, now time.Duration) {
	for len(s.nextFixations) > 0 {
		e, start, begun := s.due(s.nextFixations[0], clock, now)
		if !begun {
			break
		}
		s.nextFixations = s.nextFixations[1:]
		if e.duration > 0 {
			b.Fixation(gaze.Fixation{Start: start, Duration: e.duration, X: e.x, Y: e.y, Pupil: math.NaN()})
		}
	}
	for len(s.nextBlinks) > 0 {
		e, start, begun := s.due(s.nextBlinks[0], clock, now)
		if !begun {
			break
		}
		s.nextBlinks = s.nextBlinks[1:]
		if e.duration > 0 {
			b.Blink(gaze.Blink{Start: start, Duration: e.duration})
		}
	}
}

// due reports whether an event has begun, and cuts what lies before the first
// sample off it.
func (s *sidecars) due(e event, clock *format.Clock, now time.Duration) (event, time.Duration, bool) {
	start, ok := clock.Since(e.start)
	switch {
	case ok && start > now:
		return e, 0, false
	case !ok || start+e.duration <= 0:
		e.duration = 0
		s.left++
	case start < 0:
		e.duration += start
		start = 0
	}
	return e, start, true
}
