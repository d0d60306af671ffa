package tobii

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// numbers count recordings of a participant and stimuli of a recording:
// recordings have names that may hold anything.
type numbers struct {
	sessions map[string]string // by participant and name
	count    map[string]int    // by participant
	trial    int
	session  string
}

// manySessions bounds what is remembered of a table that is no recording.
const manySessions = 1 << 16

func (n *numbers) init() { n.sessions, n.count = make(map[string]string), make(map[string]int) }

// turnTo sets session and trial for a recording of a participant.
func (n *numbers) turnTo(participant, recording string) {
	key := participant + "\x00" + recording
	session, ok := n.sessions[key]
	if !ok {
		n.count[participant]++
		session = strconv.Itoa(n.count[participant])
		if len(n.sessions) < manySessions {
			n.sessions[key] = session
		}
	}
	if full := participant + "\x00" + session; full != n.session {
		n.session, n.trial = full, 0
	}
	n.trial++
}

func (n *numbers) number() string {
	_, session, _ := strings.Cut(n.session, "\x00")
	return session
}

// turn begins a recording where participant, recording, timeline or stimulus
// differ from the row before.
func (r *reader) turn(stamp format.Stamp) {
	b := r.bind
	r.newKey = r.newKey[:0]
	for _, c := range [...]int{b.participant, b.recording, b.task, b.stimulus, b.media} {
		r.newKey = append(append(r.newKey, r.cell(c)...), 0)
	}
	if r.b.Open() && bytes.Equal(r.key, r.newKey) {
		return
	}
	r.end()
	r.key = append(r.key[:0], r.newKey...)
	h := b.header(r.cells)
	r.numbers.turnTo(h.Participant, string(r.cell(b.recording)))
	if b.recording >= 0 {
		h.Session = r.numbers.number()
	}
	if b.stimulus >= 0 || b.media >= 0 {
		h.Trial = strconv.Itoa(r.numbers.trial)
	}
	r.clock.Start(stamp)
	r.b.Begin(h, b.layout())
	if b.label >= 0 {
		r.b.Recording().Fixations = []gaze.Fixation{} // an empty list says that there was none
	}
	r.run, r.last, r.step = run{}, 0, 0
}

// end closes the open recording.
func (r *reader) end() {
	r.endRun(true)
	r.b.End()
}

// run is a series of samples that the table says are one fixation.
type run struct {
	open, first bool
	index       []byte
	start, last time.Duration
	stated      time.Duration
	x, y        float64 // as the table states them
	sumX, sumY  float64 // of the samples
	n           int
}

// movement labels a sample and follows fixations, which the table states by
// type, index, duration and place on each of their rows.
func (r *reader) movement(s *gaze.Samples, i int, at [2]float64) {
	b, k := r.bind, &r.run
	kind := r.cell(b.label)
	fixation := bytes.EqualFold(kind, []byte("fixation"))
	switch {
	case fixation:
		s.Labels[i] = gaze.InFixation
	case bytes.EqualFold(kind, []byte("saccade")):
		s.Labels[i] = gaze.InSaccade
	}
	t := s.T[i]
	if k.open && (!fixation || !bytes.Equal(k.index, r.cell(b.index))) {
		r.endRun(false)
	}
	if !fixation {
		return
	}
	if !k.open {
		*k = run{open: true, first: len(s.T) == 1 && !r.b.Given(), index: append(k.index[:0], r.cell(b.index)...), start: t, last: t, x: math.NaN(), y: math.NaN()}
		k.stated = r.stated()
	}
	k.last = t
	if gaze.Lost(k.x, k.y) && b.fixationX >= 0 {
		k.x, k.y = r.position(&eyeCells{x: b.fixationX, y: b.fixationY})
	}
	if !gaze.Lost(at[0], at[1]) {
		k.sumX, k.sumY, k.n = k.sumX+at[0], k.sumY+at[1], k.n+1
	}
}

// stated is the duration that a row states, in ms unless its column says µs.
func (r *reader) stated() time.Duration {
	v := r.number(r.bind.duration)
	unit := time.Millisecond
	if r.bind.duration >= 0 && strings.HasPrefix(r.bind.columns[r.bind.duration].unit, "μ") {
		unit = time.Microsecond
	}
	if !(v > 0) || v > 1e9 {
		return 0
	}
	return time.Duration(v * float64(unit))
}

// endRun gives out the fixation that has ended. The duration stated is that of
// the whole fixation: where it began before its recording or goes on after it
// (cut), it is as long as its samples.
func (r *reader) endRun(cut bool) {
	k := &r.run
	if !k.open {
		return
	}
	k.open = false
	seen, length := k.last-k.start+r.step, k.stated
	beyond := (cut || k.first) && length > seen+r.step+time.Millisecond
	if beyond {
		r.beyond++
	}
	if beyond || length == 0 {
		length = seen
	}
	x, y := k.x, k.y
	if gaze.Lost(x, y) && k.n > 0 {
		x, y = k.sumX/float64(k.n), k.sumY/float64(k.n)
	}
	r.b.Fixation(gaze.Fixation{Start: k.start, Duration: length, X: x, Y: y, Pupil: math.NaN()})
}
