package account

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Ledger charges spends to accounts. It is safe for concurrent use when its
// Store is.
type Ledger struct {
	Store Store            // required
	Now   func() time.Time // default time.Now; only the date in UTC is kept
}

// Open opens an account with a cap that never changes; see [Cap]. An account
// that stands with the same cap is left as it is; with another cap the error
// is [ErrCapFixed].
func (l *Ledger) Open(ctx context.Context, key Key, limit Budget) (created bool, err error) {
	if err := key.validate(); err != nil {
		return false, err
	}
	if err := limit.validCap(); err != nil {
		return false, err
	}
	r := Record{Key: key, Cap: limit, Filters: newFilters(key, limit), Opened: l.date()}
	r.Genesis = r.computeGenesis()
	r.Head = r.Genesis
	standing, created, err := l.Store.Open(ctx, r)
	if err == nil && standing.Cap != limit {
		err = fmt.Errorf("%w: %q per %s has %v, got %v", ErrCapFixed, key.Dataset, key.UnitName(), standing.Cap, limit)
	}
	return created, err
}

// Charge charges the spend, durably before it returns, or refuses it with
// nothing charged. Draw noise only after it returned without an error.
//
// Refusals: [ErrVoid], [ErrNoAccount], [*ExhaustedError], a guarantee that
// does not suit the account, [ErrTampered]. With [ErrDuplicate] the earlier
// entry is returned. Any error that is an [ErrUncertain] counts as spent.
func (l *Ledger) Charge(ctx context.Context, key Key, s Spend) (Entry, error) {
	if err := s.validate(); err != nil {
		return Entry{}, err
	}
	if err := key.suits(s.Guarantee); err != nil {
		return Entry{}, err
	}
	date := l.date()
	var earlier *Entry
	e, err := l.Store.Append(ctx, Position{key, s.ID}, func(st State) (Entry, error) {
		earlier = st.Same
		return st.next(s, date)
	})
	switch {
	case errors.Is(err, ErrDuplicate) && earlier != nil:
		return *earlier, err
	case errors.Is(err, ErrNoAccount):
		return Entry{}, fmt.Errorf("%w: %q per %s", ErrNoAccount, key.Dataset, key.UnitName())
	}
	return e, err
}

func (s Spend) validate() error {
	if s.ID == "" {
		return errors.New("account: a spend needs an id")
	}
	if err := plainText("id", s.ID, 128); err != nil {
		return err
	}
	return plainText("what", s.What, 500)
}

// next decides about a spend: the entry to append, or why there is none.
func (st State) next(s Spend, date string) (Entry, error) {
	if st.Same != nil {
		return Entry{}, st.duplicate(s)
	}
	if err := st.consistent(); err != nil {
		return Entry{}, err
	}
	costs, err := st.Record.price(s.Guarantee)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{
		ID: s.ID, Key: st.Record.Key, Seq: st.Record.Entries + 1, What: s.What, Measure: s.Guarantee.Measure,
		Costs: costs, Totals: st.Record.Totals.Plus(costs), Date: date, PrevHash: st.Record.Head,
	}
	e.Hash = e.computeHash()
	return e, nil
}

func (st State) duplicate(s Spend) error {
	same := st.Same.Key == st.Record.Key && st.Same.What == s.What &&
		st.Same.Measure == s.Guarantee.Measure && st.Same.Costs == st.Record.Filters.costs(s.Guarantee)
	if !same {
		return fmt.Errorf("%w, for something else: %q", ErrDuplicate, s.ID)
	}
	return fmt.Errorf("%w: %q", ErrDuplicate, s.ID)
}

// Account returns the account under the key, or [ErrNoAccount].
func (l *Ledger) Account(ctx context.Context, key Key) (Account, error) {
	all, err := l.Accounts(ctx)
	if err != nil {
		return Account{}, err
	}
	for _, a := range all {
		if a.Key == key {
			return a, nil
		}
	}
	return Account{}, fmt.Errorf("%w: %q per %s", ErrNoAccount, key.Dataset, key.UnitName())
}

// Accounts returns all accounts in the order in which they were opened.
func (l *Ledger) Accounts(ctx context.Context) ([]Account, error) {
	records, err := l.Store.Records(ctx)
	if err != nil {
		return nil, err
	}
	accounts := make([]Account, len(records))
	for i, r := range records {
		accounts[i] = Show(r)
	}
	return accounts, nil
}

// Entries returns all entries in the order in which they were charged.
func (l *Ledger) Entries(ctx context.Context) ([]Entry, error) {
	_, entries, err := l.Store.Snapshot(ctx)
	return entries, err
}

// Close closes the store.
func (l *Ledger) Close() error { return l.Store.Close() }

func (l *Ledger) date() string {
	now := l.Now
	if now == nil {
		now = time.Now
	}
	return now().UTC().Format(time.DateOnly)
}

// Followed returns the record after one more entry.
func (r Record) Followed(e Entry) Record {
	r.Entries, r.Totals, r.Head = e.Seq, e.Totals, e.Hash
	return r
}
