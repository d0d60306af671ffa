package population

import (
	"math"
	"testing"
)

// More people, more ε: more like them; and as many as are said to be needed are
// enough, and hardly too many.
func TestLikeness(t *testing.T) {
	shape := Shape{Screen: lab, PixelsPerDegree: 50}
	for name, at := range map[string]func(n int, epsilon float64) (density float64, needed int){
		"central": func(n int, epsilon float64) (float64, int) {
			l := Central{Epsilon: epsilon, Delta: 1e-5, Subjects: n, Shape: shape}.Plan().Likeness
			return l.Density, l.SubjectsNeeded
		},
		"local": func(n int, epsilon float64) (float64, int) {
			l := Local{Epsilon: epsilon, Subjects: n, Shape: shape}.Plan().Likeness
			return l.Density, l.SubjectsNeeded
		},
	} {
		last := 1.0
		for _, n := range []int{3, 30, 300, 3000, 30_000, 300_000} {
			weak, _ := at(n, 1)
			strong, needed := at(n, 3)
			if !(strong <= weak && weak <= last && strong > 0) {
				t.Errorf("%s: n = %d: %v at ε = 1, %v at ε = 3; %v with fewer people", name, n, weak, strong, last)
			}
			last = weak
			if d, again := at(needed, 3); d > likeGood*1.02 || math.Abs(float64(again-needed)) > 1+0.02*float64(needed) {
				t.Errorf("%s: n = %d asks for %d people, which make %v and ask for %d", name, n, needed, d, again)
			}
			if d, _ := at(max(1, needed*9/10), 3); d < likeGood && needed > 10 {
				t.Errorf("%s: fewer than %d people make %v", name, needed, d)
			}
		}
	}
	if l := (Local{Epsilon: 1e-6, Subjects: 10, Shape: shape}).Plan().Likeness; l.SubjectsNeeded != 0 || l.Density != likePrior {
		t.Errorf("without any ε: %+v", l)
	}
}
