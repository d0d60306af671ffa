package synth

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestMovesGoTheShortestWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.IntRange(1, 40).Draw(t, "grid")
		r := raster{g, g, 1, 1}
		from, to := rapid.IntRange(0, g*g-1).Draw(t, "from"), rapid.IntRange(0, g*g-1).Draw(t, "to")
		at, n := from, 0
		r.moves(from, to, func(c, d int) {
			if c != at {
				t.Fatalf("move %d leaves %d, but gaze is at %d", n, c, at)
			}
			next, ok := r.step(c, d)
			if !ok {
				t.Fatalf("move %d leaves the grid", n)
			}
			at, n = next, n+1
		})
		dx, dy := to%g-from%g, to/g-from/g
		if want := max(dx, -dx, dy, -dy); at != to || n != want {
			t.Fatalf("%d moves to %d, want %d to %d", n, at, want, to)
		}
	})
}

// TestPlaceBringsNothingApart: what the claim for starts needs.
func TestPlaceBringsNothingApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Area{Unit: rapid.SampledFrom([]string{pixels, degrees}).Draw(t, "unit"), Width: rapid.Float64Range(1, 100).Draw(t, "w"), Height: rapid.Float64Range(1, 100).Draw(t, "h")}
		f := rapid.Float64Range(-300, 300)
		x, y, u, v := f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "u"), f.Draw(t, "v")
		p, q := a.place(x, y), a.place(u, v)
		if d := math.Hypot(p.x-q.x, p.y-q.y); d > math.Hypot(x-u, y-v)+1e-9 {
			t.Fatalf("%v and %v are %v apart", p, q, d)
		}
		if c := a.raster(7).cell(p); c < 0 || c >= 49 {
			t.Fatalf("%v lies in cell %d", p, c)
		}
	})
}

func TestDegreesAreCountedFromTheCentre(t *testing.T) {
	a := Area{Unit: degrees, Width: 40, Height: 20}
	if p := a.place(-5, 3); p != (point{15, 13}) {
		t.Errorf("%v", p)
	}
	r := a.raster(4)
	if c := r.cell(a.place(-19, -9)); c != 0 {
		t.Errorf("the top left corner is in cell %d", c)
	}
}
