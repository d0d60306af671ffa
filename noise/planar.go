package noise

import (
	"fmt"
	"math"
)

// PlanarLaplace draws displacements on ℤ² with P(z) ∝ exp(−rate·‖z‖₂).
type PlanarLaplace struct{ rate float64 }

// NewPlanarLaplace takes the rate per grid step.
func NewPlanarLaplace(rate float64) (*PlanarLaplace, error) {
	if !(rate >= 0x1p-39 && rate <= math.MaxFloat64) {
		return nil, fmt.Errorf("noise: planar rate must be at least 2^-39 per grid step, got %v", rate)
	}
	return &PlanarLaplace{rate}, nil
}

// Rate returns the rate per grid step.
func (p *PlanarLaplace) Rate() float64 { return p.rate }

// Draw returns one displacement in grid steps.
func (p *PlanarLaplace) Draw(src *Source) (dx, dy int64) {
	r := (src.ExpFloat64() + src.ExpFloat64()) / p.rate
	sin, cos := math.Sincos(2 * math.Pi * src.Float64())
	return int64(math.RoundToEven(r * cos)), int64(math.RoundToEven(r * sin))
}
