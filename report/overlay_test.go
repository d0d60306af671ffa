package report

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"testing"
)

// hill is a map with one peak in a cell.
func hill(cols, rows, x, y int) []float64 {
	v := make([]float64, cols*rows)
	for i := range v {
		dx, dy := float64(i%cols-x), float64(i/cols-y)
		v[i] = math.Exp(-(dx*dx + dy*dy) / 8)
	}
	return v
}

// TestOverlayAgreesWithTheHeatmap: the same value has the same colour on the
// same pixel, whichever draws it.
func TestOverlayAgreesWithTheHeatmap(t *testing.T) {
	values := hill(40, 30, 10, 8)
	o := Overlay{Cols: 40, Rows: 30, Cell: 20, Width: 800, Height: 600, Values: values, NoiseFloor: 0.2, Alpha: 1}
	img, err := o.Image()
	if err != nil {
		t.Fatal(err)
	}
	c, err := curveOf("")
	if err != nil {
		t.Fatal(err)
	}
	fine := resample(values, axisTaps(40, 20, 800, 1), axisTaps(30, 20, 600, 1), 40)
	for i := 0; i < len(fine); i += 97 {
		got := img.At(i%800, i/800).(color.NRGBA)
		if fine[i] < 0.2 {
			if got != (color.NRGBA{}) && got != (color.NRGBA{40, 40, 44, 107}) && got != (color.NRGBA{255, 255, 255, 107}) {
				t.Fatalf("pixel %d: %v lies below the noise floor and is coloured %v", i, fine[i], got)
			}
			continue
		}
		want := c.at(fine[i]) // the scale ends at 1
		for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
			if d < -4 || d > 4 {
				t.Fatalf("pixel %d of value %v is %v, want %v", i, fine[i], got, want)
			}
		}
	}
}

// TestOverlayPNG: what is written is a paletted picture with transparency.
func TestOverlayPNG(t *testing.T) {
	var b bytes.Buffer
	o := Overlay{Cols: 8, Rows: 6, Cell: 10, Width: 80, Height: 60, Values: hill(8, 6, 2, 3), NoiseFloor: 0.5, Colors: Turbo}
	if err := o.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 80 || size.Y != 60 {
		t.Errorf("size %v", size)
	}
	clear := 0
	for i := range 80 * 60 {
		if _, _, _, a := img.At(i%80, i/80).RGBA(); a == 0 {
			clear++
		}
	}
	if clear < 80*60/3 || clear == 80*60 {
		t.Errorf("%d of %d pixels are clear", clear, 80*60)
	}
	if _, _, _, a := img.At(25, 35).RGBA(); a < 0xb000 || a > 0xd000 {
		t.Errorf("opacity at the peak %x", a)
	}
}

func TestOverlayRefuses(t *testing.T) {
	good := Overlay{Cols: 2, Rows: 2, Cell: 10, Width: 20, Height: 20, Values: make([]float64, 4)}
	if _, err := good.Image(); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]func(*Overlay){
		"values": func(o *Overlay) { o.Values = o.Values[:3] },
		"NaN":    func(o *Overlay) { o.Values = []float64{0, 0, 0, math.NaN()} },
		"size":   func(o *Overlay) { o.Width = 0 },
		"huge":   func(o *Overlay) { o.Width, o.Height = 1<<20, 1<<20 },
		"colors": func(o *Overlay) { o.Colors = "rainbow" },
		"peak":   func(o *Overlay) { o.Peak = math.NaN() },
	} {
		o := good
		bad(&o)
		if _, err := o.Image(); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// BenchmarkOverlay draws the map of a screen of 1050 × 1680 px.
func BenchmarkOverlay(b *testing.B) {
	o := Overlay{Cols: 88, Rows: 140, Cell: 12, Width: 1050, Height: 1680, Values: hill(88, 140, 30, 50), NoiseFloor: 0.05}
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := o.WritePNG(&out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(out.Len()), "bytes")
}
