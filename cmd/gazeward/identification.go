package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

type identificationFlags struct {
	data                                      dataFlags
	screen                                    screenFlags
	folder, out, mechanisms, epsilons, radius string
	calibrations, label                       string
	set                                       []string
	draws                                     int
	clocks                                    bool
	seed                                      uint64
	degrees                                   float64
	window                                    string
	table                                     *experiment.RenTable // nil = all rows
}

// renCommand is a table of Ren et al. 2024: some rows of the identification,
// with the paper's numbers.
func renCommand(ui *ui, table experiment.RenTable) *cobra.Command {
	f := &identificationFlags{table: &table}
	c := f.command(ui)
	c.Use, c.Short = table.Name, table.Title
	c.Long = table.Title + ".\n\nRows of the experiment identification beside the numbers of Ren et al. 2024, which are of the paper's data."
	c.Example = "  gazeward experiment " + table.Name + " --data DIR --dataset gazebasevr --radius 5% --draws 10 -o out/" + table.Name
	for name, v := range map[string]string{"mechanisms": "raw,kaleido,dpgazesynth", "epsilon": "1,2,3"} {
		flag := c.Flags().Lookup(name)
		flag.DefValue = v
		_ = flag.Value.Set(v)
	}
	return c
}

func identificationCommand(ui *ui) *cobra.Command { return new(identificationFlags).command(ui) }

func (f *identificationFlags) command(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use:   "identification",
		Short: "Who is found in protected gaze paths, and what task is told from them, with controls and ceilings",
		Long: "The first half of every recording is protected in one release, of which the attacker learns people; the\n" +
			"second half in another, in which they are looked for. Attackers that know raw halves stand beside, and\n" +
			"features with and without positions. All recordings get one clock, since time stamps identify and no\n" +
			"mechanism protects them (--own-clocks keeps them). Noise is seeded: nothing of it is private. With -o it can be\n" +
			"interrupted and goes on.",
		Example: "  gazeward experiment identification --data data/gazere --mechanisms raw,kaleido,dpgazesynth,population --epsilon 1,3,10 -o out/id",
		Args:    noArguments,
	}
	f.data.add(c)
	f.screen.add(c)
	s := c.Flags()
	s.StringVar(&f.folder, "data", "", "folder or file with the recordings (required)")
	s.StringVarP(&f.out, "output", "o", "", "folder for table.json, table.csv and table.html; finished cells are kept there")
	s.StringVar(&f.mechanisms, "mechanisms", "raw,kaleido,dpgazesynth,population", "comma-separated; raw is the unprotected control")
	s.StringVar(&f.epsilons, "epsilon", "1,3,10", "ε, comma-separated")
	s.StringVar(&f.calibrations, "calibrations", mechanism.Published+","+mechanism.Guaranteed, "comma-separated, of mechanisms that have both")
	s.StringVar(&f.radius, "radius", "5%", "radius of mechanisms that have one")
	s.StringArrayVar(&f.set, "set", nil, "NAME=VALUE: another parameter of mechanisms that have it; repeats")
	s.StringVar(&f.label, "label", "", "the data set's label of recordings that is told as a task; default task or stimulus, where the data have it")
	s.StringVar(&f.window, "window", "10s", "length of a feature window")
	s.IntVar(&f.draws, "draws", 1, "draws of noise per mechanism and ε")
	s.Uint64Var(&f.seed, "seed", 1, "seed of noise and learners")
	s.BoolVar(&f.clocks, "own-clocks", false, "keep every recording's time stamps, which no mechanism protects: a tracker's clock tells which recording it is")
	s.Float64Var(&f.degrees, "pixels-per-degree", 0, "where the recordings have no geometry")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(ui, c) }
	return c
}

