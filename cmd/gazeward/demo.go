package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/mechanism/all"
)

func demoCommand(ui *ui) *cobra.Command {
	d := curator.Demo{Rate: 60}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Simulated people in, private heatmap out: no input needed",
		Long:  "demo simulates people in front of a shop window, keeps their recordings as a lab would\n(in OUT/curator, with a ledger and keys of its own), and releases a heatmap of them.",
		Args:  noArguments,
	}
	f := c.Flags()
	f.StringVarP(&d.Out, "output", "o", "gazeward-demo", "new folder for the release")
	f.BoolVarP(&d.Force, "force", "f", false, "overwrite an older demo in that folder")
	f.IntVar(&d.People, "people", 300, "simulated people")
	f.Float64Var(&d.Seconds, "seconds", 8, "how long each looks")
	f.StringVar(&d.Epsilon, "epsilon", "1", "ε of the release")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if d.People < 2 || d.People > 100000 || !(d.Seconds > 0 && d.Seconds <= 600) {
			return usage("want 2 to 100000 people and up to 600 seconds")
		}
		var err error
		if d.Spec, err = all.ByName("heatmap", ""); err != nil {
			return err
		}
		step, done := ui.progress("simulating", "people", d.People)
		d.Progress, d.Tell, d.CommandLine = step, ui.note, "gazeward demo"
		ui.note("simulating %d people for %g s at %g Hz", d.People, d.Seconds, float64(d.Rate))
		r, err := d.Run(c.Context())
		done()
		if err != nil {
			return refused(err)
		}
		if err := ui.showRelease(r); err != nil {
			return err
		}
		ui.note("open %s in a browser; look at the recordings with", filepath.Join(r.Dir, "report.html"))
		ui.note("  gazeward inspect --dataset %[1]s/dataset.yaml %[1]s", filepath.Join(r.Dir, curator.DemoSide, "recordings"))
		return nil
	}
	return c
}
