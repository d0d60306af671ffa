package report

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const quarter = 250 * time.Millisecond

// TestScanPathOrientation: a stop is drawn where it lies from the top left corner,
// whatever the shape of the screen.
func TestScanPathOrientation(t *testing.T) {
	for _, c := range []struct{ w, h, x, y float64 }{
		{2560, 1440, 100, 80}, {2560, 1440, 2400, 80}, {2560, 1440, 100, 1300}, {600, 1200, 500, 200}, {640, 480, 320, 400},
	} {
		p := ScanPath{Title: "a path", Width: c.w, Height: c.h, Stops: []Stop{{c.x, c.y, quarter}}}
		var file bytes.Buffer
		if err := p.WritePNG(&file); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		_, panel, err := p.draw()
		if err != nil {
			t.Fatal(err)
		}
		// The centre of gravity of what is not paper, inside of the panel.
		var sx, sy, n float64
		for y := panel.Min.Y; y < panel.Max.Y; y++ {
			for x := panel.Min.X; x < panel.Max.X; x++ {
				if got := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA); distance(got, color.RGBA{246, 246, 244, 255}) > 40 {
					sx, sy, n = sx+float64(x-panel.Min.X), sy+float64(y-panel.Min.Y), n+1
				}
			}
		}
		gx, gy := sx/n/float64(panel.Dx())*c.w, sy/n/float64(panel.Dy())*c.h
		if n == 0 || math.Hypot(gx-c.x, gy-c.y) > 0.01*math.Max(c.w, c.h) {
			t.Errorf("%+v: the stop is drawn at (%.0f, %.0f)", c, gx, gy)
		}
	}
}

// TestScanPathRadius: a fixation twice as long has a circle with twice the radius.
func TestScanPathRadius(t *testing.T) {
	p := ScanPath{Width: 1000, Height: 800, Stops: []Stop{{250, 400, quarter}, {750, 400, 2 * quarter}}}
	s, panel, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	// Columns through the middle of the two circles, off the numbers and arrows.
	height := func(x float64) (n int) {
		col := panel.Min.X + int(x*float64(panel.Dx())/1000)
		for y := panel.Min.Y; y < panel.Max.Y; y++ {
			if distance(s.RGBAAt(col, y), color.RGBA{246, 246, 244, 255}) > 40 {
				n++
			}
		}
		return n
	}
	small, large := height(250), height(750)
	if ratio := float64(large) / float64(small); math.Abs(ratio-2) > 0.15 {
		t.Errorf("heights of %d and %d px", small, large)
	}
}

// TestScanPathArrow: the way from one stop to the next is drawn, with its head at
// the end.
func TestScanPathArrow(t *testing.T) {
	p := ScanPath{Width: 1000, Height: 500, Stops: []Stop{{100, 250, quarter}, {900, 250, quarter}}}
	s, panel, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	dark := func(x, y float64) bool {
		px, py := panel.Min.X+int(x*float64(panel.Dx())/1000), panel.Min.Y+int(y*float64(panel.Dy())/500)
		for dy := -2; dy <= 2; dy++ {
			if distance(s.RGBAAt(px, py+dy), color.RGBA{40, 40, 48, 255}) < 150 {
				return true
			}
		}
		return false
	}
	if !dark(500, 250) || dark(500, 150) {
		t.Error("no line, or one elsewhere")
	}
	// How much ink lies just above the line, left and right of its middle, tells
	// which end has the head. Circles lie outside of both spans.
	middle := panel.Min.Y + panel.Dy()/2
	ink := func(from, to float64) (n int) {
		for x := panel.Min.X + int(from*float64(panel.Dx())); x < panel.Min.X+int(to*float64(panel.Dx())); x++ {
			for y := middle - 6; y <= middle-3; y++ {
				if distance(s.RGBAAt(x, y), color.RGBA{40, 40, 48, 255}) < 150 {
					n++
				}
			}
		}
		return n
	}
	if start, end := ink(0.13, 0.5), ink(0.5, 0.87); start != 0 || end < 4 {
		t.Errorf("ink above the line: %d px in the first half, %d in the second", start, end)
	}
}

// TestWatermark: the word stands in the text and across the picture, and only
// where it is true.
func TestWatermark(t *testing.T) {
	p := ScanPath{Title: "A path", Width: 800, Height: 600, Guarantee: "something"}
	plain, panel, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	p.Synthetic = true
	marked, _, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(written(plain), watermark) || !strings.Contains(written(marked), watermark) {
		t.Error("the word is not where it is true")
	}
	changed := 0
	for y := panel.Min.Y; y < panel.Max.Y; y++ {
		for x := panel.Min.X; x < panel.Max.X; x++ {
			if plain.RGBAAt(x, y) != marked.RGBAAt(x, y) {
				changed++
			}
		}
	}
	if share := float64(changed) / float64(panel.Dx()*panel.Dy()); share < 0.03 || share > 0.5 {
		t.Errorf("the watermark covers %.3f of the picture", share)
	}
	if !strings.HasPrefix(p.AltText(), "Synthetic") {
		t.Errorf("alt text %q", p.AltText())
	}
}

// TestScanPathOfAnything: no text is cut or overprinted, whatever the stops.
func TestScanPathOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ScanPath{
			Title: rapid.StringMatching(`[a-z ]{0,300}`).Draw(t, "title"), Guarantee: rapid.StringMatching(`[a-z ]{0,300}`).Draw(t, "guarantee"),
			Width: rapid.Float64Range(1, 4000).Draw(t, "width"), Height: rapid.Float64Range(1, 4000).Draw(t, "height"),
			Synthetic: rapid.Bool().Draw(t, "synthetic"), Void: rapid.Bool().Draw(t, "void"),
		}
		for range rapid.IntRange(0, 70).Draw(t, "stops") {
			v := rapid.OneOf(rapid.Float64Range(-100, 4100), rapid.SampledFrom([]float64{-1e300, 1e300, 0, 1e7}))
			p.Stops = append(p.Stops, Stop{v.Draw(t, "x"), v.Draw(t, "y"), time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "duration"))})
		}
		s, panel, err := p.draw()
		if err != nil {
			t.Fatal(err)
		}
		checkLabels(t, s)
		if !panel.In(s.Rect) {
			t.Fatalf("the picture %v leaves the sheet %v", panel, s.Rect)
		}
		if p.AltText() == "" || p.Void != strings.Contains(written(s), "NOTPRIVATE") {
			t.Fatal("void is not told")
		}
	})
}

func TestScanPathRefuses(t *testing.T) {
	for name, p := range map[string]ScanPath{
		"no screen": {}, "a lost stop": {Width: 10, Height: 10, Stops: []Stop{{math.NaN(), 1, 1}}},
		"a negative time": {Width: 10, Height: 10, Stops: []Stop{{1, 1, -1}}}, "an endless screen": {Width: math.Inf(1), Height: 1},
	} {
		if _, err := p.Image(); err == nil {
			t.Errorf("%s: drawn", name)
		}
	}
	p := ScanPath{Width: 800, Height: 600, Stimulus: stimulus(80, 60), Stops: make([]Stop, 100)}
	if img, err := p.Image(); err != nil || img.Bounds().Empty() {
		t.Error(err)
	}
	if got := p.AltText(); !strings.Contains(got, "100 fixations") || !strings.Contains(got, "top left") {
		t.Errorf("alt text %q", got)
	}
}
