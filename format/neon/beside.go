package neon

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/gazeward/gazeward/format"
)

// states are the eyes' states, whose stamps are those of the gaze.
type states struct {
	values, stamps *records
	now            int64
	record         []byte
	ok             bool
}

func openStates(dir folder, p part, report *format.Report) *states {
	l := dir.layout("eye_state", "")
	if !l.has("pupil_diameter_left_mm", "pupil_diameter_right_mm") {
		return nil
	}
	s := &states{
		values: dir.records(p.file("eye_state", ".raw"), l),
		stamps: dir.records(p.file("eye_state", ".time"), parseLayout(timeLayout)),
	}
	if s.values == nil || s.stamps == nil {
		s.values.close()
		s.stamps.close()
		return nil
	}
	report.DropIdentity("eye_state: eyeball_center_*")
	report.DropIdentity("eye_state: optical_axis_*")
	report.Drop("eye_state: other fields")
	s.advance()
	return s
}

func (s *states) advance() {
	stamp, ok := s.stamps.next()
	if s.record, s.ok = s.values.next(); s.ok && ok {
		s.now = s.stamps.integer(stamp, "t")
		return
	}
	s.ok = false
}

// at returns the pupils at a time, which must not decrease.
func (s *states) at(t int64) (left, right float64, ok bool) {
	if s == nil {
		return 0, 0, false
	}
	for s.ok && s.now < t {
		s.advance()
	}
	if !s.ok || s.now != t {
		return 0, 0, false
	}
	return s.pupil("pupil_diameter_left_mm"), s.pupil("pupil_diameter_right_mm"), true
}

func (s *states) pupil(field string) float64 {
	v := s.values.number(s.record, field)
	if v > 0 && v < 100 {
		return v
	}
	return math.NaN()
}

func (s *states) records() *records {
	if s == nil {
		return nil
	}
	return s.values
}

func (s *states) times() *records {
	if s == nil {
		return nil
	}
	return s.stamps
}

// events are the records of fixations.raw (which has saccades as well) or
// blinks.raw, by their start.
type events struct {
	file    *records
	pending []byte
	out     int
}

func openEvents(dir folder, sensor string, p part, usual string) *events {
	l := dir.layout(sensor, usual)
	if !l.has("start_timestamp_ns", "end_timestamp_ns") {
		return nil
	}
	file := dir.records(p.file(sensor, ".raw"), l)
	if file == nil {
		return nil
	}
	e := &events{file: file}
	e.pending, _ = file.next()
	return e
}

// due returns the next event that has begun at a time. What lies before the
// first sample is cut off, and what ended before it left out.
func (e *events) due(clock *format.Clock, now time.Duration) (record []byte, start, length time.Duration, ok bool) {
	if e == nil {
		return nil, 0, 0, false
	}
	for e.pending != nil {
		start, okStart := clock.Since(format.Stamp{Whole: e.file.integer(e.pending, "start_timestamp_ns")})
		end, okEnd := clock.Since(format.Stamp{Whole: e.file.integer(e.pending, "end_timestamp_ns")})
		if okStart && start > now {
			return nil, 0, 0, false
		}
		record = append(record[:0], e.pending...)
		e.pending, _ = e.file.next()
		if start = max(start, 0); okStart && okEnd && end > start {
			return record, start, end - start, true
		}
		e.out++
	}
	return nil, 0, 0, false
}

// left counts the events that were not given out.
func (e *events) left() int {
	if e == nil {
		return 0
	}
	if e.pending != nil {
		e.out += 1 + e.file.count()
	}
	return e.out
}

func (e *events) records() *records {
	if e == nil {
		return nil
	}
	return e.file
}

// carriers are the keys of info.json that say who wore what.
var carriers = []string{"wearer_name", "wearer_id", "android_device_id", "android_device_name", "android_device_model", "module_serial_number",
	"frame_id", "frame_name", "workspace_id", "recording_id", "gaze_offset", "template_data", "start_time", "calib_version"}

// dropInfo lists what info.json holds; nothing of it enters.
func dropInfo(dir folder, report *format.Report) {
	file, ok := dir.open("info.json")
	if !ok {
		return
	}
	defer file.Close()
	var keys map[string]json.RawMessage
	if err := json.NewDecoder(io.LimitReader(file, 1<<20)).Decode(&keys); err != nil {
		report.DropIdentity("info.json")
		return
	}
	for _, k := range carriers {
		if _, ok := keys[k]; ok {
			report.DropIdentity("info.json: " + k)
		}
	}
	report.Drop("other content of info.json")
}
