package heatmap

import (
	"math"
	"slices"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// Without visible noise the release is the capped mean, and its picture the
// blurred one.
func TestAdditiveMean(t *testing.T) {
	for _, law := range []noise.Law{noise.Gaussian, noise.Laplace} {
		m := cells(law)
		m.Epsilon, m.Subjects, m.Blur = 1e6, 2, 1.5
		one, two := make([]float64, 48), make([]float64, 48)
		one[20], one[30], two[20], two[7] = 2, 1000, 5, 1
		want := make([]float64, 48)
		want[20], want[30], want[7] = (2+3)/2., 3/2., 1/2.
		r := release(t, m, [][]float64{one, two}, 1)
		for i, v := range r.Raw {
			if math.Abs(v-want[i]) > 8*planNoise(m).Sigma {
				t.Errorf("%v: cell %d is %v, want %v", law, i, v, want[i])
			}
		}
		if s := planNoise(m).Sigma; s > 0.01 {
			t.Errorf("%v: noise of %v hides the mean", law, s)
		}
		blurred := gauss(want, m.Canvas, 1.5)
		for i, v := range r.Maps[0] {
			if math.Abs(v-blurred[i]) > 1e-3+8*planNoise(m).Sigma {
				t.Errorf("%v: cell %d of the picture is %v, want %v", law, i, v, blurred[i])
			}
		}
	}
}

// Raw has the stated noise, whatever part of the lattice the scale falls on.
func TestAdditiveNoise(t *testing.T) {
	for _, law := range []noise.Law{noise.Gaussian, noise.Laplace} {
		for _, epsilon := range []float64{0.01, 1, 50} {
			m := Additive{Law: law, Epsilon: epsilon, Delta: 1e-6, Subjects: 7, Canvas: Canvas{Width: 400, Height: 300, Cell: 1}, Cap: 0.3}
			r := release(t, m, nil, 5)
			p := planNoise(m)
			moments := stattest.NormalMoments(0, p.Sigma)
			if law == noise.Laplace {
				moments = stattest.LaplaceMoments(0, p.Sigma/math.Sqrt2)
			}
			if err := moments.Check(r.Raw); err != nil {
				t.Errorf("%v, ε = %v: %v", law, epsilon, err)
			}
			if r.Shape.Sigma != p.Sigma {
				t.Errorf("%v: the shape says σ = %v, the plan %v", law, r.Shape.Sigma, p.Sigma)
			}
		}
	}
}

// A large cap has a coarse lattice, and its outputs stay finite.
func TestAdditiveExtremeCaps(t *testing.T) {
	for _, top := range []float64{1e-100, 1e-30, 1e30, 1e100} {
		for _, law := range []noise.Law{noise.Gaussian, noise.Laplace} {
			m := cells(law)
			m.Cap = top
			r := release(t, m, [][]float64{slices.Repeat([]float64{math.MaxFloat64}, 48)}, 1)
			for _, v := range slices.Concat(r.Raw, r.Maps[0]) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%v, cap %g: released %v", law, top, v)
				}
			}
			if mean := sum(r.Raw) / 48 / top; math.Abs(mean) > 100 {
				t.Errorf("%v, cap %g: mean is %v caps", law, top, mean)
			}
		}
	}
}

// A seeded release is the same on every machine: its streams depend on the
// length alone. (Long enough for several.)
func TestSeededReleaseIsPortable(t *testing.T) {
	if parts(1<<16-1) != 1 || parts(1<<18) != 4 || parts(1<<26) != 16 {
		t.Errorf("parts: %d, %d, %d", parts(1<<16-1), parts(1<<18), parts(1<<26))
	}
	m := Additive{Law: noise.Gaussian, Epsilon: 1, Delta: 1e-6, Subjects: 7, Canvas: Canvas{Width: 512, Height: 512, Cell: 1}, Cap: 1}
	one, two := release(t, m, nil, 5).Raw, release(t, m, nil, 5).Raw
	if !slices.Equal(one, two) {
		t.Error("one seed gave two releases")
	}
	quarter := len(one) / 4
	for i := range 3 {
		if slices.Equal(one[i*quarter:(i+1)*quarter], one[(i+1)*quarter:(i+2)*quarter]) {
			t.Error("two parts of a release have the same noise")
		}
	}
}
