package studio

import (
	"fmt"
	"html/template"
	"image/png"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// recordingView is the curator's look at one recording: raw gaze, which is
// never offered for download.
type recordingView struct {
	Source   sourceView `json:"data_set"`
	File     string     `json:"file"`
	N        int        `json:"recording"` // of the file, from 0
	Count    int        `json:"recordings"`
	Previous string     `json:"previous,omitempty"`
	Next     string     `json:"next,omitempty"`
	Facts    []fact     `json:"facts"`
	Path     drawing    `json:"-"`
	Trace    drawing    `json:"-"`
	Looks    string     `json:"fixations"` // where they come from
	Shown    int        `json:"shown"`     // samples
}

// most is how many samples of a recording are shown.
const most = 200_000

func (s *Server) recording(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	f, _, _ := src.state()
	i, errI := strconv.Atoi(or(r.FormValue("file"), "0"))
	n, errN := strconv.Atoi(or(r.FormValue("n"), "0"))
	if errI != nil || errN != nil || f == nil || i < 0 || i >= len(f.Files) || n < 0 {
		return missing("The data hold no such recording.")
	}
	d, err := src.data()
	if err != nil {
		return err
	}
	rec, err := d.Recording(r.Context(), f.Files[i].File, n, most)
	if err != nil {
		return err
	}
	v := recordingView{Source: s.viewOf(src), File: f.Files[i].File, N: n, Count: f.Files[i].Recordings, Shown: rec.Samples.Len()}
	v.neighbours(f, i, n)
	v.draw(rec, "/data/"+src.ID+"/stimulus.png", d.Stimulus(rec.Stimulus) != nil)
	return s.show(w, r, "recording", frame{Title: "One recording", Tab: "data", Steps: steps(&choice{Source: src}, 1), V: v})
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// neighbours links the recordings before and after, over the files.
func (v *recordingView) neighbours(f *found, i, n int) {
	link := func(i, n int) string {
		return to(v.Source.Link+"/recording", "file", strconv.Itoa(i), "n", strconv.Itoa(n))
	}
	if n > 0 {
		v.Previous = link(i, n-1)
	} else if i > 0 && f.Files[i-1].Recordings > 0 {
		v.Previous = link(i-1, f.Files[i-1].Recordings-1)
	}
	if n+1 < f.Files[i].Recordings {
		v.Next = link(i, n+1)
	} else if i+1 < len(f.Files) && f.Files[i+1].Recordings > 0 {
		v.Next = link(i+1, 0)
	}
}

// stimulus is the picture of a stimulus of the data, for the curator's look.
func (s *Server) stimulus(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	d, err := src.data()
	if err != nil {
		return err
	}
	img := d.Stimulus(r.FormValue("name"))
	if img == nil {
		return missing("The data have no picture of this stimulus.")
	}
	w.Header().Set("Content-Type", "image/png")
	return gone{(&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, img)}.orNil()
}

// drawing is what the template draws as SVG.
type drawing struct {
	Box        string // view box
	W, H       float64
	Line       float64 // width of lines in the box's unit
	Size       float64 // of text
	Image      string  // address of the picture beneath
	Paths      []template.HTMLAttr
	Spots      []spot
	Hops       []hop
	Ticks      []tick
	Left, Top  float64
	Unit       string
	Alt        string
	TooManyFor int // fixations that are not drawn
}

type spot struct {
	X, Y, R float64
	N       int
	Ms      int64
}

type hop struct{ X1, Y1, X2, Y2 float64 }

type tick struct {
	At   float64
	Text string
}

const maxSpots = 150

func (v *recordingView) draw(rec *gaze.Recording, picture string, hasPicture bool) {
	track, eye, ok := rec.Best()
	v.Facts = factsOf(rec)
	fixations := rec.Fixations
	v.Looks = "stated by the file"
	if fixations == nil {
		v.Looks = "found by I-VT at 30 deg/s"
		var err error
		if fixations, err = detect.Standard().Fixations(rec); err != nil {
			v.Looks = "not found: " + err.Error()
		}
	}
	c := newCanvas(rec, track, ok)
	v.Path = c.scanPath(rec, track, ok, ofEye(fixations, eye))
	if hasPicture {
		v.Path.Image = to(picture, "name", rec.Stimulus)
	}
	if ok {
		v.Trace = trace(rec, track)
	}
}

// ofEye keeps the fixations of one eye where several are stated.
func ofEye(all []gaze.Fixation, eye gaze.Eye) []gaze.Fixation {
	var out []gaze.Fixation
	for _, f := range all {
		if f.Eye == eye || f.Eye == gaze.Cyclopean {
			out = append(out, f)
		}
	}
	if out == nil {
		return all
	}
	return out
}

func factsOf(rec *gaze.Recording) []fact {
	n := rec.Samples.Len()
	facts := []fact{{"Samples", strconv.Itoa(n)}, {"Unit", rec.Unit.String()}}
	if n > 1 {
		span := rec.Samples.T[n-1] - rec.Samples.T[0]
		facts = append(facts, fact{"Length", fmt.Sprintf("%.4g s", span.Seconds())}, fact{"Rate", fmt.Sprintf("%.4g Hz measured", float64(n-1)/span.Seconds())})
	}
	if words := screenWords(rec.Screen); words != "" {
		facts = append(facts, fact{"Screen", words})
	}
	for _, f := range []fact{{"Stimulus", rec.Stimulus}, {"Task", rec.Task}} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// canvas turns positions into px of the screen, or leaves them in their unit
// where the screen is not known.
type canvas struct {
	rec        *gaze.Recording
	pixels     bool
	x0, y0     float64
	width, hei float64
}

func newCanvas(rec *gaze.Recording, track *gaze.Track, ok bool) canvas {
	c := canvas{rec: rec, pixels: true, width: float64(rec.Screen.Width), hei: float64(rec.Screen.Height)}
	if _, _, err := rec.Screen.ToTopLeftPixels(0, 0, rec.Unit); err == nil && rec.Screen.Known() {
		return c
	}
	c.pixels = false
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	see := func(x, y float64) {
		if !gaze.Lost(x, y) {
			low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
		}
	}
	if ok {
		for i, x := range track.X {
			see(x, track.Y[i])
		}
	}
	for _, f := range rec.Fixations {
		see(f.X, f.Y)
	}
	if !(high[0] > low[0]) || !(high[1] > low[1]) {
		low, high = [2]float64{}, [2]float64{1, 1}
	}
	c.x0, c.y0, c.width, c.hei = low[0], low[1], high[0]-low[0], high[1]-low[1]
	return c
}

// at is a position in the box; false where there is none.
func (c *canvas) at(x, y float64) (float64, float64, bool) {
	if gaze.Lost(x, y) {
		return 0, 0, false
	}
	if !c.pixels {
		return x - c.x0, y - c.y0, true
	}
	px, py, err := c.rec.Screen.ToTopLeftPixels(x, y, c.rec.Unit)
	far := 2 * (c.width + c.hei)
	return px, py, err == nil && math.Abs(px) < far && math.Abs(py) < far
}

func (c *canvas) scanPath(rec *gaze.Recording, track *gaze.Track, ok bool, fixations []gaze.Fixation) drawing {
	d := drawing{Box: fmt.Sprintf("0 0 %.6g %.6g", c.width, c.hei), W: c.width, H: c.hei, Line: math.Max(c.width, c.hei) / 700, Size: math.Max(c.width, c.hei) / 55, Unit: "px"}
	if !c.pixels {
		d.Unit = rec.Unit.String()
	}
	if ok {
		d.Paths = []template.HTMLAttr{c.thread(track)}
	}
	d.TooManyFor = max(0, len(fixations)-maxSpots)
	for i, f := range fixations[:min(len(fixations), maxSpots)] {
		x, y, seen := c.at(f.X, f.Y)
		if !seen {
			continue
		}
		r := math.Max(c.width, c.hei) / 65 * math.Sqrt(math.Max(0.2, f.Duration.Seconds()/0.25))
		if n := len(d.Spots); n > 0 {
			d.Hops = append(d.Hops, hop{d.Spots[n-1].X, d.Spots[n-1].Y, x, y})
		}
		d.Spots = append(d.Spots, spot{x, y, r, i + 1, f.Duration.Milliseconds()})
	}
	d.Alt = fmt.Sprintf("Scan path of one recording: %s, in the order of their numbers; the larger the circle, the longer the fixation.", plural(len(d.Spots), "fixation", "fixations"))
	return d
}

// maxThread bounds the points of a line on the page.
const maxThread = 3000

// thread is the line of all samples; lost samples break it.
func (c *canvas) thread(track *gaze.Track) template.HTMLAttr {
	var b strings.Builder
	down := false
	every := max(1, len(track.X)/maxThread)
	for i := 0; i < len(track.X); i += every {
		x, y, ok := c.at(track.X[i], track.Y[i])
		if ok {
			fmt.Fprintf(&b, "%s%.5g %.5g", map[bool]string{false: "M", true: "L"}[down], x, y)
		}
		down = ok
	}
	return template.HTMLAttr(`d="` + b.String() + `"`)
}

// Size of the trace's box.
const traceWidth, traceHeight, traceLeft, traceTop = 1000.0, 260.0, 60.0, 10.0

// trace is x and y against time, with gaps where samples are lost.
func trace(rec *gaze.Recording, track *gaze.Track) drawing {
	d := drawing{Box: fmt.Sprintf("0 0 %g %g", traceLeft+traceWidth+50, traceTop+traceHeight+40), W: traceWidth, H: traceHeight, Left: traceLeft, Top: traceTop, Unit: rec.Unit.String()}
	n := rec.Samples.Len()
	if n < 2 {
		return d
	}
	t0, span := rec.Samples.T[0], rec.Samples.T[n-1]-rec.Samples.T[0]
	for _, column := range [][]float64{track.X, track.Y} {
		d.Paths = append(d.Paths, curve(rec.Samples.T, column, t0, span))
	}
	for i := range 6 {
		d.Ticks = append(d.Ticks, tick{traceLeft + traceWidth*float64(i)/5, fmt.Sprintf("%.3g s", span.Seconds()*float64(i)/5)})
	}
	d.Alt = fmt.Sprintf("Horizontal and vertical position over %.3g s; gaps are lost samples.", span.Seconds())
	return d
}

// curve draws one coordinate into its own range, from the 0.5th to the 99.5th
// hundredth, so that one wild sample does not flatten the rest.
func curve(times []time.Duration, values []float64, t0, span time.Duration) template.HTMLAttr {
	low, high := spread(values)
	var b strings.Builder
	down := false
	every := max(1, len(values)/maxThread)
	for i := 0; i < len(values); i += every {
		v := values[i]
		if ok := v == v && !math.IsInf(v, 0); ok {
			x := traceLeft + traceWidth*float64(times[i]-t0)/float64(max(span, 1))
			y := traceTop + traceHeight*(1-math.Min(1.02, math.Max(-0.02, (v-low)/(high-low))))
			fmt.Fprintf(&b, "%s%.5g %.5g", map[bool]string{false: "M", true: "L"}[down], x, y)
			down = true
			continue
		}
		down = false
	}
	return template.HTMLAttr(`d="` + b.String() + `"`)
}

func spread(values []float64) (low, high float64) {
	sorted := finite(values)
	if len(sorted) == 0 {
		return 0, 1
	}
	low, high = sorted[len(sorted)/200], sorted[len(sorted)-1-len(sorted)/200]
	if !(high > low) {
		high = low + 1
	}
	return low, high
}

// finite are the values that are numbers, sorted.
func finite(values []float64) []float64 {
	var out []float64
	for _, v := range values {
		if v == v && !math.IsInf(v, 0) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}
