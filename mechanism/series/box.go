package series

import (
	"math"
	"math/bits"
	"runtime"
	"sync"

	"github.com/gazeward/gazeward/dp"
)

// radius is the largest ‖M·x‖₁ over x in [−½, ½]ⁿ: half of the L1 sensitivity
// of the coordinates of a signal whose public range is one. It is half of the
// largest ‖Mᵀs‖₁ over vectors s of signs. It is computed over all of them
// where they are few, else by ascent from many starts, which may fall short.
//
// No guarantee rests on it: coordinates are clipped to it in integers. Where it
// falls short, the most unusual signals of the box are shrunk.
func (f form) radius() (r float64, exact bool) {
	if f.kind == plain {
		return float64(f.n) / 2, true
	}
	if v, ok := radii.Load(f); ok {
		known := v.(knownRadius)
		return known.r, known.exact
	}
	k := knownRadius{exact: f.enumerable()}
	if k.exact {
		k.r = f.largestOfAll()
	} else {
		_, k.r = f.ascend(f.starts())
	}
	k.r = dp.RoundUp(math.Min(k.r, f.bound()/2))
	radii.Store(f, k)
	return k.r, k.exact
}

type knownRadius struct {
	r     float64
	exact bool
}

// radii keeps what was computed: it depends on the form alone.
var radii sync.Map

// enumerable reports forms whose signs are tried one by one: at most 12
// coefficients, and less than a second of work.
func (f form) enumerable() bool {
	return f.k <= 12 && float64(f.n)*math.Exp2(float64(f.size()-1)) <= 1<<29
}

// bound is the papers' L1 sensitivity √(nk)·Δ₂ for a range of one, proved for
// the half spectrum in PROOF.md. Plain signals have n.
func (f form) bound() float64 {
	if f.kind == plain {
		return float64(f.n)
	}
	return math.Sqrt(float64(f.n)*float64(f.k)) * f.l2()
}

// l2 is the L2 sensitivity of the signal itself, or of its differences, for a
// range of one: √n, or √(1+4(n−1)) as the first difference is a value.
func (f form) l2() float64 {
	if f.kind == difference {
		return math.Sqrt(1 + 4*float64(f.n-1))
	}
	return math.Sqrt(float64(f.n))
}

// rows are those of M.
func (f form) rows() [][]float64 {
	c := f.codec()
	rows := make([][]float64, f.size())
	for i := range rows {
		e := make([]float64, len(rows))
		e[i] = 1
		rows[i] = make([]float64, f.n)
		c.adjoint(rows[i], e)
	}
	return rows
}

// largestOfAll goes through all vectors of signs in Gray code order, so that
// each step adds one row. The last sign is fixed, as −s is as good as s; the
// ones before it are shared out among goroutines.
func (f form) largestOfAll() float64 {
	rows := f.rows()
	free := len(rows) - 1
	shared := min(free, 4)
	best := make([]float64, 1<<shared)
	var wg sync.WaitGroup
	next := make(chan int, len(best))
	for i := range best {
		next <- i
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				best[i] = walkSigns(rows, free-shared, uint(i))
			}
		})
	}
	wg.Wait()
	most := 0.0
	for _, v := range best {
		most = math.Max(most, v)
	}
	return most / 2
}

// walkSigns is the largest ‖Mᵀs‖₁ over the first free signs, those after them
// being the bits of fixed.
func walkSigns(rows [][]float64, free int, fixed uint) float64 {
	sum := make([]float64, len(rows[0]))
	for i, row := range rows {
		sign := 1.0
		if i >= free && fixed>>(i-free)&1 == 1 {
			sign = -1
		}
		addTo(sum, row, sign)
	}
	most := addTo(sum, sum, 0)
	negative := uint(0)
	for step := uint(1); step < 1<<free; step++ {
		i := bits.TrailingZeros(step)
		negative ^= 1 << i
		change := 2.0
		if negative>>i&1 == 1 {
			change = -2
		}
		most = math.Max(most, addTo(sum, rows[i], change))
	}
	return most
}

// addTo adds a multiple of a row and returns the sum of the absolute values.
func addTo(sum, row []float64, times float64) float64 {
	var a [4]float64
	row = row[:len(sum)]
	t := 0
	for ; t+4 <= len(sum); t += 4 {
		s, r := sum[t:t+4:t+4], row[t:t+4:t+4]
		s[0] += times * r[0]
		s[1] += times * r[1]
		s[2] += times * r[2]
		s[3] += times * r[3]
		a[0] += math.Abs(s[0])
		a[1] += math.Abs(s[1])
		a[2] += math.Abs(s[2])
		a[3] += math.Abs(s[3])
	}
	for ; t < len(sum); t++ {
		sum[t] += times * row[t]
		a[0] += math.Abs(sum[t])
	}
	return a[0] + a[1] + a[2] + a[3]
}

// ascend alternates s = sign(Mx), x = sign(Mᵀs) from public starts, no step of
// which loses, and returns the best corner of the box and half of its ‖M·x‖₁.
func (f form) ascend(starts int) (best []float64, r float64) {
	c := f.codec()
	x, y := make([]float64, f.n), make([]float64, f.size())
	best = make([]float64, f.n)
	most := 0.0
	for start := range starts {
		scatter(y, uint64(start))
		before := -1.0
		for range climbs {
			c.adjoint(x, y)
			toSigns(x)
			c.forward(y, x)
			now := 0.0
			for _, v := range y {
				now += math.Abs(v)
			}
			if now <= before*(1+1e-12) {
				break
			}
			if before = now; now > most {
				most = now
				copy(best, x)
			}
			toSigns(y)
		}
	}
	for t := range best {
		best[t] /= 2
	}
	return best, most / 2
}

// climbs bounds the steps of one ascent; few take a dozen.
const climbs = 20

// starts of an ascent: fewer for long signals.
func (f form) starts() int { return max(1, min(64, 1<<18/f.n)) }

func toSigns(x []float64) {
	for i, v := range x {
		x[i] = math.Copysign(1, v)
	}
}

// scatter writes signs that differ from start to start (SplitMix64): all equal
// at the first one.
func scatter(s []float64, start uint64) {
	state := start * 0x9e3779b97f4a7c15
	for i := range s {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		s[i] = 1
		if start > 0 && (z^z>>31)&1 == 1 {
			s[i] = -1
		}
	}
}
