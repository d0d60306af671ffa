package estimate

import (
	"math"
	"testing"
)

func rms(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += sq(a[i] - b[i])
	}
	return math.Sqrt(s / float64(len(a)))
}

// Draws lie about as far from the picture as the picture lies from the truth,
// within a factor of 3 on average over releases, at a third of the noise that
// n = 100 and ε = 1 need. (At all of it they are up to 2.3 times too near.)
func TestSampleShowsTheError(t *testing.T) {
	for _, s := range scenes() {
		var drawn, real float64
		for seed := range uint64(2) {
			p, truth := s.release(generator(30+seed), 100, 5, 0.9)
			p.Mass = 1
			picture, err := LogGaussian(p)
			if err != nil {
				t.Fatal(err)
			}
			real += rms(picture.Map, truth) / 2
			r := generator(seed)
			for range 3 {
				drawn += rms(picture.Sample(r), picture.Map) / 6
			}
		}
		t.Logf("%s: drawn %.3g, real %.3g", s.name, drawn, real)
		if ratio := drawn / real; ratio < 1./3 || ratio > 3 {
			t.Errorf("%s: drawn %.3g, real %.3g", s.name, drawn, real)
		}
	}
}

func TestSampleRepeats(t *testing.T) {
	p, _ := scenes()[0].release(generator(40), 50, 5, 3)
	picture, err := LogGaussian(p)
	if err != nil {
		t.Fatal(err)
	}
	a, b := picture.Sample(generator(1)), picture.Sample(generator(1))
	other := picture.Sample(generator(2))
	if d := rms(a, b); d != 0 {
		t.Errorf("two draws from one seed differ by %v", d)
	}
	if rms(a, other) == 0 {
		t.Error("draws from two seeds are the same")
	}
}
