package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/report"
)

type bozkirFlags struct {
	data                                        dataFlags
	screen                                      screenFlags
	features                                    feature.Options
	folder, out, mechanisms, epsilons, learners string
	labels, label, calibration                  string
	draws, every                                int
	perClass, unequal                           bool
	seed                                        uint64
}

func bozkirCommand(ui *ui, table experiment.BozkirTable) *cobra.Command {
	var f bozkirFlags
	c := &cobra.Command{
		Use:   table.Name,
		Short: table.Title + ": accuracy of classifiers on protected features, with controls",
		Long: table.Title + ".\n\nTable of Bozkir et al. 2021 on data that you have: feature folders of MPIIDPEye and MPIIPrivacEye, or\n" +
			"any recordings. Prints one row per mechanism, ε and classifier, with chance, majority, interval, ceiling\n" +
			"and the paper's number. Noise is seeded: nothing of it is private. With -o it can be interrupted and goes on.",
		Example: "  gazeward experiment " + table.Name + " --data DIR --dataset mpiidpeye --draws 10 -o out/" + strings.TrimPrefix(table.Name, "bozkir-"),
		Args:    noArguments,
	}
	f.data.add(c)
	f.screen.add(c)
	s := c.Flags()
	s.StringVar(&f.folder, "data", "", "folder or file with features or recordings (required)")
	s.StringVarP(&f.out, "output", "o", "", "folder for table.json, table.csv and table.html; finished cells are kept there")
	s.StringVar(&f.mechanisms, "mechanisms", "raw,fpa,cfpa-32,cfpa-64,cfpa-128,dcfpa-32,dcfpa-64,dcfpa-128", "comma-separated; raw is the unprotected control")
	s.StringVar(&f.epsilons, "epsilon", "0.48,2.4,4.8,24,48", "the table's ε, 48 times ε per feature, comma-separated")
	s.StringVar(&f.learners, "classifiers", "k-nn,svm,tree,forest", "comma-separated")
	s.StringVar(&f.calibration, "calibration", mechanism.Published, "published or guaranteed")
	s.BoolVar(&f.perClass, "per-class", false, "read sensitivities class by class, as the paper does: then the noise level tells the class")
	s.BoolVar(&f.unequal, "unequal-lengths", false, "keep recordings of unequal lengths: then the length tells the person")
	s.IntVar(&f.every, "every", 0, "use one of so many windows; default the paper's")
	s.IntVar(&f.draws, "draws", 10, "draws of noise per mechanism and ε")
	s.Uint64Var(&f.seed, "seed", 1, "seed of noise and learners")
	s.DurationVar(&f.features.Window, "window", 0, "recordings: length of a feature window, default 30s")
	s.DurationVar(&f.features.Step, "step", 0, "recordings: step between windows, default 0.5s")
	s.StringVar(&f.label, "label", table.Label, "name of the data set's label that is the class")
	s.StringVar(&f.labels, "labels", "", "CSV with the columns participant and label, for classes of people such as gender")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(ui, c, table) }
	return c
}

func (f *bozkirFlags) run(ui *ui, c *cobra.Command, table experiment.BozkirTable) error {
	if f.folder == "" {
		return usage("--data is required: a folder with features or recordings")
	}
	e := &experiment.Bozkir{Table: table, Mechanisms: split(f.mechanisms), PerClass: f.perClass, Unequal: f.unequal,
		Every: f.every, Draws: f.draws, Guaranteed: f.calibration == mechanism.Guaranteed, Bounds: f.features.Bounds()}
	if f.calibration != mechanism.Published && f.calibration != mechanism.Guaranteed {
		return usage("--calibration: want published or guaranteed, got %q", f.calibration)
	}
	var err error
	if e.Epsilons, err = list(f.epsilons, "--epsilon", parseNumber); err != nil {
		return err
	}
	if e.Learners, err = list(f.learners, "--classifiers", func(s string) (classify.Named, error) {
		l, err := classify.ByName(s)
		return classify.Named{Name: s, Learner: l}, err
	}); err != nil {
		return err
	}
	if err := f.features.Validate(); err != nil {
		return &usageError{err}
	}
	if err := f.read(c, e); err != nil {
		return err
	}
	if err := e.Check(); err != nil {
		return &usageError{err}
	}
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o700); err != nil {
			return err
		}
		e.Work.Journal = filepath.Join(f.out, "cells.jsonl")
	}
	step, done := ui.progress(table.Name, "cells", e.Total())
	e.Work.Progress, e.Work.Seed = step, f.seed
	rows, err := e.Run(c.Context())
	done()
	if errors.Is(err, experiment.ErrOtherConfig) {
		return &hinted{err, "choose another folder with -o, or remove cells.jsonl there"}
	}
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := writeTable(f.out, bozkirFindings(table, rows), bozkirTable(table, rows), rows); err != nil {
			return err
		}
		ui.note("wrote %s", filepath.Join(f.out, "table.html"))
	}
	return ui.result(map[string]any{"experiment": table.Name, "rows": rows}, func(w io.Writer) { printBozkir(w, table, rows) })
}

