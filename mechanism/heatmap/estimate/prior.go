package estimate

import "math"

// Centre is the public prior "centre": people who view pictures freely look at
// their middle, whatever the picture. A Gaussian about the canvas's centre of
// variance 0.22 horizontally and 0.45·0.22 vertically, in units of half the
// canvas's width, as Clarke and Tatler 2014 (Vision Research 102) propose for
// data sets nobody has fitted. It sums to one.
func Centre(width, height int) []float64 {
	out := make([]float64, width*height)
	half := float64(width) / 2
	sum := 0.0
	for i := range out {
		x := (float64(i%width) + 0.5 - half) / half
		y := (float64(i/width) + 0.5 - float64(height)/2) / half
		out[i] = math.Exp(-0.5 * (x*x + y*y/0.45) / 0.22)
		// A tall canvas would underflow; a prior has to stay positive.
		out[i] = max(out[i], 1e-12)
		sum += out[i]
	}
	scaled(out, out, 1/sum)
	return out
}
