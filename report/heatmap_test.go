package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/grid"
)

const promise = "(1, 1e-05)-DP per subject, replace one, central · n = 300 · clip 5 places · cell 8 px · halfblur"

// hot is a map with one value of 1 and zeros elsewhere.
func hot(cols, rows, col, row int) Heatmap {
	h := Heatmap{Cols: cols, Rows: rows, Cell: 10, Values: make([]float64, cols*rows), Guarantee: promise, Title: "Hot spot", Unit: "s"}
	h.Values[row*cols+col] = 1
	return h
}

// panelOf is where the i-th picture lies on the sheet.
func panelOf(t testing.TB, f Film, i int) image.Rectangle {
	t.Helper()
	styles, err := newStyles()
	if err != nil {
		t.Fatal(err)
	}
	l := f.resolved().layout(styles)
	at := image.Pt(margin+i%l.columns*l.pitch().X, l.top+i/l.columns*l.pitch().Y+l.above)
	return image.Rectangle{Max: l.panel}.Add(at)
}

func single(h Heatmap) Film { return Film{h, []Frame{{Values: h.Values}}} }

// TestOrientation: the cell in column c and row r from the top left of the
// data is the one that is bright at that place of the PNG, whatever the shape.
func TestOrientation(t *testing.T) {
	for _, c := range []struct{ cols, rows, col, row int }{
		{20, 12, 0, 0}, {20, 12, 19, 0}, {20, 12, 0, 11}, {20, 12, 19, 11}, {20, 12, 4, 2},
		{12, 30, 0, 0}, {12, 30, 11, 0}, {12, 30, 3, 25}, {7, 7, 5, 1},
	} {
		h := hot(c.cols, c.rows, c.col, c.row)
		var file bytes.Buffer
		if err := h.WritePNG(&file); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		r := panelOf(t, single(h), 0)
		at := func(col, row int) image.Point {
			return image.Pt(r.Min.X+(2*col+1)*r.Dx()/(2*c.cols), r.Min.Y+(2*row+1)*r.Dy()/(2*c.rows))
		}
		ramp, _ := newRamp(Viridis)
		for row := range c.rows {
			for col := range c.cols {
				want := ramp.at(0)
				if col == c.col && row == c.row {
					want = ramp.at(1)
				}
				p := at(col, row)
				if got := color.RGBAModel.Convert(img.At(p.X, p.Y)).(color.RGBA); distance(got, want) > 60 {
					t.Errorf("%+v: cell (%d, %d) has the colour %v, want about %v", c, col, row, got, want)
				}
			}
		}
	}
}

func distance(a, b color.RGBA) float64 {
	return math.Abs(float64(a.R)-float64(b.R)) + math.Abs(float64(a.G)-float64(b.G)) + math.Abs(float64(a.B)-float64(b.B))
}

// checkLabels: every text lies inside the sheet and touches no other.
func checkLabels(t interface{ Errorf(string, ...any) }, s *sheet) {
	for i, a := range s.labels {
		if !a.at.In(s.Rect) {
			t.Errorf("%q at %v is cut off by the sheet %v", a.text, a.at, s.Rect)
		}
		for _, b := range s.labels[:i] {
			if a.at.Overlaps(b.at) {
				t.Errorf("%q at %v overprints %q at %v", a.text, a.at, b.text, b.at)
			}
		}
	}
}

