package population

import (
	"math"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// Rounds of iterative proportional fitting by simulation.
const (
	chainRounds  = 8
	chainLength  = 20_000 // fixations per round
	chainStretch = 500    // after so many the chain begins anew elsewhere
)

// fit corrects the potentials until what the chain makes has the model's
// density and jumps.
func (c *chain) fit(src *noise.Source) {
	meanDuration := c.m.meanDuration()
	for range chainRounds {
		visits, jumps := c.run(meanDuration, src)
		c.correctPlaces(visits)
		correct(c.ratio, c.m.Steps, jumps, 0.7)
	}
}

// run lets the chain walk and returns time per cell and weight per coarse jump.
// Every candidate counts by its weight: less scattered than those chosen.
func (c *chain) run(meanDuration float64, src *noise.Source) (visits, jumps []float64) {
	visits, jumps = make([]float64, len(c.places.weight)), make([]float64, len(c.ratio))
	var from point
	for i := range chainLength {
		if i%chainStretch == 0 {
			from = c.anywhere(src)
		}
		to := c.next(from, src)
		total := c.upTo[candidates-1]
		if total > 0 {
			for j := range c.tried {
				if t := &c.tried[j]; t.weight > 0 {
					visits[t.cell] += meanDuration * t.weight / total
					jumps[c.coarse(t.jump)] += t.weight / total
				}
			}
		}
		c.fly(visits, from, to.at)
		from = to.at
	}
	return visits, jumps
}

// flightSamples of a saccade count where they pass.
const flightSamples = 4

// fly adds the time of a saccade to the cells on its way.
func (c *chain) fly(visits []float64, from, to point) {
	d := flight(math.Hypot(to.x-from.x, to.y-from.y) / c.m.Shape.PixelsPerDegree)
	for k := range flightSamples {
		f := simulate.MinimumJerk((float64(k) + 0.5) / flightSamples)
		if cell := c.cellOf(point{from.x + f*(to.x-from.x), from.y + f*(to.y-from.y)}); cell >= 0 {
			visits[cell] += d.Seconds() / flightSamples
		}
	}
}

// slowest is the least mean velocity of a generated saccade: somewhat above the
// detectors' threshold, so that jumps of the tracker in the data, too small for
// the main sequence, are still seen as jumps.
const slowest = 40.0 // deg/s

// flight is how long a saccade of an amplitude in deg takes.
func flight(amplitude float64) time.Duration {
	d, _ := simulate.MainSequence(amplitude)
	return min(d, time.Duration(amplitude/slowest*float64(time.Second)))
}

// correctPlaces moves the potentials of places towards the density. Both sides
// are smoothed alike, so that scatter of the walk does not become structure.
func (c *chain) correctPlaces(visits []float64) {
	s := &c.m.Shape
	blur := &smoothing{blurMatrix(s.Rows, 0.7, false), blurMatrix(s.Columns, 0.7, false)}
	got, want := blur.apply(visits), blur.apply(c.m.Density)
	correct(c.places.weight, want, got, 0.8)
	floats.Scale(1/floats.Sum(c.places.weight), c.places.weight)
	c.places.sum()
}

// correct multiplies potentials by a power of wanted over got shares, within a
// factor of three.
func correct(potential, want, got []float64, power float64) {
	wanted, gotten := floats.Sum(want), floats.Sum(got)
	floor := 1e-3 / float64(len(got))
	for i := range potential {
		f := (want[i]/wanted + floor) / (got[i]/gotten + floor)
		potential[i] *= math.Pow(min(max(f, 1./3), 3), power)
	}
}

// meanDuration is the mean time between saccades, s.
func (m *Model) meanDuration() float64 {
	sum := 0.0
	for i, v := range m.Durations {
		sum += v * m.Shape.seconds(i)
	}
	return sum / floats.Sum(m.Durations)
}
