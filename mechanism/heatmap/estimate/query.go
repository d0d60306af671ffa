package estimate

import "math"

// BestQuery is the query blur that suits LogGaussian best, in the unit of the
// picture's blur, given the noise's deviation per cell as a share of one map's
// clip norm: √2·c(ε,δ)/n for a single map. Wider queries need less noise, since
// clip norms fall with the blur, but leave more to deconvolve; the optimum is
// flat. The rule q/s = 4/3·(noise/0.042)^⅛, between 1/√2 and 5/3, is a fit to
// broad, peaked and line-like maps alike (NOTES.md), and a function of public
// numbers. Plain cannot show detail below a query wider than the picture.
func BestQuery(picture, noise float64) float64 {
	if !(noise > 0) {
		return picture / math.Sqrt2
	}
	return picture * min(max(4./3*math.Pow(noise/0.042, 1./8), 1/math.Sqrt2), 5./3)
}
