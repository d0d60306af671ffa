package curator

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/account/sqlite"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/noise"
)

// Home is where a curator's secrets lie: the ledger, the signing key and the
// pseudonym key. None of them ever enters a release.
type Home struct {
	Dir        string // required
	LedgerFile string // default ledger.db in Dir
}

// DefaultDir is $GAZEWARD_HOME, else gazeward in the user's state directory.
func DefaultDir() (string, error) {
	if dir := os.Getenv("GAZEWARD_HOME"); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gazeward"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("curator: no home directory: set GAZEWARD_HOME: %w", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "gazeward"), nil
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "gazeward"), nil
		}
	}
	return filepath.Join(home, ".local", "state", "gazeward"), nil
}

// LedgerPath is the ledger's file.
func (h Home) LedgerPath() string {
	if h.LedgerFile != "" {
		return h.LedgerFile
	}
	return filepath.Join(h.Dir, "ledger.db")
}

// Ledger opens the ledger, making its file if there is none.
func (h Home) Ledger(ctx context.Context) (*account.Ledger, error) {
	store, err := sqlite.Open(ctx, h.LedgerPath())
	if err != nil {
		return nil, err
	}
	return &account.Ledger{Store: store}, nil
}

// SigningKey returns the key that signs manifests, made on first use.
func (h Home) SigningKey() (ed25519.PrivateKey, error) {
	text, err := h.secret("signing.pem", func() ([]byte, error) {
		key, err := manifest.GenerateKey(noise.Secure())
		if err != nil {
			return nil, err
		}
		return manifest.PrivatePEM(key)
	})
	if err != nil {
		return nil, err
	}
	return manifest.ParsePrivatePEM(text)
}

// Pseudonyms returns the keyed hash that stands for names outside of this
// room: the same name has the same pseudonym for ever, as long as the key in
// the home is kept.
func (h Home) Pseudonyms() (func(parts ...string) string, error) {
	key, err := h.secret("pseudonym.key", func() ([]byte, error) {
		key := make([]byte, 32)
		_, err := noise.Secure().Read(key)
		return key, err
	})
	if err != nil {
		return nil, err
	}
	if len(key) != 32 {
		return nil, fmt.Errorf("curator: the pseudonym key must have 32 bytes, got %d: restore it from a backup", len(key))
	}
	return func(parts ...string) string {
		mac := hmac.New(sha256.New, key)
		for _, p := range parts {
			fmt.Fprintf(mac, "%d:%s", len(p), p)
		}
		return hex.EncodeToString(mac.Sum(nil)[:16])
	}, nil
}

// secret reads a file of the home, or makes it with mode 0600. Two processes
// that make it at once agree on the one that came first.
func (h Home) secret(name string, fresh func() ([]byte, error)) ([]byte, error) {
	path := filepath.Join(h.Dir, name)
	b, err := os.ReadFile(path)
	if err == nil {
		return b, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("curator: cannot read %s in the home: %w", name, pathless(err))
	}
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("curator: cannot make the home: %w", err)
	}
	if b, err = fresh(); err != nil {
		return nil, err
	}
	temporary, err := os.CreateTemp(h.Dir, name+".new-*") // CreateTemp makes mode 0600
	if err != nil {
		return nil, fmt.Errorf("curator: cannot write into the home: %w", err)
	}
	defer os.Remove(temporary.Name())
	if err := writeAll(temporary, b); err != nil {
		return nil, err
	}
	err = os.Link(temporary.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = copyNew(path, b) // file systems without links
	}
	if errors.Is(err, fs.ErrExist) {
		return os.ReadFile(path)
	}
	return b, err
}

// copyNew never overwrites: another process may have been first.
func copyNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return writeAll(f, b)
}

func writeAll(f *os.File, b []byte) error {
	_, err := f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}

// ReadLedger opens the ledger to look at it; there must be one.
func (h Home) ReadLedger(ctx context.Context) (*account.Ledger, error) {
	store, err := sqlite.OpenReadOnly(ctx, h.LedgerPath())
	if err != nil {
		return nil, err
	}
	return &account.Ledger{Store: store}, nil
}
