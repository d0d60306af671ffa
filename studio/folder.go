package studio

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gazeward/gazeward/curator"
)

// folder is where this run keeps what was uploaded: inside the curator's home,
// mode 0700, removed at the end of the run. A run that was killed leaves its
// folder behind; the next run removes it once it has been silent for a while.
type folder struct{ dir string }

const (
	heartbeat = 30 * time.Second
	silence   = 10 * time.Minute
)

func newFolder(home string) (*folder, error) {
	parent := filepath.Join(home, "studio")
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("studio: cannot make a folder in the home: %w", err)
	}
	sweep(parent)
	dir, err := os.MkdirTemp(parent, "run-*") // mode 0700
	if err != nil {
		return nil, fmt.Errorf("studio: cannot make a folder in the home: %w", err)
	}
	return &folder{dir}, nil
}

// sweep removes what runs that were killed have left.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), "run-") && time.Since(info.ModTime()) > silence {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// beat shows other runs that this one lives.
func (f *folder) beat(ctx context.Context) {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			_ = os.Chtimes(f.dir, now, now)
		}
	}
}

// fresh makes a new folder below.
func (f *folder) fresh(kind string) (string, error) {
	dir, err := os.MkdirTemp(f.dir, kind+"-*")
	if err != nil {
		return "", fmt.Errorf("studio: cannot write into the home: %w", err)
	}
	return dir, nil
}

// playground is the home of ledger and keys for simulated people: what is
// spent on them stands in no real ledger.
func (f *folder) playground() curator.Home {
	return curator.Home{Dir: filepath.Join(f.dir, "simulated-home")}
}

func (f *folder) remove() error {
	if err := os.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("studio: cannot remove what was uploaded: %w", err)
	}
	return nil
}
