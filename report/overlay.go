package report

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"runtime"
	"sync"
)

// Overlay is a map as a see-through picture to lay over the stimulus, one pixel
// per px of the screen, without title, bar and strip: for pages that show a map
// while its parameters are being chosen. It is drawn on a palette, which takes a
// fraction of the time of a [Heatmap].
type Overlay struct {
	Cols, Rows    int       // cells; required
	Cell          float64   // px of the screen per cell side; required
	Width, Height int       // px of the screen; required
	Values        []float64 // Rows × Cols, row by row from the top left
	// NoiseFloor is the value below which nothing is told from noise: hatched.
	NoiseFloor float64
	Peak       float64 // value of the last colour; 0 = the largest of Values
	Alpha      float64 // opacity of high values; 0 = 0.75
	Colors     string  // one of [ColorMaps]; empty = Viridis
}

// First entries of an overlay's palette; the colours follow.
const (
	overClear = iota // below the floor, between the lines
	overDark         // a line of the hatching
	overLight        // and the light one beside it
	overRamp
)

// overLevels is how many colours a palette has room for.
const overLevels = 256 - overRamp

// WritePNG draws the overlay, as fast as PNG allows.
func (o Overlay) WritePNG(w io.Writer) error {
	img, err := o.Image()
	if err != nil {
		return err
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(w, img); err != nil {
		return fmt.Errorf("report: the picture cannot be written: %w", err)
	}
	return nil
}

// Image draws the overlay.
func (o Overlay) Image() (*image.Paletted, error) {
	f := Film{Heatmap: Heatmap{Cols: o.Cols, Rows: o.Rows, Cell: o.Cell, NoiseFloor: o.NoiseFloor, Alpha: o.Alpha}, Frames: []Frame{{Values: o.Values}}}
	if err := f.check(); err != nil {
		return nil, err
	}
	if o.Width < 1 || o.Height < 1 || o.Width > maxOverlay/o.Height || math.IsNaN(o.Peak) {
		return nil, fmt.Errorf("report: an overlay needs 1 to %d px, got %d × %d", maxOverlay, o.Width, o.Height)
	}
	palette, err := o.palette()
	if err != nil {
		return nil, err
	}
	img := image.NewPaletted(image.Rect(0, 0, o.Width, o.Height), palette)
	o.paint(img)
	return img, nil
}

// maxOverlay bounds the pixels: an 8k screen has half of them.
const maxOverlay = 1 << 26

func (o Overlay) palette() (color.Palette, error) {
	c, err := curveOf(o.Colors)
	if err != nil {
		return nil, err
	}
	alpha := o.Alpha
	if alpha == 0 {
		alpha = 0.75
	}
	p := color.Palette{color.NRGBA{}, color.NRGBA{40, 40, 44, 107}, color.NRGBA{255, 255, 255, 107}}
	for i := range overLevels {
		v := c.at(float64(i) / (overLevels - 1))
		fade := min(1, 0.45+2.2*float64(i)/(overLevels-1)) // low values hide little of what lies beneath
		p = append(p, color.NRGBA{v.R, v.G, v.B, uint8(255*alpha*fade + 0.5)})
	}
	return p, nil
}

// paint resamples as [Heatmap] does and writes palette entries at once.
func (o Overlay) paint(img *image.Paletted) {
	low, high := rangeOf(o.Values)
	peak := o.Peak
	if peak <= 0 {
		peak = math.Max(high, 1.25*o.NoiseFloor)
	}
	s := newScale(0, peak, 6)
	factor := (overLevels - 1) / s.high
	columns, rows := axisTaps(o.Cols, o.Cell, o.Width, 1), axisTaps(o.Rows, o.Cell, o.Height, 1)
	across := stretch(o.Values, columns, o.Cols)
	var wg sync.WaitGroup
	bands := min(runtime.GOMAXPROCS(0), o.Height)
	for b := range bands {
		wg.Go(func() {
			line := make([]float64, o.Width)
			for y := b * o.Height / bands; y < (b+1)*o.Height/bands; y++ {
				mix(line, across, rows[y])
				dst := img.Pix[y*img.Stride : y*img.Stride+o.Width]
				for x, v := range line {
					v = min(high, max(low, v))
					if v < o.NoiseFloor {
						dst[x] = overHatch[(x+y)%9]
						continue
					}
					dst[x] = overRamp + uint8(min(overLevels-1, max(0, v*factor))+0.5)
				}
			}
		})
	}
	wg.Wait()
}

// overHatch is the pattern of diagonal lines by (x + y) mod 9.
var overHatch = [9]uint8{overDark, overLight}

// stretch resamples every row of cells to the width of the picture.
func stretch(values []float64, columns []taps, cols int) []float64 {
	width := len(columns)
	out := make([]float64, len(values)/cols*width)
	for r := range len(values) / cols {
		row, dst := values[r*cols:(r+1)*cols], out[r*width:(r+1)*width]
		for x, t := range columns {
			var v float64
			for k, w := range t.weights {
				v += w * row[t.first+k]
			}
			dst[x] = v
		}
	}
	return out
}

// mix is one row of the picture out of the stretched rows of cells.
func mix(line, across []float64, t taps) {
	width := len(line)
	clear(line)
	for k, w := range t.weights {
		src := across[(t.first+k)*width : (t.first+k+1)*width]
		for x, v := range src {
			line[x] += w * v
		}
	}
}
