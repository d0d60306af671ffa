package report

import (
	"bytes"
	"image/png"
	"math"
	"testing"
)

// TestTrail: dots where samples are, nothing where there are none, gaps open.
func TestTrail(t *testing.T) {
	nan := math.NaN()
	tr := Trail{Width: 400, Height: 300, Paths: [][][2]float64{{{50, 50}, {150, 50}, {nan, nan}, {350, 50}}, {{100, 200}, {1e9, 200}}, {}}}
	img, err := tr.Image()
	if err != nil {
		t.Fatal(err)
	}
	opaque := func(x, y int) bool { return img.RGBAAt(x, y).A > 40 }
	for _, p := range [][2]int{{50, 50}, {100, 50}, {150, 50}, {350, 50}, {100, 200}, {399, 200}} {
		if !opaque(p[0], p[1]) {
			t.Errorf("nothing is drawn at %v", p)
		}
	}
	for _, p := range [][2]int{{250, 50}, {200, 250}, {10, 10}} {
		if opaque(p[0], p[1]) {
			t.Errorf("something is drawn at %v", p)
		}
	}
	if a, b := img.RGBAAt(50, 50), img.RGBAAt(100, 200); a == b {
		t.Errorf("two paths have one colour, %v", a)
	}
}

func TestTrailPNG(t *testing.T) {
	var plain, marked bytes.Buffer
	tr := Trail{Width: 4000, Height: 1000, Paths: [][][2]float64{{{10, 10}, {20, 20}}}}
	if err := tr.WritePNG(&plain); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(plain.Bytes()))
	if err != nil || img.Bounds().Dx() != trailSide || img.Bounds().Dy() != trailSide/4 {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	tr.Synthetic = true
	if err := tr.WritePNG(&marked); err != nil || marked.Len() < plain.Len()+1000 {
		t.Errorf("the word that marks what is synthetic is missing: %d bytes, %d without, %v", marked.Len(), plain.Len(), err)
	}
}

func TestTrailRefuses(t *testing.T) {
	for name, tr := range map[string]Trail{
		"no screen": {Paths: [][][2]float64{{{1, 1}}}},
		"too many":  {Width: 10, Height: 10, Paths: [][][2]float64{make([][2]float64, mostDots+1)}},
		"NaN":       {Width: math.NaN(), Height: 10},
	} {
		if _, err := tr.Image(); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
