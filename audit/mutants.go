package audit

import (
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// Mutant is a mechanism with a fault as they are really made, beside its right
// twin: an audit that is worth anything flags Wrong and not Right.
type Mutant struct {
	Name         string
	Right, Wrong Case
}

// Mutants makes the suite of faults.
func Mutants() ([]Mutant, error) {
	var all []Mutant
	for _, make := range []func() (Mutant, error){scaled, offByOne, sign, floats, unrounded, coarse, unary, rare} {
		m, err := make()
		if err != nil {
			return nil, err
		}
		m.Right.Mechanism, m.Wrong.Mechanism = m.Name+" (right twin)", m.Name
		all = append(all, m)
	}
	return all, nil
}

const lattice = 1 << 10 // grid steps per sensitivity

// shifted adds lattice noise: A has 0, B has by steps more.
func shifted(s *noise.Sampler, by int64, scale float64) Draw {
	return func(side bool, src *noise.Source) (float64, error) {
		x := s.Draw(src)
		if side {
			x += by
		}
		return float64(x) * scale, nil
	}
}

// laplaceCase is tight ε-DP Laplace noise times a factor.
func laplaceCase(eps, factor float64) (Case, error) {
	s, err := noise.NewLaplace(factor * lattice / eps)
	return Case{
		Mechanism: "laplace", Claim: dp.Guarantee{Measure: dp.Pure, Epsilon: eps},
		Draw: shifted(s, lattice, 0x1p-10), Grid: 0x1p-10,
	}, err
}

// scaled has 0.7 times the noise.
func scaled() (Mutant, error) {
	right, err := laplaceCase(1, 1)
	if err != nil {
		return Mutant{}, err
	}
	wrong, err := laplaceCase(1, 0.7)
	return Mutant{"0.7 times the noise", right, wrong}, err
}

func pure(eps float64, events Events, draw Draw) Case {
	return Case{Claim: dp.Guarantee{Measure: dp.Pure, Epsilon: eps}, Draw: draw, Events: events, Grid: 1}
}

// offByOne counts 3 cells that a person may touch as 2.
func offByOne() (Mutant, error) {
	right, err := noise.NewLaplace(3 * lattice)
	if err != nil {
		return Mutant{}, err
	}
	wrong, err := noise.NewLaplace(2 * lattice)
	return Mutant{"sensitivity off by one", pure(1, Thresholds, shifted(right, 3*lattice, 1)), pure(1, Thresholds, shifted(wrong, 3*lattice, 1))}, err
}

// sign uses one coin for the signs of two coordinates of Laplace noise. The
// statistic is the product of the outputs, negative where the signs differ.
func sign() (Mutant, error) {
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
	return Mutant{"sign reused", pure(1, Thresholds, draw(false)), pure(1, Thresholds, draw(true))}, nil
}

// floats is textbook Laplace noise by inversion in float64 (Mironov 2012)
// against the lattice.
func floats() (Mutant, error) {
	right, err := laplaceCase(1, 1)
	right.Events = LowBits
	return Mutant{"inverse-CDF Laplace in float64", right, pure(1, LowBits, func(side bool, src *noise.Source) (float64, error) {
		u := src.Float64() - 0.5
		z := -math.Copysign(math.Log(1-2*math.Abs(u)), u)
		if side {
			z++
		}
		return z, nil
	})}, err
}

// unrounded adds lattice noise to a contribution that was never rounded.
func unrounded() (Mutant, error) {
	s, err := noise.NewLaplace(lattice)
	draw := func(x int64, rest float64) Draw {
		return func(side bool, src *noise.Source) (float64, error) {
			z := float64(s.Draw(src))
			if side {
				z += float64(x) + rest
			}
			return z, nil
		}
	}
	return Mutant{"contribution off the lattice", pure(1, LowBits, draw(700, 0)), pure(1, LowBits, draw(700, 0.3))}, err
}

// coarse noise: the lattice of the noise is four times that of the contributions.
func coarse() (Mutant, error) {
	fine, err := noise.NewLaplace(lattice)
	if err != nil {
		return Mutant{}, err
	}
	rough, err := noise.NewLaplace(lattice / 4)
	draw := func(s *noise.Sampler, step int64) Draw {
		return func(side bool, src *noise.Source) (float64, error) {
			z := step * s.Draw(src)
			if side {
				z += 701
			}
			return float64(z), nil
		}
	}
	return Mutant{"noise coarser than contributions", pure(1, LowBits, draw(fine, 1)), pure(1, LowBits, draw(rough, 4))}, err
}

// unary encoding of 8 values: true bit kept with ½, others set with 1/(e+1).
// The mutant's loop ends one bit early and sends the last one as it is.
func unary() (Mutant, error) {
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
	return Mutant{"unary encoding one bit short", pure(1, Atoms, draw(d)), pure(1, Atoms, draw(d-1))}, nil
}

// rare publishes one person in two hundred as they are.
func rare() (Mutant, error) {
	s, err := noise.NewGaussian(lattice / 0.2)
	right := Case{
		Claim: dp.Guarantee{Measure: dp.Approximate, Epsilon: dp.GaussianEpsilon(0.2, 1e-5), Delta: 1e-5},
		Draw:  shifted(s, lattice, 0x1p-10), Grid: 0x1p-10, Events: Atoms,
	}
	wrong := right
	wrong.Draw = func(side bool, src *noise.Source) (float64, error) {
		if !src.Bernoulli(1, 200) {
			return right.Draw(side, src)
		}
		return map[bool]float64{false: -12345, true: 12345}[side], nil
	}
	return Mutant{"one in two hundred in the clear", right, wrong}, err
}
