package simulate_test

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func TestBuiltInScenes(t *testing.T) {
	scenes := simulate.Scenes()
	if len(scenes) < 3 {
		t.Fatalf("%d scenes", len(scenes))
	}
	for _, s := range scenes {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		for _, o := range s.Objects {
			if o.X < 0 || o.Y < 0 || o.X+o.W > s.Width || o.Y+o.H > s.Height {
				t.Errorf("%s: %s reaches out of the picture", s.Name, o.Name)
			}
		}
		names := map[string]bool{}
		for _, o := range s.Objects {
			if names[o.Name] {
				t.Errorf("%s has two objects named %s", s.Name, o.Name)
			}
			names[o.Name] = true
		}
		if _, err := s.Screen().PixelsPerDegree(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	shop := simulate.ShopWindow()
	if n := len(shop.HotSpots()); n != 9 {
		t.Errorf("%d hot spots", n)
	}
}

// Where people look is what the scene's density says: with 400 people the
// total variation over 12 × 9 cells comes close, and closer than with 20.
func TestDensityIsTheGroundTruth(t *testing.T) {
	for _, c := range []struct {
		scene simulate.Scene
		most  float64
	}{{simulate.ShopWindow(), 0.06}, {simulate.Room(), 0.09}, {simulate.TextPage(), 0.20}} {
		const cols, rows = 12, 9
		want := c.scene.Density(cols, rows)
		if got := sum(want); math.Abs(got-1) > 1e-9 {
			t.Errorf("%s: density sums to %v", c.scene.Name, got)
		}
		many := variation(looked(t, c.scene, 400, cols, rows), want)
		few := variation(looked(t, c.scene, 12, cols, rows), want)
		if many > c.most || c.scene.Task != simulate.Reading && few < 1.5*many {
			t.Errorf("%s: total variation %.3f with 400 people, %.3f with 12", c.scene.Name, many, few)
		}
	}
}

func sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

func variation(a, b []float64) float64 {
	var s float64
	for i := range a {
		s += math.Abs(a[i]-b[i]) / 2
	}
	return s
}

// looked is the share of fixation time per cell, of fixations in the picture.
func looked(t *testing.T, scene simulate.Scene, people, cols, rows int) []float64 {
	t.Helper()
	c := cohort(people, 20, scene)
	if scene.Task == simulate.Reading {
		c = cohort(people/10, 200, scene) // enough to read the page twice
	}
	c.Rate = 10 // the plan does not need samples
	out := make([]float64, cols*rows)
	for _, r := range collect(t, c, 21) {
		for _, f := range r.Fixations[1:] {
			x, y, err := r.Screen.ToTopLeftPixels(f.X, f.Y, r.Unit)
			if err != nil {
				t.Fatal(err)
			}
			if r.Screen.Contains(x, y) {
				col, row := int(x/scene.Width*float64(cols)), int(y/scene.Height*float64(rows))
				out[row*cols+col] += f.Duration.Seconds()
			}
		}
	}
	total := sum(out)
	for i := range out {
		out[i] /= total
	}
	return out
}

func TestReadersReadLineByLine(t *testing.T) {
	forward, back, sweeps, n := 0, 0, 0, 0
	for _, r := range collect(t, cohort(20, 30, simulate.TextPage()), 41) {
		for i := 1; i < len(r.Fixations); i++ {
			n++
			switch dx, dy := r.Fixations[i].X-r.Fixations[i-1].X, r.Fixations[i].Y-r.Fixations[i-1].Y; {
			case dy > 20 && dx < -200:
				sweeps++
			case dx > 0:
				forward++
			default:
				back++
			}
		}
	}
	share := func(k int) float64 { return float64(k) / float64(n) }
	if share(forward) < 0.65 || share(back) < 0.05 || share(back) > 0.25 || share(sweeps) < 0.06 || share(sweeps) > 0.2 {
		t.Errorf("forward %.2f, back %.2f, return sweeps %.2f", share(forward), share(back), share(sweeps))
	}
}

func TestResize(t *testing.T) {
	for _, s := range simulate.Scenes() {
		big := s.Resize(2*s.Width, 3*s.Height)
		if err := big.Validate(); err != nil {
			t.Error(err)
		}
		if v := variation(s.Density(16, 12), big.Density(16, 12)); v > 1e-9 && s.Task != simulate.Reading {
			t.Errorf("%s: density changed by %v", s.Name, v)
		}
		o, p := s.Objects[1], big.Objects[1]
		if p.X != 2*o.X || p.H != 3*o.H || s.Objects[1] != o {
			t.Errorf("%s: %+v became %+v", s.Name, o, p)
		}
	}
}

func TestRefusals(t *testing.T) {
	good := cohort(1, 1, simulate.ShopWindow())
	for name, change := range map[string]func(*simulate.Cohort){
		"nobody":             func(c *simulate.Cohort) { c.People = 0 },
		"negative sessions":  func(c *simulate.Cohort) { c.Sessions = -1 },
		"no scene":           func(c *simulate.Cohort) { c.Scenes = nil },
		"no time":            func(c *simulate.Cohort) { c.Seconds = 0 },
		"NaN time":           func(c *simulate.Cohort) { c.Seconds = math.NaN() },
		"endless":            func(c *simulate.Cohort) { c.Seconds = math.Inf(1) },
		"negative rate":      func(c *simulate.Cohort) { c.Rate = -5 },
		"everything lost":    func(c *simulate.Cohort) { c.Loss = 1 },
		"another screen":     func(c *simulate.Cohort) { c.Screen = gaze.Screen{Width: 100, Height: 100} },
		"screen of no size":  func(c *simulate.Cohort) { c.Screen = gaze.Screen{Width: 1280, Height: 960} },
		"empty scene":        func(c *simulate.Cohort) { c.Scenes = []simulate.Scene{{Name: "empty", Width: 10, Height: 10}} },
		"page without words": func(c *simulate.Cohort) { c.Scenes[0].Task = simulate.Reading },
		"unknown task":       func(c *simulate.Cohort) { c.Scenes[0].Task = 77 },
	} {
		c := good
		c.Scenes = []simulate.Scene{simulate.ShopWindow()}
		change(&c)
		if _, err := gaze.Collect(c.Recordings(noise.Seeded(1))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
