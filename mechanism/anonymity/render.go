package anonymity

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// memory is the correlation time of fixational drift. The papers draw the
// positions of a fixation independently; at the rates of eye trackers such
// jumps are faster than saccades, and no detector would find the fixation
// again.
const memory = 0.2 // seconds

// maxSamples of one released path.
const maxSamples = 1 << 24

// render draws the samples of a path of events.
func render(all []event, s surface, period time.Duration, src *noise.Source) (p points) {
	step := period.Seconds()
	now, end := 0.0, 0.0
	for i := range all {
		e := &all[i]
		d := drift{event: e, surface: s, keep: math.Exp(-step / memory), src: src}
		end += e.seconds
		for first := true; (first || now < end) && len(p.x) < maxSamples; first = false {
			x, y := d.next()
			p.x, p.y = append(p.x, x), append(p.y, y)
			now += step
		}
		if i+1 == len(all) {
			break
		}
		m := e.move
		if !m.seen() {
			m = usual
		}
		x0, y0 := p.x[len(p.x)-1], p.y[len(p.y)-1]
		for start := end; now < start+m.seconds && len(p.x) < maxSamples; now += step {
			x, y := s.between(x0, y0, all[i+1].x, all[i+1].y, m.way((now-start)/m.seconds))
			p.x, p.y = append(p.x, x), append(p.y, y)
		}
		end += m.seconds
	}
	return p
}

// way is the share of the distance covered at a share of the time: the
// integral of the velocity profile.
func (m move) way(t float64) float64 {
	at := func(t float64) float64 { return math.Erf((t - m.b) / math.Sqrt(m.c)) }
	return (at(t) - at(0)) / (at(1) - at(0))
}

// drift is an Ornstein–Uhlenbeck process with the fixation's deviations.
type drift struct {
	*event
	surface
	keep   float64
	u, v   float64
	began  bool
	src    *noise.Source
	spread float64
}

func (d *drift) next() (x, y float64) {
	a, b := d.src.NormFloat64(), d.src.NormFloat64()
	if d.began {
		d.u, d.v = d.keep*d.u+d.spread*a, d.keep*d.v+d.spread*b
	} else {
		d.u, d.v, d.began, d.spread = a, b, true, math.Sqrt(1-d.keep*d.keep)
	}
	return d.place(d.x, d.y, d.u*d.dx, d.v*d.dy)
}
