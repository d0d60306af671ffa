package classify

import (
	"math"

	"gonum.org/v1/gonum/blas/blas32"
)

// table holds rows in single precision, centred and scaled, column by column,
// for distances of many pairs at a time: |a−b|² = |a|² + |b|² − 2ab, summed up
// over the columns for a stretch of rows that stays in the cache.
type table struct {
	rows   int
	column [][]float32
	norm   []float32 // squared, of the rows
	centre []float64
	scale  float64
}

// newTable holds x times scale; scale 0 brings the rows into the unit cube.
func newTable(x [][]float64, scale float64) *table {
	t := &table{centre: make([]float64, len(x[0])), scale: scale}
	for _, row := range x {
		for j, v := range row {
			t.centre[j] += v / float64(len(x))
		}
	}
	if scale == 0 {
		top := 0.0
		for _, row := range x {
			for j, v := range row {
				top = math.Max(top, math.Abs(v-t.centre[j]))
			}
		}
		t.scale = 1 / math.Max(top, math.SmallestNonzeroFloat32)
	}
	t.hold(x)
	return t
}

// hold fills the columns.
func (t *table) hold(x [][]float64) {
	t.rows, t.column, t.norm = len(x), make([][]float32, len(t.centre)), make([]float32, len(x))
	for j := range t.column {
		t.column[j] = make([]float32, len(x))
	}
	v := make([]float32, len(t.centre))
	for i, row := range x {
		t.norm[i] = t.take(v, row)
		for j, c := range v {
			t.column[j][i] = c
		}
	}
}

// take brings a row into the table's coordinates and returns its squared norm.
func (t *table) take(dst []float32, row []float64) float32 {
	sum := 0.0
	for j, v := range row {
		dst[j] = float32((v - t.centre[j]) * t.scale)
		sum += float64(dst[j]) * float64(dst[j])
	}
	return float32(sum)
}

// squares sets dst to the squared distances of a row, as taken, from the
// table's; they may lie below zero by rounding.
func (t *table) squares(dst, row []float32, norm float32) {
	const stretch = 2048
	for lo := 0; lo < t.rows; lo += stretch {
		hi := min(lo+stretch, t.rows)
		d := blas32.Vector{N: hi - lo, Inc: 1, Data: dst[lo:hi]}
		for i, n := range t.norm[lo:hi] {
			d.Data[i] = norm + n
		}
		for j, c := range t.column {
			blas32.Axpy(-2*row[j], blas32.Vector{N: hi - lo, Inc: 1, Data: c[lo:hi]}, d)
		}
	}
}

// from is squares for the table's own row i; v is scratch of its width.
func (t *table) from(dst, v []float32, i int) {
	for j, c := range t.column {
		v[j] = c[i]
	}
	t.squares(dst, v, t.norm[i])
}

const expSteps = 256

var expTable = func() (t [expSteps]float64) {
	for i := range t {
		t[i] = math.Exp2(-float64(i) / expSteps)
	}
	return t
}()

// decay replaces every d by e^−d, to single precision, those below zero by 1: a
// table of 2^−i/256 and three terms of the series, since exponentials dominate
// kernel methods.
func decay(d []float32) {
	for i, v := range d {
		u := float64(v) * (expSteps / math.Ln2)
		if u < 0 {
			u = 0
		}
		if !(u < 140*expSteps) { // below the smallest single
			d[i] = 0
			continue
		}
		n := int64(u)
		r := (u - float64(n)) * (math.Ln2 / expSteps)
		power := math.Float64frombits(uint64(1023-n/expSteps) << 52)
		d[i] = float32(power * expTable[n%expSteps] * (1 - r*(1-r*(0.5-r*(1.0/6)))))
	}
}
