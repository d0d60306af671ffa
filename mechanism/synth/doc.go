// Package synth makes gaze paths that are partly drawn from a model:
// [DPGazeSynth] of Ren et al. 2024, as printed and corrected.
//
// Its two roles are separate. A [Device] sees the samples of one window of time
// and tells a [Report] of it: a noisy first position, and answers of frequency
// oracles about saccades and moves. A [Curator] adds up reports, makes a [Model]
// of them and draws paths from it, one for every sequence of reports. Only the
// device needs to be trusted, by the person who wears it.
//
// The unit of privacy is a window in one recording; PROOF.md says what it is
// worth for two windows that start near each other, for any two, and for a whole
// recording, and what is wrong with the mechanism as printed.
package synth
