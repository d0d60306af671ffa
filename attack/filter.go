package attack

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/signal"
)

// Filter takes noise out of a released series of equal steps, knowing the law
// of the noise but not the series: what is slow survives in gaze, and noise
// that is not as slow does not.
type Filter interface {
	// Apply returns the filtered series; released is kept.
	Apply(released []float64) ([]float64, error)
	// Name is the filter's name in results.
	Name() string
}

// MovingAverage replaces every value by the mean of those at most Half steps
// away.
type MovingAverage struct{ Half int }

// Name implements [Filter].
func (f MovingAverage) Name() string { return fmt.Sprintf("moving average of %d", 2*f.Half+1) }

// Apply implements [Filter].
func (f MovingAverage) Apply(x []float64) ([]float64, error) {
	if f.Half < 0 {
		return nil, fmt.Errorf("attack: a moving average needs a width that is not negative, got %d", f.Half)
	}
	out := make([]float64, len(x))
	sum, lo, hi := 0.0, 0, 0
	for i := range x {
		for ; hi < len(x) && hi <= i+f.Half; hi++ {
			sum += x[hi]
		}
		for ; lo < i-f.Half; lo++ {
			sum -= x[lo]
		}
		out[i] = sum / float64(hi-lo)
	}
	return out, nil
}

// Wiener weighs every frequency by the share of the series in it: the power of
// the release, smoothed over neighbouring frequencies, less the known power of
// the noise. Gaze and its features vary slowly: the series' power is taken not
// to grow with frequency.
type Wiener struct {
	// Noise is the expected |DFT|² of the noise at frequencies 0 … n/2 of the
	// unnormalised transform, for example from [NoisePower]; one number stands
	// for white noise: its variance.
	Noise []float64
}

// Name implements [Filter].
func (f Wiener) Name() string { return "Wiener" }

// Apply implements [Filter].
func (f Wiener) Apply(x []float64) ([]float64, error) {
	if len(x) < 2 {
		return nil, errors.New("attack: a filter needs two values")
	}
	dft := signal.NewDFT(len(x))
	if len(f.Noise) != 1 && len(f.Noise) != dft.Bins() {
		return nil, fmt.Errorf("attack: a Wiener filter of %d values needs the noise at %d frequencies or one variance, got %d numbers", len(x), dft.Bins(), len(f.Noise))
	}
	c := dft.Coefficients(make([]complex128, dft.Bins()), x)
	excess := make([]float64, len(c)) // power less the noise's
	for j, v := range c {
		excess[j] = real(v)*real(v) + imag(v)*imag(v) - f.at(j, len(x))
	}
	least := math.Inf(1)
	for j := range c {
		s := smoothed(excess, j)
		if j > 0 { // the mean says nothing about the rest
			least = math.Min(least, s)
			s = least
		}
		g := 1.0
		if n := f.at(j, len(x)); n > 0 {
			g = math.Max(0, s) / (math.Max(0, s) + n)
		}
		c[j] *= complex(g, 0)
	}
	return dft.Sequence(make([]float64, len(x)), c), nil
}

// at is the noise's power at a frequency.
func (f Wiener) at(j, n int) float64 {
	if len(f.Noise) == 1 {
		return f.Noise[0] * float64(n)
	}
	return f.Noise[j]
}

// smoothed is the mean over frequencies within a quarter of j, and the next on
// both sides at least; the mean of the series stands alone.
func smoothed(power []float64, j int) float64 {
	if j == 0 {
		return power[0]
	}
	reach := max(1, j/4)
	lo, hi := max(1, j-reach), min(len(power)-1, j+reach)
	sum := 0.0
	for _, v := range power[lo : hi+1] {
		sum += v
	}
	return sum / float64(hi-lo+1)
}

// NoisePower estimates the expected |DFT|² of a mechanism's noise, correlated
// as it may be, from its releases of the series that is zero everywhere: what
// anybody can draw who knows the mechanism.
func NoisePower(n, draws int, release func(zero []float64, src *noise.Source) ([]float64, error), src *noise.Source) ([]float64, error) {
	if n < 2 || draws < 1 {
		return nil, fmt.Errorf("attack: the noise of %d values cannot be told from %d draws", n, draws)
	}
	dft := signal.NewDFT(n)
	power, c := make([]float64, dft.Bins()), make([]complex128, dft.Bins())
	for range draws {
		r, err := release(make([]float64, n), src)
		if err != nil {
			return nil, fmt.Errorf("attack: release: %w", err)
		}
		if len(r) != n {
			return nil, fmt.Errorf("attack: a release of %d values for %d", len(r), n)
		}
		for j, v := range dft.Coefficients(c, r) {
			power[j] += (real(v)*real(v) + imag(v)*imag(v)) / float64(draws)
		}
	}
	return power, nil
}

// Reconstruction is how much nearer a filter comes to the truth.
type Reconstruction struct {
	Filter    string  `json:"filter"`
	Before    float64 `json:"rmse_before"` // root mean square error of the release
	After     float64 `json:"rmse_after"`  // of the filtered release
	Reduction float64 `json:"reduction"`   // 1 − After²/Before²: the share of the noise's power that is gone
	Blind     float64 `json:"rmse_blind"`  // of the series' own mean, for scale: After above it is no reconstruction
}

// Reconstruct filters released series and compares them with the truth, which
// the attacker does not see.
func Reconstruct(f Filter, truth, released [][]float64) (*Reconstruction, error) {
	if len(truth) == 0 || len(truth) != len(released) {
		return nil, fmt.Errorf("attack: %d series and %d releases", len(truth), len(released))
	}
	r := &Reconstruction{Filter: f.Name()}
	n := 0.0
	for i, x := range truth {
		if len(x) != len(released[i]) || len(x) == 0 {
			return nil, fmt.Errorf("attack: series %d has %d values, its release %d", i, len(x), len(released[i]))
		}
		found, err := f.Apply(released[i])
		if err != nil {
			return nil, err
		}
		mean := 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for t, v := range x {
			r.Before += square(released[i][t] - v)
			r.After += square(found[t] - v)
			r.Blind += square(mean - v)
		}
		n += float64(len(x))
	}
	if r.Before > 0 {
		r.Reduction = 1 - r.After/r.Before
	}
	r.Before, r.After, r.Blind = math.Sqrt(r.Before/n), math.Sqrt(r.After/n), math.Sqrt(r.Blind/n)
	return r, nil
}

func square(v float64) float64 { return v * v }
