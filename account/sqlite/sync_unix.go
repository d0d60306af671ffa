//go:build unix

package sqlite

import "os"

// syncDir makes the names in a directory durable: a committed log is lost with
// the power if its name is.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
