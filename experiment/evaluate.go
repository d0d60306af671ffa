package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

// Measure is one figure about a release, with what it should be held against.
type Measure struct {
	Name  string   `json:"name"`
	Unit  string   `json:"unit"`
	Value *float64 `json:"value"`           // nil = it cannot be said, see Note
	Low   *float64 `json:"low"`             // 95 %, bootstrap over people
	High  *float64 `json:"high"`            // 95 %
	Floor *float64 `json:"floor,omitempty"` // the same between two random halves of the raw people
	Note  string   `json:"note,omitempty"`
}

// PathsEvaluation compares recordings with what was released of them, person by
// person, for the curator: everything it returns is exact and private.
type PathsEvaluation struct {
	Width, Height   float64 // px of the screen
	PixelsPerDegree float64
	Seed            uint64 // of the bootstrap
	Resamples       int    // default 200

	raw, released map[string]*metric.Paths
	rmse          map[string][]float64 // per person, one per recording
	sums          map[string][]float64
	unequal       int
}

// AddRaw gathers a whole raw recording.
func (e *PathsEvaluation) AddRaw(r *gaze.Recording) error {
	if e.raw == nil {
		e.raw = map[string]*metric.Paths{}
	}
	return e.add(e.raw, r)
}

// AddReleased gathers a whole released recording.
func (e *PathsEvaluation) AddReleased(r *gaze.Recording) error {
	if e.released == nil {
		e.released = map[string]*metric.Paths{}
	}
	return e.add(e.released, r)
}

func (e *PathsEvaluation) add(to map[string]*metric.Paths, r *gaze.Recording) error {
	p := to[r.Participant]
	if p == nil {
		p = &metric.Paths{Width: e.Width, Height: e.Height, PixelsPerDegree: e.PixelsPerDegree}
		to[r.Participant] = p
	}
	return p.Add(r)
}

// AddPair gathers the error of a recording, sample by sample. Recordings of
// unequal lengths are counted, not compared.
func (e *PathsEvaluation) AddPair(raw, released *gaze.Recording) {
	if e.rmse == nil {
		e.rmse, e.sums = map[string][]float64{}, map[string][]float64{}
	}
	sum, mean, err := metric.PathRMSE(raw, released)
	if err != nil {
		e.unequal++
		return
	}
	e.rmse[raw.Participant] = append(e.rmse[raw.Participant], mean)
	e.sums[raw.Participant] = append(e.sums[raw.Participant], sum)
}

// People is how many people have raw recordings.
func (e *PathsEvaluation) People() int { return len(e.raw) }

// Measures computes all figures. It fails where nothing was gathered.
func (e *PathsEvaluation) Measures() ([]Measure, error) {
	if len(e.raw) == 0 || len(e.released) == 0 {
		return nil, errors.New("experiment: there are no recordings to compare")
	}
	if e.Resamples == 0 {
		e.Resamples = 200
	}
	src := noise.Seeded(e.Seed)
	all := []Measure{e.rootMeanSquare("position error, root of the mean", e.rmse, src), e.rootMeanSquare("position error as printed by Ren et al. (root of the sum)", e.sums, src)}
	return append(all, e.divergences(src)...), nil
}

// rootMeanSquare is the mean over recordings, with a bootstrap over people.
func (e *PathsEvaluation) rootMeanSquare(name string, of map[string][]float64, src *noise.Source) Measure {
	m := Measure{Name: name, Unit: "px"}
	people := sortedKeys(of)
	if len(people) == 0 {
		m.Note = "no recording pairs with what was released of it"
		return m
	}
	if e.unequal > 0 {
		m.Note = fmt.Sprintf("%d recordings have another number of samples than what was released of them, and were left out", e.unequal)
	}
	mean := func(who []int) float64 {
		sum, n := 0.0, 0
		for _, i := range who {
			for _, v := range of[people[i]] {
				sum, n = sum+v, n+1
			}
		}
		return sum / float64(n)
	}
	m.put(mean(indices(len(people))), e.bootstrap(len(people), src, mean))
	return m
}

