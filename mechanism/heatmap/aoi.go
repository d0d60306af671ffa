package heatmap

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Statistics of areas of interest that [AOI] releases.
const (
	AOIDwell       = "dwell"       // share of dwell time per area, outside last
	AOIHits        = "hits"        // share of subjects who fixated the area
	AOIFirst       = "first"       // mean time to the first fixation; never, and later, counts as the horizon
	AOITransitions = "transitions" // share of the moves from one area to another, outside last
	AOIOrder       = "order"       // mean rank of the first visit, 1 = first; never counts as one more than the number of areas
)

// AllAOIStatistics lists them in the order of the released vector.
var AllAOIStatistics = []string{AOIDwell, AOIHits, AOIFirst, AOITransitions, AOIOrder}

// AOI releases statistics of areas of interest. Every subject contributes one
// vector that is not negative: each statistic is scaled to norm one at the most
// and weighted by the square root of its share. Two subjects differ by √2 in a
// statistic that sums to one and by 1 in one whose values are each in a range;
// one Gaussian, calibrated to all of them together, covers all of it (PROOF.md
// §4).
type AOI struct {
	Epsilon    float64  // required
	Delta      float64  // required
	Subjects   int      // enrolled, public; required
	Areas      int      // number of areas, public; required
	Horizon    float64  // s: later first fixations count as this; required for AOIFirst
	Statistics []string // empty = all
	Unit       dp.Unit  // Subject (default) or Recording
}

// Subjects yields one accumulator per enrolled subject; nil = a subject
// without data.
type Subjects = iter.Seq[*grid.AOIAccumulator]

// AOIRelease is what AOI releases. Values are means over the enrolled
// subjects, brought into their range; Deviation is the noise's standard
// deviation in each before that.
type AOIRelease struct {
	mechanism.Release
	Raw        []float64 // what was drawn, statistic by statistic
	Statistics map[string]AOIStatistic
}

// AOIStatistic is one released statistic; transitions are row by row.
type AOIStatistic struct {
	Values    []float64
	Raw       []float64
	Deviation float64
}

type aoi struct {
	AOI
	grid  float64
	k     int64   // largest squared norm of one statistic, in grid steps
	moved int64   // largest squared distance of two subjects, in grid steps
	sigma float64 // grid steps
	prepared
}

// Check reports parameters that make no mechanism.
func (m AOI) Check() error { _, err := m.resolve(); return err }

func (m AOI) resolve() (*aoi, error) {
	if err := checkBudget(m.Epsilon, m.Delta, true); err != nil {
		return nil, err
	}
	if err := checkSubjects(m.Subjects, m.Unit); err != nil {
		return nil, err
	}
	if m.Areas < 1 || m.Areas > 1000 {
		return nil, fmt.Errorf("heatmap: areas must be between 1 and 1000, got %d", m.Areas)
	}
	if len(m.Statistics) == 0 {
		m.Statistics = AllAOIStatistics
	}
	for i, s := range m.Statistics {
		if !slices.Contains(AllAOIStatistics, s) || slices.Contains(m.Statistics[:i], s) {
			return nil, fmt.Errorf("heatmap: unknown or repeated AOI statistic %q", s)
		}
	}
	if slices.Contains(m.Statistics, AOIFirst) && (!(m.Horizon > 0) || math.IsInf(m.Horizon, 0)) {
		return nil, fmt.Errorf("heatmap: horizon must be positive, got %v s", m.Horizon)
	}
	a := &aoi{AOI: m, grid: 0x1p-20, k: 1 << 40 / int64(len(m.Statistics))}
	for _, name := range m.Statistics {
		a.moved += a.distance(name)
	}
	epsilon, delta, err := table(a.len()).Charge(m.Epsilon, m.Delta)
	if err != nil {
		return nil, err
	}
	a.sigma, err = calibrate.Gaussian(epsilon, delta, math.Sqrt(float64(a.moved)))
	return a, err
}

// ranged says that each value of a statistic lies in a range of its own, where
// others sum to one over all areas.
func ranged(statistic string) bool { return statistic != AOIDwell && statistic != AOITransitions }

// top is the largest value of a statistic, in grid steps.
func (a *aoi) top(statistic string) int64 { return int64(a.weight(statistic) / a.grid) }

