package synth

import (
	"math"
	"sync"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// What is believed of rests between saccades before any report is read: the
// usual fixation lasts a fifth to a quarter of a second (public, typed here).
const (
	priorRest       = 0.22 // s: median
	priorRestSpread = 0.45 // of its logarithm
)

// restLaw is a log-normal law of how long gaze rests between saccades.
type restLaw struct {
	median float64 // s
	spread float64 // standard deviation of the logarithm
}

func (l restLaw) draw(src *noise.Source) float64 {
	return math.Max(l.median*math.Exp(l.spread*src.NormFloat64()), 1e-3)
}

// saccadeTime is what a saccade of ordinary size takes, s.
const saccadeTime = 0.03

// restLaws are the laws that answers choose from.
var restLaws = sync.OnceValue(func() (laws []restLaw) {
	for _, median := range []float64{0.08, 0.11, 0.15, 0.19, 0.22, 0.26, 0.32, 0.4, 0.6, 1} {
		for _, spread := range []float64{0.35, 0.45, 0.6, 0.8} {
			laws = append(laws, restLaw{median, spread})
		}
	}
	return laws
})

// counted is the law of how many saccades a window holds, by class, if rests
// follow l. It is simulated from a fixed seed: a public function of l.
func (l restLaw) counted(window float64) []float64 {
	const runs = 4000
	out, src := make([]float64, countClasses), noise.Seeded(0x5ac)
	t, next := 0.0, l.draw(src)
	for range runs {
		n := 0
		for t += window; next < t; next += saccadeTime + l.draw(src) {
			n++
		}
		out[min(n, countClasses-1)] += 1. / runs
	}
	return out
}

// rests is what is believed of rests: laws with their weights, cumulated.
type rests struct {
	laws  []restLaw
	table []float64
}

func (r *rests) draw(src *noise.Source) float64 { return r.laws[choose(r.table, src)].draw(src) }

// newRests weighs the laws by Bayes' rule: how well they explain the answers, give
// or take the known noise and what no log-normal law explains, and how near they
// are to what was believed before. Without answers it is that alone.
func newRests(e oracle.Estimate, window float64) rests {
	_, variance := told(e)
	n := float64(e.Reports)
	weight := func(l restLaw) float64 {
		median, spread := math.Log(l.median/priorRest)/beliefWidth, math.Log(l.spread/priorRestSpread)/beliefWidth
		far := median*median + spread*spread
		if e.Reports > 0 {
			for c, p := range l.counted(window) {
				d := e.Counts[c] - n*p
				far += d * d / (variance + misfit*misfit*n*n)
			}
		}
		return math.Exp(-far / 2)
	}
	r := rests{laws: restLaws(), table: make([]float64, len(restLaws()))}
	for i, l := range r.laws {
		r.table[i] = weight(l)
	}
	normalise(r.table)
	r.table = cumulated(r.table)
	return r
}

const (
	beliefWidth = 0.35 // of the logarithms of median and spread
	misfit      = 0.02 // share of windows
)
