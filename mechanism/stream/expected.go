package stream

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// scheduleChoices is how many publications per window are tried.
const scheduleChoices = 32

// bestEvery is the time between publications at which the output is expected to
// be nearest to the gaze, if gaze wanders as the filter supposes. The schedule
// just longer than an m-th of the window has m publications.
func (m Fixed) bestEvery() time.Duration {
	best, least := after(m.Window, 1), math.Inf(1)
	for n := range scheduleChoices {
		every := m.Window/time.Duration(n+1) + 1
		if e := m.wandering(every); e < least {
			best, least = every, e
		}
	}
	return best
}

// wandering is the mean squared distance along one coordinate between output and
// gaze that wanders with the prior's spread and memory, when every publication
// has ε/m: the filter's steady state, or the last publication, held until the next.
func (m Fixed) wandering(every time.Duration) float64 {
	p, known := m.Surface.prior()
	if !known {
		p.spread = 6 * m.Radius // a radius of 5 % of the side
	}
	all := p.spread * p.spread
	scale := m.Radius * float64(looks(m.Window, every)) / m.Epsilon
	drawn := 3 * scale * scale
	a := remembered(0, every)
	t := every.Seconds() / memory
	forgot := 1 - (1-a)/t // mean of 1 − e^(−u/memory) until the next publication
	if !m.Smooth.Filter {
		return drawn + 2*all*forgot
	}
	belief := all
	for range 100 {
		belief = a*a*belief + (1-a*a)*all
		belief *= drawn / (belief + drawn)
	}
	return belief + 2*forgot*(all-belief)
}

// lookers are simulated people before a shop window, in px of their own screen:
// nobody's gaze, the same in every run.
var lookers = sync.OnceValues(func() ([]*gaze.Recording, error) {
	c := simulate.Cohort{People: 4, Scenes: []simulate.Scene{simulate.ShopWindow()}, Seconds: 15, Rate: 60}
	return gaze.Collect(c.Recordings(noise.Seeded(0x90)))
})

const lookedOn = "4 simulated people looking at a picture for 15 s, 60 Hz"

// pathError is the root mean squared distance between the output and the gaze of
// simulated people whose picture fills the screen.
func (r *rule) pathError() (rms float64, err error) {
	people, err := lookers()
	if err != nil {
		return 0, err
	}
	s, err := r.stream(noise.Seeded(0x91))
	if err != nil {
		return 0, err
	}
	sum, n := 0.0, 0
	for _, p := range people {
		s.Reset()
		track, _, _ := p.Best()
		fit := r.fit(&p.Screen)
		for i, t := range p.Samples.T {
			g := fit(track.X[i], track.Y[i])
			x, y := s.Next(t, g.x, g.y)
			if d := r.geometry.distance(g, point{x, y}) * r.radius; !math.IsNaN(d) {
				sum, n = sum+d*d, n+1
			}
		}
	}
	return math.Sqrt(sum / float64(max(n, 1))), nil
}

// pictureDeg is how large a picture of unknown size is supposed to be, and
// picturePx how many px; a picture on the sphere is as large.
const (
	pictureDeg = 40.0
	picturePx  = 1920.0
)

// fit stretches the simulated screen onto the mechanism's.
func (r *rule) fit(from *gaze.Screen) func(x, y float64) point {
	w, h := r.surface.Width, r.surface.Height
	if w == 0 {
		w = picturePx
		if r.surface.Unit == degrees {
			w = pictureDeg
		}
		h = w * float64(from.Height) / float64(from.Width)
	}
	ox, oy := 0.0, 0.0
	if r.surface.Sphere {
		ox, oy = w/2, h/2
	}
	fx, fy := w/float64(from.Width), h/float64(from.Height)
	return func(x, y float64) point { return point{x*fx - ox, y*fy - oy} }
}

// expect adds to a plan how near its output is expected to be.
func (r *rule) expect(p *mechanism.Plan) {
	rms, err := r.pathError()
	if err != nil {
		p.Warnings = append(p.Warnings, err)
		return
	}
	p.PathError = &mechanism.PathError{RMS: rms, Unit: r.surface.Unit, MeasuredOn: lookedOn}
}

// compare adds what the fixed schedule is expected to have, at the same guarantee
// and with the same smoothing.
func (k *kaleido) compare(p *mechanism.Plan) {
	if p.PathError == nil {
		return
	}
	other, err := Fixed{Epsilon: k.Epsilon, Window: k.Window, Radius: k.Radius, Surface: k.Surface, Smooth: k.Smooth}.prepare()
	if err != nil {
		return
	}
	rms, err := other.rule.pathError()
	if err != nil {
		return
	}
	p.PathError.Instead = map[string]float64{fixedName: rms}
	if rms < p.PathError.RMS {
		p.Warnings = append(p.Warnings, fmt.Errorf("the schedule without tests is expected to be nearer to the gaze: %s with every %v has %.4g %s root mean square, this has %.4g %s",
			fixedName, other.Every, rms, k.Surface.Unit, p.PathError.RMS, k.Surface.Unit))
	}
}
