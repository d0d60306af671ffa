package feature

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// closure is a blink with the time gaze was seen before it and after it.
type closure struct {
	seen, again time.Duration
	duration    time.Duration
}

// lids finds blinks as [detect.Blinks] does, and remembers between which open
// samples: a blink counts in a window that holds both. A gap between samples is
// measured by the stated rate, else by the step before it.
type lids struct {
	settings detect.Blinks
	stated   time.Duration // sampling period; 0 = not stated
	open     bool          // an open eye was seen
	shut     bool
	seen     time.Duration // last open sample
	since    time.Duration // first shut sample after it
	lossy    bool          // something was lost
}

func (l *lids) reset(rate gaze.Hertz) {
	*l = lids{settings: l.settings}
	if rate > 0 {
		l.stated = time.Duration(float64(time.Second) / float64(rate))
	}
}

// sample takes the next sample, with the step to the one before and the step
// before that; found is true when it ends a blink.
func (l *lids) sample(t, before time.Duration, closed bool) (b closure, found bool) {
	if closed {
		l.lossy = true
		if l.open && !l.shut {
			l.shut, l.since = true, t
		}
		return b, false
	}
	if l.open {
		b = closure{l.seen, t, t - l.seen}
		period := l.stated
		if period == 0 {
			period = before
		}
		gap := period > 0 && b.duration >= 3*period
		if l.shut {
			b.duration = t - l.since
		}
		found = (l.shut || gap) && b.duration >= l.settings.MinDuration && b.duration <= l.settings.MaxDuration
	}
	l.open, l.shut, l.seen = true, false, t
	l.lossy = l.lossy || found
	return b, found
}

// blinkTally holds the blinks inside a window.
type blinkTally struct {
	queue queue[closure]
	sums  sums
}

func (b *blinkTally) reset() { b.queue.clear(); b.sums = sums{} }

func (b *blinkTally) add(k closure) {
	b.queue.push(k)
	b.sums.add(int64(k.duration))
}

// forget takes away blinks that began before a time.
func (b *blinkTally) forget(before time.Duration) {
	for b.queue.len() > 0 && b.queue.at(0).seen < before {
		b.sums.remove(int64(b.queue.at(0).duration))
		b.queue.drop(1)
	}
}

func blinkValues(v *[Count]float64, s *sums, window time.Duration) {
	v[blinkMean], v[blinkVar] = nanoseconds.mean(*s), nanoseconds.variance(*s)
	v[blinkRate] = float64(s.n) / window.Seconds()
}

// usable reports a pupil size that is one.
func usable(p float64) bool { return p > 0 && !math.IsInf(p, 0) }

// statedBlinks are the blinks that a recording states.
type statedBlinks struct {
	any  bool // a list was there, be it empty
	list []gaze.Blink
}

func (s *statedBlinks) add(piece *gaze.Recording) {
	s.any = s.any || piece.Blinks != nil
	for _, b := range piece.Blinks {
		if b.Duration > 0 && b.Duration < maxWindow {
			s.list = append(s.list, b)
		}
	}
}

// eyeClosure is a stated blink of an eye.
type eyeClosure struct {
	closure
	eye gaze.Eye
}

// closures are the stated blinks since the recording's first sample, in order of
// their beginnings.
func (s *statedBlinks) closures(origin time.Duration) (all []eyeClosure) {
	slices.SortStableFunc(s.list, func(a, b gaze.Blink) int { return cmp.Compare(a.Start, b.Start) })
	for _, b := range s.list {
		if start, ok := since(b.Start, origin); ok {
			all = append(all, eyeClosure{closure{start, start + b.Duration, b.Duration}, b.Eye})
		}
	}
	return all
}

// blinkColumns are the blink features of stated blinks. What counts is settled
// in each window from the blinks that lie in it with both ends, so that a blink
// elsewhere changes nothing there.
func (o *Options) blinkColumns(all []eyeClosure, eye gaze.Eye, windows int) [3][]float64 {
	var columns [3][]float64
	var inside []eyeClosure
	for i := range windows {
		from := time.Duration(i) * o.Step
		for len(all) > 0 && all[0].seen < from {
			all = all[1:]
		}
		inside = inside[:0]
		for k := 0; k < len(all) && all[k].seen < from+o.Window; k++ {
			if all[k].again <= from+o.Window {
				inside = append(inside, all[k])
			}
		}
		var v [Count]float64
		counted := countBlinks(inside, eye)
		blinkValues(&v, &counted, o.Window)
		for k := range columns {
			columns[k] = append(columns[k], v[blinkMean+k])
		}
	}
	return columns
}

// countBlinks sums the blinks of one eye: of the eye whose gaze is used, else of
// the first that has any. Of those that overlap the first counts.
func countBlinks(inside []eyeClosure, eye gaze.Eye) (s sums) {
	for _, e := range [...]gaze.Eye{eye, gaze.Cyclopean, gaze.Right, gaze.Left} {
		last := time.Duration(-1)
		for _, b := range inside {
			if b.eye == e && b.seen >= last {
				s.add(int64(b.duration))
				last = b.again
			}
		}
		if s.n > 0 {
			return s
		}
	}
	return s
}
