package report

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Point is one measured value with its interval.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // of Y; both NaN or both 0 = no interval
}

// Line is one curve: points in the order of X.
type Line struct {
	Name   string
	Points []Point
}

// Level is a line across the chart: chance, a ceiling, a floor.
type Level struct {
	Name string
	Y    float64
}

// Curves is a chart of values against a parameter, with intervals: what a
// release is worth, or what an attacker achieves, against ε.
type Curves struct {
	Title     string
	X, Y      string // names of the axes, with units
	LogX      bool   // a logarithmic axis; all X must be positive
	LogY      bool
	Lines     []Line
	Levels    []Level
	Guarantee string // one line, burned in; empty with Void false = no strip
	Void      bool
	Alt       string // empty = made from the values
}

// Image draws the chart.
func (c Curves) Image() (*image.RGBA, error) {
	s, err := c.draw()
	if err != nil {
		return nil, err
	}
	return s.RGBA, nil
}

// WritePNG draws the chart as a PNG.
func (c Curves) WritePNG(w io.Writer) error { return writePNG(w, c.Image) }

// Table is the chart in numbers.
func (c Curves) Table() Table {
	t := Table{Title: c.Title, Columns: []string{"curve", c.X, c.Y, "low", "high"}}
	for _, l := range c.Lines {
		for _, p := range l.Points {
			row := []string{l.Name, Exact(p.X), Exact(p.Y), "", ""}
			if p.interval() {
				row[3], row[4] = Exact(p.Lo), Exact(p.Hi)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	for _, l := range c.Levels {
		t.Rows = append(t.Rows, []string{l.Name, "", Exact(l.Y), "", ""})
	}
	return t
}

func (p Point) interval() bool { return p.Lo < p.Hi }

// AltText describes the chart in words.
func (c Curves) AltText() string {
	if c.Alt != "" {
		return c.Alt
	}
	parts := make([]string, 0, len(c.Lines)+len(c.Levels))
	for _, l := range c.Lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		parts = append(parts, fmt.Sprintf("%s from %s at %s to %s at %s", l.Name, compact(first.Y), compact(first.X), compact(last.Y), compact(last.X)))
	}
	for _, l := range c.Levels {
		parts = append(parts, l.Name+" at "+compact(l.Y))
	}
	return fmt.Sprintf("Curves “%s”: %s against %s: %s.", c.Title, c.Y, c.X, strings.Join(parts, "; "))
}

const (
	curvesWidth = 900
	plotHeight  = 380
	maxLines    = 12
)

// curveColours are told apart in grey and by most colour-blind people (Okabe
// and Ito 2008), each with a mark of its own.
var curveColours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {86, 180, 233, 255},
	{230, 159, 0, 255}, {90, 90, 96, 255}, {148, 103, 189, 255}, {140, 86, 75, 255}, {23, 120, 130, 255}, {188, 170, 30, 255}, {20, 20, 22, 255},
}

func (c Curves) check() error {
	if len(c.Lines) < 1 || len(c.Lines) > maxLines {
		return fmt.Errorf("report: a chart needs 1 to %d curves, got %d", maxLines, len(c.Lines))
	}
	finite := func(v float64, log bool) bool { return math.Abs(v) <= largest/10 && (!log || v > 0) }
	for _, l := range c.Lines {
		if len(l.Points) == 0 {
			return fmt.Errorf("report: a curve needs at least one point")
		}
		for _, p := range l.Points {
			if !finite(p.X, c.LogX) || !finite(p.Y, c.LogY) || p.interval() && !(finite(p.Lo, false) && finite(p.Hi, c.LogY)) {
				return fmt.Errorf("report: the points of a curve must be finite numbers, positive on a logarithmic axis")
			}
		}
	}
	for _, l := range c.Levels {
		if !finite(l.Y, c.LogY) {
			return fmt.Errorf("report: a level must be a finite number, positive on a logarithmic axis")
		}
	}
	return nil
}

// axis turns numbers into shares of the plot.
type axis struct {
	log   bool
	scale scale
}

func newAxis(values []float64, log bool, n int) axis {
	low, high := slices.Min(values), slices.Max(values)
	a := axis{log: log}
	if log {
		low, high = math.Log10(low), math.Log10(high)
		if high-low < 0.3 {
			low, high = low-0.15, high+0.15
		}
		a.scale = scale{low: low, high: high}
		return a
	}
	if low > 0 && low < 0.4*high {
		low = 0
	}
	if high-low < 1e-12*math.Max(math.Abs(low), math.Abs(high)) {
		low, high = low-0.5*math.Abs(low)-1e-9, high+0.5*math.Abs(high)+1e-9
	}
	a.scale = newScale(low, high, n)
	return a
}

func (a axis) share(v float64) float64 {
	if a.log {
		v = math.Log10(math.Max(v, smallest))
	}
	return a.scale.share(v)
}

// ticks are round numbers with their texts; on a logarithmic axis 1, 2 and 5
// times powers of ten, or the powers alone where there are many.
func (a axis) ticks() (at []float64, text []string) {
	if !a.log {
		for _, v := range a.scale.ticks() {
			at, text = append(at, v), append(text, a.scale.number(v))
		}
		return at, text
	}
	steps := []float64{1, 2, 5}
	if a.scale.high-a.scale.low > 3 {
		steps = steps[:1]
	}
	every := max(1, int((a.scale.high-a.scale.low)/8))
	for e := int(math.Floor(a.scale.low)); e <= int(math.Ceil(a.scale.high)); e += every {
		for _, s := range steps {
			v := s * math.Pow(10, float64(e))
			if l := math.Log10(v); l >= a.scale.low-1e-9 && l <= a.scale.high+1e-9 {
				at, text = append(at, v), append(text, logNumber(v, e))
			}
		}
	}
	return at, text
}

func logNumber(v float64, e int) string {
	if e < -3 || e > 4 {
		return "10" + superscript(e)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// plotter is a chart of curves under construction.
type plotter struct {
	Curves
	sheet *sheet
	x, y  axis
	plot  image.Rectangle
	line  style
}

func (c Curves) axes() (x, y axis) {
	var xs, ys []float64
	for _, l := range c.Lines {
		for _, p := range l.Points {
			xs, ys = append(xs, p.X), append(ys, p.Y)
			if p.interval() {
				ys = append(ys, p.Hi)
				if !c.LogY || p.Lo > 0 {
					ys = append(ys, p.Lo)
				}
			}
		}
	}
	for _, l := range c.Levels {
		ys = append(ys, l.Y)
	}
	x, y = newAxis(xs, c.LogX, 8), newAxis(ys, c.LogY, 6)
	pad := 0.05 * (x.scale.high - x.scale.low) // marks and intervals stay off the frame
	x.scale.low, x.scale.high = x.scale.low-pad, x.scale.high+pad
	pad = 0.04 * (y.scale.high - y.scale.low)
	if y.log || y.scale.low != 0 { // zero stays on the frame
		y.scale.low -= pad
	}
	y.scale.high += pad
	return x, y
}

func (c Curves) draw() (*sheet, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	styles, err := newStyles()
	if err != nil {
		return nil, err
	}
	p := plotter{Curves: c, line: styles.small}
	p.x, p.y = c.axes()
	inner := curvesWidth - 2*margin
	title := styles.title.wrap(c.Title, inner)
	above := styles.small.wrap(p.y.scale.unit(c.Y), inner)
	below := styles.small.wrap(p.x.scale.unit(c.X), inner)
	legend := p.legend(inner)
	left := 0
	_, texts := p.y.ticks()
	for _, t := range texts {
		left = max(left, p.line.width(t))
	}
	top := margin + styles.title.block(title) + 8 + styles.small.block(above) + 8
	p.plot = image.Rect(margin+left+12, top, curvesWidth-margin-10, top+plotHeight)
	legendTop := p.plot.Max.Y + 10 + p.line.height + styles.small.block(below) + 10
	height := legendTop + len(legend)*(p.line.height+4) + gap
	foot := strip{}
	if c.Guarantee != "" || c.Void {
		foot = styles.strip(c.Guarantee, c.Void, curvesWidth)
		height += foot.height()
	}
	p.sheet = styles.sheet(curvesWidth, height)
	y := p.sheet.setLines(styles.title, title, margin, margin, ink)
	p.sheet.setLines(styles.small, above, margin, y+8, faint)
	p.grid()
	p.levels()
	for i := range c.Lines {
		p.curve(i)
	}
	p.sheet.setLines(styles.small, below, p.plot.Min.X, p.plot.Max.Y+10+p.line.height, faint)
	p.legends(legend, legendTop)
	if foot.lines != nil {
		p.sheet.drawStrip(foot)
	}
	return p.sheet, nil
}

func (p *plotter) at(x, y float64) point {
	return point{
		float64(p.plot.Min.X) + p.x.share(x)*float64(p.plot.Dx()-1),
		float64(p.plot.Max.Y-1) - p.y.share(y)*float64(p.plot.Dy()-1),
	}
}

func (p *plotter) grid() {
	pale := color.RGBA{228, 228, 232, 255}
	at, text := p.y.ticks()
	for i, v := range at {
		y := int(math.Round(float64(p.plot.Max.Y-1) - p.y.share(v)*float64(p.plot.Dy()-1)))
		p.sheet.fill(image.Rect(p.plot.Min.X, y, p.plot.Max.X, y+1), pale)
		p.sheet.set(p.line, text[i], p.plot.Min.X-8-p.line.width(text[i]), y-p.line.height/2, faint)
	}
	free := 0
	at, text = p.x.ticks()
	for i, v := range at {
		x := int(math.Round(float64(p.plot.Min.X) + p.x.share(v)*float64(p.plot.Dx()-1)))
		p.sheet.fill(image.Rect(x, p.plot.Min.Y, x+1, p.plot.Max.Y+4), pale)
		left := min(x-p.line.width(text[i])/2, curvesWidth-4-p.line.width(text[i]))
		if left < free {
			continue
		}
		p.sheet.set(p.line, text[i], left, p.plot.Max.Y+6, faint)
		free = left + p.line.width(text[i]) + 8
	}
	p.sheet.frame(p.plot, hairline)
}

// levels are dashed, and named at the right end above the line.
func (p *plotter) levels() {
	taken := []int{}
	for _, l := range p.Levels {
		y := int(math.Round(p.at(1, l.Y).y))
		for x := p.plot.Min.X; x < p.plot.Max.X; x += 10 {
			p.sheet.fill(image.Rect(x, y, min(x+6, p.plot.Max.X), y+1), ink)
		}
		top := y - p.line.height
		if top < p.plot.Min.Y {
			top = y + 2
		}
		for slices.ContainsFunc(taken, func(t int) bool { return t-p.line.height < top && top < t+p.line.height }) && top > p.plot.Min.Y {
			top -= p.line.height
		}
		taken = append(taken, top)
		p.sheet.set(p.line, l.Name, p.plot.Max.X-6-p.line.width(l.Name), top, ink)
	}
}

func (p *plotter) curve(i int) {
	c := curveColours[i%len(curveColours)]
	points := p.Lines[i].Points
	frame := p.plot.Inset(-8)
	aside := 0.0
	if slices.ContainsFunc(points, Point.interval) { // intervals at one x stand side by side
		aside = 5 * (float64(i) - float64(len(p.Lines)-1)/2)
	}
	place := func(q Point) point {
		at := p.at(q.X, q.Y)
		at.x += aside
		return at
	}
	for k, q := range points {
		if q.interval() {
			lo, hi := p.at(q.X, math.Max(q.Lo, math.Pow(10, -300))), p.at(q.X, q.Hi)
			if !p.LogY {
				lo = p.at(q.X, q.Lo)
			}
			lo.x, hi.x = lo.x+aside, hi.x+aside
			p.sheet.stroke([]point{lo, hi}, frame, 1.2, c)
			for _, end := range []point{lo, hi} {
				p.sheet.stroke([]point{{end.x - 4, end.y}, {end.x + 4, end.y}}, frame, 1.2, c)
			}
		}
		if k > 0 {
			p.sheet.stroke([]point{place(points[k-1]), place(q)}, frame, 2, c)
		}
	}
	for _, q := range points {
		p.mark(i, place(q), c)
	}
}

// mark is a square, a diamond, or a cross, by turns, so that curves are told
// apart without colours.
func (p *plotter) mark(i int, at point, c color.RGBA) {
	r := p.sheet.Rect
	switch i % 3 {
	case 0:
		p.sheet.fill(image.Rect(int(at.x)-4, int(at.y)-4, int(at.x)+5, int(at.y)+5), c)
	case 1:
		for d := 0; d <= 5; d++ {
			p.sheet.fill(image.Rect(int(at.x)-5+d, int(at.y)-d, int(at.x)+6-d, int(at.y)+d+1), c)
		}
	default:
		p.sheet.stroke([]point{{at.x - 5, at.y - 5}, {at.x + 5, at.y + 5}}, r, 2.4, c)
		p.sheet.stroke([]point{{at.x - 5, at.y + 5}, {at.x + 5, at.y - 5}}, r, 2.4, c)
	}
}

// legend lays the curves' names out in rows.
func (p *plotter) legend(width int) [][]int {
	var rows [][]int
	used := width + 1
	for i, l := range p.Lines {
		w := 30 + p.line.width(l.Name) + 24
		if used+w > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
		used += w
	}
	return rows
}

func (p *plotter) legends(rows [][]int, y int) {
	for _, row := range rows {
		x := margin
		for _, i := range row {
			c := curveColours[i%len(curveColours)]
			middle := float64(y) + float64(p.line.height)/2
			p.sheet.stroke([]point{{float64(x), middle}, {float64(x + 22), middle}}, p.sheet.Rect, 2, c)
			p.mark(i, point{float64(x + 11), middle}, c)
			p.sheet.set(p.line, p.Lines[i].Name, x+30, y, ink)
			x += 30 + p.line.width(p.Lines[i].Name) + 24
		}
		y += p.line.height + 4
	}
}
