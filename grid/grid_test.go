package grid_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/grid"
)

func TestIndex(t *testing.T) {
	g := grid.Grid{Width: 105, Height: 50, Cell: 10}
	if g.Cols() != 11 || g.Rows() != 5 || g.Len() != 55 || len(g.New()) != 55 {
		t.Fatalf("%d × %d = %d cells", g.Cols(), g.Rows(), g.Len())
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x, y float64
		want int
		in   bool
	}{
		{0, 0, 0, true}, {9.999, 9.999, 0, true}, {10, 0, 1, true}, {0, 10, 11, true}, {104.9, 49.9, 54, true},
		{105, 0, 0, false}, {0, 50, 0, false}, {-1e-9, 0, 0, false}, {0, -1e-9, 0, false},
		{nan, 0, 0, false}, {0, nan, 0, false}, {inf, 0, 0, false}, {0, -inf, 0, false}, {1e300, 1, 0, false},
	} {
		if got, in := g.Index(c.x, c.y); got != c.want || in != c.in {
			t.Errorf("Index(%v, %v) = %d, %v; want %d, %v", c.x, c.y, got, in, c.want, c.in)
		}
	}
	if x0, y0, x1, y1 := g.Bounds(10); x0 != 100 || y0 != 0 || x1 != 105 || y1 != 10 {
		t.Errorf("partial cell: %v %v %v %v", x0, y0, x1, y1)
	}
}

func TestOffset(t *testing.T) {
	g := grid.Grid{Width: 100, Height: 100, Cell: 10, Left: 300, Top: -20}
	if i, in := g.Index(305, -15); !in || i != 0 {
		t.Errorf("%d, %v", i, in)
	}
	if _, in := g.Index(5, 5); in {
		t.Error("a position left of the grid is in it")
	}
	if x, y := g.Center(99); x != 395 || y != 75 {
		t.Errorf("centre of the last cell: %v, %v", x, y)
	}
}

// The cells of any grid partition its rectangle: a cell's centre and a random
// point of it have its number, and the areas add up.
func TestCellsPartitionTheRectangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGrid(t)
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		var area float64
		for i := range g.Len() {
			x0, y0, x1, y1 := g.Bounds(i)
			if !(x0 < x1 && y0 < y1) {
				t.Fatalf("cell %d is empty: %v %v %v %v", i, x0, y0, x1, y1)
			}
			area += (x1 - x0) * (y1 - y0)
			x, y := g.Center(i)
			if got, in := g.Index(x, y); !in || got != i {
				t.Fatalf("centre of cell %d is in cell %d, %v", i, got, in)
			}
		}
		if want := g.Width * g.Height; math.Abs(area-want) > 1e-6*want {
			t.Fatalf("cells cover %v of %v", area, want)
		}
		x := g.Left + rapid.Float64Range(-0.2, 1.2).Draw(t, "x")*g.Width
		y := g.Top + rapid.Float64Range(-0.2, 1.2).Draw(t, "y")*g.Height
		i, in := g.Index(x, y)
		if in != g.Contains(x, y) || i < 0 || i >= g.Len() {
			t.Fatalf("(%v, %v) is in cell %d, %v", x, y, i, in)
		}
		if x0, y0, x1, y1 := g.Bounds(i); in {
			slack := 1e-9 * (1 + math.Abs(g.Left) + math.Abs(g.Top) + g.Width + g.Height)
			if x < x0-slack || y < y0-slack || x > x1+slack || y > y1+slack {
				t.Fatalf("(%v, %v) is not in the bounds of its cell", x, y)
			}
		}
	})
}

