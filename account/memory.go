package account

import (
	"context"
	"slices"
	"sync"
)

// Memory is a [Store] that ends with the process: for tests and the demo.
// The zero value is empty and ready; it is safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	records []Record
	entries []Entry
}

var _ Store = (*Memory)(nil)

// Open adds the account unless its key exists.
func (m *Memory) Open(ctx context.Context, r Record) (standing Record, created bool, err error) {
	if err := ctx.Err(); err != nil {
		return Record{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.find(r.Key); i >= 0 {
		return m.records[i], false, nil
	}
	m.records = append(m.records, r)
	return r, true, nil
}

// Append runs next and keeps the entry it returns.
func (m *Memory) Append(ctx context.Context, at Position, next func(State) (Entry, error)) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.find(at.Key)
	if i < 0 {
		return Entry{}, ErrNoAccount
	}
	s := State{Record: m.records[i]}
	for _, e := range m.entries {
		if e.ID == at.ID {
			s.Same = &e
		}
		if e.Key == at.Key {
			s.Last = &e
		}
	}
	e, err := next(s)
	if err != nil {
		return Entry{}, err
	}
	m.entries = append(m.entries, e)
	m.records[i] = m.records[i].Followed(e)
	return e, nil
}

func (m *Memory) find(k Key) int {
	return slices.IndexFunc(m.records, func(r Record) bool { return r.Key == k })
}

// Records returns all accounts.
func (m *Memory) Records(ctx context.Context) ([]Record, error) {
	r, _, err := m.Snapshot(ctx)
	return r, err
}

// Snapshot returns all accounts and entries.
func (m *Memory) Snapshot(ctx context.Context) ([]Record, []Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records), slices.Clone(m.entries), nil
}

// Check does nothing.
func (m *Memory) Check(ctx context.Context) error { return ctx.Err() }

// Close does nothing.
func (m *Memory) Close() error { return nil }
