package curator

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/manifest"
)

// TestHomeIsMadeOnce lets many make the same home at once, as the first
// commands of several people on one machine do: all get the same keys.
func TestHomeIsMadeOnce(t *testing.T) {
	for range 20 {
		h := Home{Dir: filepath.Join(t.TempDir(), "new", "home")}
		const n = 16
		var wg sync.WaitGroup
		var signing, pseudonym [n]string
		var errs [2 * n]error
		start := make(chan struct{})
		for i := range n {
			wg.Go(func() {
				<-start
				key, err := h.SigningKey()
				signing[i], errs[2*i] = string(key), err
				hash, err := h.Participants([]string{"a", "b"})
				pseudonym[i], errs[2*i+1] = hash, err
			})
		}
		close(start)
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			if signing[i] != signing[0] || pseudonym[i] != pseudonym[0] || signing[0] == "" {
				t.Fatal("two of those who made the home at once have different keys")
			}
		}
		left, err := os.ReadDir(h.Dir)
		if err != nil || len(left) != 2 {
			t.Errorf("the home holds %d files (%v), want the two keys alone", len(left), err)
		}
	}
}

func TestHomeModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no file modes on Windows")
	}
	h := Home{Dir: filepath.Join(t.TempDir(), "home")}
	if _, err := h.SigningKey(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Pseudonyms(); err != nil {
		t.Fatal(err)
	}
	ledger, err := h.Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	for name, want := range map[string]os.FileMode{"": 0o700, "signing.pem": 0o600, "pseudonym.key": 0o600, "ledger.db": 0o600} {
		info, err := os.Stat(filepath.Join(h.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%q has mode %o, want %o", name, got, want)
		}
	}
}

// TestDamagedKeys: a damaged key is refused, not replaced: a new one would
// disown every earlier release and open every account afresh.
func TestDamagedKeys(t *testing.T) {
	for _, damage := range [][]byte{nil, []byte("short"), bytes.Repeat([]byte("x"), 33)} {
		h := Home{Dir: t.TempDir()}
		for _, name := range []string{"signing.pem", "pseudonym.key"} {
			if err := os.WriteFile(filepath.Join(h.Dir, name), damage, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.SigningKey(); err == nil {
			t.Errorf("a signing key of %d bytes was taken", len(damage))
		}
		if _, err := h.Participants([]string{"a"}); err == nil {
			t.Errorf("a pseudonym key of %d bytes was taken", len(damage))
		}
		for _, name := range []string{"signing.pem", "pseudonym.key"} {
			if got, err := os.ReadFile(filepath.Join(h.Dir, name)); err != nil || !bytes.Equal(got, damage) {
				t.Errorf("%s was replaced (%v)", name, err)
			}
		}
	}
}

// TestKeysAreKept: what is read back is what was made.
func TestKeysAreKept(t *testing.T) {
	h := Home{Dir: t.TempDir()}
	first, err := h.SigningKey()
	if err != nil {
		t.Fatal(err)
	}
	again, err := h.SigningKey()
	if err != nil || !first.Equal(again) {
		t.Errorf("the signing key changed between two reads (%v)", err)
	}
	text, err := os.ReadFile(filepath.Join(h.Dir, "signing.pem"))
	if err != nil {
		t.Fatal(err)
	}
	if stored, err := manifest.ParsePrivatePEM(text); err != nil || !stored.Equal(first) {
		t.Errorf("the file holds another key (%v)", err)
	}
}

// TestPseudonymsOfParticipants: the account's name depends on the set of
// people, not on the order in which they are found, and on the home's key.
func TestPseudonymsOfParticipants(t *testing.T) {
	h, other := Home{Dir: t.TempDir()}, Home{Dir: t.TempDir()}
	hash := func(h Home, people ...string) string {
		t.Helper()
		s, err := h.Participants(people)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	base := hash(h, "anna", "bert")
	if hash(h, "bert", "anna") != base {
		t.Error("the order of the people changed the account")
	}
	for _, people := range [][]string{{"anna"}, {"anna", "bert", "carl"}, {"annabert"}, {"anna,bert"}, {"ann", "abert"}, {}} {
		if hash(h, people...) == base {
			t.Errorf("%d other people have the same account", len(people))
		}
	}
	if hash(other, "anna", "bert") == base {
		t.Error("two homes give the same pseudonyms: the key is not used")
	}
}
