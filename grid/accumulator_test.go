package grid_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/grid"
)

const ms = time.Millisecond

func shop() grid.Grid { return grid.Grid{Width: 1280, Height: 960, Cell: 40} }

func total(m []float64) (sum float64) {
	for _, v := range m {
		sum += v
	}
	return sum
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func pixels() gaze.Header {
	return gaze.Header{Unit: gaze.Pixels, Screen: gaze.Screen{Width: 1280, Height: 960}}
}

func TestFixationsAreDurationWeighted(t *testing.T) {
	a := grid.Accumulator{Grid: shop()}
	r := &gaze.Recording{Header: pixels()}
	err := a.AddFixations(r, []gaze.Fixation{
		{Start: 0, Duration: 200 * ms, X: 10, Y: 10},
		{Start: 300 * ms, Duration: 100 * ms, X: 39.9, Y: 39.9},
		{Start: 500 * ms, Duration: 300 * ms, X: 40, Y: 0},
		{Start: 900 * ms, Duration: 0, X: 1279, Y: 959},
		{Start: 900 * ms, Duration: 400 * ms, X: 1280, Y: 10},
		{Start: 900 * ms, Duration: 50 * ms, X: math.NaN(), Y: 10},
		{Start: 900 * ms, Duration: -50 * ms, X: 10, Y: 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first cell", a.Dwell[0], 0.3)
	near(t, "fixations of the first cell", a.Count[0], 2)
	near(t, "second cell", a.Dwell[1], 0.3)
	near(t, "last cell", a.Dwell[len(a.Dwell)-1], 0)
	near(t, "fixations of the last cell", a.Count[len(a.Count)-1], 1)
	near(t, "outside", a.Outside, 0.4)
	near(t, "lost", a.Lost, 0.05)
	if a.Dropped != 1 {
		t.Errorf("%d dropped", a.Dropped)
	}
	near(t, "share", total(a.Share(2)), 2)
	near(t, "share of the first cell", a.Share(1)[0], 0.5)
}

func TestSamplesAreTimeWeighted(t *testing.T) {
	r := &gaze.Recording{Header: pixels()}
	r.Rate = 100
	nan := math.NaN()
	r.Samples.T = []time.Duration{0, 10 * ms, 20 * ms, 20 * ms, 45 * ms, 50 * ms, 60 * ms, 5000 * ms, 5010 * ms}
	r.Samples.Tracks[gaze.Left] = gaze.Track{
		X: []float64{5, 5, 45, 85, -5, nan, 5, 45, 45},
		Y: []float64{5, 5, 5, 5, 5, 5, 5, 5, 5},
	}
	a := grid.Accumulator{Grid: shop()}
	if err := a.AddSamples(r); err != nil {
		t.Fatal(err)
	}
	a.Flush()
	near(t, "two samples of 10 ms, one capped at three periods", a.Dwell[0], 0.05)
	near(t, "repeated stamp, then two periods", a.Dwell[1], 0.02)
	near(t, "a wider step", a.Dwell[2], 0.025)
	near(t, "outside", a.Outside, 0.005)
	near(t, "lost", a.Lost, 0.01)
	near(t, "counts", total(a.Count), 0)

	a = grid.Accumulator{Grid: shop(), MaxStep: 5 * ms}
	if err := a.AddSamples(r); err != nil {
		t.Fatal(err)
	}
	a.Flush()
	near(t, "capped at 5 ms", a.Dwell[0], 0.015)
}

// Pieces give what the whole gives, whether from samples or from fixations.
func TestPiecesMakeNoDifference(t *testing.T) {
	all := append(gazetest.Annotated(2), gazetest.Lossy(1, 0.2)...)
	all = append(all, gazetest.FixationsOnly(1)...)
	add := func(seq gaze.Seq) (samples, fixations grid.Accumulator) {
		samples.Grid, fixations.Grid = shop(), shop()
		for p, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			if err := samples.AddSamples(p); err != nil {
				t.Fatal(err)
			}
			if err := fixations.AddFixations(p, p.Fixations); err != nil {
				t.Fatal(err)
			}
		}
		samples.Flush()
		return samples, fixations
	}
	wantS, wantF := add(gazetest.Seq(all...))
	near(t, "all of the samples' time", total(wantS.Dwell)+wantS.Outside+wantS.Lost, 9)
	if total(wantF.Dwell) < 7 || total(wantF.Count) < 20 {
		t.Fatalf("fixations of %v s", total(wantF.Dwell))
	}
	rapid.Check(t, func(rt *rapid.T) {
		gotS, gotF := add(gazetest.Pieces(rapid.IntRange(1, 300).Draw(rt, "n"), all...))
		for i := range wantS.Dwell {
			if math.Abs(gotS.Dwell[i]-wantS.Dwell[i]) > 1e-9 || math.Abs(gotF.Dwell[i]-wantF.Dwell[i]) > 1e-9 || gotF.Count[i] != wantF.Count[i] {
				rt.Fatalf("cell %d: %v, %v; want %v, %v", i, gotS.Dwell[i], gotF.Dwell[i], wantS.Dwell[i], wantF.Dwell[i])
			}
		}
		if math.Abs(gotS.Lost-wantS.Lost) > 1e-9 || math.Abs(gotS.Outside-wantS.Outside) > 1e-9 {
			rt.Fatalf("lost %v, outside %v", gotS.Lost, gotS.Outside)
		}
	})
}

// Nothing is made up and nothing is moved to the border, whatever is wrong with
// a recording; the input is not changed.
func TestOddRecordings(t *testing.T) {
	for _, c := range gazetest.Cases() {
		before := gazetest.Clone(c.Recording)
		for _, g := range []grid.Grid{shop(), grid.Panorama(5), {Width: 7, Height: 5, Cell: 2, Left: 100, Top: 100}} {
			a, b := grid.Accumulator{Grid: g}, grid.Accumulator{Grid: g}
			if err := a.AddSamples(c.Recording); err != nil {
				t.Errorf("%s: %v", c.Name, err)
				continue
			}
			a.Flush()
			if err := b.AddFixations(c.Recording, c.Recording.Fixations); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
			for i := range a.Dwell {
				if !(a.Dwell[i] >= 0 && b.Dwell[i] >= 0) || math.IsInf(a.Dwell[i]+b.Dwell[i], 0) {
					t.Errorf("%s: cell %d holds %v and %v s", c.Name, i, a.Dwell[i], b.Dwell[i])
				}
			}
		}
		if d := gazetest.Diff(before, c.Recording); d != "" {
			t.Errorf("%s was changed: %s", c.Name, d)
		}
	}
}

func TestWhatOddRecordingsHold(t *testing.T) {
	want := map[string]struct{ inside, outside, lost float64 }{
		"no samples":       {},
		"one sample":       {inside: 1.0 / 120},
		"one lost sample":  {lost: 1.0 / 120},
		"all lost":         {lost: 200.0 / 120},
		"infinite":         {lost: 200.0 / 120},
		"off screen":       {outside: 200.0 / 120},
		"on the last edge": {outside: 200.0 / 120},
		"huge":             {outside: 200.0 / 120},
		"constant":         {inside: 200.0 / 120},
		"backward stamps":  {inside: 1.0 / 120},
		"one long gap":     {inside: (99 + 3 + 1) / 120.0},
	}
	seen := 0
	for _, c := range gazetest.Cases() {
		w, ok := want[c.Name]
		if !ok {
			continue
		}
		seen++
		a := grid.Accumulator{Grid: shop()}
		if err := a.AddSamples(c.Recording); err != nil {
			t.Fatal(err)
		}
		a.Flush()
		for what, v := range map[string][2]float64{"inside": {total(a.Dwell), w.inside}, "outside": {a.Outside, w.outside}, "lost": {a.Lost, w.lost}} {
			if math.Abs(v[0]-v[1]) > 1e-6 {
				t.Errorf("%s: %v s %s, want %v", c.Name, v[0], what, v[1])
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases exist", seen, len(want))
	}
}

func TestOneEyeCounts(t *testing.T) {
	both := []gaze.Fixation{
		{Eye: gaze.Left, Duration: 100 * ms, X: 10, Y: 10},
		{Eye: gaze.Right, Duration: 100 * ms, X: 50, Y: 10},
		{Eye: gaze.Left, Duration: 100 * ms, X: 10, Y: 10},
	}
	r := &gaze.Recording{Header: pixels()}
	a := grid.Accumulator{Grid: shop()}
	if err := a.AddFixations(r, both); err != nil {
		t.Fatal(err)
	}
	if a.Count[0] != 0 || a.Count[1] != 1 {
		t.Errorf("left %v, right %v", a.Count[0], a.Count[1])
	}
	// The eye that was chosen stays for the recording's later pieces.
	later := &gaze.Recording{Continues: true}
	if err := a.AddFixations(later, both[:1]); err != nil {
		t.Fatal(err)
	}
	if a.Count[0] != 0 {
		t.Error("the eye changes within a recording")
	}
	r.Samples.Tracks[gaze.Left] = gaze.Track{X: []float64{1}, Y: []float64{1}}
	a.Reset()
	if err := a.AddFixations(r, both); err != nil {
		t.Fatal(err)
	}
	if a.Count[0] != 2 || a.Count[1] != 0 {
		t.Errorf("with samples of the left eye: left %v, right %v", a.Count[0], a.Count[1])
	}
}

func TestUnitsBecomePixels(t *testing.T) {
	screen := gaze.Screen{Width: 1280, Height: 960, WidthCm: 35.456, HeightCm: 26.592, DistanceCm: 60, Origin: gaze.Center}
	r := &gaze.Recording{Header: gaze.Header{Unit: gaze.Degrees, Screen: screen}}
	a := grid.Accumulator{Grid: shop()}
	angle := math.Atan(500*0.0277/60) * 180 / math.Pi // 500 px right of the centre
	if err := a.AddFixations(r, []gaze.Fixation{{Duration: ms, X: angle, Y: 0.01}}); err != nil {
		t.Fatal(err)
	}
	if i, _ := a.Grid.Index(1140, 479); a.Count[i] != 1 {
		t.Errorf("cell %d is empty", i)
	}
	bad := &gaze.Recording{Header: gaze.Header{Unit: gaze.Degrees, Screen: gaze.Screen{Width: 10, Height: 10}}}
	if err := a.AddSamples(bad); err == nil {
		t.Error("degrees without geometry are taken")
	}
}

// On a whole panorama the seam is no border and the poles are on the map; with
// and without a picture's size.
func TestPanorama(t *testing.T) {
	header := gaze.Header{Unit: gaze.Degrees, Frame: gaze.InWorld}
	for _, screen := range []gaze.Screen{{}, {Width: 3600, Height: 1800, FieldWidthDeg: 360, FieldHeightDeg: 180, Origin: gaze.Center}} {
		header.Screen = screen
		g := grid.Panorama(90)
		if screen.Known() {
			g = grid.Grid{Width: 3600, Height: 1800, Cell: 900}
		}
		a := grid.Accumulator{Grid: g}
		fix := []gaze.Fixation{}
		for _, p := range [][2]float64{{-135, 45}, {-180, 45}, {180, 45}, {540, 45}, {0, -90}, {10, 90}, {135, -45}, {-1e-15, 0.1}} {
			fix = append(fix, gaze.Fixation{Duration: ms, X: p[0], Y: p[1]})
		}
		if err := a.AddFixations(&gaze.Recording{Header: header}, fix); err != nil {
			t.Fatal(err)
		}
		want := []float64{4, 0, 2, 0, 0, 0, 1, 1}
		if d := gazetest.Diff(want, a.Count); d != "" || a.Outside != 0 {
			t.Errorf("outside %v s; cells: %s", a.Outside, d)
		}
	}
}

func TestColumnsOfUnequalLength(t *testing.T) {
	r := gazetest.People(1)[0]
	r.Samples.Tracks[gaze.Right].Y = r.Samples.Tracks[gaze.Right].Y[:5]
	a := grid.Accumulator{Grid: shop()}
	if err := a.AddSamples(r); err == nil {
		t.Error("no error")
	}
}

func TestResetKeepsNothing(t *testing.T) {
	a := grid.Accumulator{Grid: shop(), MaxStep: 20 * ms}
	people := gazetest.Annotated(2)
	if err := a.AddSamples(people[0]); err != nil {
		t.Fatal(err)
	}
	a.Reset()
	if total(a.Dwell)+total(a.Count)+a.Outside+a.Lost != 0 {
		t.Error("something is left")
	}
	if err := a.AddSamples(people[1]); err != nil {
		t.Fatal(err)
	}
	fresh := grid.Accumulator{Grid: shop(), MaxStep: 20 * ms}
	if err := fresh.AddSamples(people[1]); err != nil {
		t.Fatal(err)
	}
	if gazetest.Diff(fresh.Dwell, a.Dwell) != "" {
		t.Error("a used accumulator gives another map")
	}
}

func TestMapOfNobody(t *testing.T) {
	a := grid.Accumulator{Grid: shop()}
	if got := a.Share(1); len(got) != a.Grid.Len() || total(got) != 0 {
		t.Errorf("%d cells with %v", len(got), total(got))
	}
	bad := grid.Accumulator{}
	if err := bad.AddSamples(gazetest.People(1)[0]); err == nil {
		t.Error("a grid without size is taken")
	}
}

func BenchmarkAddSamples(b *testing.B) {
	r := gazetest.People(1)[0]
	a := grid.Accumulator{Grid: shop()}
	b.ReportAllocs()
	for b.Loop() {
		if err := a.AddSamples(r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Samples.Len())*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkAddFixations(b *testing.B) {
	r := gazetest.Annotated(1)[0]
	a := grid.Accumulator{Grid: shop()}
	b.ReportAllocs()
	for b.Loop() {
		if err := a.AddFixations(r, r.Fixations); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(r.Fixations))*float64(b.N)/b.Elapsed().Seconds(), "fixations/s")
}
