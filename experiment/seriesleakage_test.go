package experiment

import (
	"context"
	"math"
	"testing"

	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// wander makes recordings of a random walk and of independent values.
func wander(people, windows int) []series.Signals {
	src := noise.Seeded(17)
	var all []series.Signals
	for p := range people {
		walk, free := make([]float64, windows), make([]float64, windows)
		at := 0.0
		for t := range walk {
			at = 0.99*at + src.NormFloat64()
			walk[t], free[t] = at, src.NormFloat64()
		}
		all = append(all, series.Signals{Subject: string(rune('a' + p)), Condition: "text", Values: [][]float64{walk, free}})
	}
	return all
}

// TestLeakageOfDifferences: a walk leaks its ε many times over, its
// differences and independent values hardly more than once.
func TestLeakageOfDifferences(t *testing.T) {
	e := SeriesLeakage{Recordings: wander(40, 2000), Names: []string{"walk", "free"}, Epsilon: 0.1, Steps: 32}
	rows, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if w := rows[0]; w.Raw.Ratio < 10 || w.Raw.Leakage > w.Raw.Ceiling || w.Difference.Ratio > 1.2 || w.Raw.States != 8 {
		t.Errorf("walk: %+v", w)
	}
	if f := rows[1]; f.Raw.Ratio > 1.2 || math.Abs(f.Raw.Ceiling-3.2) > 1e-12 {
		t.Errorf("independent values: %+v", f)
	}
	for name, bad := range map[string]SeriesLeakage{"ε": {Recordings: e.Recordings, Steps: 1}, "steps": {Recordings: e.Recordings, Epsilon: 1}, "data": {Epsilon: 1, Steps: 1}} {
		if _, err := bad.Run(context.Background()); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