// written is all text on the sheet without spaces.
func written(s *sheet) string {
	var b strings.Builder
	for _, l := range s.labels {
		b.WriteString(l.text)
	}
	return squeeze(b.String())
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// TestNoTextIsCut draws random sheets: whatever the texts and sizes, all of it
// is there, inside, and readable.
func TestNoTextIsCut(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{
		"dwell", "ε", "of", "participants", "(1,", "1e-05)-DP", "·", "share", "degree²", "Donaudampfschifffahrtsgesellschaftskapitaen",
		"an_identifier_that_is_so_long_that_no_line_of_any_sensible_width_could_ever_hold_it_all_and_which_goes_on_for_more_than_two_hundred_characters_just_to_be_sure_that_it_must_be_broken_somewhere_in_the_middle", "日本語のとても長い題名",
	}), 0, 60)
	rapid.Check(t, func(t *rapid.T) {
		h := Heatmap{
			Title: strings.Join(words.Draw(t, "title"), " "), Unit: strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"share", "of", "dwell", "per", "degree²"}), 0, 8).Draw(t, "unit"), " "),
			Guarantee: strings.Join(words.Draw(t, "guarantee"), " "), Void: rapid.Bool().Draw(t, "void"),
			Cols: rapid.IntRange(1, 12).Draw(t, "cols"), Rows: rapid.IntRange(1, 12).Draw(t, "rows"), Cell: rapid.Float64Range(0.5, 200).Draw(t, "cell"),
			NoiseFloor: rapid.SampledFrom([]float64{0, 1e-9, 0.003, 0.2, 5, 1e7}).Draw(t, "floor"),
		}
		scale := rapid.SampledFrom([]float64{1e-12, 1e-3, 1, 1234567, 0}).Draw(t, "scale")
		f := Film{Heatmap: h}
		for i := range rapid.IntRange(1, 5).Draw(t, "frames") {
			frame := Frame{Label: strings.Join(words.Draw(t, "label"), " ")}
			for k := range h.Cols * h.Rows {
				frame.Values = append(frame.Values, scale*float64((k*7+i)%11))
			}
			f.Frames = append(f.Frames, frame)
		}
		s, err := f.draw()
		if err != nil {
			t.Fatal(err)
		}
		checkLabels(t, s)
		text := written(s)
		for _, want := range append([]string{f.Title, f.Guarantee, f.Unit}, labelsOf(f)...) {
			if !strings.Contains(text, squeeze(want)) {
				t.Errorf("%q is not on the sheet", want)
			}
		}
		if strings.Contains(text, "NOTPRIVATE") != f.Void {
			t.Errorf("void %v, and the sheet says %q", f.Void, text)
		}
		if strings.Contains(text, "noisefloor") != (f.NoiseFloor > 0) {
			t.Errorf("noise floor %v, and the sheet says %q", f.NoiseFloor, text)
		}
	})
}

func labelsOf(f Film) []string {
	var out []string
	for _, frame := range f.Frames {
		out = append(out, frame.Label)
	}
	return out
}

// TestStripIsLoud: the foot of a void picture is red, of another it is not.
func TestStripIsLoud(t *testing.T) {
	for _, void := range []bool{false, true} {
		h := hot(4, 4, 0, 0)
		h.Void, h.Guarantee = void, "none (a test; nominal ε = 3)"
		img, err := h.Image()
		if err != nil {
			t.Fatal(err)
		}
		c := img.RGBAAt(2, img.Rect.Max.Y-3)
		if red := c.R > 150 && c.G < 60; red != void {
			t.Errorf("void %v: the strip has the colour %v", void, c)
		}
	}
}

func stimulus(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		img.SetRGBA(x, y, color.RGBA{uint8(255 * x / w), uint8(255 * y / h), 128, 255})
	}
	return img
}

// TestHatchingHidesNothing: below the noise floor two of nine pixels are
// marked and the others show the stimulus as it is.
func TestHatchingHidesNothing(t *testing.T) {
	h := Heatmap{Cols: 8, Rows: 6, Cell: 100, Values: make([]float64, 48), NoiseFloor: 1, Stimulus: stimulus(800, 600)}
	s, err := single(h).draw()
	if err != nil {
		t.Fatal(err)
	}
	p := painter{Film: single(h).resolved(), layout: single(h).resolved().layout(s.styles)}
	backdrop, r := p.background(), panelOf(t, single(h), 0)
	changed := 0
	for i := range r.Dx() * r.Dy() {
		x, y := i%r.Dx(), i/r.Dx()
		if s.RGBAAt(r.Min.X+x, r.Min.Y+y) != backdrop.RGBAAt(x, y) {
			changed++
		}
	}
	if share := float64(changed) / float64(r.Dx()*r.Dy()); math.Abs(share-2.0/9) > 0.02 {
		t.Errorf("%.3f of the pixels are marked, want 2/9", share)
	}
}