// distance is the largest squared distance of two subjects in a statistic, in
// grid steps: what [aoi.add] adds is never negative.
func (a *aoi) distance(statistic string) int64 {
	if !ranged(statistic) {
		return 2 * a.k
	}
	size, _ := a.size(statistic)
	top := a.top(statistic)
	return int64(size) * top * top
}

// add rounds a subject's coordinates and adds them. The last word on each
// statistic is an integer check, so that the claim rests on no floating-point
// operation.
func (a *aoi) add(sums []int64, one []float64) {
	for _, name := range a.Statistics {
		size, _ := a.size(name)
		if ranged(name) {
			top := a.top(name)
			for i, v := range one[:size] {
				sums[i] += max(0, min(int64(v/a.grid), top))
			}
		} else {
			mechanism.AddClipped(sums[:size], one[:size], 1/math.Sqrt(float64(len(a.Statistics))), a.grid, a.k)
		}
		sums, one = sums[size:], one[size:]
	}
}

// size is the number of values of a statistic; bound its largest norm.
func (m AOI) size(statistic string) (size int, bound float64) {
	switch a := m.Areas; statistic {
	case AOIDwell:
		return a + 1, 1
	case AOITransitions:
		return (a + 1) * (a + 1), 1
	}
	return m.Areas, math.Sqrt(float64(m.Areas))
}

func (a *aoi) len() int {
	n := 0
	for _, s := range a.Statistics {
		size, _ := a.size(s)
		n += size
	}
	return n
}

// weight turns a statistic's values into coordinates: the square root of an
// equal share, divided by the statistic's largest norm.
func (a *aoi) weight(statistic string) float64 {
	_, bound := a.size(statistic)
	return 1 / (math.Sqrt(float64(len(a.Statistics))) * bound)
}

// fits reports whether the accumulator is one of as many areas.
func (a *aoi) fits(s *grid.AOIAccumulator) bool {
	k := a.Areas
	return len(s.Areas) == k && len(s.Dwell) == k+1 && len(s.Fixations) == k+1 && len(s.FirstFixation) == k &&
		len(s.Transitions) == (k+1)*(k+1) && !slices.ContainsFunc(s.Order, func(area int) bool { return area < 0 || area >= k })
}

// vector writes a subject's coordinates. Whatever it writes, add bounds.
func (a *aoi) vector(dst []float64, s *grid.AOIAccumulator) error {
	clear(dst)
	if s == nil || s.Dwell == nil {
		return nil
	}
	if !a.fits(s) {
		return fmt.Errorf("heatmap: a subject's statistics must be of the same %d areas", a.Areas)
	}
	for _, name := range a.Statistics {
		size, _ := a.size(name)
		a.values(dst[:size], name, s)
		w := a.weight(name)
		for i, v := range dst[:size] {
			dst[i] = math.Min(amount(v), 1) * w
		}
		dst = dst[size:]
	}
	return nil
}

// values are a subject's statistic, in [0, 1].
func (a *aoi) values(dst []float64, name string, s *grid.AOIAccumulator) {
	switch name {
	case AOIDwell:
		copy(dst, s.Shares())
	case AOIHits:
		copy(dst, s.Hits())
	case AOIFirst:
		for i, t := range s.FirstFixation { // how early: 0 is never, as for a subject without data
			if t >= 0 && t < a.Horizon {
				dst[i] = 1 - t/a.Horizon
			}
		}
	case AOITransitions:
		total := 0.0
		for _, v := range s.Transitions {
			total += v
		}
		for i, v := range s.Transitions {
			if total > 0 {
				dst[i] = v / total
			}
		}
	case AOIOrder:
		for rank, area := range s.Order { // the same for ranks
			dst[area] = 1 - float64(rank)/float64(a.Areas)
		}
	}
}

// Guarantee implements [mechanism.Mechanism].
func (m AOI) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Approximate, Epsilon: m.Epsilon, Delta: m.Delta, Unit: m.Unit, Neighbours: dp.ReplaceOne,
		Model: dp.Central, Unprotected: []string{"the number of enrolled subjects", "the areas of interest"},
	}
	a, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Mu = dp.RoundUp(math.Sqrt(float64(a.moved)) / a.sigma)
	return g
}

