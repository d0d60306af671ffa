package noise

import (
	"bytes"
	"crypto/cipher"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

// The words of a seed are the same on every platform and in every version: experiments are repeated by their seeds.
func TestSeededGolden(t *testing.T) {
	s := Seeded(1)
	got := []uint64{s.Uint64(), s.Uint64(), uint64(s.Uint32()), uint64(s.IntN(1000)), s.Split().Uint64(), s.Uint64()}
	want := goldenWords
	if !slices.Equal(got, want) {
		t.Errorf("Seeded(1) gives %#v", got)
	}
	perm := Seeded(2).Perm(8)
	if !slices.Equal(perm, goldenPerm) {
		t.Errorf("Seeded(2).Perm(8) = %v", perm)
	}
	if x := Seeded(3).Float64(); x != goldenFloat {
		t.Errorf("Seeded(3).Float64() = %v", x)
	}
}

func TestSourcesDiffer(t *testing.T) {
	streams := map[string]*Source{
		"secure": Secure(), "secure again": Secure(), "secure split": Secure().Split(),
		"seeded 0": Seeded(0), "seeded 1": Seeded(1), "seeded 2^32": Seeded(1 << 32),
		"split": Seeded(1).Split(), "split of split": Seeded(1).Split().Split(),
	}
	parent := Seeded(3)
	parent.Split()
	streams["second split"], streams["parent after splits"] = parent.Split(), parent
	seen := map[uint64]string{}
	for name, s := range streams {
		if s.Seeded() == (strings.HasPrefix(name, "secure")) {
			t.Errorf("%s: Seeded() = %v", name, s.Seeded())
		}
		for range 1000 {
			w := s.Uint64()
			if other, ok := seen[w]; ok {
				t.Fatalf("%s gives a word that %s gave", name, other)
			}
			seen[w] = name
		}
	}
}

// Whatever way words are taken, none is given twice, and none is left in the buffers.
func TestWordsAreGivenOnceAndWiped(t *testing.T) {
	s := Seeded(4)
	seen := map[uint64]bool{}
	note := func(ws ...uint64) {
		for _, w := range ws {
			if seen[w] {
				t.Fatal("a word came twice")
			}
			seen[w] = true
		}
	}
	for i := range 300 {
		many := make([]uint64, i*17%2500)
		s.Fill(many)
		note(many...)
		note(s.Uint64())
		if _, err := s.Read(make([]byte, i%40)); err != nil {
			t.Fatal(err)
		}
		note(s.Uint64())
	}
	if slices.ContainsFunc(s.words[:s.pos], func(b byte) bool { return b != 0 }) || s.block != [blockBytes]byte{} {
		t.Error("drawn words are still in the buffers")
	}
}

func TestSecureRekeys(t *testing.T) {
	s := Secure()
	before := s.stream
	s.left = wordBytes
	s.Uint64()
	if s.stream != before {
		t.Error("a new key before its time")
	}
	for range wordBytes / 8 {
		s.Uint64()
	}
	if s.stream == before || s.left != rekeyAfter-wordBytes {
		t.Error("no new key after the last byte of the old one")
	}
	seeded := Seeded(1)
	was := seeded.stream
	seeded.left = 0
	seeded.Uint64()
	if seeded.stream != cipher.Stream(was) {
		t.Error("a seeded source changed its key")
	}
}

func TestRead(t *testing.T) {
	a, b := make([]byte, 1000), make([]byte, 1000)
	if n, err := Secure().Read(a); n != len(a) || err != nil {
		t.Errorf("Read = %d, %v", n, err)
	}
	_, _ = Secure().Read(b)
	if bytes.Equal(a, b) || bytes.Contains(a, make([]byte, 8)) {
		t.Error("Read does not give random bytes")
	}
	one, two := Seeded(5), Seeded(5)
	_, _ = one.Read(a[:700])
	_, _ = one.Read(a[700:])
	_, _ = two.Read(b)
	if !bytes.Equal(a, b) {
		t.Error("the bytes depend on how they are asked for")
	}
}

func TestUniform(t *testing.T) {
	s := Seeded(6)
	const n = 400_000
	ints, coins := make([]int64, 7), int64(0)
	var digits [64]int64
	x, norm, exp := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		ints[s.IntN(7)]++
		if s.Bernoulli(3, 10) {
			coins++
		}
		for w, j := s.Uint64(), 0; j < 64; j++ {
			digits[j] += int64(w >> j & 1)
		}
		x[i], norm[i], exp[i] = s.Float64(), s.NormFloat64(), s.ExpFloat64()
	}
	seventh := 1. / 7
	if err := stattest.Fit(ints, []float64{seventh, seventh, seventh, seventh, seventh, seventh, seventh}); err != nil {
		t.Errorf("IntN: %v", err)
	}
	if err := stattest.Rate(coins, n, 0.3); err != nil {
		t.Errorf("Bernoulli: %v", err)
	}
	for j, k := range digits {
		if err := stattest.Rate(k, n, 0.5); err != nil {
			t.Errorf("bit %d: %v", j, err)
		}
	}
	for what, err := range map[string]error{
		"Float64":     stattest.Kolmogorov(x, func(v float64) float64 { return v }),
		"NormFloat64": stattest.Kolmogorov(norm, stattest.NormalCDF),
		"ExpFloat64":  stattest.Kolmogorov(exp, func(v float64) float64 { return 1 - math.Exp(-v) }),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A bound near 2^64 makes Lemire's method refuse half of the words: the third of the range below it would come up too often else.
func TestLargeBoundsAreUnbiased(t *testing.T) {
	s, n, low := Seeded(7), int64(100_000), int64(0)
	const bound = 3 << 62
	for range n {
		v := s.uint64n(bound)
		if v >= bound {
			t.Fatalf("%d is not below %d", v, uint64(bound))
		}
		if v%3 == 0 {
			low++
		}
	}
	if err := stattest.Rate(low, n, 1./3); err != nil {
		t.Error(err)
	}
}

func TestPermIsUniform(t *testing.T) {
	s, counts := Seeded(8), make([]int64, 24)
	for range 120_000 {
		p := s.Perm(4)
		counts[p[0]*6+max(0, rank(p[1], p[0]))*2+b2i(p[2] > p[3])]++
	}
	probs := make([]float64, 24)
	for i := range probs {
		probs[i] = 1. / 24
	}
	if err := stattest.Fit(counts, probs); err != nil {
		t.Error(err)
	}
}

// rank is the place of v among 0..3 without w.
func rank(v, w int) int { return v - b2i(v > w) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"IntN(0)": func() { Seeded(1).IntN(0) }, "IntN(-1)": func() { Seeded(1).IntN(-1) },
		"Bernoulli(1, 0)": func() { Seeded(1).Bernoulli(1, 0) }, "Bernoulli(2, 1)": func() { Seeded(1).Bernoulli(2, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

// exp(−num/den) at rationals, small and above one.
func TestBernoulliExp(t *testing.T) {
	src := Seeded(1)
	for _, v := range [][2]uint64{{0, 7}, {1, 3}, {5, 5}, {7, 3}, {1 << 40, 1 << 41}} {
		const draws = 100_000
		n := int64(0)
		for range draws {
			if src.BernoulliExp(v[0], v[1]) {
				n++
			}
		}
		if err := stattest.Rate(n, draws, math.Exp(-float64(v[0])/float64(v[1]))); err != nil {
			t.Errorf("exp(−%d/%d): %v", v[0], v[1], err)
		}
	}
}
