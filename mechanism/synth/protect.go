package synth

import (
	"errors"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

var errSource = errors.New("synth: a source of noise is required")

// outline is what is left of a recording once its windows are reported: nothing
// that is protected.
type outline struct {
	header  gaze.Header
	eye     gaze.Eye
	t       []time.Duration
	windows []windowed
}

// Protect implements [mechanism.Paths]: every window goes through a device of its
// own, and a curator draws a path for every recording from the reports.
//
// Samples keep their time stamps. All samples of a window get a position, lost or
// not; only a window without any position stays without.
func (m DPGazeSynth) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if src == nil {
		return nil, errSource
	}
	protect := m.correct
	if m.Published {
		protect = m.print
	}
	recordings, err := protect(pieces, src)
	if err != nil {
		return nil, err
	}
	return &mechanism.PathRelease{Release: mechanism.Draw(m.Plan(), src), Recordings: recordings, Synthetic: true}, nil
}

// correct is Protect of the corrected mechanism.
func (m DPGazeSynth) correct(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
	d, err := m.Device()
	if err != nil {
		return nil, err
	}
	c := d.curator()
	var all []outline
	err = eachWindow(&d.resolved.DPGazeSynth, pieces, &all, func(s []Sample, w *windowed) error {
		r, ok := d.Window(s, src)
		if !ok {
			return nil
		}
		w.report = &Report{Start: r.Start}
		return c.Add(r)
	})
	if err != nil {
		return nil, err
	}
	return c.Model().recordings(all, m.Aim, src), nil
}

// eachWindow reads recordings and calls f for each of their windows.
func eachWindow(m *DPGazeSynth, pieces gaze.Seq, all *[]outline, f func([]Sample, *windowed) error) error {
	var s []Sample
	for r, err := range gaze.Join(pieces) {
		if err == nil {
			err = m.Area.takes(&r.Header)
		}
		if err != nil {
			return err
		}
		x, y, eye, err := track(r)
		if err != nil {
			return err
		}
		o := outline{header: r.Header, eye: eye, t: r.Samples.T}
		o.header.PupilUnit = gaze.PupilUnknown
		for _, at := range spans(o.t, m.Window) {
			s = s[:0]
			for i := at.from; i < at.to && x != nil; i++ {
				s = append(s, Sample{o.t[i], x[i], y[i]})
			}
			w := windowed{span: at, at: elapsed(o.t, at.from)}
			if err := f(s, &w); err != nil {
				return err
			}
			o.windows = append(o.windows, w)
		}
		*all = append(*all, o)
	}
	return nil
}

// elapsed is the time of a sample since the first of the recording, s; a time
// stamp that runs back counts as none.
func elapsed(t []time.Duration, i int) float64 {
	if t[i] <= t[0] {
		return 0
	}
	return float64(uint64(t[i])-uint64(t[0])) * 1e-9
}

// painter fills in the positions of a stretch: windows in a row that have reports
// and whose samples follow each other without a long pause.
type painter interface {
	paint(c *canvas, windows []windowed)
}

// canvas is a recording as it is drawn: sorted times, s, and positions from the
// area's top left corner.
type canvas struct{ times, x, y []float64 }

// recordings draws them one by one.
func (m *Model) recordings(all []outline, aim string, src *noise.Source) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		var p painter
		if aim == AimPositions {
			guesses := m.positions()
			guesses.learn(someStretches(all))
			p = guesses
		} else {
			p = m.pathMaker(src)
		}
		drawAll(all, &m.area, p, yield)
	}
}

func drawAll(all []outline, a *Area, p painter, yield func(*gaze.Recording, error) bool) {
	for i := range all {
		if !yield(all[i].draw(a, p), nil) {
			return
		}
	}
}

