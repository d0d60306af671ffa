package simulate

import (
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// MinimumJerk is the share of a saccade's way that is done after a share of its
// time (Hogan 1984), both from 0 to 1.
func MinimumJerk(share float64) float64 { return minimumJerk(share) }

// Drift is fixational drift for those who render gaze of their own: an
// Ornstein–Uhlenbeck process about a fixation's place, in two coordinates.
type Drift struct{ wander }

// NewDrift begins drift of a standard deviation, in any unit, at a sampling rate.
func NewDrift(sd float64, rate gaze.Hertz) Drift {
	return Drift{newWander(sd, driftRelaxation, 1/float64(rate))}
}

// Step moves on by one sample and returns where gaze is relative to the place.
func (d *Drift) Step(src *noise.Source) (x, y float64) {
	d.step(src)
	return d.x, d.y
}

// Reset puts gaze back on the place, as after a saccade.
func (d *Drift) Reset() { d.x, d.y = 0, 0 }

// BlinkDuration draws how long the eyes stay shut: log-normal about the mean,
// between 60 and 450 ms.
func BlinkDuration(mean time.Duration, src *noise.Source) time.Duration {
	return blinkDuration(mean, src)
}
