package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
	sqlitedriver "github.com/ncruces/go-sqlite3/driver"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/dp"
)

var subject = account.Key{Dataset: "osie", Participants: "hmac:01", Unit: dp.Subject}

func pure(epsilon float64) dp.Guarantee { return dp.Guarantee{Measure: dp.Pure, Epsilon: epsilon} }

// openLedger opens the file and the account of the tests.
func openLedger(t testing.TB, path string, limit account.Budget) (*account.Ledger, *Store) {
	t.Helper()
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	l := &account.Ledger{Store: store}
	t.Cleanup(func() { _ = l.Close() })
	if _, err := l.Open(t.Context(), subject, limit); err != nil {
		t.Fatal(err)
	}
	return l, store
}

func mustCap(t testing.TB, epsilon, delta float64) account.Budget {
	t.Helper()
	b, err := account.Cap(epsilon, delta)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func charge(t testing.TB, l *account.Ledger, id string, g dp.Guarantee) account.Entry {
	t.Helper()
	e, err := l.Charge(t.Context(), subject, account.Spend{ID: id, Guarantee: g, What: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestLedgerSurvivesClosing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "home", "ledger.db")
	l, _ := openLedger(t, path, mustCap(t, 10, 1e-2))
	want := []account.Entry{
		charge(t, l, "a", dp.Guarantee{Measure: dp.Approximate, Epsilon: 3, Delta: 1e-3}),
		charge(t, l, "b", pure(0.5)),
		charge(t, l, "c", dp.Guarantee{Measure: dp.ZCDP, Rho: 0.01, Mu: 0.1}),
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	l = &account.Ledger{Store: store}
	defer l.Close()
	got, err := l.Entries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("entries (-charged +read):\n%s", d)
	}
	if err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := l.Charge(t.Context(), subject, account.Spend{ID: "d", Guarantee: pure(1)}); err == nil {
		t.Error("a ledger that was opened for reading took a charge")
	}
}

func TestModesAndPragmas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "ledger.db")
	_, s := openLedger(t, path, mustCap(t, 1, 0))
	for pragma, want := range map[string]string{"synchronous": "3", "journal_mode": strings.ToLower(journal()), "foreign_keys": "1"} {
		var got string
		if err := s.db.QueryRow(`PRAGMA ` + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("PRAGMA %s = %s, %v, want %s", pragma, got, err, want)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", filepath.Base(name), info.Mode().Perm(), want)
		}
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.new-*"))
	if len(left) > 0 {
		t.Errorf("temporary files were left: %d", len(left))
	}
}

func TestNotALedger(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.db")
	db, err := sqlitedriver.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE t (a)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	write := func(name, content string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for path, want := range map[string]string{
		other:                                    "SQLite file of another program",
		write("text.db", "hello"):                "no SQLite file",
		write("long", strings.Repeat("x", 9999)): "no SQLite file",
		write("empty.db", ""):                    "counts as exhausted",
	} {
		before, _ := os.ReadFile(path)
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filepath.Base(path), err, want)
		}
		if after, _ := os.ReadFile(path); string(before) != string(after) {
			t.Errorf("%s was changed", filepath.Base(path))
		}
	}
	missing := filepath.Join(dir, "missing.db")
	if _, err := OpenReadOnly(t.Context(), missing); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "there is no ledger at") {
		t.Errorf("missing: %v", err)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("looking for a missing ledger created it")
	}
}

func TestFutureVersionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, s := openLedger(t, path, mustCap(t, 1, 0))
	if _, err := s.db.Exec(`PRAGMA user_version=2`); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Error(err)
	}
}

