package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/signal"
)

// SeriesCorrelation is figures 3 to 6 of Bozkir et al. 2021: Pearson's
// correlation, across recordings of a condition, of the value at one time with
// that Δt windows later; of the signals and of their differences.
type SeriesCorrelation struct {
	Data     *SeriesData
	Features []string // names; empty = all
	At       int      // the earlier value, counted from 1; 0 = 5, as in the figures
	Lags     int      // largest Δt in windows; 0 = 50
}

// CorrelationRow is one point of a curve.
type CorrelationRow struct {
	Feature     string  `json:"feature"`
	Condition   string  `json:"condition"`
	Signal      string  `json:"signal"` // raw or difference
	Lag         int     `json:"lag"`    // windows
	Correlation float64 `json:"correlation"`
	Recordings  int     `json:"recordings"` // long enough
}

// Run computes the curves. Points with fewer than three recordings, or without
// any variation, are left out.
func (e SeriesCorrelation) Run(ctx context.Context) ([]CorrelationRow, error) {
	if e.At == 0 {
		e.At = 5
	}
	if e.Lags == 0 {
		e.Lags = 50
	}
	if e.At < 1 || e.Lags < 1 {
		return nil, fmt.Errorf("experiment: the time and the lags must be positive, got %d and %d", e.At, e.Lags)
	}
	if e.Data == nil || len(e.Data.Recordings) == 0 {
		return nil, errNoWindows
	}
	for _, name := range e.Features {
		if !slices.Contains(e.Data.Names, name) {
			return nil, fmt.Errorf("experiment: the data have no feature %q", name)
		}
	}
	var rows []CorrelationRow
	for f, name := range e.Data.Names {
		if len(e.Features) > 0 && !slices.Contains(e.Features, name) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, condition := range e.conditions() {
			raw, differences := e.signals(f, condition)
			rows = append(rows, e.curve(raw, CorrelationRow{Feature: name, Condition: condition, Signal: "raw"})...)
			rows = append(rows, e.curve(differences, CorrelationRow{Feature: name, Condition: condition, Signal: "difference"})...)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("experiment: no condition has three recordings that are long enough")
	}
	return rows, nil
}

func (e SeriesCorrelation) conditions() []string {
	var all []string
	for i := range e.Data.Recordings {
		if c := e.Data.Recordings[i].Condition; !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	slices.Sort(all)
	return all
}

func (e SeriesCorrelation) signals(f int, condition string) (raw, differences [][]float64) {
	for i := range e.Data.Recordings {
		if r := &e.Data.Recordings[i]; r.Condition == condition {
			raw = append(raw, r.Values[f])
			differences = append(differences, signal.Differences(make([]float64, r.Windows()), r.Values[f]))
		}
	}
	return raw, differences
}

// curve fills in one row per lag.
func (e SeriesCorrelation) curve(x [][]float64, like CorrelationRow) (rows []CorrelationRow) {
	for lag := 1; lag <= e.Lags; lag++ {
		var a, b []float64
		for _, v := range x {
			if at := e.At - 1; at+lag < len(v) {
				a, b = append(a, v[at]), append(b, v[at+lag])
			}
		}
		like.Lag, like.Recordings = lag, len(a)
		if like.Correlation = pearson(a, b); len(a) >= 3 && !math.IsNaN(like.Correlation) {
			rows = append(rows, like)
		}
	}
	return rows
}

// pearson is NaN where one of the two does not vary.
func pearson(a, b []float64) float64 {
	n := float64(len(a))
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma, mb = ma+a[i]/n, mb+b[i]/n
	}
	for i := range a {
		da, db := a[i]-ma, b[i]-mb
		ab, aa, bb = ab+da*db, aa+da*da, bb+db*db
	}
	if aa == 0 || bb == 0 {
		return math.NaN()
	}
	return math.Max(-1, math.Min(1, ab/math.Sqrt(aa*bb)))
}
