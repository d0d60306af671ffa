package eyelink_test

import (
	"bytes"
	"fmt"
	"testing"

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
	if n := formattest.Benchmark(b, eyelink.ASC(), "bench.asc", asc(400_000)); n != 400_000 {
		b.Fatalf("%d samples", n)
	}
}
