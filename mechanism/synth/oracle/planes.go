package oracle

// block is how many reports the counters take together.
const block = 16

// planes counts, for many lanes at once, how many words have the lane's bit set: bit k of a lane's count is in plane k (a vertical
// counter). Reports wait until there are 16 of them; carry-save adders then bring those to one word per lane that carries into plane 4.
type planes struct {
	words   int
	counts  [][]uint64 // by plane; at least four
	waiting []uint64   // reports not yet counted, one behind the other
	n       int        // reports added
}

func newPlanes(words int) *planes {
	p := &planes{words: words, waiting: make([]uint64, 0, block*words)}
	for range 4 {
		p.counts = append(p.counts, make([]uint64, words))
	}
	return p
}

// add counts a report of the right length.
func (p *planes) add(report []uint64) {
	p.waiting = append(p.waiting, report...)
	if p.n++; len(p.waiting) == cap(p.waiting) {
		p.absorb()
	}
}

// absorb counts a full block.
func (p *planes) absorb() {
	w, x := p.words, p.waiting
	ones, twos, fours, eights := p.counts[0], p.counts[1], p.counts[2], p.counts[3]
	for i := range w {
		var a, b, c, d, e, f, g uint64
		one, two, four := ones[i], twos[i], fours[i]
		one, a = fullAdd(one, x[i], x[w+i])
		one, b = fullAdd(one, x[2*w+i], x[3*w+i])
		two, e = fullAdd(two, a, b)
		one, a = fullAdd(one, x[4*w+i], x[5*w+i])
		one, b = fullAdd(one, x[6*w+i], x[7*w+i])
		two, f = fullAdd(two, a, b)
		four, g = fullAdd(four, e, f)
		one, a = fullAdd(one, x[8*w+i], x[9*w+i])
		one, b = fullAdd(one, x[10*w+i], x[11*w+i])
		two, c = fullAdd(two, a, b)
		one, a = fullAdd(one, x[12*w+i], x[13*w+i])
		one, b = fullAdd(one, x[14*w+i], x[15*w+i])
		two, d = fullAdd(two, a, b)
		four, e = fullAdd(four, c, d)
		ones[i], twos[i], fours[i] = one, two, four
		eights[i], a = fullAdd(eights[i], g, e)
		p.carry(i, 4, a)
	}
	p.waiting = x[:0]
}

// fullAdd adds three bits per lane.
func fullAdd(a, b, c uint64) (sum, carry uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

// carry adds x to lane counts from plane k on.
func (p *planes) carry(i, k int, x uint64) {
	for ; x != 0; k++ {
		if k == len(p.counts) {
			p.counts = append(p.counts, make([]uint64, p.words))
		}
		p.counts[k][i], x = p.counts[k][i]^x, p.counts[k][i]&x
	}
}

// settle counts the reports that wait, one by one.
func (p *planes) settle() {
	for i, x := range p.waiting {
		p.carry(i%p.words, 0, x)
	}
	p.waiting = p.waiting[:0]
}

// merge adds the counts of q, which are settled but unchanged otherwise.
func (p *planes) merge(q *planes) {
	q.settle()
	for k, plane := range q.counts {
		for i, x := range plane {
			p.carry(i, k, x)
		}
	}
	p.n += q.n
}

// totals returns the counts of the first lanes.
func (p *planes) totals(lanes int) []int64 {
	p.settle()
	out := make([]int64, lanes)
	for i := range out {
		for k, plane := range p.counts {
			out[i] += int64(plane[i/64]>>(i%64)&1) << k
		}
	}
	return out
}
