package report

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// Trail is a see-through picture of gaze sample by sample, to lay over the
// stimulus: a dot for every sample, joined by a line, one colour for each path.
// It shows noise as it is, which a [ScanPath] does not.
type Trail struct {
	Width, Height float64        // px of the screen; required
	Paths         [][][2]float64 // x, y in px from the top left; a position that is no number is a gap
	Synthetic     bool           // drawn from a model: the picture is marked with the word
}

const (
	trailSide = 1200 // px of the longer side, at most
	trailLine = 1.3  // px
	trailDot  = 2.2  // radius
	mostDots  = 20_000
)

// WritePNG draws the trail as a PNG with transparency.
func (t Trail) WritePNG(w io.Writer) error { return writePNG(w, t.Image) }

// Image draws the trail.
func (t Trail) Image() (*image.RGBA, error) {
	if !(t.Width >= 1 && t.Height >= 1 && t.Width <= 1e6 && t.Height <= 1e6) {
		return nil, fmt.Errorf("report: a trail needs a screen of 1 to 1e6 px, got %v × %v", t.Width, t.Height)
	}
	dots := 0
	for _, p := range t.Paths {
		dots += len(p)
	}
	if dots > mostDots {
		return nil, errors.New("report: a trail has too many samples to tell apart")
	}
	zoom := math.Min(1, trailSide/math.Max(t.Width, t.Height))
	size := image.Rect(0, 0, max(1, int(t.Width*zoom)), max(1, int(t.Height*zoom)))
	s := &sheet{RGBA: image.NewRGBA(size)}
	for i, path := range t.Paths {
		s.trail(path, zoom, curveColours[i%len(curveColours)])
	}
	if t.Synthetic {
		if err := (&walkway{sheet: s, panel: size}).mark(); err != nil {
			return nil, err
		}
	}
	return s.RGBA, nil
}

// trail draws one path: what lies far outside is left out.
func (s *sheet) trail(path [][2]float64, zoom float64, c color.RGBA) {
	var last point
	down := false
	for _, p := range path {
		at := point{p[0] * zoom, p[1] * zoom}
		if math.IsNaN(at.x + at.y) {
			down = false
			continue
		}
		if down {
			s.trailLine(last, at, c)
		}
		s.dot(at, c)
		last, down = at, true
	}
}

func (s *sheet) trailLine(a, b point, c color.RGBA) {
	a, b, ok := clip(a, b, s.Rect)
	if !ok {
		return
	}
	box := image.Rect(whole(math.Min(a.x, b.x))-2, whole(math.Min(a.y, b.y))-2, whole(math.Max(a.x, b.x))+3, whole(math.Max(a.y, b.y))+3).Intersect(s.Rect)
	if box.Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	x, y := float64(box.Min.X), float64(box.Min.Y)
	segment(z, point{a.x - x, a.y - y}, point{b.x - x, b.y - y}, trailLine/2)
	c.A = 255
	z.Draw(s.RGBA, box, image.NewUniform(color.NRGBA{c.R, c.G, c.B, 130}), image.Point{})
}

// dot is a filled circle, its edge softened over one pixel.
func (s *sheet) dot(at point, c color.RGBA) {
	if !(at.x > -5 && at.y > -5 && at.x < float64(s.Rect.Dx())+5 && at.y < float64(s.Rect.Dy())+5) {
		return
	}
	for y := whole(at.y - 3); y <= whole(at.y+3); y++ {
		for x := whole(at.x - 3); x <= whole(at.x+3); x++ {
			alpha := math.Min(1, trailDot+0.5-math.Hypot(float64(x)+0.5-at.x, float64(y)+0.5-at.y))
			if alpha > 0 && image.Pt(x, y).In(s.Rect) {
				s.over(x, y, c, alpha)
			}
		}
	}
}

// over lays a colour over a pixel that may be see-through.
func (s *sheet) over(x, y int, c color.RGBA, alpha float64) {
	p := s.Pix[s.PixOffset(x, y):]
	for i, v := range [4]uint8{c.R, c.G, c.B, 255} {
		p[i] = uint8(float64(v)*alpha + float64(p[i])*(1-alpha) + 0.5)
	}
}
