// Package curator is the trusted side: it holds the raw data, the ledger and
// the keys, and it is the only room where they meet.
//
// A job walks the way of the data: open the data set, shape it into what the
// mechanism takes, ask the ledger whether the promise can be paid, read the
// recordings, charge, draw, and tell through report and manifest. Nothing is
// drawn that was not charged before, and nothing is written half.
package curator
