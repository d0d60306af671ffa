package report

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
)

const (
	longestSide  = 1100 // px of one picture, at most
	highestSide  = 850
	shortestSide = 480  // px of the longer side, at least
	narrowest    = 560  // px of the whole sheet, at least
	widest       = 1500 // px that several pictures share
	barWidth     = 18
	barColumn    = 150 // px: bar, numbers and unit
	barHeight    = 130 // px, at least
	gap          = 18
)

// layout is where everything goes on the sheet.
type layout struct {
	styles  styles
	scale   scale
	zoom    float64 // px of the picture per px of the screen
	panel   image.Point
	columns int
	labels  [][]string // lines per frame
	above   int        // px of labels above every picture
	top     int        // of the first picture
	title   []string
	unit    []string
	legend  []string
	strip   strip
	size    image.Point
	bodyH   int
}

func (f Film) layout(s styles) layout {
	l := layout{styles: s, scale: f.colourScale(), columns: f.columns()}
	budget := float64(longestSide)
	if l.columns > 1 {
		budget = float64(widest-gap*(l.columns-1)) / float64(l.columns)
	}
	l.zoom = math.Min(budget/f.Width, highestSide/f.Height)
	if longest := l.zoom * math.Max(f.Width, f.Height); l.columns == 1 && longest < shortestSide {
		l.zoom *= shortestSide / longest
	}
	l.panel = image.Pt(max(1, int(math.Round(f.Width*l.zoom))), max(1, int(math.Round(f.Height*l.zoom))))
	for _, frame := range f.Frames {
		lines := s.small.wrap(frame.Label, max(l.panel.X, 80))
		l.labels = append(l.labels, lines)
		l.above = max(l.above, s.small.block(lines))
	}
	l.arrange(f)
	return l
}

// columns is how many pictures stand side by side: a sheet about as wide as
// high.
func (f Film) columns() int {
	n := float64(len(f.Frames))
	c := math.Ceil(math.Sqrt(n * f.Height / f.Width * 1.4))
	return int(math.Min(n, math.Max(1, math.Min(c, 6))))
}

func (l *layout) pitch() image.Point {
	return image.Pt(max(l.panel.X, 80)+gap, l.panel.Y+l.above+gap)
}

// barTop is the space above the colour bar, with room for half a number.
func (l *layout) barTop() int { return 6 + l.styles.small.height/2 }

func (l *layout) arrange(f Film) {
	rows := (len(f.Frames) + l.columns - 1) / l.columns
	body := image.Pt(l.columns*l.pitch().X-gap, rows*l.pitch().Y-gap)
	width := max(narrowest, body.X+gap+barColumn+2*margin)
	inner := width - 2*margin
	l.title = l.styles.title.wrap(f.Title, inner)
	l.unit = l.styles.small.wrap(l.scale.unit(f.Unit), barColumn)
	l.legend = l.styles.small.wrap(f.legend(), inner-30)
	l.strip = l.styles.strip(f.Guarantee, f.Void, width)
	l.top = margin
	if len(l.title) > 0 {
		l.top += l.styles.title.block(l.title) + 10
	}
	l.bodyH = max(body.Y, l.styles.small.block(l.unit)+l.barTop()+barHeight)
	height := l.top + l.bodyH + gap + l.strip.height()
	if len(l.legend) > 0 {
		height += l.styles.small.block(l.legend) + 12
	}
	l.size = image.Pt(width, height)
}

func (f Film) legend() string {
	if f.NoiseFloor <= 0 {
		return ""
	}
	text := "below the noise floor of " + compact(f.NoiseFloor) + " " + f.Unit + ": cannot be told from noise"
	if f.peak() < f.NoiseFloor {
		text += " (this is so everywhere in this picture)"
	}
	return text
}

// draw makes the sheet.
func (f Film) draw() (*sheet, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	f = f.resolved()
	colours, err := newRamp(f.Colors)
	if err != nil {
		return nil, err
	}
	styles, err := newStyles()
	if err != nil {
		return nil, err
	}
	l := f.layout(styles)
	s := styles.sheet(l.size.X, l.size.Y)
	s.setLines(styles.title, l.title, margin, margin, ink)
	p := painter{Film: f, layout: l, sheet: s, colours: colours}
	p.across = axisTaps(f.Cols, f.Cell, l.panel.X, float64(l.panel.X)/f.Width)
	p.down = axisTaps(f.Rows, f.Cell, l.panel.Y, float64(l.panel.Y)/f.Height)
	p.backdrop = p.background()
	for i := range f.Frames {
		p.picture(i)
	}
	p.bar(image.Pt(margin+l.columns*l.pitch().X-gap+gap, l.top))
	p.legendLine(l.top + l.bodyH + 12)
	s.drawStrip(l.strip)
	return s, nil
}

// painter draws the parts of a film.
type painter struct {
	Film
	layout   layout
	sheet    *sheet
	colours  *ramp
	across   []taps
	down     []taps
	backdrop *image.RGBA
}

// background is the stimulus at its true aspect in the middle of the screen.
func (p *painter) background() *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: p.layout.panel})
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{246, 246, 244, 255}), image.Point{}, draw.Src)
	if p.Stimulus == nil || p.Stimulus.Bounds().Empty() {
		return out
	}
	b := p.Stimulus.Bounds()
	fit := math.Min(p.Width/float64(b.Dx()), p.Height/float64(b.Dy()))
	w, h := fit*float64(b.Dx())*p.layout.zoom, fit*float64(b.Dy())*p.layout.zoom
	x, y := (float64(out.Rect.Dx())-w)/2, (float64(out.Rect.Dy())-h)/2
	at := image.Rect(int(math.Round(x)), int(math.Round(y)), int(math.Round(x+w)), int(math.Round(y+h)))
	scaler := draw.Interpolator(draw.BiLinear)
	if fit*p.layout.zoom > 0.6 { // so little is lost that speed decides
		scaler = draw.ApproxBiLinear
	}
	scaler.Scale(out, at, p.Stimulus, b, draw.Over, nil)
	return out
}

