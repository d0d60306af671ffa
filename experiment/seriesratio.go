package experiment

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// GaussianRatio compares the noise of one Gaussian with that of the best
// chunked Laplace mechanism, at one (ε, δ) for a whole recording: measured on
// releases of signals in the middle of their bounds, which are nothing but
// noise.
type GaussianRatio struct {
	Features, Windows, Chunk, Coefficients int
	Epsilon, Delta                         float64
	Draws                                  int
	Seed                                   uint64
}

// StandardRatio is the comparison of MECHANISMS §4: 48 features × 38 chunks,
// k = 5.
var StandardRatio = GaussianRatio{Features: 48, Windows: 1200, Chunk: 32, Coefficients: 5, Epsilon: 1, Delta: 1e-5, Draws: 20, Seed: 1}

// RatioResult is squared errors per value in shares of the range, and their
// ratios to that of the Gaussian.
type RatioResult struct {
	Gaussian float64 `json:"gaussian"`
	// Added: the ε of all signals and chunks add up to ε.
	Added      float64 `json:"added"`
	AddedRatio float64 `json:"added_ratio"`
	AddedBy    string  `json:"added_by"` // the best Laplace mechanism
	// Composed: they are composed under (ε, δ) by zero-concentrated DP.
	Composed      float64 `json:"composed"`
	ComposedRatio float64 `json:"composed_ratio"`
	ComposedBy    string  `json:"composed_by"`
	Setting       string  `json:"setting"`
}

// Run measures both ratios.
func (e GaussianRatio) Run() (r RatioResult, err error) {
	cut := series.Cut{Features: e.Features, Length: e.Windows, Chunk: e.Chunk, Unit: dp.Recording}
	unit := []series.Bounds{{Lo: -0.5, Hi: 0.5}}
	src := noise.Seeded(e.Seed)
	r.Setting = fmt.Sprintf("(%g, %g)-DP per recording of %d windows × %d signals, chunks of %d, k = %d", e.Epsilon, e.Delta, e.Windows, e.Features, e.Chunk, e.Coefficients)
	g := series.Gaussian{Epsilon: e.Epsilon, Delta: e.Delta, Cut: cut, Bounds: unit, Coefficients: e.Coefficients}
	if r.Gaussian, err = e.noiseOf(g, src); err != nil {
		return r, err
	}
	items := float64(e.Features * ((e.Windows + e.Chunk - 1) / e.Chunk))
	composed := items * math.Sqrt(2*dp.ZCDPRho(e.Epsilon, e.Delta)/items) // ρ of a pure ε is ε²/2
	r.Added, r.Composed = math.Inf(1), math.Inf(1)
	for _, method := range []series.Method{series.CFPA, series.DCFPA} {
		m := series.Laplace{Method: method, Epsilon: e.Epsilon, Cut: cut, Bounds: unit, Coefficients: e.Coefficients}
		v, err := e.noiseOf(m, src)
		if err != nil {
			return r, err
		}
		if v < r.Added {
			r.Added, r.AddedBy = v, method.String()
		}
		m.Epsilon = composed
		if v, err = e.noiseOf(m, src); err != nil {
			return r, err
		}
		if v < r.Composed {
			r.Composed, r.ComposedBy = v, method.String()
		}
	}
	r.AddedRatio, r.ComposedRatio = r.Added/r.Gaussian, r.Composed/r.Gaussian
	return r, nil
}

// noiseOf is the mean squared value of releases of zero signals.
func (e GaussianRatio) noiseOf(m interface {
	Prepare([]series.Signals) (*series.Prepared, error)
}, src *noise.Source) (float64, error) {
	zero := series.Signals{Subject: "one"}
	for range e.Features {
		zero.Values = append(zero.Values, make([]float64, e.Windows))
	}
	p, err := m.Prepare([]series.Signals{zero})
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for range e.Draws {
		r, err := p.Draw(src)
		if err != nil {
			return 0, err
		}
		for _, signal := range r.Recordings[0].Values {
			for _, v := range signal {
				sum += v * v
			}
		}
	}
	return sum / float64(e.Draws*e.Features*e.Windows), nil
}
