package simulate

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Time scales, in seconds.
const (
	driftRelaxation = 0.2
	pupilRelaxation = 1.5
	headRelaxation  = 0.4
	meanLossBurst   = 0.04
	blinkRefractory = 0.4
)

// pupilSpread is the standard deviation of a pupil's slow changes, mm.
const pupilSpread = 0.15

// looker renders one session.
type looker struct {
	session *Session
	src     *noise.Source
	surface surface
	plan    planner
	length  time.Duration

	center   point // of the fixation at hand, or where the saccade at hand lands
	from     point // where the saccade took off
	inFlight bool
	start    time.Duration // of the movement at hand
	end      time.Duration
	hold     time.Duration // how long the fixation after the saccade lasts
	drift    wander
	pupil    wander
	head     point
	headStep float64 // share of the way to gaze that the head turns per sample
	blink    spells
	loss     spells

	piece *gaze.Recording
}

func newLooker(s *Session, src *noise.Source) *looker {
	l := &looker{session: s, src: src, surface: s.surface(), length: seconds(s.Seconds)}
	step := 1 / float64(s.Rate)
	l.drift = newWander(s.Viewer.Drift, driftRelaxation, step)
	l.pupil = newWander(pupilSpread, pupilRelaxation, step)
	l.pupil.step(src)
	l.headStep = 1 - math.Exp(-step/headRelaxation)
	if s.Scene.Task == Reading {
		l.plan = &reader{viewer: &s.Viewer, words: words(&s.Scene)}
	} else {
		l.plan = newBrowser(&s.Viewer, &s.Scene, l.surface)
	}
	first := l.plan.next(src)
	l.center = l.offset(first)
	l.head, l.end = l.center, first.duration
	l.blink.draw, l.loss.draw = l.blinkSpell, l.lossSpell
	l.blink.end = l.blinkSpell(false)
	l.loss.on = src.Float64() >= s.Loss // toggled by the first sample: lost with probability Loss
	return l
}

// offset turns a planned position into where the tracker says it is.
func (l *looker) offset(t target) point {
	v := &l.session.Viewer
	return l.surface.shift(l.surface.fromScene(t.x, t.y), v.OffsetX, v.OffsetY)
}

func (l *looker) blinkSpell(on bool) time.Duration {
	v := &l.session.Viewer
	if on {
		return blinkDuration(v.BlinkMean, l.src)
	}
	if v.BlinksPerMinute == 0 {
		return math.MaxInt64 / 2
	}
	mean := max(0, 60/v.BlinksPerMinute-v.BlinkMean.Seconds()-blinkRefractory)
	return seconds(blinkRefractory + mean*l.src.ExpFloat64())
}

// blinkDuration draws how long a blink lasts.
func blinkDuration(mean time.Duration, src *noise.Source) time.Duration {
	return seconds(min(0.45, max(0.06, mean.Seconds()*math.Exp(0.3*src.NormFloat64()))))
}

func (l *looker) lossSpell(on bool) time.Duration {
	share := l.session.Loss
	if share == 0 {
		return math.MaxInt64 / 2
	}
	mean := meanLossBurst
	if !on {
		mean *= (1 - share) / share
	}
	return seconds(mean * l.src.ExpFloat64())
}

// run yields the session piece by piece.
func (l *looker) run(yield func(*gaze.Recording, error) bool) {
	l.piece = l.newPiece()
	step := float64(time.Second) / float64(l.session.Rate)
	for i := 0; ; i++ {
		t := time.Duration(math.Round(float64(i) * step))
		if t >= l.length {
			break
		}
		l.sample(t)
		if l.piece.Samples.Len() == pieceLength {
			if !yield(l.piece, nil) {
				return
			}
			l.empty()
		}
	}
	l.finish()
	if l.piece.Samples.Len() > 0 || len(l.piece.Fixations) > 0 {
		yield(l.piece, nil)
	}
}

func (l *looker) newPiece() *gaze.Recording {
	p := &gaze.Recording{Header: l.session.header()}
	column := func() []float64 { return make([]float64, 0, pieceLength) }
	p.Samples.T = make([]time.Duration, 0, pieceLength)
	p.Samples.Tracks[gaze.Right] = gaze.Track{X: column(), Y: column(), Pupil: column()}
	if l.session.Scene.Task == LookAround {
		p.Samples.Signals = []gaze.Signal{
			{Name: "head_yaw", Unit: "deg", Values: column()}, {Name: "head_pitch", Unit: "deg", Values: column()},
		}
	}
	return p
}

