package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/report"
)

// writeTable writes an experiment's result three times: for programs, for
// spreadsheets and for people.
func writeTable(dir string, page *report.Findings, table report.Table, rows any) error {
	if err := writeFile(filepath.Join(dir, "table.html"), true, page.WriteHTML); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "table.csv"), true, table.WriteCSV); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "table.json"), true, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(map[string]any{"rows": rows})
	})
}

// experimentListCommand lists the experiments.
func experimentListCommand(ui *ui, all func() []*cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the experiments", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			type entry struct {
				Name    string `json:"name"`
				Summary string `json:"summary"`
				Example string `json:"example"`
			}
			out := []entry{}
			for _, c := range all() {
				if c.Name() != "list" && c.Name() != "help" {
					out = append(out, entry{c.Name(), c.Short, c.Example})
				}
			}
			return ui.result(out, func(w io.Writer) {
				for _, e := range out {
					fmt.Fprintf(w, "%-22s %s\n", e.Name, e.Summary)
				}
			})
		},
	}
}

// number is a value that may not be known.
func number(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'g', 4, 64)
}
