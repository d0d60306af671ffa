package report

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Colours of the furniture.
var (
	paper     = color.RGBA{255, 255, 255, 255}
	ink       = color.RGBA{28, 28, 30, 255}
	faint     = color.RGBA{96, 96, 102, 255}
	hairline  = color.RGBA{150, 150, 156, 255}
	stripBack = color.RGBA{32, 36, 46, 255}
	voidBack  = color.RGBA{176, 0, 32, 255}
)

const (
	margin     = 24 // px around everything
	textSize   = 15 // px
	smallSize  = 13
	titleSize  = 20
	lineFactor = 1.35
)

// style is a typeface at a size.
type style struct {
	face   font.Face
	height int // px from line to line
	ascent int
}

// sheet is a picture under construction. The library's fast paths want its
// RGBA, not the sheet itself. It remembers where text was set, so
// that tests can see that none is cut or overprinted.
type sheet struct {
	*image.RGBA
	styles styles
	labels []label
}

type label struct {
	text string
	at   image.Rectangle
}

type styles struct{ title, text, small, bold style }

func newStyles() (styles, error) {
	regular, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return styles{}, fmt.Errorf("report: typeface: %w", err)
	}
	bold, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return styles{}, fmt.Errorf("report: typeface: %w", err)
	}
	var s styles
	for _, f := range []struct {
		to   *style
		font *opentype.Font
		size float64
	}{{&s.title, bold, titleSize}, {&s.text, regular, textSize}, {&s.small, regular, smallSize}, {&s.bold, bold, textSize}} {
		face, err := opentype.NewFace(f.font, &opentype.FaceOptions{Size: f.size, DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			return styles{}, fmt.Errorf("report: typeface: %w", err)
		}
		*f.to = style{face, int(math.Ceil(f.size * lineFactor)), face.Metrics().Ascent.Ceil()}
	}
	return s, nil
}

func (s styles) sheet(width, height int) *sheet {
	out := &sheet{RGBA: image.NewRGBA(image.Rect(0, 0, width, height)), styles: s}
	draw.Draw(out.RGBA, out.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return out
}

// width is how wide a line of text is, in px.
func (s style) width(text string) int { return font.MeasureString(s.face, text).Ceil() }

// wrap breaks text into lines of at most width px: at spaces where possible,
// else inside words.
func (s style) wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			joined := strings.TrimSpace(line + " " + word)
			if s.width(joined) <= width {
				line = joined
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			var whole []string
			whole, line = s.split(word, width)
			lines = append(lines, whole...)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// split cuts a word that is too wide into full lines and a rest.
func (s style) split(word string, width int) (full []string, rest string) {
	for s.width(word) > width {
		n := 0
		for i := range word {
			if i > 0 && s.width(word[:i]) > width {
				break
			}
			n = i
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(word)
		}
		if n == len(word) {
			break
		}
		full, word = append(full, word[:n]), word[n:]
	}
	return full, word
}

// height is that of several lines.
func (s style) block(lines []string) int { return len(lines) * s.height }

// set writes one line with its top left corner at (x, y).
func (s *sheet) set(f style, text string, x, y int, c color.Color) {
	d := font.Drawer{Dst: s.RGBA, Src: image.NewUniform(c), Face: f.face, Dot: fixed.P(x, y+f.ascent)}
	d.DrawString(text)
	s.labels = append(s.labels, label{text, image.Rect(x, y, x+f.width(text), y+f.height)})
}

// setLines writes lines below each other and returns the y below them.
func (s *sheet) setLines(f style, lines []string, x, y int, c color.Color) int {
	for _, line := range lines {
		s.set(f, line, x, y, c)
		y += f.height
	}
	return y
}

func (s *sheet) fill(r image.Rectangle, c color.Color) {
	draw.Draw(s.RGBA, r, image.NewUniform(c), image.Point{}, draw.Over)
}

// frame draws a border of one px around r.
func (s *sheet) frame(r image.Rectangle, c color.Color) {
	r = r.Inset(-1)
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+1)}, {image.Pt(r.Min.X, r.Max.Y-1), r.Max},
		{r.Min, image.Pt(r.Min.X+1, r.Max.Y)}, {image.Pt(r.Max.X-1, r.Min.Y), r.Max},
	} {
		s.fill(side, c)
	}
}

// blend lays c with opacity alpha over one pixel. It is faster than draw.
func (s *sheet) blend(x, y int, c color.RGBA, alpha float64) {
	i := s.PixOffset(x, y)
	p := s.Pix[i : i+4 : i+4]
	a := int(alpha*256 + 0.5)
	p[0] = uint8((int(p[0])*(256-a) + int(c.R)*a) >> 8)
	p[1] = uint8((int(p[1])*(256-a) + int(c.G)*a) >> 8)
	p[2] = uint8((int(p[2])*(256-a) + int(c.B)*a) >> 8)
}

