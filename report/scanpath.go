package report

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Stop is a fixation of a [ScanPath].
type Stop struct {
	X, Y     float64 // px from the top left corner of the screen
	Duration time.Duration
}

// ScanPath is the picture of where one person, or nobody, looked in which order:
// numbered circles, their radius proportional to the duration, joined by arrows.
// It has no place for the name of a participant.
type ScanPath struct {
	Title         string
	Width, Height float64 // px of the screen; required
	Stops         []Stop  // in order
	Synthetic     bool    // drawn from a model: the picture is marked with the word
	Guarantee     string  // one line, burned in
	Void          bool    // the guarantee does not hold: the strip is loud
	Stimulus      image.Image
	Alt           string // text for those who cannot see; empty = made from the stops
}

const (
	// mostStops that are drawn: more cannot be told apart.
	mostStops = 60
	// largestCircle is the radius of the longest fixation, as a share of the
	// picture's smaller side.
	largestCircle = 0.045
	leastCircle   = 2.0 // px: shorter fixations are as small
	circleAlpha   = 0.55
)

// watermark is the word that stands across what was drawn from a model.
const watermark = "synthetic"

// Image draws the scan path.
func (p ScanPath) Image() (*image.RGBA, error) {
	s, _, err := p.draw()
	if err != nil {
		return nil, err
	}
	return s.RGBA, nil
}

// WritePNG draws the scan path as a PNG.
func (p ScanPath) WritePNG(w io.Writer) error { return writePNG(w, p.Image) }

func (p ScanPath) check() error {
	if !(p.Width >= 1 && p.Height >= 1 && p.Width <= 1e6 && p.Height <= 1e6) {
		return fmt.Errorf("report: a scan path needs a screen of 1 to 1e6 px, got %v × %v", p.Width, p.Height)
	}
	for _, s := range p.Stops {
		if math.IsNaN(s.X+s.Y) || math.IsInf(s.X+s.Y, 0) || s.Duration < 0 {
			return errors.New("report: stops need finite positions and durations that are not negative")
		}
	}
	return nil
}

// shown are the stops that are drawn.
func (p ScanPath) shown() []Stop { return p.Stops[:min(len(p.Stops), mostStops)] }

// AltText describes the path in words, from released numbers alone.
func (p ScanPath) AltText() string {
	if p.Alt != "" {
		return p.Alt
	}
	text := "Scan path"
	if p.Synthetic {
		text = "Synthetic scan path"
	}
	if len(p.Stops) == 0 {
		return text + " without fixations."
	}
	first, last := p.Stops[0], p.shown()[len(p.shown())-1]
	text += fmt.Sprintf(" of %d fixations; the first lies %s, the last that is drawn %s", len(p.Stops), p.place(first), p.place(last))
	if p.Void {
		text += "; not private"
	}
	return text + "."
}

// place is a ninth of the screen in words.
func (p ScanPath) place(s Stop) string {
	third := func(v, side float64) int { return int(math.Min(2, math.Max(0, math.Floor(3*v/side)))) }
	return Film{Heatmap: Heatmap{Cols: 3, Rows: 3}}.place(third(s.X, p.Width), third(s.Y, p.Height))
}

// walkway is a scan path on its way to the sheet.
type walkway struct {
	ScanPath
	sheet  *sheet
	panel  image.Rectangle
	zoom   float64 // px of the picture per px of the screen
	perSec float64 // radius in px of a fixation of one second
	ramp   *ramp
}

func (p ScanPath) draw() (*sheet, image.Rectangle, error) {
	if err := p.check(); err != nil {
		return nil, image.Rectangle{}, err
	}
	styles, err := newStyles()
	if err != nil {
		return nil, image.Rectangle{}, err
	}
	colours, err := newRamp(Viridis)
	if err != nil {
		return nil, image.Rectangle{}, err
	}
	w := walkway{ScanPath: p, ramp: colours}
	w.layOut(styles)
	w.ground()
	w.arrows()
	for i := range w.shown() {
		w.circle(i)
	}
	w.numbers()
	if p.Synthetic {
		err = w.mark()
	}
	w.sheet.frame(w.panel, hairline)
	return w.sheet, w.panel, err
}

// layOut places title, picture, legend and strip.
func (w *walkway) layOut(styles styles) {
	w.zoom = math.Min(longestSide/w.Width, highestSide/w.Height)
	size := image.Pt(max(1, int(math.Round(w.Width*w.zoom))), max(1, int(math.Round(w.Height*w.zoom))))
	width := max(narrowest, size.X+2*margin)
	inner := width - 2*margin
	longest := time.Duration(1)
	for _, s := range w.shown() {
		longest = max(longest, s.Duration)
	}
	w.perSec = largestCircle * float64(min(size.X, size.Y)) / longest.Seconds()
	title := styles.title.wrap(w.Title, inner)
	legend := styles.small.wrap(w.legend(), inner)
	foot := styles.strip(w.Guarantee, w.Void, width)
	top := margin
	if len(title) > 0 {
		top += styles.title.block(title) + 10
	}
	w.sheet = styles.sheet(width, top+size.Y+12+styles.small.block(legend)+gap+foot.height())
	w.panel = image.Rectangle{Max: size}.Add(image.Pt(margin, top))
	w.sheet.setLines(styles.title, title, margin, margin, ink)
	w.sheet.setLines(styles.small, legend, margin, w.panel.Max.Y+12, faint)
	w.sheet.drawStrip(foot)
}

func (w *walkway) legend() string {
	text := "circles: fixations in order, from dark to light; the radius is the duration: "
	text += strconv.FormatFloat(w.perSec/4, 'f', 0, 64) + " px for 250 ms"
	if n := len(w.Stops); n > mostStops {
		text += fmt.Sprintf("; the first %d of %d", mostStops, n)
	}
	if w.Synthetic {
		text = watermark + ": drawn from a model; " + text
	}
	return text
}

