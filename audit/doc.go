// Package audit tries to refute privacy claims: it draws many outputs of a
// mechanism on two neighbouring inputs and proves, with a stated error
// probability, a lower bound on the privacy loss it sees.
//
// A claim below its lower bound is false; a claim above it is not proved by
// that. Mechanisms are black boxes here: a [Draw] returns one number per run,
// whatever it was computed from. What is proved and why stands in PROOF.md.
//
// The event that tells the two sides apart is chosen on the first half of the
// outputs and counted on the second, so that choosing it costs no confidence.
// Three families of events are tried, each as a row of its own: [Thresholds]
// for the noise's scale, [LowBits] for floating-point leaks, [Atoms] and
// [Leaks] for outputs that only one side can give.
package audit
