package report

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strings"

	"github.com/gazeward/gazeward/grid"
)

// Heatmap is the picture of one map.
type Heatmap struct {
	Title         string
	Cols, Rows    int       // cells; required
	Cell          float64   // px of the screen per cell side; required
	Width, Height float64   // px of the screen; 0 = Cols × Cell, Rows × Cell
	Values        []float64 // Rows × Cols, row by row from the top left; at most 1e300 in size
	Unit          string    // of Values, for the colour bar: "s", "share of dwell per cell"
	NoiseFloor    float64   // in Unit: standard deviation of the noise in a value; 0 = no noise
	Guarantee     string    // one line, burned in
	Void          bool      // the guarantee does not hold: the strip is loud
	Stimulus      image.Image
	Alpha         float64   // opacity of the map; 0 = 0.5 over a stimulus, else 1
	AOIs          grid.AOIs // outlined, in px of the screen
	Colors        string    // one of [ColorMaps]; empty = Viridis
	Alt           string    // text for those who cannot see; empty = made from the values
}

// Frame is one picture of a [Film].
type Frame struct {
	Label  string
	Values []float64 // as in Heatmap
}

// Film shows several maps side by side on one scale: time steps, or stimuli.
type Film struct {
	Heatmap // Values are not used
	Frames  []Frame
}

// Image draws the heatmap.
func (h Heatmap) Image() (*image.RGBA, error) {
	return Film{h, []Frame{{Values: h.Values}}}.Image()
}

// WritePNG draws the heatmap as a PNG.
func (h Heatmap) WritePNG(w io.Writer) error { return writePNG(w, h.Image) }

// WritePNG draws the film as a PNG.
func (f Film) WritePNG(w io.Writer) error { return writePNG(w, f.Image) }

func writePNG(w io.Writer, draw func() (*image.RGBA, error)) error {
	img, err := draw()
	if err != nil {
		return err
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(w, img); err != nil {
		return fmt.Errorf("report: the picture cannot be written: %w", err)
	}
	return nil
}

// Image draws the film.
func (f Film) Image() (*image.RGBA, error) {
	s, err := f.draw()
	if err != nil {
		return nil, err
	}
	return s.RGBA, nil
}

const (
	maxCells  = 1 << 26
	maxFrames = 400
)

func (f Film) check() error {
	switch {
	case f.Cols < 1 || f.Rows < 1 || f.Cols > maxCells/f.Rows:
		return fmt.Errorf("report: a heatmap needs 1 to %d cells, got %d × %d", maxCells, f.Cols, f.Rows)
	case !(f.Cell > 0) || math.IsInf(f.Cell, 0):
		return fmt.Errorf("report: cells must have a positive size, got %v px", f.Cell)
	case !(f.Width >= 0) || !(f.Height >= 0) || math.IsInf(f.Width+f.Height, 0):
		return fmt.Errorf("report: width and height must not be negative, got %v × %v px", f.Width, f.Height)
	case !(f.NoiseFloor >= 0 && f.NoiseFloor <= largest/10):
		return fmt.Errorf("report: the noise floor must not be negative, got %v", f.NoiseFloor)
	case !(f.Alpha >= 0 && f.Alpha <= 1):
		return fmt.Errorf("report: alpha must lie between 0 and 1, got %v", f.Alpha)
	case len(f.Frames) < 1 || len(f.Frames) > maxFrames:
		return fmt.Errorf("report: a film needs 1 to %d frames, got %d", maxFrames, len(f.Frames))
	}
	for _, frame := range f.Frames {
		if len(frame.Values) != f.Cols*f.Rows {
			return fmt.Errorf("report: a map of %d × %d cells has %d values, got %d", f.Cols, f.Rows, f.Cols*f.Rows, len(frame.Values))
		}
		for _, v := range frame.Values {
			if !(math.Abs(v) <= largest) {
				return fmt.Errorf("report: values must be numbers of at most %g in size", largest)
			}
		}
	}
	return nil
}

// resolved returns the film with its defaults filled in.
func (f Film) resolved() Film {
	if f.Width == 0 {
		f.Width = float64(f.Cols) * f.Cell
	}
	if f.Height == 0 {
		f.Height = float64(f.Rows) * f.Cell
	}
	if f.Alpha == 0 {
		f.Alpha = 1
		if f.Stimulus != nil {
			f.Alpha = 0.5
		}
	}
	return f
}

// peak is the largest value of all frames.
func (f Film) peak() float64 {
	peak := math.Inf(-1)
	for _, frame := range f.Frames {
		_, high := rangeOf(frame.Values)
		peak = math.Max(peak, high)
	}
	return peak
}

// colourScale starts at zero and always shows the noise floor.
func (f Film) colourScale() scale {
	return newScale(0, math.Max(f.peak(), 1.25*f.NoiseFloor), 6)
}

// AltText describes the picture in words, from released numbers alone.
func (h Heatmap) AltText() string { return Film{h, []Frame{{Values: h.Values}}}.AltText() }

// AltText describes the pictures in words, from released numbers alone.
func (f Film) AltText() string {
	if f.Alt != "" {
		return f.Alt
	}
	if err := f.check(); err != nil {
		return f.Title
	}
	var best, below, all int
	peak := math.Inf(-1)
	for i, frame := range f.Frames {
		for k, v := range frame.Values {
			all++
			if v < f.NoiseFloor {
				below++
			}
			if v > peak {
				peak, best = v, i*f.Cols*f.Rows+k
			}
		}
	}
	text := "Heatmap"
	if f.Title != "" {
		text += " “" + f.Title + "”"
	}
	k := best % (f.Cols * f.Rows)
	text += fmt.Sprintf(": the highest value, %s %s, lies %s", compact(peak), f.Unit, f.place(k%f.Cols, k/f.Cols))
	if len(f.Frames) > 1 {
		text += fmt.Sprintf(" of picture %d of %d", best/(f.Cols*f.Rows)+1, len(f.Frames))
	}
	if f.NoiseFloor > 0 {
		text += fmt.Sprintf("; %.0f %% of the area cannot be told from noise", 100*float64(below)/float64(all))
	}
	if f.Void {
		text += "; not private"
	}
	return strings.Join(strings.Fields(text), " ") + "."
}

// place is a ninth of the picture in words.
func (f Film) place(col, row int) string {
	v := [...]string{"top", "middle", "bottom"}[3*(2*row+1)/(2*f.Rows)]
	h := [...]string{"left", "centre", "right"}[3*(2*col+1)/(2*f.Cols)]
	if v == "middle" && h == "centre" {
		return "in the centre"
	}
	return "at the " + v + " " + h
}
