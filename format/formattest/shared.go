package formattest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gazeward/gazeward/format"
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

// Benchmark reads a file again and again and reports bytes per second.
func Benchmark(b *testing.B, f format.Format, name string, data []byte) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		in, err := format.NewInput(name, bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range f.Read(in, format.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
