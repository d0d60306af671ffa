package grid_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/simulate"
)

func TestParseAOIs(t *testing.T) {
	square := []grid.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}, {X: 0, Y: 10}}
	for name, c := range map[string]struct {
		file string
		want grid.AOIs
	}{
		"rectangles": {"name,x,y,width,height\nface,1,2,3,4\n\"price, new\",-5,0.5,1e2,7\n",
			grid.AOIs{{Name: "face", X: 1, Y: 2, Width: 3, Height: 4}, {Name: "price, new", X: -5, Y: 0.5, Width: 100, Height: 7}}},
		"any order, other columns, Windows line ends, byte order mark": {"\ufeffHeight,Width, X ,Y,colour,NAME\r\n4,3,1,2,red,face\r\n",
			grid.AOIs{{Name: "face", X: 1, Y: 2, Width: 3, Height: 4}}},
		"polygon of spaces": {"name,polygon\nsquare,0 0 10 0 10 10 0 10\n",
			grid.AOIs{{Name: "square", Width: 10, Height: 10, Polygon: square}}},
		"polygon of pairs, closed": {"name,polygon\nsquare,\"0,0;10,0; 10,10;0,10;0,0\"\n",
			grid.AOIs{{Name: "square", Width: 10, Height: 10, Polygon: square}}},
		"both, per stimulus": {"name,stimulus,x,y,width,height,polygon\na,1.jpg,1,2,3,4,\na,2.jpg,,,,,0 0 10 0 10 10 0 10\n",
			grid.AOIs{{Name: "a", Stimulus: "1.jpg", X: 1, Y: 2, Width: 3, Height: 4}, {Name: "a", Stimulus: "2.jpg", Width: 10, Height: 10, Polygon: square}}},
		"semicolons":  {"name;x;y;width;height\nface;1;2;3;4\n", grid.AOIs{{Name: "face", X: 1, Y: 2, Width: 3, Height: 4}}},
		"tabs":        {"name\tx\ty\twidth\theight\nface\t1\t2\t3\t4\n", grid.AOIs{{Name: "face", X: 1, Y: 2, Width: 3, Height: 4}}},
		"empty lines": {"name,x,y,width,height\n\nface,1,2,3,4\n\n\n", grid.AOIs{{Name: "face", X: 1, Y: 2, Width: 3, Height: 4}}},
	} {
		got, err := grid.ParseAOIs(strings.NewReader(c.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := gazetest.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestParseAOIsRefusesWithALine(t *testing.T) {
	const head = "name,x,y,width,height\n"
	for name, c := range map[string]struct {
		file string
		line int
		says string
	}{
		"empty":                  {"", 1, "header"},
		"header only":            {head, 1, "no areas"},
		"no name column":         {"x,y,width,height\n1,2,3,4\n", 1, "name"},
		"no height column":       {"name,x,y,width\na,1,2,3\n", 1, "height"},
		"column twice":           {"name,x,x,y,width,height\n", 1, "twice"},
		"no name":                {head + "a,1,2,3,4\n,1,2,3,4\n", 3, "name"},
		"name twice":             {head + "a,1,2,3,4\nb,1,2,3,4\na,1,2,3,4\n", 4, "line 2"},
		"not a number":           {head + "a,1,two,3,4\n", 2, "two"},
		"NaN":                    {head + "a,NaN,2,3,4\n", 2, "number"},
		"infinite":               {head + "a,1,2,Inf,4\n", 2, "number"},
		"huge":                   {head + "a,1e300,2,3,4\n", 2, "number"},
		"no width":               {head + "a,1,2,0,4\n", 2, "positive"},
		"negative height":        {head + "a,1,2,3,-4\n", 2, "positive"},
		"short row":              {head + "a,1,2,3\n", 2, "height"},
		"open quote":             {head + "a,1,2,3,4\n\"b,1,2\n", 3, "quote"},
		"odd polygon":            {"name,polygon\na,0 0 1 0 1\n", 2, "pairs"},
		"polygon of two corners": {"name,polygon\na,0 0 1 1\n", 2, "three"},
		"closed line":            {"name,polygon\na,0 0 1 1 0 0\n", 2, "three"},
		"flat polygon":           {"name,polygon\na,0 5 1 5 2 5\n", 2, "line"},
		"polygon of words":       {"name,polygon\na,0 0 1 0 x 1\n", 2, "corner 3"},
		"neither":                {"name,x,y,width,height,polygon\na,,,,,\n", 2, "x:"},
		"all and one stimulus":   {"name,stimulus,polygon\na,,0 0 1 0 1 1\na,1.jpg,0 0 1 0 1 1\n", 3, "line 2"},
		"one and all stimuli":    {"name,stimulus,polygon\na,1.jpg,0 0 1 0 1 1\na,,0 0 1 0 1 1\n", 3, "line 2"},
		"late line":              {head + "a,1,2,3,4\n\n\"b\nb\",1,2,3,4\nc,1,2,3,x\n", 6, "height"},
	} {
		areas, err := grid.ParseAOIs(strings.NewReader(c.file))
		var syntax *grid.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v, %v", name, areas, err)
		} else if syntax.Line != c.line || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "grid: ") {
			t.Errorf("%s: %v; want line %d and %q", name, err, c.line, c.says)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := grid.ParseAOIs(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a failing reader: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzParseAOIs(f *testing.F) {
	for _, s := range []string{"name,x,y,width,height\na,1,2,3,4\n", "name,polygon\na,\"0,0;10,0;10,10\"\n", "name;stimulus;polygon\na;b;0 0 1 0 1 1 0 0\n",
		"\ufeffname\tx\ty\twidth\theight\n", "\"", "name,polygon\na,1e308 0 -1e308 0 0 1e308\n", "name,x,y,width,height\na,0x1p4,2,1e-320,4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		areas, err := grid.ParseAOIs(strings.NewReader(s))
		if err != nil {
			var syntax *grid.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 {
				t.Fatalf("%q: %v has no line", s, err)
			}
			return
		}
		if len(areas) == 0 {
			t.Fatalf("%q: nothing and no error", s)
		}
		for _, a := range areas {
			if a.Name == "" || !(a.Width > 0 && a.Height > 0) || math.IsNaN(a.Area()) || math.IsInf(a.Area(), 0) {
				t.Fatalf("%q: area %+v", s, a)
			}
			areas.Hit(a.X+a.Width/2, a.Y+a.Height/2)
		}
	})
}

// What is written out as a file reads back as it was.
func TestAOIsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1e5, 1e5)
		var file strings.Builder
		var want grid.AOIs
		file.WriteString("name,x,y,width,height\n")
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			a := grid.AOI{Name: fmt.Sprintf("area %d", i), X: number.Draw(t, "x"), Y: number.Draw(t, "y"),
				Width: rapid.Float64Range(1e-3, 1e5).Draw(t, "w"), Height: rapid.Float64Range(1e-3, 1e5).Draw(t, "h")}
			want = append(want, a)
			fmt.Fprintf(&file, "%s,%v,%v,%v,%v\n", a.Name, a.X, a.Y, a.Width, a.Height)
		}
		got, err := grid.ParseAOIs(strings.NewReader(file.String()))
		if err != nil {
			t.Fatal(err)
		}
		if d := gazetest.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestContainsPolygon(t *testing.T) {
	areas, err := grid.ParseAOIs(strings.NewReader("name,polygon\nL,0 0 10 0 10 10 20 10 20 20 0 20\nbow,100 0 120 20 120 0 100 20\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, y float64
		want int
	}{
		{5, 5, 0}, {15, 15, 0}, {15, 5, -1}, {0, 0, 0}, {20, 15, -1}, {5, 20, -1}, {-1, 5, -1}, {9.99, 9.99, 0},
		{102, 10, 1}, {118, 10, 1}, {110, 2, -1}, {math.NaN(), 5, -1}, {5, math.NaN(), -1}, {math.Inf(1), 5, -1},
	} {
		if got := areas.Hit(c.x, c.y); got != c.want {
			t.Errorf("(%v, %v) is in area %d, want %d", c.x, c.y, got, c.want)
		}
	}
	if a := areas[0].Area(); a != 300 {
		t.Errorf("area of the L is %v", a)
	}
}

// Triangles that share edges tile a rectangle: every point is in exactly one.
func TestPolygonsThatShareEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cx, cy := rapid.Float64Range(1, 99).Draw(t, "cx"), rapid.Float64Range(1, 99).Draw(t, "cy")
		var areas grid.AOIs
		corners := [][2]float64{{0, 0}, {100, 0}, {100, 100}, {0, 100}}
		for i, p := range corners {
			q := corners[(i+1)%4]
			one, err := grid.ParseAOIs(strings.NewReader(fmt.Sprintf("name,polygon\n%d,%v %v %v %v %v %v\n", i, p[0], p[1], q[0], q[1], cx, cy)))
			if err != nil {
				t.Fatal(err)
			}
			areas = append(areas, one[0])
		}
		for range 50 {
			f := rapid.Float64Range(0, 1).Draw(t, "f")
			p := corners[rapid.IntRange(0, 3).Draw(t, "corner")]
			x, y := cx+f*(p[0]-cx), cy+f*(p[1]-cy) // on a shared edge
			if rapid.Bool().Draw(t, "anywhere") {
				x, y = rapid.Float64Range(0.01, 99.99).Draw(t, "x"), rapid.Float64Range(0.01, 99.99).Draw(t, "y")
			}
			if x <= 0.001 || y <= 0.001 || x >= 99.999 || y >= 99.999 {
				continue
			}
			in := 0
			for i := range areas {
				if areas[i].Contains(x, y) {
					in++
				}
			}
			if in != 1 {
				t.Fatalf("(%v, %v) is in %d of the triangles around (%v, %v)", x, y, in, cx, cy)
			}
		}
	})
}