func TestSchemaRefusesWhatTheProgramShouldNot(t *testing.T) {
	l, s := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), mustCap(t, 10, 1e-2))
	charge(t, l, "a", pure(1))
	for statement, want := range map[string]string{
		`UPDATE entries SET what = 'x'`:                        "never changed",
		`DELETE FROM entries`:                                  "never removed",
		`DELETE FROM accounts`:                                 "never removed",
		`UPDATE accounts SET cap_epsilon = 99000000000`:        "by entries only",
		`UPDATE accounts SET basic = 0, entries = entries + 1`: "by entries only",
		`UPDATE accounts SET entries = entries + 1, basic = 11000000000000, gaussian = 9223372036854775807, zcdp = 9223372036854775807`: "never_overspent",
		`INSERT INTO entries SELECT n+1, account, seq+1, 'b', what, measure, basic, basic_delta, gaussian, gaussian_delta, zcdp, zcdp_delta,
			total_basic, total_basic_delta, total_gaussian, total_gaussian_delta, total_zcdp, total_zcdp_delta, date, prev_hash, hash FROM entries`: "follows on the head",
	} {
		if _, err := s.db.Exec(statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", statement, err, want)
		}
	}
	if err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestManyGoroutinesTwoHandles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	a, _ := openLedger(t, path, mustCap(t, 3, 0))
	b, _ := openLedger(t, path, mustCap(t, 3, 0))
	var wg sync.WaitGroup
	granted := make([]int, 16)
	for g := range granted {
		wg.Go(func() {
			l := []*account.Ledger{a, b}[g%2]
			for i := range 5 {
				_, err := l.Charge(context.Background(), subject, account.Spend{ID: fmt.Sprintf("%d/%d", g, i), Guarantee: pure(0.1)})
				var exhausted *account.ExhaustedError
				switch {
				case err == nil:
					granted[g]++
				case !errors.As(err, &exhausted):
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range granted {
		total += n
	}
	if total != 30 { // 30 × 0.1 meets 3 exactly; 80 were asked
		t.Errorf("%d spends of 0.1 were granted under a cap of 3", total)
	}
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDiskFull(t *testing.T) {
	l, s := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), mustCap(t, 1e6, 0))
	if _, err := s.db.Exec(`PRAGMA max_page_count=16`); err != nil {
		t.Fatal(err)
	}
	charged := 0
	var err error
	for ; err == nil && charged < 1000; charged++ {
		_, err = l.Charge(t.Context(), subject, account.Spend{ID: fmt.Sprint(charged), Guarantee: pure(1), What: strings.Repeat("x", 400)})
	}
	if charged--; !errors.Is(err, sqlite3.FULL) || errors.Is(err, account.ErrUncertain) || !strings.Contains(err.Error(), "nothing was written") {
		t.Fatalf("after %d charges: %v", charged, err)
	}
	entries, err := l.Entries(t.Context())
	if err != nil || len(entries) != charged {
		t.Errorf("%d entries, %v, want %d", len(entries), err, charged)
	}
	if err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := s.db.Exec(`PRAGMA max_page_count=10000`); err != nil {
		t.Fatal(err)
	}
	charge(t, l, "again", pure(1))
}

func TestFailedCommitIsUncertain(t *testing.T) {
	l, s := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), mustCap(t, 10, 0))
	hook := func(allow bool) {
		c, err := s.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.Raw(func(raw any) error {
			raw.(sqlitedriver.Conn).Raw().CommitHook(func() bool { return allow })
			return nil
		})
	}
	hook(false)
	spend := account.Spend{ID: "a", Guarantee: pure(1)}
	if _, err := l.Charge(t.Context(), subject, spend); !errors.Is(err, account.ErrUncertain) {
		t.Fatalf("a failed commit: %v", err)
	}
	// The connection was dropped with its hook; the same id tells what happened.
	if _, err := l.Charge(t.Context(), subject, spend); err != nil {
		t.Errorf("again: %v", err)
	}
	if e, err := l.Charge(t.Context(), subject, spend); !errors.Is(err, account.ErrDuplicate) || e.ID != "a" {
		t.Errorf("a third time: %v, %v", e, err)
	}
}

func TestRemovedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed on Windows")
	}
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, _ := openLedger(t, path, mustCap(t, 10, 0))
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Charge(t.Context(), subject, account.Spend{ID: "a", Guarantee: pure(1)}); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
		t.Error(err)
	}
}

