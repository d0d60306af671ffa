package series

import (
	"math"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/signal"
)

// typicalVariance is that of the public picture of a signal from which a
// default k is chosen: a sixth of the range as standard deviation.
const typicalVariance = 1.0 / 36

// maxDefault bounds the defaults of k.
const maxDefault = 64

// publicCoefficients is a default for k from public numbers: the least expected
// squared error for a signal whose values differ as those of overlapping
// windows of independent looking do (the autocorrelation falls linearly to zero
// over one window), under the papers' noise scale for this ε.
func (c Cut) publicCoefficients(kd kind, epsilon float64) int {
	if kd == plain {
		return 1
	}
	n := c.chunkLength()
	dropped := triangleDropped(n, float64(c.Window)/float64(c.Step))
	curve := Curve{dropped, make([]float64, len(dropped))}
	for i := range dropped {
		f := newForm(kd, n, i+1)
		l := f.bound() / epsilon
		curve.Noise[i] = l * l * f.power()
	}
	return min(curve.Best(), maxDefault)
}

// triangleDropped is the expected squared error of keeping k = 1, 2, … of the
// coefficients of n values with the autocorrelation 1 − τ/overlap: the transform
// of the autocovariance, folded to n values, gives E|X_j|².
func triangleDropped(n int, overlap float64) []float64 {
	folded := make([]float64, n)
	for lag := range n {
		v := float64(n-lag) * math.Max(0, 1-float64(lag)/overlap) * typicalVariance
		folded[lag] += v
		if lag > 0 {
			folded[n-lag] += v
		}
	}
	d := signal.NewDFT(n)
	energy := d.Coefficients(make([]complex128, d.Bins()), folded)
	out := make([]float64, min(len(energy), maxDefault))
	rest := 0.0
	for j := len(energy) - 1; j >= 0; j-- {
		if j < len(out) {
			out[j] = rest
		}
		two := 2.0
		if j == 0 || 2*j == n {
			two = 1
		}
		rest += two * math.Max(0, real(energy[j])) / float64(n) / float64(n)
	}
	return out
}

// paidMost is the largest k that is bought unless said otherwise.
const paidMost = 16

// mostDropped is the largest error that counts in a score: that of the middle
// of the range, for a range of one.
const mostDropped = 0.25

// buy chooses one k for the whole release with the exponential mechanism at a
// price of PaidShare·ε per unit (PROOF.md §5). The score is minus the mean over
// all chunks and signals of the squared error that the dropped coefficients
// cost, at most a quarter of the squared range, minus the noise's own, which is
// public. Replacing a unit moves the mean by at most a quarter of its share of
// the chunks; one of as many chunks as were planned for sets the scale, so that
// smaller and larger units pay in proportion, as [mechanism.Plan] says.
func (l *laplace) buy(recordings []Signals, src *noise.Source) (form, error) {
	most := min(l.coefficients(), l.chunkLength()/2+1)
	scores, err := l.scores(recordings, most)
	if err != nil {
		return form{}, err
	}
	sensitivity := mostDropped * l.largestShare(recordings)
	k := mechanism.Exponential(scores, PaidShare*l.Epsilon, sensitivity, src) + 1
	return newForm(l.full.kind, l.full.n, k), nil
}

// scores are the mean expected squared errors for k = 1 … most.
func (l *laplace) scores(recordings []Signals, most int) ([]float64, error) {
	all := make([][]float64, len(recordings))
	items := make([]int, len(recordings))
	inParallel(len(recordings), valuesIn(recordings), func(i int, w *bench) {
		all[i], items[i] = l.dropped(&recordings[i], most, w)
	})
	mean, count := make([]float64, most), 0
	for i := range all {
		for k, v := range all[i] {
			mean[k] += v
		}
		count += items[i]
	}
	for k := range mean {
		f := newForm(l.full.kind, l.full.n, k+1)
		if _, err := l.step(f); err != nil {
			return nil, err
		}
		scale := l.scale(f)
		mean[k] = mean[k]/float64(count) + scale*scale*f.power()
	}
	return mean, nil
}

// dropped sums what dropping coefficients costs in one recording, for a range
// of one.
func (l *laplace) dropped(r *Signals, most int, w *bench) (sum []float64, items int) {
	sum = make([]float64, most)
	curvers := map[int]*Curver{}
	for from, n := range l.Cut.spans(r.Windows()) {
		c := curvers[n]
		if c == nil {
			c = NewCurver(l.Method, n)
			curvers[n] = c
		}
		w.codec(form{plain, n, n})
		cost := make([]float64, n/2+1)
		for s, v := range r.Values {
			x := w.x[:n]
			b := boundsOf(l.Bounds, s)
			fill(x, v[from:from+n], b.mid())
			normalise(x, b)
			c.Dropped(cost, x)
			for k := range sum {
				sum[k] += math.Min(cost[min(k, n/2)], mostDropped)
			}
			items++
		}
	}
	return sum, items
}

// largestShare is the part of all chunks that a unit of the planned size has,
// whether or not any in the data is as large; the lengths are public.
func (l *laplace) largestShare(recordings []Signals) float64 {
	total := 0
	for i := range recordings {
		for range l.Cut.spans(recordings[i].Windows()) {
			total++
		}
	}
	return float64(l.Cut.chunksIn(l.Cut.Unit)) / float64(total)
}