func anyGrid(t *rapid.T) grid.Grid {
	g := grid.Grid{
		Width: rapid.Float64Range(1, 3000).Draw(t, "width"), Height: rapid.Float64Range(1, 3000).Draw(t, "height"),
		Left: rapid.Float64Range(-1000, 1000).Draw(t, "left"), Top: rapid.Float64Range(-1000, 1000).Draw(t, "top"),
	}
	if rapid.Bool().Draw(t, "even") {
		left, top := g.Left, g.Top
		cols, rows := rapid.IntRange(1, 80).Draw(t, "cols"), rapid.IntRange(1, 80).Draw(t, "rows")
		g = grid.Even(g.Width, g.Height, cols, rows)
		g.Left, g.Top = left, top
		if g.Cols() != cols || g.Rows() != rows {
			t.Fatalf("%d × %d cells, want %d × %d", g.Cols(), g.Rows(), cols, rows)
		}
		return g
	}
	g.Cell = rapid.Float64Range(0.02, 2).Draw(t, "cell") * max(g.Width, g.Height)
	return g
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, g := range []grid.Grid{
		{}, {Width: 1, Height: 1}, {Width: -1, Height: 1, Cell: 1}, {Width: 1, Height: nan, Cell: 1}, {Width: inf, Height: 1, Cell: 1},
		{Width: 1, Height: 1, Cell: -1}, {Width: 1, Height: 1, Cell: 1, CellHeight: -1}, {Width: 1, Height: 1, Cell: 1, Left: nan},
		{Width: 1e5, Height: 1e5, Cell: 1}, {Width: 1e308, Height: 1, Cell: 1e-308}, {Width: 1, Height: 1, Cell: 1, Top: inf},
	} {
		if err := g.Validate(); err == nil || !strings.HasPrefix(err.Error(), "grid: ") {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

func TestBlurOfAPointIsTheGaussian(t *testing.T) {
	g := grid.Grid{Width: 410, Height: 210, Cell: 10, CellHeight: 5}
	m := g.New()
	i, _ := g.Index(205, 105)
	m[i] = 3
	const sigma = 25
	got, err := g.Blur(m, sigma)
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	x0, y0 := g.Center(i)
	for j, v := range got {
		sum += v
		x, y := g.Center(j)
		if math.Abs(x-x0) > 4*sigma || math.Abs(y-y0) > 4*sigma {
			if v != 0 {
				t.Fatalf("%v beyond four deviations", v)
			}
			continue
		}
		want := 3 * math.Exp(-((x-x0)*(x-x0)+(y-y0)*(y-y0))/(2*sigma*sigma)) * 50 / (2 * math.Pi * sigma * sigma)
		if math.Abs(v-want) > 2e-4*want+1e-12 {
			t.Fatalf("cell %d: %v, want %v", j, v, want)
		}
	}
	if math.Abs(sum-3) > 1e-12 {
		t.Errorf("mass %v, want 3", sum)
	}
	if m[i] != 3 {
		t.Error("the input was changed")
	}
}

// Blurring is linear and its own adjoint, and loses mass at borders only.
func TestBlurProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := grid.Grid{Width: float64(rapid.IntRange(1, 30).Draw(t, "w")), Height: float64(rapid.IntRange(1, 30).Draw(t, "h")), Cell: 1}
		sigma := rapid.Float64Range(0, 8).Draw(t, "sigma")
		a, b := g.New(), g.New()
		for i := range a {
			a[i], b[i] = float64((i*7919)%13), float64((i*104729)%11)
		}
		blur := func(m []float64) []float64 {
			out, err := g.Blur(m, sigma)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		ba, bb := blur(a), blur(b)
		var left, right, before, after float64
		for i := range a {
			left += ba[i] * b[i]
			right += a[i] * bb[i]
			before += a[i]
			after += ba[i]
			a[i] = 2*a[i] + b[i]
		}
		if math.Abs(left-right) > 1e-9*(1+left) {
			t.Fatalf("<Ba, b> = %v, <a, Bb> = %v", left, right)
		}
		if after > before*(1+1e-12) {
			t.Fatalf("mass grew from %v to %v", before, after)
		}
		for i, v := range blur(a) {
			if want := 2*ba[i] + bb[i]; math.Abs(v-want) > 1e-9*(1+want) {
				t.Fatalf("cell %d: B(2a+b) = %v, 2Ba+Bb = %v", i, v, want)
			}
		}
	})
}

// The definition, cell by cell: kernels cut at four deviations, zero outside.
func TestBlurIsTheSum(t *testing.T) {
	for _, sigma := range []float64{0.25, 0.7, 1, 2.4, 6} {
		g := grid.Grid{Width: 13, Height: 9, Cell: 1}
		m := g.New()
		for i := range m {
			m[i] = float64((i*i + 3*i) % 17)
		}
		radius := int(math.Ceil(4 * sigma))
		kernel := func(d int) float64 { return math.Exp(-0.5 * float64(d*d) / (sigma * sigma)) }
		norm := 0.0
		for d := -radius; d <= radius; d++ {
			norm += kernel(d)
		}
		got, err := g.Blur(m, sigma)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range got {
			var want float64
			for i, w := range m {
				if dx, dy := i%13-j%13, i/13-j/13; max(dx, -dx, dy, -dy) <= radius {
					want += w * kernel(dx) * kernel(dy) / (norm * norm)
				}
			}
			if math.Abs(v-want) > 1e-12*(1+want) {
				t.Fatalf("sigma %v, cell %d: %v, want %v", sigma, j, v, want)
			}
		}
	}
}

func TestBlurAtTheBorderLosesHalf(t *testing.T) {
	g := grid.Grid{Width: 1000, Height: 1000, Cell: 1}
	m := g.New()
	i, _ := g.Index(0, 500)
	m[i] = 1
	got, err := g.Blur(m, 20)
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for _, v := range got {
		sum += v
	}
	if math.Abs(sum-0.51) > 0.001 { // half, and half of the centre's column of 0.02
		t.Errorf("%v of a border cell stays", sum)
	}
}

func TestBlurRefuses(t *testing.T) {
	g := grid.Grid{Width: 10, Height: 10, Cell: 1}
	for _, sigma := range []float64{-1, math.NaN(), math.Inf(1), 1e9} {
		if _, err := g.Blur(g.New(), sigma); err == nil {
			t.Errorf("blur of %v px", sigma)
		}
	}
	if _, err := g.Blur(make([]float64, 7), 1); err == nil {
		t.Error("a map of another grid")
	}
	if got, err := g.Blur(g.New(), 0); err != nil || len(got) != 100 {
		t.Errorf("no blur: %v", err)
	}
}

func BenchmarkBlur(b *testing.B) {
	g := grid.Grid{Width: 1680, Height: 1050, Cell: 1}
	m := g.New()
	for i := range m {
		m[i] = float64(i % 7)
	}
	for b.Loop() {
		if _, err := g.Blur(m, 24); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(g.Len())*1e9, "ns/px")
}
