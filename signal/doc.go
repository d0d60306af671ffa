// Package signal transforms sequences of float64: differences and cumulative
// sums, the real discrete Fourier transform and its orthonormal scaling, and
// the orthonormal cosine transform. It knows no gaze, no time and no units.
//
// A [DFT] or [DCT] is a plan for one length: it keeps tables and scratch space,
// so each goroutine needs a plan of its own. Every length is fast, primes too.
//
//   - powers of two up to 2^12 by a split of our own, two to three times as fast
//     as gonum's plan for real sequences, which is the oracle of its tests
//   - other products of 2, 3 and 5 by gonum
//   - all others by Bluestein's convolution over one of those
package signal
