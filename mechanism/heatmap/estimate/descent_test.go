package estimate

import (
	"math"
	"testing"
)

// Rosenbrock's valley: minimum 0 at (1, 1), not convex on the way.
func TestDescend(t *testing.T) {
	f := func(x, g []float64) float64 {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		g[0], g[1] = -2*a-400*x[0]*b, 200*b
		return a*a + 100*b*b
	}
	x := []float64{-1.2, 1}
	if v := descend(f, x, 500, 1e-15); v > 1e-9 || math.Abs(x[0]-1) > 1e-3 || math.Abs(x[1]-1) > 1e-3 {
		t.Errorf("value %g at %v", v, x)
	}
}

func TestDescendStaysAtTheMinimum(t *testing.T) {
	f := func(x, g []float64) float64 { g[0] = 2 * x[0]; return x[0] * x[0] }
	x := []float64{0}
	if v := descend(f, x, 10, 0); v != 0 || x[0] != 0 {
		t.Errorf("value %g at %v", v, x)
	}
}