// TestAlphaMixesHalf: over a stimulus the map covers half, without one all.
func TestAlphaMixesHalf(t *testing.T) {
	h := Heatmap{Cols: 2, Rows: 2, Cell: 100, Values: []float64{1, 1, 1, 1}}
	ramp, _ := newRamp("")
	r := panelOf(t, single(h), 0)
	middle := r.Min.Add(r.Size().Div(2))
	bare, err := h.Image()
	if err != nil {
		t.Fatal(err)
	}
	if got := bare.RGBAAt(middle.X, middle.Y); distance(got, ramp.at(1)) > 3 {
		t.Errorf("bare: %v, want %v", got, ramp.at(1))
	}
	black := image.NewRGBA(image.Rect(0, 0, 10, 10))
	for i := range 100 {
		black.SetRGBA(i%10, i/10, color.RGBA{A: 255})
	}
	h.Stimulus = black
	over, err := h.Image()
	if err != nil {
		t.Fatal(err)
	}
	top := ramp.at(1)
	want := color.RGBA{top.R / 2, top.G / 2, top.B / 2, 255}
	if got := over.RGBAAt(middle.X, middle.Y); distance(got, want) > 4 {
		t.Errorf("over black: %v, want %v", got, want)
	}
}

// TestStimulusKeepsItsAspect: a square picture on a wide screen stands in the
// middle and is not stretched.
func TestStimulusKeepsItsAspect(t *testing.T) {
	white := image.NewRGBA(image.Rect(0, 0, 50, 50))
	for i := range white.Pix {
		white.Pix[i] = 255
	}
	h := Heatmap{Cols: 4, Rows: 1, Cell: 100, Values: make([]float64, 4), Stimulus: white}
	styles, err := newStyles()
	if err != nil {
		t.Fatal(err)
	}
	f := single(h).resolved()
	p := painter{Film: f, layout: f.layout(styles)}
	b := p.background()
	first, last, n := -1, -1, 0
	for x := range b.Rect.Dx() {
		if b.RGBAAt(x, b.Rect.Dy()/2) == (color.RGBA{255, 255, 255, 255}) {
			if first < 0 {
				first = x
			}
			last, n = x, n+1
		}
	}
	if math.Abs(float64(n-b.Rect.Dy())) > 2 || math.Abs(float64(first-(b.Rect.Dx()-1-last))) > 2 {
		t.Errorf("white from %d to %d of %d columns, %d rows", first, last, b.Rect.Dx(), b.Rect.Dy())
	}
}

func TestRefusals(t *testing.T) {
	good := hot(3, 2, 0, 0)
	for name, spoil := range map[string]func(*Heatmap){
		"no cells":       func(h *Heatmap) { h.Cols = 0 },
		"huge":           func(h *Heatmap) { h.Cols, h.Rows = math.MaxInt, math.MaxInt },
		"missing values": func(h *Heatmap) { h.Values = h.Values[:5] },
		"NaN":            func(h *Heatmap) { h.Values[3] = math.NaN() },
		"infinite":       func(h *Heatmap) { h.Values[3] = math.Inf(-1) },
		"cell":           func(h *Heatmap) { h.Cell = 0 },
		"NaN cell":       func(h *Heatmap) { h.Cell = math.NaN() },
		"width":          func(h *Heatmap) { h.Width = -1 },
		"NaN floor":      func(h *Heatmap) { h.NoiseFloor = math.NaN() },
		"alpha":          func(h *Heatmap) { h.Alpha = 1.5 },
		"colours":        func(h *Heatmap) { h.Colors = "jet" },
	} {
		h := good
		h.Values = append([]float64{}, good.Values...)
		spoil(&h)
		if _, err := h.Image(); err == nil || !strings.HasPrefix(err.Error(), "report: ") {
			t.Errorf("%s: want an error of this package, got %v", name, err)
		}
	}
	if _, err := (Film{Heatmap: good}).Image(); err == nil {
		t.Error("a film without frames: want an error")
	}
}

