package noise

import (
	"fmt"
	"testing"
	"time"
)

const mapPixels = 1050 * 1680

// BenchmarkMap adds noise to integer maps of 1 764 000 pixels. Beside each run, in turns, it copies float64 maps of that size:
// x-copy is the ratio. Each figure is the quickest of all turns.
func BenchmarkMap(b *testing.B) {
	const maps = 8 // of 14 MB each, taken in turns, so that none is in a cache
	var ints [maps][]int64
	var from, to [maps][]float64
	for i := range maps {
		ints[i], from[i], to[i] = make([]int64, mapPixels), make([]float64, mapPixels), make([]float64, mapPixels)
		for j := range from[i] {
			ints[i][j], from[i][j], to[i][j] = 1, 1, 1
		}
	}
	turn := 0
	for _, scale := range []float64{256, 1000, 1e6, 1 << 32} {
		for _, s := range []*Sampler{laplaceSampler(b, scale), gaussianSampler(b, scale)} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%v/scale=%g/threads=%d", s.law, scale, workers), func(b *testing.B) {
					src := Secure()
					b.ReportAllocs()
					next := func() int { turn = (turn + 1) % maps; return turn }
					noisy := func() { addOn(s, ints[next()], src, workers) }
					sideBySide(b, noisy, func() { i := next(); copy(to[i], from[i]) })
				})
			}
		}
	}
}

func addOn(s *Sampler, dst []int64, src *Source, workers int) {
	if workers == 1 {
		s.Add(dst, src)
		return
	}
	s.AddParallel(dst, src, workers)
}

// sideBySide times work and copying in turns and reports the quickest of each: what else the machine does only ever adds time.
func sideBySide(b *testing.B, work, copying func()) {
	best := func(was time.Duration, f func()) time.Duration {
		start := time.Now()
		f()
		return min(was, time.Since(start))
	}
	own, other := time.Hour, time.Hour
	for b.Loop() {
		own = best(own, work)
		b.StopTimer()
		other = best(other, copying)
		b.StartTimer()
	}
	b.ReportMetric(float64(own.Nanoseconds())/mapPixels, "ns/px")
	b.ReportMetric(float64(own)/float64(other), "x-copy")
}

// BenchmarkThreads is how many times faster two threads are than one, taken in turns.
func BenchmarkThreads(b *testing.B) {
	dst := make([]int64, mapPixels)
	for _, s := range []*Sampler{laplaceSampler(b, 256), gaussianSampler(b, 1<<32)} {
		b.Run(fmt.Sprintf("%v/scale=%g", s.law, s.scale), func(b *testing.B) {
			src := Secure()
			one, two := time.Duration(1<<62), time.Duration(1<<62)
			for b.Loop() {
				start := time.Now()
				s.Add(dst, src)
				one = min(one, time.Since(start))
				start = time.Now()
				s.AddParallel(dst, src, 2)
				two = min(two, time.Since(start))
			}
			b.ReportMetric(float64(one)/float64(two), "speed-up")
		})
	}
}

func BenchmarkAddFloat(b *testing.B) {
	x, dst := make([]int64, mapPixels), make([]float64, mapPixels)
	s, src := gaussianSampler(b, 1e6), Secure()
	for b.Loop() {
		if err := s.AddFloat(dst, x, 0x1p-20, src); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/mapPixels, "ns/px")
}

func BenchmarkNew(b *testing.B) {
	for _, scale := range []float64{0.3, 1000, 1 << 32} {
		b.Run(fmt.Sprintf("Laplace/scale=%g", scale), func(b *testing.B) {
			for b.Loop() {
				laplaceSampler(b, scale)
			}
		})
		b.Run(fmt.Sprintf("Gaussian/scale=%g", scale), func(b *testing.B) {
			for b.Loop() {
				gaussianSampler(b, scale)
			}
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	src := Secure()
	for _, scale := range []float64{256, 1 << 32} {
		s := gaussianSampler(b, scale)
		b.Run(fmt.Sprintf("Gaussian/scale=%g", scale), func(b *testing.B) {
			for b.Loop() {
				s.Draw(src)
			}
		})
	}
	p, l := must[*PlanarLaplace](b)(NewPlanarLaplace(0.001)), must[*SphericalLaplace](b)(NewSphericalLaplace(28.6))
	b.Run("Planar", func(b *testing.B) {
		for b.Loop() {
			p.Draw(src)
		}
	})
	b.Run("Spherical", func(b *testing.B) {
		for b.Loop() {
			l.Draw(src, [3]float64{0, 0, 1})
		}
	})
	b.Run("reference/Laplace", func(b *testing.B) { // Canonne, Kamath and Steinke, by rational coins
		for b.Loop() {
			cksLaplace(src, 256, 1)
		}
	})
}

func BenchmarkSource(b *testing.B) {
	src, words := Secure(), make([]uint64, 1<<16)
	b.Run("Fill", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		for b.Loop() {
			src.Fill(words)
		}
	})
	b.Run("Uint64", func(b *testing.B) {
		for b.Loop() {
			src.Uint64()
		}
	})
}