func TestOverlapAndStimulus(t *testing.T) {
	areas := grid.AOIs{
		{Name: "nose", Stimulus: "a.jpg", X: 40, Y: 40, Width: 20, Height: 20},
		{Name: "face", X: 0, Y: 0, Width: 100, Height: 100},
		{Name: "other", Stimulus: "b.jpg", X: 0, Y: 0, Width: 100, Height: 100},
	}
	a := areas.For("a.jpg")
	if d := gazetest.Diff([]string{"nose", "face"}, a.Names()); d != "" {
		t.Error(d)
	}
	if a.Hit(50, 50) != 0 || a.Hit(10, 10) != 1 || a.Hit(100, 10) != -1 {
		t.Errorf("hits %d, %d, %d", a.Hit(50, 50), a.Hit(10, 10), a.Hit(100, 10))
	}
	if len(areas.For("c.jpg")) != 1 {
		t.Errorf("areas of an unknown stimulus: %v", areas.For("c.jpg").Names())
	}
}

func sequence(areas ...float64) []gaze.Fixation {
	var fix []gaze.Fixation
	for i, x := range areas {
		fix = append(fix, gaze.Fixation{Start: time.Duration(i) * 300 * ms, Duration: 200 * ms, X: x, Y: 5})
	}
	return fix
}

