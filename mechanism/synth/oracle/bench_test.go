package oracle

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// The size that other programs were timed at.
const (
	people = 100_000
	cells  = 7200
)

// vectorised is optimised unary encoding as numpy does it best: a chunk of users at a time, single precision, sums by column.
const vectorised = `
import math, time
import numpy as np
n, d, eps = 100000, 7200, 1.0
q = np.float32(1/(math.exp(eps)+1))
r = np.random.default_rng(1)
v = r.integers(0, d, n)
start = time.perf_counter()
counts = np.zeros(d, np.int64)
for at in range(0, n, 1000):
    bits = r.random((1000, d), dtype=np.float32) < q
    bits[np.arange(1000), v[at:at+1000]] = r.random(1000) < .5
    counts += bits.sum(axis=0)
estimate = (counts - n*float(q)) / (.5 - float(q))
print(time.perf_counter() - start)
`

// numpySeconds is the quickest of three runs, or 0 with the reason why there is none.
func numpySeconds() (float64, string) {
	best := 0.0
	for range 3 {
		out, err := exec.Command("python3", "-c", vectorised).CombinedOutput()
		if err != nil {
			return 0, "no python3 with numpy to compare with"
		}
		s, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return 0, "numpy printed no number"
		}
		if best == 0 || s < best {
			best = s
		}
	}
	return best, ""
}

// BenchmarkOUE perturbs and aggregates 100 000 users × 7200 cells at ε = 1: seconds, bits per second, and the part of numpy's time
// where there is one. Each figure is the quickest of all turns: what else the machine does only ever adds time.
func BenchmarkOUE(b *testing.B) {
	o := build(b, "oue", cells, 1)
	values, src := make([]int, people), noise.Secure()
	for i := range values {
		values[i] = src.IntN(cells)
	}
	var numpy float64
	asked := false
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", workers), func(b *testing.B) {
			if !asked {
				var why string
				if numpy, why = numpySeconds(); why != "" {
					b.Log(why)
				}
				asked = true
			}
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				tally, err := Collect(o, values, src, workers)
				if err != nil || tally.Estimate().Reports != people {
					b.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(best.Seconds(), "s")
			b.ReportMetric(people*cells/best.Seconds(), "bits/s")
			if numpy > 0 {
				b.ReportMetric(numpy, "numpy-s")
				b.ReportMetric(best.Seconds()/numpy, "x-numpy")
			}
		})
	}
}

func BenchmarkPerturb(b *testing.B) {
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			o, src := build(b, name, cells, 1), noise.Secure()
			report := make([]uint64, o.Words())
			b.ReportAllocs()
			for b.Loop() {
				o.Perturb(report, 17, src)
			}
		})
	}
}
