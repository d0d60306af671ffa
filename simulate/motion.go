package simulate

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// peakOverMean is the peak velocity of a minimum-jerk movement over its mean
// velocity: 15/8 (Hogan 1984).
const peakOverMean = 1.875

// MainSequence returns the duration and the peak velocity in deg/s of a saccade
// of an amplitude in deg: 2.2 ms/deg·A + 21 ms (Carpenter 1988), with a
// minimum-jerk velocity profile.
func MainSequence(amplitude float64) (time.Duration, float64) {
	s := 0.0022*amplitude + 0.021
	return seconds(s), peakOverMean * amplitude / s
}

// minimumJerk is the share of the way after the share f of the time.
func minimumJerk(f float64) float64 { return f * f * f * (10 + f*(-15+6*f)) }

// wander is an Ornstein–Uhlenbeck process in two coordinates, stepped exactly.
type wander struct {
	keep, kick float64
	x, y       float64
}

func newWander(sd, relaxation, step float64) wander {
	keep := math.Exp(-step / relaxation)
	return wander{keep: keep, kick: sd * math.Sqrt(1-keep*keep)}
}

func (w *wander) step(src *noise.Source) {
	a, b := normals(src)
	w.x = w.keep*w.x + w.kick*a
	w.y = w.keep*w.y + w.kick*b
}

// normals returns two independent standard normal variates (Marsaglia's polar
// method yields pairs).
func normals(src *noise.Source) (float64, float64) {
	for {
		u, v := 2*src.Float64()-1, 2*src.Float64()-1
		if r := u*u + v*v; r > 0 && r < 1 {
			f := math.Sqrt(-2 * math.Log(r) / r)
			return u * f, v * f
		}
	}
}

// spells alternates between off and on for random times: blinks and losses.
type spells struct {
	on         bool
	start, end time.Duration // of the spell at hand
	draw       func(on bool) time.Duration
}

// at moves to the spell that holds t; ended is called for every finished on spell.
func (s *spells) at(t time.Duration, ended func(start, end time.Duration)) bool {
	for t >= s.end {
		if s.on {
			ended(s.start, s.end)
		}
		s.on = !s.on
		s.start = s.end
		s.end += max(1, s.draw(s.on))
	}
	return s.on
}
