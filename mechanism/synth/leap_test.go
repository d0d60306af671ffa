package synth

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/noise"
)

func leapsOn(t testing.TB) *leaps {
	t.Helper()
	if err := screen.check(); err != nil {
		t.Fatal(err)
	}
	return newLeaps(screen.raster(states), screen.Width/57)
}

// TestLeapsGoBack: passing on and passing back are each other's transpose, for
// any mixture, and nothing is won.
func TestLeapsGoBack(t *testing.T) {
	k := leapsOn(t)
	rapid.Check(t, func(t *rapid.T) {
		total := k.anywhere
		for i := range leapLaws {
			for j := range leapLaws {
				k.weights[i][j] = rapid.Float64Range(0, 1).Draw(t, "weight")
				total += k.weights[i][j]
			}
		}
		src := noise.Seeded(rapid.Uint64().Draw(t, "seed"))
		v, w := make([]float64, states*states), make([]float64, states*states)
		for i := range v {
			v[i], w[i] = src.Float64(), src.Float64()
		}
		on, back := make([]float64, len(v)), make([]float64, len(v))
		k.pass(on, v)
		k.back(back, w)
		a, b := 0.0, 0.0
		for i := range v {
			a, b = a+on[i]*w[i], b+v[i]*back[i]
		}
		if math.Abs(a/b-1) > 1e-9 || !(sum(on) <= total*sum(v)*(1+1e-9)) {
			t.Fatalf("%v on, %v back; %v of %v", a, b, sum(on), total*sum(v))
		}
	})
}

// TestLeapsAreDistances: from the middle each law goes its way, as far as two
// geometric laws of its ratio; what would leave the raster is lost.
func TestLeapsAreDistances(t *testing.T) {
	k := leapsOn(t)
	v := make([]float64, states*states)
	v[15*states+15] = 1
	k.acrossX(v)
	for i, l := range k.x[:3] {
		mean := 0.0
		for c, a := range k.alongX[i] {
			mean += a * float64(c%states-15)
		}
		if want := float64(l.way) * 2 * l.keep / (1 - l.keep); math.Abs(mean-want) > 0.02 || sum(k.alongX[i]) < 0.999 {
			t.Errorf("law %d goes %v cells on average, want %v", i, mean, want)
		}
	}
}

// TestLeapsAreLearned: of gaze that goes right by 200 px and starts anew at the
// left edge the mixture learns that, and guesses come nearer; of nothing it learns
// nothing.
func TestLeapsAreLearned(t *testing.T) {
	m := shop(1)
	c, err := m.Curator()
	if err != nil {
		t.Fatal(err)
	}
	src, at := noise.Seeded(3), []point(nil)
	for i := range 480 {
		at = append(at, point{100 + 200*float64(i%6), 480 + 30*src.NormFloat64()})
	}
	_, noise := noisy(t, nil, 0.6, 48, src)
	var starts []point
	for _, p := range at {
		z := noise.draw(p, src)
		starts = append(starts, z)
		c.starts.add(z)
	}
	model := c.Model()
	far := func(p *positions) (mean float64) {
		for i, g := range p.guess(starts) {
			mean += math.Hypot(g.x-at[i].x, g.y-at[i].y) / float64(len(at))
		}
		return mean
	}
	p := model.positions()
	before, public := far(p), *p.kernel
	p.learn([][]point{starts[:1], {}})
	if p.kernel.weights != public.weights || p.kernel.anywhere != public.anywhere {
		t.Error("something was learned of nothing")
	}
	p.learn([][]point{starts})
	right, left := 0.0, 0.0
	for j := range leapLaws {
		right, left = right+p.kernel.weights[3][j]+p.kernel.weights[1][j], left+p.kernel.weights[2][j]
	}
	after := far(p)
	t.Logf("near right %.3f, near left %.3f; guesses are %.1f px away, with the public mixture %.1f", right, left, after, before)
	if right < 4*left || after > 0.95*before {
		t.Errorf("near right %.3f, near left %.3f; guesses are %.1f px away, with the public mixture %.1f", right, left, after, before)
	}
}

// TestSomeStretches: their number is bounded, and they come from all recordings.
func TestSomeStretches(t *testing.T) {
	var all []outline
	for range 100 {
		o := outline{}
		for k := range 120 {
			o.t = append(o.t, 0)
			o.windows = append(o.windows, windowed{span: span{k, k + 1}, report: &Report{}})
		}
		all = append(all, o)
	}
	count := func(all []outline) (stretches, windows int) {
		for _, s := range someStretches(all) {
			stretches, windows = stretches+1, windows+len(s)
		}
		return
	}
	if s, w := count(all); w > leapsLearned || s < leapsLearned/120-2 {
		t.Errorf("%d stretches, %d windows of 12000", s, w)
	}
	if s, w := count(all[:5]); s != 5 || w != 600 {
		t.Errorf("%d stretches, %d windows of 5 and 600", s, w)
	}
	if s, _ := count(nil); s != 0 {
		t.Errorf("%d stretches of nobody", s)
	}
}
