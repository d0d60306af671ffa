package synth

import (
	"cmp"
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
// more caution). What leaves the simplex is brought to its nearest point, which is
// no farther from any law than it was: nothing is clipped, and nothing noisy is
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

// towards adds share·away, which sums to zero, to the law, and goes to the nearest
// point of the simplex from there.
func towards(law, away []float64, share float64) []float64 {
	if !(share > 0) {
		return law
	}
	for i, a := range away {
		law[i] += math.Min(share, 1) * a
	}
	nearest(law)
	normalise(law) // rounding
	return law
}

// nearest moves v to the nearest point of the simplex: it takes from all entries
// alike what they have too much of, and from none more than it has.
func nearest(v []float64) {
	order := slices.Clone(v)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(b, a) })
	sum, excess := 0.0, 0.0
	for i, x := range order {
		sum += x
		if e := (sum - 1) / float64(i+1); x > e {
			excess = e
		}
	}
	for i := range v {
		v[i] = math.Max(0, v[i]-excess)
	}
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