// TestOddMaps: constant, zero, negative, tiny and huge values, one cell, no
// title: a picture, and a colour bar with at least two numbers.
func TestOddMaps(t *testing.T) {
	for name, h := range map[string]Heatmap{
		"one cell":    {Cols: 1, Rows: 1, Cell: 50, Values: []float64{3}},
		"one zero":    {Cols: 1, Rows: 1, Cell: 50, Values: []float64{0}},
		"constant":    {Cols: 2, Rows: 2, Cell: 50, Values: []float64{2, 2, 2, 2}},
		"zeros":       {Cols: 2, Rows: 2, Cell: 50, Values: make([]float64, 4)},
		"negative":    {Cols: 2, Rows: 2, Cell: 50, Values: []float64{-1, -2, -3, -4}},
		"mixed":       {Cols: 2, Rows: 1, Cell: 50, Values: []float64{-1, 1}, NoiseFloor: 0.5},
		"denormal":    {Cols: 2, Rows: 1, Cell: 50, Values: []float64{0, 5e-324}},
		"huge":        {Cols: 2, Rows: 1, Cell: 50, Values: []float64{0, 1e300}},
		"only noise":  {Cols: 2, Rows: 1, Cell: 50, Values: []float64{0.1, 0.2}, NoiseFloor: 3},
		"a row":       {Cols: 500, Rows: 1, Cell: 4, Values: make([]float64, 500)},
		"a column":    {Cols: 1, Rows: 500, Cell: 4, Values: make([]float64, 500)},
		"small cells": {Cols: 3, Rows: 2, Cell: 0.01, Values: make([]float64, 6)},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := single(h).draw()
			if err != nil {
				t.Fatal(err)
			}
			checkLabels(t, s)
			numbers := 0
			for _, l := range s.labels {
				if strings.Trim(l.text, "0123456789.−") == "" {
					numbers++
				}
			}
			if numbers < 2 && h.NoiseFloor == 0 {
				t.Errorf("the colour bar has %d numbers: %v", numbers, s.labels)
			}
			if alt := h.AltText(); strings.Contains(alt, "NaN") || !strings.HasSuffix(alt, ".") {
				t.Errorf("alt text %q", alt)
			}
		})
	}
}

// TestFilm: frames stand in reading order on one scale.
func TestFilm(t *testing.T) {
	f := Film{Heatmap: Heatmap{Cols: 4, Rows: 4, Cell: 10, Guarantee: promise}}
	for i := range 6 {
		values := make([]float64, 16)
		for k := range values {
			values[k] = float64(i)
		}
		f.Frames = append(f.Frames, Frame{Label: fmt.Sprint("step ", i), Values: values})
	}
	img, err := f.Image()
	if err != nil {
		t.Fatal(err)
	}
	ramp, _ := newRamp("")
	for i := range 6 {
		r := panelOf(t, f, i)
		middle := r.Min.Add(r.Size().Div(2))
		if got, want := img.RGBAAt(middle.X, middle.Y), ramp.at(float64(i)/5); distance(got, want) > 6 {
			t.Errorf("frame %d: %v, want %v", i, got, want)
		}
	}
	if alt := f.AltText(); !strings.Contains(alt, "picture 6 of 6") {
		t.Errorf("alt text %q", alt)
	}
}

func TestAltText(t *testing.T) {
	h := hot(30, 30, 29, 0)
	h.NoiseFloor, h.Void = 0.5, true
	for _, want := range []string{"“Hot spot”", "1 s", "at the top right", "100 % of the area cannot be told from noise", "not private"} {
		if alt := h.AltText(); !strings.Contains(alt, want) {
			t.Errorf("%q lacks %q", alt, want)
		}
	}
	h.Alt = "mine"
	if h.AltText() != "mine" {
		t.Error("the caller's text is not used")
	}
}

