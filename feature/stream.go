package feature

import (
	"errors"
	"fmt"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// Row is one window's features.
type Row struct {
	Index  int
	Start  time.Duration // since the recording's first sample
	Values [Count]float64
}

// Stream computes features of recordings that come in pieces, in memory bounded
// by one window. A row is handed on as soon as a sample shows that its window
// is over. Blinks in rows are those found by losses; see [Options.Tables] for
// stated ones.
type Stream struct {
	options Options
	row     func(Row)

	begun      bool
	columns    track
	trace      trace
	sighted    bool // the trace has a sight
	lids       lids
	eyelids    blinkTally
	tally      *tally
	margin     margin
	origin     time.Duration // time of the first sample
	last, step time.Duration // of the last sample, since the origin; from the one before
	nominal    time.Duration // sampling period, as stated
	samples    int
	window     int // the next to be handed on
	nextRun    int // the first run that is not yet in the tally
	pupils     int // valid pupil sizes seen
	leftOut    int
}

// maxJump is how far times of neighbouring samples may lie apart.
const maxJump = time.Hour

// Stream returns a state to be fed with pieces of recordings.
func (o Options) Stream(row func(Row)) (*Stream, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.Resolved()
	s := &Stream{options: o, row: row, tally: newTally(o)}
	s.trace.settings, s.lids.settings = o.Detector, o.Blinks
	return s, nil
}

// Add takes a recording or the next piece of one; a new recording ends the one
// before. After an error the recording yields no more rows.
func (s *Stream) Add(piece *gaze.Recording) error {
	if !piece.Continues || !s.begun {
		s.Flush()
		s.begin(piece)
	}
	if err := s.look(piece); err != nil {
		return err
	}
	for i, t := range piece.Samples.T {
		if err := s.sample(piece, i, t); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stream) begin(piece *gaze.Recording) {
	s.begun, s.sighted, s.columns = true, false, track{}
	s.last, s.step, s.samples, s.window, s.nextRun, s.pupils, s.leftOut = 0, 0, 0, 0, 0, 0, 0
	s.trace.reset()
	s.trace.pupils = otherPupils
	if piece.PupilUnit == gaze.PupilMillimetres {
		s.trace.pupils = millimetres
	}
	s.tally.reset(s.trace.pupils)
	s.lids.reset(piece.Rate)
	s.nominal = s.lids.stated
	s.eyelids.reset()
}

// look finds out which columns are there and how they become degrees.
func (s *Stream) look(piece *gaze.Recording) (err error) {
	s.columns.choose(piece)
	if s.columns.gaze && !s.sighted {
		s.trace.sight, err = detect.NewSight(&piece.Header, s.options.Detector.PixelsPerDegree)
		s.sighted = err == nil
	}
	n := piece.Samples.Len()
	for _, t := range piece.Samples.Tracks {
		if t.X != nil && (len(t.X) != n || len(t.Y) != n) || t.Pupil != nil && len(t.Pupil) != n {
			return errors.New("feature: columns of unequal length do not belong together")
		}
	}
	return err
}

// since is the time from the origin, and false for times before it.
func since(t, origin time.Duration) (time.Duration, bool) {
	d := uint64(t) - uint64(origin)
	return time.Duration(d), t >= origin && d < 1<<62
}

func (s *Stream) sample(piece *gaze.Recording, i int, at time.Duration) error {
	if s.samples == 0 {
		s.origin = at
	}
	t, ok := since(at, s.origin)
	switch {
	case s.samples > 0 && (at <= s.origin || ok && t <= s.last):
		s.leftOut++
		return nil
	case !ok || t-s.last > maxJump:
		return fmt.Errorf("feature: the times of neighbouring samples lie more than %v apart", maxJump)
	case s.trace.nodes.len() >= maxSamples:
		return fmt.Errorf("feature: a window holds more than %d samples", maxSamples)
	}
	s.pass(t)
	x, y, pupil, closed := s.columns.at(&piece.Samples, i)
	if b, found := s.lids.sample(t, s.step, closed); found {
		s.eyelids.add(b)
	}
	if s.samples > 0 {
		s.step = t - s.last
	}
	s.last = t
	s.samples++
	if usable(pupil) {
		s.pupils++
	}
	if s.sighted {
		if p, ok := s.trace.sight.At(x, y); ok {
			s.trace.push(t, p, pupil)
		}
	}
	return nil
}

// pass tells that all before a time is known, and hands on the windows that end
// by then.
func (s *Stream) pass(now time.Duration) {
	s.trace.classify(now)
	for ; time.Duration(s.window)*s.options.Step+s.options.Window <= now; s.window++ {
		s.close(s.window)
	}
}

// close hands on one window.
func (s *Stream) close(i int) {
	from := time.Duration(i) * s.options.Step
	s.eyelids.forget(from)
	s.meet(from, from+s.options.Window)
	s.row(Row{i, from, s.tally.values(&s.margin, &s.eyelids.sums)})
}

// Flush ends the recording and hands on the windows that its last samples
// complete.
func (s *Stream) Flush() {
	if s.begun && s.samples > 0 {
		s.pass(s.span() + s.period()/2)
	}
	s.begun = false
}

// period is the time that the last sample stands for: the shortest of the
// stated, the mean and the last step.
func (s *Stream) period() time.Duration {
	p := s.nominal
	if s.samples > 1 {
		p = min(s.step, s.last/time.Duration(s.samples-1))
		if s.nominal > 0 {
			p = min(p, s.nominal)
		}
	}
	return p
}

// span is the time from the first sample to the end of the last.
func (s *Stream) span() time.Duration {
	if s.samples == 0 {
		return 0
	}
	return s.last + s.period()
}

// Absent lists the features without input in the recording so far.
func (s *Stream) Absent() []int {
	blinks := s.options.BlinkSource != NoBlinks && s.options.BlinkSource != StatedBlinks && s.lids.lossy
	return absent(s.columns.gaze, s.columns.gaze && s.pupils > 0, blinks)
}

func absent(gaze, pupil, blinks bool) []int {
	var list []int
	for i := range Count {
		switch {
		case i >= blinkMean && i <= blinkRate:
			if !blinks {
				list = append(list, i)
			}
		case !gaze, !pupil && i >= pupilMeanMean && i <= pupilVarVar:
			list = append(list, i)
		}
	}
	return list
}
