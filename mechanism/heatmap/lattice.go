package heatmap

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Bounds on the realised noise table that calibration charges in advance; a
// sampler that says more of itself is refused (PROOFS B.12). The samplers are
// exact (noise/PROOF.md), so that nothing is charged, and the Gaussians compose
// by μ² with nothing left out.
const (
	tableEta  = 0
	tableTail = 0
)

// maxSteps keeps every scale well inside the sampler's range and sums of
// contributions plus noise far below 2^53.
const maxSteps = 1 << 36

// step is the grid of contributions: a power of two, 2^20 to 2^21 steps in the
// bound (PROOFS C1), coarser only where the noise would leave the sampler's
// range, and never fewer than 2^10.
func step(bound, scale float64) float64 {
	g := math.Exp2(math.Floor(math.Log2(bound)) - 20)
	for scale/g > maxSteps && bound/g >= 1<<11 {
		g *= 2
	}
	return g
}

// table is what calibration charges for p draws of Gaussian noise.
func table(p int) calibrate.Table { return calibrate.Table{Draws: p, Eta: tableEta, Tail: tableTail} }

var errTable = errors.New("heatmap: the sampler's table is worse than was charged for; nothing was drawn")

// parts is how many streams of noise a vector gets: fixed by its length, so
// that a seeded release is the same on every machine.
func parts(n int) int { return min(max(n>>16, 1), 16) }

// addNoise adds the sampler's noise to every sum, in parallel.
func addNoise(sums []int64, s *noise.Sampler, src *noise.Source) error {
	d := s.Divergence()
	if d.Eta > tableEta || d.Tail > tableTail || (s.Law() == noise.Laplace && d.Tail > 0) {
		return errTable
	}
	if n := parts(len(sums)); n > 1 {
		s.AddParallel(sums, src, n)
	} else {
		s.Add(sums, src)
	}
	return nil
}

// prepared is what a mechanism computes from its parameters once, however
// often it then draws: noise tables take milliseconds to build.
type prepared struct {
	plan    mechanism.Plan
	sampler *noise.Sampler
}

// noisy turns integer sums into the noisy mean of n subjects.
func (p *prepared) noisy(sums []int64, g float64, n int, src *noise.Source) ([]float64, error) {
	if err := addNoise(sums, p.sampler, src); err != nil {
		return nil, err
	}
	return toFloat(sums, g, n)
}

// toFloat turns noisy integer sums into means: z·g/n. The integers must be
// exact in float64, else the low bits would say more than the noise hides.
func toFloat(sums []int64, g float64, n int) ([]float64, error) {
	out := make([]float64, len(sums))
	for i, z := range sums {
		if z <= -1<<53 || z >= 1<<53 {
			return nil, fmt.Errorf("heatmap: a noisy sum exceeds 2^53 grid steps: the cap is too large for its grid")
		}
		out[i] = float64(z) * g / float64(n)
	}
	return out, nil
}
