package delimited_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
	"time"

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
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			samples := 0
			for b.Loop() {
				samples = 0
				for piece, err := range delimited.Read(input(b, data), format.Options{}) {
					if err != nil {
						b.Fatal(err)
					}
					samples += piece.Samples.Len()
				}
			}
			if samples != 300_000 {
				b.Fatalf("%d samples", samples)
			}
			per := b.Elapsed() / time.Duration(b.N)
			lines, fields := splitting(b, data)
			b.ReportMetric(float64(per)/float64(lines), "×lines")
			b.ReportMetric(float64(per)/float64(fields), "×fields")
		})
	}
}

func input(tb testing.TB, data []byte) *format.Input {
	in, err := format.NewInput("table.csv", bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// splitting is the time it takes to read the bytes and split them into lines,
// and into lines and fields.
func splitting(b *testing.B, data []byte) (lines, fields time.Duration) {
	lines, fields = time.Hour, time.Hour
	for range 5 {
		start := time.Now()
		n := 0
		for text := format.NewLines(input(b, data)); ; n++ {
			if _, ok := text.Next(); !ok {
				break
			}
		}
		lines = min(lines, time.Since(start))
		start = time.Now()
		for text := format.NewLines(input(b, data)); ; {
			line, ok := text.Next()
			if !ok {
				break
			}
			for i := bytes.IndexByte(line, ','); i >= 0; i = bytes.IndexByte(line, ',') {
				line = line[i+1:]
				n++
			}
		}
		fields = min(fields, time.Since(start))
		if n == 0 {
			b.Fatal("nothing to split")
		}
	}
	return lines, fields
}
