package anonymity

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// identified is the share of persons whose second session is found, by the
// votes of its segments, among the first sessions.
func identified(t *testing.T, all []*gaze.Recording, people int) float64 {
	t.Helper()
	var x [][]float64
	var y, group []int
	var split classify.Split
	index := map[string]int{}
	for i, r := range all {
		if _, ok := index[r.Participant]; !ok {
			index[r.Participant] = len(index)
		}
		for _, row := range segments(t, r) {
			if r.Session == "0" {
				split.Train = append(split.Train, len(x))
			} else {
				split.Test = append(split.Test, len(x))
			}
			x, y, group = append(x, row), append(y, index[r.Participant]), append(group, i)
		}
	}
	if len(index) != people {
		t.Fatalf("%d people", len(index))
	}
	src := noise.Seeded(1)
	p, err := classify.Validate(classify.Standard{Learner: classify.Forest{Trees: 60}}, x, y, []classify.Split{split}, src)
	if err != nil {
		t.Fatal(err)
	}
	votes, err := classify.Vote(p, group, src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := classify.Confuse(votes)
	if err != nil {
		t.Fatal(err)
	}
	return float64(c.Correct()) / float64(people)
}

// segments are features of every eight events: positions, spreads, durations.
func segments(t *testing.T, r *gaze.Recording) (rows [][]float64) {
	t.Helper()
	c, err := collect(seq([]*gaze.Recording{r}))
	if err != nil {
		t.Fatal(err)
	}
	all, err := events(&c[0], Detection{})
	if err != nil {
		t.Fatal(err)
	}
	for ; len(all) >= 8; all = all[8:] {
		var f [6]float64
		for i, e := range all[:8] {
			f[0] += e.x / 8
			f[1] += e.y / 8
			f[2] += math.Log(e.seconds) / 8
			f[3] += math.Log(1e-3+e.dx) / 8
			f[4] += math.Log(1e-3+e.dy) / 8
			if i > 0 {
				f[5] += math.Log(1+math.Hypot(e.x-all[i-1].x, e.y-all[i-1].y)) / 7
			}
		}
		rows = append(rows, f[:])
	}
	return rows
}

// People with strong habits are found by them in raw gaze, less in what is
// shared by k. Deniable events hide an event, not a person: many events together
// still tell who it was. The attacker is trained on protected data.
func TestIdentificationDrops(t *testing.T) {
	const people = 12
	all := habits(t, people, 2, 60)
	raw := identified(t, all, people)
	if raw < 0.7 {
		t.Fatalf("the attacker finds %.2f of the people in raw data: it proves nothing", raw)
	}
	for _, v := range []struct {
		m    Mechanism
		most float64
	}{{KSameSelect{K: 4}, 0.5}, {KSameSynth{K: 4}, 0.5}, {EventSynthPD{K: 4, Gamma: 2, Bandwidth: 1}, 0.9}} {
		_, out := protect(t, v.m, all, 8)
		got := identified(t, out, people)
		t.Logf("%T: %.2f of %d people identified, raw %.2f, chance %.2f", v.m, got, people, raw, 1./people)
		if got > v.most*raw {
			t.Errorf("%T: %.2f identified, raw %.2f", v.m, got, raw)
		}
	}
}
