package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gazeward/gazeward/account"
	"github.com/ncruces/go-sqlite3"
	sqlitedriver "github.com/ncruces/go-sqlite3/driver"
)

//go:embed schema.sql
var schema string

// schemaVersion is kept in user_version.
const schemaVersion = 1

// busyTimeout is how long a charge waits for other processes.
const busyTimeout = 30 * time.Second

// Store is an [account.Store] in a SQLite file. It is safe for concurrent
// use; any number of processes may have the same file open.
type Store struct {
	db   *sql.DB
	path string
	file fs.FileInfo
}

var _ account.Store = (*Store)(nil)

// Open opens the ledger in the file, which is created with its directory when
// it is missing. A file that is not a ledger is refused and left alone.
func Open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("account/sqlite: %w", err)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := create(ctx, path); err != nil {
			return nil, fmt.Errorf("account/sqlite: creating the ledger %s: %w", path, err)
		}
	}
	return open(ctx, path, false)
}

// OpenReadOnly opens an existing ledger for looking at it. A missing file is
// an error that wraps [fs.ErrNotExist].
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("account/sqlite: %w", err)
	}
	return open(ctx, path, true)
}

func open(ctx context.Context, path string, readOnly bool) (*Store, error) {
	if err := checkFile(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("account/sqlite: there is no ledger at %s: %w", path, fs.ErrNotExist)
	} else if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("account/sqlite: %w", err)
	}
	db, err := sqlitedriver.Open(path, func(c *sqlite3.Conn) error { return prepare(c, path, readOnly) })
	if err != nil {
		return nil, fmt.Errorf("account/sqlite: opening the ledger %s: %w", path, err)
	}
	// One connection: writers queue here instead of polling for the file's lock.
	db.SetMaxOpenConns(1)
	s := &Store{db: db, path: path, file: info}
	if err := s.checkVersion(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// journal is the mode in which a commit is durable when it returns.
func journal() string {
	if runtime.GOOS == "windows" {
		return "DELETE"
	}
	return "WAL"
}

// prepare sets up a connection. EXTRA is FULL in WAL mode, and also makes the
// removal of a rollback journal durable, without which a lost power could undo
// a commit.
func prepare(c *sqlite3.Conn, path string, readOnly bool) error {
	if err := c.BusyTimeout(busyTimeout); err != nil {
		return err
	}
	settings := `PRAGMA synchronous=EXTRA; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON;
		PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;`
	if readOnly {
		settings += `PRAGMA query_only=ON;`
	} else {
		settings += `PRAGMA journal_mode=` + journal() + `;`
	}
	// Reading creates the log file, whose name then has to be made durable.
	if err := c.Exec(settings + `SELECT count(*) FROM sqlite_schema`); err != nil {
		return err
	}
	restrict(path)
	if readOnly {
		return nil
	}
	return syncDir(filepath.Dir(path))
}

func (s *Store) checkVersion(ctx context.Context) error {
	var version int
	if err := s.db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return fmt.Errorf("account/sqlite: opening the ledger %s: %w", s.path, err)
	}
	if version != schemaVersion {
		return fmt.Errorf("account/sqlite: %s has version %d of the ledger, want %d: use the program that wrote it", s.path, version, schemaVersion)
	}
	return nil
}

// create makes a complete ledger under another name first, so that no
// half-made or empty ledger ever has the name.
func create(ctx context.Context, path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	if err := install(ctx, f.Name()); err != nil {
		return err
	}
	return publish(f.Name(), path)
}

