package mechanism

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// law is the law of Exponential for some costs, from its textbook formula.
func law(cost []float64, epsilon, sensitivity float64) []float64 {
	p, sum := make([]float64, len(cost)), 0.0
	for i, c := range cost {
		p[i] = math.Exp(-epsilon * c / (2 * sensitivity))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// TestExponentialFollowsItsLaw to within the 2^-10 of ε that rounding takes,
// and a law with 0.7 ε is told from it (false alarms: see stattest).
func TestExponentialFollowsItsLaw(t *testing.T) {
	src, cost := noise.Seeded(11), []float64{0.2, 0.1, 0.5, 0.1, 1e300}
	counts := make([]int64, len(cost))
	for range 200_000 {
		counts[Exponential(cost, 2, 0.1, src)]++
	}
	if counts[4] != 0 {
		t.Errorf("drawn %d times, at exp(−60)", counts[4])
	}
	if err := stattest.Fit(counts[:4], law(cost[:4], 2, 0.1)); err != nil {
		t.Error(err)
	}
	if stattest.Fit(counts[:4], law(cost[:4], 1.4, 0.1)) == nil {
		t.Error("the test does not tell 0.7 ε")
	}
}

// TestExponentialIsPrivate: for any costs, and any that differ from them by at
// most the sensitivity each, no probability changes by more than exp(ε); the
// probabilities are those of the integers that are drawn with.
func TestExponentialIsPrivate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		epsilon := rapid.SampledFrom([]float64{1e-7, 1e-3, 0.1, 1, 3, 1e3, 1e7}).Draw(t, "epsilon")
		sensitivity := math.Exp(rapid.Float64Range(-30, 30).Draw(t, "log sensitivity"))
		spread := math.Exp(rapid.Float64Range(-3, 8).Draw(t, "log spread"))
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i] = sensitivity * rapid.Float64Range(0, spread).Draw(t, "cost")
			b[i] = a[i] + sensitivity*rapid.SampledFrom([]float64{-1, -0.3, 0, 1}).Draw(t, "move")
		}
		p, q := logLaw(exponents(a, epsilon, sensitivity)), logLaw(exponents(b, epsilon, sensitivity))
		for i := range p {
			if loss := math.Abs(p[i] - q[i]); loss > epsilon*(1+1e-12)+1e-12 {
				t.Fatalf("candidate %d: the loss is %v, of %v", i, loss, epsilon)
			}
		}
	})
}

func logLaw(num []uint64, den uint64) []float64 {
	sum := 0.0
	for _, v := range num {
		sum += math.Exp(-float64(v) / float64(den))
	}
	p := make([]float64, len(num))
	for i, v := range num {
		p[i] = -float64(v)/float64(den) - math.Log(sum)
	}
	return p
}

// TestExponentialNearlySpendsItsBudget: costs as far apart as allowed lose most
// of ε, so that nothing is given away for safety's sake.
func TestExponentialNearlySpendsItsBudget(t *testing.T) {
	a, b := make([]float64, 1000), make([]float64, 1000)
	for i := range a {
		a[i], b[i] = 1, 1
	}
	a[0], b[0] = 0, 2
	p, q := logLaw(exponents(a, 1, 2)), logLaw(exponents(b, 1, 2))
	if loss := p[0] - q[0]; loss < 0.49 || loss > 0.5 {
		t.Errorf("one cost that moves by Δ loses %v, want just below ε/2", loss)
	}
}
