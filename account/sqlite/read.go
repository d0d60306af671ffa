package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/gazeward/gazeward/account"
)

// Records returns all accounts.
func (s *Store) Records(ctx context.Context) ([]account.Record, error) {
	records, err := readRecords(ctx, s.db)
	return records, s.explainRead(err)
}

// Snapshot returns all accounts and entries as of one moment.
func (s *Store) Snapshot(ctx context.Context) (records []account.Record, entries []account.Entry, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, s.explainRead(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if records, err = readRecords(ctx, tx); err != nil {
		return nil, nil, s.explainRead(err)
	}
	entries, err = readEntries(ctx, tx)
	return records, entries, s.explainRead(err)
}

// Check examines the file with SQLite's own integrity check: pages, indexes
// and constraints, and the references between the tables.
func (s *Store) Check(ctx context.Context) error {
	var said string
	if err := s.db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return s.explainRead(err)
	}
	if said != "ok" {
		return fmt.Errorf("%w: the file %s is damaged: %s", account.ErrTampered, s.path, said)
	}
	return nil
}

func (s *Store) explainRead(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("account/sqlite: reading %s: %w", s.path, err)
}

type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

func readRecords(ctx context.Context, q querier) ([]account.Record, error) {
	rows, err := q.QueryContext(ctx, `SELECT n, `+recordColumns+` FROM accounts ORDER BY n`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var records []account.Record
	for rows.Next() {
		_, r, err := scanRecord(rows)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, rows.Err()
}

func readEntries(ctx context.Context, q querier) ([]account.Entry, error) {
	rows, err := q.QueryContext(ctx, entrySelect+`ORDER BY e.n`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []account.Entry
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

func findRecord(ctx context.Context, c *sql.Conn, k account.Key) (n int64, r account.Record, err error) {
	return scanRecord(c.QueryRowContext(ctx, `SELECT n, `+recordColumns+` FROM accounts
		WHERE dataset = ? AND participants = ? AND unit = ? AND distance = ?`, keyValues(k)...))
}

// findEntry returns nil when there is none.
func findEntry(ctx context.Context, c *sql.Conn, where string, args ...any) (*account.Entry, error) {
	e, err := scanEntry(c.QueryRowContext(ctx, entrySelect+where, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &e, err
}
