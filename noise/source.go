package noise

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	wordBytes  = 512     // words drawn one by one come from a buffer of this size
	blockBytes = 8 << 10 // the samplers take theirs in blocks of this size
	rekeyAfter = 1 << 30 // bytes drawn under one key of a secure source
	keyBytes   = 16      // AES-128
)

// Source is a stream of random words, AES-128 in counter mode. Secure is for releases, Seeded for experiments: whatever
// is drawn from a seeded source is Void as a guarantee.
//
// A Source is not safe for concurrent use; give each goroutine its own Split. Words are wiped from its buffers once
// drawn, so that memory read later does not tell past noise; the key itself lives as long as the Source does.
//
// A Source must not be copied: the copy would give the same noise again. go vet reports it.
type Source struct {
	_      noCopy
	stream cipher.Stream
	seeded bool
	left   int // bytes to draw until the next key; secure sources only
	pos    int // first byte of words not yet drawn; those before it are zero
	words  [wordBytes]byte
	block  [blockBytes]byte // the samplers' scratch, zero between calls
	late   lateList
}

// noCopy is what go vet's copylocks check looks for.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// Secure returns a source keyed from the system's generator, with a key of its own, and keyed afresh after every GiB.
func Secure() *Source {
	s := &Source{pos: wordBytes}
	s.rekey()
	return s
}

// Seeded returns a source whose words depend on seed alone, the same on every platform. It is never private.
func Seeded(seed uint64) *Source {
	h := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("gazeward/noise seeded "), seed))
	s := &Source{pos: wordBytes, seeded: true}
	s.setKey(h[:keyBytes])
	return s
}

// Seeded reports whether the stream descends from Seeded, directly or by Split.
func (s *Source) Seeded() bool { return s.seeded }

// Split returns an independent stream for another goroutine. The split of a seeded source is seeded: its key is the
// next 16 bytes of s.
func (s *Source) Split() *Source {
	if !s.seeded {
		return Secure()
	}
	var key [keyBytes]byte
	s.take(key[:])
	c := &Source{pos: wordBytes, seeded: true}
	c.setKey(key[:])
	return c
}

func (s *Source) rekey() {
	var key [keyBytes]byte
	_, _ = rand.Read(key[:]) // never fails: the program stops when the system has no randomness
	s.setKey(key[:])
	clear(key[:])
}

// setKey starts a stream at counter zero: no key is ever used for two streams.
func (s *Source) setKey(key []byte) {
	b, err := aes.NewCipher(key)
	if err != nil { // only for keys of a wrong length, which ours never are
		panic(err)
	}
	s.stream = cipher.NewCTR(b, make([]byte, aes.BlockSize))
	s.left = rekeyAfter
}

// fill overwrites dst, which must be zero, with the next bytes of the stream.
func (s *Source) fill(dst []byte) {
	if !s.seeded {
		if s.left < len(dst) {
			s.rekey()
		}
		s.left -= len(dst)
	}
	s.stream.XORKeyStream(dst, dst)
}

// take copies the next unread bytes of the word buffer to dst and wipes them.
func (s *Source) take(dst []byte) {
	for len(dst) > 0 {
		if s.pos == wordBytes {
			s.fill(s.words[:])
			s.pos = 0
		}
		n := copy(dst, s.words[s.pos:])
		clear(s.words[s.pos : s.pos+n])
		s.pos, dst = s.pos+n, dst[n:]
	}
}

// Uint64 returns 64 uniform bits.
func (s *Source) Uint64() uint64 {
	if s.pos > wordBytes-8 {
		s.refill()
	}
	p := s.words[s.pos : s.pos+8]
	v := binary.LittleEndian.Uint64(p)
	binary.LittleEndian.PutUint64(p, 0)
	s.pos += 8
	return v
}

// refill drops what is left of the word buffer, fewer than 8 bytes, and fills it.
func (s *Source) refill() {
	clear(s.words[s.pos:])
	s.fill(s.words[:])
	s.pos = 0
}

// Uint32 returns 32 uniform bits.
func (s *Source) Uint32() uint32 { return uint32(s.Uint64()) }

// Fill sets every element of dst to 64 uniform bits.
func (s *Source) Fill(dst []uint64) {
	for len(dst) > 0 {
		n := min(len(dst), blockBytes/8)
		s.load(8 * n)
		for i := range dst[:n] {
			dst[i] = binary.LittleEndian.Uint64(s.block[8*i:])
		}
		clear(s.block[:8*n])
		dst = dst[n:]
	}
}

// load puts n fresh bytes into the block; the caller clears them.
func (s *Source) load(n int) {
	const step = 64 // whole cipher blocks, so that the stream never stops inside one
	size := (n + step - 1) / step * step
	s.fill(s.block[:size])
	clear(s.block[n:size])
}

// Read fills p with uniform bytes, for keys and tokens. It never fails.
func (s *Source) Read(p []byte) (int, error) {
	s.take(p)
	return len(p), nil
}

// uint64n returns a uniform integer in [0, n), n > 0, without bias (Lemire 2019).
func (s *Source) uint64n(n uint64) uint64 {
	hi, lo := bits.Mul64(s.Uint64(), n)
	if lo < n {
		for reject := -n % n; lo < reject; {
			hi, lo = bits.Mul64(s.Uint64(), n)
		}
	}
	return hi
}

// IntN returns a uniform integer in [0, n). It panics if n <= 0, as a loop bound gone wrong would.
func (s *Source) IntN(n int) int {
	if n <= 0 {
		panic("noise: IntN needs a positive bound")
	}
	return int(s.uint64n(uint64(n)))
}

// Bernoulli returns true with probability exactly num/den. It panics unless 0 <= num <= den and den > 0.
func (s *Source) Bernoulli(num, den uint64) bool {
	if den == 0 || num > den {
		panic("noise: Bernoulli needs a probability num/den in [0, 1]")
	}
	return s.uint64n(den) < num
}

// BernoulliExp returns true with probability exactly exp(−num/den), den > 0 (Canonne, Kamath and Steinke 2020, Algorithm 1). It
// panics if den is 0, or so large (beyond about 2^50) that 64 bits do not hold its multiples.
func (s *Source) BernoulliExp(num, den uint64) bool {
	for ; num > den; num -= den {
		if !s.bernoulliExpUnit(den, den) {
			return false
		}
	}
	return s.bernoulliExpUnit(num, den)
}

// bernoulliExpUnit is BernoulliExp for num ≤ den: how many coins of num/(den·k), k = 1, 2, … fall on heads is even or odd.
func (s *Source) bernoulliExpUnit(num, den uint64) bool {
	k := uint64(1)
	for s.Bernoulli(num, den*k) {
		k++
	}
	return k%2 == 1
}

// Float64 returns a uniform multiple of 2^-53 in [0, 1). It is for simulations and learners; release noise is drawn by a Sampler.
func (s *Source) Float64() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// ExpFloat64 returns an exponential variate of mean 1, for simulations only: its low bits tell about its size.
func (s *Source) ExpFloat64() float64 { return -math.Log(1 - s.Float64()) }

// NormFloat64 returns a standard normal variate, for simulations only (Marsaglia's polar method).
func (s *Source) NormFloat64() float64 {
	for {
		u, v := 2*s.Float64()-1, 2*s.Float64()-1
		r := u*u + v*v
		if r > 0 && r < 1 {
			return u * math.Sqrt(-2*math.Log(r)/r)
		}
	}
}

// Perm returns a uniform permutation of 0..n-1.
func (s *Source) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	s.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

// Shuffle brings n things into uniform order by swapping (Fisher and Yates).
func (s *Source) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.IntN(i+1))
	}
}
