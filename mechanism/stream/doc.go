// Package stream protects gaze sample by sample, as a device does it: one
// sample in, one sample out, at once.
//
//   - [Kaleido] is Li et al. 2021 with its constants put right (the default), or
//     as printed: a noisy test decides whether the last position is said again or
//     a new one is published, and a ledger bounds what any closed window of time
//     spends.
//   - [Fixed] publishes on a schedule and tests nothing. Its plan and Kaleido's say
//     which of the two is expected to be nearer to the gaze.
//   - [Baseline] is noise, fewer samples, or coarser samples, without a guarantee.
//   - [Gatekeeper] hands out events instead of samples.
//
// The unit of privacy is a window of time in one recording. Neighbouring
// recordings have the same time stamps and lost samples, and positions that
// differ by at most a radius, in one window only. Time stamps and which samples
// are lost are not protected. The proofs stand in PROOF.md.
//
// A [Stream] is the state of one recording. It never hands out a position that
// was not drawn: lost samples, repeated or unsorted time stamps and an exhausted
// budget are all answered by what was published last.
package stream
