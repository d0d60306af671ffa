package account

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCarriedVectors(t *testing.T) { // MECHANISMS §8, ε = 0.1 per step
	for name, v := range map[string]struct {
		chain Chain
		want  []float64
	}{
		"absorbing": {Chain{{0.8, 0.2}, {0, 1}}, []float64{0.100, 0.181, 0.247, 0.302, 0.349, 0.388, 0.422, 0.450, 0.475, 0.496}},
		"symmetric": {Chain{{0.8, 0.2}, {0.2, 0.8}}, []float64{0.100, 0.160, 0.196, 0.217, 0.230, 0.238, 0.242, 0.245, 0.246, 0.247}},
	} {
		alpha := 0.0
		for i, want := range v.want {
			if alpha = v.chain.Carried(alpha) + 0.1; math.Abs(alpha-want) > 5e-4 {
				t.Errorf("%s, step %d: %.4f, want %.3f", name, i+1, alpha, want)
			}
		}
	}
}

// drawChain draws a chain with zeros among its probabilities.
func drawChain(t *rapid.T) Chain {
	n := rapid.IntRange(1, 5).Draw(t, "states")
	c := make(Chain, n)
	for i := range c {
		c[i] = make([]float64, n)
		sum := 0
		weights := make([]int, n)
		for j := range weights {
			weights[j] = rapid.IntRange(0, 6).Draw(t, "weight")
			sum += weights[j]
		}
		if sum == 0 {
			weights[i], sum = 1, 1
		}
		for j := range weights {
			c[i][j] = float64(weights[j]) / float64(sum)
		}
	}
	return c
}

func TestCarriedAgainstAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t)
		alpha := rapid.Float64Range(0, 8).Draw(t, "alpha")
		want := 0.0
		for i := range c {
			for j := range c {
				for set := range 1 << len(c) {
					var sumQ, sumD float64
					for k := range c {
						if set>>k&1 == 1 {
							sumQ += c[i][k]
							sumD += c[j][k]
						}
					}
					want = math.Max(want, math.Log((sumQ*math.Expm1(alpha)+1)/(sumD*math.Expm1(alpha)+1)))
				}
			}
		}
		if got := c.Carried(alpha); math.Abs(got-want) > 1e-9 || got > alpha+1e-12 {
			t.Fatalf("chain %v, alpha %g: %g, all subsets give %g", c, alpha, got, want)
		}
	})
}

func TestCarriedIsFiniteForLargeLeakage(t *testing.T) {
	for _, alpha := range []float64{700, 1e4, 1e300} {
		if got := (Chain{{1, 0}, {0, 1}}).Carried(alpha); got != alpha {
			t.Errorf("identity: %g of %g", got, alpha)
		}
		if got := (Chain{{0.8, 0.2}, {0.2, 0.8}}).Carried(alpha); math.Abs(got-math.Log(4)) > 1e-12 {
			t.Errorf("symmetric: %g of %g", got, alpha)
		}
	}
}

func TestTemporalLeakage(t *testing.T) {
	chain, stationary := Chain{{0.9, 0.1}, {0.3, 0.7}}, []float64{0.75, 0.25}
	epsilon := []float64{0.1, 0.2, 0.1, 0.4}
	l, err := TemporalLeakage(chain, stationary, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, e := range epsilon {
		sum += e
	}
	for i, e := range epsilon {
		if l.Backward[i] < e || l.Forward[i] < e || l.Total[i] > sum || math.Abs(l.Total[i]-(l.Backward[i]+l.Forward[i]-e)) > 1e-15 {
			t.Errorf("step %d: %+v", i, l)
		}
	}
	// A chain of two states is its own reversal, so time can be turned round.
	turned, err := TemporalLeakage(chain, stationary, []float64{0.4, 0.1, 0.2, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range epsilon {
		if math.Abs(turned.Backward[3-i]-l.Forward[i]) > 1e-12 {
			t.Errorf("step %d: %g, reversed %g", i, l.Forward[i], turned.Backward[3-i])
		}
	}
	independent, err := TemporalLeakage(Chain{{0.5, 0.5}, {0.5, 0.5}}, []float64{0.5, 0.5}, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range epsilon {
		if independent.Total[i] != e {
			t.Errorf("independent values leak %g of %g", independent.Total[i], e)
		}
	}
}

func TestReversedIsBayes(t *testing.T) {
	c := Chain{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}} // a cycle runs backward
	third := 1.0 / 3
	r, err := c.Reversed([]float64{third, third, third})
	if err != nil {
		t.Fatal(err)
	}
	if r[1][0] != 1 || r[2][1] != 1 || r[0][2] != 1 {
		t.Errorf("%v", r)
	}
}

func TestChainRefusals(t *testing.T) {
	half := []float64{0.5, 0.5}
	for name, c := range map[string]struct {
		chain      Chain
		stationary []float64
		epsilon    []float64
	}{
		"not square":     {Chain{{1, 0}}, half, nil},
		"not a sum of 1": {Chain{{0.5, 0.4}, {0.5, 0.5}}, half, nil},
		"negative":       {Chain{{1.5, -0.5}, {0.5, 0.5}}, half, nil},
		"NaN":            {Chain{{math.NaN(), 1}, {0.5, 0.5}}, half, nil},
		"not stationary": {Chain{{0.9, 0.1}, {0.3, 0.7}}, half, nil},
		"a lost state":   {Chain{{0.8, 0.2}, {0, 1}}, []float64{0, 1}, nil},
		"short":          {Chain{{1}}, nil, nil},
		"negative ε":     {Chain{{1}}, []float64{1}, []float64{-1}},
		"infinite ε":     {Chain{{1}}, []float64{1}, []float64{math.Inf(1)}},
	} {
		if _, err := TemporalLeakage(c.chain, c.stationary, c.epsilon); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
