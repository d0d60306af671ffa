package audit

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gazeward/gazeward/dp"
)

// Lower is the one-sided lower Clopper–Pearson limit on a probability of which
// k successes in n independent trials were seen: it lies above the true
// probability with probability at most beta.
func Lower(k, n int, beta float64) float64 {
	switch {
	case k <= 0 || n <= 0:
		return 0
	case k >= n:
		return math.Pow(beta, 1/float64(n))
	}
	return betaQuantile(beta, float64(k), float64(n-k+1))
}

// Upper is the one-sided upper Clopper–Pearson limit.
func Upper(k, n int, beta float64) float64 { return 1 - Lower(n-k, n, beta) }

// betaQuantile inverts the regularised incomplete beta function by bisection:
// slower than Newton's steps, but no starting value can mislead it.
func betaQuantile(p, a, b float64) float64 {
	lo, hi := 0.0, 1.0
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return lo
		}
		if mathext.RegIncBeta(a, b, mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// limits bound the probability of one event: at least p on the side where it
// is more frequent, at most q on the other.
type limits struct{ p, q float64 }

// measured are the limits of kp events in np outputs against kq in nq, each
// wrong with probability at most beta/2.
func measured(kp, np, kq, nq int, beta float64) limits {
	return limits{Lower(kp, np, beta/2), Upper(kq, nq, beta/2)}
}

// epsilon is the least ε that allows the event and its complement at this
// delta (PROOFS C14); −Inf where neither says anything.
func (l limits) epsilon(delta float64) float64 {
	e := math.Inf(-1)
	if l.p > delta && l.q > 0 {
		e = math.Log((l.p - delta) / l.q)
	}
	if 1-l.q > delta && l.p < 1 {
		e = math.Max(e, math.Log((1-l.q-delta)/(1-l.p)))
	}
	return e
}

// mu is the least Δ₂/σ of a Gaussian mechanism that allows the event.
func (l limits) mu() float64 {
	if !(l.p > 0 && l.q < 1) {
		return math.Inf(-1)
	}
	return distuv.UnitNormal.Quantile(l.p) - distuv.UnitNormal.Quantile(l.q)
}

// delta is the least δ that allows the event and its complement at this
// epsilon.
func (l limits) delta(epsilon float64) float64 {
	e := math.Exp(epsilon)
	return math.Max(l.p-e*l.q, 1-l.q-e*(1-l.p))
}

// rho is the least ρ of zCDP that allows the event: the largest D_α/α over a
// list of orders, where D_α is the Rényi divergence of two coins with
// probabilities p and q. It grows with p and falls with q while p > q.
func (l limits) rho() float64 {
	if !(l.p > l.q && l.p < 1 && l.q > 0) {
		return math.Inf(-1)
	}
	// α → 1 is the Kullback–Leibler divergence.
	best := l.p*math.Log(l.p/l.q) + (1-l.p)*math.Log((1-l.p)/(1-l.q))
	for alpha := 1.05; alpha < 200; alpha *= 1.15 {
		a := alpha*math.Log(l.p) + (1-alpha)*math.Log(l.q)
		b := alpha*math.Log(1-l.p) + (1-alpha)*math.Log(1-l.q)
		hi, lo := math.Max(a, b), math.Min(a, b)
		best = math.Max(best, (hi+math.Log1p(math.Exp(lo-hi)))/((alpha-1)*alpha))
	}
	return best
}

// Bounds are lower limits on the privacy loss; zero where nothing was shown or
// the quantity was not asked for.
type Bounds struct {
	Epsilon float64 `json:"epsilon"`
	Mu      float64 `json:"mu,omitempty"`    // Gaussian claims: Δ₂/σ
	Rho     float64 `json:"rho,omitempty"`   // zCDP claims
	Delta   float64 `json:"delta,omitempty"` // atoms and leaks: at the claimed ε
}

// claim is what a row compares: one number of the claim and the lower limit of
// the same quantity.
type claim struct {
	value float64
	of    func(limits) float64
}

// against says which number of the guarantee the events refute. A Gaussian
// one is refuted by its μ: no event shows more than about three quarters of
// its (ε, δ).
func against(g dp.Guarantee, events Events) claim {
	switch {
	case events == Thresholds && g.Mu > 0:
		return claim{g.Mu, limits.mu}
	case g.Measure == dp.ZCDP:
		return claim{g.Rho, limits.rho}
	}
	return claim{g.Epsilon, func(l limits) float64 { return l.epsilon(g.Delta) }}
}

// bounds are all that an event says, rounded down.
func (l limits) bounds(g dp.Guarantee, events Events) Bounds {
	down := func(v float64) float64 { return dp.RoundDown(math.Max(0, v)) }
	b := Bounds{Epsilon: down(l.epsilon(g.Delta))}
	switch {
	case events == Thresholds && g.Mu > 0:
		b.Mu = down(l.mu())
		b.Epsilon = gaussianEpsilon(b.Mu, g)
	case g.Measure == dp.ZCDP:
		b.Rho = down(l.rho())
	case events == Atoms:
		b.Delta = down(l.delta(g.Epsilon))
	}
	return b
}

// gaussianEpsilon is the ε at the claim's δ of a Gaussian with Δ₂/σ = mu, and
// 0 for a claim without δ, of which the event itself says nothing finite.
func gaussianEpsilon(mu float64, g dp.Guarantee) float64 {
	if g.Delta <= 0 {
		return 0
	}
	// GaussianEpsilon rounds up by 1e-9; a lower bound has to go below.
	return dp.RoundDown(dp.RoundDown(dp.GaussianEpsilon(mu, g.Delta)))
}
