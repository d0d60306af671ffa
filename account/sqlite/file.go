package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// applicationID marks the file as a ledger in SQLite's header: "gzwd".
const applicationID = 0x677a7764

// checkFile refuses what is not a ledger before SQLite touches it. An empty
// file is refused too: a ledger is never empty, so something emptied it, and
// an emptied ledger must not become a fresh budget.
func checkFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	header := make([]byte, 100)
	n, err := io.ReadFull(f, header)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return fmt.Errorf("account/sqlite: the ledger %s is empty: a lost ledger counts as exhausted; restore it, or remove the file to start afresh knowingly", path)
	case errors.Is(err, io.ErrUnexpectedEOF), err == nil && !bytes.HasPrefix(header, []byte("SQLite format 3\x00")):
		return fmt.Errorf("account/sqlite: %s is not a ledger: it is no SQLite file", path)
	case err != nil:
		return err
	case binary.BigEndian.Uint32(header[68:]) != applicationID:
		return fmt.Errorf("account/sqlite: %s is not a ledger: it is a SQLite file of another program", path)
	}
	return nil
}

// publish gives a finished temporary file its name, unless the name exists:
// then another process was first, and its ledger stands.
func publish(temporary, path string) error {
	err := os.Link(temporary, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = copyNew(temporary, path) // no hard links on this file system
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func copyNew(from, to string) (err error) {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

// restrict gives the files beside the ledger its own permissions; they come
// and go with connections.
func restrict(path string) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	for _, suffix := range [...]string{"-wal", "-shm"} {
		_ = os.Chmod(path+suffix, info.Mode().Perm()) // absent, or another user's: theirs to restrict
	}
}
