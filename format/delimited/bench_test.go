package delimited_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/delimited"
	"github.com/gazeward/gazeward/format/formattest"
)

// table writes n rows: short decimals, as most trackers do, or all digits of a
// float64, as scripts do.
func table(n int, long bool) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewSource(1))
	b.WriteString("timestamp_ms,gaze_x_px,gaze_y_px,pupil,label\n")
	for i := range n {
		if long {
			fmt.Fprintf(&b, "%.12f,%v,%v,%v,fix\n", float64(i)*4.0000123, 1920*r.Float64(), 1080*r.Float64(), 2+2*r.Float64())
		} else {
			fmt.Fprintf(&b, "%d,%.1f,%.1f,%.2f,fix\n", i*4, 1920*r.Float64(), 1080*r.Float64(), 2+2*r.Float64())
		}
	}
	return b.Bytes()
}

func TestMemoryIsConstant(t *testing.T) {
	formattest.Constant(t, delimited.Format(), format.Options{}, table(140_000, false), table(560_000, false))
}

func BenchmarkRead(b *testing.B) {
	for name, long := range map[string]bool{"short": false, "long": true} {
		data := table(300_000, long)
		b.Run(name, func(b *testing.B) {
			if n := formattest.Benchmark(b, delimited.Format(), "table.csv", data); n != 300_000 {
				b.Fatalf("%d samples", n)
			}
		})
	}
}
