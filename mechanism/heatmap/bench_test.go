package heatmap

import (
	"slices"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// looks are n maps with ten occupied cells each.
func looks(n, cells int) [][]float64 {
	src := noise.Seeded(1)
	maps := make([][]float64, n)
	for i := range maps {
		maps[i] = make([]float64, cells)
		for range 10 {
			maps[i][src.IntN(cells)] += src.ExpFloat64()
		}
	}
	return maps
}

func benchmark(b *testing.B, m Mechanism, maps [][]float64) {
	b.Helper()
	src := noise.Secure()
	for b.Loop() {
		if _, err := m.Release(slices.Values(maps), src); err != nil {
			b.Fatal(err)
		}
	}
	c, _ := shapeOf(m)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Len()), "ns/cell")
}

// 300 people, a picture of 800 × 600 px in cells of 8 px.
func BenchmarkHalfBlur(b *testing.B) {
	m := HalfBlur{Epsilon: 1, Delta: 1e-5, Subjects: 300, Canvas: Canvas{Width: 800, Height: 600, Cell: 8}, Blur: 24}
	benchmark(b, m, looks(300, m.Canvas.Len()))
}

// The same without its picture: blur, clip, sum, noise.
func BenchmarkHalfBlurPlain(b *testing.B) {
	m := HalfBlur{Epsilon: 1, Delta: 1e-5, Subjects: 300, Canvas: Canvas{Width: 800, Height: 600, Cell: 8}, Blur: 24, Picture: Picture{Method: PicturePlain}}
	benchmark(b, m, looks(300, m.Canvas.Len()))
}

// The paper's screen of 1050 × 1680 pixels, one subject's map repeated.
func BenchmarkAdditiveScreen(b *testing.B) {
	for _, law := range []noise.Law{noise.Gaussian, noise.Laplace} {
		b.Run(law.String(), func(b *testing.B) {
			m := Additive{Law: law, Epsilon: 1.5, Delta: 1e-6, Subjects: 10, Canvas: Canvas{Width: 1050, Height: 1680, Cell: 1}, Cap: 1}
			one := looks(1, m.Canvas.Len())[0]
			benchmark(b, m, slices.Repeat([][]float64{one}, 10))
		})
	}
}

func BenchmarkCapCurve(b *testing.B) {
	c := Canvas{Width: 300, Height: 300, Cell: 1}
	maps := counts(300, c.Len(), 1)
	for b.Loop() {
		if _, err := CapCurve(slices.Values(maps), c, 300, Caps{Step: 1, Count: 50}, 0.1); err != nil {
			b.Fatal(err)
		}
	}
}
