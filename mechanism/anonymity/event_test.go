package anonymity

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

func TestProfileFindsItsParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := move{a: rapid.Float64Range(1, 900).Draw(t, "a"), b: rapid.Float64Range(0.2, 0.8).Draw(t, "b"), c: rapid.Float64Range(0.01, 0.3).Draw(t, "c")}
		var v [velocityPoints]float64
		for i := range v {
			x := (float64(i)+0.5)/velocityPoints - p.b
			v[i] = p.a * math.Exp(-x*x/p.c)
		}
		q := profile(v)
		if math.Abs(q.a/p.a-1) > 1e-3 || math.Abs(q.b-p.b) > 1e-3 || math.Abs(q.c/p.c-1) > 1e-2 {
			t.Fatalf("fitted %+v to the profile of %+v", q, p)
		}
	})
	if profile([velocityPoints]float64{}).seen() {
		t.Error("a profile of nothing")
	}
}

// The speeds of a minimum-jerk movement are fitted within 5 % of their peak.
func TestProfileOfSaccades(t *testing.T) {
	var v [velocityPoints]float64
	for i := range v {
		u := (float64(i) + 0.5) / velocityPoints
		v[i] = 30 * u * u * (1 - u) * (1 - u)
	}
	p := profile(v)
	near(t, "peak", p.a, 30./16, 0.1)
	near(t, "place of the peak", p.b, 0.5, 1e-6)
	near(t, "misfit per point", math.Sqrt(misfit(v, p)/velocityPoints), 0, 0.05*30/16)
}

func TestWay(t *testing.T) {
	m := move{seconds: 0.05, a: 1, b: 0.4, c: 0.05}
	last := 0.0
	for i := range 101 {
		w := m.way(float64(i) / 100)
		if w < last || w > 1+1e-12 {
			t.Fatalf("way %v after %v", w, last)
		}
		last = w
	}
	near(t, "start", m.way(0), 0, 1e-12)
	near(t, "end", m.way(1), 1, 1e-12)
	for _, c := range []float64{narrowest, flattest} {
		for _, b := range []float64{0, 1} {
			if w := (move{b: b, c: c}).way(0.5); !(w >= 0 && w <= 1) {
				t.Errorf("b = %v, c = %v: way %v", b, c, w)
			}
		}
	}
}

// What is rendered is found again: as many fixations, where they were, as long.
func TestRenderedEventsAreDetected(t *testing.T) {
	all := habits(t, 2, 1, 20)
	for i := range all {
		r := record{Recording: all[i], period: 4 * time.Millisecond}
		track, _, _ := all[i].Best()
		r.points = points{track.X, track.Y}
		before, err := events(&r, Detection{})
		if err != nil {
			t.Fatal(err)
		}
		p := path{all[i].Header, render(before, surface{}, r.period, noise.Seeded(1)), r.period}
		made := p.recording()
		again := record{Recording: made, points: p.points, period: r.period}
		after, err := events(&again, Detection{})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "fixations", float64(len(after)), float64(len(before)), 0.06*float64(len(before)))
		near(t, "mean duration", meanSeconds(after), meanSeconds(before), 0.06*meanSeconds(before))
		sum := 0.0
		for _, e := range before {
			sum += e.seconds + math.Max(e.move.seconds, usual.seconds)
		}
		length := made.Samples.T[len(made.Samples.T)-1].Seconds()
		near(t, "length", length, sum, 0.1*sum)
		saccades, err := detect.Standard().Saccades(made)
		if err != nil {
			t.Fatal(err)
		}
		if len(saccades) < len(before)/2 {
			t.Errorf("%d saccades between %d fixations", len(saccades), len(before))
		}
	}
}

func meanSeconds(all []event) (m float64) {
	for _, e := range all {
		m += e.seconds / float64(len(all))
	}
	return m
}

func TestEventsOfAStaringPerson(t *testing.T) {
	r := staring("A", 3, 4)
	c, err := collect(seq([]*gaze.Recording{r}))
	if err != nil {
		t.Fatal(err)
	}
	e, err := events(&c[0], Detection{})
	if err != nil || len(e) != 1 {
		t.Fatalf("%d events, %v", len(e), err)
	}
	near(t, "x", e[0].x, 3, 0.02)
	near(t, "y", e[0].y, 4, 0.02)
	near(t, "deviation", e[0].dx, 0.05/math.Sqrt2, 0.005)
	near(t, "duration", e[0].seconds, 2, 0.03)
}

func TestSphere(t *testing.T) {
	s := surface{sphere: true}
	x, y := s.mean([]float64{175, -175, math.NaN()}, []float64{0, 0, 1})
	near(t, "mean yaw across the back", math.Abs(x), 180, 1e-9)
	near(t, "mean pitch", y, 0, 1e-9)
	if x, y = s.mean([]float64{0, 180}, []float64{0, 0}); math.IsNaN(x) || math.IsNaN(y) {
		t.Errorf("mean of opposite directions: %v, %v", x, y)
	}
	if x, _ = s.mean(nil, nil); !math.IsNaN(x) {
		t.Errorf("mean of nothing: %v", x)
	}
	x, y = s.between(170, 0, -170, 0, 0.75)
	near(t, "three quarters of the way", x, -175, 1e-9)
	near(t, "pitch on the way", y, 0, 1e-9)
	near(t, "distance", s.distance(170, 0, -170, 0), 20, 1e-9)
	dx, dy := s.offset(179, 10, -179, 12)
	x, y = s.place(179, 10, dx, dy)
	near(t, "offset and back", x, -179, 1e-9)
	near(t, "offset and back", y, 12, 1e-9)
	if x, y = s.place(0, 80, 0, 20); y > 90 {
		t.Errorf("over the pole: %v, %v", x, y)
	}
}
