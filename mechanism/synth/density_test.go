package synth

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

var screen = Area{Unit: pixels, Width: 1280, Height: 960}

// spots are n places of a density of three blobs, and the density itself.
func spots(n int, src *noise.Source) (at []point, density []float64) {
	r := screen.raster(fine)
	density = make([]float64, r.len())
	for range n {
		c := [...]point{{300, 250}, {900, 300}, {700, 750}}[src.IntN(3)]
		p := screen.clamp(point{c.x + 60*src.NormFloat64(), c.y + 60*src.NormFloat64()})
		at = append(at, p)
		density[r.cell(p)]++
	}
	return at, density
}

func noisy(t testing.TB, at []point, epsilon, radius float64, src *noise.Source) (*binned, starts) {
	t.Helper()
	s, err := newStarts(epsilon, radius)
	if err != nil {
		t.Fatal(err)
	}
	b := newBinned(&screen)
	for _, p := range at {
		b.add(s.draw(p, src))
	}
	return b, s
}

// TestDensityIsRecovered: the estimate is much nearer to the truth than the noisy
// starts brought onto the screen, and whole.
func TestDensityIsRecovered(t *testing.T) {
	src := noise.Seeded(4)
	at, truth := spots(10_000, src)
	b, s := noisy(t, at, 0.6, 48, src)
	rho := b.estimate(s.rate)
	naive := make([]float64, len(rho))
	for p, counts := range b.counts {
		for i, n := range counts {
			z := point{(float64(i%span1-margin) + 0.25 + 0.5*float64(p%2)) * b.cells.width, (float64(i/span1-margin) + 0.25 + 0.5*float64(p/2)) * b.cells.height}
			naive[b.cells.cell(screen.clamp(z))] += n
		}
	}
	total := 0.0
	for c, v := range rho {
		if !(v >= 0) {
			t.Fatalf("cell %d has %v", c, v)
		}
		total += v
	}
	estimated, err := metric.JSD(rho, truth)
	if err != nil {
		t.Fatal(err)
	}
	clamped, _ := metric.JSD(naive, truth)
	t.Logf("JSD to the truth: %.4f estimated, %.4f noisy", estimated, clamped)
	if math.Abs(total-1) > 1e-9 || estimated > 0.15 || estimated > clamped/3 {
		t.Errorf("sum %v; JSD %v estimated, %v noisy", total, estimated, clamped)
	}
}

// TestStepIsExpectationMaximisation compares the transforms with the sums that
// they stand for.
func TestStepIsExpectationMaximisation(t *testing.T) {
	src := noise.Seeded(8)
	at, _ := spots(40, src)
	b, s := noisy(t, at, 0.6, 48, src)
	rho := make([]float64, fine*fine)
	for i := range rho {
		rho[i] = 0.1 + src.Float64()
	}
	tr := newTransform()
	k := newNoiseKernel(b.cells, s.rate, tr)
	got := b.step(rho, &k, tr)
	for _, c := range []int{0, 59, 1234, 1799, 3599} {
		if want := direct(b, rho, s.rate, c); math.Abs(got[c]/want-1) > 1e-9 {
			t.Errorf("cell %d: %v, want %v", c, got[c], want)
		}
	}
}

// direct is the step for one cell, bin by bin.
func direct(b *binned, rho []float64, rate float64, cell int) float64 {
	law := func(cell, bin, phase int) (l float64) {
		for q := range phases {
			x := 2*(bin%span1-margin-cell%fine) + phase%2 - q%2
			y := 2*(bin/span1-margin-cell/fine) + phase/2 - q/2
			l += math.Exp(-rate*math.Hypot(float64(x)*b.cells.width/2, float64(y)*b.cells.height/2)) / phases
		}
		return l
	}
	out := 0.0
	for p, counts := range b.counts {
		for bin, n := range counts {
			if n == 0 {
				continue
			}
			expected := 0.0
			for c, r := range rho {
				expected += r * law(c, bin, p)
			}
			out += n * rho[cell] * law(cell, bin, p) / expected
		}
	}
	return out
}

// TestFarNoiseCounts: starts anywhere, beyond what bins reach, and none at all.
func TestFarNoiseCounts(t *testing.T) {
	b := newBinned(&screen)
	for i, v := range b.estimate(0.01) {
		if v != 1./(fine*fine) {
			t.Fatalf("nothing told, cell %d has %v", i, v)
		}
	}
	for _, z := range []point{{1e18, -1e18}, {-1e6, 400}, {600, 1e300}, {640, 480}, {-1, -1}, {1280, 960}} {
		b.add(z)
	}
	for _, rate := range []float64{1e-7, 1e6} {
		total := 0.0
		for i, v := range b.estimate(rate) {
			if !(v >= 0) {
				t.Fatalf("rate %v: cell %d has %v", rate, i, v)
			}
			total += v
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("rate %v: the density sums to %v", rate, total)
		}
	}
}

func TestBlurLosesNothing(t *testing.T) {
	r := screen.raster(fine)
	for _, c := range []int{0, 59, 3540, 3599, 1830} {
		v := make([]float64, fine*fine)
		v[c] = 1
		b := blurred(r, v, 1.5)
		if s := sum(b); math.Abs(s-1) > 1e-12 || b[c] > 0.5 || b[c] < 0.02 {
			t.Errorf("cell %d: %v of it is left in place, %v in all", c, b[c], s)
		}
	}
}

func TestDecay(t *testing.T) {
	for _, rate := range []float64{1e-6, 0.01, 3} {
		d := newDecay(rate, raster{1, 1, 1e-3, 1e-3})
		for _, x := range []float64{0, 0.3, 1, 7, 39.9, 41, 1e9} {
			want := math.Exp(-min(x, decayReach))
			if got := d.between(point{0, 0}, point{3. / 5 * x / rate, 4. / 5 * x / rate}); math.Abs(got/want-1) > 2e-2 || x < 30 && math.Abs(got/want-1) > 1e-4 {
				t.Errorf("rate %v: e^-%v is %v, want %v", rate, x, got, want)
			}
		}
	}
}
