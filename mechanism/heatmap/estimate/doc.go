// Package estimate turns a noisy, already private dwell map into a picture.
//
// A half-blur heatmap is released as
//
//	Y = (1/n) Σ B_q gᵢ + N(0, σ²) per cell,
//
// gᵢ being an observer's dwell map and B_q a Gaussian of public width q (the
// query blur). The picture wanted is B_s of the mean of the gᵢ, s being the
// point spread function of the picture. Everything here is a function of Y and
// of public numbers only, hence post-processing: it costs no privacy, whatever
// it does (Dwork and Roth 2014, Prop. 2.1). No function here may be given the
// recordings, the clip rate or any other number computed from them.
//
// Plain is unbiased and shows all the noise; NoiseFloor says what a cell of it
// is worth. Threshold and Spectral are the classical repairs. LogGaussian is
// the best picture, and says whether there is anything to see. BestQuery is
// the query blur to release for it. NOTES.md holds the evidence.
//
// Maps are row-major float64 grids, y·width + x, in dwell mass per cell.
package estimate
