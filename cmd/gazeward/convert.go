package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
)

func convertCommand(ui *ui) *cobra.Command {
	var data dataFlags
	var home homeFlags
	var screen screenFlags
	var job curator.Convert
	c := &cobra.Command{
		Use: "convert FILE|FOLDER", Short: "Write recordings as CSV, Parquet, feather or BIDS, under pseudonyms: raw data, not protected",
		Example: "  gazeward convert recording.asc.gz -o out/a.parquet\n  gazeward convert --mapping m.yaml any.csv -o out/b.csv.gz",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	data.add(c)
	home.add(c)
	screen.add(c)
	c.Flags().StringVarP(&job.Out, "output", "o", "", "file to write, ending in .csv, .csv.gz, .parquet or .feather (required)")
	c.Flags().StringVar(&job.To, "to", "", "format of the output: csv, parquet, feather or bids (a new folder); default by its ending")
	c.Flags().BoolVarP(&job.Force, "force", "f", false, "overwrite older outputs")
	job.Program = "gazeward " + version()
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		o := data.options()
		if o.Screen, err = screen.parse(); err != nil {
			return err
		}
		if job.Home, err = home.home(); err != nil {
			return err
		}
		if job.Data, err = curator.OpenData(args[0], o); err != nil {
			return refused(err)
		}
		notes(ui, job.Data)
		written, err := job.Run(c.Context())
		if err != nil {
			return refused(err)
		}
		for _, q := range job.Data.Report.Quirks() {
			ui.note("data: %v", q)
		}
		ui.note("NOT PROTECTED: these are the recordings of people under pseudonyms; gaze identifies people. Keep them as you keep the originals")
		return ui.result(map[string]any{"outputs": written}, func(w io.Writer) {
			for _, name := range written {
				fmt.Fprintf(w, "wrote      %s\n", name)
			}
		})
	}
	return c
}
