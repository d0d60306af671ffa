package noise

import "math/big"

// A layout says which magnitudes the cells of a table stand for. At shift 0 cell c is the magnitude c. Else cell c is the
// magnitudes 1 + c·2^shift + low, low < 2^shift, and 0 has no cell, being rare.
type layout struct {
	cells int // at most rareCell; fewer only in tests
	shift uint
}

func (l layout) width() uint64 { return 1 << l.shift }

// first is the smallest magnitude that has a cell.
func (l layout) first() uint64 { return min(1, uint64(l.shift)) }

// end is the smallest magnitude beyond all cells.
func (l layout) end() uint64 { return l.first() + uint64(l.cells)<<l.shift }

// layoutFor returns the narrowest cells for which there are at most perScale cells to a scale; single magnitudes up to 1024.
func layoutFor(scale, perScale float64) layout {
	l := layout{cells: rareCell}
	if scale > maxNarrow {
		for scale/float64(l.width()) > perScale {
			l.shift++
		}
	}
	return l
}

// masses are probabilities in units of 2^-prec, each from 0 to 2 units below the truth.
type masses struct {
	beyond, zero *big.Int // of magnitudes beyond the table; of 0, if it has no cell
	cell         []*big.Int
}

// An ideal law is what a Sampler realises, exactly.
type ideal interface {
	// masses computes the law of the table's cells.
	masses(prec uint) masses
	// keep decides whether a uniform low stays in its cell: a coin, v its first 64 bits, whose probability is that of the
	// magnitude over that of the first one in the cell.
	keep(cell, low, v uint64, src *Source) bool
	// rejects bounds the probability that keep fails in a cell below limit.
	rejects(limit uint64) float64
	// beyond draws a magnitude from those beyond the table.
	beyond(s *Sampler, src *Source) uint64
	stdDev() float64
}

func newRat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratUint(n uint64) *big.Rat { return new(big.Rat).SetUint64(n) }
