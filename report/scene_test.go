package report

import (
	"image"
	"image/color"
	"testing"
)

// Shapes lie where they are said to lie, the later ones on top, and text stays
// inside its rectangle.
func TestSceneImage(t *testing.T) {
	s := Scene{Width: 200, Height: 100, Background: [3]uint8{250, 250, 250}, Shapes: []Shape{
		{X: 10, Y: 20, W: 60, H: 40, Color: [3]uint8{200, 0, 0}},
		{Oval: true, X: 40, Y: 20, W: 40, H: 40, Color: [3]uint8{0, 0, 200}},
		{X: 120, Y: 50, W: 60, H: 30, Color: [3]uint8{20, 20, 20}, Text: "wider than it is"},
	}}
	m, err := s.Image()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, y int
		want color.RGBA
	}{
		{2, 2, color.RGBA{250, 250, 250, 255}}, {15, 25, color.RGBA{200, 0, 0, 255}}, {60, 40, color.RGBA{0, 0, 200, 255}},
		{42, 22, color.RGBA{200, 0, 0, 255}}, // beside the oval's edge
		{122, 52, color.RGBA{20, 20, 20, 255}},
	} {
		if got := m.RGBAAt(c.x, c.y); got != c.want {
			t.Errorf("at %d, %d: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	box, ink := image.Rect(120, 50, 180, 80), 0
	for y := range 100 {
		for x := 100; x < 200; x++ {
			c := m.RGBAAt(x, y)
			inside := image.Pt(x, y).In(box)
			if inside && c.R > 150 {
				ink++
			}
			if !inside && c != (color.RGBA{250, 250, 250, 255}) {
				t.Fatalf("something at %d, %d lies outside of its rectangle: %v", x, y, c)
			}
		}
	}
	if ink < 10 {
		t.Errorf("%d pixels of text", ink)
	}
}

func TestSceneRefusesImpossibleSizes(t *testing.T) {
	for _, s := range []Scene{{}, {Width: 10}, {Width: 1 << 20, Height: 10}, {Width: -1, Height: 5}} {
		if _, err := s.Image(); err == nil {
			t.Errorf("%d × %d was painted", s.Width, s.Height)
		}
	}
}
