package curator

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// peakHeap runs f and returns the most bytes that live objects held meanwhile,
// seen from beside it.
func peakHeap(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for tick := time.NewTicker(500 * time.Microsecond); ; {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-stop:
				tick.Stop()
				done <- peak
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	return <-done
}

// TestMemoryOfSamples: a heatmap job needs no more memory for eight times the
// samples. As columns of numbers the larger file would fill 15 MB, as text 17.
func TestMemoryOfSamples(t *testing.T) {
	peaks := map[int]uint64{}
	for _, samples := range []int{80_000, 640_000} {
		l := newLab(t)
		writeLong(t, filepath.Join(l.dir, "long.csv"), samples)
		j := l.heatmap(t)
		peaks[samples] = peakHeap(func() {
			if _, err := j.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Logf("peak of the heap: %.1f MB for 80 000 samples, %.1f MB for 640 000", float64(peaks[80_000])/1e6, float64(peaks[640_000])/1e6)
	if peaks[640_000] > peaks[80_000]+5e6 {
		t.Errorf("the heap grows with the samples: %d bytes for 80 000, %d for 640 000", peaks[80_000], peaks[640_000])
	}
}

func writeLong(t *testing.T, name string, samples int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "participant,time [ms],x [px],y [px]")
	for i := range samples {
		fmt.Fprintf(w, "p%d,%d,%d.5,%d.5\n", i*4/samples, i*4, 40+i/50%200, 60+i/70%100)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}
