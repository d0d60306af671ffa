package population

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gazeward/gazeward/noise"
)

// Model is how a population looks: public laws from which gaze is generated.
type Model struct {
	Shape     Shape
	Density   []float64 // share of time per cell, row by row
	Durations []float64 // share of the times between saccades, per bin
	Steps     []float64 // share of saccades, amplitude by amplitude, per direction
	// Kept names the parts in which the release said no more than the prior.
	Kept []string
	// Clip is the estimated mean factor by which people were scaled down.
	Clip float64
}

var lawNames = [nLaws]string{"density", "durations", "saccades"}

func (m *Model) warnings() []error {
	var w []error
	for _, part := range m.Kept {
		w = append(w, fmt.Errorf("%s: the release says no more than the public prior, which is what is synthesised", part))
	}
	return w
}

// What the mean clip factor is before anything is known: people differ, and
// the usual ones are not clipped.
const clipMean, clipSpread, clipLeast = 0.85, 0.12, 0.2

// estimate turns a release into a model: the parts' totals are publicly one, so
// that they tell the mean clip factor; what remains is estimated law by law.
func (c *central) estimate(raw []float64, src *noise.Source) (*Model, error) {
	m := &Model{Shape: c.Shape, Clip: c.clipFactor(raw)}
	seen, err := c.looks(raw, m.Clip)
	if err != nil {
		return nil, err
	}
	var all laws
	for law := range nLaws {
		m.learn(law, &all, c.estimator(law, seen[law]), src)
	}
	m.take(&all)
	return m, nil
}

// learn finds one law.
func (m *Model) learn(law int, all *laws, e *estimator, src *noise.Source) {
	var kept bool
	if all[law], kept = e.best(src); kept {
		m.Kept = append(m.Kept, lawNames[law])
	}
}

// Model is the prior as a model: what is synthesised without any data.
func (p Prior) Model(s Shape) (*Model, error) {
	s, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := p.laws(&s)
	if err != nil {
		return nil, err
	}
	return &Model{Shape: s, Density: l[density], Durations: l[durations], Steps: l[steps], Kept: lawNames[:], Clip: 1}, nil
}

// Laws are those of the people, without any noise: private, for evaluation
// alone.
func (g *Gathered) Laws() *Model {
	s := &g.Shape
	m := &Model{Shape: *s, Density: make([]float64, s.cells()), Durations: make([]float64, s.Durations), Steps: make([]float64, s.steps()), Clip: 1}
	for _, p := range g.People {
		for _, d := range p.dwell {
			m.Density[d.cell] += d.seconds
		}
		floats.Add(m.Durations, p.durations)
		floats.Add(m.Steps, p.steps)
	}
	for _, law := range [][]float64{m.Density, m.Durations, m.Steps} {
		smooth(law, 0)
	}
	return m
}

// Some are those of the people with the given numbers.
func (g *Gathered) Some(chosen []int) *Gathered {
	part := &Gathered{Shape: g.Shape}
	for _, i := range chosen {
		part.People = append(part.People, g.People[i])
	}
	return part
}

// take fills in what was found; durations are turned from weighted shares into
// shares of counts.
func (m *Model) take(all *laws) {
	m.Density, m.Steps = all[density], all[steps]
	m.Durations = slices.Clone(all[durations])
	m.Shape.weigh(m.Durations, -1)
	floats.Scale(1/floats.Sum(m.Durations), m.Durations)
}

// clipFactor weighs the totals of the parts by their precision.
func (c *central) clipFactor(raw []float64) float64 {
	sum, weight := clipMean/(clipSpread*clipSpread), 1/(clipSpread*clipSpread)
	for part := range parts {
		d := c.deviation(part)
		precision := 1 / (d * d * float64(c.size(part)))
		sum += precision * floats.Sum(raw[:c.size(part)]) / c.weights[part]
		weight += precision
		raw = raw[c.size(part):]
	}
	return min(max(sum/weight, clipLeast), 1)
}

// unshrunk cuts a release into parts, as noisy shares of one.
func (c *central) unshrunk(raw []float64, clip float64) (y [parts]*mat.Dense, sigma [parts]float64) {
	s := &c.Shape
	rows := [parts]int{c.canvas.height(), 1, s.Rows, 1, s.Amplitudes}
	for part := range parts {
		n := c.size(part)
		own := slices.Clone(raw[:n])
		floats.Scale(1/(c.weights[part]*clip), own)
		y[part], sigma[part] = mat.NewDense(rows[part], n/rows[part], own), c.deviation(part)/clip
		raw = raw[n:]
	}
	return y, sigma
}

// looks are what was seen of every law.
func (c *central) looks(raw []float64, clip float64) (seen [nLaws]observed, err error) {
	y, sigma := c.unshrunk(raw, clip)
	s := &c.Shape
	blurry, err := blurred(y[blurredPart], banded(c.canvas.down, s.Rows), banded(c.canvas.across, s.Columns), sigma[blurredPart])
	if err != nil {
		return seen, err
	}
	seen[density] = observed{
		blurry,
		{left: sums(s.Rows), right: identity(s.Columns), y: y[columnPart], sigma: sigma[columnPart]},
		{left: identity(s.Rows), right: sums(s.Columns), y: y[rowPart], sigma: sigma[rowPart]},
	}
	seen[durations] = observed{{left: identity(1), right: identity(s.Durations), y: y[durationPart], sigma: sigma[durationPart]}}
	seen[steps] = observed{{left: identity(s.Amplitudes), right: identity(s.Directions), y: y[stepPart], sigma: sigma[stepPart]}}
	return seen, nil
}

// banded is the blur as a matrix from n cells to the padded ones.
func banded(half []float64, n int) *mat.Dense {
	reach := len(half) - 1
	m := mat.NewDense(n+2*reach, n, nil)
	for j := range n {
		for d := -reach; d <= reach; d++ {
			m.Set(j+reach+d, j, at(half, d))
		}
	}
	return m
}

// newEstimator begins at the prior, durations as weighted shares.
func newEstimator(s *Shape, prior *laws, law int) *estimator {
	e := &estimator{prior: slices.Clone(prior[law])}
	if law == durations {
		s.weigh(e.prior, 1)
		floats.Scale(1/floats.Sum(e.prior), e.prior)
	}
	return e
}

// estimator of one law, with the widths that its prior's smoothness may have.
func (c *central) estimator(law int, seen observed) *estimator {
	s := &c.Shape
	g := s.grid()
	widths := [nLaws][2]float64{{c.Blur / g.CellHeight, c.Blur / g.Cell}, {0, float64(s.Durations) / 24}, {float64(s.Amplitudes) / 14, float64(s.Directions) / 24}}
	e := newEstimator(s, c.prior, law)
	e.seen, e.thin = seen, seen.thinned
	e.margins = [nLaws]func(observed) observed{
		density:   func(o observed) observed { return o[1:] },
		durations: func(o observed) observed { return o[0].coarse() },
		steps:     func(o observed) observed { return o[0].margins() },
	}[law]
	for _, share := range [nLaws][]float64{{0, 0.25, 0.5}, {0, 0.5, 1}, {0, 0.5, 1}}[law] {
		e.smooth(share*widths[law][0], share*widths[law][1], law == steps)
	}
	return e
}