func (f *identificationFlags) run(ui *ui, c *cobra.Command) error {
	if f.folder == "" {
		return usage("--data is required: a folder or a file with recordings")
	}
	e, err := f.experiment(ui, c)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o700); err != nil {
			return err
		}
		e.Work.Journal = filepath.Join(f.out, "cells.jsonl")
	}
	step, done := ui.progress("identification", "cells", e.Total())
	e.Work.Progress, e.Work.Seed = step, f.seed
	rows, err := e.Run(c.Context())
	done()
	if errors.Is(err, experiment.ErrOtherConfig) {
		return &hinted{err, "choose another folder with -o, or remove cells.jsonl there"}
	}
	if err != nil {
		return err
	}
	rows = f.chosen(rows)
	if f.out != "" {
		if err := writeTable(f.out, identificationFindings(rows), identificationTable(rows), rows); err != nil {
			return err
		}
		ui.note("wrote %s", filepath.Join(f.out, "table.html"))
	}
	name := "identification"
	if f.table != nil {
		name = f.table.Name
	}
	return ui.result(map[string]any{"experiment": name, "rows": rows}, func(w io.Writer) { printIdentification(w, rows) })
}

// chosen are the rows of the table, with the paper's numbers.
func (f *identificationFlags) chosen(rows []experiment.IdentificationRow) []experiment.IdentificationRow {
	if f.table == nil {
		return rows
	}
	radius := math.NaN()
	if l, err := gaze.ParseLength(f.radius); err == nil && l.Unit == gaze.LengthPercent {
		radius = l.Value
	}
	out := []experiment.IdentificationRow{}
	for _, r := range rows {
		if f.table.Keep(r) {
			r.Printed = f.table.Printed(r, radius)
			out = append(out, r)
		}
	}
	return out
}

// experiment makes every mechanism for the data.
func (f *identificationFlags) experiment(ui *ui, c *cobra.Command) (*experiment.Identification, error) {
	epsilons, err := list(f.epsilons, "--epsilon", parseNumber)
	if err != nil {
		return nil, err
	}
	o := f.data.options()
	if o.Screen, err = f.screen.parse(); err != nil {
		return nil, err
	}
	e := &experiment.Identification{PixelsPerDegree: f.degrees, Draws: f.draws, OwnClocks: f.clocks}
	d, err := time.ParseDuration(f.window)
	if err != nil {
		return nil, usage("--window: want a duration like 10s, got %q", f.window)
	}
	e.Window = d
	open := func() (*curator.Data, error) { return curator.OpenData(f.folder, o) }
	for _, name := range split(f.mechanisms) {
		if err := f.add(c.Context(), ui, e, open, name, epsilons); err != nil {
			return nil, err
		}
	}
	data, err := open()
	if err != nil {
		return nil, refused(err)
	}
	e.Label = f.labelOf(data)
	return e, nil
}

// labelOf is a class of recordings that the data set's definition names.
func (f *identificationFlags) labelOf(d *curator.Data) func(*gaze.Header) (string, bool) {
	definition := &d.Folder.Definition
	if f.label != "" {
		return func(h *gaze.Header) (string, bool) { return definition.Label(f.label, h) }
	}
	return func(h *gaze.Header) (string, bool) {
		for _, l := range definition.Labels {
			if l.Of == "task" || l.Of == "stimulus" {
				return definition.Label(l.Name, h)
			}
		}
		if h.Task != "" {
			return h.Task, true
		}
		return h.Stimulus, h.Stimulus != ""
	}
}

