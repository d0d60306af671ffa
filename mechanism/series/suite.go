package series

import (
	"math"
	"strconv"
	"sync"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// suite is the conformance suite of the mechanisms that take recordings.
func suite(params map[string]string, bad []map[string]string) mechanism.Suite {
	bad = append([]map[string]string{
		{"epsilon": "0"}, {"epsilon": "-1"}, {"epsilon": "NaN"}, {"epsilon": "1e7"},
		{"length": "0"}, {"length": "99999999"}, {"features": "0"}, {"lower": "1"}, {"lower": "0,0"}, {"upper": "x"}, {"upper": "NaN"}, {"upper": "Inf"},
		{"lower": "", "upper": ""}, {"step": "1m"}, {"gaps": "ignore"},
	}, bad...)
	return mechanism.Suite{Params: params, Bad: bad, Inputs: oddSignals, Run: run, Prepare: prepare, Zero: middle, Pair: pair}
}

func output(r *Release, err error) (mechanism.Output, error) {
	if err != nil {
		return mechanism.Output{}, err
	}
	var all []float64
	for _, v := range r.Coordinates {
		all = append(all, v...)
	}
	return mechanism.Output{Values: all, Guarantee: r.Guarantee}, nil
}

func run(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	return output(m.(Mechanism).Release(input.([]Signals), src))
}

func runMean(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	return output(m.(Mean).Release(input.([]Signals), conditionNames(m), src))
}

// prepare shapes an input once for many draws.
func prepare(m mechanism.Mechanism) (mechanism.Runner, error) {
	if l, ok := m.(Laplace); ok && (l.Method == Steil || l.Choose == Paid) {
		resolved, err := l.resolve()
		if err != nil {
			return nil, err
		}
		plan := m.Plan()
		return func(input any, src *noise.Source) (mechanism.Output, error) {
			return output(resolved.release(input.([]Signals), plan, src))
		}, nil
	}
	var known sync.Map // by the first recording
	return func(input any, src *noise.Source) (mechanism.Output, error) {
		recordings := input.([]Signals)
		var first *Signals
		if len(recordings) > 0 {
			first = &recordings[0]
		}
		p, ok := known.Load(first)
		if !ok {
			fresh, err := shape(m, recordings)
			if err != nil {
				return mechanism.Output{}, err
			}
			known.Store(first, fresh)
			p = fresh
		}
		return output(p.(*Prepared).Draw(src))
	}, nil
}

func shape(m mechanism.Mechanism, recordings []Signals) (*Prepared, error) {
	if mean, ok := m.(Mean); ok {
		return mean.Prepare(recordings, conditionNames(m))
	}
	return m.(interface {
		Prepare([]Signals) (*Prepared, error)
	}).Prepare(recordings)
}

// cutOf is the cut and the bounds of a mechanism.
func cutOf(m mechanism.Mechanism) (Cut, []Bounds) {
	switch m := m.(type) {
	case Laplace:
		return m.Cut, m.Bounds
	case Gaussian:
		return m.Cut, m.Bounds
	case Mean:
		return m.Cut, m.Bounds
	}
	return Cut{}, nil
}

// one is a single recording whose signals are where at says, in shares of the
// range around its middle.
func one(m mechanism.Mechanism, windows int, at func(signal, t int) float64) []Signals {
	c, bounds := cutOf(m)
	r := Signals{Subject: "one", Recording: "1", Condition: conditionNames(m)[0]}
	for f := range c.Features {
		b := Bounds{0, 1}
		if len(bounds) > 0 {
			b = boundsOf(bounds, f)
		}
		v := make([]float64, windows)
		for t := range v {
			v[t] = b.mid() + b.span()*at(f, t)
		}
		r.Values = append(r.Values, v)
	}
	return []Signals{r}
}

// conditionNames are as many conditions as a mean is planned for.
func conditionNames(m mechanism.Mechanism) []string {
	names := []string{"condition"}
	if mean, ok := m.(Mean); ok {
		for i := 1; i < mean.Conditions; i++ {
			names = append(names, "condition "+strconv.Itoa(i))
		}
	}
	return names
}

// middle is a recording whose release is nothing but the noise that is planned
// for: whole chunks, as the last one's may differ. Where the data decide on the
// noise or on k there is none.
func middle(m mechanism.Mechanism) any {
	c, _ := cutOf(m)
	if l, ok := m.(Laplace); ok {
		if l.Published || l.Choose != Public {
			return nil
		}
		c.Length = c.chunkLength()
	}
	return one(m, c.Length, func(int, int) float64 { return 0 })
}

func oddSignals(m mechanism.Mechanism) map[string]any {
	c, _ := cutOf(m)
	fill := func(v float64) any { return one(m, c.Length, func(int, int) float64 { return v }) }
	ragged := one(m, c.Length, func(int, int) float64 { return 0 })
	ragged[0].Values[0] = nil
	return map[string]any{
		"no recordings": []Signals{}, "no signals": []Signals{{}}, "ragged": ragged,
		"middle": fill(0), "constant": fill(0.3), "outside": fill(7), "huge": fill(math.MaxFloat64), "infinite": fill(math.Inf(-1)), "tiny": fill(5e-324),
		"NaN":        fill(math.NaN()),
		"too long":   one(m, c.Length+1, func(int, int) float64 { return 0 }),
		"NaN inside": one(m, c.Length, func(_, t int) float64 { return []float64{0, math.NaN()}[t%2] }),
	}
}
