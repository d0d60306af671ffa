package noise

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

func lawOf(law Law, scale float64) stattest.Integer {
	if law == Laplace {
		return stattest.DiscreteLaplace(scale)
	}
	return stattest.RoundedGaussian(scale)
}

func draws(s *Sampler, n int, seed uint64) []int64 {
	x := make([]int64, n)
	s.Add(x, Seeded(seed))
	return x
}

// Every scale at which something changes, by the whole battery; 4 million draws of one narrow and one wide table.
func TestBattery(t *testing.T) {
	for _, scale := range []float64{0.3, 1, 8, 256, 1000, 1024, 1025, 1e5, 1 << 32, 1 << 40} {
		n := batteryLen
		if scale == 256 || scale == 1e5 {
			n *= 8
		}
		for _, s := range []*Sampler{laplaceSampler(t, scale), gaussianSampler(t, scale)} {
			t.Run(fmt.Sprintf("%v %g", s.law, scale), func(t *testing.T) {
				t.Parallel()
				if err := lawOf(s.law, scale).Battery(draws(s, n, 7)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Draw one by one is the same law.
func TestDraw(t *testing.T) {
	for _, s := range []*Sampler{laplaceSampler(t, 300), laplaceSampler(t, 3000), gaussianSampler(t, 3000)} {
		src, x := Seeded(8), make([]int64, 1<<20)
		for i := range x {
			x[i] = s.Draw(src)
		}
		if err := lawOf(s.law, s.scale).Battery(x); err != nil {
			t.Errorf("%v %v: %v", s.law, s.scale, err)
		}
	}
}

// Layouts that no public scale has, so that what is rare is common: few cells, beyond which a tenth to a half of the draws lie,
// and cells as wide as the scale, whose low parts are often refused.
var oddLayouts = []struct {
	law   Law
	scale float64
	lay   layout
}{
	{Laplace, 3, layout{cells: 5}},
	{Laplace, 3, layout{cells: 2}},
	{Laplace, 20, layout{cells: 12, shift: 2}},
	{Laplace, 6, layout{cells: 3, shift: 3}},
	{Gaussian, 3, layout{cells: 5}},
	{Gaussian, 0.7, layout{cells: 1}},
	{Gaussian, 20, layout{cells: 10, shift: 2}},
	{Gaussian, 10, layout{cells: 2, shift: 3}},
	{Gaussian, 700, layout{cells: 20, shift: 5}},
}

func TestOddLayouts(t *testing.T) {
	for _, o := range oddLayouts {
		t.Run(fmt.Sprintf("%v %g %+v", o.law, o.scale, o.lay), func(t *testing.T) {
			t.Parallel()
			s := odd(o.law, o.scale, o.lay, 0)
			if err := lawOf(o.law, o.scale).Battery(draws(s, 1<<19, 9)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Weights of 5 bits instead of 95: what cells fall short of their probability is then not a rest of 2^-93 but a tenth of all, and
// exactRare has to share it out right.
func TestCoarseWeights(t *testing.T) {
	for _, lay := range []layout{{cells: 6}, {cells: 4, shift: 1}} {
		const n, scale = 30_000, 3
		s := odd(Laplace, scale, lay, tableBits-5)
		src := Seeded(10)
		counts, probs := make([]int64, 41), make([]float64, 41)
		for range n {
			counts[20+max(-20, min(20, s.Draw(src)))]++
		}
		law := lawOf(Laplace, scale)
		left := 1.0
		for i := 1; i < 40; i++ {
			z := int64(i - 20)
			if z > 0 {
				z = -z
			}
			probs[i] = law.CDF(z) - law.CDF(z-1)
			if z == 0 {
				probs[i] = 1 - 2*law.CDF(-1)
			}
			left -= probs[i]
		}
		probs[0], probs[40] = left/2, left/2
		if err := stattest.Fit(counts, probs); err != nil {
			t.Errorf("%+v: %v", lay, err)
		}
	}
}

// The loops and the slow path give one answer for one word.
func TestLoopsAgreeWithSlowPath(t *testing.T) {
	for _, s := range []*Sampler{
		laplaceSampler(t, 0.3), laplaceSampler(t, 900), gaussianSampler(t, 900),
		laplaceSampler(t, 1e4), gaussianSampler(t, 1e4), laplaceSampler(t, 1<<40), gaussianSampler(t, 1<<40),
	} {
		slow, words := 0, 0
		for seed := range uint64(200) {
			src, again := Seeded(seed), Seeded(seed)
			got := make([]int64, wideLen)
			src.load(blockBytes)
			again.load(blockBytes)
			word := func(i int) int64 { return s.narrow(binary.LittleEndian.Uint32(again.block[4*i:]), again) }
			if s.shift == 0 {
				narrowLoop(s.table, got, src)
			} else {
				s.wideLoop(got, src)
				word = func(i int) int64 { return s.wide(binary.LittleEndian.Uint64(again.block[8*i:]), again) }
			}
			left := src.late.places()
			slow, words = slow+len(left), words+len(got)
			for i, z := range got {
				if len(left) > 0 && int(left[0]) == i {
					left = left[1:]
					if z != 0 {
						t.Fatalf("%v %v: a slow word gave %d in the loop", s.law, s.scale, z)
					}
					continue
				}
				if w := word(i); w != z {
					t.Fatalf("%v %v: word %d gives %d in the loop, %d on the slow path", s.law, s.scale, i, z, w)
				}
			}
		}
		if share := float64(slow) / float64(words); share > 0.03 {
			t.Errorf("%v %v: %.3f of the words are slow", s.law, s.scale, share)
		}
	}
}
