package population

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

var lab = gaze.Screen{Width: 1000, Height: 500}

// still is a recording of someone who rests at places, half a second at each,
// with a sudden jump between them, at 100 Hz.
func still(participant string, at ...point) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Participant: participant, Rate: 100, Unit: gaze.Pixels, Screen: lab}}
	t := &r.Samples.Tracks[gaze.Right]
	for i, p := range at {
		for j := range 50 {
			r.Samples.T = append(r.Samples.T, time.Duration(50*i+j)*10*time.Millisecond)
			t.X, t.Y = append(t.X, p.x), append(t.Y, p.y)
		}
	}
	return r
}

var coarse = Shape{Screen: lab, PixelsPerDegree: 50, Columns: 10, Rows: 5}

func gathered(t *testing.T, all ...*gaze.Recording) *Gathered {
	t.Helper()
	g, err := Gather(coarse, gazetest.Pieces(17, all...))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A person is the sum of their recordings, whatever lies between them.
func TestGatherCountsEverythingOfAPerson(t *testing.T) {
	a, b := point{50, 50}, point{550, 50}
	g := gathered(t, still("A", a, b), still("B", b), still("A", b, a))
	if len(g.People) != 2 {
		t.Fatalf("%d people, want 2", len(g.People))
	}
	p := g.People[0]
	if len(p.dwell) != 2 || p.dwell[0].cell != 0 || p.dwell[1].cell != 5 {
		t.Fatalf("dwell %v, want cells 0 and 5", p.dwell)
	}
	for _, d := range p.dwell {
		if math.Abs(d.seconds-1) > 1e-9 {
			t.Errorf("%v s in cell %d, want 1", d.seconds, d.cell)
		}
	}
	rest := g.Shape.durationBin(490 * time.Millisecond)
	if p.durations[rest] != 4 {
		t.Errorf("times between saccades %v, want 4 in bin %d", p.durations, rest)
	}
	right, left := g.Shape.stepBin(10, 500, 0), g.Shape.stepBin(10, -500, 0)
	if right == left || p.steps[right] != 1 || p.steps[left] != 1 {
		t.Errorf("saccades %v, want one of 10 deg to the right and one back", p.steps)
	}
	if one := g.People[1]; len(one.dwell) != 1 || sum(one.steps) != 0 {
		t.Errorf("the other person is %v", one)
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// Samples off the screen count at its edge, and are counted; lost ones nowhere.
func TestGatherMovesGazeOntoTheScreen(t *testing.T) {
	nan := math.NaN()
	g := gathered(t, still("A", point{-80, 700}, point{nan, 3}, point{1e9, 3}, point{1200, 90}))
	p := g.People[0]
	if len(p.dwell) != 2 || p.dwell[0].cell != 9 || p.dwell[1].cell != 40 {
		t.Errorf("dwell %v, want the right edge of the first row and the left bottom corner", p.dwell)
	}
	if g.Tally != (Tally{Recordings: 1, Samples: 100, OffScreen: 100}) {
		t.Errorf("tally %+v", g.Tally)
	}
}

func TestGatherLeavesNamelessOut(t *testing.T) {
	g := gathered(t, still("", point{1, 1}), still("A", point{1, 1}), still("", point{1, 1}))
	if len(g.People) != 1 || g.Tally.Nameless != 2 || g.Tally.Recordings != 3 {
		t.Errorf("%d people, %+v", len(g.People), g.Tally)
	}
}

func TestGatherRefusesOtherScreens(t *testing.T) {
	foreign := still("secret", point{1, 1})
	foreign.Screen.Width = 999
	world := still("secret", point{1, 1})
	world.Unit, world.Frame = gaze.Degrees, gaze.InWorld
	angles := still("secret", point{1, 1})
	angles.Unit, angles.Frame = gaze.Degrees, gaze.OnScreen // no geometry
	for name, r := range map[string]*gaze.Recording{"another size": foreign, "yaw and pitch": world, "angles without geometry": angles} {
		if _, err := Gather(coarse, gazetest.Pieces(50, still("A", point{1, 1}), r)); err == nil {
			t.Errorf("%s was gathered", name)
		}
	}
	plain := still("A", point{1, 1})
	plain.Screen = gaze.Screen{} // px from the top left, of a size not stated
	if g := gathered(t, plain); len(g.People) != 1 {
		t.Error("px without a screen were refused")
	}
}

// Other units and origins are the same gaze.
func TestGatherConverts(t *testing.T) {
	a := still("A", point{150, 420}, point{850, 30})
	share := gazetest.Clone(a)
	share.Unit = gaze.Normalized
	for i := range share.Samples.T {
		share.Samples.Tracks[gaze.Right].X[i] /= 1000
		share.Samples.Tracks[gaze.Right].Y[i] /= 500
	}
	up := gazetest.Clone(a)
	up.Screen.Origin = gaze.BottomLeft
	for i := range up.Samples.T {
		up.Samples.Tracks[gaze.Right].Y[i] = 500 - up.Samples.Tracks[gaze.Right].Y[i]
	}
	want := gathered(t, a).People[0]
	for name, r := range map[string]*gaze.Recording{"shares of the screen": share, "upwards": up} {
		got := gathered(t, r).People[0]
		for i := range want.steps {
			if want.steps[i] != got.steps[i] {
				t.Errorf("%s: saccades %v, want %v", name, got.steps, want.steps)
				break
			}
		}
		for i := range want.dwell {
			if want.dwell[i].cell != got.dwell[i].cell {
				t.Errorf("%s: dwell %v, want %v", name, got.dwell, want.dwell)
			}
		}
	}
}

// people are simulated viewers of a scene, gathered on its screen.
func people(t testing.TB, scene simulate.Scene, n int) *Gathered {
	t.Helper()
	c := simulate.Cohort{People: n, Seconds: 30, Rate: 120, Scenes: []simulate.Scene{scene}}
	g, err := Gather(Shape{Screen: scene.Screen()}, c.Recordings(noise.Seeded(3)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Of a person nothing depends on what was recorded of others, before or after,
// however odd; and nothing odd breaks what comes later.
func TestPeopleAreGatheredApart(t *testing.T) {
	shape := Shape{Screen: gaze.Screen{Width: 1280, Height: 960}, PixelsPerDegree: 38, Columns: 12, Rows: 9}
	take := func(all ...*gaze.Recording) map[string]*Person {
		g, err := Gather(shape, gazetest.Pieces(37, all...))
		if err != nil {
			t.Fatal(err)
		}
		return g.known
	}
	usual := gazetest.People(2)
	usual[0].Participant, usual[1].Participant = "A", "B"
	alone := map[string]*Person{"A": take(usual[0])["A"], "B": take(usual[1])["B"]}
	if sum(alone["A"].durations) < 3 || sum(alone["B"].steps) < 3 {
		t.Fatalf("the people show nothing: %v, %v", alone["A"].durations, alone["B"].steps)
	}
	for _, c := range gazetest.Cases() {
		odd := gazetest.Clone(c.Recording)
		odd.Participant = "odd"
		if odd.Unit != gaze.Pixels {
			continue // refused: TestGatherRefusesOtherScreens
		}
		odd.Screen = usual[0].Screen
		all := take(odd, usual[0], odd, usual[1], odd)
		for name, want := range alone {
			got := all[name]
			if !slices.Equal(got.dwell, want.dwell) || !slices.Equal(got.durations, want.durations) || !slices.Equal(got.steps, want.steps) {
				t.Errorf("%s: %s is %v beside it, %v alone", c.Name, name, got, want)
			}
		}
		three := take(odd, odd, odd)["odd"]
		if p := all["odd"]; p != nil && (!slices.Equal(p.durations, three.durations) || !slices.Equal(p.steps, three.steps)) {
			t.Errorf("%s: others leak into the odd one", c.Name)
		}
		for _, p := range all {
			for _, v := range slices.Concat(p.durations, p.steps) {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Errorf("%s: a count of %v", c.Name, v)
				}
			}
		}
	}
}
