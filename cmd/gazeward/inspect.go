package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	var mapping string
	c := &cobra.Command{
		Use:     "inspect FILE|FOLDER",
		Short:   "What a file or folder holds: format and why, rate, unit, loss, geometry, what was dropped, oddities",
		Example: "  gazeward inspect recording.asc\n  gazeward inspect --dataset osie data/osie\n  gazeward inspect --write-mapping m.yaml table.csv",
		Args:    oneArgument("a file or a folder"),
	}
	data.add(c)
	c.Flags().StringVar(&mapping, "write-mapping", "", "new YAML file for the mapping that a table needs, as far as it can be guessed; the table is then read by it")
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := curator.OpenData(args[0], data.options())
		if err != nil {
			return refused(err)
		}
		ui.note("data set: %s", whyRead(d))
		notes(ui, d)
		all, err := d.Folder.Inspect()
		if mapping != "" {
			if data.mapping, err = writeMapping(mapping, all); err != nil {
				return err
			}
			ui.note("mapping: written; what it guesses, check")
			if d, err = curator.OpenData(args[0], data.options()); err != nil {
				return refused(err)
			}
			notes(ui, d)
			all, err = d.Folder.Inspect()
		}
		if err != nil && !(ui.json && len(all) > 0) {
			return err
		}
		return errors.Join(err, ui.summaries(args[0], all))
	}
	return c
}

// whyRead says why the data are read as they are. Of the definitions that do
// not fit a folder it says only how many there are.
func whyRead(d *curator.Data) string {
	if len(d.Why) == 1 {
		return d.Why[0]
	}
	for _, why := range d.Why {
		if strings.HasPrefix(why, d.Folder.Definition.Name+": ") {
			return why
		}
	}
	return fmt.Sprintf("none of %d definitions fits (gazeward dataset check says why): every file is read by itself", len(d.Why)-1)
}

// writeMapping writes the mapping that was suggested for the first file that
// needs one.
func writeMapping(name string, all []format.Summary) (string, error) {
	i := slices.IndexFunc(all, func(s format.Summary) bool { return s.Suggestion != "" })
	switch {
	case i < 0:
		return "", usage("--write-mapping: nothing here needs a mapping that could be guessed; leave it out")
	case all[i].Incomplete:
		return "", usage("--write-mapping: the columns of %s say too little:\n%s", all[i].File, all[i].Error)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", usage("--write-mapping: there is a file already; choose another name")
	}
	if err != nil {
		return "", fmt.Errorf("cannot write the mapping: %w", err)
	}
	_, err = f.WriteString(all[i].Suggestion)
	return name, errors.Join(err, f.Close())
}

// summaries prints one summary for a file, a list for a folder.
func (u *ui) summaries(path string, all []format.Summary) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && len(all) == 1 {
		return u.result(all[0], func(w io.Writer) { describe(w, all[0]) })
	}
	return u.result(all, func(w io.Writer) {
		for _, s := range all {
			describe(w, s)
		}
	})
}

// notes tells what a definition or mapping says people should know.
func notes(ui *ui, d *curator.Data) {
	for _, n := range d.Folder.Definition.Notes {
		ui.note("note: %s", n)
	}
}

func describe(w io.Writer, s format.Summary) {
	if s.Error != "" && s.Recordings == 0 {
		said, _, _ := strings.Cut(strings.TrimPrefix(s.Error, "format: "), "\n") // inspecting the file alone says it all
		fmt.Fprintf(w, "%s\n  error       %s\n", s.File, strings.TrimPrefix(said, filepath.Base(s.File)+": "))
		if s.Suggestion != "" && !s.Incomplete {
			fmt.Fprintln(w, "  mapping     this table needs one: gazeward inspect --write-mapping m.yaml FILE")
		}
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
