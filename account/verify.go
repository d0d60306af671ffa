package account

import (
	"context"
	"errors"
	"fmt"
)

// Verify examines the store and recomputes every hash and every sum of the
// ledger. Unless the store itself is damaged, the error joins
// one [*TamperError] for each account that does not hold, naming the first
// row that contradicts the others.
//
// The chain shows accidents and careless edits. Somebody who rewrites the
// whole file, or restores an old copy, is found by the head that each release
// records in its manifest; see [Ledger.Holds].
func (l *Ledger) Verify(ctx context.Context) error {
	if err := l.Store.Check(ctx); err != nil {
		return err
	}
	records, entries, err := l.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	of := make(map[Key][]Entry)
	for _, e := range entries {
		of[e.Key] = append(of[e.Key], e)
	}
	var all []error
	for _, r := range records {
		if err := r.verify(of[r.Key]); err != nil {
			all = append(all, err)
		}
		delete(of, r.Key)
	}
	for key, orphans := range of {
		all = append(all, key.tampered(orphans[0], "belongs to no account"))
	}
	return errors.Join(all...)
}

// Holds reports whether the hash of an entry, as a manifest recorded it, is in
// the ledger. A release whose entry is missing was forgotten: the ledger is
// lost, replaced, or an old copy, and counts as exhausted.
func (l *Ledger) Holds(ctx context.Context, hash string) (bool, error) {
	entries, err := l.Entries(ctx)
	for _, e := range entries {
		if e.Hash == hash {
			return true, nil
		}
	}
	return false, err
}

// verify walks the chain of one account.
func (r Record) verify(entries []Entry) error {
	if r.computeGenesis() != r.Genesis {
		return r.Key.tampered(Entry{}, "its key, its cap, its filters or its date were changed")
	}
	at := r.opening()
	for _, e := range entries {
		if err := at.follows(e); err != nil {
			return err
		}
		at = at.Followed(e)
	}
	return r.agrees(at)
}

// opening is the record as it was opened.
func (r Record) opening() Record {
	r.Entries, r.Totals, r.Head = 0, Costs{}, r.Genesis
	return r
}

// follows reports why e is not the next entry after at.
func (r Record) follows(e Entry) error {
	switch {
	case e.computeHash() != e.Hash:
		return r.Key.tampered(e, "its contents do not match its hash")
	case e.Seq != r.Entries+1:
		return r.Key.tampered(e, fmt.Sprintf("an entry is missing before it: it should be number %d", r.Entries+1))
	case e.PrevHash != r.Head && r.Entries == 0:
		return r.Key.tampered(e, "it does not follow from the account's opening")
	case e.PrevHash != r.Head:
		return r.Key.tampered(e, "it does not follow from the entry before it")
	case e.Totals != r.Totals.Plus(e.Costs):
		return r.Key.tampered(e, "its totals are not the sums of the costs")
	case !r.Filters.Permits(e.Totals):
		return r.Key.tampered(e, "the cap is exceeded")
	}
	return nil
}

// agrees reports how a record differs from what its entries say.
func (r Record) agrees(at Record) error {
	what := ""
	switch {
	case r.Entries > at.Entries:
		what = fmt.Sprintf("entries were removed from its end: it counts %d, the ledger holds %d", r.Entries, at.Entries)
	case r.Entries < at.Entries:
		what = fmt.Sprintf("it counts %d entries, the ledger holds %d", r.Entries, at.Entries)
	case r.Totals != at.Totals:
		what = "its totals are not those of its last entry"
	case r.Head != at.Head:
		what = "its head is not the hash of its last entry or opening"
	default:
		return nil
	}
	return r.Key.tampered(Entry{}, what)
}

func (k Key) tampered(e Entry, what string) error {
	return &TamperError{Dataset: k.Dataset, Unit: k.UnitName(), Entry: e.ID, Seq: e.Seq, What: what}
}

// consistent is the part of verify that every charge can afford: the record
// against its last entry.
func (st State) consistent() error {
	r := st.Record
	if r.computeGenesis() != r.Genesis {
		return r.Key.tampered(Entry{}, "its key, its cap, its filters or its date were changed")
	}
	if st.Last == nil {
		return r.agrees(r.opening())
	}
	if st.Last.computeHash() != st.Last.Hash {
		return r.Key.tampered(*st.Last, "its contents do not match its hash")
	}
	return r.agrees(r.Followed(*st.Last))
}
