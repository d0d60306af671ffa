package format

import "math"

// steps measures a sampling rate from the steps between time stamps, in
// constant memory: a histogram of step lengths in bins 2 % wide that keeps
// each bin's sum, so that what it reports is exact within the chosen bins.
//
// A file's own breaks (pauses, shortened excerpts) are not sampling. Regular
// steps are therefore those within half of the nominal step if the file states
// a rate and at least a tenth of its steps are such; else those within half of
// the median step if nine of ten are; else those up to four times the upper
// quartile (two eyes that are not synchronous give short and long steps in turn).
type steps struct {
	nominal float64 // s; 0 = unknown
	last    int64
	started bool
	n       int
	bins    [binCount]bin
}

type bin struct {
	n   int
	sum int64   // ns
	sq  float64 // ns²
}

func (b *bin) mean() float64 { return float64(b.sum) / float64(b.n) }

const (
	binCount  = 1400
	shortest  = 100 // ns
	binGrowth = 1.02
)

func (s *steps) restart(rate float64) {
	s.started = false
	if rate > 0 && s.nominal == 0 {
		s.nominal = 1e9 / rate
	}
}

func (s *steps) add(t int64) {
	d := t - s.last
	if s.started && d > 0 {
		s.count(d)
	}
	s.started, s.last = true, t
}

func (s *steps) count(d int64) {
	i := int(math.Log(float64(d)/shortest) / math.Log(binGrowth))
	b := &s.bins[min(max(i, 0), binCount-1)]
	b.n++
	b.sum += d
	b.sq += float64(d) * float64(d)
	s.n++
}

// between sums the bins whose mean lies in [lo, hi] ns.
func (s *steps) between(lo, hi float64) (total bin) {
	for i := range s.bins {
		b := &s.bins[i]
		if b.n > 0 && b.mean() >= lo && b.mean() <= hi {
			total.n += b.n
			total.sum += b.sum
			total.sq += b.sq
		}
	}
	return total
}

// quantile is the step that a number of quarters of all do not exceed.
func (s *steps) quantile(quarters int) float64 {
	seen := 0
	for i := range s.bins {
		b := &s.bins[i]
		seen += b.n
		if b.n > 0 && 4*seen >= quarters*s.n {
			return b.mean()
		}
	}
	return 0
}

// regular returns the steps that are sampling, not breaks.
func (s *steps) regular() bin {
	if s.nominal > 0 {
		if b := s.between(0.5*s.nominal, 1.5*s.nominal); b.n > 0 && 10*b.n >= s.n {
			return b
		}
	}
	median := s.quantile(2)
	if b := s.between(0.5*median, 1.5*median); 10*b.n >= 9*s.n {
		return b
	}
	return s.between(0, 4*s.quantile(3))
}

// rate returns the measured rate in Hz and the jitter in ms.
func (s *steps) rate() (hz, jitterMs float64) {
	b := s.regular()
	if b.n == 0 {
		return 0, 0
	}
	mean := b.mean()
	variance := b.sq/float64(b.n) - mean*mean
	return 1e9 * float64(b.n) / float64(b.sum), math.Round(math.Sqrt(max(variance, 0))) / 1e6
}

func (s *steps) gaps() int {
	b := s.regular()
	if b.n == 0 {
		return 0
	}
	return s.between(1.5*b.mean(), math.Inf(1)).n
}
