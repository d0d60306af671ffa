// Package heatmap releases where people looked under differential privacy.
//
// The input of every mechanism here is one vector per enrolled subject: dwell
// or fixation counts on the cells of a [Canvas], stimuli (and time steps)
// stacked. The unit of privacy is the whole vector: a subject with everything
// they looked at. Neighbouring data sets replace one subject's vector; the
// number of subjects n is public and fixed before data are read.
//
//   - [HalfBlur] is the default: it bounds what a person can do by the norm of
//     their blurred map, so its error does not grow with the number of pixels.
//   - [Additive] is Liu et al. 2019: Gaussian or Laplace noise on every pixel of
//     the mean map under a cap per pixel.
//   - [Selection] and [NoiseFree] are the baselines of that paper; their
//     guarantee is void.
//   - [AOI] releases dwell shares, hits, first-fixation times and transitions
//     between areas of interest.
//
// Pictures are made from what was drawn, by package estimate; that is
// post-processing and costs nothing. The proofs stand in PROOF.md.
package heatmap
