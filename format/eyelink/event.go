package eyelink

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// maxDegrees is the largest amplitude an eye can have; larger ones (2.3e+06
// occurs) are what edf2asc writes after a loss.
const maxDegrees = 360

// event is the common part of EFIX, ESACC and EBLINK lines: eye, start, end,
// duration, then numbers.
type event struct {
	eye             gaze.Eye
	start, duration time.Duration
	end             time.Duration
	values          [6]float64
	n               int // values found
}

// parse reads an event with at least n further numbers; blanks and tabs both
// separate.
func (r *reader) parse(rest []byte, n int) (e event, ok bool) {
	if !r.block.open {
		return e, false
	}
	word, rest := cut(rest)
	if e.eye, ok = eyeOf(word); !ok {
		r.count.incomplete++
		return e, false
	}
	var stamps [3]format.Stamp
	for i := range stamps {
		word, rest = cut(rest)
		if stamps[i], ok = format.ParseStamp(word, '.'); !ok {
			r.count.incomplete++
			return e, false
		}
	}
	for e.n < len(e.values) && len(rest) > 0 {
		word, rest = cut(rest)
		e.values[e.n] = r.number(word)
		e.n++
	}
	if e.n < n {
		r.count.incomplete++
		return e, false
	}
	if !r.timeEvent(&e, stamps) {
		r.count.badTime++
		return e, false
	}
	if e.start < 0 && r.block.trials > 1 && !r.cutEvent(&e) {
		return e, false
	}
	r.begin()
	return e, true
}

// cutEvent shortens an event that began in the trial before to its part in this
// one; false where there is none.
func (r *reader) cutEvent(e *event) bool {
	if e.end < 0 {
		r.count.early++
		return false
	}
	r.count.cutEvents++
	e.duration += e.start
	e.start = 0
	return true
}

// timeEvent sets an event's times. The stated duration includes the last
// sample's interval; some versions of edf2asc write garbage there, which is
// recognised by contradicting start and end.
func (r *reader) timeEvent(e *event, stamps [3]format.Stamp) bool {
	var okStart, okEnd bool
	e.start, okStart = r.clock.Since(stamps[0])
	e.end, okEnd = r.clock.Since(stamps[1])
	if !okStart || !okEnd || e.end < e.start {
		return false
	}
	step := time.Millisecond
	if r.block.rate > 0 {
		step = time.Duration(float64(time.Second) / float64(r.block.rate))
	}
	stated, ok := r.clock.Length(stamps[2])
	e.duration = stated
	if over := stated - (e.end - e.start); !ok || over < 0 || over > 2*step+time.Millisecond {
		e.duration = e.end - e.start + step
		r.count.badDuration++
	}
	return true
}

func eyeOf(word []byte) (gaze.Eye, bool) {
	switch string(word) {
	case "L":
		return gaze.Left, true
	case "R":
		return gaze.Right, true
	}
	return 0, false
}

// place shifts a position to the screen's corner; NaN where events are not
// measured on the screen.
func (r *reader) place(kind string, x, y float64) (float64, float64) {
	if kind != "GAZE" {
		r.count.otherEvents++
		return math.NaN(), math.NaN()
	}
	if format.Overflowed(x) || format.Overflowed(y) {
		r.count.overflow++
		return math.NaN(), math.NaN()
	}
	return x - r.file.left, y - r.file.top
}

func fixationEnd(r *reader, rest []byte) {
	e, ok := r.parse(rest, 3)
	if !ok {
		return
	}
	v := e.values[:3]
	kind := r.block.events
	if kind == "HREF" && e.n == len(e.values) { // the fixation again, in gaze coordinates
		v, kind = e.values[3:], "GAZE"
	}
	x, y := r.place(kind, v[0], v[1])
	r.b.Fixation(gaze.Fixation{Eye: e.eye, Start: e.start, Duration: e.duration, X: x, Y: y, Pupil: positive(v[2])})
}

func saccadeEnd(r *reader, rest []byte) {
	e, ok := r.parse(rest, 6)
	if !ok {
		return
	}
	s := gaze.Saccade{Eye: e.eye, Start: e.start, Duration: e.duration, Amplitude: e.values[4], PeakVelocity: e.values[5]}
	s.X0, s.Y0 = r.place(r.block.events, e.values[0], e.values[1])
	s.X1, s.Y1 = r.place(r.block.events, e.values[2], e.values[3])
	if !(s.Amplitude <= maxDegrees) {
		s.Amplitude = math.NaN()
	}
	r.b.Saccade(s)
}

func blinkStart(r *reader, rest []byte) {
	word, rest := cut(rest)
	e, ok := eyeOf(word)
	if !ok || !r.block.open {
		return
	}
	r.block.blink[e] = true
	word, _ = cut(rest)
	if stamp, ok := format.ParseStamp(word, '.'); ok && r.o.BlinkPad > 0 && r.block.begun {
		if start, ok := r.clock.Since(stamp); ok {
			r.lose(e, start-r.o.BlinkPad, start)
		}
	}
}

// blinkEnd closes a blink. Where SBLINK was missing, the samples of the piece
// in the making are made lost after the fact.
func blinkEnd(r *reader, rest []byte) {
	word, _ := cut(rest)
	eye, _ := eyeOf(word) // parse refuses others
	began := r.block.blink[eye]
	r.block.blink[eye] = false
	e, ok := r.parse(rest, 0)
	if !ok {
		return
	}
	if !began {
		r.lose(eye, e.start-r.o.BlinkPad, e.end+time.Millisecond)
	}
	if r.o.BlinkPad > 0 {
		r.block.until[e.eye] = e.end + time.Millisecond + r.o.BlinkPad
	}
	r.b.Blink(gaze.Blink{Eye: e.eye, Start: e.start, Duration: e.duration})
}

// lose marks an eye's samples from one time to before another, as far as they
// are in the piece in the making.
func (r *reader) lose(eye gaze.Eye, from, to time.Duration) {
	s := &r.b.Recording().Samples
	t := &s.Tracks[eye]
	if !t.Present() {
		return
	}
	for i := len(s.T) - 1; i >= 0 && s.T[i] >= from; i-- {
		if s.T[i] < to {
			t.X[i], t.Y[i], t.Pupil[i] = math.NaN(), math.NaN(), math.NaN()
		}
	}
}

func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return math.NaN()
}
