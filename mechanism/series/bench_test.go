package series

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/noise"
)

// BenchmarkProtect: 60 recordings × 1200 windows × 52 features; the promise is
// DCFPA-32 in under 2 s on two cores, shaping included.
func BenchmarkProtect(b *testing.B) {
	data := people(60, 52, 1200)
	for i := range data {
		data[i].Subject = string(rune('a' + i))
	}
	cut := Cut{Features: 52, Length: 1200, Chunk: 32, Unit: dp.Chunk}
	for _, v := range []struct {
		name string
		m    Mechanism
	}{
		{"dcfpa-32", Laplace{Method: DCFPA, Epsilon: 52, Cut: cut, Bounds: unit, Coefficients: 5}},
		{"dcfpa-32/all", Laplace{Method: DCFPA, Epsilon: 52, Cut: cut, Bounds: unit, Coefficients: 17}},
		{"cfpa-32", Laplace{Method: CFPA, Epsilon: 52, Cut: cut, Bounds: unit, Coefficients: 5}},
		{"lpa", Laplace{Method: LPA, Epsilon: 52, Cut: Cut{Features: 52, Length: 1200, Unit: dp.Recording}, Bounds: unit}},
		{"gaussian-32", Gaussian{Epsilon: 1, Delta: 1e-5, Cut: cut, Bounds: unit, Coefficients: 5}},
	} {
		b.Run(v.name, func(b *testing.B) {
			src := noise.Secure()
			for b.Loop() {
				if _, err := v.m.Release(data, src); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(60*1200*52*float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
	}
}

// BenchmarkBestK prints how much faster the closed form is than 100 noisy runs
// per k: chunks of 32 and whole recordings. The promise is 1000 times.
func BenchmarkBestK(b *testing.B) {
	for _, v := range []struct {
		name   string
		method Method
		n      int
	}{{"cfpa-32", CFPA, 32}, {"dcfpa-32", DCFPA, 32}, {"cfpa-128", CFPA, 128}, {"fpa-1200", FPA, 1200}} {
		b.Run(v.name, func(b *testing.B) {
			x := people(1, 1, v.n)[0].Values[0]
			scale := func(k int) float64 { return math.Sqrt(float64(v.n*k)) / 10 }
			c := NewCurver(v.method, v.n)
			best := 0
			for b.Loop() {
				best = c.Curve(x, scale).Best()
			}
			own := b.Elapsed().Seconds() / float64(b.N)
			began := time.Now()
			MonteCarlo(v.method, x, scale, criterionRuns, noise.Seeded(uint64(best)))
			b.ReportMetric(time.Since(began).Seconds()/own, "times-faster")
		})
	}
}