// TestAreas: outlines and names lie inside the picture, whatever the areas.
func TestAreas(t *testing.T) {
	plain := Heatmap{Cols: 16, Rows: 9, Cell: 20, Values: make([]float64, 144)}
	without, err := plain.Image()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		h := plain
		number := rapid.SampledFrom([]float64{-1e9, -50, 0, 0.5, 100, 300, 319, 320, 5000, 1e12})
		for range rapid.IntRange(0, 4).Draw(t, "areas") {
			a := grid.AOI{Name: rapid.SampledFrom([]string{"", "face", "a name that is longer than the picture is wide, by far, as some people like to write whole sentences into their areas of interest, which can be told from the chart"}).Draw(t, "name"),
				X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Width: number.Draw(t, "width"), Height: number.Draw(t, "height")}
			if rapid.Bool().Draw(t, "polygon") {
				a.Polygon = []grid.Point{{X: a.X, Y: a.Y}, {X: a.X + a.Width, Y: a.Y}, {X: a.X, Y: a.Y + a.Height}}
			}
			h.AOIs = append(h.AOIs, a)
		}
		s, err := single(h).draw()
		if err != nil {
			t.Fatal(err)
		}
		styles, _ := newStyles()
		l := single(h).resolved().layout(styles)
		r := image.Rectangle{Max: l.panel}.Add(image.Pt(margin, l.top+l.above))
		for _, img := range []*image.RGBA{s.RGBA, without} {
			draw.Draw(img, r, image.White, image.Point{}, draw.Src)
		}
		if !bytes.Equal(s.Pix, without.Pix) {
			t.Fatalf("an area marks something outside of the picture %v", r)
		}
	})
}

// TestAreaIsWhereItShouldBe: the outline of a rectangle passes through its
// corners on the sheet.
func TestAreaIsWhereItShouldBe(t *testing.T) {
	h := Heatmap{Cols: 10, Rows: 5, Cell: 10, Values: make([]float64, 50), AOIs: grid.AOIs{{X: 20, Y: 10, Width: 30, Height: 20}}}
	img, err := h.Image()
	if err != nil {
		t.Fatal(err)
	}
	r := panelOf(t, single(h), 0)
	zoom := float64(r.Dx()) / 100
	for _, c := range [][2]float64{{35, 10}, {35, 30}, {20, 20}, {50, 20}} { // middles of the sides
		x, y := r.Min.X+int(c[0]*zoom), r.Min.Y+int(c[1]*zoom)
		white := false
		for d := -2; d <= 2; d++ {
			white = white || img.RGBAAt(x+d, y).G > 200 || img.RGBAAt(x, y+d).G > 200
		}
		if !white {
			t.Errorf("no outline at (%v, %v) px of the screen", c[0], c[1])
		}
	}
}

func BenchmarkHeatmap(b *testing.B) {
	h := Heatmap{Title: "1680 × 1050", Cols: 1680, Rows: 1050, Cell: 1, Values: make([]float64, 1680*1050), NoiseFloor: 0.3, Guarantee: promise, Unit: "s", Stimulus: stimulus(1680, 1050)}
	for i := range h.Values {
		h.Values[i] = math.Sin(float64(i%1680)/200) * math.Sin(float64(i/1680)/150)
	}
	for b.Loop() {
		if _, err := h.Image(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/picture")
}

func BenchmarkHeatmapPNG(b *testing.B) {
	h := Heatmap{Cols: 210, Rows: 132, Cell: 8, Width: 1680, Height: 1050, Values: make([]float64, 210*132), NoiseFloor: 0.3, Guarantee: promise, Unit: "s", Stimulus: stimulus(1680, 1050)}
	for i := range h.Values {
		h.Values[i] = math.Sin(float64(i%210)/25) * math.Sin(float64(i/210)/19)
	}
	var file bytes.Buffer
	for b.Loop() {
		file.Reset()
		if err := h.WritePNG(&file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/picture")
	b.ReportMetric(float64(file.Len())/1024, "KiB")
}
