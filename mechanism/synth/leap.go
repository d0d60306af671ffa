package synth

import "math"

// leaps is the law of how gaze gets from one start to the next: a mixture of laws
// along x times laws along y, each of which passes over a raster in time linear
// in its cells, and of anywhere. The density of gaze is not in it.
type leaps struct {
	cells    raster
	x, y     [leapLaws]leapLaw
	weights  [leapLaws][leapLaws]float64 // by law along x and along y
	anywhere float64
	alongX   [leapLaws][]float64
	alongY   []float64
	mixed    []float64
}

// leapLaw is a law of signed distances along a line, in cells: near, to either
// side, or towards one end, there with a peak away from zero.
type leapLaw struct {
	keep float64 // ratio of the geometric law, or of the two that add up
	way  int     // 0 = both
}

// Laws along a line, in pairs that mirror each other but for the first one. The
// public mixture is what gaze does in half a second: typed here, from no data of
// the release.
const leapLaws = 5

var (
	leapsX = [...]struct{ deg, share float64 }{{1, 0.3}, {4, 0.25}, {13, 0.1}} // shares: of each of a pair
	leapsY = [...]struct{ deg, share float64 }{{0.4, 0.4}, {1.5, 0.2}, {5.5, 0.1}}
)

const (
	anywhere     = 0.1
	leapBelief   = 100  // pairs of windows that the public mixture is worth
	leapRounds   = 6    // of expectation maximisation
	leapHaste    = 1.7  // exponent of its steps: below 2 they end where those of exponent 1 do, sooner
	leapsLearned = 2048 // windows that it looks at: more of them hardly change the mixture
)

func newLeaps(cells raster, perDegree float64) *leaps {
	k := &leaps{cells: cells, anywhere: anywhere, alongY: make([]float64, cells.len()), mixed: make([]float64, cells.len())}
	var shareX, shareY [leapLaws]float64
	for i := range leapLaws {
		pair := (i + 1) / 2
		k.x[i], shareX[i] = newLeapLaw(i, leapsX[pair].deg*perDegree/cells.width), leapsX[pair].share
		k.y[i], shareY[i] = newLeapLaw(i, leapsY[pair].deg*perDegree/cells.height), leapsY[pair].share
		k.alongX[i] = make([]float64, cells.len())
	}
	for i := range leapLaws {
		for j := range leapLaws {
			k.weights[i][j] = (1 - anywhere) * shareX[i] * shareY[j]
		}
	}
	return k
}

// newLeapLaw has a scale in cells, or two of half of it.
func newLeapLaw(i int, scale float64) leapLaw {
	switch {
	case i == 0:
		return leapLaw{keep: math.Exp(-1 / scale)}
	case i%2 == 1:
		return leapLaw{keep: math.Exp(-2 / scale), way: 1}
	}
	return leapLaw{keep: math.Exp(-2 / scale), way: -1}
}

// mirrored is the law in the other direction.
func mirrored(i int) int {
	if i == 0 {
		return 0
	}
	return (i - 1) ^ 1 + 1
}

// pass writes v moved by the law.
func (k *leaps) pass(dst, v []float64) { k.mix(dst, v, func(i int) int { return i }) }

// back writes v moved by the law in the other direction: by each place, the sum
// over where gaze gets from there.
func (k *leaps) back(dst, v []float64) { k.mix(dst, v, mirrored) }

func (k *leaps) mix(dst, v []float64, of func(int) int) {
	k.acrossX(v)
	everywhere := k.anywhere * sum(v) / float64(len(v))
	for i := range dst {
		dst[i] = everywhere
	}
	for j, law := range k.y {
		clear(k.mixed)
		for i, along := range k.alongX {
			w := k.weights[of(i)][of(j)]
			for c, a := range along {
				k.mixed[c] += w * a
			}
		}
		law.down(k.alongY, k.mixed, k.cells.cols)
		for c, a := range k.alongY {
			dst[c] += a
		}
	}
}

// acrossX moves v by each law along x.
func (k *leaps) acrossX(v []float64) {
	for i, law := range k.x {
		law.across(k.alongX[i], v, k.cells.cols)
	}
}

// across writes v moved along rows. Both ways it is a geometric law of both signs;
// one way it is the sum of two geometric laws.
func (l leapLaw) across(dst, v []float64, cols int) {
	for from := 0; from < len(v); from += cols {
		line, out := v[from:from+cols], dst[from:from+cols]
		switch l.way {
		case 0:
			l.both(out, line)
		case 1:
			a, b := 0.0, 0.0
			for i, x := range line {
				a = l.keep*a + (1-l.keep)*x
				b = l.keep*b + (1-l.keep)*a
				out[i] = b
			}
		default:
			a, b := 0.0, 0.0
			for i := cols - 1; i >= 0; i-- {
				a = l.keep*a + (1-l.keep)*line[i]
				b = l.keep*b + (1-l.keep)*a
				out[i] = b
			}
		}
	}
}

