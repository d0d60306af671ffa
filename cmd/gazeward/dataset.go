package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
)

func datasetCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use: "dataset", Short: "Data sets the program knows, and whether a folder is what its definition says",
		Args: noArguments, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(datasetList(ui), datasetShow(ui), datasetCheck(ui))
	return c
}

func datasetList(ui *ui) *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List the definitions that come with the program", Args: noArguments}
	c.RunE = func(*cobra.Command, []string) error {
		all, err := dataset.All()
		if err != nil {
			return err
		}
		type row struct {
			Name  string `json:"name"`
			Title string `json:"title"`
		}
		rows := []row{}
		for _, d := range all {
			rows = append(rows, row{d.Name, d.Title})
		}
		return ui.result(rows, func(w io.Writer) {
			for _, r := range rows {
				fmt.Fprintf(w, "%-16s %s\n", r.Name, r.Title)
			}
		})
	}
	return c
}

func datasetShow(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use: "show NAME", Short: "Print a definition as YAML: a start for your own", Args: oneArgument("a data set's name"),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		d, err := dataset.ByName(args[0])
		if err != nil {
			return &usageError{err}
		}
		return ui.result(d, func(w io.Writer) {
			e := yaml.NewEncoder(w)
			e.SetIndent(2)
			_ = e.Encode(d)
			_ = e.Close()
		})
	}
	return c
}

// checkJSON is what dataset check finds.
type checkJSON struct {
	Dataset      string   `json:"dataset"`
	Why          []string `json:"why"`
	Files        int      `json:"files"`
	Unreadable   []string `json:"unreadable"` // file: why
	Participants int      `json:"participants"`
	Stimuli      int      `json:"stimuli"`
	Recordings   int      `json:"recordings"`
	Rows         int      `json:"rows"`
	Hz           []string `json:"hz"` // measured rates, rounded
	Quirks       []string `json:"quirks"`
	OK           bool     `json:"ok"`
}

func datasetCheck(ui *ui) *cobra.Command {
	var data dataFlags
	c := &cobra.Command{
		Use: "check FOLDER", Short: "Read a whole data set and say whether it is what its definition says; exit 1 if not",
		Example: "  gazeward dataset check --dataset gazere data/gazere", Args: oneArgument("a data set's folder"),
	}
	data.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := curator.OpenData(args[0], data.options())
		if err != nil {
			return err
		}
		r, err := checkData(d)
		if err != nil {
			return err
		}
		err = ui.result(r, func(w io.Writer) { r.describe(w) })
		if err == nil && !r.OK {
			err = errSaysNo
		}
		return err
	}
	return c
}

func checkData(d *curator.Data) (*checkJSON, error) {
	r := &checkJSON{Dataset: d.Name, Why: d.Why, Unreadable: []string{}, Hz: []string{}, Quirks: []string{}}
	all, err := d.Folder.Inspect()
	if err != nil && len(all) == 0 {
		return nil, err
	}
	for _, s := range all {
		r.add(s)
	}
	people, err := d.Folder.Participants()
	if err != nil {
		return nil, err
	}
	stimuli, err := d.Folder.Stimuli()
	if err != nil {
		return nil, err
	}
	r.Participants, r.Stimuli = len(people), len(stimuli)
	r.OK = len(r.Unreadable) == 0 && r.Participants > 0 && r.Rows > 0
	return r, nil
}

func (r *checkJSON) add(s format.Summary) {
	r.Files++
	r.Recordings += s.Recordings
	r.Rows += s.Rows
	if s.Error != "" {
		r.Unreadable = append(r.Unreadable, s.File+": "+s.Error)
	}
	if s.Rate != nil {
		if hz := fmt.Sprintf("%.0f", s.Rate.Hz); !slices.Contains(r.Hz, hz) {
			r.Hz = append(r.Hz, hz)
		}
	}
	for _, q := range s.Quirks {
		if len(r.Quirks) < 50 {
			r.Quirks = append(r.Quirks, s.File+": "+q)
		}
	}
}

func (r *checkJSON) describe(w io.Writer) {
	for _, why := range r.Why {
		fmt.Fprintf(w, "data set     %s\n", why)
	}
	fmt.Fprintf(w, "%s: %d files, %d people, %d stimuli, %d recordings, %d rows, %v Hz\n", r.Dataset, r.Files, r.Participants, r.Stimuli, r.Recordings, r.Rows, r.Hz)
	for _, u := range r.Unreadable {
		fmt.Fprintf(w, "unreadable   %s\n", u)
	}
	for _, q := range r.Quirks {
		fmt.Fprintf(w, "quirk        %s\n", q)
	}
	if r.OK {
		fmt.Fprintln(w, "every file was read")
	}
}
