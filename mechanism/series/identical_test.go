package series

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// halves are the mean values of the first and second half of every signal.
func halves(r *Signals) (first, second []float64) {
	for _, v := range r.Values {
		n := len(v) / 2
		first, second = append(first, mean(v[:n])), append(second, mean(v[n:]))
	}
	return first, second
}

// linked is how many people's second half is nearest to their own first half.
func linked(first, second [][]float64) (hits int) {
	for i, x := range second {
		best, nearest := -1, math.Inf(1)
		for j, y := range first {
			if d := squaredError(x, y); d < nearest {
				best, nearest = j, d
			}
		}
		if best == i {
			hits++
		}
	}
	return hits
}

// TestIdenticalPeopleAreIdentified: 20 people with the same signals to the last
// bit, released by FPA under a subject's ε = 0.48, are told apart at 100 % when
// the two halves of one release are linked: both halves carry the same noise,
// that of a few coefficients. So the identification of 1.0 in table 3 of Bozkir
// et al. 2021 says nothing about ε. Between two separate releases nobody is
// found: 20 guesses hit once on average (6 or more with a probability below
// 1e-3, 12 or more below 1e-9).
func TestIdenticalPeopleAreIdentified(t *testing.T) {
	m := Laplace{Method: FPA, Epsilon: 0.48, Cut: Cut{Features: 48, Length: 1200, Unit: dp.Subject}, Bounds: unit, Coefficients: 1}
	same := one(m, 1200, func(f, t int) float64 { return 0.3 * math.Sin(float64(t*(f+1))/300) })[0]
	var people []Signals
	for i := range 20 {
		p := same
		p.Subject = string(rune('a' + i))
		people = append(people, p)
	}
	p, err := m.Prepare(people)
	if err != nil {
		t.Fatal(err)
	}
	src := noise.Seeded(20)
	draw := func() (first, second [][]float64) {
		r, err := p.Draw(src)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Recordings {
			a, b := halves(&r.Recordings[i])
			first, second = append(first, a), append(second, b)
		}
		return first, second
	}
	first, second := draw()
	enrolled, _ := draw()
	if hits := linked(first, second); hits != 20 {
		t.Errorf("%d of 20 identical people are told apart within a release", hits)
	}
	if hits := linked(enrolled, second); hits >= 12 {
		t.Errorf("%d of 20 identical people are told apart between releases", hits)
	}
	if g := m.Guarantee(); g.Epsilon != 0.48 || g.Unit != dp.Subject {
		t.Errorf("%v", g)
	}
}
