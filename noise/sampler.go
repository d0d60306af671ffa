package noise

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// MaxScale is the largest scale, in grid steps, that a Sampler takes.
const MaxScale = 1 << 40

// Law names the family of a Sampler.
type Law uint8

// The laws. Scale is in grid steps.
const (
	Laplace  Law = iota // P(z) proportional to exp(-|z|/scale)
	Gaussian            // P(z) = Φ((z+½)/scale) − Φ((z−½)/scale), a rounded Gaussian
)

func (l Law) String() string { return [...]string{"Laplace", "Gaussian"}[l] }

// Divergence bounds how far the law that a Sampler realises is from the ideal one, so that a calibration can charge it.
type Divergence struct {
	Eta  float64 // realised P̂(z) lies in (1±Eta)·P(z) for every z that can occur
	Tail float64 // ideal mass that can never be drawn
}

// Sampler draws integers from one symmetric law on the integer grid. It is immutable and safe for concurrent use.
type Sampler struct {
	law   Law
	scale float64
}

func newSampler(law Law, scale float64) (*Sampler, error) {
	if !(scale > 0 && scale <= MaxScale) {
		return nil, fmt.Errorf("noise: scale must be in (0, 2^40] grid steps, got %v", scale)
	}
	return &Sampler{law: law, scale: scale}, nil
}

// NewLaplace returns a sampler of the discrete Laplace law P(z) ∝ exp(-|z|/scale).
func NewLaplace(scale float64) (*Sampler, error) { return newSampler(Laplace, scale) }

// NewGaussian returns a sampler of the rounded Gaussian law P(z) = Φ((z+½)/sigma) − Φ((z−½)/sigma).
func NewGaussian(sigma float64) (*Sampler, error) { return newSampler(Gaussian, sigma) }

// Law returns the family.
func (s *Sampler) Law() Law { return s.law }

// Scale returns the scale, in grid steps.
func (s *Sampler) Scale() float64 { return s.scale }

// StdDev returns the standard deviation, in grid steps.
func (s *Sampler) StdDev() float64 {
	if s.law == Gaussian {
		return math.Sqrt(s.scale*s.scale + 1./12)
	}
	return math.Exp(-0.5/s.scale) * math.Sqrt2 / -math.Expm1(-1/s.scale)
}

// Divergence says how far the realised law is from the ideal one.
func (s *Sampler) Divergence() Divergence { return Divergence{} }

// Draw returns one variate. (Interim: by floating point; the exact tables replace it.)
func (s *Sampler) Draw(src *Source) int64 {
	if s.law == Gaussian {
		return int64(math.RoundToEven(s.scale * src.NormFloat64()))
	}
	return int64(s.scale*src.ExpFloat64()) - int64(s.scale*src.ExpFloat64())
}

// Add adds a variate to every element of dst.
func (s *Sampler) Add(dst []int64, src *Source) {
	for i := range dst {
		dst[i] += s.Draw(src)
	}
}

// AddParallel does the same with several goroutines. The result depends on a seeded source and on workers only.
func (s *Sampler) AddParallel(dst []int64, src *Source, workers int) {
	workers = max(1, min(workers, len(dst)))
	var wg sync.WaitGroup
	for w := range workers {
		own, part := src.Split(), dst[w*len(dst)/workers:(w+1)*len(dst)/workers]
		wg.Go(func() { s.Add(part, own) })
	}
	wg.Wait()
}

// AddFloat sets dst[i] = float64(x[i]+Z)·g. It fails, leaving dst zero, unless every |x[i]+Z| is below 2^53.
func (s *Sampler) AddFloat(dst []float64, x []int64, g float64, src *Source) error {
	if len(dst) != len(x) {
		return fmt.Errorf("noise: AddFloat needs slices of one length, got %d and %d", len(dst), len(x))
	}
	for i := range x {
		v := x[i] + s.Draw(src)
		if v <= -1<<53 || v >= 1<<53 {
			clear(dst)
			return errors.New("noise: a noisy value needs more than 53 bits")
		}
		dst[i] = float64(v) * g
	}
	return nil
}
