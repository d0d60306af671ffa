package feature

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// number is the exact value of a wide integer.
func number(w wide) *big.Int {
	v := new(big.Int)
	for i := len(w) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w[i]))
	}
	if int64(w[2]) < 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 192))
	}
	return v
}

func TestWideIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := rapid.Int64().Draw(t, "a"), rapid.Int64Range(-mostQuanta, mostQuanta).Draw(t, "b"), rapid.Int64Range(-1<<62, 1<<62).Draw(t, "c")
		x, y, z := big.NewInt(a), big.NewInt(b), big.NewInt(c)
		product := new(big.Int).Mul(x, y)
		if got := number(widen(a).times(widen(b))); got.Cmp(product) != 0 {
			t.Fatalf("%v·%v is %v, got %v", a, b, product, got)
		}
		want := new(big.Int).Sub(new(big.Int).Add(product, z), new(big.Int).Mul(z, z))
		sum := widen(a).times(widen(b)).plus(widen(c)).minus(square(c))
		if got := number(sum); got.Cmp(want) != 0 {
			t.Fatalf("got %v, want %v", got, want)
		}
		nearest, _ := new(big.Float).SetInt(want).Float64()
		if f := sum.float(); math.Abs(f-nearest) > 1e-15*math.Abs(nearest) {
			t.Fatalf("%v is %v as a number, want %v", want, f, nearest)
		}
	})
}

// Mean and variance of integers as large as they get are those of exact
// arithmetic, also after others came and went.
func TestSumsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64Range(-mostQuanta/2, mostQuanta/2).Draw(t, "base")
		spread := rapid.SampledFrom([]int64{0, 1, 1000, 1 << 40, mostQuanta / 2}).Draw(t, "spread")
		kept := rapid.SliceOfN(rapid.Int64Range(-spread, spread), 1, 50).Draw(t, "kept")
		var s sums
		for i, v := range kept {
			s.add(int64(i) * 12345678901)
			s.add(base + v)
		}
		for i := range kept {
			s.remove(int64(i) * 12345678901)
		}
		n := big.NewRat(int64(len(kept)), 1)
		mean, squares := new(big.Rat), new(big.Rat)
		for _, v := range kept {
			x := new(big.Rat).SetInt64(base + v)
			mean.Add(mean, x)
			squares.Add(squares, new(big.Rat).Mul(x, x))
		}
		mean.Quo(mean, n)
		variance := squares.Sub(squares.Quo(squares, n), new(big.Rat).Mul(mean, mean))
		near := func(what string, got float64, exact *big.Rat) {
			want, _ := exact.Float64()
			if math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Fatalf("%s of %v + %v: got %v, want %v", what, base, kept, got, want)
			}
		}
		near("mean", s.mean(), mean)
		near("variance", s.variance(), variance)
	})
}

// A lexicon that words were taken from is that of the words that are left.
func TestWordsComeAndGoAtBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWriting(Bulling)
		var letters []uint32
		for range rapid.IntRange(1, 300).Draw(t, "moves") {
			letter := uint32(rapid.IntRange(0, 3).Draw(t, "letter") * 7)
			switch move := rapid.IntRange(0, 5).Draw(t, "move"); {
			case move < 2:
				w.pushBack(letter)
				letters = append(letters, letter)
			case move < 4:
				w.pushFront(letter)
				letters = append([]uint32{letter}, letters...)
			case len(letters) > 0 && move == 4:
				w.popBack()
				letters = letters[:len(letters)-1]
			case len(letters) > 0:
				w.popFront()
				letters = letters[1:]
			}
		}
		var got, want [Count]float64
		w.fill(&got, Bulling)
		fresh := newWriting(Bulling)
		for _, l := range letters {
			fresh.pushBack(l)
		}
		fresh.fill(&want, Bulling)
		if got != want {
			t.Fatalf("%v: got %v, want %v", letters, got[firstWord:], want[firstWord:])
		}
		if n := len(letters); n > 3 && got[word(4, wordMean)] != float64(n-3)/331776 {
			t.Fatalf("%d letters, mean %v", n, got[word(4, wordMean)])
		}
	})
}

func TestLetters(t *testing.T) {
	for _, c := range []struct {
		right, up float64
		large     bool
		bulling   uint32
		compass   uint32
	}{
		{1, 0, false, 0, 0}, {1, 1, false, 1, 1}, {0, 1, false, 2, 2}, {-1, 0, false, 4, 4}, {0, -1, false, 6, 6}, {1, -0.1, false, 0, 0},
		{5, 0, true, 8, 8}, {5, 5, true, 10, 9}, {0, 5, true, 12, 10}, {-5, -0.0001, true, 16, 12}, {0, -5, true, 20, 14}, {5, -2, true, 23, 8},
	} {
		if b, k := Bulling.letter(c.right, c.up, c.large), Compass.letter(c.right, c.up, c.large); b != c.bulling || k != c.compass {
			t.Errorf("%+v: letters %d and %d", c, b, k)
		}
	}
	for _, a := range []Alphabet{Bulling, Compass} {
		seen := map[uint32]bool{}
		for i := range 720 {
			for _, large := range []bool{false, true} {
				seen[a.letter(math.Cos(float64(i)*math.Pi/360), math.Sin(float64(i)*math.Pi/360), large)] = true
			}
		}
		if len(seen) != a.Letters() || seen[uint32(a.Letters())] {
			t.Errorf("%v has %d letters", a, len(seen))
		}
	}
}
