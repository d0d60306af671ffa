package population

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gazeward/gazeward/noise"
)

// estimator finds a law by what its candidates foretell of data that they have
// not seen: Gaussian noise of known size can be split into independent parts
// (data thinning, Neufeld et al. 2024). All of it works on the release alone.
type estimator struct {
	seen       observed
	thin       func(*noise.Source) (fit, test observed) // splits seen
	prior      []float64
	smoothings []*smoothing // of the law under the prior; nil = none
	// margins are looks at rows and columns as a whole, which are fitted first;
	// nil = there are none.
	margins func(observed) observed
}

// smooth adds a candidate for how smooth the law is beforehand, in cells.
func (e *estimator) smooth(down, across float64, circle bool) {
	if down == 0 && across == 0 {
		e.smoothings = append(e.smoothings, nil)
		return
	}
	rows, cols := e.seen.shape()
	e.smoothings = append(e.smoothings, &smoothing{blurMatrix(rows, down, false), blurMatrix(cols, across, circle)})
}

// Strengths κ of the prior, in observations that it is worth.
const (
	strongest = 3e4
	weakest   = 1.0
	weaker    = 2.0 // from one to the next
)

// Thinning: how many splits, and the share of the information that is fitted on.
const (
	thinnings = 8
	fitted    = 0.5
)

// split is one thinning of what was seen.
type split struct {
	fit, test observed
	law       []float64 // the best so far
	misfit    float64
}

// thin splits y into two independent looks at the same law: one with the share
// fitted of the information, one with the rest.
func (l *look) thin(src *noise.Source) (fit, test *look) {
	a, b := *l, *l
	a.y, b.y = mat.DenseCopyOf(l.y), mat.DenseCopyOf(l.y)
	spread := l.sigma * math.Sqrt((1-fitted)/fitted)
	x, z := a.y.RawMatrix().Data, b.y.RawMatrix().Data
	for i, v := range l.y.RawMatrix().Data {
		x[i] = v + spread*src.NormFloat64()
		z[i] = (v - fitted*x[i]) / (1 - fitted)
	}
	a.sigma, b.sigma = l.sigma/math.Sqrt(fitted), l.sigma/math.Sqrt(1-fitted)
	return &a, &b
}

// thinned splits all looks.
func (o observed) thinned(src *noise.Source) (fit, test observed) {
	for _, l := range o {
		a, b := l.thin(src)
		fit, test = append(fit, a), append(test, b)
	}
	return fit, test
}

func (e *estimator) split(src *noise.Source) *split {
	s := &split{law: e.prior}
	s.fit, s.test = e.thin(src)
	s.misfit = s.test.misfit(s.law)
	return s
}

// best is the law: first by its margins, then with the smoothness and strength
// that foretell best, then refined without smoothness, each about what was found
// before and only where it foretells better. It is the mean over the splits,
// which is steadier than one fit of everything. kept says that it is the prior
// as it is.
func (e *estimator) best(src *noise.Source) (law []float64, kept bool) {
	splits := make([]*split, thinnings)
	for i := range splits {
		splits[i] = e.split(src)
	}
	all := func(o observed) observed { return o }
	moved := e.margins != nil && e.improve(splits, e.margins, []*smoothing{nil})
	moved = e.improve(splits, all, e.smoothings) || moved
	moved = e.improve(splits, all, []*smoothing{nil}) || moved
	moved = moved && e.lower(splits) || moved
	if !moved {
		return e.prior, true
	}
	law = make([]float64, len(e.prior))
	for _, s := range splits {
		floats.AddScaled(law, 1/float64(len(splits)), s.law)
	}
	return law, false
}

// fits are what a path of strengths made of the splits.
type fits struct {
	laws   [][]float64
	misfit []float64
}

func (f *fits) mean() float64 { return floats.Sum(f.misfit) / float64(len(f.misfit)) }

