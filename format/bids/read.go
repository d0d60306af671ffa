package bids

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the recording of a *_physio.tsv.gz file with its other eyes.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		r := &reader{in: in, o: &o, b: format.NewBuilder(&o, yield)}
		defer r.close()
		if err := r.read(); err != nil && !r.b.Stopped() {
			yield(nil, err)
		}
	}
}

type reader struct {
	in    *format.Input
	o     *format.Options
	b     *format.Builder
	name  fileName
	eyes  []*eyeFile
	clock format.Clock
	zero  bool // times already count from the recording's start

	labels  int // columns of the first file
	signals []int

	badTime, overflow int
	values            int
}

// eyeFile is one eye's rows, with the one at hand.
type eyeFile struct {
	*sheet
	recording string // the entity's value
	meta      metadata
	eye       gaze.Eye
	time      int
	x, y      int
	pupil     int
	conf      int
	more      bool
	stamp     format.Stamp
	events    *eventFile
}

var defaultColumns = []string{"timestamp", "x_coordinate", "y_coordinate"}

func (r *reader) read() error {
	text := r.in.Head().Text
	if len(bytes.TrimSpace(text)) == 0 {
		if len(r.in.Head().Raw) > 0 && text == nil {
			return r.fail("binary, not a table of text")
		}
		return format.Empty(r.in.Name, 1)
	}
	var ok bool
	if r.name, ok = parseName(r.in.Path); !ok {
		r.name = fileName{dir: path.Dir(r.in.Path)}
	}
	meta := load(r.in.FS, r.name, "physio")
	if kind := get[string](meta, "PhysioType"); kind != "" && kind != "eyetrack" {
		return &format.SyntaxError{File: r.in.Name, Msg: "no eye tracking: its PhysioType is another", Err: format.ErrEmpty}
	}
	first := r.eyeFile(&sheet{lines: format.NewLines(r.in)}, r.name.get("recording"), meta)
	if main := r.partners(first); main != "" {
		return &format.SyntaxError{File: r.in.Name, Msg: "another eye of the recording in " + main + ", which is read with it: open that", Err: format.ErrEmpty}
	}
	if err := r.timing(first); err != nil {
		return err
	}
	r.begin(first)
	r.note(first)
	return r.rows()
}

func (r *reader) fail(msg string) error { return &format.SyntaxError{File: r.in.Name, Msg: msg} }

// eyeFile binds a file's columns.
func (r *reader) eyeFile(s *sheet, recording string, meta metadata) *eyeFile {
	s.columns = get[[]string](meta, "Columns")
	if len(s.columns) == 0 {
		s.columns = defaultColumns
		r.o.Report.Count("no sidecar states the columns: taken to be timestamp, x, y (open the data set's folder, not one file)", 0)
	}
	e := &eyeFile{sheet: s, recording: recording, meta: meta, eye: meta.eye()}
	e.time, e.x, e.y = s.at("timestamp"), s.at("x_coordinate"), s.at("y_coordinate")
	e.pupil, e.conf = s.at("pupil_size"), s.at("confidence")
	return e
}

// partners finds the other eyes' files. If one of them comes first, it is the
// one to be opened, and its name is returned.
func (r *reader) partners(first *eyeFile) (main string) {
	r.eyes = []*eyeFile{first}
	if !strings.HasPrefix(first.recording, "eye") {
		return ""
	}
	taken := []gaze.Eye{first.eye}
	for _, recording := range [...]string{"eye1", "eye2", "eye3"} {
		if recording == first.recording {
			continue
		}
		name := r.name.with(recording, "physio", r.name.ending)
		s := open(r.in.FS, name, nil)
		if s == nil {
			continue
		}
		other, _ := parseName(name)
		e := r.eyeFile(s, recording, load(r.in.FS, other, "physio"))
		if slices.Contains(taken, e.eye) { // not another eye: another recording
			s.close()
			continue
		}
		r.eyes = append(r.eyes, e)
		if recording < first.recording {
			return path.Base(name)
		}
		taken = append(taken, e.eye)
	}
	return ""
}

