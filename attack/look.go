package attack

import (
	"fmt"
	"math"
	"sort"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
)

// Events is the I-VT of Ren et al. 2024: 30 deg/s, fixations of 200 ms.
func Events() detect.IVT {
	d := detect.Standard()
	d.MinDuration = 200 * time.Millisecond
	return d
}

// Look is a recording's fixations and saccades as vectors, in degrees and
// seconds. Fixations: logarithms of the duration, of the deviations to the
// right and up, of the length of the path and of its mean velocity, and the
// dispersion. Saccades: logarithms of amplitude, duration and peak velocity,
// their ratio to a mean one, and the direction. With positions also where the
// fixation is, and where the saccade starts and ends.
func Look(person int, rec *gaze.Recording, d detect.IVT, positions bool) (Looker, error) {
	l := Looker{Person: person}
	fixations, err := d.Fixations(rec)
	if err != nil {
		return l, fmt.Errorf("attack: fixations: %w", err)
	}
	saccades, err := d.Saccades(rec)
	if err != nil {
		return l, fmt.Errorf("attack: saccades: %w", err)
	}
	sight, err := detect.NewSight(&rec.Header, d.PixelsPerDegree)
	if err != nil {
		return l, fmt.Errorf("attack: positions: %w", err)
	}
	for _, f := range fixations {
		l.Fixations = keep(l.Fixations, fixationVector(rec, &sight, f, positions))
	}
	for _, s := range saccades {
		l.Saccades = keep(l.Saccades, saccadeVector(&sight, s, positions))
	}
	return l, nil
}

func keep(all [][]float64, v []float64) [][]float64 {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return all
		}
	}
	if v == nil {
		return all
	}
	return append(all, v)
}

// tiny keeps logarithms finite where nothing moves: a thousandth of a degree,
// of a second, or of a degree per second.
const tiny = 1e-3

func logarithm(v float64) float64 { return math.Log(tiny + v) }

// fixationVector is nil for a fixation without two samples.
func fixationVector(rec *gaze.Recording, sight *detect.Sight, f gaze.Fixation, positions bool) []float64 {
	track, _, ok := rec.Best()
	if !ok {
		return nil
	}
	var o outline
	t := rec.Samples.T
	from := sort.Search(len(t), func(i int) bool { return t[i] >= f.Start })
	for i := from; i < len(t) && t[i] <= f.Start+f.Duration; i++ {
		if p, ok := sight.At(track.X[i], track.Y[i]); ok {
			o.add(sight, p)
		}
	}
	if o.n < 2 {
		return nil
	}
	seconds := f.Duration.Seconds()
	v := []float64{
		logarithm(seconds), logarithm(o.deviation(0)), logarithm(o.deviation(1)), logarithm(o.path), logarithm(o.path / seconds),
		logarithm(o.hi[0] - o.lo[0] + o.hi[1] - o.lo[1]),
	}
	if positions {
		v = append(v, o.start[0]+o.sum[0]/o.n, o.start[1]+o.sum[1]/o.n)
	}
	return v
}

// outline sums up the samples of a fixation, relative to the first.
type outline struct {
	n, path     float64
	start       [2]float64
	sum, square [2]float64
	lo, hi      [2]float64
	last        detect.Point
}

func (o *outline) add(sight *detect.Sight, p detect.Point) {
	right, up := sight.Degrees(p)
	if o.n == 0 {
		o.start = [2]float64{right, up}
	} else {
		o.path += sight.Angle(o.last, p)
	}
	d := [2]float64{right - o.start[0], up - o.start[1]}
	if sight.AllAround() {
		d[0] = gaze.WrapDegrees(d[0]) * math.Cos(up*math.Pi/180)
	}
	for i, v := range d {
		o.sum[i], o.square[i] = o.sum[i]+v, o.square[i]+v*v
		o.lo[i], o.hi[i] = math.Min(o.lo[i], v), math.Max(o.hi[i], v)
	}
	o.n, o.last = o.n+1, p
}

func (o *outline) deviation(i int) float64 {
	m := o.sum[i] / o.n
	return math.Sqrt(math.Max(0, o.square[i]/o.n-m*m))
}

// saccadeVector is nil for a saccade whose ends are lost.
func saccadeVector(sight *detect.Sight, s gaze.Saccade, positions bool) []float64 {
	a, ok := sight.At(s.X0, s.Y0)
	b, also := sight.At(s.X1, s.Y1)
	if !ok || !also {
		return nil
	}
	x0, y0 := sight.Degrees(a)
	x1, y1 := sight.Degrees(b)
	dx, dy := x1-x0, y1-y0
	if sight.AllAround() {
		dx = gaze.WrapDegrees(dx)
	}
	size, seconds := math.Hypot(dx, dy), s.Duration.Seconds()
	if !(size > 0 && seconds > 0) {
		return nil
	}
	v := []float64{
		logarithm(s.Amplitude), logarithm(seconds), logarithm(s.PeakVelocity),
		logarithm(s.PeakVelocity * seconds / math.Max(tiny, s.Amplitude)), // 1.9 for a minimum-jerk movement
		dx / size, dy / size,
	}
	if positions {
		v = append(v, x0, y0, x1, y1)
	}
	return v
}

// Windows are a table's rows, every n-th of them (Bozkir et al. 2021 take every
// 5th or 10th). Features without input are zero in all rows.
func Windows(t *feature.Table, every int) [][]float64 {
	var out [][]float64
	for i := 0; i < t.Windows(); i += max(1, every) {
		row := make([]float64, len(t.Columns))
		for j, column := range t.Columns {
			if i < len(column) && !math.IsNaN(column[i]) && !math.IsInf(column[i], 0) {
				row[j] = column[i]
			}
		}
		out = append(out, row)
	}
	return out
}
