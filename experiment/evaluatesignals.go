package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/noise"
)

// SignalsOf are the signals of one recording as they were and as released:
// per signal, window by window; NaN where there was none.
type SignalsOf struct {
	Participant     string
	Truth, Released [][]float64
}

// EvaluateSignals says what released feature signals are worth. Errors are in
// units of each signal's public range (where a signal has no bounds, of the raw
// values' range), so that signals can be averaged. Its controls are the error of
// a constant that knows each signal's mean over all people, and of a guess
// between the bounds. Intervals are from resampling people.
func EvaluateSignals(all []SignalsOf, names []string, bounds [][2]float64, seed uint64) ([]Measure, error) {
	if len(all) == 0 || len(names) == 0 {
		return nil, fmt.Errorf("experiment: there are no signals to compare")
	}
	s := &signalSums{names: names, people: map[string]*signalSum{}}
	s.ranges(all, bounds)
	for _, r := range all {
		if err := s.add(&r); err != nil {
			return nil, err
		}
	}
	return s.measures(noise.Seeded(seed)), nil
}

// signalSums gathers squared errors and correlations person by person.
type signalSums struct {
	names       []string
	low, high   []float64
	mean        []float64 // of the raw values, over everybody
	people      map[string]*signalSum
	flat, alive int
}

type signalSum struct {
	n                  float64
	error, constant    float64
	correlation, pairs float64
}

func (s *signalSums) ranges(all []SignalsOf, bounds [][2]float64) {
	for k := range s.names {
		low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0.0
		for _, r := range all {
			for _, v := range r.Truth[k] {
				if !math.IsNaN(v) {
					low, high, sum, n = min(low, v), max(high, v), sum+v, n+1
				}
			}
		}
		if k < len(bounds) && bounds[k][0] < bounds[k][1] {
			low, high = bounds[k][0], bounds[k][1]
		}
		s.low, s.high, s.mean = append(s.low, low), append(s.high, high), append(s.mean, sum/n)
	}
}

func (s *signalSums) add(r *SignalsOf) error {
	p := s.people[r.Participant]
	if p == nil {
		p = &signalSum{}
		s.people[r.Participant] = p
	}
	for k := range s.names {
		if len(r.Truth[k]) != len(r.Released[k]) {
			return fmt.Errorf("experiment: %s has %d windows, and %d were released", s.names[k], len(r.Truth[k]), len(r.Released[k]))
		}
		width := s.high[k] - s.low[k]
		if !(width > 0) {
			continue
		}
		var a, b []float64
		for i, truth := range r.Truth[k] {
			if math.IsNaN(truth) {
				continue
			}
			d, c := (r.Released[k][i]-truth)/width, (s.mean[k]-truth)/width
			p.n, p.error, p.constant = p.n+1, p.error+d*d, p.constant+c*c
			a, b = append(a, truth), append(b, r.Released[k][i])
		}
		if c := pearson(a, b); !math.IsNaN(c) {
			p.correlation, p.pairs = p.correlation+c, p.pairs+1
			s.alive++
		} else {
			s.flat++
		}
	}
	return nil
}

// signalResamples is how often people are drawn anew for an interval.
const signalResamples = 200

func (s *signalSums) measures(src *noise.Source) []Measure {
	people := make([]*signalSum, 0, len(s.people))
	for _, name := range sortedKeys(s.people) {
		people = append(people, s.people[name])
	}
	e := PathsEvaluation{Resamples: signalResamples}
	one := func(name, unit, note string, above, below func(*signalSum) float64) Measure {
		m := Measure{Name: name, Unit: unit, Note: note}
		ratio := func(who []int) float64 {
			a, b := 0.0, 0.0
			for _, i := range who {
				a, b = a+above(people[i]), b+below(people[i])
			}
			return a / b
		}
		m.put(ratio(indices(len(people))), e.bootstrap(len(people), src, ratio))
		if m.Value == nil {
			m.Note = "no signal varies, or none was released"
		}
		return m
	}
	n := func(p *signalSum) float64 { return p.n }
	flat := ""
	if s.flat > 0 {
		flat = fmt.Sprintf("over %d signals of recordings; %d more do not vary, raw or as released", s.alive, s.flat)
	}
	guess := 1.0 / 6 // two independent points between the bounds, evenly
	return slices.Concat([]Measure{
		one("squared error, mean over signals and windows", "range²", "values released beyond their public bounds were brought back to them first, at no cost", func(p *signalSum) float64 { return p.error }, n),
		one("the same of a constant that knows each signal's mean", "range²", "control: a release above it says less about a window than that mean", func(p *signalSum) float64 { return p.constant }, n),
		{Name: "the same of a guess between the bounds", Unit: "range²", Value: &guess, Note: "control: for values spread evenly between the bounds"},
		one("correlation with the raw signal, mean over signals of recordings", "", flat, func(p *signalSum) float64 { return p.correlation }, func(p *signalSum) float64 { return p.pairs }),
	})
}
