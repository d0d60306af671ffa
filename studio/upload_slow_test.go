//go:build slow

package studio

import (
	"fmt"
	"testing"
	"time"
)

// patient is set for the long tests.
const patient = true

// TestLargeUpload is that of 200 MB.
func TestLargeUpload(t *testing.T) {
	const size = 200 << 20
	grown, took := streamUpload(t, size)
	fmt.Printf("an upload of %d MB took %v and at most %.1f MB of memory\n", size>>20, took.Round(time.Millisecond), float64(grown)/(1<<20))
	if grown > 24<<20 {
		t.Errorf("memory grew by %d bytes for an upload of %d", grown, int64(size))
	}
}
