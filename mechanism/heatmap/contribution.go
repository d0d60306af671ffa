package heatmap

import "math"

// kernel is the right half, centre first, of a sampled Gaussian of standard
// deviation s cells that sums to one; s = 0 is the identity.
func kernel(s float64) []float64 {
	if s <= 0 {
		return []float64{1}
	}
	half := make([]float64, int(math.Ceil(4*s))+1)
	total := 0.0
	for i := range half {
		half[i] = math.Exp(-float64(i*i) / (2 * s * s))
		total += half[i]
		if i > 0 {
			total += half[i]
		}
	}
	for i := range half {
		half[i] /= total
	}
	return half
}

// blurrer spreads the cells of a subject's maps over padded frames. Most cells
// of one person are empty, so each occupied one is stamped by itself.
type blurrer struct {
	canvas       Canvas
	margin, lead int       // cells around a frame, steps before and after a film
	space, time  []float64 // kernels
}

func (b *blurrer) stride() int { return b.canvas.Cols() + 2*b.margin }
func (b *blurrer) height() int { return b.canvas.Rows() + 2*b.margin }
func (b *blurrer) steps() int  { return max(b.canvas.Steps, 1) + 2*b.lead }
func (b *blurrer) frame() int  { return b.stride() * b.height() }
func (b *blurrer) len() int    { return max(b.canvas.Stimuli, 1) * b.steps() * b.frame() }

// spread writes the blurred, normalised vector into dst: each stimulus that
// was looked at at all has total dwell one, the others zero.
func (b *blurrer) spread(dst, m []float64) {
	clear(dst)
	film := max(b.canvas.Steps, 1) * b.canvas.Rows() * b.canvas.Cols()
	for s := range max(b.canvas.Stimuli, 1) {
		part := m[s*film : (s+1)*film]
		total := 0.0
		for _, v := range part {
			total += amount(v)
		}
		if total < math.SmallestNonzeroFloat64*0x1p60 || math.IsInf(total, 1) {
			continue
		}
		b.spreadFilm(dst[s*b.steps()*b.frame():], part, 1/total)
	}
}

func (b *blurrer) spreadFilm(dst, part []float64, scale float64) {
	cols, rows := b.canvas.Cols(), b.canvas.Rows()
	for i, v := range part {
		if v = amount(v); v == 0 {
			continue
		}
		x, y, t := i%cols, i/cols%rows, i/(cols*rows)
		for dt := -len(b.time) + 1; dt < len(b.time); dt++ {
			at := t + b.lead + dt
			if at < 0 || at >= b.steps() {
				continue
			}
			w := v * scale * b.time[abs(dt)]
			b.stamp(dst[at*b.frame():(at+1)*b.frame()], x+b.margin, y+b.margin, w)
		}
	}
}

func (b *blurrer) stamp(frame []float64, x, y int, w float64) {
	r, stride, height := len(b.space)-1, b.stride(), b.height()
	left, right := max(-r, -x), min(r, stride-1-x)
	for dy := max(-r, -y); dy <= min(r, height-1-y); dy++ {
		row := frame[(y+dy)*stride+x+left:][:right-left+1]
		wy := w * b.space[abs(dy)]
		for i := range row {
			row[i] += wy * b.space[abs(left+i)]
		}
	}
}

func abs(i int) int {
	if i < 0 {
		return -i
	}
	return i
}