func install(ctx context.Context, path string) (err error) {
	db, err := sqlitedriver.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, fmt.Sprintf(
		`PRAGMA synchronous=EXTRA; PRAGMA journal_mode=%s; BEGIN; PRAGMA application_id=%d; PRAGMA user_version=%d; %s COMMIT`,
		journal(), applicationID, schemaVersion, schema))
	return err
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// Open adds the account unless its key exists.
func (s *Store) Open(ctx context.Context, r account.Record) (standing account.Record, created bool, err error) {
	err = s.exclusive(ctx, func(ctx context.Context, c *sql.Conn) error {
		done, err := c.ExecContext(ctx, `INSERT INTO accounts (`+recordColumns+`) VALUES (`+marks(recordColumns)+`)
			ON CONFLICT (`+keyColumns+`) DO NOTHING`, recordValues(r)...)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return err
		}
		created = n == 1
		_, standing, err = findRecord(ctx, c, r.Key)
		return err
	})
	if err != nil {
		return account.Record{}, false, err
	}
	return standing, created, nil
}

// Append runs next in an exclusive transaction and appends its entry.
func (s *Store) Append(ctx context.Context, at account.Position, next func(account.State) (account.Entry, error)) (e account.Entry, err error) {
	var refused error
	err = s.exclusive(ctx, func(ctx context.Context, c *sql.Conn) error {
		n, state, err := find(ctx, c, at)
		if err != nil {
			return err
		}
		if e, refused = next(state); refused != nil {
			return refused
		}
		_, err = c.ExecContext(ctx, `INSERT INTO entries (account, `+entryColumns+`) VALUES (?, `+marks(entryColumns)+`)`,
			append([]any{n}, entryValues(e)...)...)
		return err
	})
	if refused != nil {
		return account.Entry{}, refused
	}
	if err != nil {
		return account.Entry{}, err
	}
	return e, nil
}

// exclusive runs do in a transaction that holds the file's only write lock
// from its beginning. Once the lock is held nothing interrupts it: a cancelled
// commit would be neither done nor undone.
func (s *Store) exclusive(ctx context.Context, do func(context.Context, *sql.Conn) error) (err error) {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("account/sqlite: %w", err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		rollback(c)
		return fmt.Errorf("account/sqlite: waiting for the ledger: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.unmoved(); err != nil {
		rollback(c)
		return err
	}
	if err := do(ctx, c); err != nil {
		rollback(c)
		return s.explain(err)
	}
	if _, err := c.ExecContext(ctx, `COMMIT`); err != nil {
		rollback(c)
		discard(c)
		return fmt.Errorf("%w: %w", account.ErrUncertain, err)
	}
	return nil
}

// unmoved reports that the open file is no longer the one with the ledger's
// name: what is written to it would be lost.
func (s *Store) unmoved() error {
	info, err := os.Stat(s.path)
	if err != nil || !os.SameFile(info, s.file) {
		return fmt.Errorf("account/sqlite: the ledger %s was removed or replaced while it was open", s.path)
	}
	return nil
}

// explain says where an error comes from.
func (s *Store) explain(err error) error {
	switch {
	case errors.Is(err, account.ErrNoAccount):
		return err
	case errors.Is(err, sqlite3.FULL):
		return fmt.Errorf("account/sqlite: no space left for the ledger, nothing was written: %w", err)
	}
	return fmt.Errorf("account/sqlite: %s: %w", s.path, err)
}

// rollback ends whatever transaction is open; a connection that cannot is
// thrown away, which ends it too.
func rollback(c *sql.Conn) {
	_ = c.Raw(func(raw any) error {
		conn := raw.(sqlitedriver.Conn).Raw()
		if !conn.GetAutocommit() && conn.Exec(`ROLLBACK`) != nil {
			return driver.ErrBadConn
		}
		return nil
	})
}

func discard(c *sql.Conn) {
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
}

// find reads what the decision about a spend depends on.
func find(ctx context.Context, c *sql.Conn, at account.Position) (n int64, s account.State, err error) {
	if n, s.Record, err = findRecord(ctx, c, at.Key); errors.Is(err, sql.ErrNoRows) {
		return 0, s, account.ErrNoAccount
	} else if err != nil {
		return 0, s, err
	}
	if s.Last, err = findEntry(ctx, c, `WHERE e.account = ? AND e.seq = ?`, n, s.Record.Entries); err != nil {
		return 0, s, err
	}
	s.Same, err = findEntry(ctx, c, `WHERE e.id = ?`, at.ID)
	return n, s, err
}
