// Package noise draws the integers that make a release private, and nothing else: it knows scales and grids, never
// epsilons or gaze.
//
// A Source is a stream of random words. A Sampler draws from one symmetric law on the integers, the discrete Laplace law
// or the rounded Gaussian one, fast enough for maps of millions of pixels. PlanarLaplace and SphericalLaplace move points.
package noise
