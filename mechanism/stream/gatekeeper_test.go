package stream

import (
	"reflect"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

var desk = gaze.Screen{Width: 800, Height: 600, WidthCm: 40, HeightCm: 30, DistanceCm: 60}

// looksAt feeds 300 ms of each place at 200 Hz and returns the events.
func looksAt(t *testing.T, g Gatekeeper, places ...[2]float64) []Event {
	t.Helper()
	var all []Event
	gate, err := g.Open(func(e Event) { all = append(all, e) })
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, p := range places {
		for range 60 {
			if err := gate.Next(time.Duration(i)*5*ms, p[0], p[1]); err != nil {
				t.Fatal(err)
			}
			i++
		}
	}
	gate.Close()
	return all
}

func TestGatekeeper(t *testing.T) {
	g := Gatekeeper{Screen: desk, Areas: grid.AOIs{
		{Name: "left", X: 0, Y: 0, Width: 400, Height: 600}, {Name: "corner", X: 700, Y: 500, Width: 100, Height: 100},
	}}
	places := [][2]float64{{100, 100}, {300, 300}, {550, 100}, {750, 550}}
	var got []string
	for _, e := range looksAt(t, g, places...) {
		got = append(got, e.Kind.String()+" "+e.Area)
	}
	// Two fixations on the left are one visit; the empty middle is not told.
	want := []string{"fixation left", "fixation left", "dwell left", "saccade corner", "fixation corner", "dwell corner"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	all := looksAt(t, Gatekeeper{Screen: desk, Areas: g.Areas, Kinds: []Kind{Dwell}}, places...)
	if len(all) != 2 || all[0].Duration < 560*ms || all[0].Duration > 600*ms || all[0].Tile != -1 {
		t.Errorf("visits %+v", all)
	}
	var tiles []int
	for _, e := range looksAt(t, Gatekeeper{Screen: desk, Cols: 4, Rows: 3}, append(places, [2]float64{-5, 100}, [2]float64{nan, nan}, [2]float64{799.9, 599.9})...) {
		tiles = append(tiles, e.Tile)
	}
	if !reflect.DeepEqual(tiles, []int{0, 5, 2, 11}) { // off the screen is no tile, and the last is the same again
		t.Errorf("tiles %v", tiles)
	}
}

// TestGatekeeperKnowsOrigins: areas are counted from the top left whatever the
// tracker counts from.
func TestGatekeeperKnowsOrigins(t *testing.T) {
	up := desk
	up.Origin = gaze.BottomLeft
	g := Gatekeeper{Screen: up, Areas: grid.AOIs{{Name: "top", X: 0, Y: 0, Width: 800, Height: 100}}, Kinds: []Kind{FixationIn}}
	if all := looksAt(t, g, [2]float64{100, 590}, [2]float64{100, 10}); len(all) != 1 || all[0].Area != "top" || all[0].Start > 5*ms {
		t.Errorf("%+v", all)
	}
}

func TestGatekeeperRefuses(t *testing.T) {
	for name, g := range map[string]Gatekeeper{
		"no screen": {}, "no geometry": {Screen: gaze.Screen{Width: 8, Height: 6}}, "half a grid": {Screen: desk, Cols: 3},
		"too many tiles": {Screen: desk, Cols: 1 << 13, Rows: 1}, "no such kind": {Screen: desk, Kinds: []Kind{9}},
	} {
		if _, err := g.Open(func(Event) {}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
