package noise

import "math/big"

// The rare cell has the weight that the others leave: the probability beyond the table, that of 0 where it has no cell of its
// own, and for each cell what its weight falls short of the truth, less than 2^-93 each. Sharing it out exactly makes
// the whole law exact.

// rare draws the magnitude, given the rare cell.
func (s *Sampler) rare(src *Source) uint64 {
	switch u := src.Uint64(); {
	case u < s.beyondTo:
		return s.ideal.beyond(s, src)
	case u >= s.zeroFrom && u < s.zeroTo:
		return 0
	default:
		return s.exactRare(u, src)
	}
}

// exactRare does so by as many bits as it takes, the first 64 being u. For scales from 1 on it is called once in 2^60 draws
// or fewer.
func (s *Sampler) exactRare(u uint64, src *Source) uint64 {
	point := newUniform(u)
	for prec := uint(2 * tableBits); ; prec *= 2 {
		point.grow(prec, src)
		switch i := s.locate(point, s.rests(prec), prec); i {
		case -1: // too close to tell
		case 0:
			return s.ideal.beyond(s, src)
		case 1:
			return 0
		default:
			return s.inCell(uint64(i-2), src)
		}
	}
}

// rests returns what makes up the rare cell, in units of 2^-prec and at most 2 units below the truth: beyond the table,
// zero, the shortfall of each cell.
func (s *Sampler) rests(prec uint) []*big.Int {
	m, coarse := s.ideal.masses(prec), s.ideal.masses(tableBits)
	for c, v := range m.cell {
		w := s.quantise(coarse.cell[c])
		v.Sub(v, w.Lsh(w, prec-tableBits))
	}
	return append([]*big.Int{m.beyond, m.zero}, m.cell...)
}

// locate finds the rest on which the point falls, 0 being the start of the first and 1 the end of the last; -1 if it is too
// close to an end to tell.
func (s *Sampler) locate(point *uniform, rests []*big.Int, prec uint) int {
	total := new(big.Int).Lsh(big.NewInt(1), prec) // exactly, as the probabilities add up to 1
	for _, v := range s.ideal.masses(tableBits).cell {
		w := s.quantise(v)
		total.Sub(total, w.Lsh(w, prec-tableBits))
	}
	from := new(big.Int).Mul(point.num, total) // in units of 2^-(prec+bits) from here on
	to := new(big.Int).Add(from, total)

	end := new(big.Int) // of the rests up to i, at most 2(i+1) units of 2^-prec below the truth
	for i, v := range rests {
		before := new(big.Int).Add(end, big.NewInt(2*int64(i)))
		end.Add(end, v)
		last := new(big.Int).Lsh(end, point.bits)
		if i == len(rests)-1 {
			last.Lsh(total, point.bits)
		}
		if before.Lsh(before, point.bits).Cmp(from) <= 0 && to.Cmp(last) <= 0 {
			return i
		}
	}
	return -1
}
