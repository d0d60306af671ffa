package mechtest

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// The laws a plan may name.
const (
	gaussianLaw = "rounded gaussian"
	laplaceLaw  = "discrete laplace"
)

// enough values for a verdict: the variance of exponential tails takes 10⁵.
var enough = map[string]int{gaussianLaw: 40_000, laplaceLaw: 100_000}

// noiseOnly collects released values that are nothing but noise, and how many
// of them one release has.
func noiseOnly(spec mechanism.Spec) (values []float64, width int, p mechanism.Plan, err error) {
	m, err := build(spec)
	if err != nil {
		return nil, 0, p, err
	}
	p = m.Plan()
	if p.Noise.Law == "none" || spec.Suite.Zero == nil {
		return nil, 0, p, Skipped{"no release of this mechanism is nothing but noise"}
	}
	if enough[p.Noise.Law] == 0 {
		return nil, 0, p, fmt.Errorf("mechtest knows no law %q: teach it", p.Noise.Law)
	}
	draw, err := spec.Suite.Runner(m)
	if err != nil {
		return nil, 0, p, err
	}
	input, src := spec.Suite.Zero(m), noise.Seeded(0x1a)
	if input == nil {
		return nil, 0, p, Skipped{"no release of this mechanism is nothing but noise"}
	}
	for len(values) < enough[p.Noise.Law] {
		out, err := draw(input, src)
		if err != nil {
			return nil, 0, p, err
		}
		if len(out.Values) == 0 {
			return nil, 0, p, errors.New("a release without values")
		}
		values, width = append(values, out.Values...), len(out.Values)
	}
	return values, width, p, nil
}

// law: the noise has the stated law and scale, its values are independent, and
// the same test rejects 0.7 times the noise.
func law(spec mechanism.Spec) error {
	values, width, p, err := noiseOnly(spec)
	if err != nil {
		return err
	}
	if err := follow(values, p.Noise); err != nil {
		return err
	}
	for _, lag := range []int{1, width} {
		if r := correlation(values, lag, p.Noise.Sigma); math.Abs(r) > 6 {
			return fmt.Errorf("values %d apart are correlated: %.1f deviations", lag, r)
		}
	}
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = 0.7 * v
	}
	off := p.Noise
	off.Grid *= 0.7
	if follow(scaled, rescaled(off, 1)) == nil {
		return errors.New("the test does not tell 0.7 times the noise from all of it")
	}
	return nil
}

func rescaled(n mechanism.Noise, by float64) mechanism.Noise {
	n.Scale, n.Sigma = n.Scale*by, n.Sigma*by
	return n
}

// follow tests values against the law: its distribution function at a point
// drawn within each lattice step, which is uniform for a right law whatever
// its lattice, and its first two moments.
func follow(values []float64, n mechanism.Noise) error {
	src := noise.Seeded(0x2b)
	cdf := distribution(n)
	u := make([]float64, len(values))
	for i, v := range values {
		lo, hi := cdf(v-n.Grid), cdf(v)
		u[i] = lo + src.Float64()*(hi-lo)
	}
	if err := stattest.Kolmogorov(u, func(x float64) float64 { return x }); err != nil {
		return err
	}
	moments := stattest.NormalMoments(0, n.Sigma)
	if n.Law == laplaceLaw {
		moments = stattest.LaplaceMoments(0, n.Sigma/math.Sqrt2)
	}
	return moments.Check(values)
}

// distribution is P(X ≤ x) on the law's lattice.
func distribution(n mechanism.Noise) func(float64) float64 {
	if n.Law == laplaceLaw {
		// P(Z > z) = q^(z+1)/(1+q) for z ≥ 0, q = e^(−grid/scale).
		q := math.Exp(-n.Grid / n.Scale)
		return func(x float64) float64 {
			if x < -n.Grid/2 {
				return math.Exp(x/n.Scale) / (1 + q)
			}
			return 1 - q*math.Exp(-x/n.Scale)/(1+q)
		}
	}
	return func(x float64) float64 { return stattest.NormalCDF((x + n.Grid/2) / n.Scale) }
}

// correlation of values a lag apart, in standard deviations of its estimate.
func correlation(x []float64, lag int, sigma float64) float64 {
	if lag < 1 || lag >= len(x) {
		return 0
	}
	sum := 0.0
	for i := range len(x) - lag {
		sum += x[i] * x[i+lag]
	}
	return sum / (sigma * sigma * math.Sqrt(float64(len(x)-lag)))
}

// lattice: every released number is a multiple of the stated grid, up to the
// one rounding of a division by n.
func lattice(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	g := m.Plan().Noise.Grid
	if g == 0 {
		return Skipped{"no grid is stated"}
	}
	draw, err := spec.Suite.Runner(m)
	if err != nil {
		return err
	}
	src := noise.Seeded(0x3c)
	for name, input := range spec.Suite.Inputs(m) {
		out, err := draw(input, src)
		if err != nil {
			continue // oddInputs judges errors
		}
		for i, v := range out.Values {
			if off := math.Abs(v/g - math.Round(v/g)); off > 4*0x1p-53*math.Abs(v/g) {
				return fmt.Errorf("input %q: value %d is %v off the lattice of %v", name, i, off, g)
			}
			if math.Abs(v/g) > 1<<50 {
				return fmt.Errorf("input %q: value %d has too many grid steps to tell: %v", name, i, v/g)
			}
		}
	}
	return nil
}
