package mechanism

import (
	"math"

	"github.com/gazeward/gazeward/noise"
)

// scoreSteps is the grid of costs: sensitivity / 2^20. Flooring adds one step
// to the sensitivity, and 2^10 more cover the rounding of the costs themselves.
const scoreSteps = 1 << 20

// Exponential is the exponential mechanism (McSherry and Talwar 2007): it
// returns i with a probability proportional to exp(−ε·cost[i]/2Δ), where
// replacing one subject moves no cost by more than the sensitivity Δ > 0, in
// the unit of the costs. The choice is (ε, 0)-DP (PROOF.md): it is drawn by
// exact rejection with rational coins, no logarithm of a float. Costs more than
// 120Δ/ε above the least count as just that. Costs must be finite and computed
// to within Δ/2^12; epsilon beyond 2^20 counts
// as 2^20. It panics without costs, as [noise.Source.IntN] does.
func Exponential(cost []float64, epsilon, sensitivity float64, src *noise.Source) int {
	num, den := exponents(cost, epsilon, sensitivity)
	for {
		i := src.IntN(len(num))
		if src.BernoulliExp(num[i], den) {
			return i
		}
	}
}

// exponents are num[i]/den, a little below ε·(cost[i] − least)/2Δ: the law drawn from is exp(−num[i]/den), scaled to sum to one.
func exponents(cost []float64, epsilon, sensitivity float64) (num []uint64, den uint64) {
	least := math.Inf(1)
	for _, c := range cost {
		least = math.Min(least, c)
	}
	const divisor = 2 * (scoreSteps + 1<<10) << 20 // of ε in 2^-20, rounded down
	e := math.Floor(math.Min(epsilon, 1<<20) * (1 << 20))
	num = make([]uint64, len(cost))
	for i, c := range cost {
		steps := math.Floor((c - least) / sensitivity * scoreSteps)
		num[i] = uint64(math.Min(steps*e, 60*divisor))
	}
	return num, divisor
}
