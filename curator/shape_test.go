package curator

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// canvas covers the screen of the fixtures.
var canvas = heatmap.Canvas{Width: 1280, Height: 960, Cell: 40, Stimuli: 1}

func shaped(t *testing.T, s shaper, pieces gaze.Seq) *shaper {
	t.Helper()
	if s.canvas.Cell == 0 {
		s.canvas = canvas
	}
	if s.stimuli == nil {
		s.stimuli = []string{""}
	}
	if s.looks == AutoLooks {
		s.looks = FromSamples
	}
	if err := s.read(pieces); err != nil {
		t.Fatal(err)
	}
	return &s
}

func total(unit map[int]float64) float64 {
	sum := 0.0
	for _, v := range unit {
		sum += v
	}
	return sum
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v within %v", what, got, want, tolerance)
	}
}

// same compares two units' vectors up to the order in which times are added.
func same(t *testing.T, what string, got, want map[int]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d cells, want %d", what, len(got), len(want))
	}
	for i, v := range want {
		near(t, what, got[i], v, 1e-9)
	}
}

// TestShapeTimes: the time of a recording is on the canvas, beside it or lost,
// and all of it is somewhere.
func TestShapeTimes(t *testing.T) {
	people := gazetest.Lossy(4, 0.2)
	s := shaped(t, shaper{}, gazetest.Seq(people...))
	if len(s.units) != 4 {
		t.Fatalf("%d units, want 4", len(s.units))
	}
	near(t, "all time", s.seen.inside+s.seen.outside+s.seen.lost, 4*3, 0.1)
	if s.seen.lost < 0.1*12 {
		t.Errorf("%v s lost of 12, want about a fifth", s.seen.lost)
	}
	sum := 0.0
	for _, u := range s.units {
		sum += total(u)
	}
	near(t, "the maps' sum", sum, s.seen.inside, 1e-9)
}

// TestShapePieces: how a file is cut into pieces changes nothing.
func TestShapePieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(rt, "samples per piece")
		steps := rapid.SampledFrom([]int{0, 3}).Draw(rt, "steps")
		looks := rapid.SampledFrom([]Looks{FromSamples, FromStated, Detected}).Draw(rt, "looks")
		c := canvas
		c.Steps = steps
		s := shaper{canvas: c, looks: looks}
		if steps > 0 {
			s.step = time.Second
		}
		people := gazetest.Annotated(2)
		whole := shaped(t, s, gazetest.Seq(people...))
		cut := shaped(t, s, gazetest.Pieces(n, people...))
		for name, want := range whole.units {
			same(t, name, cut.units[name], want)
		}
	})
}

// TestShapeUnits: a person's recordings add up; sessions are units of their
// own where recordings are protected.
func TestShapeUnits(t *testing.T) {
	a, b := gazetest.People(2)[0], gazetest.People(2)[1]
	b.Participant = a.Participant
	a.Session, b.Session = "1", "2"
	one := shaped(t, shaper{}, gazetest.Seq(a))
	other := shaped(t, shaper{}, gazetest.Seq(b))
	person := shaped(t, shaper{}, gazetest.Seq(a, b))
	if len(person.units) != 1 {
		t.Fatalf("%d units, want one person", len(person.units))
	}
	sum := map[int]float64{}
	for _, u := range []map[int]float64{one.units[a.Participant], other.units[a.Participant]} {
		for i, v := range u {
			sum[i] += v
		}
	}
	same(t, "a person of two sessions", person.units[a.Participant], sum)

	sessions := shaped(t, shaper{recording: true}, gazetest.Seq(a, b))
	if len(sessions.units) != 2 {
		t.Fatalf("%d units, want two sessions", len(sessions.units))
	}
	same(t, "the first session", sessions.units[unitKey(&a.Header, true)], one.units[a.Participant])

	// A third recording of the first session belongs to it.
	c := gazetest.Clone(a)
	c.Trial = "second trial"
	sessions = shaped(t, shaper{recording: true}, gazetest.Seq(a, b, c))
	near(t, "a session of two trials", total(sessions.units[unitKey(&a.Header, true)]), 2*total(one.units[a.Participant]), 1e-9)
}

// TestShapeNobody: recordings of nobody named are left out and counted.
func TestShapeNobody(t *testing.T) {
	people := gazetest.People(3)
	people[1].Participant = ""
	s := shaped(t, shaper{}, gazetest.Seq(people...))
	if s.skipped != 1 || len(s.units) != 2 {
		t.Errorf("%d skipped and %d units, want 1 and 2", s.skipped, len(s.units))
	}
	alone := shaped(t, shaper{}, gazetest.Seq(people[2]))
	same(t, "who comes after nobody", s.units[people[2].Participant], alone.units[people[2].Participant])
}

