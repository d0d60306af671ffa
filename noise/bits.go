package noise

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Coins tosses independent coins of one probability, 64 to a word. The probability is a multiple of 2^-64 and is met
// exactly. The zero value never falls heads. It may be copied and is safe for concurrent use, each goroutine with a Source of its own.
type Coins struct {
	p uint64 // probability of heads in units of 2^-64
}

// NewCoins returns coins that fall heads with the smallest multiple of 2^-64 that is at least p, 0 <= p < 1. For p of 2^-11 or
// more that is p itself.
func NewCoins(p float64) (Coins, error) {
	if !(p >= 0 && p < 1) {
		return Coins{}, fmt.Errorf("noise: probability of heads must be in [0, 1), got %v", p)
	}
	return Coins{uint64(math.Ceil(math.Ldexp(p, 64)))}, nil
}

// Probability returns the probability of heads, rounded to a float64.
func (c Coins) Probability() float64 { return math.Ldexp(float64(c.p), -64) }

// Toss tosses one coin.
func (c Coins) Toss(src *Source) bool { return src.Uint64() < c.p }

// levels are the binary digits that Fill compares word by word. A lane is open after them once in 128.
const (
	levels    = 7
	coinWords = blockBytes / 8 / levels // words of coins to a block
)

// Fill sets every bit of dst to 1 with the probability of heads, independently.
func (c Coins) Fill(dst []uint64, src *Source) {
	var masks [levels]uint64 // the first digits of p
	for k := range masks {
		masks[k] = -(c.p >> (63 - k) & 1)
	}
	var open [coinWords]uint64
	for len(dst) > 0 {
		n := min(len(dst), coinWords)
		src.load(8 * levels * n)
		coinLoop(dst[:n], &open, &masks, src)
		clear(src.block[:8*levels*n])
		if rest := c.p << levels; rest != 0 { // else lanes that are still open are not below p
			settle(dst[:n], open[:n], rest, src)
		}
		dst = dst[n:]
	}
	clear(open[:])
}

// coinLoop compares a uniform U with p in every lane, digit by digit from the first. A one in the random word says that the
// digit of U differs from that of p: then the lane is decided, and is heads where p has the one. Other lanes are left open.
func coinLoop(dst []uint64, open *[coinWords]uint64, masks *[levels]uint64, src *Source) {
	m, block := *masks, &src.block
	_ = block[0]
	dst = dst[:min(len(dst), coinWords)]
	for i := range dst {
		w := block[8*levels*i : 8*levels*i+8*levels]
		differs := binary.LittleEndian.Uint64(w)
		heads, left := differs&m[0], ^differs
		for k := 1; k < levels; k++ {
			differs = binary.LittleEndian.Uint64(w[8*k:]) & left
			heads |= differs & m[k]
			left ^= differs
		}
		dst[i], open[i] = heads, left
	}
}

// settle decides the open lanes of all words by the digits of rest. Words that have no open lane in common are decided together.
func settle(dst, open []uint64, rest uint64, src *Source) {
	from, lanes := 0, uint64(0)
	share := func(to int) {
		heads := decide(lanes, rest, src)
		for i := from; i < to; i++ {
			dst[i] |= open[i] & heads
		}
	}
	for i, o := range open {
		if lanes&o != 0 {
			share(i)
			from, lanes = i, 0
		}
		lanes |= o
	}
	share(len(open))
}

// decide goes on with coinLoop's comparison in one word, and returns the lanes that fall heads.
func decide(open, rest uint64, src *Source) (heads uint64) {
	for ; rest != 0 && open != 0; rest <<= 1 {
		differs := src.Uint64() & open
		heads |= differs & -(rest >> 63)
		open ^= differs
	}
	return heads
}