func TestAOIStatistics(t *testing.T) {
	areas := grid.AOIs{{Name: "a", X: 0, Width: 10, Height: 10}, {Name: "b", X: 10, Width: 10, Height: 10}, {Name: "c", X: 20, Width: 10, Height: 10}}
	s := grid.AOIAccumulator{Areas: areas}
	r := &gaze.Recording{Header: pixels()}
	fix := append(sequence(15, 15, 5, 500, 5, 15), gaze.Fixation{X: math.NaN(), Duration: ms}, gaze.Fixation{X: 5, Duration: -ms})
	if err := s.AddFixations(r, fix); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := grid.AOIAccumulator{
		Areas: areas, Dwell: []float64{0.4, 0.6, 0, 0.2}, Fixations: []float64{2, 3, 0, 1}, Visits: []float64{2, 2, 0, 1},
		FirstFixation: []float64{0.6, 0, nan}, Order: []int{1, 0}, Dropped: 2,
		Transitions: []float64{
			0, 1, 0, 1,
			1, 1, 0, 0,
			0, 0, 0, 0,
			1, 0, 0, 0},
	}
	compare := func(want grid.AOIAccumulator) {
		t.Helper()
		for name, v := range map[string][2][]float64{"dwell": {want.Dwell, s.Dwell}, "fixations": {want.Fixations, s.Fixations},
			"visits": {want.Visits, s.Visits}, "first fixation": {want.FirstFixation, s.FirstFixation},
			"transitions": {want.Transitions, s.Transitions}} {
			if len(v[0]) != len(v[1]) {
				t.Fatalf("%s: %v", name, v[1])
			}
			for i := range v[0] {
				if math.IsNaN(v[0][i]) != math.IsNaN(v[1][i]) || math.Abs(v[0][i]-v[1][i]) > 1e-12 {
					t.Errorf("%s: %v, want %v", name, v[1], v[0])
					break
				}
			}
		}
		if d := gazetest.Diff(want.Order, s.Order); d != "" || s.Dropped != want.Dropped {
			t.Errorf("order %v, dropped %d", s.Order, s.Dropped)
		}
	}
	compare(want)
	near(t, "shares", total(s.Shares()), 1)
	if d := gazetest.Diff([]float64{1, 1, 0}, s.Hits()); d != "" {
		t.Error(d)
	}
	// Another recording of the same person: no transition leads into it, and its
	// time starts again.
	if err := s.AddFixations(r, sequence(500, 25, 5)); err != nil {
		t.Fatal(err)
	}
	want.Dwell, want.Fixations, want.Visits = []float64{0.6, 0.6, 0.2, 0.4}, []float64{3, 3, 1, 2}, []float64{3, 2, 1, 2}
	want.FirstFixation, want.Order = []float64{0.6, 0, 0.3}, []int{1, 0, 2}
	want.Transitions = []float64{0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0}
	compare(want)
}

