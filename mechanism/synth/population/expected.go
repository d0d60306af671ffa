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

// centralLike is against the noise in the mean, in clips ([central.noise]): two
// draws each at n = 100 to 3000, ε = 1 and 3. Where n is small, the people are far
// from each other too.
var centralLike = []worthAt{{0.00067, 0.014}, {0.00183, 0.022}, {0.0052, 0.05}, {0.0145, 0.127}, {0.0364, 0.262}, {0.08, likePrior}}

// localLike is against the noise in a share of the place reports: two draws each at
// n = 1000 to 10 000, ε = 1 and 3, and n = 30 000, ε = 3.
var localLike = []worthAt{{0.0035, 0.07}, {0.0061, 0.105}, {0.0111, 0.187}, {0.0192, 0.27}, {0.0248, 0.307}, {0.0452, likePrior}}

// like interpolates a curve, in logarithms of both; beyond its ends it holds the last
// value.
func like(curve []worthAt, at float64) float64 {
	last := len(curve) - 1
	if at <= curve[0].at {
		return curve[0].density
	}
	for i := 1; i <= last; i++ {
		if a, b := curve[i-1], curve[i]; at <= b.at {
			f := math.Log(at/a.at) / math.Log(b.at/a.at)
			return a.density * math.Pow(b.density/a.density, f)
		}
	}
	return curve[last].density
}

// good is the largest noise at which the density is good; curves rise.
func good(curve []worthAt) float64 {
	low, high := curve[0].at, curve[len(curve)-1].at
	for range 60 {
		if middle := math.Sqrt(low * high); like(curve, middle) <= likeGood {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// likeness is what so much noise makes of n people; it falls with n to a power.
func likeness(curve []worthAt, at float64, n int, epsilon, power float64) *mechanism.Likeness {
	l := &mechanism.Likeness{Density: like(curve, at), PriorOnly: likePrior, Good: likeGood, MeasuredOn: likeOn}
	if v := math.Ceil(float64(n) * math.Pow(at/good(curve), 1/power)); v <= maxSubjects {
		l.SubjectsNeeded = max(int(v), 1)
	}
	l.InWords = fmt.Sprintf("%d people at ε = %g: density of looks about %.2g bits from theirs, the public prior alone %.2g", n, epsilon, l.Density, l.PriorOnly)
	if l.Density > likeGood && l.SubjectsNeeded > 0 {
		l.InWords += fmt.Sprintf("; for %g you need about %d people", likeGood, l.SubjectsNeeded)
	}
	return l
}

// likeness of a central release: its noise falls as 1/n.
func (c *central) likeness() *mechanism.Likeness {
	return likeness(centralLike, c.noise(), c.Subjects, c.Epsilon, 1)
}

// likeness of a local release: its noise falls as the root of n.
func (l *local) likeness() *mechanism.Likeness {
	return likeness(localLike, 1/math.Sqrt(l.worth()), l.Subjects, l.Epsilon, 0.5)
}
