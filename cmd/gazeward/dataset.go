package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

func datasetCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use: "dataset", Short: "Data sets the program knows, and whether a folder is what its definition says",
		Args: oneOfItsVerbs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
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
		Use: "show NAME|FILE", Short: "Print a definition as YAML, also one of pymovements: a start for your own",
		Args: oneArgument("a data set's name, or a YAML file"),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		d, err := curator.Definition(args[0])
		if err != nil {
			return refused(err)
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
	Notes        []string `json:"notes"` // of the definition
	Files        int      `json:"files"`
	Unreadable   []string `json:"unreadable"` // file: why
	Empty        []string `json:"empty"`      // files without a single row or event; they are skipped
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
			return refused(err)
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
	r := &checkJSON{Dataset: d.Name, Why: d.Why, Notes: []string{}, Unreadable: []string{}, Empty: []string{}, Hz: []string{}, Quirks: []string{}}
	r.Notes = append(r.Notes, d.Folder.Definition.Notes...)
	people, stimuli := make(map[string]bool), make(map[string]bool)
	all, err := d.Folder.InspectSeeing(func(h *gaze.Header) {
		people[strings.Clone(h.Participant)], stimuli[strings.Clone(h.Stimulus)] = true, true
	})
	if err != nil && len(all) == 0 {
		return nil, err
	}
	for _, s := range all {
		r.add(s)
	}
	delete(people, "") // nobody
	delete(stimuli, "")
	r.Participants, r.Stimuli = len(people), len(stimuli)
	r.OK = len(r.Unreadable) == 0 && r.Rows > 0
	return r, nil
}

func (r *checkJSON) add(s format.Summary) {
	r.Files++
	r.Recordings += s.Recordings
	r.Rows += s.Rows
	switch {
	case s.Empty:
		r.Empty = append(r.Empty, s.File)
	case s.Error != "":
		r.Unreadable = append(r.Unreadable, s.File+": "+s.Error)
	}
	if s.Rate != nil && s.Rate.Hz > 0 {
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
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note         %s\n", n)
	}
	for _, u := range r.Unreadable {
		first, _, _ := strings.Cut(u, "\n") // inspect explains the rest
		fmt.Fprintf(w, "unreadable   %s\n", first)
	}
	for _, e := range r.Empty {
		fmt.Fprintf(w, "empty        %s: a header at most, no rows; it is skipped\n", e)
	}
	for _, q := range r.Quirks {
		fmt.Fprintf(w, "quirk        %s\n", q)
	}
	if r.Participants == 0 && r.Rows > 0 {
		fmt.Fprintln(w, "nobody       nothing says who was recorded: a release needs it (--participant, or a field of the definition)")
	}
	switch {
	case r.OK && len(r.Empty) == 0:
		fmt.Fprintln(w, "every file was read")
	case r.OK:
		fmt.Fprintf(w, "every file with content was read, %d without\n", len(r.Empty))
	case len(r.Unreadable) == 0:
		fmt.Fprintln(w, "no file has a single row")
	default:
		fmt.Fprintf(w, "%d of %d files cannot be read\n", len(r.Unreadable), r.Files)
	}
}
