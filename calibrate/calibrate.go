// Package calibrate turns a guarantee and a sensitivity into a noise scale.
//
// Everything rounds against us: scales up, and what the realised noise table
// differs from its ideal law is charged to ε and δ before the scale is chosen
// (see [Table]). Scales and sensitivities share one unit, whatever it is.
package calibrate

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
)

// Laplace returns the scale b of Laplace noise that makes a query with L1
// sensitivity l1 purely epsilon-DP: b = l1/ε, rounded up.
func Laplace(epsilon, l1 float64) (float64, error) {
	if err := positive("epsilon", epsilon); err != nil {
		return 0, err
	}
	if err := positive("L1 sensitivity", l1); err != nil {
		return 0, err
	}
	return dp.RoundUp(l1 / epsilon), nil
}

// Gaussian returns the smallest standard deviation of Gaussian noise that
// makes a query with L2 sensitivity l2 (epsilon, delta)-DP: the analytic
// calibration of Balle and Wang 2018, valid for every epsilon > 0.
func Gaussian(epsilon, delta, l2 float64) (float64, error) {
	if err := checkGaussian(epsilon, delta, l2); err != nil {
		return 0, err
	}
	mu := dp.GaussianMu(epsilon, delta)
	if mu <= 0 {
		return 0, fmt.Errorf("calibrate: no finite noise reaches epsilon %v, delta %v", epsilon, delta)
	}
	return dp.RoundUp(l2 / mu), nil
}

// GaussianLiu returns the standard deviation of Liu et al. 2019, Theorem 3.4:
//
//	σ = (Δ₂ √2 / ε) √(ε/2 + ln(1/δ))
//
// It is valid for every epsilon > 0 (PROOFS C2) and 14–33 % above [Gaussian].
func GaussianLiu(epsilon, delta, l2 float64) (float64, error) {
	if err := checkGaussian(epsilon, delta, l2); err != nil {
		return 0, err
	}
	return l2 * math.Sqrt2 / epsilon * math.Sqrt(epsilon/2+math.Log(1/delta)), nil
}

func checkGaussian(epsilon, delta, l2 float64) error {
	if err := positive("epsilon", epsilon); err != nil {
		return err
	}
	if !(delta > 0 && delta < 1) {
		return fmt.Errorf("calibrate: delta must lie between 0 and 1, got %v", delta)
	}
	return positive("L2 sensitivity", l2)
}

func positive(what string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("calibrate: %s must be positive and finite, got %v", what, v)
	}
	return nil
}

// Table says how far a realised noise law lies from its ideal one over a
// whole release: Draws independent draws, each with P̂(z) ∈ (1±Eta)·P(z), and
// Tail ideal mass that is never drawn.
type Table struct {
	Draws int
	Eta   float64
	Tail  float64
}

// ErrTable is returned when the table's error alone uses up the guarantee.
var ErrTable = errors.New("calibrate: the noise table's error exceeds the guarantee")

// Charge returns the (epsilon, delta) that is left for the ideal mechanism
// once the realised table has taken its share (PROOFS B.12): p·ln((1+η)/(1−η))
// of epsilon, the factor (1+η)^p and p·τ of delta. A pure guarantee (delta 0)
// needs a table without a cut tail.
func (t Table) Charge(epsilon, delta float64) (float64, float64, error) {
	p := float64(t.Draws)
	if !(t.Eta >= 0 && t.Eta < 0.5) || t.Tail < 0 || t.Draws < 0 {
		return 0, 0, ErrTable
	}
	left := epsilon - p*(math.Log1p(t.Eta)-math.Log1p(-t.Eta))
	if !(left > 0) {
		return 0, 0, ErrTable
	}
	if delta == 0 {
		if t.Tail > 0 {
			return 0, 0, ErrTable
		}
		return left, 0, nil
	}
	leftDelta := (delta - p*t.Tail) * math.Exp(-p*math.Log1p(t.Eta))
	if !(leftDelta > 0) {
		return 0, 0, ErrTable
	}
	return left, leftDelta, nil
}
