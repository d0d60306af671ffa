// Package anonymity holds the baselines of the field that are not differential
// privacy: k-same-select and k-same-synth, plausible deniability of events, and
// task-based marginals (David-John, Butler and Jain 2022, 2023).
//
// Each carries a [Statement] of its own, (k, γ) among whom, and a guarantee of
// measure none that is void with the reason, so that no ledger takes it. They
// are here to be compared and attacked on equal terms; PROOF.md says what they
// promise, why that is not privacy, and which test shows it.
//
// Releases are computed when asked for and held in memory, as are the
// recordings they are made from: a group's mean needs all of its members.
package anonymity