// TestShapeStimuli: the stack holds the stimuli in the order in which they were
// named; others are left out.
func TestShapeStimuli(t *testing.T) {
	people := gazetest.People(3)
	for i, r := range people {
		r.Participant, r.Stimulus = "one", []string{"hill", "lake", "town"}[i]
	}
	c := canvas
	c.Stimuli = 2
	s := shaped(t, shaper{canvas: c, stimuli: []string{"town", "hill"}}, gazetest.Seq(people...))
	size := c.Rows() * c.Cols()
	town := shaped(t, shaper{}, gazetest.Seq(people[2])).units["one"]
	hill := shaped(t, shaper{}, gazetest.Seq(people[0])).units["one"]
	want := map[int]float64{}
	for i, v := range town {
		want[i] = v
	}
	for i, v := range hill {
		want[size+i] = v
	}
	same(t, "the stack", s.units["one"], want)
	if s.skipped != 1 {
		t.Errorf("%d left out, want the third stimulus", s.skipped)
	}
}

// TestShapeFilm: the steps of a film add up to the picture of its time, and
// what comes after its end is left out.
func TestShapeFilm(t *testing.T) {
	people := gazetest.Annotated(3)
	for _, looks := range []Looks{FromSamples, FromStated} {
		c := canvas
		c.Steps = 4
		film := shaped(t, shaper{canvas: c, step: 500 * time.Millisecond, looks: looks}, gazetest.Seq(people...))
		picture := shaped(t, shaper{canvas: canvas, step: 2 * time.Second, looks: looks}, gazetest.Seq(people...))
		whole := shaped(t, shaper{looks: looks}, gazetest.Seq(people...))
		size := c.Rows() * c.Cols()
		for name, u := range film.units {
			sum, perStep := map[int]float64{}, make([]float64, 4)
			for i, v := range u {
				sum[i%size] += v
				perStep[i/size] += v
			}
			// each cut may move one sample of 1/120 s
			near(t, "two seconds", total(sum), total(picture.units[name]), 0.04)
			if !(total(sum) < total(whole.units[name])) {
				t.Errorf("two of three seconds hold all of the time")
			}
			for step, v := range perStep {
				if v > 0.5+0.01 {
					t.Errorf("step %d of half a second holds %v s", step, v)
				}
			}
		}
	}
}

// TestShapeFixations: stated fixations count with their duration, once each.
func TestShapeFixations(t *testing.T) {
	for _, people := range [][]*gaze.Recording{gazetest.Annotated(2), gazetest.FixationsOnly(2)} {
		dwell := shaped(t, shaper{looks: FromStated}, gazetest.Seq(people...))
		counts := shaped(t, shaper{looks: FromStated, counts: true}, gazetest.Seq(people...))
		for _, r := range people {
			seconds, n := 0.0, 0.0
			for _, f := range r.Fixations {
				if r.Screen.Contains(f.X, f.Y) {
					seconds += f.Duration.Seconds()
					n++
				}
			}
			near(t, "dwell", total(dwell.units[r.Participant]), seconds, 1e-9)
			near(t, "fixations", total(counts.units[r.Participant]), n, 0)
		}
	}
}

// TestShapeDetected: detected fixations find most of the time that was planned
// as fixations.
func TestShapeDetected(t *testing.T) {
	people := gazetest.Annotated(6)
	stated := shaped(t, shaper{looks: FromStated}, gazetest.Seq(people...))
	detected := shaped(t, shaper{looks: Detected}, gazetest.Seq(people...))
	for name, want := range stated.units {
		if got := total(detected.units[name]); got < 0.75*total(want) || got > 1.1*total(want) {
			t.Errorf("%v s of fixations detected, %v s planned", got, total(want))
		}
	}
}

// TestShapeOdd: nothing odd about a recording breaks the shaper, and nothing
// it makes is anything but a time.
func TestShapeOdd(t *testing.T) {
	for _, c := range gazetest.Cases() {
		for _, looks := range []Looks{FromSamples, FromStated, Detected} {
			for _, steps := range []int{0, 2} {
				on := canvas
				on.Steps = steps
				s := shaper{canvas: on, stimuli: []string{""}, looks: looks}
				if steps > 0 {
					s.step = time.Second
				}
				if err := s.read(gazetest.Seq(gazetest.Clone(c.Recording))); err != nil {
					continue
				}
				for _, u := range s.units {
					for i, v := range u {
						if !(v >= 0) || math.IsInf(v, 0) || i < 0 || i >= max(steps, 1)*canvas.Rows()*canvas.Cols() {
							t.Errorf("%s: cell %d holds %v", c.Name, i, v)
						}
					}
				}
				_ = s.seen.String()
			}
		}
	}
}

