package feature

import (
	"math"
	"math/bits"
)

// wide is a signed integer of 192 bits, its lowest word first. It wraps around
// as int64 does, so that differences of running totals are exact as long as
// they fit themselves.
type wide [3]uint64

func widen(v int64) wide {
	sign := uint64(v >> 63)
	return wide{uint64(v), sign, sign}
}

func (a wide) plus(b wide) wide {
	var carry uint64
	for i := range a {
		a[i], carry = bits.Add64(a[i], b[i], carry)
	}
	return a
}

func (a wide) minus(b wide) wide {
	var borrow uint64
	for i := range a {
		a[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return a
}

func (a wide) times(b wide) wide {
	high01, low01 := bits.Mul64(a[0], b[1])
	high10, low10 := bits.Mul64(a[1], b[0])
	high, low := bits.Mul64(a[0], b[0])
	out := wide{low, high, high01 + high10 + a[1]*b[1] + a[0]*b[2] + a[2]*b[0]}
	return out.plus(wide{0, low01}).plus(wide{0, low10})
}

// square is v·v.
func square(v int64) wide {
	hi, lo := bits.Mul64(uint64(max(v, -v)), uint64(max(v, -v)))
	return wide{lo, hi, 0}
}

// float is the nearest number but for one rounding.
func (a wide) float() float64 {
	if int64(a[2]) < 0 {
		return -wide{}.minus(a).float()
	}
	return (float64(a[2])*0x1p64+float64(a[1]))*0x1p64 + float64(a[0])
}

// sums are those of integers: what is added and taken away again leaves no
// trace, so that sliding windows give exactly what each window does by itself.
type sums struct {
	n            int64
	sum, squares wide
}

func (s *sums) add(v int64) {
	s.n++
	s.sum = s.sum.plus(widen(v))
	s.squares = s.squares.plus(square(v))
}

func (s *sums) remove(v int64) {
	s.n--
	s.sum = s.sum.minus(widen(v))
	s.squares = s.squares.minus(square(v))
}

func (s sums) minus(t sums) sums {
	return sums{s.n - t.n, s.sum.minus(t.sum), s.squares.minus(t.squares)}
}

// mean is 0 for nothing.
func (s sums) mean() float64 {
	if s.n == 0 {
		return 0
	}
	return s.sum.float() / float64(s.n)
}

// variance is the mean squared distance from the mean; 0 for fewer than two.
// Squares are taken about an integer near the mean, exactly, so that nothing
// cancels.
func (s sums) variance() float64 {
	if s.n < 2 {
		return 0
	}
	n, near := widen(s.n), widen(int64(math.Round(s.mean())))
	rest := s.sum.minus(n.times(near))
	about := s.squares.minus(near.times(s.sum.plus(rest))) // Σ(v-near)² = Σv² - near·(Σv + (Σv - n·near))
	r := rest.float()
	return max(0, (about.float()-r*r/float64(s.n))/float64(s.n))
}

// grid is how many quanta one unit of a quantity has: values are rounded to
// whole quanta before they are summed.
type grid float64

const (
	degrees     grid = 0x1p30 // 1e-9 deg
	millimetres grid = 0x1p30
	otherPupils grid = 0x1p20
	nanoseconds grid = 1e9
	mostQuanta       = 0x1p61 // beyond 2^61 a value is 2^61, so that squares of many fit
	wholeCircle      = 360 << 30
	halfCircle       = 180 << 30
)

func (g grid) quanta(v float64) int64 {
	return int64(math.RoundToEven(max(-mostQuanta, min(mostQuanta, v*float64(g)))))
}

// mean and variance are in units.
func (g grid) mean(s sums) float64     { return s.mean() / float64(g) }
func (g grid) variance(s sums) float64 { return s.variance() / float64(g) / float64(g) }

// squared is the grid of variances: for degrees 4e-15 deg², up to 8192 deg².
func (g grid) squared() grid { return grid(float64(g) * float64(g) * 0x1p-12) }
