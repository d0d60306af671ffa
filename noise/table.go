package noise

import (
	"math/big"
	"math/bits"
)

// A table is Walker's alias table in exact integer arithmetic. A column is chosen by 12 bits, and one of the two cells in
// it by a coin of 83 bits, of which the first 19 (or 12) come with the column and the others are drawn only when these
// equal those of the threshold. A cell of weight w is chosen with probability exactly w/2^95.
const (
	columns   = 1 << 12
	rareCell  = columns - 1 // what is not in the table: beyond it, zero where it is too rare for a cell, and the rests
	topBits   = 19          // of a threshold, held beside the alias
	coinBits  = topBits + 64
	tableBits = 12 + coinBits // weights add up to 2^tableBits
)

// weight is an unsigned integer of 128 bits.
type weight struct{ hi, lo uint64 }

// columnFull is the weight that one column holds.
var columnFull = weight{hi: 1 << topBits}

func (a weight) less(b weight) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a weight) minus(b weight) weight {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return weight{hi, lo}
}

func toWeight(v *big.Int) weight {
	hi := new(big.Int).Rsh(v, 64).Uint64()
	return weight{hi, new(big.Int).Sub(v, weight{hi: hi}.big()).Uint64()}
}

func (a weight) big() *big.Int {
	v := new(big.Int).SetUint64(a.hi)
	return v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(a.lo))
}

type table struct {
	entry [columns]uint32 // from the top: 19 bits of threshold, a zero, 12 bits of alias
	low   [columns]uint64 // the other 64 bits of the threshold
}

// newTable fills the columns (Vose 1991). The weights add up to 2^tableBits, so that both lists end together.
func newTable(w [columns]weight) *table {
	t := &table{}
	var small, large []int
	for i := range w {
		if w[i].less(columnFull) {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
		t.entry[i] = uint32(i) // a full column: both cells are its own, whatever the coin
	}
	for len(small) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		t.entry[s] = uint32(w[s].hi)<<(32-topBits) | uint32(l)
		t.low[s] = w[s].lo
		w[l] = w[l].minus(columnFull.minus(w[s]))
		if w[l].less(columnFull) {
			small, large = append(small, l), large[:len(large)-1]
		}
	}
	return t
}

// choose returns the cell for a column and the known first bits of its coin; it draws the others when they matter.
func (t *table) choose(column, coin uint64, known uint, src *Source) uint64 {
	e := t.entry[column]
	own, alias, top := column, uint64(e%columns), uint64(e>>(32-topBits))
	if known < topBits && coin == top>>(topBits-known) {
		coin = coin<<(topBits-known) | src.Uint64()>>(64-(topBits-known))
		known = topBits
	}
	top >>= topBits - known
	if coin < top || coin == top && src.Uint64() < t.low[column] {
		return own
	}
	return alias
}
