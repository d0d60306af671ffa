package synth

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

const (
	threshold = 30 // deg/s: at or above it, between neighbouring samples, is a saccade
	longGap   = 75 * time.Millisecond
)

// Classes of answers.
const (
	countClasses     = 6 // 0 to 4 saccades in a window, 5 and more
	amplitudeClasses = 6 // octaves from 1 deg: below it, …, 16 deg and more
)

// amplitudes are the sizes in degrees of the saccades that lie in a window: runs
// of fast intervals between neighbouring samples, from their start to their end.
func amplitudes(s []Sample, perDegree float64) (out []float64) {
	var from, last Sample
	begun, fast := false, false
	end := func() {
		if fast {
			out = append(out, math.Hypot(last.X-from.X, last.Y-from.Y)/perDegree)
		}
		fast = false
	}
	for _, p := range s {
		if gaze.Lost(p.X, p.Y) || begun && p.T <= last.T {
			continue
		}
		if begun && p.T-last.T > longGap {
			end()
		} else if begun {
			speed := math.Hypot(p.X-last.X, p.Y-last.Y) / perDegree / (p.T - last.T).Seconds()
			switch {
			case speed < threshold:
				end()
			case !fast:
				from, fast = last, true
			}
		}
		last, begun = p, true
	}
	end()
	return out
}

// octave is the class of an amplitude.
func octave(amplitude float64) int {
	return int(min(max(math.Floor(math.Log2(amplitude))+1, 0), amplitudeClasses-1))
}

// move goes from a cell to its neighbour in a direction.
type move struct{ from, direction int }

// visit calls f for every move of a window between neighbouring cells, along
// shortest paths.
func visit(cells raster, a *Area, s []Sample, f func(move)) {
	last := -1
	for _, p := range s {
		if gaze.Lost(p.X, p.Y) {
			continue
		}
		c := cells.cell(a.place(p.X, p.Y))
		if last >= 0 {
			cells.moves(last, c, func(from, direction int) { f(move{from, direction}) })
		}
		last = c
	}
}
