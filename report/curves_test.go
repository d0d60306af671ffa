package report

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
)

func someCurves() Curves {
	return Curves{
		Title: "Identification of 24 people", X: "ε (logarithmic)", Y: "share identified", LogX: true,
		Lines: []Line{
			{"kaleido", []Point{{1, 0.05, 0.01, 0.2}, {3, 0.08, 0.02, 0.22}, {10, 0.2, 0.1, 0.4}}},
			{"dpgazesynth, published", []Point{{1, 0.33, 0.2, 0.5}, {3, 0.35, 0.2, 0.52}, {10, 0.41, 0.3, 0.6}}},
			{"raw", []Point{{1, 0.73, 0.6, 0.9}, {10, 0.73, 0.6, 0.9}}},
		},
		Levels: []Level{{"chance", 1. / 24}, {"ceiling of the claim at ε = 1", 0.106}},
	}
}

func TestCurvesDrawEverything(t *testing.T) {
	c := someCurves()
	s, err := c.draw()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range s.labels {
		if !l.at.In(s.Rect) {
			t.Errorf("%q is cut off at %v", l.text, l.at)
		}
		for _, m := range s.labels[:i] {
			if l.at.Overlaps(m.at) {
				t.Errorf("%q is printed over %q", l.text, m.text)
			}
		}
	}
	for i := range c.Lines { // its colour is on the sheet
		if countColour(s.RGBA, curveColours[i]) < 50 {
			t.Errorf("curve %d cannot be seen", i)
		}
	}
}

// Larger values stand higher, and larger parameters to the right.
func TestCurvesAreTheRightWayUp(t *testing.T) {
	c := Curves{X: "x", Y: "y", Lines: []Line{{"a", []Point{{X: 1, Y: 1}}}, {"b", []Point{{X: 2, Y: 2}}}}}
	s, err := c.draw()
	if err != nil {
		t.Fatal(err)
	}
	a, b := centre(s.RGBA, curveColours[0]), centre(s.RGBA, curveColours[1])
	if !(a.X < b.X && a.Y > b.Y) {
		t.Errorf("(1, 1) at %v, (2, 2) at %v", a, b)
	}
}

// centre is the middle of the mark in the plot, above the legend.
func centre(img *image.RGBA, c color.RGBA) image.Point {
	var sum image.Point
	n := 0
	for y := range plotHeight + 70 {
		for x := range img.Rect.Dx() {
			if img.RGBAAt(x, y) == c {
				sum, n = sum.Add(image.Pt(x, y)), n+1
			}
		}
	}
	return sum.Div(max(n, 1))
}

func countColour(img *image.RGBA, c color.RGBA) (n int) {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.RGBAAt(x, y) == c {
				n++
			}
		}
	}
	return n
}

func TestCurvesRefuse(t *testing.T) {
	for name, c := range map[string]Curves{
		"no curve":      {},
		"no point":      {Lines: []Line{{"a", nil}}},
		"NaN":           {Lines: []Line{{"a", []Point{{X: 1, Y: math.NaN()}}}}},
		"log of zero":   {LogX: true, Lines: []Line{{"a", []Point{{X: 0, Y: 1}}}}},
		"infinite line": {Lines: []Line{{"a", []Point{{X: 1, Y: 1}}}}, Levels: []Level{{"b", math.Inf(1)}}},
	} {
		if _, err := c.Image(); err == nil {
			t.Errorf("%s was drawn", name)
		}
	}
}

func TestCurvesInWordsAndNumbers(t *testing.T) {
	c := someCurves()
	if alt := c.AltText(); !strings.Contains(alt, "kaleido from 0.05 at 1 to 0.2 at 10") || !strings.Contains(alt, "chance at 0.0417") {
		t.Error(alt)
	}
	table := c.Table()
	if len(table.Rows) != 3+3+2+2 || table.Rows[0][3] != "0.01" {
		t.Errorf("%v", table.Rows)
	}
	for _, odd := range []Curves{
		{X: "x", Y: "y", Lines: []Line{{"one point", []Point{{X: 5, Y: 5}}}}},
		{X: "x", Y: "y", LogX: true, LogY: true, Lines: []Line{{"decades", []Point{{X: 1e-7, Y: 1e-9}, {X: 1e9, Y: 1e12}}}}},
		{X: "x", Y: "y", Lines: []Line{{"zero", []Point{{}}}}, Void: true, Guarantee: "none"},
		{X: "x", Y: "y", Lines: []Line{{strings.Repeat("long name ", 12), []Point{{X: 1, Y: -3}, {X: 2, Y: 1e7}}}}},
	} {
		s, err := odd.draw()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range s.labels {
			if !l.at.In(s.Rect) && !strings.HasPrefix(l.text, "long") {
				t.Errorf("%q is cut off at %v of %v", l.text, l.at, s.Rect)
			}
		}
	}
}
