package grid

import (
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// DefaultMaxStep is the longest time one sample stands for when a recording
// states no rate.
const DefaultMaxStep = 100 * time.Millisecond

// Accumulator gathers one subject's maps from fixations or from samples, piece
// by piece. Use one per subject (and per stimulus); the zero value with a Grid
// is ready. Feed it either the fixations or the samples of a recording: both
// would count the time twice.
//
// Fixations are point masses: the cell of the centroid gets the whole duration.
// A sample stands for the time until the next one, at most MaxStep, so that
// gaps and losses count nowhere.
type Accumulator struct {
	Grid    Grid
	MaxStep time.Duration // default: three periods of the stated rate, else DefaultMaxStep

	Dwell   []float64 // s per cell
	Count   []float64 // fixations per cell; stays zero when fed with samples
	Outside float64   // s looked outside of the grid
	Lost    float64   // s of lost samples
	Dropped int       // fixations and samples whose time runs backwards: not counted

	place   place
	pending struct {
		cell int // -1 outside, -2 lost
		t    time.Duration
		set  bool
	}
	last time.Duration // the last step, for the last sample
}

// place says how positions of the recording at hand become pixels.
type place struct {
	header gaze.Header
	eye    gaze.Eye
	eyeSet bool
	wraps  bool
	known  bool
}

const (
	cellOutside = -1
	cellLost    = -2
)

// AddFixations adds a recording's fixations, or those of one of its pieces:
// the recording's own, or detected ones. Of fixations stated for several eyes
// only one eye's count: that of [gaze.Recording.Best], or where there are no
// samples the best eye of the first piece that has fixations. It refuses units that
// cannot be turned into pixels.
func (a *Accumulator) AddFixations(piece *gaze.Recording, fixations []gaze.Fixation) error {
	if err := a.enter(piece); err != nil {
		return err
	}
	if !a.place.eyeSet && len(fixations) > 0 {
		a.place.eye, a.place.eyeSet = bestEye(piece, fixations), true
	}
	for i := range fixations {
		if f := &fixations[i]; f.Eye == a.place.eye {
			if err := a.addFixation(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Accumulator) addFixation(f *gaze.Fixation) error {
	if f.Duration < 0 {
		a.Dropped++
		return nil
	}
	cell, err := a.locate(f.X, f.Y)
	if err != nil {
		return err
	}
	a.spend(cell, f.Duration)
	if cell >= 0 {
		a.Count[cell]++
	}
	return nil
}

// AddSamples adds the samples of a recording or of one of its pieces, of the
// track that [gaze.Recording.Best] names. Call Flush after the last piece.
func (a *Accumulator) AddSamples(piece *gaze.Recording) error {
	if err := a.enter(piece); err != nil {
		return err
	}
	track, eye, ok := piece.Best()
	if a.place.eyeSet && piece.Samples.Tracks[a.place.eye].Present() {
		track, eye = &piece.Samples.Tracks[a.place.eye], a.place.eye
	}
	if !ok {
		return nil
	}
	if n := piece.Samples.Len(); len(track.X) != n || len(track.Y) != n {
		return fmt.Errorf("grid: columns of %d, %d and %d samples do not belong together", n, len(track.X), len(track.Y))
	}
	a.place.eye, a.place.eyeSet = eye, true
	limit := a.maxStep()
	for i, t := range piece.Samples.T {
		cell, err := a.locate(track.X[i], track.Y[i])
		if err != nil {
			return err
		}
		a.step(cell, t, limit)
	}
	return nil
}

// step books the time since the pending sample on it and makes this one
// pending. Repeated stamps leave nothing for all but the last of them.
func (a *Accumulator) step(cell int, t, limit time.Duration) {
	p := &a.pending
	if p.set {
		dt := t - p.t
		if dt < 0 {
			a.Dropped++
			dt = 0
		}
		dt = min(dt, limit)
		a.spend(p.cell, dt)
		if dt > 0 {
			a.last = dt
		}
	}
	p.cell, p.t, p.set = cell, t, true
}

// Flush books the last sample of a recording: one period of the stated rate,
// else as long as the sample before. A new recording flushes the one before.
func (a *Accumulator) Flush() {
	if !a.pending.set {
		return
	}
	step := a.last
	if rate := a.place.header.Rate; rate > 0 {
		step = period(rate)
	}
	a.spend(a.pending.cell, min(step, a.maxStep()))
	a.pending.set, a.last = false, 0
}

func (a *Accumulator) spend(cell int, d time.Duration) {
	switch s := d.Seconds(); {
	case cell >= 0:
		a.Dwell[cell] += s
	case cell == cellOutside:
		a.Outside += s
	default:
		a.Lost += s
	}
}

// enter prepares for a piece; a new recording brings its own unit and geometry.
func (a *Accumulator) enter(piece *gaze.Recording) error {
	if a.Dwell == nil {
		if err := a.Grid.Validate(); err != nil {
			return err
		}
		a.Dwell, a.Count = a.Grid.New(), a.Grid.New()
	}
	if piece.Continues && a.place.known {
		return nil
	}
	a.Flush()
	a.place = newPlace(piece.Header, a.Grid)
	_, _, err := a.place.pixels(0, 0)
	return err
}

func (a *Accumulator) locate(x, y float64) (int, error) {
	if gaze.Lost(x, y) {
		return cellLost, nil
	}
	px, py, err := a.place.pixels(x, y)
	if err != nil {
		return 0, err
	}
	if cell, ok := a.Grid.Index(px, py); ok {
		return cell, nil
	}
	return cellOutside, nil
}

func (a *Accumulator) maxStep() time.Duration {
	if a.MaxStep > 0 {
		return a.MaxStep
	}
	if rate := a.place.header.Rate; rate > 0 {
		return 3 * period(rate)
	}
	return DefaultMaxStep
}

func period(rate gaze.Hertz) time.Duration {
	return time.Duration(float64(time.Second) / float64(rate))
}

// Share returns the dwell map scaled to a public total, for example 1: what a
// person does with each unit of viewing time. A person who never looked at the
// grid is the zero map.
func (a *Accumulator) Share(total float64) []float64 {
	out := a.Grid.New()
	var sum float64
	for _, v := range a.Dwell {
		sum += v
	}
	if sum > 0 {
		for i, v := range a.Dwell {
			out[i] = v / sum * total
		}
	}
	return out
}

// Reset empties the maps for the next subject and keeps their memory.
func (a *Accumulator) Reset() {
	clear(a.Dwell)
	clear(a.Count)
	*a = Accumulator{Grid: a.Grid, MaxStep: a.MaxStep, Dwell: a.Dwell, Count: a.Count}
}

func newPlace(h gaze.Header, g Grid) place {
	p := place{header: h, known: true}
	angular := h.Unit == gaze.Degrees || h.Unit == gaze.Radians
	if angular && h.Frame == gaze.InWorld && !h.Screen.Known() {
		p.header.Screen = gaze.Screen{Width: int(g.Width), Height: int(g.Height), Origin: gaze.Center,
			FieldWidthDeg: 360, FieldHeightDeg: 180}
	}
	s := p.header.Screen
	p.wraps = s.FieldWidthDeg == 360 && s.FieldHeightDeg == 180 && s.Known()
	return p
}

// pixels converts a position; on a whole panorama the seam is no border and
// the south pole belongs to the last row.
func (p *place) pixels(x, y float64) (float64, float64, error) {
	x, y, err := p.header.Screen.ToTopLeftPixels(x, y, p.header.Unit)
	if err != nil {
		return 0, 0, fmt.Errorf("grid: %w", err)
	}
	if p.wraps {
		w, h := float64(p.header.Screen.Width), float64(p.header.Screen.Height)
		if x -= w * math.Floor(x/w); x >= w {
			x = 0
		}
		if y == h {
			y = math.Nextafter(h, 0)
		}
	}
	return x, y, nil
}

func bestEye(piece *gaze.Recording, fixations []gaze.Fixation) gaze.Eye {
	var has [3]bool
	for i := range fixations {
		if e := fixations[i].Eye; int(e) < len(has) {
			has[e] = true
		}
	}
	if _, eye, ok := piece.Best(); ok && has[eye] {
		return eye
	}
	for _, e := range [...]gaze.Eye{gaze.Cyclopean, gaze.Right, gaze.Left} {
		if has[e] {
			return e
		}
	}
	return fixations[0].Eye
}