// add makes one mechanism at every ε and calibration.
func (f *identificationFlags) add(ctx context.Context, ui *ui, e *experiment.Identification, open func() (*curator.Data, error), name string, epsilons []float64) error {
	if name == experiment.Raw {
		name = "kaleido" // whose recordings are everybody's; its mechanism is left out
		t, err := f.trial(ctx, ui, open, name, "", 1)
		if err != nil {
			return err
		}
		e.Protected = append(e.Protected, experiment.Protected{Name: experiment.Raw, Calibration: "none"})
		return f.use(e, t)
	}
	spec, err := pathSpec(name)
	if err != nil {
		return err
	}
	calibrations := []string{""}
	if field, ok := spec.Field("calibration"); ok {
		calibrations = nil
		for _, c := range split(f.calibrations) {
			if slices.Contains(field.Choices, c) {
				calibrations = append(calibrations, c)
			}
		}
		if calibrations == nil {
			return usage("--calibrations: %s has %s", name, strings.Join(field.Choices, ", "))
		}
	}
	if _, ok := spec.Field("epsilon"); !ok {
		epsilons = []float64{0}
	}
	for _, calibration := range calibrations {
		for _, epsilon := range epsilons {
			t, err := f.trial(ctx, ui, open, name, calibration, epsilon)
			if err != nil {
				return err
			}
			e.Protected = append(e.Protected, experiment.Protected{
				Name: name, Calibration: t.Mechanism.Plan().Calibration, Epsilon: epsilon, Mechanism: t.Mechanism, Synthetic: spec.Product() == synthesis,
			})
			if err := f.use(e, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathSpec finds a mechanism of gaze paths by the name people use for it.
func pathSpec(name string) (mechanism.Spec, error) {
	if s, err := all.ByName("gaze", strings.TrimPrefix(name, "gaze/")); err == nil && name != "" {
		return s, nil
	}
	short := withModel(strings.TrimPrefix(name, synthesis+"/"), "")
	if s, err := all.ByName(synthesis, short); err == nil && name != "" {
		return s, nil
	}
	_, err := all.ByName("gaze", name)
	return mechanism.Spec{}, &usageError{err}
}

// trial makes a mechanism for the data.
func (f *identificationFlags) trial(ctx context.Context, ui *ui, open func() (*curator.Data, error), name, calibration string, epsilon float64) (*curator.Trial, error) {
	spec, err := pathSpec(name)
	if err != nil {
		return nil, err
	}
	typed := map[string]string{"epsilon": strconv.FormatFloat(epsilon, 'g', -1, 64), "radius": f.radius, "calibration": calibration}
	if f.degrees > 0 {
		typed["pixels-per-degree"] = strconv.FormatFloat(f.degrees, 'g', -1, 64)
	}
	for _, pair := range f.set {
		n, v, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usage("--set: want NAME=VALUE, got %q", pair)
		}
		typed[n] = v
	}
	values := map[string]string{}
	for n, v := range typed {
		if _, takes := spec.Field(n); takes && v != "" {
			values[n] = v
		}
	}
	d, err := open()
	if err != nil {
		return nil, refused(err)
	}
	job := curator.GazeJob{Job: curator.Job{Data: d, Source: noise.Seeded(f.seed), Tell: func(string, ...any) {}}, Spec: spec, Values: values}
	t, err := job.Trial(ctx)
	if err != nil {
		return nil, refused(err)
	}
	return t, nil
}

// use takes the recordings and the geometry of a trial.
func (f *identificationFlags) use(e *experiment.Identification, t *curator.Trial) error {
	e.Recordings = t.Recordings
	if e.PixelsPerDegree > 0 {
		return nil
	}
	perDegree, err := t.Screen.PixelsPerDegree()
	if err != nil {
		return fmt.Errorf("fixations and saccades need degrees: %w", err)
	}
	e.PixelsPerDegree = perDegree
	return nil
}

func identificationTable(rows []experiment.IdentificationRow) report.Table {
	t := report.Table{Title: "Attacks", Columns: []string{"mechanism", "calibration", "ε", "attack", "classifier", "trained on", "positions", "rate", "from", "to", "chance", "majority", "F1", "people",
		"ceiling if ε is claimed per person", "then", "verdict", "paper"}}
	for _, r := range rows {
		row := []string{r.Mechanism, r.Calibration, short(r.Epsilon), r.Attack, r.Classifier, r.Enrolled, strconv.FormatBool(r.Positions), short(r.Rate.Mean),
			short(r.Interval.Lower), short(r.Interval.Upper), short(r.Chance), short(r.Majority), short(r.F1), strconv.Itoa(r.People), "", "", r.Verdict, number(r.Printed)}
		if r.PerPerson != nil {
			row[14], row[15] = short(r.PerPerson.Ceiling), r.PerPerson.Verdict
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// identificationFindings shows, for every attack, the rate against ε.
func identificationFindings(rows []experiment.IdentificationRow) *report.Findings {
	f := &report.Findings{
		Title:  "Who is found in protected gaze paths",
		Intro:  "The attacker learns people from one release and looks for them in another that shares no noise with it, or knows raw recordings. Persons are trials; intervals are exact at 95 %.",
		Banner: "EVALUATION ONLY: the noise was seeded and the recordings are in plain sight of whoever ran this.",
		Foot:   "Made by gazeward experiment identification.",
	}
	var names []string
	by := map[string][]experiment.IdentificationRow{}
	for _, r := range rows {
		if r.Classifier == "" {
			continue
		}
		key := fmt.Sprintf("%s by %s, trained on %s data, positions %v", r.Attack, r.Classifier, r.Enrolled, r.Positions)
		if by[key] == nil {
			names = append(names, key)
		}
		by[key] = append(by[key], r)
	}
	for _, name := range names {
		if s, ok := identificationChart(name, by[name]); ok {
			f.Add(s)
		}
	}
	return f.Add(report.Section{Heading: "All numbers", Tables: []report.Table{identificationTable(rows)}})
}

func identificationChart(name string, rows []experiment.IdentificationRow) (report.Section, bool) {
	c := report.Curves{Title: name, X: "ε", Y: "rate", LogX: true}
	at := map[string]int{}
	for _, r := range rows {
		if r.Epsilon <= 0 {
			c.Levels = append(c.Levels, report.Level{Name: r.Mechanism, Y: r.Rate.Mean})
			continue
		}
		label := strings.TrimSpace(r.Mechanism + " " + r.Calibration)
		i, ok := at[label]
		if !ok {
			i = len(c.Lines)
			at[label], c.Lines = i, append(c.Lines, report.Line{Name: label})
		}
		c.Lines[i].Points = append(c.Lines[i].Points, report.Point{X: r.Epsilon, Y: r.Rate.Mean, Lo: r.Interval.Lower, Hi: r.Interval.Upper})
	}
	if len(c.Lines) == 0 || len(c.Lines) > 12 {
		return report.Section{}, false
	}
	c.Levels = append(c.Levels, report.Level{Name: "chance", Y: rows[0].Chance})
	picture, err := report.Chart(c)
	return report.Section{Heading: name, Pictures: []report.Picture{picture}}, err == nil
}

func printIdentification(w io.Writer, rows []experiment.IdentificationRow) {
	fmt.Fprintf(w, "%-14s %-11s %5s %-24s %-9s %-9s %-5s %6s %-15s %7s %8s  %s\n", "mechanism", "calibration", "ε", "attack", "learner", "trained", "pos.", "rate", "95 %", "chance", "ceiling", "verdict")
	for _, r := range rows {
		ceiling, verdict := "", r.Verdict
		if r.PerPerson != nil {
			ceiling, verdict = short(r.PerPerson.Ceiling), r.Verdict+"; read per person: "+r.PerPerson.Verdict
		}
		if r.Printed != nil {
			verdict += "; the paper prints " + short(*r.Printed)
		}
		fmt.Fprintf(w, "%-14s %-11s %5g %-24s %-9s %-9s %-5v %6.3f %-15s %7.3f %8s  %s\n", r.Mechanism, r.Calibration, r.Epsilon, r.Attack, r.Classifier, r.Enrolled, r.Positions,
			r.Rate.Mean, fmt.Sprintf("%.3f … %.3f", r.Interval.Lower, r.Interval.Upper), r.Chance, ceiling, verdict)
	}
}
