package noise

import "encoding/binary"

// How one word becomes one variate. Both loops leave what is rare, an unsure coin, a cell of little probability or a low part
// that might be refused, to the slow path, by noting where it happened: a loop without calls keeps everything in registers.
//
//	narrow, 32 bits:  column 12 | coin 19 | sign 1
//	wide,   64 bits:  column 12 | coin 12 | sign 1 | field 39 = keep's coin 39−shift | low shift
const (
	maxNarrow  = 1024 // the largest scale with a cell for each magnitude
	narrowCoin = 19
	wideCoin   = 12
	fieldBits  = 39
	narrowLen  = blockBytes / 4
	wideLen    = blockBytes / 8
)

// addNarrow serves the first elements of dst, as many as there are words in a block, and returns their number.
func (s *Sampler) addNarrow(dst []int64, src *Source) int {
	n := min(len(dst), narrowLen)
	src.load(4 * n)
	slow := narrowLoop(s.table, dst[:n], src)
	for _, i := range src.slow[:slow] {
		dst[i] += s.narrow(binary.LittleEndian.Uint32(src.block[4*int(i):]), src)
	}
	clear(src.block[:4*n])
	return n
}

func narrowLoop(t *table, dst []int64, src *Source) int {
	slow := 0
	dst = dst[:min(len(dst), narrowLen)]
	for i := range dst {
		w := binary.LittleEndian.Uint32(src.block[4*i : 4*i+4])
		e, coin := t.entry[w>>20], w<<12
		cell := e % columns
		if coin < e { // the bits after the 19 of the threshold do not matter unless those are equal
			cell = w >> 20
		}
		if coin^e < 1<<(32-narrowCoin) || cell == rareCell {
			src.slow[slow%narrowLen] = uint16(i)
			slow++
			continue
		}
		sign := -int64(w & 1)
		dst[i] += (int64(cell) ^ sign) - sign
	}
	return slow
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
	slow := s.wideLoop(dst[:n], src)
	for _, i := range src.slow[:slow] {
		dst[i] += s.wide(binary.LittleEndian.Uint64(src.block[8*int(i):]), src)
	}
	clear(src.block[:8*n])
	return n
}

func (s *Sampler) wideLoop(dst []int64, src *Source) int {
	slow := 0
	dst = dst[:min(len(dst), wideLen)]
	entry, width, limit, bound := &s.table.entry, s.width(), s.limit, s.bound
	for i := range dst {
		w := binary.LittleEndian.Uint64(src.block[8*i : 8*i+8])
		e, coin := entry[w>>52], uint32(w>>20)
		cell := uint64(e % columns)
		if coin < e {
			cell = w >> 52
		}
		if coin^e < 1<<(32-wideCoin) || cell >= limit || w%(1<<fieldBits) < bound {
			src.slow[slow%narrowLen] = uint16(i)
			slow++
			continue
		}
		sign := int64(w<<(63-fieldBits)) >> 63
		dst[i] += (int64(1+cell*width+w&(width-1)) ^ sign) - sign
	}
	return slow
}

// wide is the variate that belongs to a word, whatever the case.
func (s *Sampler) wide(w uint64, src *Source) int64 {
	m := s.table.choose(w>>52, w>>40%(1<<wideCoin), wideCoin, src)
	if m == rareCell {
		m = s.rare(src)
	} else {
		m = s.lowPart(m, w, src)
	}
	sign := int64(w<<(63-fieldBits)) >> 63
	return (int64(m) ^ sign) - sign
}

// lowPart chooses the magnitude within a cell: that of the word's field, or of fresh words until one is kept. Of keep's coin
// the complement is in the field, so that the loops need compare with one bound only.
func (s *Sampler) lowPart(cell, w uint64, src *Source) uint64 {
	for {
		known, field := fieldBits-s.shift, w%(1<<fieldBits)
		low := field & (s.width() - 1)
		if field >= s.bound && cell < s.limit {
			return 1 + cell<<s.shift + low // sure to be kept
		}
		v := field>>s.shift<<(64-known) | src.Uint64()>>known
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
