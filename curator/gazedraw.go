package curator

import (
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/report"
)

// pictures is how many recordings are drawn.
func (j *GazeJob) pictures() int {
	if j.Pictures == 0 {
		return DefaultScanPaths
	}
	return max(j.Pictures, 0)
}

// draw makes a scan path of what was released, for the first recordings of
// different people until there are enough. Nothing names them.
func (w *gazeWriter) draw(r *gaze.Recording, stimulus string) error {
	if len(w.drawn) >= w.job.pictures() || slices.Contains(w.drawn, r.Participant) {
		return nil
	}
	stops, width, height, how, err := stopsOf(r)
	if err != nil || width < 1 {
		return err
	}
	w.drawn = append(w.drawn, r.Participant)
	_, void := w.release.Guarantee.Void()
	p := report.ScanPath{
		Title: fmt.Sprintf("Scan path %d", len(w.drawn)), Width: width, Height: height, Stops: stops, Synthetic: w.release.Synthetic,
		Guarantee: fmt.Sprintf("%v · %s", w.release.Guarantee, w.job.Spec.Short()), Void: void,
	}
	if length := w.release.Plan.Parameters["window"]; length != "" && w.release.Guarantee.Unit == dp.Window {
		p.Guarantee += " · windows of " + length
	}
	if r.Stimulus != "" {
		p.Title += ": " + baseName(r.Stimulus)
	}
	if !w.nobody() {
		p.Stimulus = w.job.Data.Stimulus(stimulus)
	}
	return w.tell.picture(fmt.Sprintf("scanpath-%d.png", len(w.drawn)), p.Title, how, p.AltText(), p.WritePNG)
}

// panorama is how many px a degree has in a picture of all directions.
const panorama = 4.0

// supposedField is how wide a screen of unknown geometry is taken to be, in deg:
// for the pictures alone.
const supposedField = 40.0

// stopsOf finds the fixations of a released recording, in px from the top left of
// a picture.
func stopsOf(r *gaze.Recording) (stops []report.Stop, width, height float64, how string, err error) {
	d, how := detect.Standard(), "Fixations by I-VT at 30 deg/s in what was released."
	width, height = float64(r.Screen.Width), float64(r.Screen.Height)
	place := func(x, y float64) (float64, float64) { return x, y }
	switch {
	case r.Unit == gaze.Degrees && r.Frame != gaze.OnScreen:
		width, height = 360*panorama, 180*panorama
		place = func(x, y float64) (float64, float64) { return (x + 180) * panorama, (90 - y) * panorama }
	case !r.Screen.HasGeometry():
		d.PixelsPerDegree = width / supposedField
		how += fmt.Sprintf(" The screen is taken to be %.0f deg wide.", supposedField)
	}
	if width < 1 {
		return nil, 0, 0, "", nil
	}
	fixations, err := d.Fixations(r)
	for _, f := range fixations {
		if x, y := place(f.X, f.Y); !math.IsNaN(x + y) {
			stops = append(stops, report.Stop{X: x, Y: y, Duration: f.Duration})
		}
	}
	return stops, width, height, how, err
}
