package population

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/mechanism"
)

// likeOn says what the tables below were measured on.
const likeOn = "simulated viewers of one picture, 30 s each, without a prior of where they look (gazeward experiment population-utility --scenes free); a fitting prior does better, another stimulus may differ"

// Density of gaze of nobody against that of the people it was made of: bits of
// Jensen and Shannon on 60 × 60 cells, as the experiment prints them.
const (
	likeGood  = 0.1  // at which a map of the one reads like a map of the other
	likePrior = 0.36 // the uniform prior, no data at all
)

// worthAt is a point of a curve: a release's noise and the density error that
// comes of it.
type worthAt struct{ at, density float64 }

// worth is what a model of trust makes of so many people: an error that comes of
// the noise, which falls with n to a power, and one per person that comes of there
// being few of them, who are far from each other too.
type worth struct {
	curve []worthAt
	power float64
	few   float64 // times 1/n
}

// centralWorth is against the noise in the mean, in clips ([central.noise]): two
// draws each at n = 100 to 3000, ε = 1 and 3, which it meets within .006.
var centralWorth = worth{[]worthAt{{0.00067, 0.012}, {0.00183, 0.019}, {0.0052, 0.042}, {0.0145, 0.09}, {0.0364, 0.194}, {0.08, likePrior}}, 1, 6}

// localWorth is against the noise in a share of the place reports: two draws each at
// n = 1000 to 10 000, ε = 1 and 3, and n = 30 000, ε = 3.
var localWorth = worth{[]worthAt{{0.0035, 0.07}, {0.0061, 0.105}, {0.0111, 0.187}, {0.0192, 0.27}, {0.0248, 0.307}, {0.0452, likePrior}}, 0.5, 0}

// ofNoise interpolates the curve, in logarithms of both; beyond its ends it holds
// the last value.
func (w worth) ofNoise(at float64) float64 {
	last := len(w.curve) - 1
	if at <= w.curve[0].at {
		return w.curve[0].density
	}
	for i := 1; i <= last; i++ {
		if a, b := w.curve[i-1], w.curve[i]; at <= b.at {
			f := math.Log(at/a.at) / math.Log(b.at/a.at)
			return a.density * math.Pow(b.density/a.density, f)
		}
	}
	return w.curve[last].density
}

// density is the error with n people, for whom the noise is at.
func (w worth) density(at float64, n float64) float64 {
	return math.Min(w.ofNoise(at)+w.few/n, likePrior)
}

// needed is how many people make the density good, where n have noise at; 0 =
// beyond what is allowed.
func (w worth) needed(at float64, n float64) int {
	isGood := func(people float64) bool { return w.density(at*math.Pow(n/people, w.power), people) <= likeGood }
	if !isGood(maxSubjects) {
		return 0
	}
	low, high := 0.0, math.Log(maxSubjects)
	for range 60 {
		if middle := (low + high) / 2; isGood(math.Exp(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return int(math.Ceil(math.Exp(high)))
}

// likeness is what so much noise makes of n people.
func (w worth) likeness(at float64, n int, epsilon float64) *mechanism.Likeness {
	people := float64(n)
	l := &mechanism.Likeness{Density: w.density(at, people), PriorOnly: likePrior, Good: likeGood, MeasuredOn: likeOn, SubjectsNeeded: w.needed(at, people)}
	l.InWords = fmt.Sprintf("%d people at ε = %g: density of looks about %.2g bits from theirs, the public prior alone %.2g", n, epsilon, l.Density, l.PriorOnly)
	if l.Density > likeGood && l.SubjectsNeeded > 0 {
		l.InWords += fmt.Sprintf("; for %g you need about %d people", likeGood, l.SubjectsNeeded)
	}
	return l
}

func (c *central) likeness() *mechanism.Likeness {
	return centralWorth.likeness(c.noise(), c.Subjects, c.Epsilon)
}

func (l *local) likeness() *mechanism.Likeness {
	return localWorth.likeness(1/math.Sqrt(l.worth()), l.Subjects, l.Epsilon)
}
