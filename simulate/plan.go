package simulate

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// minAmplitude keeps planned saccades apart from fixational movement, deg.
const minAmplitude = 1

// landingError is the standard deviation of where a saccade lands, as a share of
// its amplitude.
const landingError = 0.04

// shortestFixation bounds durations from below.
const shortestFixation = 70 * time.Millisecond

// target is a planned fixation: where in px of the scene and for how long.
type target struct {
	x, y     float64
	duration time.Duration
}

// planner draws one fixation after another.
type planner interface {
	next(src *noise.Source) target
}

func (v *Viewer) fixation(mean time.Duration, src *noise.Source) time.Duration {
	s := v.FixationSpread
	d := seconds(mean.Seconds() * math.Exp(s*src.NormFloat64()-s*s/2))
	return min(max(d, shortestFixation), 3*time.Second)
}

// browser looks at pictures and panoramas. Which blob is looked at is a
// Metropolis chain: a blob proposed by its share is accepted by a symmetric
// function of the distance, else gaze stays where it is. The shares are the
// chain's stationary law whatever the person's reach, so the scene's density
// stays known.
type browser struct {
	viewer        *Viewer
	surface       surface
	width, height float64
	blobs         []blob
	reach         float64 // deg: at this distance one of e proposals is accepted
	least         float64 // of all, however far
	at            int     // blob; -1 before the first look
	last          target
}

func newBrowser(v *Viewer, s *Scene, on surface) *browser {
	weights := v.Interest
	if weights == nil {
		for _, o := range s.HotSpots() {
			weights = append(weights, o.Weight)
		}
	}
	blobs := s.blobs(weights, v.CenterBias, s.Width*(0.5+v.CenterX), s.Height*(0.5+v.CenterY))
	b := &browser{viewer: v, surface: on, width: s.Width, height: s.Height, blobs: blobs, reach: v.Reach, least: 0.15, at: -1}
	if s.Task == LookAround { // with a head that turns along
		b.reach, b.least = 2*v.Reach, 0.01
	}
	return b
}

// next starts in the middle, as after a fixation cross.
func (b *browser) next(src *noise.Source) target {
	d := b.viewer.fixation(b.viewer.FixationMean, src)
	if b.at < 0 {
		b.at = src.IntN(len(b.blobs))
		b.last = target{b.width / 2, b.height / 2, d}
		return b.last
	}
	b.move(src)
	for range 8 {
		t := b.blobs[b.at].draw(b.width, b.height, src)
		t.duration = d
		here, there := b.surface.fromScene(b.last.x, b.last.y), b.surface.fromScene(t.x, t.y)
		if b.surface.angle(here, there) >= minAmplitude {
			b.last = t
			return t
		}
	}
	b.last.duration = d
	return b.last
}

func (b *browser) move(src *noise.Source) {
	if src.Float64() < b.viewer.Refixation {
		return
	}
	u, to := src.Float64(), len(b.blobs)-1
	for i := range b.blobs {
		if u -= b.blobs[i].share; u < 0 {
			to = i
			break
		}
	}
	from, dest := &b.blobs[b.at], &b.blobs[to]
	distance := b.surface.angle(b.surface.fromScene(from.x, from.y), b.surface.fromScene(dest.x, dest.y))
	if src.Float64() < max(b.least, math.Exp(-distance/b.reach)) {
		b.at = to
	}
}

// draw draws a position by rejection: the normal law cut at the scene's edges.
func (b *blob) draw(width, height float64, src *noise.Source) target {
	one := func(mean, sd, side, span float64) float64 {
		if math.IsInf(sd, 0) {
			return mean + (src.Float64()-0.5)*span
		}
		for range 1000 {
			if v := mean + sd*src.NormFloat64(); v >= 0 && v < side {
				return v
			}
		}
		return src.Float64() * side // a law that lies outside
	}
	return target{x: one(b.x, b.sdX, width, b.spanX), y: one(b.y, b.sdY, height, height)}
}

// place is a word on the page.
type place struct {
	x, y, w, h float64 // px: left, middle of the line, width, height of the line
	letters    int
	line       int
}

func words(s *Scene) []place {
	var all []place
	for i, l := range s.Lines {
		for _, w := range l.Words {
			all = append(all, place{w.X, l.Y + l.H/2, w.W, l.H, len([]rune(w.Text)), i})
		}
	}
	return all
}

// reader reads a page word by word and starts again at its end: it skips short
// words, fixates long ones twice, goes back, and undershoots the start of lines
// (Rayner 1998).
type reader struct {
	viewer   *Viewer
	words    []place
	at       int
	begun    bool
	corrects bool // the last return sweep fell short: the next fixation corrects it
}

func (r *reader) next(src *noise.Source) target {
	v := r.viewer
	d := v.fixation(seconds(v.FixationMean.Seconds()*v.ReadingPace), src)
	if !r.begun || r.corrects {
		r.begun, r.corrects = true, false
		return r.land(d, landingPosition, src)
	}
	before := r.words[r.at]
	again := r.advance(src)
	word := r.words[r.at]
	switch {
	case again:
		return r.land(d, landingPosition+0.35, src)
	case word.line == before.line+1 && src.Float64() < 0.35:
		r.corrects = true
		t := r.land(d*6/10, landingPosition, src)
		t.x += 1.6 * word.h
		return t
	}
	return r.land(d, landingPosition, src)
}

// advance moves to the next word to be fixated and reports a second fixation of
// the same word.
func (r *reader) advance(src *noise.Source) (again bool) {
	v, n := r.viewer, len(r.words)
	if src.Float64() < v.Regression && r.at > 0 {
		r.at = max(0, r.at-1-src.IntN(3))
		return false
	}
	if long := r.words[r.at].letters; long >= 7 && src.Float64() < 0.04*float64(long-4) {
		return true
	}
	r.at++
	for r.at < n-1 && src.Float64() < v.Skipping*math.Exp(-float64(max(0, r.words[r.at].letters-3))/2.5) {
		r.at++
	}
	if r.at >= n {
		r.at = 0
	}
	return false
}

func (r *reader) land(d time.Duration, where float64, src *noise.Source) target {
	w := r.words[r.at]
	a, b := normals(src)
	return target{x: w.x + w.w*(where+landingSpread*a), y: w.y + 0.15*w.h*b, duration: max(d, shortestFixation)}
}