// empty makes the piece ready for its continuation.
func (l *looker) empty() {
	p := l.piece
	p.Continues = true
	p.Samples.T = p.Samples.T[:0]
	t := &p.Samples.Tracks[gaze.Right]
	t.X, t.Y, t.Pupil = t.X[:0], t.Y[:0], t.Pupil[:0]
	for i := range p.Samples.Signals {
		p.Samples.Signals[i].Values = p.Samples.Signals[i].Values[:0]
	}
	p.Fixations, p.Saccades, p.Blinks = p.Fixations[:0], p.Saccades[:0], p.Blinks[:0]
}

// sample appends the sample at time t.
func (l *looker) sample(t time.Duration) {
	for t >= l.end {
		l.turn()
	}
	l.drift.step(l.src)
	l.pupil.step(l.src)
	a, b := normals(l.src)
	tremor := l.session.Viewer.Tremor
	p := l.position(t, tremor*a, tremor*b)
	pupil := max(0.5, l.session.Viewer.Pupil+l.pupil.x)
	shut := l.blink.at(t, l.blinked)
	if lost := l.loss.at(t, func(_, _ time.Duration) {}); shut || lost {
		p, pupil = point{math.NaN(), math.NaN()}, math.NaN()
	}
	s := &l.piece.Samples
	s.T = append(s.T, t)
	track := &s.Tracks[gaze.Right]
	track.X, track.Y, track.Pupil = append(track.X, p.x), append(track.Y, p.y), append(track.Pupil, pupil)
	if s.Signals != nil {
		l.moveHead(s)
	}
}

// position is where gaze is, moved by tremor.
func (l *looker) position(t time.Duration, right, up float64) point {
	if !l.inFlight {
		return l.surface.shift(l.center, l.drift.x+right, l.drift.y+up)
	}
	f := float64(t-l.start) / float64(l.end-l.start)
	return l.surface.shift(l.surface.between(l.from, l.center, minimumJerk(f)), right, up)
}

// moveHead lets the head follow gaze, the shorter way around.
func (l *looker) moveHead(s *gaze.Samples) {
	l.head.x = wrap(l.head.x + l.headStep*wrap(l.center.x-l.head.x))
	l.head.y += l.headStep * (l.center.y - l.head.y)
	s.Signals[0].Values = append(s.Signals[0].Values, l.head.x)
	s.Signals[1].Values = append(s.Signals[1].Values, l.head.y)
}

// turn ends the movement at hand and begins the next one.
func (l *looker) turn() {
	l.tell(l.end)
	at := l.end
	if l.inFlight {
		l.inFlight = false
		l.drift.x, l.drift.y = 0, 0
		l.start, l.end = at, at+l.hold
		return
	}
	l.from = l.position(at, 0, 0)
	next := l.plan.next(l.src)
	aim := l.offset(next)
	miss := landingError * l.surface.angle(l.from, aim)
	a, b := normals(l.src)
	l.center = l.surface.shift(aim, miss*a, miss*b)
	duration, _ := MainSequence(l.surface.angle(l.from, l.center))
	l.inFlight, l.hold = true, next.duration
	l.start, l.end = at, at+seconds(duration.Seconds()*l.session.Viewer.SaccadeTime)
}

// tell attaches the movement at hand as it was planned.
func (l *looker) tell(end time.Duration) {
	if !l.session.Truth || end <= l.start {
		return
	}
	p, d := l.piece, end-l.start
	if !l.inFlight {
		p.Fixations = append(p.Fixations, gaze.Fixation{Eye: gaze.Right, Start: l.start, Duration: d,
			X: l.center.x, Y: l.center.y, Pupil: math.NaN()})
		return
	}
	amplitude := l.surface.angle(l.from, l.center)
	p.Saccades = append(p.Saccades, gaze.Saccade{Eye: gaze.Right, Start: l.start, Duration: d,
		X0: l.from.x, Y0: l.from.y, X1: l.center.x, Y1: l.center.y,
		PeakVelocity: peakOverMean * amplitude / d.Seconds(), Amplitude: amplitude})
}

func (l *looker) blinked(start, end time.Duration) {
	if l.session.Truth {
		l.piece.Blinks = append(l.piece.Blinks, gaze.Blink{Eye: gaze.Right, Start: start, Duration: end - start})
	}
}

// finish tells the last fixation and blink, cut at the session's end. A saccade
// in flight has no landing and is left out.
func (l *looker) finish() {
	if !l.inFlight {
		l.tell(min(l.end, l.length))
	}
	if l.blink.on && l.blink.start < l.length {
		l.blinked(l.blink.start, min(l.blink.end, l.length))
	}
}
