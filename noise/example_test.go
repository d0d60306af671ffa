package noise_test

import (
	"fmt"

	"github.com/gazeward/gazeward/noise"
)

// A map of integer counts, in steps of a grid of 2^-10, gets rounded Gaussian noise of 3 units and becomes floats without a
// rounding. For a release the source is noise.Secure(); this one is seeded, so that the example can show what it prints.
func ExampleSampler_AddFloat() {
	src := noise.Seeded(1)
	gauss, err := noise.NewGaussian(3 * 1024)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := []int64{10 * 1024, 20 * 1024, 30 * 1024}
	noisy := make([]float64, len(counts))
	if err := gauss.AddFloat(noisy, counts, 0x1p-10, src); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(noisy, "private:", !src.Seeded())
	// Output: [6.322265625 20.0048828125 34.0322265625] private: false
}

// A gaze point on a grid of hundredths of a degree, with ε = 1 within 2°: the rate is ε/r per step.
func ExamplePlanarLaplace() {
	const stepsPerDegree = 100
	planar, err := noise.NewPlanarLaplace(1. / (2 * stepsPerDegree))
	if err != nil {
		fmt.Println(err)
		return
	}
	src := noise.Seeded(1)
	dx, dy := planar.Draw(src)
	fmt.Printf("%.2f° right, %.2f° up\n", float64(dx)/stepsPerDegree, float64(dy)/stepsPerDegree)
	// Output: 2.80° right, -0.14° up
}

// An unknown scale is an error before anything is drawn.
func ExampleNewLaplace() {
	_, err := noise.NewLaplace(-1)
	fmt.Println(err)
	// Output: noise: scale must be in (0, 2^40] grid steps, got -1
}