func TestAOIStatisticsOfNobody(t *testing.T) {
	s := grid.AOIAccumulator{Areas: grid.AOIs{{Name: "a", Width: 1, Height: 1}}}
	if got := s.Shares(); len(got) != 2 || total(got) != 0 {
		t.Errorf("shares %v", got)
	}
	if got := s.Hits(); len(got) != 1 || got[0] != 0 {
		t.Errorf("hits %v", got)
	}
	for _, c := range gazetest.Cases() {
		if c.Name == "unknown unit" {
			continue
		}
		before := gazetest.Clone(c.Recording)
		if err := s.AddFixations(c.Recording, c.Recording.Fixations); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if d := gazetest.Diff(before, c.Recording); d != "" {
			t.Errorf("%s was changed: %s", c.Name, d)
		}
	}
	for _, v := range s.Dwell {
		if !(v >= 0) {
			t.Errorf("dwell %v", s.Dwell)
		}
	}
}

// Statistics hang together for any person, in any pieces: every fixation is
// counted once, transitions number one less than fixations per recording.
func TestAOIStatisticsHangTogether(t *testing.T) {
	shop := simulate.ShopWindow()
	var areas grid.AOIs
	for _, o := range shop.HotSpots() {
		areas = append(areas, grid.AOI{Name: o.Name, X: o.X, Y: o.Y, Width: o.W, Height: o.H})
	}
	all := gazetest.Annotated(3)
	rapid.Check(t, func(t *rapid.T) {
		s := grid.AOIAccumulator{Areas: areas}
		for p, err := range gazetest.Pieces(rapid.IntRange(1, 400).Draw(t, "n"), all...) {
			if err != nil {
				t.Fatal(err)
			}
			if err := s.AddFixations(p, p.Fixations); err != nil {
				t.Fatal(err)
			}
		}
		n, transitions, visits := total(s.Fixations), total(s.Transitions), total(s.Visits)
		var again float64
		for i := range len(areas) + 1 {
			again += s.Transitions[i*(len(areas)+2)]
		}
		if transitions != n-float64(len(all)) || visits != n-again {
			t.Fatalf("%v fixations, %v transitions, %v of them refixations, %v visits", n, transitions, again, visits)
		}
		if total(s.Hits()) != float64(len(s.Order)) || len(s.Order) < 3 {
			t.Fatalf("%v areas hit, %v visited", total(s.Hits()), s.Order)
		}
	})
}

func BenchmarkAOIStatistics(b *testing.B) {
	r := gazetest.Annotated(1)[0]
	var areas grid.AOIs
	for i := range 20 {
		areas = append(areas, grid.AOI{Name: fmt.Sprint(i), X: float64(i) * 60, Width: 60, Height: 960})
	}
	for b.Loop() {
		s := grid.AOIAccumulator{Areas: areas}
		if err := s.AddFixations(r, r.Fixations); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(r.Fixations))*float64(b.N)/b.Elapsed().Seconds(), "fixations/s")
}
