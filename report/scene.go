package report

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Shape is one thing to paint, in px from the top left.
type Shape struct {
	Oval       bool // else a rectangle; ignored for a bare text
	X, Y, W, H float64
	Color      [3]uint8
	Text       string // set into the rectangle, as large as it fits
	Bare       bool   // text without a ground
}

// Scene is a painted stimulus: what simulated people look at.
type Scene struct {
	Width, Height int
	Background    [3]uint8
	Shapes        []Shape
}

// Image paints the shapes in order.
func (s Scene) Image() (*image.RGBA, error) {
	if s.Width < 1 || s.Height < 1 || s.Width > 1<<14 || s.Height > 1<<14 {
		return nil, errors.New("report: a scene needs a size of 1 to 16384 px")
	}
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rect(0, 0, s.Width, s.Height))
	draw.Draw(m, m.Bounds(), image.NewUniform(solid(s.Background)), image.Point{}, draw.Src)
	for _, shape := range s.Shapes {
		if !shape.Bare {
			shape.fill(m)
		}
		if err := shape.letter(m, f); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func solid(c [3]uint8) color.RGBA { return color.RGBA{c[0], c[1], c[2], 255} }

func (s Shape) fill(m *image.RGBA) {
	z := vector.NewRasterizer(m.Bounds().Dx(), m.Bounds().Dy())
	for i := range 72 {
		a := 2 * math.Pi * float64(i) / 72
		x, y := s.X+s.W/2*(1+math.Cos(a)), s.Y+s.H/2*(1+math.Sin(a))
		if !s.Oval {
			x, y = s.X+s.W*step(math.Cos(a)), s.Y+s.H*step(math.Sin(a))
		}
		if i == 0 {
			z.MoveTo(float32(x), float32(y))
		} else {
			z.LineTo(float32(x), float32(y))
		}
	}
	z.ClosePath()
	z.Draw(m, m.Bounds(), image.NewUniform(solid(s.Color)), image.Point{})
}

func step(v float64) float64 {
	if v > 0 {
		return 1
	}
	return 0
}

// letter sets the text in black or white, whichever reads better.
func (s Shape) letter(m *image.RGBA, f *opentype.Font) error {
	if s.Text == "" {
		return nil
	}
	size := s.H * 0.75
	for {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
		if err != nil {
			return err
		}
		w := font.MeasureString(face, s.Text)
		if float64(w.Ceil()) > s.W*0.95 && size > 1 {
			size *= 0.93
			continue
		}
		d := font.Drawer{Dst: m, Src: image.NewUniform(s.ink()), Face: face}
		d.Dot = fixed.Point26_6{X: fixed.I(int(s.X + (s.W-float64(w.Ceil()))/2)), Y: fixed.I(int(s.Y + s.H/2 + size*0.35))}
		d.DrawString(s.Text)
		return face.Close()
	}
}

func (s Shape) ink() color.Color {
	light := 0.3*float64(s.Color[0]) + 0.59*float64(s.Color[1]) + 0.11*float64(s.Color[2])
	if s.Bare || light > 140 {
		return color.RGBA{25, 25, 30, 255}
	}
	return color.RGBA{245, 245, 248, 255}
}
