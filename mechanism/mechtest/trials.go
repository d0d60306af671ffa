//go:build !slow

package mechtest

import (
	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/dp"
)

// trials per side: what half a claim and a twin take, within seconds. Audit at
// ε ≈ 1.
func trials(g dp.Guarantee) int { return min(audit.Enough(g), 150_000) }