// hatch marks a pixel of an area that cannot be told from noise: diagonal
// lines, dark beside light, that are seen on any background and hide little
// of it.
func (s *sheet) hatch(x, y int) {
	switch (x + y) % 9 {
	case 0:
		s.blend(x, y, color.RGBA{40, 40, 44, 255}, 0.42)
	case 1:
		s.blend(x, y, color.RGBA{255, 255, 255, 255}, 0.42)
	}
}

// point is a position on the sheet in px.
type point struct{ x, y float64 }

// outline draws a closed polygon clipped to r: a dark line with a light core,
// seen on any background.
func (s *sheet) outline(corners []point, r image.Rectangle) {
	s.stroke(corners, r, 4, color.RGBA{20, 20, 22, 255})
	s.stroke(corners, r, 2, color.RGBA{255, 255, 255, 255})
}

// stroke rasterises line by line: large areas would cost their whole surface.
func (s *sheet) stroke(corners []point, r image.Rectangle, width float64, c color.Color) {
	for i, b := range corners {
		a, b, ok := clip(corners[(i+len(corners)-1)%len(corners)], b, r.Inset(-whole(2*width)))
		if !ok {
			continue
		}
		box := image.Rect(whole(math.Min(a.x, b.x)-width), whole(math.Min(a.y, b.y)-width),
			whole(math.Max(a.x, b.x)+width)+1, whole(math.Max(a.y, b.y)+width)+1).Intersect(r)
		if box.Empty() {
			continue
		}
		z := vector.NewRasterizer(box.Dx(), box.Dy())
		x, y := float64(box.Min.X), float64(box.Min.Y)
		segment(z, point{a.x - x, a.y - y}, point{b.x - x, b.y - y}, width/2)
		z.Draw(s.RGBA, box, image.NewUniform(c), image.Point{})
	}
}

func whole(v float64) int { return int(math.Floor(v)) }

// clip is the part of a line inside r (Liang and Barsky 1984): areas may lie
// anywhere, and the rasteriser wants numbers of its own size.
func clip(a, b point, r image.Rectangle) (from, to point, ok bool) {
	d := point{b.x - a.x, b.y - a.y}
	t0, t1 := 0.0, 1.0
	for _, side := range [...][2]float64{
		{-d.x, a.x - float64(r.Min.X)}, {d.x, float64(r.Max.X) - a.x},
		{-d.y, a.y - float64(r.Min.Y)}, {d.y, float64(r.Max.Y) - a.y},
	} {
		p, q := side[0], side[1]
		switch {
		case p < 0:
			t0 = math.Max(t0, q/p)
		case p > 0:
			t1 = math.Min(t1, q/p)
		case !(q >= 0): // parallel and outside, or no number
			return a, b, false
		}
	}
	return point{a.x + t0*d.x, a.y + t0*d.y}, point{a.x + t1*d.x, a.y + t1*d.y}, t0 <= t1
}

// segment adds a line as a rectangle that sticks out by half its width, so
// that corners close.
func segment(z *vector.Rasterizer, a, b point, half float64) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	ux, uy := (b.x-a.x)/length*half, (b.y-a.y)/length*half
	z.MoveTo(float32(a.x-ux+uy), float32(a.y-uy-ux))
	z.LineTo(float32(b.x+ux+uy), float32(b.y+uy-ux))
	z.LineTo(float32(b.x+ux-uy), float32(b.y+uy+ux))
	z.LineTo(float32(a.x-ux-uy), float32(a.y-uy+ux))
	z.ClosePath()
}

// strip is the band at the foot of every picture that holds the guarantee.
type strip struct {
	lines []string
	face  style
	back  color.RGBA
}

func (s styles) strip(guarantee string, void bool, width int) strip {
	g := strings.TrimSpace(guarantee)
	switch {
	case void && g == "":
		g = "NOT PRIVATE: none"
	case void && !strings.HasPrefix(g, "NOT PRIVATE"):
		g = "NOT PRIVATE: " + g
	case g == "":
		g = "no guarantee stated"
	}
	b := strip{face: s.text, back: stripBack}
	if void {
		b.face, b.back = s.bold, voidBack
	}
	b.lines = b.face.wrap(g, width-2*margin)
	return b
}

func (b strip) height() int { return b.face.block(b.lines) + 20 }

// drawStrip draws the strip at the foot of the sheet.
func (s *sheet) drawStrip(b strip) {
	top := s.Rect.Max.Y - b.height()
	s.fill(image.Rect(0, top, s.Rect.Max.X, s.Rect.Max.Y), b.back)
	s.setLines(b.face, b.lines, margin, top+10, color.White)
}
