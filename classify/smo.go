package classify

// kernel hands out rows of the kernel matrix of a table, and keeps as many as
// its budget allows, dropping the one that was not used for longest.
type kernel struct {
	t     *table
	rows  [][]float32 // nil = not at hand
	after []int       // doubly linked by use; the last entry is the ring's head
	prior []int
	room  int // rows that may be added before one is dropped
	spare []float32
	taken []float32
}

func newKernel(t *table, budget int) *kernel {
	k := &kernel{t: t, rows: make([][]float32, t.rows), after: make([]int, t.rows+1), prior: make([]int, t.rows+1), taken: make([]float32, len(t.column))}
	k.room = max(2, budget/(4*t.rows)) // a step needs two at once
	k.after[t.rows], k.prior[t.rows] = t.rows, t.rows
	return k
}

// row returns kernel values of row i with all rows. It stays valid while one
// other row is asked for.
func (k *kernel) row(i int) []float32 {
	head := len(k.rows)
	if k.rows[i] != nil {
		k.after[k.prior[i]], k.prior[k.after[i]] = k.after[i], k.prior[i]
	} else {
		if k.room == 0 {
			oldest := k.after[head]
			k.after[head], k.prior[k.after[oldest]] = k.after[oldest], head
			k.spare, k.rows[oldest] = k.rows[oldest], nil
			k.room++
		}
		if k.spare == nil {
			k.spare = make([]float32, len(k.rows))
		}
		k.room--
		k.rows[i], k.spare = k.spare, nil
		k.t.from(k.rows[i], k.taken, i)
		decay(k.rows[i])
	}
	k.prior[i], k.after[i] = k.prior[head], head
	k.after[k.prior[head]], k.prior[head] = i, i
	return k.rows[i]
}

// span is a range of rows.
type span struct{ lo, hi int }

func (s span) len() int { return s.hi - s.lo }

// pair is the dual problem of two classes, solved by sequential minimal
// optimisation with second-order choice of the working set (Fan, Chen and Lin
// 2005). With y = +1 for the rows of a, −1 for those of b, and G the gradient
// of the dual, slope holds −y·G: a step of size d on (i, j) adds d to y·alpha
// of i, takes it from that of j, and moves slope by −d(K_i − K_j).
type pair struct {
	k     *kernel
	a, b  span
	c     float64
	alpha []float64
	slope []float64
	up    []bool // y·alpha may grow
	down  []bool // y·alpha may shrink
}

func newPair(k *kernel, a, b span, c float64) *pair {
	n := a.len() + b.len()
	p := &pair{k: k, a: a, b: b, c: c, alpha: make([]float64, n), slope: make([]float64, n), up: make([]bool, n), down: make([]bool, n)}
	for i := range n {
		first := i < a.len()
		p.up[i], p.down[i] = first, !first
		p.slope[i] = -1
		if first {
			p.slope[i] = 1
		}
	}
	return p
}

// row is the kernel row of local row i, in two parts.
func (p *pair) row(i int) (a, b []float32) {
	g := p.a.lo + i
	if i >= p.a.len() {
		g = p.b.lo + i - p.a.len()
	}
	r := p.k.row(g)
	return r[p.a.lo:p.a.hi], r[p.b.lo:p.b.hi]
}

// solve steps until no pair of rows violates the optimality conditions by more
// than the tolerance. The number of steps is limited for data on which
// rounding keeps it from getting there.
func (p *pair) solve(tolerance float64) {
	na := p.a.len()
	for range max(10_000_000, 100*len(p.alpha)) {
		i, lowest := p.first()
		if i < 0 || p.slope[i]-lowest < tolerance {
			return
		}
		ia, ib := p.row(i)
		b1 := second{top: p.slope[i], at: -1}
		b1.among(p.slope[:na], p.down[:na], ia, 0)
		b1.among(p.slope[na:], p.down[na:], ib, na)
		if b1.at < 0 {
			return
		}
		step := p.step(i, b1.at, b1.size)
		ja, jb := p.row(b1.at)
		move(p.slope[:na], ia, ja, step)
		move(p.slope[na:], ib, jb, step)
	}
}

// first is the row whose y·alpha most wants to grow, and the lowest slope of
// those that may shrink.
func (p *pair) first() (at int, lowest float64) {
	at = -1
	top, bottom := 0.0, 0.0
	some := false
	down := p.down[:len(p.slope)]
	for t, ok := range p.up[:len(p.slope)] {
		s := p.slope[t]
		if ok && (at < 0 || s > top) {
			at, top = t, s
		}
		if down[t] && (!some || s < bottom) {
			some, bottom = true, s
		}
	}
	if !some {
		return -1, 0
	}
	return at, bottom
}

// second looks for the partner with the largest gain.
type second struct {
	top        float64 // slope of the first row
	gain, size float64
	at         int
}

func (s *second) among(slope []float64, down []bool, kernel []float32, base int) {
	down, kernel = down[:len(slope)], kernel[:len(slope)]
	for t, v := range slope {
		d := s.top - v
		if !down[t] || d <= 0 {
			continue
		}
		curve := 2 - 2*float64(kernel[t]) // K_ii + K_tt − 2K_it
		if curve < 1e-12 {
			curve = 1e-12
		}
		if gain := d * d / curve; gain > s.gain {
			s.gain, s.size, s.at = gain, d/curve, t+base
		}
	}
}

// step moves the pair as far as the box allows, and returns how far.
func (p *pair) step(i, j int, size float64) float64 {
	na := p.a.len()
	room := func(t int, grows bool) float64 {
		if (t < na) == grows {
			return p.c - p.alpha[t]
		}
		return p.alpha[t]
	}
	size = min(size, room(i, true), room(j, false))
	p.shift(i, size)
	p.shift(j, -size)
	return size
}

// shift adds d to y·alpha of row t.
func (p *pair) shift(t int, d float64) {
	first := t < p.a.len()
	if !first {
		d = -d
	}
	v := p.alpha[t] + d
	edge := 1e-12 * p.c // rounding must not leave a row just off its bound
	if v < edge {
		v = 0
	} else if v > p.c-edge {
		v = p.c
	}
	p.alpha[t] = v
	grow, shrink := v < p.c, v > 0
	if !first {
		grow, shrink = shrink, grow
	}
	p.up[t], p.down[t] = grow, shrink
}

func move(slope []float64, ki, kj []float32, step float64) {
	ki, kj = ki[:len(slope)], kj[:len(slope)]
	for t := range slope {
		slope[t] -= step * float64(ki[t]-kj[t])
	}
}

// offset is the mean slope of the rows between their bounds, or the middle of
// what the others allow.
func (p *pair) offset() float64 {
	sum, n := 0.0, 0
	for t, up := range p.up {
		if up && p.down[t] {
			sum += p.slope[t]
			n++
		}
	}
	if n > 0 {
		return sum / float64(n)
	}
	i, lowest := p.first()
	if i < 0 {
		return 0
	}
	return (p.slope[i] + lowest) / 2
}

// signed are y·alpha of both classes' rows.
func (p *pair) signed() (a, b []float64) {
	na := p.a.len()
	for t := na; t < len(p.alpha); t++ {
		p.alpha[t] = -p.alpha[t]
	}
	return p.alpha[:na:na], p.alpha[na:]
}
