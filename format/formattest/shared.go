package formattest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared finds a folder of real recordings beside the checkout, and skips the
// test where there is none.
func Shared(t testing.TB, folder string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for up := dir; up != filepath.Dir(up); up = filepath.Dir(up) {
		path := filepath.Join(up, "shared", "data", folder)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("no shared/data/%s beside the checkout: real recordings are not tried", folder)
	return ""
}