// improve moves every split's law to the best of the candidates about it, fitted
// to a view of what was seen, and reports whether any foretells all of it better
// than staying.
func (e *estimator) improve(splits []*split, view func(observed) observed, smoothings []*smoothing) bool {
	stay := &fits{}
	for _, s := range splits {
		stay.laws, stay.misfit = append(stay.laws, s.law), append(stay.misfit, s.misfit)
	}
	best, all := stay, [][]*fits{}
	for _, s := range smoothings {
		path := e.path(splits, view, s)
		all = append(all, path)
		for _, f := range path {
			if f.mean() < best.mean() {
				best = f
			}
		}
	}
	chosen := cautious(splits, stay, best, all)
	for i, s := range splits {
		s.law, s.misfit = chosen.laws[i], chosen.misfit[i]
	}
	return chosen != stay
}

// pedestals are shares of the prior that may be taken off a law: noise cannot
// make shares negative, so that what is empty looks a little filled.
var pedestals = [...]float64{0.01, 0.02, 0.05, 0.1}

// lower takes a share of the prior off every split's law where that foretells
// better.
func (e *estimator) lower(splits []*split) bool {
	stay, best := &fits{}, (*fits)(nil)
	for _, s := range splits {
		stay.laws, stay.misfit = append(stay.laws, s.law), append(stay.misfit, s.misfit)
	}
	best = stay
	for _, share := range pedestals {
		f := &fits{}
		for _, s := range splits {
			law := slices.Clone(s.law)
			for i := range law {
				law[i] = max(law[i]-share*e.prior[i], 0.1*law[i])
			}
			floats.Scale(1/floats.Sum(law), law)
			f.laws, f.misfit = append(f.laws, law), append(f.misfit, s.test.misfit(law))
		}
		if f.mean() < best.mean() {
			best = f
		}
	}
	if best == stay || !clearly(splits, stay, best) {
		return false
	}
	for i, s := range splits {
		s.law, s.misfit = best.laws[i], best.misfit[i]
	}
	return true
}

// cautious stays where nothing is clearly better; else it is the rule of one
// standard error: the strongest prior on the best's path that is no standard error
// of the difference worse than the best.
func cautious(splits []*split, stay, best *fits, all [][]*fits) *fits {
	if !clearly(splits, stay, best) {
		return stay
	}
	for _, path := range all {
		if !slices.Contains(path, best) {
			continue
		}
		for _, f := range path {
			if within(f.misfit, best.misfit) {
				return f
			}
		}
	}
	return best
}

// path fits all splits, strength after strength, each from the one before, until
// weaker priors foretell worse and worse.
func (e *estimator) path(splits []*split, view func(observed) observed, s *smoothing) []*fits {
	models, starts := make([]*entropic, len(splits)), make([][]float64, len(splits))
	for i, p := range splits {
		models[i] = newEntropic(view(p.fit).through(s), p.law)
		starts[i] = make([]float64, models[i].unknowns())
	}
	var out []*fits
	least, worse := math.Inf(1), 0
	for kappa := strongest; kappa > weakest && worse < 2; kappa /= weaker {
		f := &fits{}
		for i, p := range splits {
			models[i].solve(kappa, starts[i])
			law := s.apply(slices.Clone(models[i].p.RawMatrix().Data))
			f.laws, f.misfit = append(f.laws, law), append(f.misfit, p.test.misfit(law))
		}
		out = append(out, f)
		if worse++; f.mean() < least {
			least, worse = f.mean(), 0
		}
	}
	return out
}

// within reports that a is worse than b by no more than a standard error.
func within(a, b []float64) bool {
	n := float64(len(a))
	var sum, squares float64
	for i := range a {
		d := a[i] - b[i]
		sum += d
		squares += d * d
	}
	m := sum / n
	variance := max(0, squares/n-m*m) / max(1, n-1)
	return m <= math.Sqrt(variance)
}

// clearly reports that b foretells better than a by more than a standard deviation
// of the difference as the noise is known to make it. The scatter over the splits
// would not do: they are of one release, and what its noise feigns is in all of them.
func clearly(splits []*split, a, b *fits) bool {
	better, deviation := 0.0, 0.0
	for i, s := range splits {
		better += a.misfit[i] - b.misfit[i]
		deviation += 2 * s.test.apart(a.laws[i], b.laws[i])
	}
	return better > deviation
}
