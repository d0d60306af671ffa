package noise

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
)

func TestCoinsProbability(t *testing.T) {
	for _, p := range []float64{0, 0.5, 0.25, 1. / 3, 0x1p-11, 1e-12, 0x1p-64, 1e-30, 1 - 0x1p-53} {
		c, err := NewCoins(p)
		if err != nil {
			t.Fatal(err)
		}
		got := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.p), new(big.Int).Lsh(big.NewInt(1), 64))
		step := big.NewRat(1, 1<<62)
		step.Quo(step, big.NewRat(4, 1))
		if d := got.Sub(got, newRat(p)); d.Sign() < 0 || d.Cmp(step) >= 0 {
			t.Errorf("%v became %v, %v away", p, c.Probability(), d)
		}
		if p >= 0x1p-11 && c.Probability() != p {
			t.Errorf("%v became %v", p, c.Probability())
		}
	}
	for _, p := range []float64{-0.1, 1, 2, math.NaN(), math.Inf(1)} {
		if _, err := NewCoins(p); err == nil {
			t.Errorf("probability %v is taken", p)
		}
	}
}

// patterns are the probabilities to test: short ones, ones decided after the loop only, and ones in between.
var patterns = []float64{0, 0.5, 0.75, 1. / 128, 3. / 256, 1 / (1 + math.E), 0x1p-9, 0.49, 1e-3, 0.9999}

// TestCoinsFill looks at single lanes, at pairs of neighbouring ones and at the same lane of words one behind the other.
func TestCoinsFill(t *testing.T) {
	for _, p := range patterns {
		if err := coinsFollow(p, p); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// TestCoinsPower: the same test sees a probability a tenth off.
func TestCoinsPower(t *testing.T) {
	for _, p := range patterns[3:] {
		if coinsFollow(p, p*0.9) == nil {
			t.Errorf("%v is not told from %v", p*0.9, p)
		}
	}
}

func coinsFollow(p, drawn float64) error {
	c, err := NewCoins(drawn)
	if err != nil {
		return err
	}
	const words, rounds = 333, 400 // more words than a block has
	src, dst := Seeded(5), make([]uint64, words)
	var lane [64]int64
	var beside, behind [4]int64
	for range rounds {
		c.Fill(dst, src)
		for i, w := range dst {
			for b := range 64 {
				lane[b] += int64(w >> b & 1)
			}
			for b := 0; b < 64; b += 2 {
				beside[w>>b&3]++
				if i%2 == 1 {
					behind[w>>b&1<<1|dst[i-1]>>b&1]++
				}
			}
		}
	}
	n := int64(words * rounds)
	var heads int64
	for b, k := range lane {
		if err := rate(k, n, p); err != nil {
			return fmt.Errorf("lane %d: %w", b, err)
		}
		heads += k
	}
	if err := rate(heads, 64*n, p); err != nil {
		return err
	}
	both := []float64{(1 - p) * (1 - p), (1 - p) * p, p * (1 - p), p * p}
	for _, counts := range [][4]int64{beside, behind} {
		if chi, err := stattest.ChiSquare(counts[:], both); err == nil && chi < 1e-9 {
			return fmt.Errorf("pairs: p = %.2g", chi)
		}
	}
	return nil
}

// rate: of n coins k fell heads. About seventy verdicts share a false alarm of 1e-6 for each probability.
func rate(k, n int64, p float64) error {
	if p == 0 {
		if k > 0 {
			return fmt.Errorf("%d heads", k)
		}
		return nil
	}
	lo, hi := stattest.ClopperPearson(k, n, 1e-9)
	if p < lo || p > hi {
		return fmt.Errorf("%d heads of %d, want a share of %v", k, n, p)
	}
	return nil
}

// TestCoinsAgreeWithComparison: Fill is U < p, digit by digit: replayed from the same words.
func TestCoinsAgreeWithComparison(t *testing.T) {
	const words = 40
	for _, p := range patterns {
		c, _ := NewCoins(p)
		got := make([]uint64, words)
		c.Fill(got, Seeded(11))
		replay := Seeded(11)
		size := (8*levels*words + 63) / 64 * 64
		first := make([]uint64, size/8)
		replay.Fill(first)
		for i := range got {
			for b := range 64 {
				heads, open := replayed(c.p, first[levels*i:], b)
				if !open && heads != (got[i]>>b&1 == 1) {
					t.Fatalf("%v: word %d lane %d is %v", p, i, b, !heads)
				}
			}
		}
	}
}

func replayed(p uint64, digits []uint64, lane int) (heads, open bool) {
	for k := range levels {
		if digits[k]>>lane&1 == 1 {
			return p>>(63-k)&1 == 1, false
		}
	}
	return false, true
}

func TestCoinsToss(t *testing.T) {
	c, _ := NewCoins(0.3)
	src, heads := Seeded(2), int64(0)
	for range 100_000 {
		if c.Toss(src) {
			heads++
		}
	}
	if err := rate(heads, 100_000, 0.3); err != nil {
		t.Error(err)
	}
}

func BenchmarkCoins(b *testing.B) {
	c, _ := NewCoins(1 / (1 + math.E))
	dst, src := make([]uint64, 1024), Secure()
	b.SetBytes(int64(len(dst) * 8))
	for b.Loop() {
		c.Fill(dst, src)
	}
}
