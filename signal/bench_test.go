package signal

import (
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/dsp/fourier"
)

// BenchmarkDFT prints nanoseconds per transform of ours and of gonum's, and
// their ratio, for chunks, whole recordings and primes.
func BenchmarkDFT(b *testing.B) {
	for _, n := range []int{32, 64, 128, 1024, 1200, 1201, 9973} {
		x, c := make([]float64, n), make([]complex128, n/2+1)
		for i := range x {
			x[i] = float64(i * i % 17)
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			ours, theirs := NewDFT(n), fourier.NewFFT(n)
			for b.Loop() {
				ours.Coefficients(c, x)
			}
			mine := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			start, runs := time.Now(), 0
			for ; time.Since(start) < 100*time.Millisecond; runs += 16 {
				for range 16 {
					theirs.Coefficients(c, x)
				}
			}
			gonum := float64(time.Since(start).Nanoseconds()) / float64(runs)
			b.ReportMetric(gonum, "gonum-ns/op")
			b.ReportMetric(gonum/mine, "times-gonum")
		})
	}
}

func BenchmarkDCT(b *testing.B) {
	for _, n := range []int{32, 128, 1200} {
		x, c := make([]float64, n), make([]float64, n)
		d := NewDCT(n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				d.Coefficients(c, x)
			}
		})
	}
}
