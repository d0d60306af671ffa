package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
)

// featureFlags say how features are computed.
type featureFlags struct {
	window, step, minFixation, maxGap, velocityWindow, minBlink, maxBlink time.Duration
	threshold, small, perDegree                                           float64
	alphabet, blinks                                                      string
}

func (f *featureFlags) add(c *cobra.Command) {
	o := feature.Options{}.Resolved()
	flags := c.Flags()
	flags.DurationVar(&f.window, "window", o.Window, "span of time that a feature is computed over")
	flags.DurationVar(&f.step, "step", o.Step, "from the start of one window to the next")
	flags.Float64Var(&f.threshold, "velocity-threshold", o.Detector.Threshold, "deg/s: at or above it is a saccade (I-VT)")
	flags.DurationVar(&f.minFixation, "min-fixation", o.Detector.MinDuration, "shortest fixation")
	flags.DurationVar(&f.maxGap, "max-gap", o.Detector.MaxGap, "loss that ends a fixation or saccade")
	flags.DurationVar(&f.velocityWindow, "velocity-window", o.Detector.Window, "span of a velocity")
	flags.Float64Var(&f.perDegree, "pixels-per-degree", 0, "explicit scale, in place of the screen's geometry")
	flags.Float64Var(&f.small, "small-saccade", o.SmallSaccade, "deg: a saccade below is small, at or above it is large")
	flags.StringVar(&f.alphabet, "alphabet", o.Alphabet.String(), "letters of saccade words: bulling (24) or compass (16)")
	flags.StringVar(&f.blinks, "blinks", o.BlinkSource.String(), "where blinks come from: auto, stated (in the file), detect (losses) or none")
	flags.DurationVar(&f.minBlink, "min-blink", o.Blinks.MinDuration, "shortest loss that is a blink")
	flags.DurationVar(&f.maxBlink, "max-blink", o.Blinks.MaxDuration, "longest loss that is a blink")
}

// options checks what was typed; a typed zero is no default.
func (f *featureFlags) options() (o feature.Options, err error) {
	switch {
	case f.window <= 0:
		return o, usage("--window must be positive, got %v", f.window)
	case f.step <= 0:
		return o, usage("--step must be positive, got %v", f.step)
	case f.velocityWindow <= 0 || f.maxGap <= 0 || f.minBlink <= 0 || f.maxBlink <= 0:
		return o, usage("--velocity-window, --max-gap, --min-blink and --max-blink must be positive")
	}
	o = feature.Options{Window: f.window, Step: f.step, SmallSaccade: f.small}
	d := &o.Detector
	d.Threshold, d.MinDuration, d.MaxGap, d.Window, d.PixelsPerDegree = f.threshold, f.minFixation, f.maxGap, f.velocityWindow, f.perDegree
	o.Blinks.MinDuration, o.Blinks.MaxDuration = f.minBlink, f.maxBlink
	if o.Alphabet, err = feature.ParseAlphabet(f.alphabet); err != nil {
		return o, &usageError{err}
	}
	if o.BlinkSource, err = feature.ParseBlinkSource(f.blinks); err != nil {
		return o, &usageError{err}
	}
	if err := errors.Join(d.Validate(), o.Validate()); err != nil {
		return o, &usageError{err}
	}
	return o, nil
}

// featuresJSON is what features --json prints: features.json and where it is.
type featuresJSON struct {
	*curator.FeatureFolder
	Output string `json:"output"`
}

func featuresCommand(ui *ui) *cobra.Command {
	var data dataFlags
	var home homeFlags
	var screen screenFlags
	var how featureFlags
	var job curator.Features
	c := &cobra.Command{
		Use: "features FILE|FOLDER", Short: "The 52 eye-movement features of every window of every recording: raw data, not protected",
		Example: "  gazeward features --dataset gazere --window 10s -o out/feat data/gazere",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	data.add(c)
	home.add(c)
	screen.add(c)
	how.add(c)
	c.Flags().StringVarP(&job.Out, "output", "o", "", "new folder for the tables (required)")
	c.Flags().BoolVarP(&job.Force, "force", "f", false, "overwrite an older folder of features")
	job.Program = "gazeward " + version()
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		o := data.options()
		if job.Options, err = how.options(); err != nil {
			return err
		}
		if o.Screen, err = screen.parse(); err != nil {
			return err
		}
		if job.Home, err = home.home(); err != nil {
			return err
		}
		if job.Data, err = curator.OpenData(args[0], o); err != nil {
			return refused(err)
		}
		return writeTables(ui, c, &job)
	}
	return c
}

func writeTables(ui *ui, c *cobra.Command, job *curator.Features) error {
	notes(ui, job.Data)
	step, done := ui.progress("recordings", "recordings", -1)
	job.Progress = step
	written, err := job.Run(c.Context())
	done()
	if errors.Is(err, gaze.ErrNoGeometry) {
		return inDegrees(err)
	}
	if err != nil {
		return refused(err)
	}
	for _, q := range job.Data.Report.Quirks() {
		ui.note("data: %v", q)
	}
	ui.note("%s", written.Warning)
	return ui.result(featuresJSON{written, job.Out}, func(w io.Writer) { describeFeatures(w, written, job.Out) })
}

// inDegrees says what features miss where the screen's geometry is not known;
// other errors, and none, it leaves as they are.
func inDegrees(err error) error {
	if !errors.Is(err, gaze.ErrNoGeometry) {
		return err
	}
	return &hinted{err, "give --screen-cm WIDTHxHEIGHT and --distance-cm, or --pixels-per-degree: saccades are measured in degrees"}
}

func describeFeatures(w io.Writer, f *curator.FeatureFolder, out string) {
	fmt.Fprintf(w, "wrote      %d tables of %d features to %s: %d windows of %g s, one every %g s\n", len(f.Tables), feature.Count, out, f.Windows, f.WindowS, f.StepS)
	for _, a := range f.Absent {
		fmt.Fprintf(w, "absent     %s (%d tables)\n", a.Name, a.Tables)
	}
	for _, s := range f.Skipped {
		fmt.Fprintf(w, "skipped    %s %s %s %s: %.3g s\n", s.Participant, s.Session, s.Task, s.Stimulus, s.Seconds)
	}
}