// bootstrap returns the 2.5 and 97.5 % points of a statistic over resampled
// people.
func (e *PathsEvaluation) bootstrap(n int, src *noise.Source, statistic func([]int) float64) [2]float64 {
	values := make([]float64, 0, e.Resamples)
	who := make([]int, n)
	for range e.Resamples {
		for i := range who {
			who[i] = src.IntN(n)
		}
		if v := statistic(who); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return ends(values)
}

// ends are the 2.5 and 97.5 % points; NaN without values.
func ends(values []float64) [2]float64 {
	if len(values) == 0 {
		return [2]float64{math.NaN(), math.NaN()}
	}
	slices.Sort(values)
	at := func(p float64) float64 { return values[int(math.Round(p*float64(len(values)-1)))] }
	return [2]float64{at(0.025), at(0.975)}
}

// around is the interval of a divergence: the points of the resampled ones,
// moved by as much as their median lies beside the divergence itself. Resampled
// people repeat, so that two draws of them differ by more than the people do; as
// they are, the points would lie above the value.
func around(v float64, values []float64) [2]float64 {
	if len(values) == 0 || math.IsNaN(v) {
		return [2]float64{math.NaN(), math.NaN()}
	}
	points, shift := ends(values), v-median(values)
	return [2]float64{max(0, min(v, points[0]+shift)), max(v, points[1]+shift)}
}

func (m *Measure) put(v float64, interval [2]float64) {
	if !math.IsNaN(v) {
		m.Value = &v
	}
	if !math.IsNaN(interval[0]) {
		m.Low, m.High = &interval[0], &interval[1]
	}
}

// histogram picks one of the histograms of paths.
type histogram struct {
	name string
	of   func(*metric.Paths) []float64
}

var histograms = []histogram{
	{"density error (60 × 60 cells)", func(p *metric.Paths) []float64 { return p.Density }},
	{"fixation durations", func(p *metric.Paths) []float64 { return p.Durations }},
	{"saccade amplitudes", func(p *metric.Paths) []float64 { return p.Amplitudes }},
}

// divergences are the Jensen–Shannon divergences of three histograms, and the
// shares of fixations and saccades that are left.
func (e *PathsEvaluation) divergences(src *noise.Source) []Measure {
	raw, released := e.flushed(e.raw), e.flushed(e.released)
	var out []Measure
	for _, h := range histograms {
		m := Measure{Name: h.name + ", Jensen–Shannon divergence", Unit: "bits"}
		v := divergence(total(raw, indices(len(raw)), h.of), total(released, indices(len(released)), h.of))
		values := make([]float64, 0, e.Resamples)
		floor := make([]float64, 0, e.Resamples)
		for range e.Resamples {
			a, b := resample(len(raw), src), resample(len(released), src)
			if d := divergence(total(raw, a, h.of), total(released, b, h.of)); !math.IsNaN(d) {
				values = append(values, d)
			}
			if f := splitHalf(raw, h, src); !math.IsNaN(f) {
				floor = append(floor, f)
			}
		}
		m.put(v, around(v, values))
		if len(floor) > 0 {
			f := median(floor)
			m.Floor = &f
		}
		if m.Value == nil {
			m.Note = "one of the two has none"
		}
		out = append(out, m)
	}
	return append(out, e.kept(raw, released)...)
}

func (e *PathsEvaluation) flushed(of map[string]*metric.Paths) []*metric.Paths {
	var all []*metric.Paths
	for _, name := range sortedKeys(of) {
		of[name].Flush()
		all = append(all, of[name])
	}
	return all
}

func resample(n int, src *noise.Source) []int {
	who := make([]int, n)
	for i := range who {
		who[i] = src.IntN(n)
	}
	return who
}

// splitHalf is the divergence of two random halves of the people: what two
// samples of the same population differ by.
func splitHalf(all []*metric.Paths, h histogram, src *noise.Source) float64 {
	if len(all) < 2 {
		return math.NaN()
	}
	order := src.Perm(len(all))
	half := len(all) / 2
	return divergence(total(all, order[:half], h.of), total(all, order[half:], h.of))
}

func total(all []*metric.Paths, who []int, of func(*metric.Paths) []float64) []float64 {
	var sum []float64
	for _, i := range who {
		h := of(all[i])
		if sum == nil {
			sum = make([]float64, len(h))
		}
		for k, v := range h {
			sum[k] += v
		}
	}
	return sum
}

func divergence(a, b []float64) float64 {
	d, err := metric.JSD(a, b)
	if err != nil {
		return math.NaN()
	}
	return d
}

// kept says how many events and samples on the screen the release has per raw
// one.
func (e *PathsEvaluation) kept(raw, released []*metric.Paths) []Measure {
	sum := func(all []*metric.Paths, of func(*metric.Paths) int) float64 {
		n := 0
		for _, p := range all {
			n += of(p)
		}
		return float64(n)
	}
	fixations := func(p *metric.Paths) int { return p.Fixations }
	saccades := func(p *metric.Paths) int { return p.Saccades }
	share := func(name string, a, b float64) Measure {
		m := Measure{Name: name, Unit: "share"}
		if b > 0 {
			m.put(a/b, [2]float64{math.NaN(), math.NaN()})
		} else {
			m.Note = "there are none to compare with"
		}
		return m
	}
	rate := func(all []*metric.Paths, of func(*metric.Paths) int) float64 {
		return sum(all, of) / math.Max(1, sum(all, func(p *metric.Paths) int { return p.Samples }))
	}
	off := func(p *metric.Paths) int { return p.Off }
	return []Measure{
		share("fixations per sample, released over raw", rate(released, fixations), rate(raw, fixations)),
		share("saccades per sample, released over raw", rate(released, saccades), rate(raw, saccades)),
		share("released samples off the screen", sum(released, off), sum(released, func(p *metric.Paths) int { return p.Samples })),
	}
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// EvaluateValues holds released statistics against those without noise. The
// noise's own deviation stands beside: an error near it is noise alone, one
// below it comes from bringing values into their range.
func EvaluateValues(name, unit string, released, truth []float64, deviation float64) Measure {
	m := Measure{Name: name + ", root mean square error over areas", Unit: unit}
	if len(truth) == 0 || len(truth) != len(released) {
		m.Note = "there is nothing to compare"
		return m
	}
	sum := 0.0
	for i, v := range released {
		sum += (v - truth[i]) * (v - truth[i]) / float64(len(truth))
	}
	v := math.Sqrt(sum)
	m.Value = &v
	m.Note = fmt.Sprintf("noise's standard deviation %.3g; without noise the values lie between %.3g and %.3g", deviation, slices.Min(truth), slices.Max(truth))
	return m
}

// EvaluateMap holds a released map against the noise-free one.
func EvaluateMap(released, truth []float64) []Measure {
	one := func(name, unit string, of func(a, b []float64) (float64, error)) Measure {
		m := Measure{Name: name, Unit: unit}
		v, err := of(released, truth)
		if err != nil {
			m.Note = err.Error()
			return m
		}
		m.Value = &v
		return m
	}
	return []Measure{
		one("correlation coefficient", "", metric.CC), one("mean squared error", "", metric.MSE),
		one("similarity", "", metric.SIM), one("Kullback–Leibler divergence", "nats", func(released, truth []float64) (float64, error) { return metric.KL(truth, released) }),
		one("Jensen–Shannon divergence", "bits", metric.JSD),
	}
}
