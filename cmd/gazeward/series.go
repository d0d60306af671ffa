package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/mechanism"
)

func protectSeries(ui *ui) *cobra.Command {
	var p protectFlags
	var how featureFlags
	var stimuli []string
	c := &cobra.Command{
		Use: "series FILE|FOLDER", Short: "Release feature signals: windowed eye-movement features of every recording, or their means over people",
		Example: "  gazeward protect series --dataset gazere --window 10s --mechanism cfpa --chunk 64 --unit chunk --epsilon 10 -o out/series data/gazere\n" +
			"  gazeward protect series --window 10s --mechanism mean --epsilon 3 -o out/means data/gazere",
		Args: oneArgument("a file or a folder with recordings, or with features"),
	}
	typed := func(name string) bool { return slices.Contains([]string{"length", "recordings", "trials"}, name) }
	m := addMechanismFlags(c, "series", append(slices.DeleteFunc(curator.FromData("series"), typed), "window", "step")...)
	p.add(c)
	how.add(c)
	c.Flags().StringArrayVar(&stimuli, "stimulus", nil, "name of a stimulus; repeats; default all recordings")
	pupils := c.Flags().Bool("pupils", false, "release the features of pupil sizes too; every recording should have them")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := m.spec()
		if err != nil {
			return err
		}
		screen, err := m.screen.parse()
		if err != nil {
			return err
		}
		job := curator.SeriesJob{Spec: spec, Values: m.given(), Stimuli: stimuli, Enrolled: p.enrolled, Pupils: *pupils}
		if job.Options, err = how.options(); err != nil {
			return err
		}
		if c.Flags().Changed("blinks") && job.Options.BlinkSource == feature.AutoBlinks && job.Values["calibration"] != mechanism.Published {
			return usage("--blinks auto reads off the data whether there are any: give stated, detect or none (default here)")
		}
		if err := job.Precheck(); err != nil {
			return refused(err)
		}
		if job.Job, err = p.job(ui, c, args[0], screen); err != nil {
			return err
		}
		return ui.release(c, &job.Job, func(ctx context.Context) (*curator.Release, error) {
			r, err := job.Run(ctx)
			return r, inDegrees(err)
		})
	}
	return c
}

// costs says what a plan's guarantee amounts to for parts and for larger units.
func costs(p mechanism.Plan) (lines []string) {
	if n := p.Parameters["features"]; p.PerFeature != nil && n != "1" {
		lines = append(lines, fmt.Sprintf("%s of it for each of %s signals", p.PerFeature.Terms(), n))
	}
	for _, name := range []string{"chunk", "gaze", "recording", "subject"} {
		g, ok := p.Composed[name]
		switch {
		case !ok || g.Unit == p.Guarantee.Unit:
		case name == "gaze":
			lines = append(lines, fmt.Sprintf("%s for any %s of gaze", g.Terms(), p.Parameters["gaze"]))
		default:
			lines = append(lines, fmt.Sprintf("%s per %s", g.Terms(), name))
		}
	}
	return lines
}