// timing finds the unit of the time stamps.
func (r *reader) timing(e *eyeFile) error {
	if e.x < 0 || e.y < 0 {
		return r.fail("no columns x_coordinate and y_coordinate")
	}
	rate := get[float64](e.meta, "SamplingFrequency")
	if e.time < 0 && rate <= 0 {
		return r.fail("neither a column timestamp nor a SamplingFrequency")
	}
	unit := unitOf(get[column](e.meta, "timestamp").Units)
	if unit == "" {
		unit = guessUnit(r.in.Head().Text, e.time, rate)
	}
	r.clock, _ = format.ParseTimeUnit(unit)
	r.zero = get[column](e.meta, "timestamp").Origin == ownOrigin
	return nil
}

// ownOrigin marks time stamps that count from the recording's start.
const ownOrigin = "recording start"

// begin opens the recording.
func (r *reader) begin(e *eyeFile) {
	h := gaze.Header{
		Participant: r.name.get("sub"), Session: r.name.get("ses"), Task: r.name.get("task"), Trial: r.name.get("run"),
		Rate: gaze.Hertz(max(get[float64](e.meta, "SamplingFrequency"), 0)),
		Unit: e.meta.unit(), PupilUnit: e.meta.pupilUnit(), Frame: e.meta.frame(), Format: r.in.Format,
		Screen: load(r.in.FS, r.name, "events").screen(),
	}
	for i := 0; i < len(r.eyes) && h.PupilUnit == gaze.PupilUnknown; i++ {
		h.PupilUnit = load(r.in.FS, r.name.of(r.eyes[i].recording), "physioevents").pupilUnit()
	}
	r.trial(&h)
	var l format.Layout
	for _, f := range r.eyes {
		l.Eyes[f.eye], l.Pupil[f.eye], l.Confidence[f.eye] = true, f.pupil >= 0, f.conf >= 0
	}
	r.labels = e.at("label")
	l.Labels = r.labels >= 0
	for i, c := range e.columns {
		if name, ok := strings.CutPrefix(c, ownSignal); ok {
			r.signals = append(r.signals, i)
			l.Signals = append(l.Signals, gaze.Signal{Name: name, Unit: get[column](e.meta, c).Units})
		}
	}
	r.b.Begin(h, l)
}

// trial takes trial and stimulus from the run's events, where there is one.
func (r *reader) trial(h *gaze.Header) {
	s := open(r.in.FS, r.name.with("", "events", ".tsv"), nil)
	if s == nil {
		return
	}
	defer s.close()
	if !s.next(2) {
		return
	}
	for _, c := range s.cells {
		s.columns = append(s.columns, string(c))
	}
	var trial, stimulus string
	rows := 0
	for ; s.next(1) && rows < 2; rows++ {
		trial, stimulus = s.text(s.at("trial_type")), s.text(s.at("stim_file"))
	}
	if rows != 1 {
		return
	}
	if trial != "" {
		h.Trial = trial
	}
	h.Stimulus = stimulus
}

// ownSignal begins the columns of named signals.
const ownSignal = "signal_"

// note tells what does not enter.
func (r *reader) note(e *eyeFile) {
	report := r.o.Report
	if n := r.in.Encoding(); n != "" {
		report.Count("text is "+n, 0)
	}
	if e.meta.unit() == gaze.UnitUnknown {
		report.Count("unit of positions is not stated", 0)
	}
	for key := range e.meta {
		switch key {
		case "DeviceSerialNumber", "InstitutionName", "InstitutionAddress", "InstitutionalDepartmentName", "AcquisitionTime", "AcquisitionDate":
			report.DropIdentity(key)
		}
	}
	known := []int{e.time, e.x, e.y, e.pupil, e.conf, r.labels}
	for i, c := range e.columns {
		if !slices.Contains(known, i) && !slices.Contains(r.signals, i) {
			report.Drop(format.DisplayName(c))
		}
	}
}

// rows merges the eyes' rows by their time stamps.
func (r *reader) rows() error {
	for _, e := range r.eyes {
		r.advance(e, 0)
	}
	if first := r.earliest(); first != nil {
		r.since(*first) // starts the clock
	}
	for _, e := range r.eyes {
		e.events = r.openEvents(e)
	}
	for n := 0; !r.b.Stopped(); n++ {
		least := r.earliest()
		if least == nil {
			break
		}
		at, ok := r.since(*least)
		if !ok {
			r.badTime++
		} else if r.b.Decide() {
			r.sample(at, *least)
		} else {
			break
		}
		now := *least
		for _, e := range r.eyes {
			if e.more && e.stamp == now {
				r.advance(e, n+1)
			}
		}
	}
	return r.end()
}

