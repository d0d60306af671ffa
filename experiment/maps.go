package experiment

import (
	"errors"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
)

// Looks are the maps of many observers of one canvas, each kept as the cells
// that were looked at.
type Looks struct {
	Canvas    heatmap.Canvas
	observers [][]look
}

type look struct {
	cell  int
	dwell float64 // share of the observer's dwell on the canvas
}

// Len is the number of observers.
func (l *Looks) Len() int { return len(l.observers) }

// PoolRecordings makes every recording one observer of a common canvas,
// whatever they looked at: duration-weighted, each map sums to one, zero
// outside the canvas (MECHANISMS §3). Stated fixations are used where the
// recording has some, else its samples.
func PoolRecordings(pieces gaze.Seq, c heatmap.Canvas) (*Looks, error) {
	all := &Looks{Canvas: c}
	acc := grid.Accumulator{Grid: c.Grid()}
	for r, err := range gaze.Join(pieces) {
		if err != nil {
			return nil, err
		}
		if len(r.Fixations) > 0 {
			err = acc.AddFixations(r, r.Fixations)
		} else {
			err = acc.AddSamples(r)
		}
		if err != nil {
			return nil, err
		}
		acc.Flush()
		all.add(acc.Dwell)
		acc.Reset()
	}
	if all.Len() == 0 {
		return nil, errors.New("experiment: the data hold no recording with positions on this canvas")
	}
	return all, nil
}

func (l *Looks) add(dwell []float64) {
	total := 0.0
	for _, v := range dwell {
		total += v
	}
	if total == 0 {
		return
	}
	var cells []look
	for i, v := range dwell {
		if v > 0 {
			cells = append(cells, look{i, v / total})
		}
	}
	l.observers = append(l.observers, cells)
}

// sample draws n different observers.
func (l *Looks) sample(n int, src *noise.Source) []int { return src.Perm(l.Len())[:n] }

// maps yields the chosen observers' maps.
func (l *Looks) maps(chosen []int) heatmap.Maps {
	return func(yield func([]float64) bool) {
		dense := make([]float64, l.Canvas.Len())
		for _, i := range chosen {
			clear(dense)
			for _, c := range l.observers[i] {
				dense[c.cell] = c.dwell
			}
			if !yield(dense) {
				return
			}
		}
	}
}

// mean is the noise-free mean map of the chosen observers.
func (l *Looks) mean(chosen []int) []float64 {
	sum := make([]float64, l.Canvas.Len())
	for _, i := range chosen {
		for _, c := range l.observers[i] {
			sum[c.cell] += c.dwell / float64(len(chosen))
		}
	}
	return sum
}
