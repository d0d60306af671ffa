package audit

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// Mechanisms with faults as they are really made, each beside its right twin.
// Every mutant must be caught, no twin flagged.

type mutant struct {
	name         string
	right, wrong Case
}

func pure(eps float64, events Events, draw Draw) Case {
	return Case{Claim: dp.Guarantee{Measure: dp.Pure, Epsilon: eps}, Draw: draw, Events: events, Grid: 1}
}

// offByOne counts 3 cells that a person may touch as 2.
func offByOne(t *testing.T) mutant {
	count := func(cells float64) Draw {
		s, err := noise.NewLaplace(cells * lattice)
		if err != nil {
			t.Fatal(err)
		}
		return shifted(s, 3*lattice, 1)
	}
	return mutant{"sensitivity off by one", pure(1, Thresholds, count(3)), pure(1, Thresholds, count(2))}
}

// sign uses one coin for the signs of two coordinates of Laplace noise. The
// statistic is the product of the outputs, negative where the signs differ.
func sign(*testing.T) mutant {
	draw := func(reused bool) Draw {
		return func(side bool, src *noise.Source) (float64, error) {
			coin := func() float64 { return float64(src.Uint64()&1)*2 - 1 }
			first := coin()
			second := first
			if !reused {
				second = coin()
			}
			x, y := first*src.ExpFloat64(), second*src.ExpFloat64()
			if side {
				x++
			}
			return -x * y, nil
		}
	}
	return mutant{"sign reused", pure(1, Thresholds, draw(false)), pure(1, Thresholds, draw(true))}
}

// floats is textbook Laplace noise by inversion in float64 (Mironov 2012)
// against the lattice.
func floats(t *testing.T) mutant {
	right := laplace(t, 1, 1)
	right.Events = LowBits
	return mutant{"inverse-CDF Laplace in float64", right, pure(1, LowBits, func(side bool, src *noise.Source) (float64, error) {
		u := src.Float64() - 0.5
		z := -math.Copysign(math.Log(1-2*math.Abs(u)), u)
		if side {
			z++
		}
		return z, nil
	})}
}

// unrounded adds lattice noise to a contribution that was never rounded.
func unrounded(t *testing.T) mutant {
	draw := func(x int64, rest float64) Draw {
		s, err := noise.NewLaplace(lattice)
		if err != nil {
			t.Fatal(err)
		}
		return func(side bool, src *noise.Source) (float64, error) {
			z := float64(s.Draw(src))
			if side {
				z += float64(x) + rest
			}
			return z, nil
		}
	}
	return mutant{"contribution off the lattice", pure(1, LowBits, draw(700, 0)), pure(1, LowBits, draw(700, 0.3))}
}

// coarse noise: the lattice of the noise is four times that of the contributions.
func coarse(t *testing.T) mutant {
	draw := func(step int64) Draw {
		s, err := noise.NewLaplace(lattice / float64(step))
		if err != nil {
			t.Fatal(err)
		}
		return func(side bool, src *noise.Source) (float64, error) {
			z := step * s.Draw(src)
			if side {
				z += 701
			}
			return float64(z), nil
		}
	}
	return mutant{"noise coarser than contributions", pure(1, LowBits, draw(1)), pure(1, LowBits, draw(4))}
}

// unary encoding of 8 values: true bit kept with ½, others set with 1/(e+1).
// The mutant's loop ends one bit early and sends the last one as it is.
func unary(*testing.T) mutant {
	const d = 8
	draw := func(upTo int) Draw {
		return func(side bool, src *noise.Source) (float64, error) {
			truth, word := d-1, 0
			if side {
				truth = 0
			}
			for i := range d {
				p := 1 / (math.E + 1)
				if i == truth {
					p = 0.5
				}
				if i >= upTo {
					p = map[bool]float64{false: 0, true: 1}[i == truth]
				}
				if src.Float64() < p {
					word |= 1 << i
				}
			}
			return float64(word), nil
		}
	}
	return mutant{"unary encoding one bit short", pure(1, Atoms, draw(d)), pure(1, Atoms, draw(d-1))}
}

// rare publishes one person in two hundred as they are.
func rare(t *testing.T) mutant {
	right := gaussian(t, 0.2, 1)
	right.Events, right.Claim.Mu = Atoms, 0
	wrong := right
	wrong.Draw = func(side bool, src *noise.Source) (float64, error) {
		if !src.Bernoulli(1, 200) {
			return right.Draw(side, src)
		}
		return map[bool]float64{false: -12345, true: 12345}[side], nil
	}
	return mutant{"one in two hundred in the clear", right, wrong}
}

func TestMutantsAreCaught(t *testing.T) {
	for i, make := range []func(*testing.T) mutant{offByOne, sign, floats, unrounded, coarse, unary, rare} {
		m := make(t)
		t.Run(m.name, func(t *testing.T) {
			if r := run(t, Audit{}, m.right, uint64(i)); r.Verdict != Holds {
				t.Errorf("the right twin is flagged: %+v", r)
			}
			r := run(t, Audit{}, m.wrong, uint64(i))
			if r.Verdict != Above {
				t.Errorf("not caught: %+v", r)
			}
			t.Logf("claimed %v, shown %+v", m.wrong.Claim.Terms(), r.Lower)
		})
	}
}

// NOISE.md: 2 × 200 000 draws show 7.5 for inverse-CDF Laplace, 0 for a table.
func TestLowBitsShowTheFloatLeak(t *testing.T) {
	m := floats(t)
	a := Audit{Trials: 200_000, Confidence: 0.999}
	if r := run(t, a, m.wrong, 1); r.Lower.Epsilon < 7 {
		t.Errorf("inverse-CDF Laplace of ε = 1 shows only %v", r.Lower.Epsilon)
	}
	if r := run(t, a, m.right, 1); r.Lower.Epsilon > 0.2 {
		t.Errorf("noise on a lattice shows %v in its low bits", r.Lower.Epsilon)
	}
}

// A random half of the people without noise: what person B alone can add is
// seen with probability ½, which is a lower bound on δ at every ε.
func TestLeaks(t *testing.T) {
	c := Case{
		Claim: dp.Guarantee{Measure: dp.Approximate, Epsilon: 100, Delta: 0.01}, Events: Leaks,
		Draw: func(side bool, src *noise.Source) (float64, error) {
			if side && src.Bernoulli(1, 2) {
				return 7, nil
			}
			return 0, nil
		},
		Never: func(x float64) bool { return x == 7 },
	}
	r := run(t, Audit{}, c, 1)
	if r.Verdict != Above || r.Lower.Delta < 0.49 || r.Lower.Delta > 0.5 {
		t.Errorf("%+v", r)
	}
	c.Claim.Delta = 0.5
	if r := run(t, Audit{}, c, 1); r.Verdict != Holds {
		t.Errorf("a true δ is refuted: %+v", r)
	}
	c.Never = func(x float64) bool { return x == 0 }
	if _, err := (Audit{}).Run(c, noise.Seeded(1)); err == nil {
		t.Error("a false Never was believed")
	}
	c.Never = nil
	if _, err := (Audit{}).Run(c, noise.Seeded(1)); err == nil {
		t.Error("leaks without Never were audited")
	}
	// The same without knowing the support: values seen on one side only.
	c.Events, c.Claim.Epsilon, c.Claim.Delta = Atoms, 1, 0.01
	if r := run(t, Audit{}, c, 2); r.Verdict != Above || r.Lower.Delta < 0.49 {
		t.Errorf("atoms: %+v", r)
	}
}