// ground is the stimulus, or paper.
func (w *walkway) ground() {
	f := Film{Heatmap: Heatmap{Width: w.Width, Height: w.Height, Stimulus: w.Stimulus}}
	p := painter{Film: f, layout: layout{zoom: w.zoom, panel: w.panel.Size()}}
	back := p.background()
	for y := range back.Rect.Dy() {
		copy(w.sheet.Pix[w.sheet.PixOffset(w.panel.Min.X, w.panel.Min.Y+y):], back.Pix[back.PixOffset(0, y):back.PixOffset(0, y)+4*back.Rect.Dx()])
	}
}

func (w *walkway) at(s Stop) point {
	return point{float64(w.panel.Min.X) + s.X*w.zoom, float64(w.panel.Min.Y) + s.Y*w.zoom}
}

func (w *walkway) radius(s Stop) float64 { return math.Max(leastCircle, w.perSec*s.Duration.Seconds()) }

// arrows from the edge of one circle to the edge of the next.
func (w *walkway) arrows() {
	stops := w.shown()
	for i := 1; i < len(stops); i++ {
		a, b := w.at(stops[i-1]), w.at(stops[i])
		length := math.Hypot(b.x-a.x, b.y-a.y)
		from, to := w.radius(stops[i-1]), w.radius(stops[i])
		if length <= from+to+1 {
			continue // circles that touch need none
		}
		ux, uy := (b.x-a.x)/length, (b.y-a.y)/length
		a, b = point{a.x + from*ux, a.y + from*uy}, point{b.x - to*ux, b.y - to*uy}
		w.line(a, b)
		const head, spread = 12, 0.5
		for _, side := range [...]float64{-spread, spread} {
			sin, cos := math.Sincos(side)
			w.line(point{b.x - head*(ux*cos-uy*sin), b.y - head*(uy*cos+ux*sin)}, b)
		}
	}
}

// line is dark with a light edge, to be seen on any background.
func (w *walkway) line(a, b point) {
	w.sheet.stroke([]point{a, b}, w.panel, 3.4, color.RGBA{255, 255, 255, 255})
	w.sheet.stroke([]point{a, b}, w.panel, 1.6, color.RGBA{40, 40, 48, 255})
}

// shade of a stop: along the path from dark to light.
func (w *walkway) shade(i int) color.RGBA {
	return w.ramp.at(0.15 + 0.8*float64(i)/math.Max(1, float64(len(w.shown())-1)))
}

func (w *walkway) circle(i int) {
	s := w.shown()[i]
	c, r, shade := w.at(s), w.radius(s), w.shade(i)
	if !(c.x+r > float64(w.panel.Min.X) && c.y+r > float64(w.panel.Min.Y) && c.x-r < float64(w.panel.Max.X) && c.y-r < float64(w.panel.Max.Y)) {
		return
	}
	box := image.Rect(whole(c.x-r)-1, whole(c.y-r)-1, whole(c.x+r)+2, whole(c.y+r)+2).Intersect(w.panel)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := math.Hypot(float64(x)+0.5-c.x, float64(y)+0.5-c.y)
			switch inside := r - d; {
			case inside >= 1.5:
				w.sheet.blend(x, y, shade, circleAlpha)
			case inside > -0.5: // the rim
				w.sheet.blend(x, y, color.RGBA{30, 30, 36, 255}, math.Min(1, inside+0.5))
			}
		}
	}
}

// numbers are set where they hide no other and have room.
func (w *walkway) numbers() {
	var taken []image.Rectangle
	f := w.sheet.styles.small
	for i, s := range w.shown() {
		text := strconv.Itoa(i + 1)
		c, r := w.at(s), w.radius(s)
		if !(math.Abs(c.x) < 1e6 && math.Abs(c.y) < 1e6) {
			continue
		}
		width := f.width(text)
		for _, shift := range [...]image.Point{{}, {int(r) + width/2 + 3, 0}, {-int(r) - width/2 - 3, 0}, {0, int(r) + f.height/2}, {0, -int(r) - f.height/2}} {
			at := image.Pt(int(math.Round(c.x))-width/2, int(math.Round(c.y))-f.height/2).Add(shift)
			box := image.Rectangle{at, at.Add(image.Pt(width, f.height))}
			if !box.In(w.panel) || overlaps(box, taken) {
				continue
			}
			taken = append(taken, box)
			w.sheet.set(f, text, at.X, at.Y, ink)
			break
		}
	}
}

func overlaps(box image.Rectangle, others []image.Rectangle) bool {
	for _, o := range others {
		if box.Overlaps(o) {
			return true
		}
	}
	return false
}

// mark writes the watermark across the picture, three times, see-through.
func (w *walkway) mark() error {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return fmt.Errorf("report: typeface: %w", err)
	}
	size := float64(w.panel.Dx()) / 6
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return fmt.Errorf("report: typeface: %w", err)
	}
	over := w.sheet.SubImage(w.panel).(*image.RGBA)
	width := font.MeasureString(face, watermark).Ceil()
	for i, rows := 1, 3; i <= rows; i++ {
		d := font.Drawer{Dst: over, Src: image.NewUniform(color.NRGBA{150, 0, 40, 56}), Face: face}
		x := w.panel.Min.X + (w.panel.Dx()-width)/2
		y := w.panel.Min.Y + w.panel.Dy()*(2*i-1)/(2*rows) + int(size*0.3)
		d.Dot = fixed.P(x, y)
		d.DrawString(watermark)
	}
	return face.Close()
}
