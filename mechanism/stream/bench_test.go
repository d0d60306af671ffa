package stream

import (
	"testing"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// walk is gaze that wanders, at 1000 Hz.
func walk(n int) []Sample {
	src := noise.Seeded(1)
	all := make([]Sample, n)
	x, y := 500.0, 400.0
	for i := range all {
		x, y = x+src.NormFloat64(), y+src.NormFloat64()
		all[i] = Sample{time.Duration(i) * time.Millisecond, x, y}
	}
	return all
}

// cases are the mechanisms as they are used, and at their dearest: a look at every
// sample.
func cases() map[string]streamer {
	screen := Surface{Width: 2560, Height: 1440}
	return map[string]streamer{
		"kaleido":              Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 72, Surface: screen},
		"kaleido smooth":       Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 72, Surface: screen, Smooth: Smooth{Filter: true, Glide: 40 * ms}},
		"kaleido every sample": Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 72, Surface: screen, Skip: ms},
		"kaleido sphere":       Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 2, Surface: Surface{Sphere: true}},
		"fixed":                Fixed{Epsilon: 3, Window: 500 * ms, Radius: 72, Surface: screen, Smooth: Smooth{Filter: true}},
		"fixed every sample":   Fixed{Epsilon: 30, Window: 500 * ms, Radius: 72, Surface: screen, Every: ms},
	}
}

func open(t testing.TB, m streamer) *Stream {
	t.Helper()
	r, err := m.prepared()
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.stream(noise.Secure())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNoAllocations: a live stream leaves nothing for the collector.
func TestNoAllocations(t *testing.T) {
	samples := walk(5000)
	for name, m := range cases() {
		s := open(t, m)
		if n := testing.AllocsPerRun(3, func() {
			for _, p := range samples {
				s.Next(p.T, p.X, p.Y)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations for %d samples", name, n, len(samples))
		}
	}
}

var sink Sample

// BenchmarkNext is ns and allocations per sample, beside a bare copy.
func BenchmarkNext(b *testing.B) {
	samples := walk(1 << 16)
	run := func(b *testing.B, next func(t time.Duration, x, y float64) (float64, float64), reset func()) {
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			p := &samples[i&(1<<16-1)]
			if i&(1<<16-1) == 0 {
				reset()
			}
			sink.T = p.T
			sink.X, sink.Y = next(p.T, p.X, p.Y)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
	}
	b.Run("copy", func(b *testing.B) {
		run(b, func(_ time.Duration, x, y float64) (float64, float64) { return x, y }, func() {})
	})
	for name, m := range cases() {
		s := open(b, m)
		b.Run(name, func(b *testing.B) { run(b, s.Next, s.Reset) })
	}
}
