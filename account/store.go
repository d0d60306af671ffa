package account

import "context"

// Store keeps accounts and entries. It decides nothing: the ledger's logic
// runs inside its transactions.
type Store interface {
	// Open adds the account unless its key exists, durably, and returns the
	// account that stands under the key.
	Open(ctx context.Context, r Record) (standing Record, created bool, err error)

	// Append runs next inside a transaction that excludes every other writer,
	// in this process and in all others, and appends the entry it returns.
	// When Append returns nil the entry is durable. When next fails nothing
	// is written and its error returned as it is. A failure whose outcome is
	// not known wraps [ErrUncertain]. Unknown keys are [ErrNoAccount].
	Append(ctx context.Context, at Position, next func(State) (Entry, error)) (Entry, error)

	// Records returns all accounts in the order in which they were opened.
	Records(ctx context.Context) ([]Record, error)

	// Snapshot returns all accounts and all entries as of one moment, the
	// entries in the order in which they were charged.
	Snapshot(ctx context.Context) ([]Record, []Entry, error)

	// Check examines the storage itself, below accounts and entries.
	Check(ctx context.Context) error

	Close() error
}

// Position says what [Store.Append] looks up for the decision.
type Position struct {
	Key Key
	ID  string // the spend's id
}

// State is what the decision about a spend depends on.
type State struct {
	Record Record
	Last   *Entry // the account's last entry, nil when there is none
	Same   *Entry // the entry with the spend's id, in any account, or nil
}
