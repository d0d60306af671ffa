package detect

import (
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// IDT is the dispersion-threshold identification of Salvucci and Goldberg 2000:
// the shortest stretch of MinDuration whose dispersion, width plus height,
// stays within the limit begins a fixation, which lasts as long as the limit
// holds.
type IDT struct {
	Dispersion      float64       // deg, required: 0.5 to 1 is usual
	MinDuration     time.Duration // required: 100 to 200 ms is usual
	MaxGap          time.Duration // loss or gap that ends a fixation; default 75 ms
	PixelsPerDegree float64       // default: from the screen's geometry
}

// Validate refuses settings without meaning.
func (d IDT) Validate() error {
	switch {
	case !(d.Dispersion > 0) || math.IsInf(d.Dispersion, 0):
		return fmt.Errorf("detect: dispersion must be positive, got %g deg", d.Dispersion)
	case d.MinDuration <= 0 || d.MinDuration > 10*time.Second:
		return fmt.Errorf("detect: shortest fixation must be positive and at most 10s, got %v", d.MinDuration)
	case d.MaxGap < 0:
		return fmt.Errorf("detect: gap must not be negative, got %v", d.MaxGap)
	}
	return validScale(d.PixelsPerDegree)
}

// Fixations finds the fixations of a recording.
func (d IDT) Fixations(rec *gaze.Recording) ([]gaze.Fixation, error) { return fixations(d, rec) }

// Stream returns a state to be fed with pieces of recordings. It reports no
// saccades.
func (d IDT) Stream(sink Sink) (*Stream, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if d.MaxGap == 0 {
		d.MaxGap = defaultMaxGap
	}
	return &Stream{algorithm: &idt{settings: d, sink: sink}, pixelsPerDeg: d.PixelsPerDegree, maxGap: d.MaxGap}, nil
}

// turned is a sample with its yaw and pitch in degrees, or coordinates in a
// plane.
type turned struct {
	node
	yaw, pitch float64
}

// idt holds the window before a fixation, and during one only its extent.
type idt struct {
	settings IDT
	sink     Sink
	measure  measure
	eye      gaze.Eye

	window []turned
	inside bool
	extent extent
	slow   centroid
}

func (d *idt) begin(m measure, eye gaze.Eye) {
	d.measure, d.eye = m, eye
	d.flush()
}

func (d *idt) push(n node) {
	p := turned{node: n}
	p.yaw, p.pitch = d.measure.turned(n.at)
	if d.inside {
		if wider := d.extent.with(&d.measure, &p); wider.dispersion() <= d.settings.Dispersion {
			d.extent = wider
			d.slow.add(&n)
			return
		}
		d.flush()
	}
	d.window = append(d.window, p)
	for len(d.window) > 1 && (n.t-d.window[0].t >= d.settings.MinDuration || len(d.window) >= maxNodes) {
		if d.start(); d.inside {
			return
		}
		d.window = d.window[:copy(d.window, d.window[1:])]
	}
}

// start begins a fixation when the window is calm.
func (d *idt) start() {
	d.extent = extent{}
	for i := len(d.window) - 1; i >= 0; i-- {
		d.extent = d.extent.with(&d.measure, &d.window[i])
		if d.extent.dispersion() > d.settings.Dispersion {
			return
		}
	}
	d.inside, d.slow = true, centroid{}
	for i := range d.window {
		d.slow.add(&d.window[i].node)
	}
	d.window = d.window[:0]
}

func (d *idt) flush() {
	if d.inside && d.sink.Fixation != nil && d.slow.end-d.slow.start >= d.settings.MinDuration {
		d.sink.Fixation(d.slow.fixation(&d.measure, d.eye))
	}
	d.window, d.inside = d.window[:0], false
}

// extent is a box in degrees around positions; yaw is counted from the first
// one's and shrinks with the cosine of the pitch.
type extent struct {
	set            bool
	yaw, shrink    float64
	x0, x1, y0, y1 float64
}

func (e extent) with(m *measure, p *turned) extent {
	x, y := p.yaw, p.pitch
	if !e.set {
		e = extent{set: true, yaw: x, shrink: 1, y0: y, y1: y}
		if m.perDegree == 0 {
			e.shrink = math.Cos(y * degree)
		}
		return e
	}
	x -= e.yaw
	if m.sphere {
		x -= 360 * math.Round(x/360)
	}
	x *= e.shrink
	e.x0, e.x1 = min(e.x0, x), max(e.x1, x)
	e.y0, e.y1 = min(e.y0, y), max(e.y1, y)
	return e
}

func (e extent) dispersion() float64 { return e.x1 - e.x0 + e.y1 - e.y0 }