func (l leapLaw) both(out, line []float64) {
	f, s := (1-l.keep)/(1+l.keep), 0.0
	for i, x := range line {
		s = l.keep*s + x
		out[i] = f * s
	}
	s = 0
	for i := len(line) - 1; i >= 0; i-- {
		out[i] += f * l.keep * s
		s = l.keep*s + line[i]
	}
}

// down does the same along columns.
func (l leapLaw) down(dst, v []float64, cols int) {
	rows := len(v) / cols
	var line, out [states]float64
	for c := range cols {
		for r := range rows {
			line[r] = v[r*cols+c]
		}
		l.across(out[:rows], line[:rows], rows)
		for r := range rows {
			dst[r*cols+c] = out[r]
		}
	}
}

// leapCounts are sums over pairs of neighbouring windows.
type leapCounts struct {
	pairs    float64
	weights  [leapLaws][leapLaws]float64 // leaps by each law that reports speak of
	anywhere float64
	from     []float64 // where they start, by state
}

// learn changes the mixture to what stretches of starts say of it: expectation
// maximisation of the likelihood of all starts, given the density, with the
// public mixture as so many pairs seen before.
func (p *positions) learn(stretches [][]point) {
	if p.exact() {
		return
	}
	var told [][]seen
	for _, starts := range stretches {
		var s []seen
		for _, z := range starts {
			s = append(s, p.see(z))
		}
		told = append(told, s)
	}
	public := *p.kernel
	passing := p.kernel.passing(p.shares)
	for range leapRounds {
		l := leapCounts{from: make([]float64, states*states)}
		for _, s := range told {
			p.gather(&l, s)
		}
		if l.pairs == 0 {
			return
		}
		p.kernel.update(&l, &public, passing, p.leave)
		p.kernel.back(p.leave, p.shares)
	}
}

// passing is what the density lets pass from each state, law by law.
func (k *leaps) passing(shares []float64) (out [leapLaws][leapLaws][]float64) {
	k.acrossX(shares)
	for i, along := range k.alongX {
		for j, law := range k.y {
			v := make([]float64, len(shares))
			law.down(v, along, k.cells.cols)
			out[mirrored(i)][mirrored(j)] = v
		}
	}
	return out
}

// update multiplies each weight with how many leaps reports speak of over how
// many the mixture has.
func (k *leaps) update(l *leapCounts, public *leaps, passing [leapLaws][leapLaws][]float64, leave []float64) {
	visits := 0.0
	for i, n := range l.from {
		l.from[i] /= leave[i]
		visits += n / leave[i]
	}
	total := 0.0
	for i := range leapLaws {
		for j := range leapLaws {
			w, expected := &k.weights[i][j], 0.0
			for c, pass := range passing[i][j] {
				expected += l.from[c] * pass
			}
			*w *= math.Pow((l.weights[i][j]+leapBelief*public.weights[i][j])/(*w*expected+leapBelief**w), leapHaste)
			total += *w
		}
	}
	each := visits / float64(len(leave))
	k.anywhere *= math.Pow((l.anywhere+leapBelief*public.anywhere)/(k.anywhere*each+leapBelief*k.anywhere), leapHaste)
	total += k.anywhere
	for i := range leapLaws {
		for j := range leapLaws {
			k.weights[i][j] /= total
		}
	}
	k.anywhere /= total
}

// gather adds a stretch.
func (p *positions) gather(l *leapCounts, told []seen) {
	before, from := make([][]float64, len(told)), ones(states*states)
	for k := range told {
		before[k] = from
		from = p.forward(from, told[k].mass)
	}
	after, at, to := ones(states*states), make([]float64, states*states), make([]float64, states*states)
	for k := len(told) - 1; k > 0; k-- {
		for i := range at {
			at[i] = before[k-1][i] * told[k-1].mass[i] / p.leave[i]
			to[i] = after[i] * told[k].mass[i]
		}
		p.kernel.speak(l, at, to)
		p.previous(after, told[k].mass)
		total := 0.0
		for i := range after {
			total += before[k-1][i] * told[k-1].mass[i] * after[i]
		}
		for i := range after {
			l.from[i] += before[k-1][i] * told[k-1].mass[i] * after[i] / max(total, math.SmallestNonzeroFloat64)
		}
	}
}

// speak adds one leap from what is said of its start and of its end.
func (k *leaps) speak(l *leapCounts, at, to []float64) {
	k.acrossX(at)
	var shares [leapLaws][leapLaws]float64
	total := 0.0
	for j := range k.y {
		k.y[mirrored(j)].down(k.alongY, to, k.cells.cols)
		for i, along := range k.alongX {
			s := 0.0
			for c, a := range along {
				s += a * k.alongY[c]
			}
			shares[i][j] = k.weights[i][j] * s
			total += shares[i][j]
		}
	}
	far := k.anywhere * sum(at) * sum(to) / float64(len(at))
	if total += far; !(total > 0) {
		return
	}
	for i := range shares {
		for j, s := range shares[i] {
			l.weights[i][j] += s / total
		}
	}
	l.anywhere += far / total
	l.pairs++
}