func TestCancelledCharge(t *testing.T) {
	l, s := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), mustCap(t, 10, 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Charge(ctx, subject, account.Spend{ID: "a", Guarantee: pure(1)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Cancelled inside the transaction: too late, the charge stands.
	ctx, cancel = context.WithCancel(t.Context())
	_, err := s.Append(ctx, account.Position{Key: subject, ID: "x"}, func(st account.State) (account.Entry, error) {
		cancel()
		return account.Entry{}, errStop
	})
	if !errors.Is(err, errStop) {
		t.Error(err)
	}
	charge(t, l, "b", pure(1))
}

var errStop = errors.New("stop")

func TestUnknownAccount(t *testing.T) {
	l, _ := openLedger(t, filepath.Join(t.TempDir(), "ledger.db"), mustCap(t, 10, 0))
	other := subject
	other.Participants = "hmac:02"
	if _, err := l.Charge(t.Context(), other, account.Spend{ID: "a", Guarantee: pure(1)}); !errors.Is(err, account.ErrNoAccount) {
		t.Error(err)
	}
}

// raw runs statements on the closed ledger's file as a stranger would: without
// the triggers.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sqlitedriver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	triggers, err := db.Query(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		t.Fatal(err)
	}
	drop := ""
	for triggers.Next() {
		var name string
		if err := triggers.Scan(&name); err != nil {
			t.Fatal(err)
		}
		drop += `DROP TRIGGER ` + name + `;`
	}
	for _, statement := range append([]string{drop, `PRAGMA ignore_check_constraints=ON`, `PRAGMA foreign_keys=OFF`}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestVerifyFindsTampering(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		seq        int64
		says       string
		charge     bool // whether the next charge notices too
	}{
		"a note is changed":       {[]string{`UPDATE entries SET what = 'free' WHERE seq = 2`}, 2, "contents do not match", false},
		"a spend is made smaller": {[]string{`UPDATE entries SET basic = 1 WHERE seq = 1`}, 1, "contents do not match", false},
		"the last row is removed": {[]string{`DELETE FROM entries WHERE seq = 3`}, 0, "removed from its end", true},
		"the last row is changed": {[]string{`UPDATE entries SET date = '2000-01-01' WHERE seq = 3`}, 3, "contents do not match", true},
		"a middle row is removed": {[]string{`DELETE FROM entries WHERE seq = 2`}, 3, "missing before it", false},
		"the cap is raised":       {[]string{`UPDATE accounts SET cap_epsilon = 999000000000`}, 0, "were changed", true},
		"a filter is raised":      {[]string{`UPDATE accounts SET basic_cap = 999000000000000`}, 0, "were changed", true},
		"totals are lowered":      {[]string{`UPDATE accounts SET basic = 0`}, 0, "totals are not", true},
		"the head is changed":     {[]string{`UPDATE accounts SET head = genesis`}, 0, "its head is not", true},
		"truncated with counter": {[]string{`DELETE FROM entries WHERE seq = 3`, `UPDATE accounts SET entries = 2`},
			0, "totals are not", true},
		"the account is removed": {[]string{`DELETE FROM accounts`}, 1, "belongs to no account", true},
		"rows change places": {[]string{`UPDATE entries SET seq = 9 WHERE seq = 1`, `UPDATE entries SET seq = 1 WHERE seq = 2`,
			`UPDATE entries SET seq = 2 WHERE seq = 9`}, 2, "contents do not match", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger.db")
			l, _ := openLedger(t, path, mustCap(t, 10, 1e-2))
			for _, id := range []string{"a", "b", "c"} {
				charge(t, l, id, pure(1))
			}
			l.Close()
			raw(t, path, c.statements...)
			store, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			l = &account.Ledger{Store: store}
			defer l.Close()
			var tampered *account.TamperError
			if err := l.Verify(t.Context()); !errors.As(err, &tampered) || tampered.Seq != c.seq || !strings.Contains(err.Error(), c.says) {
				t.Errorf("verify: %v, want entry %d, %q", err, c.seq, c.says)
			}
			_, err = l.Charge(t.Context(), subject, account.Spend{ID: "d", Guarantee: pure(1)})
			if c.charge && err == nil {
				t.Error("the next charge did not notice")
			}
		})
	}
}

func TestEveryByteOfAnEntryCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, s := openLedger(t, path, mustCap(t, 10, 1e-2))
	charge(t, l, "the spend", dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-6})
	for column := range strings.SplitSeq(entryColumns, ",") {
		column = strings.TrimSpace(column)
		t.Run(column, func(t *testing.T) {
			e, err := findIn(t, s, column)
			if errors.Is(err, account.ErrTampered) {
				return // not even readable
			}
			if err != nil {
				t.Fatal(err)
			}
			m := &changed{Store: s, entry: e}
			if err := (&account.Ledger{Store: m}).Verify(t.Context()); !errors.Is(err, account.ErrTampered) {
				t.Errorf("a change of %s goes unnoticed: %v", column, err)
			}
		})
	}
}

// findIn reads the only entry with one column changed.
func findIn(t *testing.T, s *Store, column string) (account.Entry, error) {
	t.Helper()
	change := column + ` + 1`
	var kind string
	if err := s.db.QueryRow(`SELECT typeof(` + column + `) FROM entries`).Scan(&kind); err != nil {
		t.Fatal(err)
	}
	if kind == "text" {
		change = `'x' || substr(` + column + `, 2)`
	}
	query := strings.Replace(entrySelect, "e."+column, change, 1)
	query = strings.Replace(query, change, strings.ReplaceAll(change, column, "e."+column), 1)
	return scanEntry(s.db.QueryRow(query))
}

type changed struct {
	*Store
	entry account.Entry
}

func (c *changed) Snapshot(ctx context.Context) ([]account.Record, []account.Entry, error) {
	r, _, err := c.Store.Snapshot(ctx)
	return r, []account.Entry{c.entry}, err
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, _ := openLedger(t, path, mustCap(t, 1e6, 0))
	for i := range 60 {
		charge(t, l, fmt.Sprint(i), pure(1))
	}
	l.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2 * 4096; i < len(b); i += 97 {
		b[i] ^= 0xff
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), path)
	if err != nil {
		return // refused at once
	}
	l = &account.Ledger{Store: store}
	defer l.Close()
	if err := l.Verify(t.Context()); err == nil {
		t.Error("a damaged file verifies")
	}
}

func TestCopyWithoutLinks(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := install(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if err := copyNew(from, to); err != nil {
		t.Fatal(err)
	}
	if err := copyNew(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing ledger was overwritten: %v", err)
	}
	s, err := Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}
