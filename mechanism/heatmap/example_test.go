package heatmap_test

import (
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
)

// The promise is known before any data are read; the release carries it.
func ExampleHalfBlur() {
	m := heatmap.HalfBlur{
		Epsilon: 1, Delta: 1e-4, Subjects: 120, Blur: 24, // px
		Canvas: heatmap.Canvas{Width: 800, Height: 600, Cell: 8}, // px
	}
	fmt.Println(m.Guarantee())

	// Charge m.Guarantee() to an account.Ledger here. Then, with one dwell map
	// per person (here everybody looked at one place):
	maps := make([][]float64, 120)
	for i := range maps {
		maps[i] = make([]float64, m.Canvas.Len())
		maps[i][30*m.Canvas.Cols()+50] = 2.5 // s
	}
	release, err := m.Release(slices.Values(maps), noise.Seeded(1)) // noise.Secure() for a real one
	if err != nil {
		fmt.Println(err)
		return
	}
	at := slices.Index(release.Maps[0], slices.Max(release.Maps[0]))
	near := func(a, b int) bool { return a-b <= 2 && b-a <= 2 }
	fmt.Println("the peak lies where people looked:", near(at%m.Canvas.Cols(), 50) && near(at/m.Canvas.Cols(), 30))
	fmt.Println(release.Guarantee)
	// Output:
	// (1, 0.0001)-DP per subject, replace one, central
	// the peak lies where people looked: true
	// none (noise drawn from a seeded source can be drawn again and subtracted; nominal ε = 1)
}

// Theorem 3.4 of Liu et al. 2019, at one of its vectors.
func ExampleAdditive() {
	m := heatmap.Additive{
		Law: noise.Gaussian, Published: true, Epsilon: 1, Delta: 3.7037037e-05, Subjects: 900, Cap: 1,
		Canvas: heatmap.Canvas{Width: 300, Height: 300, Cell: 1},
	}
	fmt.Printf("σ = %.5f\n", m.Plan().Noise.Sigma)
	m.Published = false
	fmt.Printf("σ = %.5f, analytic\n", m.Plan().Noise.Sigma)
	// Output:
	// σ = 1.54226
	// σ = 1.14262, analytic
}

// Averaging some people's maps without noise protects nobody.
func ExampleSelection() {
	m := heatmap.Selection{Share: 0.1, Replacement: true, Subjects: 100, Canvas: heatmap.Canvas{Width: 10, Height: 10, Cell: 1}}
	fmt.Println(m.Guarantee())
	// Output:
	// none (no noise: δ ≥ 0.0956 at every ε (Liu et al. 2019, Theorems 3.2 and 3.3))
}

// Statistics of areas of interest: one Gaussian covers all of them.
func ExampleAOI() {
	areas := grid.AOIs{{Name: "face"}, {Name: "price"}}
	m := heatmap.AOI{Epsilon: 2, Delta: 1e-4, Subjects: 2000, Areas: len(areas), Statistics: []string{heatmap.AOIDwell}}
	people := func(yield func(*grid.AOIAccumulator) bool) {
		for range m.Subjects {
			looked := &grid.AOIAccumulator{
				Areas: areas, Dwell: []float64{3, 1, 0}, Fixations: []float64{5, 2, 0}, Visits: []float64{1, 1, 0},
				FirstFixation: []float64{0, 1}, Transitions: make([]float64, 9),
			}
			if !yield(looked) {
				return
			}
		}
	}
	r, err := m.Release(people, noise.Seeded(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("face %.2f, price %.2f\n", r.Statistics[heatmap.AOIDwell].Values[0], r.Statistics[heatmap.AOIDwell].Values[1])
	// Output:
	// face 0.75, price 0.25
}

// Algorithm 1 of Liu et al. 2019 chooses the cap with the least expected error.
// On private data that voids the guarantee; PaidCap buys it.
func ExampleCapCurve() {
	c := heatmap.Canvas{Width: 2, Height: 1, Cell: 1}
	curve, err := heatmap.CapCurve(slices.Values([][]float64{{9, 0}, {1, 1}, {1, 2}}), c, 3, heatmap.Caps{Step: 1, Count: 10}, 0.3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("cap", curve.Best())
	// Output:
	// cap 3
}