// picture draws one frame with its label.
func (p *painter) picture(i int) {
	pitch := p.layout.pitch()
	at := image.Pt(margin+i%p.layout.columns*pitch.X, p.layout.top+i/p.layout.columns*pitch.Y)
	lines := p.layout.labels[i]
	p.sheet.setLines(p.layout.styles.small, lines, at.X, at.Y+p.layout.above-p.layout.styles.small.block(lines), ink)
	r := image.Rectangle{Max: p.layout.panel}.Add(at).Add(image.Pt(0, p.layout.above))
	draw.Draw(p.sheet.RGBA, r, p.backdrop, image.Point{}, draw.Src)
	p.values(p.Frames[i].Values, r)
	p.areas(r)
	p.sheet.frame(r, hairline)
}

func (p *painter) values(values []float64, r image.Rectangle) {
	fine := resample(values, p.across, p.down, p.Cols)
	for i, v := range fine {
		x, y := r.Min.X+i%r.Dx(), r.Min.Y+i/r.Dx()
		if v < p.NoiseFloor {
			p.sheet.hatch(x, y)
			continue
		}
		p.sheet.blend(x, y, p.colours.at(p.layout.scale.share(v)), p.Alpha)
	}
}

// areas outlines the areas of interest and names them inside the picture.
func (p *painter) areas(r image.Rectangle) {
	for _, a := range p.AOIs {
		corners := make([]point, 0, 4)
		for _, c := range a.Polygon {
			corners = append(corners, point{c.X, c.Y})
		}
		if a.Polygon == nil {
			corners = []point{{a.X, a.Y}, {a.X + a.Width, a.Y}, {a.X + a.Width, a.Y + a.Height}, {a.X, a.Y + a.Height}}
		}
		for i := range corners {
			corners[i] = point{float64(r.Min.X) + corners[i].x*p.layout.zoom, float64(r.Min.Y) + corners[i].y*p.layout.zoom}
		}
		p.sheet.outline(corners, r)
		p.areaName(a.Name, point{float64(r.Min.X) + a.X*p.layout.zoom, float64(r.Min.Y) + a.Y*p.layout.zoom}, r)
	}
}

// areaName writes a name on a plate beside the area's corner, moved so that it
// lies inside r. Names that do not fit at all are left out: the chart of areas
// has them.
func (p *painter) areaName(name string, at point, r image.Rectangle) {
	f := p.layout.styles.small
	plate := image.Rect(0, 0, f.width(name)+8, f.height+2)
	if name == "" || plate.Dx() > r.Dx() || plate.Dy() > r.Dy() {
		return
	}
	x := max(r.Min.X, min(int(at.x)+2, r.Max.X-plate.Dx()))
	y := max(r.Min.Y, min(int(at.y)+2, r.Max.Y-plate.Dy()))
	p.sheet.fill(plate.Add(image.Pt(x, y)), color.RGBA{20, 20, 22, 190})
	p.sheet.set(f, name, x+4, y+1, color.White)
}

// bar draws the colour bar with its unit, its numbers and the noise floor.
func (p *painter) bar(at image.Point) {
	f := p.layout.styles.small
	top := p.sheet.setLines(f, p.layout.unit, at.X, at.Y, ink) + p.layout.barTop()
	r := image.Rect(at.X, top, at.X+barWidth, p.layout.top+p.layout.bodyH)
	draw.Draw(p.sheet.RGBA, r, image.NewUniform(color.RGBA{246, 246, 244, 255}), image.Point{}, draw.Src)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		v := p.layout.scale.high * float64(r.Max.Y-1-y) / float64(max(1, r.Dy()-1))
		for x := r.Min.X; x < r.Max.X; x++ {
			if v < p.NoiseFloor {
				p.sheet.hatch(x, y)
				continue
			}
			p.sheet.blend(x, y, p.colours.at(p.layout.scale.share(v)), 1)
		}
	}
	p.sheet.frame(r, hairline)
	p.numbers(r)
}

// numbers labels the bar, the noise floor first: numbers that would touch an
// earlier one are left out.
func (p *painter) numbers(r image.Rectangle) {
	f := p.layout.styles.small
	var taken []int
	write := func(text string, v float64) {
		y := r.Max.Y - 1 - int(math.Round(p.layout.scale.share(v)*float64(r.Dy()-1)))
		for _, t := range taken {
			if t-f.height < y && y < t+f.height {
				return
			}
		}
		taken = append(taken, y)
		p.sheet.fill(image.Rect(r.Min.X, y, r.Max.X+5, y+1), ink)
		p.sheet.set(f, text, r.Max.X+9, max(r.Min.Y-f.height/2, y-f.height/2), ink)
	}
	if p.NoiseFloor > 0 {
		write("noise floor", p.NoiseFloor)
	}
	for _, v := range p.layout.scale.ticks() {
		write(p.layout.scale.number(v), v)
	}
}

// legendLine explains the hatching.
func (p *painter) legendLine(y int) {
	if len(p.layout.legend) == 0 {
		return
	}
	f := p.layout.styles.small
	swatch := image.Rect(margin, y+2, margin+20, y+f.height-3)
	for i := range swatch.Dx() * swatch.Dy() {
		p.sheet.hatch(swatch.Min.X+i%swatch.Dx(), swatch.Min.Y+i/swatch.Dx())
	}
	p.sheet.frame(swatch, hairline)
	p.sheet.setLines(f, p.layout.legend, margin+30, y, faint)
}
