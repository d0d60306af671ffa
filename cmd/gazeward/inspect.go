package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/format"
)

// dataFlags say how a path becomes a data set.
type dataFlags struct {
	dataset, mapping, participant string
	blinkPad                      time.Duration
}

func (d *dataFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&d.dataset, "dataset", "", "name of a data set definition, or a YAML file with one; default: whichever fits the folder")
	c.Flags().StringVar(&d.mapping, "mapping", "", "YAML file that says what the columns of a table mean")
	c.Flags().StringVar(&d.participant, "participant", "", "pattern of file names, for example 'S{participant}_{session}.tsv'")
	c.Flags().DurationVar(&d.blinkPad, "blink-pad", 0, "lose samples so close to a blink besides those within it, for example 50ms (EyeLink)")
}

func (d *dataFlags) options() curator.DataOptions {
	return curator.DataOptions{Dataset: d.dataset, Mapping: d.mapping, Participant: d.participant, BlinkPad: d.blinkPad}
}

func inspectCommand(ui *ui) *cobra.Command {
	var data dataFlags
	c := &cobra.Command{
		Use:     "inspect FILE|FOLDER",
		Short:   "What a file or folder holds: format and why, rate, unit, loss, geometry, what was dropped, oddities",
		Example: "  gazeward inspect recording.asc\n  gazeward inspect --dataset osie data/osie",
		Args:    oneArgument("a file or a folder"),
	}
	data.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := curator.OpenData(args[0], data.options())
		if err != nil {
			return refused(err)
		}
		for _, why := range d.Why {
			ui.note("data set: %s", why)
		}
		notes(ui, d)
		all, err := d.Folder.Inspect()
		if err != nil {
			return err
		}
		if info, err := os.Stat(args[0]); err == nil && !info.IsDir() && len(all) == 1 {
			return ui.result(all[0], func(w io.Writer) { describe(w, all[0]) })
		}
		return ui.result(all, func(w io.Writer) {
			for _, s := range all {
				describe(w, s)
			}
		})
	}
	return c
}

// notes tells what a definition or mapping says people should know.
func notes(ui *ui, d *curator.Data) {
	for _, n := range d.Folder.Definition.Notes {
		ui.note("note: %s", n)
	}
}

func describe(w io.Writer, s format.Summary) {
	if s.Error != "" && s.Recordings == 0 {
		fmt.Fprintf(w, "%s\n  error       %s\n", s.File, s.Error)
		return
	}
	fmt.Fprintf(w, "%s\n  format      %s (%s)\n", s.File, s.Format, strings.Join(s.Why, "; "))
	fmt.Fprintf(w, "  recordings  %d, people %d, rows %d, %.4g s\n", s.Recordings, s.Subjects, s.Rows, s.SpanS)
	if s.Rate != nil {
		stated := "none stated"
		if s.Rate.NominalHz > 0 {
			stated = fmt.Sprintf("%g Hz stated", s.Rate.NominalHz)
		}
		fmt.Fprintf(w, "  rate        %.5g Hz measured, %s, jitter %.3g ms\n", s.Rate.Hz, stated, s.Rate.JitterMs)
	}
	fmt.Fprintf(w, "  positions   %s, eyes %s, %.2f %% lost\n", s.Unit, strings.Join(s.Eyes, " and "), 100*s.Lost)
	fmt.Fprintf(w, "  events      %d fixations, %d saccades, %d blinks\n", s.Events.Fixations, s.Events.Saccades, s.Events.Blinks)
	if s.Screen == nil {
		fmt.Fprintln(w, "  screen      not stated: degrees will be refused unless you give the geometry")
	} else {
		fmt.Fprintf(w, "  screen      %d × %d px, origin %s\n", s.Screen.WidthPx, s.Screen.HeightPx, s.Screen.Origin)
	}
	if len(s.Dropped) > 0 {
		fmt.Fprintf(w, "  dropped     %s\n", strings.Join(s.Dropped, ", "))
	}
	for _, q := range s.Quirks {
		fmt.Fprintf(w, "  quirk       %s\n", q)
	}
	if s.Error != "" {
		fmt.Fprintf(w, "  error       %s\n", s.Error)
	}
}
