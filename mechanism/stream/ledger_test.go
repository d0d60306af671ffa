package stream

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// witness is a geometry that notes what is asked of it: every test and every
// publication, with its ε.
type witness struct {
	geometry
	now       time.Duration
	tests     []time.Duration
	published []spend
	drawn     point
}

type spend struct {
	at      time.Duration
	epsilon float64
}

func (w *witness) move(src *noise.Source, p point, epsilon float64) point {
	w.published = append(w.published, spend{w.now, epsilon})
	w.drawn = w.geometry.move(src, p, epsilon)
	return w.drawn
}

func (w *witness) distance(a, b point) float64 {
	w.tests = append(w.tests, w.now)
	return w.geometry.distance(a, b)
}

// asked is how often anything was.
func (w *witness) asked() int { return len(w.tests) + len(w.published) }

// streamer is a mechanism of this room with a ledger.
type streamer interface {
	Check() error
	prepared() (*rule, error)
}

// anyStream draws a mechanism.
func anyStream(t *rapid.T) streamer {
	window := time.Duration(rapid.Int64Range(1, int64(2*time.Second)).Draw(t, "window"))
	epsilon := rapid.Float64Range(0.01, 20).Draw(t, "epsilon")
	skip := time.Duration(rapid.Int64Range(int64(window/500+1), int64(2*window)).Draw(t, "skip"))
	surface := Surface{}
	switch rapid.IntRange(0, 2).Draw(t, "surface") {
	case 1:
		surface = Surface{Width: 1000, Height: 800}
	case 2:
		surface = Surface{Sphere: true}
	}
	smooth := Smooth{Glide: time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "glide")) * time.Duration(rapid.IntRange(0, 1).Draw(t, "glides"))}
	if surface != (Surface{}) {
		smooth.Filter = rapid.Bool().Draw(t, "filter")
	}
	radius := rapid.Float64Range(1, 100).Draw(t, "radius")
	if rapid.Bool().Draw(t, "fixed") {
		return Fixed{Epsilon: epsilon, Window: window, Radius: radius, Surface: surface, Every: skip, Smooth: smooth}
	}
	return Kaleido{
		Epsilon: epsilon, Window: window, Radius: radius, Surface: surface, Skip: skip, Smooth: smooth,
		TestShare: rapid.Float64Range(0.01, 0.99).Draw(t, "share"), Publications: rapid.IntRange(0, looks(window, skip)).Draw(t, "publications"),
	}
}

// anyTimes are stamps as devices and adversaries make them.
func anyTimes(t *rapid.T, m streamer) []time.Duration {
	window, skip := spans(m)
	regular := rapid.Bool().Draw(t, "regular") // at exactly the skip: as many looks as there can be
	at := time.Duration(rapid.Int64().Draw(t, "first"))
	var all []time.Duration
	for range rapid.IntRange(1, 300).Draw(t, "samples") {
		all = append(all, at)
		if regular {
			at = after(at, skip)
			continue
		}
		switch rapid.IntRange(0, 12).Draw(t, "step") {
		case 0: // repeats
		case 1:
			at = before(at, time.Duration(rapid.Int64Range(0, int64(window)).Draw(t, "back")))
		case 2:
			at = time.Duration(rapid.Int64().Draw(t, "anywhere"))
		case 3:
			at = after(at, window) // the edge of a closed window
		default:
			at = after(at, time.Duration(rapid.Int64Range(0, int64(window/4)+1).Draw(t, "forth")))
		}
	}
	return all
}

func spans(m streamer) (window, skip time.Duration) {
	if k, ok := m.(Kaleido); ok {
		return k.Window, k.Skip
	}
	return m.(Fixed).Window, m.(Fixed).Every
}

var odd = []float64{0, 1, -1, 500, math.MaxFloat64, -math.MaxFloat64, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1)}

// anyPosition is one that an adversary, or a broken tracker, would choose.
func anyPosition(t *rapid.T) float64 {
	return rapid.OneOf(rapid.Float64Range(-2000, 2000), rapid.SampledFrom(odd)).Draw(t, "position")
}