// read computes or reads the features.
func (f *bozkirFlags) read(c *cobra.Command, e *experiment.Bozkir) error {
	o := f.data.options()
	var err error
	if o.Screen, err = f.screen.parse(); err != nil {
		return err
	}
	d, err := curator.OpenData(f.folder, o)
	if err != nil {
		return refused(err)
	}
	var tables []*feature.Table
	for t, err := range (curator.FeatureData{Data: d, Options: f.features}).Tables(c.Context()) {
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	label, err := f.labelled(d)
	if err != nil {
		return err
	}
	return e.Use(tables, label)
}

// labelled finds the class of a recording: in a file, or by the definition.
func (f *bozkirFlags) labelled(d *curator.Data) (func(*feature.Table) (string, bool), error) {
	if f.labels != "" {
		by, err := readLabels(f.labels)
		return func(t *feature.Table) (string, bool) { v, ok := by[t.Header.Participant]; return v, ok }, err
	}
	if f.label == "" {
		return nil, nil
	}
	return func(t *feature.Table) (string, bool) { return d.Folder.Definition.Label(f.label, &t.Header) }, nil
}

func readLabels(file string) (map[string]string, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) != 2 || rows[0][0] != "participant" || rows[0][1] != "label" {
		return nil, usage("--labels: want a CSV file with the columns participant and label")
	}
	by := map[string]string{}
	for _, r := range rows[1:] {
		by[r[0]] = r[1]
	}
	return by, nil
}

func split(s string) []string {
	var out []string
	for _, p := range strings.Split(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// bozkirTable is the table with all its controls.
func bozkirTable(table experiment.BozkirTable, rows []experiment.BozkirRow) report.Table {
	t := report.Table{Title: table.Title, Columns: []string{"mechanism", "ε", "classifier", "trained on", "accuracy", "sd of a draw",
		"from", "to", "chance", "majority", "ceiling", "paper", "verdict"}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{r.Mechanism, short(r.Epsilon), r.Learner, r.Enrolled, short(r.Accuracy.Mean), short(r.Accuracy.SD),
			short(r.Interval.Lower), short(r.Interval.Upper), short(r.Chance), short(r.Majority), number(r.Ceiling), number(r.Printed), r.Verdict})
	}
	return t
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// bozkirFindings is the page: one chart per classifier, then the table.
func bozkirFindings(table experiment.BozkirTable, rows []experiment.BozkirRow) *report.Findings {
	f := &report.Findings{
		Title: table.Title, Foot: "Made by gazeward experiment " + table.Name + ".",
		Intro:  "Accuracy of classifiers on protected feature signals, after Bozkir et al. 2021. The paper's numbers are of its data: compare them only where yours are the same.",
		Banner: "EVALUATION ONLY: the noise was seeded and the recordings are in plain sight of whoever ran this.",
	}
	if table.Task == experiment.TaskPerson {
		f.Intro += " Halves of one release share its noise: linking them says nothing about ε. Only rows trained on raw data are held against the ceiling."
	}
	var names []string
	by := map[string][]experiment.BozkirRow{}
	for _, r := range rows {
		key := r.Learner + ", trained on " + r.Enrolled + " data"
		if by[key] == nil {
			names = append(names, key)
		}
		by[key] = append(by[key], r)
	}
	for _, name := range names {
		if s, ok := bozkirChart(name, by[name]); ok {
			f.Add(s)
		}
	}
	return f.Add(report.Section{Heading: "All numbers", Tables: []report.Table{bozkirTable(table, rows)}})
}

func bozkirChart(name string, rows []experiment.BozkirRow) (report.Section, bool) {
	c := report.Curves{Title: name, X: "ε of the table", Y: "accuracy", LogX: true}
	at := map[string]int{}
	for _, r := range rows {
		if r.Mechanism == experiment.Raw {
			c.Levels = append(c.Levels, report.Level{Name: "raw", Y: r.Accuracy.Mean})
			continue
		}
		i, ok := at[r.Mechanism]
		if !ok {
			i = len(c.Lines)
			at[r.Mechanism], c.Lines = i, append(c.Lines, report.Line{Name: r.Mechanism})
		}
		c.Lines[i].Points = append(c.Lines[i].Points, report.Point{X: r.Epsilon, Y: r.Accuracy.Mean, Lo: r.Interval.Lower, Hi: r.Interval.Upper})
	}
	if len(c.Lines) == 0 || len(c.Lines) > 12 {
		return report.Section{}, false
	}
	c.Levels = append(c.Levels, report.Level{Name: "chance", Y: rows[0].Chance})
	if rows[0].Majority > rows[0].Chance+1e-9 {
		c.Levels = append(c.Levels, report.Level{Name: "majority", Y: rows[0].Majority})
	}
	picture, err := report.Chart(c)
	return report.Section{Heading: name, Pictures: []report.Picture{picture}}, err == nil
}

func printBozkir(w io.Writer, table experiment.BozkirTable, rows []experiment.BozkirRow) {
	fmt.Fprintln(w, table.Title)
	fmt.Fprintf(w, "%-10s %7s %-8s %-10s %-16s %-15s %7s %8s %8s %7s  %s\n", "mechanism", "ε", "learner", "trained on", "accuracy", "95 %", "chance", "majority", "ceiling", "paper", "verdict")
	for _, r := range rows {
		fmt.Fprintf(w, "%-10s %7g %-8s %-10s %-16s %-15s %7.3f %8.3f %8s %7s  %s\n", r.Mechanism, r.Epsilon, r.Learner, r.Enrolled,
			fmt.Sprintf("%.3f ± %.3f", r.Accuracy.Mean, r.Accuracy.SD), fmt.Sprintf("%.3f … %.3f", r.Interval.Lower, r.Interval.Upper),
			r.Chance, r.Majority, number(r.Ceiling), number(r.Printed), r.Verdict)
	}
}
