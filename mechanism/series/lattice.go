package series

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// Coordinates are integers on a lattice whose step is chosen so that the noise
// has one scale in steps, whatever ε and the signals are: one table of noise
// serves every release. Contributions then have this many steps per ε (or μ),
// which is far finer than the noise. The step is a public real number;
// multiplying by it is post-processing.
const (
	laplaceScale  = 1 << 38
	gaussianScale = 1 << 36
)

// coarsest is the least number of steps in a radius per coordinate: rounding
// is then below a percent of the contribution, and far below the noise.
const coarsest = 64

var laplaceNoise = sync.OnceValues(func() (*noise.Sampler, error) { return noise.NewLaplace(laplaceScale) })
var gaussianNoise = sync.OnceValues(func() (*noise.Sampler, error) { return noise.NewGaussian(gaussianScale) })

var errTable = errors.New("series: the sampler's table is not exact; nothing was drawn")

// checked refuses a sampler that admits to more than was charged: nothing.
func checked(s *noise.Sampler, err error) (*noise.Sampler, error) {
	if err == nil && s.Divergence() != (noise.Divergence{}) {
		err = errTable
	}
	return s, err
}

// laplaceSteps is the integer L1 radius whose replacement costs at most
// epsilon: 2R/b ≤ ε.
func laplaceSteps(epsilon float64) int64 { return int64(epsilon * (1 - 1e-9) * (laplaceScale / 2)) }

// gaussianSteps is the integer L2 radius with 2R/σ ≤ mu.
func gaussianSteps(mu float64) int64 { return int64(mu * (1 - 1e-9) * (gaussianScale / 2)) }

// stepFor is the step that fits a real radius into an integer one with room
// for the rounding of m coordinates (L1: half a step each) and for that of the
// transforms, which is far below a step.
func stepFor(radius float64, steps int64, rounding float64) (float64, error) {
	if !(float64(steps) >= coarsest*(rounding+1)) {
		return 0, fmt.Errorf("series: epsilon is too small for this many coordinates: choose fewer coefficients, signals or chunks, or a larger epsilon")
	}
	return radius / (float64(steps) - rounding - 1), nil
}

// toLattice rounds y/step to integers of at most 2^52. Whatever is no number
// counts as zero.
func toLattice(dst []int64, y []float64, step float64) {
	for i, v := range y {
		z := math.RoundToEven(v / step)
		if math.IsNaN(z) {
			z = 0
		}
		dst[i] = int64(math.Max(-1<<52, math.Min(1<<52, z)))
	}
}

// clipL1 shrinks z toward zero until Σ|z| ≤ r, in integers.
func clipL1(z []int64, r int64) {
	for {
		var hi, sum uint64
		for _, v := range z {
			var carry uint64
			sum, carry = bits.Add64(sum, magnitude(v), 0)
			hi += carry
		}
		if hi == 0 && sum <= uint64(r) {
			return
		}
		shrink(z, float64(r)/(float64(hi)*0x1p64+float64(sum)))
	}
}

// clipL2 shrinks z toward zero until Σz² ≤ r², in integers of 128 bits.
func clipL2(z []int64, r int64) {
	for {
		hi, lo := squares(z)
		top, bottom := bits.Mul64(uint64(r), uint64(r))
		if hi < top || hi == top && lo <= bottom {
			return
		}
		shrink(z, math.Sqrt((float64(top)*0x1p64+float64(bottom))/(float64(hi)*0x1p64+float64(lo))))
	}
}

// squares is Σz² in 128 bits, or the largest such number where it is larger.
func squares(z []int64) (hi, lo uint64) {
	for _, v := range z {
		m := magnitude(v)
		h, l := bits.Mul64(m, m)
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		if hi, carry = bits.Add64(hi, h, carry); carry != 0 {
			return math.MaxUint64, math.MaxUint64
		}
	}
	return hi, lo
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

// shrink multiplies by a factor a little below f ≤ 1, toward zero.
func shrink(z []int64, f float64) {
	f = math.Min(f, 1) * (1 - 0x1p-30)
	for i, v := range z {
		z[i] = int64(float64(v) * f)
	}
}
