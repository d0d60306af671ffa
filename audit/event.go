package audit

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Events is a family of events among which an audit chooses.
type Events uint8

// The families.
const (
	// Thresholds are {x > t}: best where noise hides a shift.
	Thresholds Events = iota
	// LowBits are sets of residues of x on its lattice and of the position of
	// its lowest set bit: they see what floating-point noise gives away
	// (Mironov 2012), and nothing of noise on a proper lattice.
	LowBits
	// Atoms are sets of exact values, for discrete outputs.
	Atoms
	// Leaks is the one event that Case.Never names: outputs that side A cannot
	// give at all. Its frequency on side B bounds δ at every ε.
	Leaks
)

var eventNames = [...]string{"thresholds", "low bits", "atoms", "leaks"}

// String returns the family's name.
func (e Events) String() string {
	if int(e) < len(eventNames) {
		return eventNames[e]
	}
	return "unknown events"
}

// MarshalText writes the family's name.
func (e Events) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// event is a set of outputs, and how many of each side's it held on the half
// that it was chosen on.
type event struct {
	a, b     int
	reversed bool // more frequent on side A
	contains func(float64) bool
}

func (e event) count(x []float64) (n int) {
	for _, v := range x {
		if e.contains(v) {
			n++
		}
	}
	return n
}

// limits counts the event on fresh outputs.
func (e event) limits(s Sample, beta float64) limits {
	a, b := e.count(s.A), e.count(s.B)
	if e.reversed {
		return measured(a, len(s.A), b, len(s.B), beta)
	}
	return measured(b, len(s.B), a, len(s.A), beta)
}

// choose returns the event that promises most, by its counts in s with Wilson's
// limits, which are quick and close to the exact ones. Nothing but power
// depends on it: a small beta keeps rare events from being chosen for their
// luck.
func (e Events) choose(s Sample, c Case, beta float64, of func(limits) float64) event {
	candidates := thresholds(s)
	if e != Thresholds {
		// Sets of classes are made from one quarter of the outputs and compared on
		// another: rare classes all look telling where they were found.
		var made Sample
		made, s = s.halves()
		candidates = e.sets(made, s, c.Grid)
	}
	best := event{contains: func(float64) bool { return false }}
	score := math.Inf(-1)
	na, nb := float64(len(s.A)), float64(len(s.B))
	z := normalDeviate(beta / 2)
	for e := range candidates {
		forth := of(limits{wilson(float64(e.b), nb, -z), wilson(float64(e.a), na, z)})
		back := of(limits{wilson(float64(e.a), na, -z), wilson(float64(e.b), nb, z)})
		if v := math.Max(forth, back); v > score {
			score, best = v, e
			best.reversed = back > forth
		}
	}
	return best
}

// wilson is the limit z deviations from k of n, above or below by its sign.
func wilson(k, n, z float64) float64 {
	p, w := k/n, z*z/n
	return (p + w/2 + z*math.Sqrt(p*(1-p)/n+w/(4*n))) / (1 + w)
}

// fineness is how many thresholds are tried.
const fineness = 4096

func thresholds(s Sample) iter.Seq[event] {
	a, b := slices.Sorted(slices.Values(s.A)), slices.Sorted(slices.Values(s.B))
	both := slices.Sorted(slices.Values(slices.Concat(a, b)))
	stride := max(1, len(both)/fineness)
	return func(yield func(event) bool) {
		last := math.NaN()
		for i := stride - 1; i < len(both); i += stride {
			t := both[i]
			if t == last {
				continue
			}
			last = t
			above := func(x float64) bool { return x > t }
			if !yield(event{a: countAbove(a, t), b: countAbove(b, t), contains: above}) {
				return
			}
		}
	}
}

func countAbove(sorted []float64, t float64) int {
	i, _ := slices.BinarySearchFunc(sorted, t, func(x, t float64) int {
		if x > t {
			return 1
		}
		return -1
	})
	return len(sorted) - i
}