func (o *outline) draw(a *Area, p painter) *gaze.Recording {
	n, shift := len(o.t), a.shift()
	c := canvas{o.times(), make([]float64, n), make([]float64, n)}
	for i := range o.t {
		c.x[i], c.y[i] = math.NaN(), math.NaN()
	}
	for _, windows := range o.stretches(c.times) {
		p.paint(&c, windows)
	}
	for i := range c.x {
		c.x[i], c.y[i] = c.x[i]+shift.x, c.y[i]+shift.y
	}
	r := &gaze.Recording{Header: o.header}
	r.Samples.T = o.t
	r.Samples.Tracks[o.eye] = gaze.Track{X: c.x, Y: c.y}
	return r
}

// times since the first sample, s, which never run back.
func (o *outline) times() []float64 {
	times := make([]float64, len(o.t))
	for i := range o.t {
		times[i] = elapsed(o.t, i)
		if i > 0 {
			times[i] = max(times[i], times[i-1])
		}
	}
	return times
}

// stretches are the windows with reports, cut at pauses and where there is none.
func (o *outline) stretches(times []float64) (out [][]windowed) {
	for from := 0; from < len(o.windows); {
		to := o.stretch(times, from)
		if o.windows[from].report != nil {
			out = append(out, o.windows[from:to])
		}
		from = to
	}
	return out
}

// someStretches are the starts of so many windows of all that their number is
// bounded, spread evenly over recordings.
func someStretches(all []outline) (out [][]point) {
	windows, left := 0, 0
	for i := range all {
		windows += len(all[i].windows)
	}
	every := (windows + leapsLearned - 1) / leapsLearned
	for i := range all {
		for _, s := range all[i].stretches(all[i].times()) {
			if left -= len(s); left > 0 {
				continue
			}
			s = s[:min(len(s), leapsLearned)]
			left += every * len(s)
			out = append(out, startsOf(s))
		}
	}
	return out
}

func startsOf(windows []windowed) (out []point) {
	for _, w := range windows {
		out = append(out, w.start())
	}
	return out
}

// pause is how long nothing may be recorded within a stretch, s.
const pause = 1.0

// stretch returns the end of the one that begins with a window. A window without
// a report is one by itself.
func (o *outline) stretch(times []float64, from int) int {
	to := from + 1
	for ; to < len(o.windows); to++ {
		w := &o.windows[to]
		if (w.report == nil) != (o.windows[from].report == nil) || times[w.from]-times[w.from-1] > pause {
			break
		}
	}
	return to
}

// paint draws a path.
func (p *pathMaker) paint(c *canvas, windows []windowed) {
	p.follow(c, span{windows[0].from, windows[len(windows)-1].to}, windows)
}

// follow draws a path over samples in a row, led by windows.
func (p *pathMaker) follow(c *canvas, samples span, windows []windowed) {
	rate := samplesPerSecond(c.times[samples.from:samples.to])
	w := walk{pathMaker: p, windows: windows, drift: simulate.NewDrift(driftSize*p.perDegree, rate)}
	for i := samples.from; i < samples.to; i++ {
		if i == samples.from || c.times[i]-c.times[i-1] > pause {
			w.begin(c.times[i])
		}
		at := w.at(c.times[i])
		p.put(at)
		c.x[i], c.y[i] = at.x, at.y
	}
}

// samplesPerSecond is the mean rate of sorted times, for the steps of drift.
func samplesPerSecond(times []float64) gaze.Hertz {
	n := len(times)
	if took := times[n-1] - times[0]; n > 1 && took > 0 {
		return gaze.Hertz(min(float64(n-1)/took, 1e6))
	}
	return simulate.DefaultRate
}

// paint goes straight from one guessed place to the next.
func (p *positions) paint(c *canvas, windows []windowed) {
	at := p.guess(startsOf(windows))
	for k, w := range windows {
		to, took := at[k], 1.0
		if k+1 < len(windows) {
			to, took = at[k+1], windows[k+1].at-w.at
		}
		for i := w.from; i < w.to; i++ {
			f := 0.0
			if took > 0 {
				f = min(max((c.times[i]-w.at)/took, 0), 1)
			}
			c.x[i], c.y[i] = at[k].x+f*(to.x-at[k].x), at[k].y+f*(to.y-at[k].y)
		}
	}
}
