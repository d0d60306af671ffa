package noise

import (
	"crypto/cipher"
	"encoding/binary"
	"math/big"
	"testing"
)

// A script is a stream that begins with given words.
type script struct {
	words []uint64
	then  cipher.Stream
}

func (s *script) XORKeyStream(dst, src []byte) {
	s.then.XORKeyStream(dst, src)
	for len(s.words) > 0 && len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, s.words[0])
		s.words, dst = s.words[1:], dst[8:]
	}
}

// scripted returns a source whose first words are these, and seeded ones after them.
func scripted(words ...uint64) *Source {
	s := Seeded(99)
	s.stream = &script{words, s.stream}
	return s
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func laplaceSampler(t testing.TB, scale float64) *Sampler {
	t.Helper()
	return must[*Sampler](t)(NewLaplace(scale))
}

func gaussianSampler(t testing.TB, sigma float64) *Sampler {
	t.Helper()
	return must[*Sampler](t)(NewGaussian(sigma))
}

// odd returns a sampler of a layout that no public scale has.
func odd(law Law, scale float64, lay layout, coarse uint) *Sampler {
	s := &Sampler{law: law, scale: scale, layout: lay, ideal: laplace{lay, scale}, coarse: coarse}
	if law == Gaussian {
		s.ideal = gaussian{lay, scale}
	}
	s.build()
	return s
}

const refPrec = 420 // bits of the reference computations in big.Float

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(refPrec).SetFloat64(x) }

// bigExp returns e^x, by halving, Taylor's series and squaring: written apart from expNeg.
func bigExp(x *big.Float) *big.Float {
	const halvings = 40
	y := new(big.Float).SetPrec(refPrec+60).SetMantExp(x, -halvings)
	if x.IsInf() || x.MantExp(nil) > 35 {
		panic("bigExp: argument too large")
	}
	sum, term := new(big.Float).SetPrec(refPrec+60).SetInt64(1), new(big.Float).SetPrec(refPrec+60).SetInt64(1)
	for k := int64(1); k < 200; k++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetPrec(refPrec)
}

// bigPi is from the tables, to check Machin's formula against.
func bigPi(t testing.TB) *big.Float {
	const digits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
	f, _, err := big.ParseFloat(digits, 10, refPrec, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bigNormal returns Φ(x) − ½ = φ(x)·Σ x^(2k+1)/(2k+1)!!, a series of positive terms, unlike the walk's.
func bigNormal(t testing.TB, x *big.Float) *big.Float {
	square := new(big.Float).Mul(x, x)
	term, sum := new(big.Float).Copy(x), new(big.Float).Copy(x)
	for k := int64(3); term.Sign() > 0 && term.MantExp(nil) > sum.MantExp(nil)-refPrec; k += 2 {
		term.Mul(term, square)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	density := bigExp(new(big.Float).Neg(new(big.Float).Quo(square, bigFloat(2))))
	return sum.Mul(sum, density.Quo(density, new(big.Float).Sqrt(new(big.Float).Mul(bigPi(t), bigFloat(2)))))
}
