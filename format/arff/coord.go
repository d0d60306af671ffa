package arff

import (
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// coord is what stands before the rows of a .coord file:
//
//	gaze 1280 720
//	geometry distance 0.45 width 0.4 height 0.225
type coord struct {
	screen gaze.Screen
	found  bool
	rows   bool // a row of at least four numbers follows
	lines  int  // before the rows
	times  []float64
}

func parseCoord(text []byte) coord {
	var c coord
	lineSplitter(text, func(line string) bool {
		words := strings.Fields(line)
		switch {
		case c.rows:
			return c.row(words)
		case len(words) == 0 || words[0][0] == '#':
		case words[0] == "gaze" && len(words) == 3:
			w, errW := strconv.Atoi(words[1])
			h, errH := strconv.Atoi(words[2])
			if c.found = errW == nil && errH == nil && w > 0 && h > 0 && w < 1e6 && h < 1e6; c.found {
				c.screen.Width, c.screen.Height = w, h
			}
		case words[0] == "geometry":
			c.geometry(words[1:])
		default:
			c.rows = isRow(words)
			return c.row(words)
		}
		c.lines++
		return true
	})
	return c
}

// row collects the first rows' times.
func (c *coord) row(words []string) bool {
	if !isRow(words) || len(c.times) >= 200 {
		return false
	}
	t, _ := format.ParseNumber([]byte(words[0]), '.')
	c.times = append(c.times, t)
	return true
}

// rate is GazeCom's 250 Hz where the rows are mostly 4 ms apart: blinks and
// losses were cut out of these files, so that the mean step says little.
func (c *coord) rate() float64 {
	regular := 0
	for i := 1; i < len(c.times); i++ {
		if d := c.times[i] - c.times[i-1]; d >= 3000 && d <= 5000 {
			regular++
		}
	}
	if 2*regular > len(c.times) {
		return 250
	}
	return 0
}

func isRow(words []string) bool {
	for _, w := range words {
		if _, ok := format.ParseNumber([]byte(w), '.'); !ok {
			return false
		}
	}
	return len(words) >= 4
}

func (c *coord) geometry(words []string) {
	for i := 0; i+1 < len(words); i += 2 {
		switch v := metres(words[i+1]); words[i] {
		case "distance":
			c.screen.DistanceCm = v
		case "width":
			c.screen.WidthCm = v
		case "height":
			c.screen.HeightCm = v
		}
	}
}

func detectCoord(h format.Head) format.Match {
	c := parseCoord(h.Text)
	switch {
	case !c.found:
		return format.Match{Why: []string{"no line `gaze WIDTH HEIGHT`"}}
	case !c.rows:
		return format.Match{Score: format.Likely, Why: []string{"a line `gaze WIDTH HEIGHT`, but no rows of time, x, y, confidence"}}
	}
	return format.Match{Score: 95, Why: []string{"a line `gaze WIDTH HEIGHT`, then rows of time, x, y, confidence"}}
}

func coordRows(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	c := parseCoord(in.Head().Text)
	if !c.found {
		return &format.SyntaxError{File: in.Name, Msg: "no line `gaze WIDTH HEIGHT`: not a .coord file"}
	}
	o.Report.DropIdentity("text of comments (#): names of files, dates")
	o.Known.Screen = merged(c.screen, o.Known.Screen)
	m := o.Mapping
	if m == nil {
		m = &format.Mapping{
			Time: "time", TimeUnit: "us", SamplingRate: c.rate(), X: "x", Y: "y", Unit: "px", Confidence: "confidence",
			ValidWhen: format.Conditions{{Column: "confidence", Op: ">", Value: "0"}},
		}
	}
	s := format.Sheet{Delimiter: ' ', Columns: []string{"time", "x", "y", "confidence"}, Skip: c.lines, Comment: "#"}
	return s.Read(m, in, o, yield)
}
