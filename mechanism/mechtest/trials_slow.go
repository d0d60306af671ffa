//go:build slow

package mechtest

import "github.com/gazeward/gazeward/dp"

// trials per side.
func trials(dp.Guarantee) int { return 1_000_000 }
