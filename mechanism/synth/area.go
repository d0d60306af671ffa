package synth

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/gaze"
)

// Area is what is looked at: a screen in px from its top left corner, or in
// degrees of visual angle from its centre.
type Area struct {
	Unit          string  // of positions: px (default) or deg
	Width, Height float64 // in Unit; required
}

// Units of positions.
const (
	pixels  = "px"
	degrees = "deg"
)

func (a *Area) check() error {
	if a.Unit == "" {
		a.Unit = pixels
	}
	switch {
	case a.Unit != pixels && a.Unit != degrees:
		return fmt.Errorf("synth: positions must be in px or deg, got %q", a.Unit)
	case !(a.Width >= 1e-3 && a.Width <= 1e6) || !(a.Height >= 1e-3 && a.Height <= 1e6):
		return fmt.Errorf("synth: width and height must lie between 0.001 and 1e6 %s, got %v × %v", a.Unit, a.Width, a.Height)
	case a.Width > 1000*a.Height || a.Height > 1000*a.Width:
		return fmt.Errorf("synth: width and height must be within a factor of 1000, got %v × %v", a.Width, a.Height)
	}
	return nil
}

// takes refuses recordings in another unit than was planned for.
func (a *Area) takes(h *gaze.Header) error {
	want := gaze.Pixels
	if a.Unit == degrees {
		want = gaze.Degrees
	}
	if h.Unit != want || h.Unit == gaze.Pixels && h.Screen.Origin != gaze.TopLeft || h.Unit == gaze.Degrees && h.Frame != gaze.OnScreen {
		return fmt.Errorf("synth: planned for positions in %v on a screen, px from its top left corner, got %v in frame %v from the %v", want, h.Unit, h.Frame, h.Screen.Origin)
	}
	return nil
}

// point is a position from the area's top left corner.
type point struct{ x, y float64 }

// shift is what the area's own origin adds to a point.
func (a *Area) shift() point {
	if a.Unit == degrees {
		return point{-a.Width / 2, -a.Height / 2}
	}
	return point{}
}

// place is the point of a position, moved to the area's nearest edge where it
// lies outside. It moves no two positions apart.
func (a *Area) place(x, y float64) point {
	o := a.shift()
	return a.clamp(point{x - o.x, y - o.y})
}

func (a *Area) clamp(p point) point {
	return point{min(max(p.x, 0), a.Width), min(max(p.y, 0), a.Height)}
}

// raster divides the area into cols × rows cells, row by row from the top left.
type raster struct {
	cols, rows    int
	width, height float64 // of a cell
}

func (a *Area) raster(n int) raster {
	return raster{n, n, a.Width / float64(n), a.Height / float64(n)}
}

func (r raster) len() int { return r.cols * r.rows }

// cell is the one that a point lies in, or the nearest.
func (r raster) cell(p point) int {
	c := int(min(max(math.Floor(p.x/r.width), 0), float64(r.cols-1)))
	l := int(min(max(math.Floor(p.y/r.height), 0), float64(r.rows-1)))
	return l*r.cols + c
}

// at is the point within a cell that lies at shares u and v of its sides.
func (r raster) at(cell int, u, v float64) point {
	return point{(float64(cell%r.cols) + u) * r.width, (float64(cell/r.cols) + v) * r.height}
}

// The eight directions of a move to a neighbouring cell: right, right and down,
// down, and so on clockwise.
const directions = 8

var compass = [directions][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// step is the neighbour of a cell in a direction; false beyond the edge.
func (r raster) step(cell, direction int) (int, bool) {
	c, l := cell%r.cols+compass[direction][0], cell/r.cols+compass[direction][1]
	return l*r.cols + c, c >= 0 && l >= 0 && c < r.cols && l < r.rows
}

// toward is the direction of the first move on a shortest 8-connected path.
func (r raster) toward(from, to int) int {
	dx, dy := sign(to%r.cols-from%r.cols), sign(to/r.cols-from/r.cols)
	for d, m := range compass {
		if m == [2]int{dx, dy} {
			return d
		}
	}
	return 0
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// moves calls f for every move on the shortest 8-connected path, diagonal moves
// first.
func (r raster) moves(from, to int, f func(from, direction int)) {
	for from != to {
		d := r.toward(from, to)
		f(from, d)
		from, _ = r.step(from, d)
	}
}