// TestEveryWindowIsPaid: in no closed window of time are there more tests than
// were paid for, or publications that add up to more than ε less the tests; and
// nothing is handed out that was not drawn.
func TestEveryWindowIsPaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyStream(t)
		r, err := m.prepared()
		if err != nil {
			t.Skip(err)
		}
		w := &witness{geometry: r.geometry}
		r.geometry = w
		s, err := r.stream(noise.Seeded(rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		latest := time.Duration(math.MinInt64)
		for _, at := range anyTimes(t, m) {
			x, y := anyPosition(t), anyPosition(t)
			w.now = at
			had := w.asked()
			px, py := s.Next(at, x, y)
			if w.asked() > had {
				if at < latest || gaze.Lost(x, y) {
					t.Fatalf("a sample at %v after %v, lost %v, was looked at", at, latest, gaze.Lost(x, y))
				}
				latest = at
			}
			nothing := len(w.published) == 0
			if nothing != (math.IsNaN(px) || math.IsNaN(py)) {
				t.Fatalf("(%v, %v) was handed out after %d publications", px, py, len(w.published))
			}
			if drawn := r.surface.tidy(w.drawn, r.grid); !nothing && r.smooth == (Smooth{}) && drawn != (point{px, py}) {
				t.Fatalf("(%v, %v) was handed out, %v was drawn", px, py, drawn)
			}
		}
		paid(t, w, m)
	})
}

// paid adds up, for the closed windows that begin with a publication or a test,
// what they cost: any other window holds no more than one of them.
func paid(t *rapid.T, w *witness, m streamer) {
	window, _ := spans(m)
	tests, each, epsilon := 0, 0.0, 0.0
	if f, ok := m.(Fixed); ok {
		epsilon = f.Epsilon
	}
	if k, ok := m.(Kaleido); ok {
		epsilon = k.Epsilon
		resolved, err := k.resolve()
		if err != nil {
			t.Fatal(err)
		}
		tests, each = resolved.tests, resolved.testEpsilon
	}
	for i, first := range w.published {
		end := after(first.at, window)
		sum := 0.0
		for _, p := range w.published[i:] {
			if p.at <= end {
				sum += p.epsilon
			}
		}
		if total := sum + float64(tests)*each; total > epsilon {
			t.Fatalf("the window from %v costs %v of %v", first.at, total, epsilon)
		}
	}
	for i, first := range w.tests {
		n, end := 0, after(first, window)
		for _, at := range w.tests[i:] {
			if at <= end {
				n++
			}
		}
		if n > tests {
			t.Fatalf("%d tests in the window from %v, %d are paid for", n, first, tests)
		}
	}
}

// TestOutputKnowsOnlyWhatWasLookedAt: two people whose gaze differs anywhere but
// at the looks are answered alike, smoothing included.
func TestOutputKnowsOnlyWhatWasLookedAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyStream(t)
		r, err := m.prepared()
		if err != nil {
			t.Skip(err)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		other := *r
		b, err := other.stream(noise.Seeded(seed))
		if err != nil {
			t.Fatal(err)
		}
		w := &witness{geometry: r.geometry}
		r.geometry = w
		a, err := r.stream(noise.Seeded(seed))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range anyTimes(t, m) {
			x, y := anyPosition(t), anyPosition(t)
			had := w.asked()
			ax, ay := a.Next(at, x, y)
			if w.asked() == had && !gaze.Lost(x, y) { // not looked at: anything else does as well
				x, y = x/3-17, y/5+3
			}
			if bx, by := b.Next(at, x, y); !same(ax, bx) || !same(ay, by) {
				t.Fatalf("(%v, %v) and (%v, %v)", ax, ay, bx, by)
			}
		}
	})
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// TestHalving: the paper's rule, in whole units: half, a quarter, … of what is
// left, what was spent coming back once the window, its end included, has passed.
func TestHalving(t *testing.T) {
	r, err := Kaleido{Epsilon: 2, Window: 500 * ms, Radius: 10, Skip: 100 * ms, TestShare: 0.5}.prepared()
	if err != nil {
		t.Fatal(err)
	}
	r.near = nil // publish at every look
	w := &witness{geometry: r.geometry}
	r.geometry = w
	s, err := r.stream(noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{0, 99, 100, 200, 300, 400, 500, 600} {
		w.now = at * ms
		s.Next(at*ms, 1, 2)
	}
	want := []float64{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.2578125}
	if len(w.published) != len(want) {
		t.Fatalf("%d publications, want %d: %v", len(w.published), len(want), w.published)
	}
	for i, p := range w.published {
		if math.Abs(p.epsilon-want[i]) > 1e-8 || p.epsilon > want[i] {
			t.Errorf("publication %d at %v has %v, want %v rounded down", i, p.at, p.epsilon, want[i])
		}
	}
}
