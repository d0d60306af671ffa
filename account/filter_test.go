package account

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"pgregory.net/rapid"
)

func TestPureAsGaussian(t *testing.T) {
	for _, epsilon := range []float64{1e-6, 1e-3, 0.1, 0.5, 0.999, 1, 2, 5, 10, 50, 300, 600} {
		mu := math.Sqrt(pureMuSquared(Epsilon(floatUnits(epsilon, epsilonDigits, up))).Float64())
		// Randomised response is the worst ε-DP mechanism: its curve of δ must
		// lie below the Gaussian's everywhere, and touch it at ε = 0.
		for i := range 1000 {
			e := epsilon * float64(i) / 1000
			worst := (1 - math.Exp(e-epsilon)) / (1 + math.Exp(-epsilon))
			if got := dp.GaussianDelta(mu, e); got < worst*(1-1e-12) {
				t.Fatalf("ε = %g: at %g the Gaussian has δ = %g, randomised response %g", epsilon, e, got, worst)
			}
		}
		if epsilon < 30 && epsilon > 1e-4 {
			if got, worst := dp.GaussianDelta(mu*(1-1e-4), 0), math.Tanh(epsilon/2); got >= worst {
				t.Errorf("ε = %g: mu = %g is larger than needed", epsilon, mu)
			}
		}
	}
	if pureMuSquared(700e9) != unlimited {
		t.Error("out of range")
	}
}

func TestPureAsZCDP(t *testing.T) {
	for _, epsilon := range []float64{1e-6, 0.1, 1, 1.9999, 2, 3, 50} {
		rho := pureRho(Epsilon(floatUnits(epsilon, epsilonDigits, up))).Float64()
		p, q := 1/(1+math.Exp(-epsilon)), 1/(1+math.Exp(epsilon))
		for _, order := range []float64{1.001, 1.1, 2, 5, 20, 100} {
			// ln (p^a q^(1−a) + q^a p^(1−a)) without leaving the range of float64
			large, small := order*math.Log(p)+(1-order)*math.Log(q), order*math.Log(q)+(1-order)*math.Log(p)
			renyi := (large + math.Log1p(math.Exp(small-large))) / (order - 1)
			if renyi > order*rho*(1+1e-9)+1e-12 {
				t.Errorf("ε = %g, order %g: divergence %g, ρ = %g", epsilon, order, renyi, rho)
			}
		}
	}
	if got := pureRho(1e9); got != 5e11 {
		t.Errorf("ρ of ε = 1 is %v", got)
	}
}

func TestSharesAddUpToTheCap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Budget{
			Epsilon(rapid.Int64Range(1, int64(greatestEpsilon)).Draw(t, "epsilon")),
			Delta(rapid.Int64Range(0, 1e18-1).Draw(t, "delta")),
		}
		f := newFilters(subject, limit)
		var shares Delta
		for _, f := range f {
			shares += f.Delta + f.Convert
		}
		if shares > limit.Delta {
			t.Fatalf("shares %v of cap %v", shares, limit)
		}
		if f[Basic].Loss != lossOf(limit.Epsilon) {
			t.Fatalf("basic cap %v of %v", f[Basic].Loss, limit)
		}
		if f[Gaussian].Loss > 0 { // the capped loss converts to no more than ε
			mu := math.Sqrt(f[Gaussian].Loss.Float64())
			if got := dp.GaussianDelta(mu, limit.Epsilon.Float64()); got > f[Gaussian].Convert.Float64()*(1+1e-6) {
				t.Fatalf("cap %v: mu %g has delta %g", limit, mu, got)
			}
		}
		if f[ZCDP].Loss > 0 {
			if got := dp.ZCDPEpsilon(f[ZCDP].Loss.Float64(), f[ZCDP].Convert.Float64()); got > limit.Epsilon.Float64()*(1+1e-6) {
				t.Fatalf("cap %v: rho %v has epsilon %g", limit, f[ZCDP].Loss, got)
			}
		}
	})
}

