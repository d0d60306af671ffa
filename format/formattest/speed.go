package formattest

import (
	"bytes"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
)

// Benchmark reads a file of text again and again and returns how many samples it
// holds. Besides bytes per second it reports those of the fastest run, and how
// many times as long this took as to split the same bytes into lines, and into
// lines and fields: ratios that other work on the machine disturbs less.
func Benchmark(b *testing.B, f format.Format, name string, data []byte) (samples int) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	fastest := time.Hour
	for b.Loop() {
		start := time.Now()
		samples = 0
		for piece, err := range f.Read(input(b, name, data), format.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
			samples += piece.Samples.Len()
		}
		fastest = min(fastest, time.Since(start))
	}
	lines, fields := splitting(b, data)
	b.ReportMetric(float64(len(data))/1e6/fastest.Seconds(), "best-MB/s")
	b.ReportMetric(float64(fastest)/float64(lines), "×lines")
	b.ReportMetric(float64(fastest)/float64(fields), "×fields")
	return samples
}

func input(b *testing.B, name string, data []byte) *format.Input {
	in, err := format.NewInput(name, bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	return in
}

// splitting is the least time it takes to read the bytes and split them into
// lines, and into lines and fields.
func splitting(b *testing.B, data []byte) (lines, fields time.Duration) {
	delimiter := commonest(data[:min(len(data), format.HeadSize)])
	lines, fields = time.Hour, time.Hour
	for range 9 {
		lines = min(lines, eachLine(b, data, func([]byte) {}))
		fields = min(fields, eachLine(b, data, func(line []byte) {
			for i := bytes.IndexByte(line, delimiter); i >= 0; i = bytes.IndexByte(line, delimiter) {
				line = line[i+1:]
			}
		}))
	}
	return lines, fields
}

func eachLine(b *testing.B, data []byte, do func([]byte)) time.Duration {
	start := time.Now()
	for text := format.NewLines(input(b, "lines", data)); ; {
		line, ok := text.Next()
		if !ok {
			return time.Since(start)
		}
		do(line)
	}
}

// commonest is the delimiter that occurs most often.
func commonest(head []byte) (best byte) {
	most := -1
	for _, c := range []byte("\t,;") {
		if n := bytes.Count(head, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}
