// Package sqlite keeps a privacy ledger in one SQLite file.
//
// A charge is one transaction that excludes all other writers, in this and in
// every other process on the machine, and is on the disk before it returns
// (write-ahead log with full synchronisation; rollback journal on Windows).
// The file must lie on a local disk: locks of network file systems cannot be
// relied on.
//
// Rows of entries are only ever added. Triggers refuse changes and removals,
// and constraints in the schema refuse totals above the cap even if the
// program were wrong. They protect from accidents, not from the owner of the
// file: see [account.Ledger.Verify] for what the hash chain shows.
//
// The file and its directory are created for their owner alone. Beside an open
// ledger lie its -wal and -shm files, which belong to it: never copy the file
// alone while it is in use.
package sqlite