func TestCostsOfKinds(t *testing.T) {
	f := newFilters(subject, Budget{10e9, 1e16})
	mu := 0.5
	for name, c := range map[string]struct {
		g    dp.Guarantee
		want Costs
	}{
		"pure": {dp.Guarantee{Epsilon: 0.2}, Costs{{2e11, 0}, {pureMuSquared(2e8), 0}, {2e10, 0}}},
		"approximate rides beside pure": {dp.Guarantee{Measure: dp.Approximate, Epsilon: 0.2, Delta: 1e-7},
			Costs{{2e11, 1e11}, {pureMuSquared(2e8), 1e11}, {2e10, 1e11}}},
		"a Gaussian needs no delta beside mu": {dp.Guarantee{Measure: dp.Approximate, Epsilon: 3, Delta: 1e-5, Mu: mu},
			Costs{{3e12, 1e13}, {25e10, 0}, {125e9, 0}}},
		"zCDP is no GDP": {dp.Guarantee{Measure: dp.ZCDP, Rho: 0.125},
			Costs{{lossOf(Epsilon(floatUnits(dp.ZCDPEpsilon(0.125, 5e-3/16), epsilonDigits, up))), 5e15 / 16}, unknown, {125e9, 0}}},
		"a Gaussian under zCDP": {dp.Guarantee{Measure: dp.ZCDP, Rho: 0.125, Mu: mu},
			Costs{{lossOf(Epsilon(floatUnits(dp.ZCDPEpsilon(0.125, 5e-3/16), epsilonDigits, up))), 5e15 / 16}, {25e10, 0}, {125e9, 0}}},
		"a replacement is two changes": {dp.Guarantee{Epsilon: 0.1, Neighbours: dp.AddRemove}, Costs{{2e11, 0}, {pureMuSquared(2e8), 0}, {2e10, 0}}},
		"geo":                          {dp.Guarantee{Measure: dp.Geo, Epsilon: 1, Radius: 50, RadiusUnit: "px"}, Costs{{2e10, 0}, unknown, unknown}},
	} {
		if got := f.costs(c.g); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// leaky is the worst (ε, δ)-DP mechanism (Kairouz, Oh and Viswanath 2015):
// with probability δ it gives the bit away, else it is randomised response.
// It returns the probabilities of its four outputs given the bit.
func leaky(epsilon, delta float64, bit int) [4]float64 {
	right := (1 - delta) / (1 + math.Exp(-epsilon))
	p := [4]float64{0, 0, 1 - delta - right, 1 - delta - right}
	p[bit] = delta
	p[2+bit] = right
	return p
}

// adversary chooses the next spend from all that it saw.
func adversary(seed uint64, transcript []byte) dp.Guarantee {
	for _, b := range transcript {
		seed = (seed ^ uint64(b+1)) * 0x9e3779b97f4a7c15
		seed ^= seed >> 29
	}
	r := rand.New(rand.NewPCG(seed, 1))
	g := dp.Guarantee{Measure: dp.Approximate, Epsilon: 0.05 + r.Float64()*0.6}
	if r.IntN(2) == 0 {
		g.Delta = r.Float64() * 0.03
	}
	if r.IntN(3) == 0 {
		g.Epsilon = 0.1
	}
	return g
}

// play walks every transcript of an adaptive adversary against the ledger's
// decision and returns the divergence E_P[(1 − e^ε Q/P)₊] between the worlds.
func play(r Record, seed uint64, transcript []byte, p, q float64, rounds int) (divergence float64) {
	if rounds == 0 {
		return math.Max(0, p-math.Exp(r.Cap.Epsilon.Float64())*q)
	}
	g := adversary(seed, transcript)
	c, err := r.price(g)
	if err != nil { // refused: the adversary sees that and goes on
		return play(r, seed, append(transcript, 9), p, q, rounds-1)
	}
	r.Totals = r.Totals.Plus(c)
	p0, q0 := leaky(g.Epsilon, g.Delta, 0), leaky(g.Epsilon, g.Delta, 1)
	for out := range p0 {
		if p0[out] > 0 || q0[out] > 0 {
			divergence += play(r, seed, append(transcript[:len(transcript):len(transcript)], byte(out)), p*p0[out], q*q0[out], rounds-1)
		}
	}
	return divergence
}

// TestAdaptiveAdversaries computes the privacy loss of whole interactions
// exactly: the cap must hold for each of them, and does not for a ledger whose
// filters are half as large again.
func TestAdaptiveAdversaries(t *testing.T) {
	caught := 0
	for seed := range uint64(16) {
		limit := Budget{Epsilon(3e8 * (1 + seed%4)), Delta(2e16 * (1 + seed%4))}
		r := Record{Key: subject, Cap: limit, Filters: newFilters(subject, limit)}
		if got := play(r, seed, nil, 1, 1, 11); got > limit.Delta.Float64() {
			t.Errorf("seed %d, cap %v: δ = %g", seed, limit, got)
		}
		for i := range r.Filters {
			r.Filters[i].Loss += r.Filters[i].Loss / 2
			r.Filters[i].Delta += r.Filters[i].Delta / 2
		}
		if play(r, seed, nil, 1, 1, 11) > limit.Delta.Float64() {
			caught++
		}
	}
	if caught < 3 {
		t.Errorf("only %d of 16 adversaries notice filters that are too large", caught)
	}
}
