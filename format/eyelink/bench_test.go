package eyelink_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/eyelink"
	"github.com/gazeward/gazeward/format/formattest"
)

// asc writes a recording of n samples at 1000 Hz with events every 300 ms.
func asc(n int) []byte {
	var b bytes.Buffer
	b.WriteString("** TYPE: EDF_FILE BINARY EVENT SAMPLE TAGGED\n**\n\nMSG\t1000000 DISPLAY_COORDS 0 0 1279 1023\n")
	b.WriteString("START\t1000000 \tLEFT\tSAMPLES\tEVENTS\nPUPIL\tAREA\n")
	b.WriteString("SAMPLES\tGAZE\tLEFT\tRATE\t1000.00\tTRACKING\tCR\tFILTER\t2\n")
	for i := range n {
		if i%300 == 299 {
			fmt.Fprintf(&b, "EFIX L   %d\t%d\t%d\t  %.1f\t  %.1f\t    %d\n", 1000000+i-250, 1000000+i-1, 250, 640.5, 512.5, 790)
		}
		fmt.Fprintf(&b, "%d\t  %.1f\t  %.1f\t  %.1f\t...\n", 1000000+i, 600+float64(i%777)/10, 500+float64(i%555)/10, 700+float64(i%99))
	}
	fmt.Fprintf(&b, "END\t%d \tSAMPLES\tEVENTS\tRES\t  37.17\t  37.75\n", 1000000+n)
	return b.Bytes()
}

func TestMemoryIsConstant(t *testing.T) {
	formattest.Constant(t, eyelink.ASC(), format.Options{}, asc(140_000), asc(560_000))
}

func BenchmarkRead(b *testing.B) {
	data := asc(400_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	samples := 0
	for b.Loop() {
		in, err := format.NewInput("bench.asc", bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		samples = 0
		for piece, err := range eyelink.Read(in, format.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
			samples += piece.Samples.Len()
		}
	}
	if samples != 400_000 {
		b.Fatalf("%d samples", samples)
	}
	per := b.Elapsed() / time.Duration(b.N)
	lines, fields := splitting(b, data)
	b.ReportMetric(float64(per)/float64(lines), "×lines")
	b.ReportMetric(float64(per)/float64(fields), "×fields")
}

// splitting is the time it takes to read the bytes and split them into lines,
// and into lines and fields.
func splitting(b *testing.B, data []byte) (lines, fields time.Duration) {
	lines, fields = time.Hour, time.Hour
	for range 5 {
		start := time.Now()
		n := 0
		for text := format.NewLines(open(b, data)); ; n++ {
			if _, ok := text.Next(); !ok {
				break
			}
		}
		lines = min(lines, time.Since(start))
		start = time.Now()
		for text := format.NewLines(open(b, data)); ; {
			line, ok := text.Next()
			if !ok {
				break
			}
			for i := bytes.IndexByte(line, '\t'); i >= 0; i = bytes.IndexByte(line, '\t') {
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

func open(tb testing.TB, data []byte) *format.Input {
	in, err := format.NewInput("bench.asc", bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	return in
}
