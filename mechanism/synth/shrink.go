package synth

import (
	"math"
	"slices"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
)

// surprise is by how many deviations counts must be further from a law than noise
// alone takes them before they are believed.
const surprise = 2

// beyond is what of a squared distance of so many degrees of freedom exceeds what
// noise of a variance each may well do.
func beyond(squared, variance, freedom float64) float64 {
	return max(0, squared-variance*(freedom+surprise*math.Sqrt(2*freedom)))
}

// shrunk moves a law towards what noisy counts say, as far as they can be told
// from noise: counts come with their known variance, and of the distance between
// them and the law only what exceeds the noise is believed (James and Stein, with
// more caution). It never leaves the simplex, so nothing is clipped, and nothing noisy is
// normalised. The total is what the counts should sum to.
func shrunk(law, counts []float64, total, variance float64) []float64 {
	out := slices.Clone(law)
	if !(total > 0) {
		return out
	}
	away := make([]float64, len(law))
	for i, p := range law {
		away[i] = counts[i] - total*p
	}
	balance(away) // how many there are in all says nothing of the law
	squared := 0.0
	for i := range away {
		squared += away[i] * away[i]
		away[i] /= total
	}
	return towards(out, away, beyond(squared, variance, float64(len(law)-1))/squared)
}

// balance takes the mean off.
func balance(v []float64) {
	mean := sum(v) / float64(len(v))
	for i := range v {
		v[i] -= mean
	}
}

// towards adds share·away to the law, or as much of it as the simplex allows.
func towards(law, away []float64, share float64) []float64 {
	if !(share > 0) {
		return law
	}
	share = math.Min(share, 1)
	for i, a := range away {
		if a < 0 {
			share = math.Min(share, law[i]/-a)
		}
	}
	for i, a := range away {
		law[i] = math.Max(0, law[i]+share*a)
	}
	normalise(law) // rounding
	return law
}

// told is the total of an estimate with the variance of one of its counts, the
// mean one.
func told(e oracle.Estimate) (total, variance float64) {
	for _, c := range e.Counts {
		total += c
	}
	share := math.Max(0, total) / float64(max(1, len(e.Counts)))
	return total, e.Variance(share)
}

// sure reports whether a total of so many counts is not just noise.
func sure(total, variance float64, counts int) bool {
	return total > 3*math.Sqrt(variance*float64(counts))
}
