package grid

import (
	"math"

	"github.com/gazeward/gazeward/gaze"
)

// AOIAccumulator gathers one subject's statistics over areas of interest from
// fixations, piece by piece. A fixation belongs to the area that holds its
// centroid; where areas overlap, to the first listed. All vectors have one
// entry per area and, where outside is part of them, one more at the end.
type AOIAccumulator struct {
	Areas AOIs

	Dwell         []float64 // s per area, last = outside of all areas
	Fixations     []float64 // fixations per area, last = outside
	Visits        []float64 // visits per area: runs of fixations inside, last = outside
	FirstFixation []float64 // s from the recording's start to the first fixation inside; NaN = never
	Transitions   []float64 // (k+1)×(k+1), row = from, column = to: pairs of successive fixations; the last row and column are outside
	Order         []int     // areas in the order of their first visit
	Dropped       int       // fixations without a position or with a negative duration

	place place
	at    int // area of the fixation before, -1 at the start of a recording
}

// AddFixations adds the fixations of a recording or of one of its pieces, in
// order of time; of several eyes one counts, as in [Accumulator.AddFixations].
// Transitions and visits never span two recordings; of several recordings the
// earliest first fixation counts.
func (a *AOIAccumulator) AddFixations(piece *gaze.Recording, fixations []gaze.Fixation) error {
	if err := a.enter(piece); err != nil {
		return err
	}
	if !a.place.eyeSet && len(fixations) > 0 {
		a.place.eye, a.place.eyeSet = bestEye(piece, fixations), true
	}
	for i := range fixations {
		f := &fixations[i]
		switch {
		case f.Eye != a.place.eye:
		case f.Duration < 0 || gaze.Lost(f.X, f.Y):
			a.Dropped++
		default:
			if err := a.add(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *AOIAccumulator) enter(piece *gaze.Recording) error {
	k := len(a.Areas)
	if a.Dwell == nil {
		a.Dwell, a.Fixations, a.Visits = make([]float64, k+1), make([]float64, k+1), make([]float64, k+1)
		a.Transitions = make([]float64, (k+1)*(k+1))
		a.FirstFixation = make([]float64, k)
		for i := range a.FirstFixation {
			a.FirstFixation[i] = math.NaN()
		}
	}
	if piece.Continues && a.place.known {
		return nil
	}
	a.at = -1
	a.place = newPlace(piece.Header, Grid{Width: 360, Height: 180})
	_, _, err := a.place.pixels(0, 0)
	return err
}

func (a *AOIAccumulator) add(f *gaze.Fixation) error {
	x, y, err := a.place.pixels(f.X, f.Y)
	if err != nil {
		return err
	}
	k := len(a.Areas)
	area := a.Areas.Hit(x, y)
	if area < 0 {
		area = k
	}
	a.Dwell[area] += f.Duration.Seconds()
	a.Fixations[area]++
	if area != a.at {
		a.Visits[area]++
	}
	if a.at >= 0 {
		a.Transitions[a.at*(k+1)+area]++
	}
	if area < k {
		a.first(area, f.Start.Seconds())
	}
	a.at = area
	return nil
}

func (a *AOIAccumulator) first(area int, t float64) {
	if math.IsNaN(a.FirstFixation[area]) {
		a.Order = append(a.Order, area)
		a.FirstFixation[area] = t
	}
	a.FirstFixation[area] = min(a.FirstFixation[area], t)
}

// Shares returns the dwell as shares of the whole, outside last; all zero for
// a person without fixations.
func (a *AOIAccumulator) Shares() []float64 {
	out := make([]float64, len(a.Areas)+1)
	var sum float64
	for _, v := range a.Dwell {
		sum += v
	}
	if sum > 0 {
		for i, v := range a.Dwell {
			out[i] = v / sum
		}
	}
	return out
}

// Hits returns 1 for every area that was fixated at least once, else 0.
func (a *AOIAccumulator) Hits() []float64 {
	out := make([]float64, len(a.Areas))
	for i := range out {
		if a.Fixations != nil && a.Fixations[i] > 0 {
			out[i] = 1
		}
	}
	return out
}
