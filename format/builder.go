package format

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// PieceSamples is the most samples or fixations a piece of a recording has.
const PieceSamples = 1 << 16

var nan = math.NaN()

// Layout says which columns a recording has.
type Layout struct {
	Eyes       [3]bool // positions, indexed by gaze.Eye
	Pupil      [3]bool
	Confidence [3]bool
	Labels     bool
	Signals    []gaze.Signal // name and unit
}

// Builder collects samples and events of one recording after the other and
// yields them in pieces of at most [PieceSamples], from buffers it reuses.
// Known and Want of its Options are applied, repeated and backward time stamps
// counted.
type Builder struct {
	o     *Options
	yield func(*gaze.Recording, error) bool
	rec   gaze.Recording
	cols  []*[]float64

	open, decided, wanted, given, stopped bool

	hold               int
	last               time.Duration
	any                bool
	repeated, backward int
	recordings, empty  int
}

// NewBuilder returns a builder that yields to a reader's consumer.
func NewBuilder(o *Options, yield func(*gaze.Recording, error) bool) *Builder {
	return &Builder{o: o, yield: yield}
}

// Begin starts a recording; one that is open is ended first.
func (b *Builder) Begin(h gaze.Header, l Layout) {
	b.End()
	b.open, b.decided, b.given, b.any = true, false, false, false
	b.rec.Header, b.rec.Continues = h, false
	b.lay(l)
}

// lay makes the columns of a layout, reusing their memory.
func (b *Builder) lay(l Layout) {
	b.cols = b.cols[:0]
	s := &b.rec.Samples
	for e := range s.Tracks {
		t := &s.Tracks[e]
		b.column(&t.X, l.Eyes[e])
		b.column(&t.Y, l.Eyes[e])
		b.column(&t.Pupil, l.Pupil[e])
		b.column(&t.Confidence, l.Confidence[e])
	}
	s.Signals = append(s.Signals[:0], l.Signals...)
	for i := range s.Signals {
		s.Signals[i].Values = nil
		b.column(&s.Signals[i].Values, true)
	}
	if l.Labels {
		s.Labels = emptied(s.Labels)
	} else {
		s.Labels = nil
	}
	b.clear()
}

func (b *Builder) column(c *[]float64, has bool) {
	if !has {
		*c = nil
		return
	}
	*c = emptied(*c)
	b.cols = append(b.cols, c)
}

func emptied[T any](s []T) []T {
	if s == nil {
		return make([]T, 0, 256)
	}
	return s[:0]
}

func (b *Builder) clear() {
	b.rec.Samples.T = b.rec.Samples.T[:0]
	for _, c := range b.cols {
		*c = (*c)[:0]
	}
	if b.rec.Samples.Labels != nil {
		b.rec.Samples.Labels = b.rec.Samples.Labels[:0]
	}
	b.rec.Fixations, b.rec.Saccades, b.rec.Blinks = b.rec.Fixations[:0], b.rec.Saccades[:0], b.rec.Blinks[:0]
}

// Hold keeps the newest n samples back where a full piece is given out, so that
// they can still be changed: at most half of a piece.
func (b *Builder) Hold(n int) { b.hold = min(max(n, 0), PieceSamples/2) }

// Header is the open recording's header. Changes count until the first piece
// is given out.
func (b *Builder) Header() *gaze.Header { return &b.rec.Header }

// Recording is the piece in the making, to write the values of the newest
// sample into.
func (b *Builder) Recording() *gaze.Recording { return &b.rec }

// Open reports whether a recording has begun and not ended.
func (b *Builder) Open() bool { return b.open }

// Given reports whether a piece of the open recording was already given out.
func (b *Builder) Given() bool { return b.given }

// Stopped reports whether the consumer wants no more.
func (b *Builder) Stopped() bool { return b.stopped }

// Recordings counts recordings that had samples or events, wanted or not.
func (b *Builder) Recordings() int { return b.recordings }

