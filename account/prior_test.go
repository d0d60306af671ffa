package account

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestStationaryIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t)
		pi := c.Stationary()
		sum := 0.0
		for j := range c {
			next := 0.0
			for i := range c {
				next += pi[i] * c[i][j]
			}
			if !(pi[j] >= 0) || math.Abs(next-pi[j]) > 1e-12 {
				t.Fatalf("%v keeps no %v: %v", c, pi, next)
			}
			sum += pi[j]
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%v sums to %v", pi, sum)
		}
	})
	if pi := (Chain{{0.8, 0.2}, {0, 1}}).Stationary(); pi[0] != 0 || pi[1] != 1 {
		t.Errorf("absorbing: %v", pi)
	}
	if pi := (Chain{{0.9, 0.1}, {0.3, 0.7}}).Stationary(); math.Abs(pi[0]-0.75) > 1e-15 {
		t.Errorf("%v", pi)
	}
}

// TestPriorFindsTheChain that series were drawn from.
func TestPriorFindsTheChain(t *testing.T) {
	want := Chain{{0.9, 0.1, 0}, {0.05, 0.9, 0.05}, {0, 0.2, 0.8}}
	state, x := 0, []float64{}
	seed := uint64(7)
	for range 200_000 {
		seed = seed*6364136223846793005 + 1442695040888963407
		u := float64(seed>>11) / (1 << 53)
		for j, p := range want[state] {
			if u -= p; u < 0 {
				state = j
				break
			}
		}
		x = append(x, float64(state))
	}
	p, err := EstimatePrior([][]float64{x[:100_000], x[100_000:]}, []float64{0.5, 1.5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for j := range want {
			if math.Abs(p.Chain[i][j]-want[i][j]) > 0.01 {
				t.Errorf("from %d to %d: %v, want %v", i, j, p.Chain[i][j], want[i][j])
			}
		}
	}
	l, err := p.Leakage(slices.Repeat([]float64{0.1}, 20))
	if err != nil {
		t.Fatal(err)
	}
	if l.Total[10] < 0.2 || l.Total[10] > 2 {
		t.Errorf("leakage %v of 0.1 in a sticky chain", l.Total[10])
	}
}

func TestPriorRules(t *testing.T) {
	nan := math.NaN()
	p, err := EstimatePrior([][]float64{{0, nan, 1, 1}, {1}}, []float64{0.5})
	if err != nil || p.Chain[0][0] != 0.5 || p.Chain[1][1] != 1.5/2 { // one transition, 1 to 1
		t.Errorf("%v, %v", p, err)
	}
	for name, bad := range map[string]struct {
		series [][]float64
		edges  []float64
	}{
		"nothing": {nil, []float64{1}}, "one value": {[][]float64{{1}, {nan, 2}}, []float64{1}}, "descending": {[][]float64{{1, 2}}, []float64{2, 1}},
		"NaN": {[][]float64{{1, 2}}, []float64{nan}}, "too many": {[][]float64{{1, 2}}, make([]float64, 300)},
	} {
		if _, err := EstimatePrior(bad.series, bad.edges); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if e := QuantileEdges([][]float64{{1, 2, 3, nan}, {4, 5, 6}}, 3); !slices.Equal(e, []float64{3, 5}) {
		t.Errorf("edges %v", e)
	}
	if e := QuantileEdges([][]float64{{7, 7, 7, 7, 8}}, 4); len(e) != 0 {
		t.Errorf("edges of equal values: %v", e)
	}
	if p, err := EstimatePrior([][]float64{{7, 7, 7}}, nil); err != nil || p.Chain[0][0] != 1 {
		t.Errorf("one state: %v, %v", p, err)
	}
}

func TestAlongTheVectors(t *testing.T) { // MECHANISMS §8
	got, err := (Chain{{0.8, 0.2}, {0, 1}}).Along(slices.Repeat([]float64{0.1}, 10))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.100, 0.181, 0.247, 0.302, 0.349, 0.388, 0.422, 0.450, 0.475, 0.496} {
		if math.Abs(got[i]-want) > 5e-4 {
			t.Errorf("step %d: %v, want %v", i+1, got[i], want)
		}
	}
	if _, err := (Chain{{1, 0}}).Along(nil); err == nil {
		t.Error("a chain that is not square was accepted")
	}
	if _, err := (Chain{{1}}).Along([]float64{-1}); err == nil {
		t.Error("a negative ε was accepted")
	}
}
