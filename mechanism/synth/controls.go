package synth

import (
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Held is a control for experiments: noisy first positions, brought onto the
// screen, are held for their windows. It is what ε₁ alone gives, without any
// model.
func (m DPGazeSynth) Held(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
	d, err := m.Device()
	if err != nil {
		return nil, err
	}
	var all []outline
	err = eachWindow(&d.resolved.DPGazeSynth, pieces, &all, func(s []Sample, w *windowed) error {
		if first, ok := firstPosition(s); ok {
			z := d.Area.clamp(d.starts.draw(d.Area.place(first.X, first.Y), src))
			w.report = &Report{Start: [2]float64{z.x, z.y}}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(yield func(*gaze.Recording, error) bool) { drawAll(all, &d.Area, held{}, yield) }, nil
}

type held struct{}

func (held) paint(c *canvas, windows []windowed) {
	for _, w := range windows {
		at := w.start()
		for i := w.from; i < w.to; i++ {
			c.x[i], c.y[i] = at.x, at.y
		}
	}
}

// Prior is a control for experiments: paths at the time stamps of recordings from
// the public laws alone. Nothing of the recordings' positions is used but whether
// a window has any.
func (m DPGazeSynth) Prior(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
	d, err := m.Device()
	if err != nil {
		return nil, err
	}
	var all []outline
	err = eachWindow(&d.resolved.DPGazeSynth, pieces, &all, func(s []Sample, w *windowed) error {
		if _, ok := firstPosition(s); ok {
			w.report = new(Report)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	model := d.curator().Model()
	return func(yield func(*gaze.Recording, error) bool) {
		drawAll(all, &d.Area, unled{model.pathMaker(src)}, yield)
	}, nil
}

// unled draws paths that no report leads.
type unled struct{ *pathMaker }

func (p unled) paint(c *canvas, windows []windowed) {
	p.follow(c, span{windows[0].from, windows[len(windows)-1].to}, nil)
}
