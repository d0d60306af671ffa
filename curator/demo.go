package curator

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
	"github.com/gazeward/gazeward/simulate"
)

// Demo makes people up, keeps their recordings in a folder as a lab would, and
// releases a heatmap of them.
type Demo struct {
	Out     string
	Force   bool
	People  int
	Seconds float64
	Rate    gaze.Hertz
	Epsilon string
	Spec    mechanism.Spec
	Tell    func(format string, a ...any)
	// Progress is told how many people have looked; may be nil.
	Progress    func(done int)
	CommandLine string
}

// DemoSide is the folder inside the demo's output that stands for the
// curator's machine: recordings, ledger and keys. It is no part of the release.
const DemoSide = "curator"

// Run simulates, then releases. Simulated people need no protection: they are
// drawn from a seed, so that everybody sees the same; the noise is not.
func (d Demo) Run(ctx context.Context) (*Release, error) {
	if d.Out == "" {
		return nil, errors.New("curator: no output folder: give -o")
	}
	final, err := filepath.Abs(d.Out)
	if err != nil {
		return nil, err
	}
	if err := replaceable(final, d.Force); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return nil, err
	}
	side, err := os.MkdirTemp(filepath.Dir(final), ".demo-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(side)
	scene := simulate.ShopWindow()
	recordings := filepath.Join(side, "recordings")
	if err := d.record(scene, recordings); err != nil {
		return nil, err
	}
	data, err := OpenData(recordings, DataOptions{Dataset: filepath.Join(recordings, "dataset.yaml")})
	if err != nil {
		return nil, err
	}
	job := HeatmapJob{
		Job: Job{
			Data: data, Home: Home{Dir: filepath.Join(side, "home")}, Out: d.Out, Force: d.Force, Source: noise.Secure(),
			Note: "demo", Tell: d.Tell, CommandLine: d.CommandLine, Excluded: []string{DemoSide},
		},
		Spec: d.Spec, Values: map[string]string{"epsilon": d.Epsilon}, Stimuli: []string{scene.Name},
	}
	r, err := job.Run(ctx)
	if err != nil {
		return nil, err
	}
	return r, os.Rename(side, filepath.Join(final, DemoSide))
}

// record writes one CSV file per person, the stimulus, and a Definition that
// says what they are.
func (d Demo) record(scene simulate.Scene, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "stimuli"), 0o755); err != nil {
		return err
	}
	if err := writeNew(filepath.Join(dir, "stimuli", scene.Name+".png"), func(w io.Writer) error { return paint(w, scene) }); err != nil {
		return err
	}
	if err := writeNew(filepath.Join(dir, "areas.csv"), func(w io.Writer) error { return writeAreas(w, scene) }); err != nil {
		return err
	}
	screen := scene.Screen()
	definition := func(w io.Writer) error {
		_, err := fmt.Fprintf(w, demoDefinition, screen.Width, screen.Height, screen.WidthCm, screen.HeightCm, screen.DistanceCm)
		return err
	}
	if err := writeNew(filepath.Join(dir, "dataset.yaml"), definition); err != nil {
		return err
	}
	cohort := simulate.Cohort{People: d.People, Seconds: d.Seconds, Rate: d.Rate, Scenes: []simulate.Scene{scene}, Loss: 0.02}
	done := 0
	for r, err := range gaze.Join(cohort.Recordings(noise.Seeded(1))) {
		if err != nil {
			return err
		}
		name := filepath.Join(dir, r.Participant+"_"+scene.Name+".csv")
		if err := writeNew(name, func(w io.Writer) error { return writeSamples(w, r) }); err != nil {
			return err
		}
		if done++; d.Progress != nil {
			d.Progress(done)
		}
	}
	return nil
}

const demoDefinition = `# What the files in this folder are. Use it with --dataset recordings/dataset.yaml
name: demo
title: "Simulated people in front of a shop window"
files: ["{participant}_{stimulus}.csv"]
format: delimited
mapping:
  time: "time [ms]"
  time_unit: ms
  x: "x [px]"
  y: "y [px]"
  unit: px
  screen:
    width_px: %d
    height_px: %d
    width_cm: %.4g
    height_cm: %.4g
    distance_cm: %.4g
    origin: top-left
stimuli: "stimuli/{stimulus}.png"
`

func writeNew(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}

func writeSamples(w io.Writer, r *gaze.Recording) error {
	if _, err := io.WriteString(w, "time [ms],x [px],y [px]\n"); err != nil {
		return err
	}
	track, _, ok := r.Best()
	if !ok {
		return errors.New("curator: a simulated recording has no positions")
	}
	var line []byte
	for i, t := range r.Samples.T {
		line = strconv.AppendFloat(line[:0], float64(t.Microseconds())/1000, 'f', -1, 64)
		for _, v := range [...]float64{track.X[i], track.Y[i]} {
			line = append(line, ',')
			if v == v { // lost samples are empty
				line = strconv.AppendFloat(line, v, 'f', 1, 64)
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func writeAreas(w io.Writer, scene simulate.Scene) error {
	if _, err := io.WriteString(w, "name,x,y,width,height\n"); err != nil {
		return err
	}
	for _, o := range scene.HotSpots() {
		if _, err := fmt.Fprintf(w, "%s,%g,%g,%g,%g\n", o.Name, o.X, o.Y, o.W, o.H); err != nil {
			return err
		}
	}
	return nil
}

// paint draws the scene's objects: a figure is a head above shoulders.
func paint(w io.Writer, scene simulate.Scene) error {
	s := report.Scene{Width: int(scene.Width), Height: int(scene.Height), Background: scene.Background}
	for _, o := range scene.Objects {
		shape := report.Shape{X: o.X, Y: o.Y, W: o.W, H: o.H, Color: o.Color, Text: o.Text}
		switch o.Kind {
		case simulate.Oval:
			shape.Oval = true
		case simulate.Figure:
			s.Shapes = append(s.Shapes, report.Shape{X: o.X, Y: o.Y + 0.35*o.H, W: o.W, H: 0.65 * o.H, Color: o.Color})
			shape = report.Shape{Oval: true, X: o.X + o.W*0.25, Y: o.Y, W: o.W / 2, H: 0.4 * o.H, Color: [3]uint8{224, 184, 150}}
		}
		s.Shapes = append(s.Shapes, shape)
	}
	for _, l := range scene.Lines {
		for _, word := range l.Words {
			s.Shapes = append(s.Shapes, report.Shape{Bare: true, X: word.X, Y: l.Y, W: word.W, H: l.H, Text: word.Text})
		}
	}
	img, err := s.Image()
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}
