// Package series releases feature signals, the rows of a table of eye-movement
// features over windows of time, under differential privacy.
//
// The input of every mechanism is a list of [Signals], one per recording. What
// is public is said by a [Cut]: how many signals there are, how long the
// longest recording is, how it is cut into chunks, and which unit is protected
// (a chunk, a recording, a subject). The ε that is typed is that of the unit,
// with everything released of it: it is divided among signals and, where the
// unit is larger than a chunk, among chunks and recordings.
//
//   - [Laplace] is LPA, FPA, CFPA, DCFPA (Bozkir et al. 2021) and Steil et al.
//     2019, each as published (void: its sensitivities, and k, are read off the
//     data) or guaranteed (public bounds, exact sensitivities, k public or paid).
//   - [Gaussian] takes all signals and coefficients of the unit as one vector
//     with one noise: the error grows with the root of their number where that
//     of the Laplace mechanisms grows with the number.
//   - [Mean] releases the mean signals of the subjects of each condition: the
//     unit is the subject, and the noise is divided by their number.
//
// One person's signals, released by themselves with the subject as unit, carry
// next to nothing at any ε that protects; plans say so before anything is
// spent.
//
// Coordinates are rounded to integers and clipped last, in integers, so that no
// floating-point error of a transform reaches a guarantee. The proofs stand in
// PROOF.md.
package series
