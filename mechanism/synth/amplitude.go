package synth

import (
	"math"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// What is believed of saccades before any report is read. Public, typed here,
// from no data of the release: most saccades are small, some cross the screen.
const (
	priorAmplitude       = 2.0 // deg: median
	priorAmplitudeSpread = 1.1 // of its logarithm
)

// The law of amplitudes is kept in bins of a quarter of an octave.
const (
	smallestAmplitude = 0.25 // deg
	perOctave         = 4
	amplitudeBins     = 8 * perOctave
	largestAmplitude  = 64.0 // deg
)

// amplitudeLaw is the law of the size of a saccade, by bin.
type amplitudeLaw []float64

// binOf is the bin of an amplitude, or the nearest.
func binOf(deg float64) int {
	return int(min(max(math.Floor(math.Log2(deg/smallestAmplitude)*perOctave), 0), amplitudeBins-1))
}

// bounds are the least and the largest amplitude of a bin, deg.
func bounds(bin int) (from, to float64) {
	at := func(b int) float64 { return smallestAmplitude * math.Exp2(float64(b)/perOctave) }
	return at(bin), at(bin + 1)
}

// classOf is the class that a bin is asked by.
func classOf(bin int) int {
	from, to := bounds(bin)
	return octave(math.Sqrt(from * to))
}

func priorAmplitudes() amplitudeLaw {
	law := make(amplitudeLaw, amplitudeBins)
	cdf := func(deg float64) float64 {
		return 0.5 * math.Erfc(-math.Log(deg/priorAmplitude)/priorAmplitudeSpread/math.Sqrt2)
	}
	for b := range law {
		from, to := bounds(b)
		law[b] = cdf(to) - cdf(from)
	}
	normalise(law)
	return law
}

// newAmplitudes is the prior, with its classes moved to where the answers are.
// Within a class it keeps its form.
func newAmplitudes(e oracle.Estimate) amplitudeLaw {
	law := priorAmplitudes()
	classes := make([]float64, amplitudeClasses)
	for b, p := range law {
		classes[classOf(b)] += p
	}
	total, variance := told(e)
	if !sure(total, variance, amplitudeClasses) {
		return law
	}
	moved := shrunk(classes, e.Counts, total, variance)
	for b := range law {
		law[b] *= moved[classOf(b)] / classes[classOf(b)]
	}
	return law
}

// draw is an amplitude in degrees.
func (l amplitudeLaw) draw(table []float64, src *noise.Source) float64 {
	from, to := bounds(choose(table, src))
	return from * math.Pow(to/from, src.Float64())
}

// density of an amplitude per degree, up to rounding of its bin.
func (l amplitudeLaw) density(deg float64) float64 {
	b := binOf(deg)
	from, to := bounds(b)
	return l[b] / (to - from)
}

// choose draws an index with a probability that is its step in a cumulated table.
func choose(table []float64, src *noise.Source) int {
	u := src.Float64() * table[len(table)-1]
	lo, hi := 0, len(table)-1
	for lo < hi {
		if mid := (lo + hi) / 2; table[mid] > u {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
