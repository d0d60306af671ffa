// Package account keeps privacy budgets that cannot be overspent.
//
// An account belongs to a data set, its participants and a unit of privacy,
// and has a cap (ε, δ) that never changes. [Ledger.Charge] adds a guarantee to
// what was spent, durably, or refuses it: charge first, then draw the noise. A
// crash after the charge leaves it spent.
//
// Amounts are exact integers that round against us. Whether a spend fits is
// decided by several composition theorems at once (basic, Gaussian, zCDP),
// each with a cap of its own that is fixed when the account is opened, so that
// the cap holds even when every spend is chosen after looking at the earlier
// releases; PROOF.md has the statement and the proof.
//
// Entries form a hash chain per account. The package knows no storage: a
// [Store] runs the decision inside its transaction; [Memory] is the store of
// tests, account/sqlite the one on disk.
//
// [TemporalLeakage] says what releases about correlated values reveal together
// beyond the ε of each: a figure beside a guarantee, not one itself.
package account
