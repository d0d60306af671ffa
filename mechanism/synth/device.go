package synth

import (
	"errors"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// Question is what a device answers about the saccades of a window. Which one is
// tossed for, whatever the window holds.
type Question uint8

// The questions.
const (
	HowMany   Question = iota // saccades the window holds: 0 to 4, or 5 and more
	HowLarge                  // one of them is, in octaves of degrees; None where there is none
	questions = iota
)

// Report is what a device tells of one window. All of it may be published.
type Report struct {
	Start    [2]float64 // first position with planar Laplace noise, from the area's top left corner
	Question Question
	Answer   []uint64 // of the frequency oracle of that question
	Level    int      // index of the grid on which Move is told; tossed for
	Move     []uint64 // one move of the window, or None, by the oracle of the level; on the first, if the window is long
}

// Device turns windows into reports. It keeps nothing from one window to the
// next, and is safe for concurrent use with one source per goroutine.
type Device struct {
	*resolved
	starts    starts
	questions [questions]oracle.Oracle
	levels    []raster
	moves     []oracle.Oracle // by level
	cells     raster
}

// Device prepares the part that runs where gaze is recorded.
func (m DPGazeSynth) Device() (*Device, error) {
	r, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if r.Published {
		return nil, errors.New("synth: the published calibration has a device of its own: PrintedDevice")
	}
	d := &Device{resolved: r, cells: r.Area.raster(r.Grid)}
	if d.starts, err = newStarts(r.epsilons[0], r.Radius); err != nil {
		return nil, err
	}
	for q, classes := range [questions]int{countClasses, amplitudeClasses} {
		if d.questions[q], err = oracle.New(r.Oracle, classes, r.epsilons[1]); err != nil {
			return nil, err
		}
	}
	for _, g := range r.Levels {
		level := r.Area.raster(g)
		values := level.len() * directions
		if len(d.levels) == 0 {
			values *= 2 // short and long windows
		}
		o, err := oracle.New(r.Oracle, values, r.epsilons[2])
		if err != nil {
			return nil, err
		}
		d.levels, d.moves = append(d.levels, level), append(d.moves, o)
	}
	return d, nil
}

// Window reports a window; false when no sample of it has a position, in which
// case there is no report.
//
// Samples need not be sorted or apart in time. How many there are, when, and
// which of them are lost is not protected.
func (d *Device) Window(s []Sample, src *noise.Source) (Report, bool) {
	first, ok := firstPosition(s)
	if !ok {
		return Report{}, false
	}
	z := d.starts.draw(d.Area.place(first.X, first.Y), src)
	r := Report{Start: [2]float64{z.x, z.y}, Question: Question(src.IntN(questions)), Level: src.IntN(len(d.levels))}
	o := d.questions[r.Question]
	r.Answer = make([]uint64, o.Words())
	o.Perturb(r.Answer, d.answer(r.Question, s, src), src)
	o = d.moves[r.Level]
	r.Move = make([]uint64, o.Words())
	o.Perturb(r.Move, d.move(r.Level, s, src), src)
	return r, true
}

func firstPosition(s []Sample) (Sample, bool) {
	for _, p := range s {
		if !gaze.Lost(p.X, p.Y) {
			return p, true
		}
	}
	return Sample{}, false
}

// answer is the true one: of several saccades any is as likely.
func (d *Device) answer(q Question, s []Sample, src *noise.Source) int {
	sizes := amplitudes(s, d.PerDegree)
	switch {
	case q == HowMany:
		return min(len(sizes), countClasses-1)
	case len(sizes) == 0:
		return oracle.None
	}
	return octave(sizes[src.IntN(len(sizes))])
}

// move is one of the window's, any as likely, told as the region of a level that
// it leaves and its direction; on the first level, which has one region, with
// whether the window is a long one.
func (d *Device) move(level int, s []Sample, src *noise.Source) int {
	chosen, n := move{}, 0
	visit(d.cells, &d.Area, s, func(m move) {
		if n++; src.IntN(n) == 0 {
			chosen = m
		}
	})
	if n == 0 {
		return oracle.None
	}
	if level == 0 && d.long(n, src) {
		return directions + chosen.direction
	}
	region := d.levels[level].cell(d.cells.at(chosen.from, 0.5, 0.5))
	return region*directions + chosen.direction
}

// long tosses whether a window of so many moves stands for as many as cross the
// grid, or for one: on average for its own number, if that is no more.
func (r *resolved) long(moves int, src *noise.Source) bool {
	return r.Grid > 1 && src.IntN(r.Grid-1) < min(moves, r.Grid)-1
}