// Plan implements [mechanism.Mechanism].
func (m AOI) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "aoi/gaussian", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	a, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	unit := a.grid / float64(m.Subjects)
	l2 := math.Sqrt(float64(a.moved)) * unit
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: a.sigma * unit, Sigma: a.sigma * unit, Grid: unit}
	p.Sensitivity = mechanism.Sensitivity{L1: l2 * math.Sqrt(float64(a.len())), L2: l2}
	p.Parameters = map[string]string{
		"subjects": strconv.Itoa(m.Subjects), "areas": strconv.Itoa(m.Areas), "horizon": format(m.Horizon) + "s",
	}
	for _, s := range a.Statistics {
		p.Parameters["deviation-"+s] = format(a.deviation(s))
	}
	p.Warnings = warnings(m.Subjects, m.Delta)
	return p
}

// deviation is the noise's standard deviation in a released statistic.
func (a *aoi) deviation(statistic string) float64 {
	return a.sigma * a.grid / float64(a.Subjects) / a.weight(statistic) * a.natural(statistic)
}

// natural turns values in [0, 1] into the statistic's own unit.
func (a *aoi) natural(statistic string) float64 {
	switch statistic {
	case AOIFirst:
		return a.Horizon
	case AOIOrder:
		return float64(a.Areas)
	}
	return 1
}

// reading turns how early something was into when it was.
func (a *aoi) reading(statistic string, v float64) float64 {
	switch statistic {
	case AOIFirst:
		return a.Horizon - v
	case AOIOrder:
		return float64(a.Areas) + 1 - v
	}
	return v
}

// Release draws the noise once for all statistics; see [HalfBlur.Release].
func (m AOI) Release(subjects Subjects, src *noise.Source) (*AOIRelease, error) {
	a, err := m.prepare()
	if err != nil {
		return nil, err
	}
	return a.draw(subjects, src)
}

func (m AOI) prepare() (*aoi, error) {
	a, err := m.resolve()
	if err != nil {
		return nil, err
	}
	a.plan = m.Plan()
	a.sampler, err = noise.NewGaussian(a.sigma)
	return a, err
}

func (a *aoi) draw(subjects Subjects, src *noise.Source) (*AOIRelease, error) {
	sums, one, n := make([]int64, a.len()), make([]float64, a.len()), 0
	for s := range subjects {
		if n++; n > a.Subjects {
			return nil, ErrSubjects
		}
		if err := a.vector(one, s); err != nil {
			return nil, err
		}
		a.add(sums, one)
	}
	raw, err := a.noisy(sums, a.grid, a.Subjects, src)
	if err != nil {
		return nil, err
	}
	return &AOIRelease{Release: mechanism.Draw(a.plan, src), Raw: raw, Statistics: a.read(raw)}, nil
}

// read brings the noisy coordinates into their units and ranges: shares onto
// the simplex of what is possible, the others into [0, largest].
func (a *aoi) read(raw []float64) map[string]AOIStatistic {
	out := map[string]AOIStatistic{}
	for _, name := range a.Statistics {
		size, _ := a.size(name)
		f := a.natural(name) / a.weight(name)
		s := AOIStatistic{Deviation: a.deviation(name), Raw: make([]float64, size), Values: make([]float64, size)}
		for i, v := range raw[:size] {
			s.Raw[i] = a.reading(name, v*f)
			s.Values[i] = a.reading(name, math.Min(math.Max(v*f, 0), a.natural(name)))
		}
		if name == AOIDwell || name == AOITransitions {
			toSimplex(s.Values, s.Raw)
		}
		out[name], raw = s, raw[size:]
	}
	return out
}

// toSimplex writes the point nearest to v whose entries are not negative and
// sum to at most one (a subject without data adds nothing, so less is possible).
func toSimplex(dst, v []float64) {
	total := 0.0
	for i := range v {
		dst[i] = math.Max(v[i], 0)
		total += dst[i]
	}
	if total <= 1 {
		return
	}
	sorted := slices.Sorted(slices.Values(v))
	slices.Reverse(sorted)
	sum, shift := 0.0, 0.0
	for i, x := range sorted {
		sum += x
		if t := (sum - 1) / float64(i+1); x > t {
			shift = t
		}
	}
	for i := range v {
		dst[i] = math.Max(v[i]-shift, 0)
	}
}
