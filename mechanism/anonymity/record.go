package anonymity

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// points are positions in equal steps of time; NaN = lost.
type points struct{ x, y []float64 }

// record is one recording as this room sees it.
type record struct {
	*gaze.Recording
	points
	person int
	period time.Duration
}

// maxPosition keeps squares and sums of positions finite.
const maxPosition = 1e12

// collect reads the recordings that have positions.
func collect(pieces gaze.Seq) ([]record, error) {
	all, err := gaze.Collect(pieces)
	if err != nil {
		return nil, err
	}
	people := map[string]int{}
	var out []record
	for _, r := range all {
		track, _, ok := r.Best()
		if !ok || r.Samples.Len() < 2 {
			continue
		}
		if _, known := people[r.Participant]; !known {
			people[r.Participant] = len(people)
		}
		c := record{Recording: r, person: people[r.Participant], period: period(r)}
		c.x, c.y = make([]float64, len(track.X)), make([]float64, len(track.X))
		for i, x := range track.X {
			y := track.Y[i]
			if gaze.Lost(x, y) || math.Abs(x) > maxPosition || math.Abs(y) > maxPosition {
				x, y = math.NaN(), math.NaN()
			}
			c.x[i], c.y[i] = x, y
		}
		if c.period > 0 {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("anonymity: no recording has gaze positions and times")
	}
	return out, nil
}

// period is the usual time between two samples; 0 = it cannot be told.
func period(r *gaze.Recording) time.Duration {
	if r.Rate >= 1e-3 && r.Rate <= 1e6 {
		return time.Duration(float64(time.Second) / float64(r.Rate))
	}
	t := r.Samples.T
	steps := make([]time.Duration, 0, len(t))
	for i := 1; i < len(t); i++ {
		if d := t[i] - t[i-1]; d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return max(steps[len(steps)/2], time.Microsecond)
}

// stimulus is what the recordings of one set have in common: people are
// compared who did the same.
type stimulus struct {
	name  string
	round int // how often the person had met it before
}

// sets are the recordings by stimulus, in order of appearance, each person at
// most once in each.
func sets(all []record) (out [][]record) {
	index, met := map[stimulus]int{}, map[stimulus]map[int]int{}
	for _, r := range all {
		name := stimulus{name: cmp.Or(r.Stimulus, r.Task, r.Trial)}
		if met[name] == nil {
			met[name] = map[int]int{}
		}
		key := stimulus{name.name, met[name][r.person]}
		met[name][r.person]++
		at, known := index[key]
		if !known {
			at = len(out)
			index[key] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], r)
	}
	return out
}

var (
	errSmallSet = errors.New("anonymity: k is larger than the number of people who saw a stimulus: choose a smaller k, or leave that stimulus out")
	errMixed    = errors.New("anonymity: recordings of one stimulus differ in unit, frame or sampling rate: convert and resample them first")
	errNoEvents = errors.New("anonymity: no fixations were found: check unit, geometry and threshold")
)

// alike refuses sets whose recordings cannot be averaged.
func alike(set []record) error {
	a := set[0]
	for _, b := range set[1:] {
		ratio := float64(b.period) / float64(a.period)
		if a.Unit != b.Unit || a.Frame != b.Frame || math.Abs(ratio-1) > 0.01 {
			return errMixed
		}
	}
	return nil
}

// group parts n things at random into groups of at least k, as many as there
// can be; their sizes differ by at most one.
func group(n, k int, src *noise.Source) ([][]int, error) {
	if n < k {
		return nil, errSmallSet
	}
	groups := make([][]int, n/k)
	for i, p := range src.Perm(n) {
		groups[i%len(groups)] = append(groups[i%len(groups)], p)
	}
	return groups, nil
}
