package audit

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// Draw runs the mechanism once on one of two neighbouring inputs, false for A
// and true for B, and returns the number that tells them apart best. It is
// called from several goroutines, each with a source of its own; an error
// ends the audit.
type Draw func(side bool, src *noise.Source) (float64, error)

// Sample holds independent outputs of the two sides.
type Sample struct{ A, B []float64 }

// block is how many outputs one source gives. Blocks get their sources in
// order, so that a seeded audit does not depend on the number of processors.
const block = 256

// Collect draws n outputs of each side on all processors.
func Collect(draw Draw, n int, src *noise.Source) (Sample, error) {
	s := Sample{make([]float64, n), make([]float64, n)}
	blocks := (n + block - 1) / block
	work := &feed{src: src, blocks: 2 * blocks}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 2*blocks) {
		wg.Go(func() {
			for b, own := work.next(); own != nil; b, own = work.next() {
				side, dst := b >= blocks, s.A
				if side {
					b, dst = b-blocks, s.B
				}
				if err := fill(dst[b*block:min(n, (b+1)*block)], draw, side, own); err != nil {
					work.stop(err)
				}
			}
		})
	}
	wg.Wait()
	return s, work.err
}

func fill(dst []float64, draw Draw, side bool, src *noise.Source) error {
	for i := range dst {
		v, err := draw(side, src)
		if err != nil {
			return fmt.Errorf("audit: the mechanism failed: %w", err)
		}
		if math.IsNaN(v) {
			return errors.New("audit: the mechanism's output is NaN")
		}
		dst[i] = v
	}
	return nil
}

// feed hands out blocks and their sources.
type feed struct {
	mu     sync.Mutex
	src    *noise.Source
	taken  int
	blocks int
	err    error
}

func (f *feed) next() (int, *noise.Source) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || f.taken == f.blocks {
		return 0, nil
	}
	f.taken++
	return f.taken - 1, f.src.Split()
}

func (f *feed) stop(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// halves are the outputs to choose an event on, and those to count it on.
func (s Sample) halves() (choose, count Sample) {
	i, j := len(s.A)/2, len(s.B)/2
	return Sample{s.A[:i], s.B[:j]}, Sample{s.A[i:], s.B[j:]}
}