// sets are the families that look at classes of outputs: exact values; or the
// position of the lowest set bit, and residues modulo 2, 4, 16 and 256 grid
// steps.
func (e Events) sets(made, s Sample, grid float64) iter.Seq[event] {
	if e == Atoms {
		return classes(made, s, math.Float64bits)
	}
	families := []func(float64) uint64{lowestBit}
	if grid > 0 {
		for _, steps := range [...]float64{2, 4, 16, 256} {
			families = append(families, residue(grid, steps))
		}
	}
	return func(yield func(event) bool) {
		for _, class := range families {
			for e := range classes(made, s, class) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// lowestBit is the exponent of the lowest set bit of x, as a class.
func lowestBit(x float64) uint64 {
	bits := math.Float64bits(x)
	if x == 0 || math.IsInf(x, 0) {
		return bits | 1<<62 // classes of their own
	}
	exponent, mantissa := bits>>52&0x7ff, bits&(1<<52-1)
	if exponent == 0 {
		exponent = 1
	} else {
		mantissa |= 1 << 52
	}
	for mantissa&1 == 0 {
		mantissa >>= 1
		exponent++
	}
	return exponent
}

// offLattice is the class of outputs that are no multiples of the grid.
const offLattice = math.MaxUint64

// residue is x modulo so many grid steps. An output z·g/n is the nearest
// float64 to a lattice point, so a relative error of a few roundings is
// allowed; where the whole part leaves no bits to see it by, x is off.
func residue(grid, steps float64) func(float64) uint64 {
	return func(x float64) uint64 {
		z := x / grid
		whole := math.RoundToEven(z)
		if math.Abs(whole) > 1<<50 || math.Abs(z-whole) > 4*0x1p-53*math.Abs(whole) {
			return offLattice
		}
		r := math.Mod(whole, steps) // exact
		if r < 0 {
			r += steps
		}
		return uint64(r)
	}
}

// tally is how many outputs of the two sides are in a class.
type tally struct {
	class uint64
	a, b  int
}

func (t tally) ratio() float64 { return (float64(t.b) + 0.5) / (float64(t.a) + 0.5) }

// ranked are the classes in s, the most telling of side B first.
func ranked(s Sample, class func(float64) uint64) []tally {
	at := map[uint64]int{}
	var rows []tally
	row := func(v float64) *tally {
		c := class(v)
		i, ok := at[c]
		if !ok {
			i = len(rows)
			at[c], rows = i, append(rows, tally{class: c})
		}
		return &rows[i]
	}
	for _, v := range s.A {
		row(v).a++
	}
	for _, v := range s.B {
		row(v).b++
	}
	slices.SortFunc(rows, func(x, y tally) int {
		return cmp.Or(cmp.Compare(y.ratio(), x.ratio()), cmp.Compare(x.class, y.class))
	})
	return rows
}

// classes are the sets of the classes with the largest ratios of frequencies
// in made, one set per ratio that occurs, counted in s.
func classes(made, s Sample, class func(float64) uint64) iter.Seq[event] {
	rows := ranked(made, class)
	rank := make(map[uint64]int, len(rows))
	for i, r := range rows {
		rank[r.class] = i
	}
	a, b := make([]int, len(rows)), make([]int, len(rows))
	count := func(n []int, x []float64) {
		for _, v := range x {
			if i, ok := rank[class(v)]; ok {
				n[i]++
			}
		}
	}
	count(a, s.A)
	count(b, s.B)
	return func(yield func(event) bool) {
		e := event{}
		for i, r := range rows {
			e.a, e.b = e.a+a[i], e.b+b[i]
			if i+1 < len(rows) && rows[i+1].ratio() == r.ratio() {
				continue
			}
			e.contains = func(x float64) bool { at, ok := rank[class(x)]; return ok && at <= i }
			if !yield(e) {
				return
			}
		}
	}
}
