// Package noise draws the integers that make a release private, and nothing else: it knows scales and grids, never
// epsilons or gaze.
//
// A Source is a stream of random words, Secure for releases or Seeded for experiments. A Sampler draws from one symmetric
// law on the integers, the discrete Laplace law or the rounded Gaussian one, with a scale from far below one grid step to
// 2^40 of them, and adds it to maps of millions of pixels at about two nanoseconds each. PlanarLaplace and SphericalLaplace move
// points and directions.
//
// The integer laws are exact: every comparison of random bits with a real threshold takes as many bits of both as it needs.
// PROOF.md states what is claimed, argues it, and says what is not covered: the bits are AES in counter mode, so every
// guarantee is computational; and the time a call takes depends on the noise it draws, never on the data.
package noise
