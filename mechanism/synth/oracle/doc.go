// Package oracle estimates how often each of a few values occurs among devices that tell nobody their own: frequency oracles
// under local differential privacy.
//
// A device calls Perturb of an [Oracle] once with its value, or with [None], and sends the words of the report. Whoever
// collects adds reports to a [Tally] and reads an [Estimate]: unbiased counts with their known variance. [OUE] reports a bit for
// every value, [Subset] a set of values, [Hadamard] one bit and an index.
//
// Counts are not clipped and not normalised here: clipped noise is biased upwards, and normalising it turns it into confident
// nonsense. Shrink it by its variance instead. PROOF.md beside this file has the claims and the arguments.
package oracle
