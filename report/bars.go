package report

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
)

// Bar is one area of interest, or any other name with a value.
type Bar struct {
	Label     string
	Value     float64
	Deviation float64 // standard deviation of the noise; 0 = none
}

// Bars is a chart of values by name, with the noise drawn as ±1 standard
// deviation.
type Bars struct {
	Title     string
	Unit      string
	Bars      []Bar
	Guarantee string // one line, burned in
	Void      bool
	Alt       string // empty = made from the values
}

// Image draws the chart.
func (b Bars) Image() (*image.RGBA, error) {
	s, err := b.draw()
	if err != nil {
		return nil, err
	}
	return s.RGBA, nil
}

// WritePNG draws the chart as a PNG.
func (b Bars) WritePNG(w io.Writer) error { return writePNG(w, b.Image) }

// Table is the chart in numbers.
func (b Bars) Table() Table {
	t := Table{Title: b.Title, Columns: []string{"name", strings.TrimSpace("value " + bracket(b.Unit)), "standard deviation of the noise"}}
	for _, bar := range b.Bars {
		t.Rows = append(t.Rows, []string{bar.Label, Exact(bar.Value), Exact(bar.Deviation)})
	}
	return t
}

func bracket(unit string) string {
	if unit == "" {
		return ""
	}
	return "[" + unit + "]"
}

// AltText describes the chart in words.
func (b Bars) AltText() string {
	if b.Alt != "" {
		return b.Alt
	}
	var parts []string
	for _, bar := range b.Bars {
		part := bar.Label + " " + compact(bar.Value)
		if bar.Deviation > 0 {
			part += " ± " + compact(bar.Deviation)
		}
		parts = append(parts, part)
	}
	text := "Bars"
	if b.Title != "" {
		text += " “" + b.Title + "”"
	}
	if b.Unit != "" {
		text += ", in " + b.Unit
	}
	text += ": " + strings.Join(parts, "; ")
	if b.Void {
		text += "; not private"
	}
	return text + "."
}

const (
	barsWidth   = 900 // px of the sheet
	labelColumn = 260 // px, at most
	valueColumn = 120
	maxBars     = 2000
)

func (b Bars) check() error {
	if len(b.Bars) < 1 || len(b.Bars) > maxBars {
		return fmt.Errorf("report: a chart needs 1 to %d bars, got %d", maxBars, len(b.Bars))
	}
	for _, bar := range b.Bars {
		if !(math.Abs(bar.Value) <= largest/10) || !(bar.Deviation >= 0 && bar.Deviation <= largest/10) {
			return fmt.Errorf("report: bars must be finite numbers, with a deviation of at least 0")
		}
	}
	return nil
}

func (b Bars) scale() scale {
	var low, high float64
	for _, bar := range b.Bars {
		low = math.Min(low, math.Min(bar.Value, bar.Value-bar.Deviation))
		high = math.Max(high, math.Max(bar.Value, bar.Value+bar.Deviation))
	}
	return newScale(low, high, 6)
}

// chart is a chart under construction.
type chart struct {
	Bars
	sheet  *sheet
	scale  scale
	labels [][]string
	plot   image.Rectangle
	line   style
}

func (b Bars) draw() (*sheet, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	styles, err := newStyles()
	if err != nil {
		return nil, err
	}
	c := chart{Bars: b, scale: b.scale(), line: styles.small}
	title := styles.title.wrap(b.Title, barsWidth-2*margin)
	unit := c.line.wrap(c.scale.unit(b.Unit)+c.whiskers(), barsWidth-2*margin)
	foot := styles.strip(b.Guarantee, b.Void, barsWidth)
	left, height := c.measure()
	top := margin + styles.title.block(title) + 10
	c.plot = image.Rect(margin+left+12, top, barsWidth-margin-valueColumn, top+height)
	c.sheet = styles.sheet(barsWidth, c.plot.Max.Y+8+c.line.height+c.line.block(unit)+gap+foot.height())
	c.sheet.setLines(styles.title, title, margin, margin, ink)
	c.grid()
	c.rows()
	c.sheet.setLines(c.line, unit, margin, c.plot.Max.Y+8+c.line.height, faint)
	c.sheet.drawStrip(foot)
	return c.sheet, nil
}

// whiskers explains the thin lines, where there are any.
func (b Bars) whiskers() string {
	for _, bar := range b.Bars {
		if bar.Deviation > 0 {
			return " · thin lines: ±1 standard deviation of the noise"
		}
	}
	return ""
}

// measure wraps the labels and returns the width of their column and the
// height of all rows.
func (c *chart) measure() (left, height int) {
	for _, bar := range c.Bars.Bars {
		lines := c.line.wrap(bar.Label, labelColumn)
		c.labels = append(c.labels, lines)
		for _, line := range lines {
			left = max(left, c.line.width(line))
		}
		height += c.rowHeight(lines)
	}
	return left, height
}

func (c *chart) rowHeight(lines []string) int { return max(c.line.block(lines), 20) + 10 }

func (c *chart) x(v float64) int {
	return c.plot.Min.X + int(math.Round(c.scale.share(v)*float64(c.plot.Dx())))
}

func (c *chart) grid() {
	free := 0
	for _, v := range c.scale.ticks() {
		x := c.x(v)
		c.sheet.fill(image.Rect(x, c.plot.Min.Y, x+1, c.plot.Max.Y+4), color.RGBA{222, 222, 226, 255})
		text := c.scale.number(v)
		at := x - c.line.width(text)/2
		if at < free {
			continue
		}
		c.sheet.set(c.line, text, at, c.plot.Max.Y+5, faint)
		free = at + c.line.width(text) + 6
	}
	zero := c.x(0)
	c.sheet.fill(image.Rect(zero, c.plot.Min.Y, zero+1, c.plot.Max.Y+4), ink)
}

func (c *chart) rows() {
	y := c.plot.Min.Y
	for i, bar := range c.Bars.Bars {
		h := c.rowHeight(c.labels[i])
		c.label(c.labels[i], y+(h-c.line.block(c.labels[i]))/2)
		c.row(bar, y, h)
		y += h
	}
}

func (c *chart) label(lines []string, y int) {
	for _, line := range lines {
		c.sheet.set(c.line, line, c.plot.Min.X-12-c.line.width(line), y, ink)
		y += c.line.height
	}
}

func (c *chart) row(bar Bar, y, h int) {
	middle := y + h/2
	r := image.Rect(c.x(0), middle-8, c.x(bar.Value), middle+8) // Rect orders its corners
	c.sheet.fill(r, color.RGBA{62, 106, 168, 255})
	text := compact(bar.Value)
	if bar.Deviation > 0 {
		from, to := c.x(bar.Value-bar.Deviation), c.x(bar.Value+bar.Deviation)
		c.sheet.fill(image.Rect(from, middle-1, to+1, middle+1), ink)
		c.sheet.fill(image.Rect(from, middle-5, from+2, middle+5), ink)
		c.sheet.fill(image.Rect(to-1, middle-5, to+1, middle+5), ink)
		text += " ± " + strconvG(bar.Deviation)
	}
	c.sheet.set(c.line, text, c.plot.Max.X+12, middle-c.line.height/2, ink)
}

func strconvG(v float64) string { return fmt.Sprintf("%.2g", v) }
