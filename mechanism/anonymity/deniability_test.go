package anonymity

import (
	"math"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// The test by its definition: densities, and buckets of powers of γ.
func TestDeniableByDefinition(t *testing.T) {
	src := noise.Seeded(3)
	m := &EventSynthPD{K: 4, Gamma: 1.7}
	k := kernel{dims: moveDims, scale: vector{0.5, 2, 0.25}}
	for range 6 {
		var person []vector
		for range 3 {
			person = append(person, vector{src.NormFloat64(), 4 * src.NormFloat64(), src.NormFloat64()})
		}
		k.around = append(k.around, person)
	}
	density := func(y, v vector) float64 {
		p := 1.0
		for d := range k.dims {
			x := (y[d] - v[d]) / k.scale[d]
			p *= math.Exp(-x * x / 2)
		}
		return p
	}
	passed := 0
	for range 3000 {
		one := src.IntN(6)
		origin := k.around[one][src.IntN(3)]
		y := k.draw(origin, src)
		i := math.Floor(-math.Log(density(y, origin)) / math.Log(m.Gamma))
		others := 0
		for p, person := range k.around {
			found := false
			for _, v := range person {
				q := density(y, v)
				found = found || q > math.Pow(m.Gamma, -i-1) && q <= math.Pow(m.Gamma, -i)
			}
			if found && p != one {
				others++
			}
		}
		if got := k.deniable(y, origin, one, m); got != (others >= m.K-1) {
			t.Fatalf("deniable is %v with %d others in bucket %v", got, others, i)
		}
		if others >= m.K-1 {
			passed++
		}
	}
	if passed == 0 || passed == 3000 {
		t.Errorf("%d of 3000 events pass: the test shows nothing", passed)
	}
}

// Not private: a place that k people share is released, one person less and it
// cannot be. The person's presence shows with certainty.
func TestOnePersonLessIsSeen(t *testing.T) {
	crowd := func(sharers int) (all []*gaze.Recording) {
		for i := range 6 {
			x := float64(i) / 10
			if i < sharers {
				x = 1000 // far from everybody else
			}
			all = append(all, jumping(string(rune('A'+i)), 0, x, 0, x))
		}
		return all
	}
	m := EventSynthPD{K: 3, Gamma: 1.2, Bandwidth: 0.001, Attempts: 50}
	seen := func(sharers int) bool {
		released, err := m.Protect(seq(crowd(sharers)), noise.Seeded(4))
		if err != nil { // nothing could be released
			return false
		}
		for r := range released.Recordings {
			for _, x := range xs(r) {
				if x > 900 {
					return true
				}
			}
		}
		return false
	}
	if !seen(3) || seen(2) {
		t.Errorf("a place that three share is released: %v; that two share: %v", seen(3), seen(2))
	}
}

func TestNothingPassesIsAnError(t *testing.T) {
	all := []*gaze.Recording{staring("A", 0, 0), staring("B", 50, 50)}
	m := EventSynthPD{K: 2, Gamma: 1.01, Bandwidth: 1e-6}
	if _, err := m.Protect(seq(all), noise.Seeded(1)); err == nil || !strings.Contains(err.Error(), "no event could be released") {
		t.Errorf("nobody is like anybody else: %v", err)
	}
}

// Synthetic events keep the stimulus' places and durations roughly.
func TestEventSynthKeepsUtility(t *testing.T) {
	all := habits(t, 6, 1, 15)
	_, out := protect(t, EventSynthPD{K: 3, Gamma: 2, Bandwidth: 0.3}, all, 1)
	if len(out) != len(all) {
		t.Fatalf("%d recordings of %d", len(out), len(all))
	}
	total := func(all []*gaze.Recording) (seconds float64) {
		for _, r := range all {
			seconds += float64(r.Samples.Len()) * 0.004
		}
		return seconds
	}
	if got := total(out); got < 0.3*total(all) || got > 2*total(all) {
		t.Errorf("%.0f s of gaze for %.0f s", got, total(all))
	}
}

// Not private either: a place that one person alone looked at shows that this
// person was there.
func TestMarginalsShowWhoWasThere(t *testing.T) {
	others := []*gaze.Recording{jumping("A", 0, 1, 2, 3), jumping("B", 3, 2, 1, 0)}
	far := func(all []*gaze.Recording) bool {
		_, out := protect(t, TaskMarginals{Recordings: 40}, all, 6)
		for _, r := range out {
			for _, x := range xs(r) {
				if x > 60 {
					return true
				}
			}
		}
		return false
	}
	if far(others) || !far(append(others, jumping("target", 70, 1, 70, 1))) {
		t.Error("the histogram does not show its members")
	}
}

func TestHistogram(t *testing.T) {
	h := count([]float64{0, 0, 0, 10}, 5)
	src, low := noise.Seeded(1), 0
	const n = 4000
	for range n {
		v := h.draw(src)
		if v < 0 || v > 10 || v > 2 && v < 8 {
			t.Fatalf("drew %v", v)
		}
		if v <= 2 {
			low++
		}
	}
	near(t, "share of the first bin", float64(low)/n, 0.75, 5*math.Sqrt(0.75*0.25/n))
	one := count([]float64{4, 4}, 3)
	near(t, "a value that does not vary", one.draw(src), 4, 0)
}
