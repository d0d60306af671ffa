package noise

import (
	"errors"
	"fmt"
	"math"
	"math/big"
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
	Eta  float64 `json:"eta"`  // realised P̂(z) lies in (1±Eta)·P(z) for every z that can occur
	Tail float64 `json:"tail"` // ideal mass that can never be drawn
}

// Sampler draws integers Z from one symmetric law on the integer grid. It is immutable and safe for concurrent use, each
// goroutine with a Source of its own. It takes milliseconds to build and 50 KB to keep.
type Sampler struct {
	layout
	law   Law
	scale float64
	ideal ideal
	table *table

	limit, bound uint32 // what the loop over wide words leaves to the slow path: see setBound
	// Of the 2^64 words that share out the rare cell, those below beyondTo mean a magnitude beyond the table, those from
	// zeroFrom to below zeroTo mean 0, and any other is too close to tell.
	beyondTo, zeroFrom, zeroTo uint64
	coarse                     uint // bits of the weights cleared, in tests
}

func checkScale(scale float64) error {
	if !(scale > 0 && scale <= MaxScale) {
		return fmt.Errorf("noise: scale must be in (0, 2^40] grid steps, got %v", scale)
	}
	return nil
}

func newSampler(law Law, scale float64, id ideal, lay layout) *Sampler {
	s := &Sampler{law: law, scale: scale, ideal: id, layout: lay}
	s.build()
	return s
}

// build fills the table and what the fast path needs to know.
func (s *Sampler) build() {
	m := s.ideal.masses(tableBits)
	var w [columns]weight
	left := weight{hi: 1 << (tableBits - 64)}
	for c, v := range m.cell {
		w[c] = toWeight(s.quantise(v))
		left = left.minus(w[c])
	}
	w[rareCell] = left
	s.table = newTable(w)
	if s.shift > 0 {
		s.setBound()
	}
	s.share(m, left.big())
}

// setBound finds the cells below limit, and of keep's coin the values of its first bits from bound on, for which keep never
// fails. The Gaussian gives up the cells far out, where it fails too often.
func (s *Sampler) setBound() {
	s.limit = uint32(s.cells)
	if s.law == Gaussian {
		s.limit = uint32(min(float64(s.cells), 3.5*s.scale/float64(s.width())))
	}
	fails := s.ideal.rejects(uint64(s.limit)) * (1 + 1e-9) // more than its rounding
	s.bound = uint32(min(1<<keepBits, math.Ceil(math.Ldexp(fails, keepBits))))
}

// share sets which words of the rare cell mean what.
func (s *Sampler) share(m masses, rest *big.Int) {
	part := func(n *big.Int, up int64) uint64 { // n/rest in units of 2^-64, rounded down, or up
		n = new(big.Int).Lsh(n, 64)
		n.Add(n, new(big.Int).Mul(new(big.Int).Sub(rest, big.NewInt(1)), big.NewInt(up)))
		if n.Quo(n, rest); n.IsUint64() {
			return n.Uint64()
		}
		return math.MaxUint64
	}
	s.beyondTo = part(m.beyond, 0)
	s.zeroFrom = part(new(big.Int).Add(m.beyond, big.NewInt(2)), 1)
	s.zeroTo = part(new(big.Int).Add(m.beyond, m.zero), 0)
}

// quantise rounds the mass of a cell down to a weight.
func (s *Sampler) quantise(mass *big.Int) *big.Int {
	return new(big.Int).Lsh(new(big.Int).Rsh(mass, s.coarse), s.coarse)
}

// Law returns the family.
func (s *Sampler) Law() Law { return s.law }

// Scale returns the scale, in grid steps: Laplace's scale, or the Gaussian's sigma before rounding.
func (s *Sampler) Scale() float64 { return s.scale }

// StdDev returns the standard deviation of the integer drawn, in grid steps.
func (s *Sampler) StdDev() float64 { return s.ideal.stdDev() }

// Divergence says how far the realised law is from the ideal one: not at all. Every comparison of random bits with a
// real threshold is decided by as many bits of both as it takes, so nothing is rounded; PROOF.md has the argument. (The bits
// themselves are AES in counter mode, so every guarantee is computational.)
func (s *Sampler) Divergence() Divergence { return Divergence{} }

// Draw returns one variate.
func (s *Sampler) Draw(src *Source) int64 {
	if s.shift == 0 {
		return s.narrow(src.Uint32(), src)
	}
	return s.wide(src.Uint64(), src)
}

// Add adds an independent variate to every element of dst. Sums wrap around at 2^63.
func (s *Sampler) Add(dst []int64, src *Source) {
	for len(dst) > 0 {
		var n int
		if s.shift == 0 {
			n = s.addNarrow(dst, src)
		} else {
			n = s.addWide(dst, src)
		}
		dst = dst[n:]
	}
}

// AddParallel does what Add does with several goroutines, each drawing from its own Split for its own stretch of dst. With
// a seeded source the result depends on the seed and on workers; fewer than one counts as one.
func (s *Sampler) AddParallel(dst []int64, src *Source, workers int) {
	workers = max(1, min(workers, len(dst)))
	var wg sync.WaitGroup
	for w := range workers {
		own, part := src.Split(), dst[w*len(dst)/workers:(w+1)*len(dst)/workers]
		wg.Go(func() { s.Add(part, own) })
	}
	wg.Wait()
}

// AddFloat sets dst[i] = float64(x[i]+Z)·g for a grid step g, a power of two. This is exact while |x[i]+Z| < 2^53; if
// it is not for some i, or dst and x differ in length, or g is not such a step, AddFloat fails and dst is zero.
func (s *Sampler) AddFloat(dst []float64, x []int64, g float64, src *Source) error {
	if err := s.addFloat(dst, x, g, src); err != nil {
		clear(dst)
		return err
	}
	return nil
}

func (s *Sampler) addFloat(dst []float64, x []int64, g float64, src *Source) error {
	if len(dst) != len(x) {
		return fmt.Errorf("noise: AddFloat needs slices of one length, got %d and %d", len(dst), len(x))
	}
	if f, e := math.Frexp(g); f != 0.5 || e < -1021+53 || e > 1024-53 {
		return fmt.Errorf("noise: the grid step must be a power of two in [2^-969, 2^970], got %v", g)
	}
	var scratch [1024]int64
	defer clear(scratch[:])
	for len(x) > 0 {
		part := scratch[:copy(scratch[:], x)]
		s.Add(part, src)
		for i, v := range part {
			if v <= -1<<53 || v >= 1<<53 {
				return errors.New("noise: a noisy value has more than 53 bits, so float64 cannot hold it on this grid")
			}
			dst[i] = float64(v) * g
		}
		dst, x = dst[len(part):], x[len(part):]
	}
	return nil
}
