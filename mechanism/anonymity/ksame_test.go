package anonymity

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(2, 9).Draw(t, "k")
		groups, err := group(n, k, noise.Seeded(rapid.Uint64().Draw(t, "seed")))
		if (err != nil) != (n < k) {
			t.Fatalf("%d people, k = %d: %v", n, k, err)
		}
		var all []int
		for _, g := range groups {
			if len(g) < k || len(g) > 2*k-1 {
				t.Fatalf("a group of %d, k = %d", len(g), k)
			}
			all = append(all, g...)
		}
		slices.Sort(all)
		if err == nil && len(slices.Compact(all)) != n {
			t.Fatalf("%d of %d people are in groups", len(all), n)
		}
	})
}

// Every released path is that of at least k people: what is promised holds.
func TestKSameSelectIsShared(t *testing.T) {
	const k = 3
	var all []*gaze.Recording
	for i, who := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		all = append(all, staring(who, float64(i), 0))
	}
	_, out := protect(t, KSameSelect{K: k}, all, 5)
	shared := map[float64]int{}
	for _, r := range out {
		shared[xs(r)[100]]++
	}
	for _, n := range shared {
		if n < k {
			t.Errorf("a path is shared by %d people only", n)
		}
	}
	if len(shared) != 2 {
		t.Errorf("%d groups of 7 people", len(shared))
	}
}

func TestKSameSelectIsTheMean(t *testing.T) {
	a, b := staring("A", 0, 0), jumping("B", 10, 20, 30, 40)
	b.Samples.T = b.Samples.T[:400]
	track := &b.Samples.Tracks[gaze.Cyclopean]
	track.X, track.Y = track.X[:400], track.Y[:400]
	track.X[7] = math.NaN()
	_, out := protect(t, KSameSelect{K: 2}, []*gaze.Recording{a, b}, 1)
	for _, r := range out {
		if len(xs(r)) != 500 {
			t.Fatalf("%d samples, the longest member has 500", len(xs(r)))
		}
		for i, x := range xs(r) {
			want := (xs(a)[i] + xs(b)[i%400]) / 2
			if i%400 == 7 {
				want = xs(a)[i]
			}
			near(t, "mean", x, want, 1e-12)
		}
	}
}

// Not private, first: a group that agrees shows what it agrees on.
func TestIdenticalMembersLeak(t *testing.T) {
	for _, secret := range []float64{3, -14} {
		all := []*gaze.Recording{jumping("A", 0, secret), jumping("B", 0, secret), jumping("C", 0, secret)}
		for _, m := range []Mechanism{KSameSelect{K: 3}, KSameSynth{K: 3}} {
			_, out := protect(t, m, all, 3)
			x := xs(out[0])
			near(t, "what everybody looked at", x[len(x)-20], secret, 0.3)
		}
	}
}

// Not private, second: who knows the other members has the last one's path,
// sample by sample.
func TestSubtractionRecoversTheMember(t *testing.T) {
	all := []*gaze.Recording{jumping("A", 1, 5, 2, 7), jumping("B", 3, -3, 9, 1), jumping("target", -4, 8, 0, 6)}
	_, out := protect(t, KSameSelect{K: 3}, all, 9)
	for i, mean := range xs(out[0]) {
		near(t, "recovered sample", 3*mean-xs(all[0])[i]-xs(all[1])[i], xs(all[2])[i], 1e-9)
	}
	// Events too: the mean of the j-th fixations.
	m := KSameSynth{K: 3}
	c, err := collect(seq(all))
	if err != nil {
		t.Fatal(err)
	}
	mean, err := m.meanEvents(c)
	if err != nil {
		t.Fatal(err)
	}
	var known [3][]event
	for i := range c {
		if known[i], err = events(&c[i], m.Detection); err != nil {
			t.Fatal(err)
		}
	}
	for j := range mean {
		near(t, "recovered fixation", 3*mean[j].x-known[0][j].x-known[1][j].x, known[2][j].x, 1e-9)
		near(t, "recovered duration", 3*mean[j].seconds-known[0][j].seconds-known[1][j].seconds, known[2][j].seconds, 1e-9)
	}
}

// Not private, third: groups are drawn anew for every stimulus, so a trait
// that shows in every mean of a person's groups, and in no other, is theirs:
// the people whose every path shows it.
func TestGroupsIntersect(t *testing.T) {
	const people, stimuli = 12, 6
	var all []*gaze.Recording
	for s := range stimuli {
		for p := range people {
			x := 0.0
			if p == 7 {
				x = 100 // looks where nobody else does
			}
			r := staring(string(rune('A'+p)), x, 0)
			r.Stimulus = string(rune('0' + s))
			all = append(all, r)
		}
	}
	_, out := protect(t, KSameSelect{K: 3}, all, 2)
	suspects := map[string]int{}
	for _, r := range out {
		if xs(r)[50] > 10 {
			suspects[r.Participant]++
		}
	}
	for who, n := range suspects {
		if (n == stimuli) != (who == "H") {
			t.Errorf("%s is suspected %d times of %d", who, n, stimuli)
		}
	}
	if suspects["H"] != stimuli {
		t.Error("the intersection does not hold the person")
	}
}

func TestMeanEventCountsWhatWasSeen(t *testing.T) {
	m := meanEvent(surface{}, []event{
		{seconds: 1, x: 2, y: 4, dx: 1, dy: 3, move: move{0.1, 100, 0.4, 0.2}},
		{seconds: 3, x: 4, y: 8, dx: 3, dy: 5},
	})
	want := event{seconds: 2, x: 3, y: 6, dx: 2, dy: 4, move: move{0.1, 100, 0.4, 0.2}}
	if m != want {
		t.Errorf("mean %+v, want %+v", m, want)
	}
}
