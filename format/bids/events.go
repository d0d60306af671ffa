package bids

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// eventFile is what the tracker detected in one eye, with the event at hand.
type eventFile struct {
	*sheet
	eye     gaze.Eye
	clock   format.Clock
	length  format.Clock
	own     [8]int // places of the columns that only our files have
	more    bool
	kind    string
	blink   bool
	start   time.Duration
	span    time.Duration
	running []centroid // fixations whose place is found in the samples
	badTime int
	onset   int
	dur     int
	kinds   int
	blinks  int
}

// centroid is a fixation in the making.
type centroid struct {
	f    gaze.Fixation
	x, y float64
	n    int
}

// ownColumns give events places, which BIDS has no columns for.
var ownColumns = [...]string{"x", "y", "x_end", "y_end", "pupil_size", "amplitude", "peak_velocity", "eye"}

// openEvents opens an eye's *_physioevents file; nil if there is none.
func (r *reader) openEvents(e *eyeFile) *eventFile {
	name := r.name.of(e.recording)
	if len(name.entities) == 0 {
		return nil
	}
	meta := load(r.in.FS, name, "physioevents")
	columns := get[[]string](meta, "Columns")
	if len(columns) == 0 {
		columns = []string{"onset", "duration", "trial_type", "blink", "message"}
	}
	s := open(r.in.FS, name.with(e.recording, "physioevents", name.ending), columns)
	if s == nil {
		return nil
	}
	f := &eventFile{sheet: s, eye: e.eye, onset: s.at("onset"), dur: s.at("duration"), kinds: s.at("trial_type"), blinks: s.at("blink")}
	for i, c := range ownColumns {
		f.own[i] = s.at(c)
	}
	f.units(meta, r.clock)
	if s.at("message") >= 0 {
		r.o.Report.DropIdentity("text of messages (physioevents)")
	}
	f.advance()
	return f
}

// units finds in what onsets and durations are. Onsets are time stamps of the
// samples where OnsetSource says so, else seconds from the recording's start.
// Durations without a stated unit are seconds, or milliseconds where no eye
// moves as slowly as seconds would say: some converters write these.
func (f *eventFile) units(meta metadata, clock format.Clock) {
	f.clock = clock
	if get[string](meta, "OnsetSource") != "timestamp" {
		u := unitOf(get[column](meta, "onset").Units)
		if u == "" {
			u = "s"
		}
		f.clock, _ = format.ParseTimeUnit(u)
		f.clock.Start(format.Stamp{})
	}
	u := unitOf(get[column](meta, "duration").Units)
	if u == "" {
		u = f.guessLength()
	}
	f.length, _ = format.ParseTimeUnit(u)
}

func (f *eventFile) guessLength() string {
	var lengths []float64
	for line := range bytes.Lines(f.head) {
		cells := split(nil, bytes.TrimRight(line, "\r\n"))
		if f.dur < 0 || f.dur >= len(cells) {
			continue
		}
		if v, ok := format.ParseNumber(cells[f.dur], '.'); ok && v > 0 {
			lengths = append(lengths, v)
		}
	}
	slices.Sort(lengths)
	if n := len(lengths); n > 0 && lengths[n/2] > 5 {
		return "ms"
	}
	return "s"
}

// advance reads the next row that is an event.
func (f *eventFile) advance() {
	for {
		if f.more = f.next(max(f.onset, f.dur) + 1); !f.more {
			return
		}
		f.kind = strings.ToLower(f.text(f.kinds))
		f.blink = f.text(f.blinks) == "1"
		if f.kind != "fixation" && f.kind != "saccade" && !f.blink {
			continue
		}
		on, ok1 := format.ParseStamp(f.cells[f.onset], '.')
		dur, ok2 := format.ParseStamp(f.cells[f.dur], '.')
		var ok3, ok4 bool
		f.start, ok3 = f.clock.Since(on)
		f.span, ok4 = f.length.Length(dur)
		if ok1 && ok2 && ok3 && ok4 && f.span >= 0 && f.start > -longest && f.start < longest && f.span < longest {
			return
		}
		f.badTime++
	}
}

// until gives out the events up to a sample, which counts for the places of
// fixations that have none.
func (f *eventFile) until(b *format.Builder, at time.Duration, x, y float64) {
	for f.more && f.start <= at {
		f.take(b)
	}
	kept := f.running[:0]
	for _, c := range f.running {
		if at >= c.f.Start+c.f.Duration {
			c.give(b)
			continue
		}
		if !gaze.Lost(x, y) {
			c.x, c.y, c.n = c.x+x, c.y+y, c.n+1
		}
		kept = append(kept, c)
	}
	f.running = kept
}

func (c *centroid) give(b *format.Builder) {
	if c.n > 0 {
		c.f.X, c.f.Y = c.x/float64(c.n), c.y/float64(c.n)
	}
	b.Fixation(c.f)
}

// take adds the event at hand and reads the next.
func (f *eventFile) take(b *format.Builder) {
	v := [7]float64{}
	for i := range v {
		v[i] = f.number(f.own[i])
	}
	eye := f.eye
	if name := f.text(f.own[7]); name != "" {
		eye = metadata{"RecordedEye": []byte(`"` + name + `"`)}.eye()
	}
	switch f.kind {
	case "fixation":
		fix := gaze.Fixation{Eye: eye, Start: f.start, Duration: f.span, X: v[0], Y: v[1], Pupil: v[4]}
		if f.own[0] < 0 {
			f.running = append(f.running, centroid{f: fix})
		} else {
			b.Fixation(fix)
		}
	case "saccade":
		b.Saccade(gaze.Saccade{
			Eye: eye, Start: f.start, Duration: f.span, X0: v[0], Y0: v[1], X1: v[2], Y1: v[3], Amplitude: v[5], PeakVelocity: v[6],
		})
	}
	if f.blink {
		b.Blink(gaze.Blink{Eye: eye, Start: f.start, Duration: f.span})
	}
	f.advance()
}

// rest gives out what is left after the last sample.
func (f *eventFile) rest(b *format.Builder) {
	for f.more {
		f.take(b)
	}
	for i := range f.running {
		f.running[i].give(b)
	}
	f.running = nil
}

func (f *eventFile) note(r *format.Report) {
	r.CountSome("event with an unreadable time (left out)", f.badTime)
	if f.own[0] < 0 {
		r.Count("fixations without places: these are the means of their samples", 0)
	}
}
