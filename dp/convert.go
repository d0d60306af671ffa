package dp

import "math"

// GaussianDelta returns the smallest δ for which a Gaussian mechanism with
// Δ₂/σ = mu is (epsilon, δ)-DP:
//
//	δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)
//
// (Balle and Wang 2018, Theorem 8).
func GaussianDelta(mu, epsilon float64) float64 {
	if mu <= 0 {
		return 0
	}
	if math.IsInf(mu, 1) {
		return 1
	}
	a, b := epsilon/mu-mu/2, epsilon/mu+mu/2
	// e^ε Φ(−b) = ½ e^{−a²/2} erfcx(b/√2), so nothing overflows.
	tail := 0.5 * math.Exp(-a*a/2) * erfcx(b/math.Sqrt2)
	if a < 0 {
		return clamp01(0.5*math.Erfc(a/math.Sqrt2) - tail)
	}
	return clamp01(0.5*math.Exp(-a*a/2)*erfcx(a/math.Sqrt2) - tail)
}

// GaussianEpsilon returns the smallest ε ≥ 0 for which a Gaussian mechanism
// with Δ₂/σ = mu is (ε, delta)-DP, rounded up. It is +Inf for delta <= 0.
func GaussianEpsilon(mu, delta float64) float64 {
	if mu <= 0 || GaussianDelta(mu, 0) <= delta {
		return 0
	}
	if !(delta > 0) {
		return math.Inf(1)
	}
	// ε = μ²/2 + μ√(2 ln 1/δ) always suffices (PROOFS C2).
	lo, hi := 0.0, mu*mu/2+mu*math.Sqrt(2*math.Log(1/delta))+1e-12
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if GaussianDelta(mu, mid) <= delta {
			hi = mid
		} else {
			lo = mid
		}
	}
	return RoundUp(hi)
}

// GaussianMu returns the largest Δ₂/σ for which a Gaussian mechanism is
// (epsilon, delta)-DP, rounded down: the inverse of [GaussianEpsilon].
func GaussianMu(epsilon, delta float64) float64 {
	if !(epsilon >= 0) || !(delta > 0) || delta >= 1 {
		return 0
	}
	lo, hi := 0.0, 1.0
	for GaussianDelta(hi, epsilon) <= delta && hi < 1e9 {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if GaussianDelta(mid, epsilon) <= delta {
			lo = mid
		} else {
			hi = mid
		}
	}
	return RoundDown(lo)
}

// ZCDPEpsilon returns an ε for which ρ-zCDP implies (ε, delta)-DP: the
// minimum over α > 1 of
//
//	αρ + (ln(1/δ) + (α−1) ln(1−1/α) − ln α)/(α−1)
//
// (Canonne, Kamath and Steinke 2020, Proposition 12). It lies 7–12 % above
// the exact curve of a Gaussian.
func ZCDPEpsilon(rho, delta float64) float64 {
	if rho <= 0 {
		return 0
	}
	if !(delta > 0) {
		return math.Inf(1)
	}
	at := func(logOrder float64) float64 { // order α = 1 + e^logOrder
		e := math.Exp(logOrder)
		a := 1 + e
		return a*rho + (-math.Log(delta)-math.Log(a))/e + math.Log(e/a)
	}
	lo, hi := -30.0, 60.0
	const g = 0.6180339887498949
	for range 300 {
		l, r := hi-g*(hi-lo), lo+g*(hi-lo)
		if at(l) < at(r) {
			hi = r
		} else {
			lo = l
		}
	}
	return RoundUp(math.Max(0, at((lo+hi)/2)))
}

// ZCDPRho returns the largest ρ whose [ZCDPEpsilon] at delta is at most
// epsilon, rounded down.
func ZCDPRho(epsilon, delta float64) float64 {
	if !(epsilon > 0) || !(delta > 0) {
		return 0
	}
	lo, hi := 0.0, epsilon
	for range 100 {
		mid := lo + (hi-lo)/2
		if ZCDPEpsilon(mid, delta) <= epsilon {
			lo = mid
		} else {
			hi = mid
		}
	}
	return RoundDown(lo)
}

// slack is far above the rounding error of the functions above and far below
// anything a user sees.
const slack = 1e-9

// RoundUp moves a positive value up by a relative 1e-9: privacy losses and
// noise scales pass through it.
func RoundUp(v float64) float64 { return v * (1 + slack) }

// RoundDown moves a positive value down by a relative 1e-9: what a budget
// permits passes through it.
func RoundDown(v float64) float64 { return v * (1 - slack) }

// erfcx is e^{x²} erfc(x) for x ≥ 0.
func erfcx(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	// Asymptotic series; the next term is below 1e-12 of the first at x = 25.
	y := 1 / (2 * x * x)
	return (1 - y*(1-3*y*(1-5*y*(1-7*y)))) / (x * math.SqrtPi)
}

func clamp01(v float64) float64 { return math.Min(1, math.Max(0, v)) }
