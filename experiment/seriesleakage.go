package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/signal"
)

// SeriesLeakage measures what temporal correlation makes of ε: how much the
// releases of all times together say about the value at one time, where each
// alone is ε-DP for it (Cao et al. 2017), under a Markov prior estimated from
// these recordings; for the signals and for their differences.
type SeriesLeakage struct {
	Recordings []series.Signals
	Names      []string // of the signals
	States     int      // at most, of about equal frequency; 0 = 8
	Epsilon    float64  // per value; required
	Steps      int      // releases; required
}

// LeakageRow is one signal's.
type LeakageRow struct {
	Feature    string      `json:"feature"`
	Raw        LeakageSide `json:"raw"`
	Difference LeakageSide `json:"difference"`
}

// LeakageSide is that of the signal or of its differences. Ratio is ε′/ε: the
// largest total leakage of any time over ε.
type LeakageSide struct {
	States  int     `json:"states"`
	Ratio   float64 `json:"ratio"`
	Leakage float64 `json:"leakage"` // ε′
	Ceiling float64 `json:"ceiling"` // ε times the number of releases: no prior exceeds it
}

// Run fills the table, signal by signal.
func (e SeriesLeakage) Run(ctx context.Context) ([]LeakageRow, error) {
	if !(e.Epsilon > 0) || e.Steps < 1 || e.Steps > 1<<16 {
		return nil, fmt.Errorf("experiment: epsilon and steps must be positive, got %v and %d", e.Epsilon, e.Steps)
	}
	if len(e.Recordings) == 0 {
		return nil, errNoWindows
	}
	rows := make([]LeakageRow, len(e.Names))
	err := inParallel(ctx, len(rows), noise.Seeded(1), func(i int, _ *noise.Source) (err error) {
		raw, differences := e.signalOf(i)
		rows[i].Feature = e.Names[i]
		if rows[i].Raw, err = e.side(raw); err == nil {
			rows[i].Difference, err = e.side(differences)
		}
		return err
	}, func(int) {})
	return rows, err
}

// signalOf is one signal of every recording, and its differences.
func (e SeriesLeakage) signalOf(i int) (raw, differences [][]float64) {
	for _, r := range e.Recordings {
		x := r.Values[i]
		raw = append(raw, x)
		differences = append(differences, signal.Differences(make([]float64, len(x)), x)[1:])
	}
	return raw, differences
}

func (e SeriesLeakage) side(x [][]float64) (LeakageSide, error) {
	states := e.States
	if states == 0 {
		states = 8
	}
	prior, err := account.EstimatePrior(x, account.QuantileEdges(x, states))
	if err != nil {
		return LeakageSide{}, err
	}
	l, err := prior.Leakage(slices.Repeat([]float64{e.Epsilon}, e.Steps))
	if err != nil {
		return LeakageSide{}, err
	}
	s := LeakageSide{States: len(prior.Chain), Ceiling: e.Epsilon * float64(e.Steps)}
	for _, v := range l.Total {
		s.Leakage = math.Max(s.Leakage, v)
	}
	s.Ratio = s.Leakage / e.Epsilon
	return s, nil
}
