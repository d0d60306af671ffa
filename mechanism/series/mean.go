package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Mean releases, for every condition, the mean of the subjects' signals: what
// the Fourier perturbation algorithm was invented for. Every subject
// contributes one vector, the coordinates of all signals in all conditions,
// clipped to a public norm; one Gaussian is added to the sum (PROOF.md §6).
type Mean struct {
	Epsilon      float64  // required
	Delta        float64  // required
	Subjects     int      // n, enrolled, public; required
	Conditions   int      // public; 0 = 1
	Cut          Cut      // Length: windows of a mean, what lies beyond is left out; Unit: Subject; required
	Bounds       []Bounds // public, one for all signals or one each; required
	Coefficients int      // k: 2k−1 coordinates of each chunk are kept; 0 = from public numbers
	Transform    Transform
	Clip         float64 // share of the largest possible norm; 0 = 1
	Gaps         Gaps
	// LengthFromData says that Cut.Length is that of the longest recording: the
	// release then shows it, and the noise depends on it.
	LengthFromData bool
}

type means struct {
	Mean
	mu, step float64
	steps    int64
	full     form
}

// Check reports parameters that make no mechanism.
func (m Mean) Check() error { _, err := m.resolve(); return err }

// unit is the mechanism of one subject: all conditions are its recordings.
func (m Mean) unit() Gaussian {
	c := m.Cut
	c.Recordings, c.Trials = max(m.Conditions, 1), 1
	if m.Clip == 0 {
		m.Clip = 1
	}
	return Gaussian{
		Epsilon: m.Epsilon, Delta: m.Delta, Cut: c, Bounds: m.Bounds, Coefficients: max(m.Coefficients, 1),
		Transform: m.Transform, Clip: m.Clip, Gaps: m.Gaps,
	}
}

func (m Mean) resolve() (*means, error) {
	m.Cut.defaults()
	if m.Subjects < 1 || m.Subjects > 1<<20 {
		return nil, fmt.Errorf("series: subjects must be between 1 and %d, got %d", 1<<20, m.Subjects)
	}
	if m.Conditions < 0 || m.Conditions > 1<<12 {
		return nil, fmt.Errorf("series: conditions must be between 1 and %d, got %d", 1<<12, m.Conditions)
	}
	if m.Cut.Unit != dp.Subject {
		return nil, fmt.Errorf("series: the unit of means over subjects is the subject, got %v", m.Cut.Unit)
	}
	u := m.unit()
	if err := u.check(); err != nil {
		return nil, err
	}
	if m.Coefficients == 0 {
		u.Coefficients = u.Cut.gaussianCoefficients(m.Transform.kind(), dp.GaussianMu(m.Epsilon, m.Delta)*float64(m.Subjects)/u.Clip)
	}
	g, err := u.resolve()
	if err != nil {
		return nil, err
	}
	return &means{Mean: m, mu: g.mu, step: g.step, steps: g.steps, full: g.full}, nil
}

// Guarantee implements [mechanism.Mechanism].
func (m Mean) Guarantee() dp.Guarantee {
	g := dp.Guarantee{
		Measure: dp.Approximate, Epsilon: m.Epsilon, Delta: m.Delta, Unit: dp.Subject, Neighbours: dp.ReplaceOne, Model: dp.Central,
		Unprotected: []string{"the number of enrolled subjects", "the conditions and their names", "which signals there are"},
	}
	if m.LengthFromData {
		g.Unprotected = append(g.Unprotected, "how long the longest recording is")
	}
	r, err := m.resolve()
	if err != nil {
		return g.Voided(err.Error())
	}
	g.Mu = dp.RoundUp(2 * float64(r.steps) / gaussianScale)
	return g
}

// Plan implements [mechanism.Mechanism]. Noise and sensitivity are those of
// orthonormal coordinates of the mean, in the unit of [Laplace.Plan].
func (m Mean) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "series/mean", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee()}
	r, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	u := r.unit()
	grid := r.step / float64(m.Subjects) * commonSpan(m.Bounds)
	sigma := grid * gaussianScale
	p.Noise = mechanism.Noise{Law: "rounded gaussian", Scale: sigma, Sigma: sigma, Grid: grid}
	l2 := 2 * float64(r.steps) * grid
	p.Sensitivity = mechanism.Sensitivity{L1: l2 * math.Sqrt(u.Cut.coordinates(r.full)), L2: l2}
	p.Parameters = u.Cut.parameters(m.Bounds)
	delete(p.Parameters, "recordings")
	delete(p.Parameters, "trials")
	p.Parameters["subjects"], p.Parameters["conditions"] = strconv.Itoa(m.Subjects), strconv.Itoa(u.Cut.Recordings)
	p.Parameters["coefficients"], p.Parameters["transform"] = strconv.Itoa(r.full.k), m.Transform.String()
	p.Parameters["clip"], p.Parameters["gaps"] = format(u.Clip), m.Gaps.String()
	own := r.step * gaussianScale / float64(m.Subjects)
	worth := own * own * float64(r.full.size()) / float64(r.full.n)
	p.Parameters["expected-squared-error"] = format(worth) + " of the squared range"
	if p.Warnings = worthWarnings(worth, dp.Subject); p.Warnings != nil {
		p.Warnings = []error{fmt.Errorf("this carries nothing: the noise of a mean has %.3g times the variance of a guess drawn between the bounds; release fewer signals or shorter means, or ask more people", worth/uniformVariance)}
	}
	return p
}