// TestShapeMaps: one vector per enrolled unit, in their order, also for those
// without data.
func TestShapeMaps(t *testing.T) {
	people := gazetest.People(2)
	s := shaped(t, shaper{}, gazetest.Seq(people...))
	units := []string{"nobody", people[1].Participant, people[0].Participant}
	var sums []float64
	for v := range s.maps(units) {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		sums = append(sums, sum)
	}
	want := []float64{0, total(s.units[people[1].Participant]), total(s.units[people[0].Participant])}
	if len(sums) != 3 || sums[0] != 0 {
		t.Fatalf("sums %v, want %v", sums, want)
	}
	near(t, "the second", sums[1], want[1], 1e-9)
	near(t, "the third", sums[2], want[2], 1e-9)
	if err := checkEnrolled(s.units, units); err != nil {
		t.Error(err)
	}
	if err := checkEnrolled(s.units, units[:2]); err == nil {
		t.Error("a unit that is not enrolled was taken")
	}
}

func TestLooksResolve(t *testing.T) {
	full := gaze.Screen{Width: 100, Height: 100, WidthCm: 10, HeightCm: 10, DistanceCm: 60}
	for _, c := range []struct {
		typed Looks
		peek  Peek
		want  Looks
		fails bool
	}{
		{AutoLooks, Peek{Stated: true, Samples: true}, FromStated, false},
		{AutoLooks, Peek{Samples: true}, FromSamples, false},
		{FromStated, Peek{Samples: true}, 0, true},
		{FromSamples, Peek{Stated: true}, 0, true},
		{Detected, Peek{Stated: true}, 0, true},
		{Detected, Peek{Samples: true}, 0, true},
		{Detected, Peek{Samples: true, Screen: full}, Detected, false},
		{Detected, Peek{Samples: true, Spheric: true}, Detected, false},
		{FromSamples, Peek{Samples: true}, FromSamples, false},
	} {
		got, err := c.typed.resolve(c.peek)
		if (err != nil) != c.fails || !c.fails && got != c.want {
			t.Errorf("%v on %+v: %v, %v", c.typed, c.peek, got, err)
		}
	}
	for _, typed := range []string{"auto", "samples", "stated", "detect"} {
		if l, err := ParseLooks(typed); err != nil || l != AutoLooks && l.inWords() == "" {
			t.Errorf("%s: %v", typed, err)
		}
	}
	if _, err := ParseLooks("hear"); err == nil {
		t.Error("hear was taken")
	}
}

func TestFindStimulus(t *testing.T) {
	known := []string{"hill.jpg", "hill.png", "lake", `C:\stim\town.jpg`, "/x/a/sea.jpg", "/x/b/sea.jpg", "a.b.c"}
	for typed, want := range map[string]string{
		"hill.jpg": "hill.jpg", "hill.png": "hill.png", "lake": "lake", "lake.jpg": "lake", "pictures/hill.png": "hill.png",
		"town": `C:\stim\town.jpg`, "town.jpg": `C:\stim\town.jpg`, "/x/b/sea.jpg": "/x/b/sea.jpg", "a.b.c": "a.b.c", "a.b": "a.b.c",
		"hill": "", "sea": "", "sea.jpg": "", "tow": "", "hill.gif": "", "": "",
	} {
		got, err := findStimulus(known, typed)
		if (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q is %q (%v), want %q", typed, got, err, want)
		}
	}
}

// TestShapeOrder: the vectors' order is that of the enrolled, whatever the
// order of the recordings.
func TestShapeOrder(t *testing.T) {
	people := gazetest.People(4)
	forth := shaped(t, shaper{}, gazetest.Seq(people...))
	slices.Reverse(people)
	back := shaped(t, shaper{}, gazetest.Seq(people...))
	units := []string{people[0].Participant, people[1].Participant, people[2].Participant, people[3].Participant}
	var a, b [][]float64
	for v := range forth.maps(units) {
		a = append(a, slices.Clone(v))
	}
	for v := range back.maps(units) {
		b = append(b, slices.Clone(v))
	}
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			t.Errorf("vector %d depends on the order of the recordings", i)
		}
	}
}
