package grid

import "math"

// Point is a position in px from the top left corner.
type Point struct{ X, Y float64 }

// AOI is an area of interest: a rectangle, or a polygon with the rectangle
// around it.
type AOI struct {
	Name          string
	Stimulus      string  // name of the stimulus it belongs to; empty = all
	X, Y          float64 // px: top left corner
	Width, Height float64 // px
	Polygon       []Point // corners in order; nil = the whole rectangle
}

// Contains reports whether a position in px lies inside. Rectangles are
// half-open like cells; polygons use the even-odd rule, edges half-open, so
// that polygons that share an edge never share a point.
func (a *AOI) Contains(x, y float64) bool {
	if !(x >= a.X && y >= a.Y && x < a.X+a.Width && y < a.Y+a.Height) {
		return false
	}
	return a.Polygon == nil || evenOdd(a.Polygon, x, y)
}

// evenOdd counts the edges that a ray to the right crosses.
func evenOdd(p []Point, x, y float64) bool {
	inside := false
	for i, j := 0, len(p)-1; i < len(p); j, i = i, i+1 {
		a, b := p[i], p[j]
		if (a.Y > y) != (b.Y > y) && x < crossing(a, b, y) {
			inside = !inside
		}
	}
	return inside
}

// crossing is where the edge meets the height y. Taking the upper end first
// makes it the same number for both polygons that share an edge.
func crossing(a, b Point, y float64) float64 {
	if a.Y > b.Y {
		a, b = b, a
	}
	return a.X + (y-a.Y)/(b.Y-a.Y)*(b.X-a.X)
}

// Area is the area in px²: of a polygon, the absolute value of its signed area.
func (a *AOI) Area() float64 {
	if a.Polygon == nil {
		return a.Width * a.Height
	}
	var twice float64
	for i, j := 0, len(a.Polygon)-1; i < len(a.Polygon); j, i = i, i+1 {
		p, q := a.Polygon[j], a.Polygon[i]
		twice += (p.X-a.X)*(q.Y-a.Y) - (q.X-a.X)*(p.Y-a.Y)
	}
	return math.Abs(twice) / 2
}

// enclose sets the rectangle around the polygon.
func (a *AOI) enclose() {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range a.Polygon {
		x0, x1 = math.Min(x0, p.X), math.Max(x1, p.X)
		y0, y1 = math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	a.X, a.Y, a.Width, a.Height = x0, y0, x1-x0, y1-y0
}

// AOIs is a list of areas in order of precedence: where areas overlap, a
// position belongs to the first listed one that holds it, and to no other, so
// that shares add up to one.
type AOIs []AOI

// For returns the areas that belong to a stimulus, in order.
func (s AOIs) For(stimulus string) AOIs {
	var out AOIs
	for _, a := range s {
		if a.Stimulus == "" || a.Stimulus == stimulus {
			out = append(out, a)
		}
	}
	return out
}

// Hit returns the index of the area that holds a position in px, or -1.
func (s AOIs) Hit(x, y float64) int {
	for i := range s {
		if s[i].Contains(x, y) {
			return i
		}
	}
	return -1
}

// Names lists the areas' names.
func (s AOIs) Names() []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return names
}
