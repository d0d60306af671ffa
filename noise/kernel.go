package noise

import "encoding/binary"

// How one word becomes one variate. Both loops leave what is rare, an unsure coin, a cell of little probability or a low part
// that might be refused, to the slow path, by noting where it happened: a loop without calls keeps everything in registers.
//
//	narrow, 32 bits:  column 12 | coin 19 | sign 1
//	wide,   64 bits:  column 12 | coin 12 | first bits of keep's coin 8 | sign 1 | low part, up to 31 bits
const (
	maxNarrow  = 1024 // the largest scale with a cell for each magnitude
	narrowCoin = 19
	wideCoin   = 12
	keepBits   = 8
	narrowLen  = blockBytes / 4
	wideLen    = blockBytes / 8
)

// A lateList holds the places in a block that a loop has left to the slow path.
type lateList struct {
	n  uint
	at [narrowLen]uint16
}

func (l *lateList) add(i int) {
	l.at[l.n%narrowLen] = uint16(i)
	l.n++
}

func (l *lateList) places() []uint16 { return l.at[:l.n] }

// addNarrow serves the first elements of dst, as many as there are words in a block, and returns their number.
func (s *Sampler) addNarrow(dst []int64, src *Source) int {
	n := min(len(dst), narrowLen)
	src.load(4 * n)
	narrowLoop(s.table, dst[:n], src)
	for _, i := range src.late.places() {
		dst[i] += s.narrow(binary.LittleEndian.Uint32(src.block[4*int(i):]), src)
	}
	clear(src.block[:4*n])
	return n
}

func narrowLoop(t *table, dst []int64, src *Source) {
	entry, block := &t.entry, &src.block
	_, _ = entry[0], block[0] // else each round would check the pointers
	src.late.n = 0
	dst = dst[:min(len(dst), narrowLen)]
	for i := range dst {
		w := binary.LittleEndian.Uint32(block[4*i : 4*i+4])
		e, coin := entry[w>>20], w<<12
		cell := e % columns
		if coin < e { // the bits after the 19 of the threshold do not matter unless those are equal
			cell = w >> 20
		}
		if coin^e >= 1<<(32-narrowCoin) && cell != rareCell {
			sign := -int64(w & 1)
			dst[i] += (int64(cell) ^ sign) - sign
		} else {
			src.late.add(i)
		}
	}
}

// narrow is the variate that belongs to a word, whatever the case.
func (s *Sampler) narrow(w uint32, src *Source) int64 {
	m := s.table.choose(uint64(w>>20), uint64(w>>1)%(1<<narrowCoin), narrowCoin, src)
	if m == rareCell {
		m = s.rare(src)
	}
	sign := -int64(w & 1)
	return (int64(m) ^ sign) - sign
}

// addWide is addNarrow for cells of several magnitudes.
func (s *Sampler) addWide(dst []int64, src *Source) int {
	n := min(len(dst), wideLen)
	src.load(8 * n)
	s.wideLoop(dst[:n], src)
	for _, i := range src.late.places() {
		dst[i] += s.wide(binary.LittleEndian.Uint64(src.block[8*int(i):]), src)
	}
	clear(src.block[:8*n])
	return n
}

func (s *Sampler) wideLoop(dst []int64, src *Source) {
	entry, block := &s.table.entry, &src.block
	_, _ = entry[0], block[0]
	src.late.n = 0
	width, limit, bound := s.width(), s.limit, s.bound
	dst = dst[:min(len(dst), wideLen)]
	for i := range dst {
		w := binary.LittleEndian.Uint64(block[8*i : 8*i+8])
		head := uint32(w >> 32)
		e, coin := entry[head>>20], head<<12
		cell := e % columns
		if coin < e {
			cell = head >> 20
		}
		if coin^e >= 1<<(32-wideCoin) && cell < limit && head%(1<<keepBits) >= bound {
			sign := int64(int32(w)) >> 63
			dst[i] += (int64(1+uint64(cell)*width+w&(width-1)) ^ sign) - sign
		} else {
			src.late.add(i)
		}
	}
}

// wide is the variate that belongs to a word, whatever the case.
func (s *Sampler) wide(w uint64, src *Source) int64 {
	m := s.table.choose(w>>52, w>>40%(1<<wideCoin), wideCoin, src)
	if m == rareCell {
		m = s.rare(src)
	} else {
		m = s.lowPart(m, w, src)
	}
	sign := int64(int32(w)) >> 63
	return (int64(m) ^ sign) - sign
}

// lowPart chooses the magnitude within a cell: by the bits of a word for it, or of fresh words until one is kept. The word holds
// the complement of keep's coin, so that the loop need compare with one bound only.
func (s *Sampler) lowPart(cell, w uint64, src *Source) uint64 {
	for {
		low, first := w&(s.width()-1), w>>32%(1<<keepBits)
		if first >= uint64(s.bound) && cell < uint64(s.limit) { // sure to be kept
			return 1 + cell<<s.shift + low
		}
		v := first<<(64-keepBits) | src.Uint64()>>keepBits
		if s.ideal.keep(cell, low, ^v, src) {
			return 1 + cell<<s.shift + low
		}
		w = src.Uint64()
	}
}

// inCell draws a magnitude of the cell.
func (s *Sampler) inCell(cell uint64, src *Source) uint64 {
	if s.shift == 0 {
		return cell
	}
	return s.lowPart(cell, src.Uint64(), src)
}

// magnitude draws a variate without its sign.
func (s *Sampler) magnitude(src *Source) uint64 {
	m := s.Draw(src)
	return uint64(max(m, -m))
}