// takeRecordings is Recordings since the last call.
func (b *Builder) takeRecordings() int {
	n := b.recordings
	b.recordings = 0
	return n
}

// Empty counts recordings that ended without samples and events.
func (b *Builder) Empty() int { return b.empty }

// Decide applies Known and Want to the header as it is now.
func (b *Builder) Decide() bool {
	if !b.decided {
		b.decided = true
		b.wanted = b.o.Wanted(&b.rec.Header)
	}
	return b.wanted
}

// Len counts the samples and fixations of the piece in the making.
func (b *Builder) Len() int { return len(b.rec.Samples.T) + len(b.rec.Fixations) }

// Sample appends a sample whose values are all lost and returns its index in
// the piece. A full piece is given out before.
func (b *Builder) Sample(t time.Duration) int {
	i := len(b.rec.Samples.T)
	if i >= PieceSamples {
		b.flushBut(b.hold)
		i = len(b.rec.Samples.T)
	}
	if b.any && t <= b.last {
		if t == b.last {
			b.repeated++
		} else {
			b.backward++
		}
	}
	b.any, b.last = true, t
	b.rec.Samples.T = append(b.rec.Samples.T, t)
	for _, c := range b.cols {
		*c = append(*c, nan)
	}
	if b.rec.Samples.Labels != nil {
		b.rec.Samples.Labels = append(b.rec.Samples.Labels, gaze.Unlabelled)
	}
	return i
}

// Fixation appends a fixation.
func (b *Builder) Fixation(f gaze.Fixation) {
	if len(b.rec.Fixations) >= PieceSamples {
		b.Flush()
	}
	b.rec.Fixations = append(b.rec.Fixations, f)
}

// Saccade appends a saccade.
func (b *Builder) Saccade(s gaze.Saccade) {
	if len(b.rec.Saccades) >= PieceSamples {
		b.Flush()
	}
	b.rec.Saccades = append(b.rec.Saccades, s)
}

// Blink appends a blink.
func (b *Builder) Blink(k gaze.Blink) {
	if len(b.rec.Blinks) >= PieceSamples {
		b.Flush()
	}
	b.rec.Blinks = append(b.rec.Blinks, k)
}

func (b *Builder) holds() bool {
	return b.Len() > 0 || len(b.rec.Saccades) > 0 || len(b.rec.Blinks) > 0
}

// Flush gives out what was collected; the recording stays open and its next
// piece continues it.
func (b *Builder) Flush() {
	if !b.open || !b.holds() {
		return
	}
	if b.Decide() && !b.stopped {
		b.rec.Continues = b.given
		b.stopped = !b.yield(&b.rec, nil)
	}
	b.given = true
	b.clear()
}

// flushBut is Flush that leaves the newest samples in the piece in the making.
func (b *Builder) flushBut(newest int) {
	s := &b.rec.Samples
	n := len(s.T)
	cut := n - newest
	b.truncate(cut)
	b.Flush()
	s.T = append(s.T, s.T[:n][cut:]...)
	for _, c := range b.cols {
		*c = append(*c, (*c)[:n][cut:]...)
	}
	if s.Labels != nil {
		s.Labels = append(s.Labels, s.Labels[:n][cut:]...)
	}
}

func (b *Builder) truncate(n int) {
	s := &b.rec.Samples
	s.T = s.T[:n]
	for _, c := range b.cols {
		*c = (*c)[:n]
	}
	if s.Labels != nil {
		s.Labels = s.Labels[:n]
	}
}

// End gives out the rest of the open recording and closes it.
func (b *Builder) End() {
	if !b.open {
		return
	}
	b.Flush()
	b.open = false
	if b.given {
		b.recordings++
	} else {
		b.empty++
	}
	b.o.Report.CountSome("time stamp repeated", b.repeated)
	b.o.Report.CountSome("time stamp runs backwards", b.backward)
	b.repeated, b.backward = 0, 0
}
