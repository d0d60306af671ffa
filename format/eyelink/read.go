package eyelink

import (
	"bytes"
	"math"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Read streams the blocks of an ASC file.
func Read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		r := &reader{in: in, o: &o, lines: format.NewLines(in), b: format.NewBuilder(&o, yield)}
		r.clock, _ = format.ParseTimeUnit("ms")
		defer r.report()
		for !r.b.Stopped() {
			line, ok := r.lines.Next()
			if !ok {
				break
			}
			r.line(line)
		}
		if r.b.Stopped() {
			return
		}
		if err := r.finish(); err != nil {
			yield(nil, err)
		}
	}
}

// reader is the state between lines.
type reader struct {
	in    *format.Input
	o     *format.Options
	lines *format.Lines
	b     *format.Builder

	clock format.Clock
	file  header // stated outside of blocks
	block block

	trial, stimulus string // named since the last block's end

	count counts
}

// block is the state within START and END. It holds one recording, or one for
// each TRIALID in it.
type block struct {
	open, begun bool
	used        bool       // it gave a recording
	fresh       bool       // a trial has begun within it, and no sample came since
	eyes        []gaze.Eye // in the order of the sample columns
	rate        gaze.Hertz
	pupil       gaze.PupilUnit
	positions   string // GAZE, HREF or PUPIL
	events      string
	trials      int
	blink       [3]bool
	until       [3]time.Duration // end of the samples that are lost after a blink
	last        time.Duration    // time stamp as written
	repeats     int
	any         bool
}

// line dispatches by a line's beginning; sample lines are by far the most.
func (r *reader) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if c := line[0]; c-'0' <= 9 {
		r.sample(line)
		return
	}
	word, rest := cut(line)
	if f := handle(word); f != nil {
		f(r, rest)
		return
	}
	switch line[0] {
	case ' ', '\t', '>', '#', '/', ';': // calibration tables and comments
	default:
		r.count.unknown++
	}
}

// cut splits a line's first word from the rest.
func cut(line []byte) (word, rest []byte) {
	i := 0
	for i < len(line) && line[i] != ' ' && line[i] != '\t' {
		i++
	}
	return line[:i], skipBlanks(line[i:])
}

// sample reads a line of numbers: time, then x, y and pupil of each eye, then
// what is dropped (velocity, resolution, input, target, flags).
func (r *reader) sample(line []byte) {
	k := &r.block
	if !k.open && !r.implicit(line) {
		r.count.outside++
		return
	}
	stamp, rest, ok := stampOf(line)
	if !ok {
		r.count.incomplete++
		return
	}
	var v [6]float64
	want := 3 * len(k.eyes)
	for i := range want {
		if len(rest) == 0 {
			r.count.incomplete++
			return
		}
		v[i], rest = r.value(rest)
	}
	if !r.lines.Complete() && len(rest) == 0 {
		r.count.incomplete++ // the last number may be cut short
		return
	}
	t, ok := r.clock.Since(stamp)
	if k.fresh && ok && (t < 0 || t > time.Second) { // the message had another clock
		r.clock.Start(stamp)
		t, k.any = 0, false
	}
	if !ok {
		r.count.badTime++
		return
	}
	k.fresh = false
	r.store(r.spread(t), v[:want])
}

// stampOf reads the stamp with which a line begins.
func stampOf(line []byte) (stamp format.Stamp, rest []byte, ok bool) {
	if stamp, n, ok := format.ScanStamp(line, '\t', '.'); ok {
		return stamp, skipBlanks(line[n:]), true
	}
	word, rest := cut(line)
	stamp, ok = format.ParseStamp(word, '.')
	return stamp, rest, ok
}

// value reads the number with which the rest of a line begins.
func (r *reader) value(rest []byte) (float64, []byte) {
	if v, n, ok := format.ScanDecimal(rest, '.'); ok && (n == len(rest) || rest[n] == '\t' || rest[n] == ' ') {
		return v, skipBlanks(rest[n:])
	}
	word, rest := cut(rest)
	return r.number(word), rest
}

func skipBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

func (r *reader) number(word []byte) float64 {
	v, ok := format.ParseNumber(word, '.')
	if ok {
		return v
	}
	if !format.IsMissing(word) {
		r.count.noNumber++
	}
	return v
}

// spread gives samples whose stamps repeat because they are written in whole
// milliseconds (2000 Hz) the times their rate says.
func (r *reader) spread(t time.Duration) time.Duration {
	k := &r.block
	if !k.any || t != k.last {
		k.any, k.last, k.repeats = true, t, 0
		return t
	}
	k.repeats++
	if k.rate <= 1000 {
		return t
	}
	shift := time.Duration(float64(k.repeats) / float64(k.rate) * float64(time.Second))
	if shift >= time.Millisecond {
		return t
	}
	r.count.spread++
	return t + shift
}

func (r *reader) store(t time.Duration, v []float64) {
	k := &r.block
	r.begin()
	i := r.b.Sample(t)
	s := &r.b.Recording().Samples
	for n, e := range k.eyes {
		if k.blink[e] || t < k.until[e] {
			continue
		}
		track := &s.Tracks[e]
		x, y, pupil := v[3*n], v[3*n+1], v[3*n+2]
		if format.Overflowed(x) || format.Overflowed(y) {
			r.count.overflow++
		} else {
			track.X[i], track.Y[i] = x-r.file.left, y-r.file.top
		}
		if pupil > 0 {
			track.Pupil[i] = pupil
		}
	}
}

// begin opens a recording at a block's first sample or event, when the lines
// that describe it have been read.
func (r *reader) begin() {
	k := &r.block
	if k.begun {
		return
	}
	k.begun, k.used = true, true
	r.b.Hold(int(math.Ceil(r.o.BlinkPad.Seconds() * float64(k.rate))))
	var l format.Layout
	for _, e := range k.eyes {
		l.Eyes[e], l.Pupil[e] = true, true
	}
	h := gaze.Header{
		Rate: k.rate, PupilUnit: k.pupil, Unit: gaze.Pixels, Screen: r.file.screen,
		Trial: r.trial, Stimulus: r.stimulus, Format: "eyelink-asc",
	}
	if k.positions != "GAZE" {
		h.Unit, h.Screen = gaze.UnitUnknown, gaze.Screen{}
		r.o.Report.Count("recording block in "+k.positions+" coordinates: not places on the screen, unit unknown", 1)
	}
	r.b.Begin(h, l)
}

// implicit opens a block for files without START lines (edf2asc -s): the
// number of columns tells one eye from two.
func (r *reader) implicit(line []byte) bool {
	if r.count.blocks > 0 {
		return false
	}
	word, rest := cut(line)
	stamp, ok := format.ParseStamp(word, '.')
	numbers := 0
	for ; len(rest) > 0; numbers++ {
		word, rest = cut(rest)
		if _, isNumber := format.ParseNumber(word, '.'); !isNumber && !bytes.Equal(word, []byte(".")) {
			break
		}
	}
	if !ok || numbers < 3 {
		return false
	}
	r.start(stamp)
	r.block.eyes = []gaze.Eye{gaze.Cyclopean}
	if numbers >= 6 {
		r.block.eyes = []gaze.Eye{gaze.Left, gaze.Right}
	}
	r.o.Report.Count("no START and SAMPLES lines: eye and rate are not stated", 0)
	return true
}
