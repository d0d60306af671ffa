package mechanism

import "math"

// AddClipped rounds a vector that is not negative onto the grid, in steps whose
// squared norm is at most most, and adds the steps to sums. norm > 0 bounds the
// vector before rounding, in its own unit. What is negative or NaN counts as
// zero, and a vector of infinite norm as an empty one; a stays as it is.
//
// Rounding is toward zero and the last word is an integer check, so that no
// claim rests on a floating-point operation: whatever a holds, the steps added
// are at least 0 and their squares sum to at most most (PROOF.md).
func AddClipped(sums []int64, a []float64, norm, grid float64, most int64) {
	var energy float64
	for _, v := range a {
		if v > 0 {
			energy += v * v
		}
	}
	if math.IsInf(energy, 0) {
		return
	}
	scale := 1 / grid
	if energy > norm*norm {
		scale *= norm / math.Sqrt(energy)
	}
	for squares(a, scale) > most {
		scale *= 1 - 0x1p-30
	}
	for i, v := range a {
		if v > 0 {
			sums[i] += int64(v * scale)
		}
	}
}

// squares is the integer squared norm of the rounded vector, and 2^62 for
// anything that would overflow.
func squares(a []float64, scale float64) int64 {
	var s int64
	for _, v := range a {
		if !(v > 0) {
			continue
		}
		z := int64(v * scale)
		if z < 0 || z > 1<<30 || s > 1<<61 {
			return 1 << 62
		}
		s += z * z
	}
	return s
}