// Release draws the noise: one list of signals per condition, with an empty
// subject. Conditions are the public names, in the order of the release; those
// that the recordings have and the list does not are refused. A subject
// without data for a window, or beyond their recording's end, counts as the
// middle of the bounds there; of several recordings in one condition the mean
// counts. The caller has charged Guarantee before.
func (m Mean) Release(recordings []Signals, conditions []string, src *noise.Source) (*Release, error) {
	p, err := m.Prepare(recordings, conditions)
	if err != nil {
		return nil, err
	}
	return p.Draw(src)
}

// Prepare shapes the recordings for any number of draws; see [Mean.Release].
func (m Mean) Prepare(recordings []Signals, conditions []string) (*Prepared, error) {
	r, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if err := m.Accepts(recordings, conditions); err != nil {
		return nil, err
	}
	p := &Prepared{plan: m.Plan(), pieces: r.sum(recordings, conditions), coefficients: r.full.k}
	p.sampler, err = checked(gaussianNoise())
	return p, err
}

// Accepts reports recordings that a release would refuse: ask before the charge.
func (m Mean) Accepts(recordings []Signals, conditions []string) error {
	if len(conditions) != max(m.Conditions, 1) {
		return fmt.Errorf("series: %d conditions are named, want %d", len(conditions), max(m.Conditions, 1))
	}
	subjects := map[string]bool{}
	for i := range recordings {
		s := &recordings[i]
		if len(s.Values) != m.Cut.Features || s.Windows() == 0 {
			return fmt.Errorf("series: recording %d has %d signals of %d windows, want %d signals", i, len(s.Values), s.Windows(), m.Cut.Features)
		}
		if slices.ContainsFunc(s.Values, func(v []float64) bool { return len(v) != s.Windows() }) {
			return fmt.Errorf("series: the signals of recording %d differ in length", i)
		}
		if !slices.Contains(conditions, s.Condition) {
			return fmt.Errorf("series: a recording's condition is none of the %d that are planned for", len(conditions))
		}
		if m.Gaps == RefuseGaps && hasGap(s) {
			return ErrGap
		}
		subjects[s.Subject] = true
	}
	if len(subjects) > m.Subjects {
		return fmt.Errorf("series: the recordings are of more subjects than the %d enrolled", m.Subjects)
	}
	return nil
}

// sum adds the subjects' clipped integer vectors, condition by condition.
func (r *means) sum(recordings []Signals, conditions []string) []piece {
	u := r.unit()
	of := map[string][]int{}
	for i := range recordings {
		of[recordings[i].Subject] = append(of[recordings[i].Subject], i)
	}
	out := make([]piece, len(conditions))
	for c := range out {
		empty := &Signals{Condition: conditions[c], Values: make([][]float64, r.Cut.Features)}
		for f := range empty.Values {
			empty.Values[f] = make([]float64, r.Cut.Length)
		}
		// What is drawn is the sum; what is shown of it is divided by n.
		out[c] = u.Cut.layout(empty, r.Bounds, func(n int) (form, float64) {
			return newForm(r.full.kind, n, r.full.k), r.step / float64(r.Subjects)
		})
	}
	w := newBench()
	for _, list := range of {
		r.addSubject(out, recordings, list, w)
	}
	return out
}

// addSubject adds one subject's vector to the sums.
func (r *means) addSubject(sums []piece, recordings []Signals, list []int, w *bench) {
	var whole []int64
	for c := range sums {
		var mine []int
		for _, i := range list {
			if recordings[i].Condition == sums[c].source.Condition {
				mine = append(mine, i)
			}
		}
		z := make([]int64, sums[c].size)
		for i := range sums[c].blocks {
			b := &sums[c].blocks[i]
			codec := w.codec(b.form)
			x := r.average(recordings, mine, b, w)
			codec.forward(w.y[:b.size()], x)
			toLattice(z[b.at:][:b.size()], w.y[:b.size()], r.step)
		}
		whole = append(whole, z...)
	}
	clipL2(whole, r.steps)
	for c := range sums {
		for i := range sums[c].whole {
			sums[c].whole[i] += whole[i]
		}
		whole = whole[len(sums[c].whole):]
	}
}

// average is the mean of a subject's recordings in one block, in shares of the
// range around its middle; what is missing is the middle.
func (r *means) average(recordings []Signals, mine []int, b *block, w *bench) []float64 {
	sum := w.w[:b.n]
	clear(sum)
	for _, i := range mine {
		v := recordings[i].Values[b.signal]
		have := min(b.n, len(v)-b.from)
		if have < 1 {
			continue
		}
		x := w.x[:have]
		fill(x, v[b.from:b.from+have], b.mid())
		normalise(x, b.Bounds)
		for t, u := range x {
			sum[t] += u / float64(len(mine))
		}
	}
	return sum
}

var _ mechanism.Mechanism = Mean{}