// advance reads an eye's next row that has a time.
func (r *reader) advance(e *eyeFile, n int) {
	least := max(e.time, e.x, e.y) + 1
	for {
		if e.more = e.next(least); !e.more {
			return
		}
		if e.time < 0 {
			rate := max(get[float64](e.meta, "SamplingFrequency"), 1e-3)
			r.clock, _ = format.ParseTimeUnit("ns")
			e.stamp, _ = format.StampOf(float64(n) / rate * 1e9)
			return
		}
		var ok bool
		if e.stamp, ok = format.ParseStamp(e.cells[e.time], '.'); ok {
			return
		}
		r.badTime++
	}
}

func (r *reader) earliest() *format.Stamp {
	var least *format.Stamp
	for _, e := range r.eyes {
		if e.more && (least == nil || e.stamp.Less(*least)) {
			least = &e.stamp
		}
	}
	if least == nil {
		return nil
	}
	now := *least
	return &now
}

// longest is the most a time may lie from its recording's start.
const longest = 24 * time.Hour

func (r *reader) since(s format.Stamp) (time.Duration, bool) {
	if !r.clock.Started() {
		if r.clock.Start(s); r.zero {
			r.clock.Start(format.Stamp{})
		}
	}
	at, ok := r.clock.Since(s)
	return at, ok && at > -longest && at < longest
}

func (r *reader) sample(at time.Duration, now format.Stamp) {
	i := r.b.Sample(at)
	s := &r.b.Recording().Samples
	for k, e := range r.eyes {
		if !e.more || e.stamp != now {
			continue
		}
		r.track(&s.Tracks[e.eye], i, e)
		if k == 0 {
			r.extras(s, i, e)
		}
		if e.events != nil {
			e.events.until(r.b, at, s.Tracks[e.eye].X[i], s.Tracks[e.eye].Y[i])
		}
	}
}

func (r *reader) track(t *gaze.Track, i int, e *eyeFile) {
	x, y := e.number(e.x), e.number(e.y)
	if format.Overflowed(x) || format.Overflowed(y) {
		r.overflow++
	} else {
		t.X[i], t.Y[i] = x, y
		if x == x {
			r.values++
		}
	}
	if t.Pupil != nil {
		if p := e.number(e.pupil); p > 0 && !format.Overflowed(p) {
			t.Pupil[i] = p
		}
	}
	if t.Confidence != nil {
		t.Confidence[i] = e.number(e.conf)
	}
}

func (r *reader) extras(s *gaze.Samples, i int, e *eyeFile) {
	if r.labels >= 0 {
		s.Labels[i] = canonical.ParseLabel(e.text(r.labels))
	}
	for n, c := range r.signals {
		s.Signals[n].Values[i] = e.number(c)
	}
}

func (r *reader) end() error {
	var err error
	short, bad := 0, 0
	for _, e := range r.eyes {
		if e.events != nil {
			e.events.rest(r.b)
			e.events.note(r.o.Report)
		}
		if err == nil {
			err = e.lines.Err()
		}
		short += e.short
		bad += e.bad
	}
	r.b.End()
	report := r.o.Report
	report.CountSome("row without a readable time stamp, or out of range (left out)", r.badTime)
	report.CountSome("row with too few fields (left out)", short)
	report.CountSome("cell that is no number (counted as lost)", bad)
	report.CountSome("overflow value in a position (counted as lost)", r.overflow)
	switch {
	case err != nil || r.b.Stopped() || !r.b.Decide():
		return err
	case r.b.Recordings() == 0:
		return &format.SyntaxError{File: r.in.Name, Line: r.eyes[0].lines.Number(), Msg: "none of its rows could be used"}
	case r.values == 0 && bad > 0:
		return &format.SyntaxError{File: r.in.Name, Line: r.eyes[0].lines.Number(), Msg: "the cells of positions are no numbers"}
	}
	return nil
}

func (r *reader) close() {
	for _, e := range r.eyes {
		e.sheet.close()
		if e.events != nil {
			e.events.close()
		}
	}
}
