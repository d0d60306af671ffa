package detect

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// node is a valid sample.
type node struct {
	t     time.Duration
	x, y  float64 // in the recording's unit
	pupil float64
	at    vec
}

// centroid gathers the samples of a fixation.
type centroid struct {
	n, pupils  int
	x, y       float64 // running means
	pupil      float64
	at         vec
	start, end time.Duration
}

func (c *centroid) add(n *node) {
	if c.n == 0 {
		c.start = n.t
	}
	c.n++
	c.end = n.t
	f := 1 / float64(c.n)
	c.x += (n.x - c.x) * f
	c.y += (n.y - c.y) * f
	for i := range c.at {
		c.at[i] += n.at[i]
	}
	if n.pupil > 0 && !math.IsInf(n.pupil, 0) {
		c.pupils++
		c.pupil += (n.pupil - c.pupil) / float64(c.pupils)
	}
}

// fixation is the gathered period with its mean position: in the plane of the
// positions, or the mean direction on the sphere.
func (c *centroid) fixation(m *measure, eye gaze.Eye) gaze.Fixation {
	f := gaze.Fixation{Eye: eye, Start: c.start, Duration: c.end - c.start, X: c.x, Y: c.y, Pupil: math.NaN()}
	if m.sphere {
		f.X, f.Y = m.back(c.at)
	}
	if c.pupils > 0 {
		f.Pupil = c.pupil
	}
	return f
}
