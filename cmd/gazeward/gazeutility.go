package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/gazeward/gazeward/mechanism/synth"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

type gazeUtilityFlags struct {
	data                                               dataFlags
	screen                                             screenFlags
	folder, mechanisms, calibrations, epsilons, radius string
	window, out                                        string
	set                                                []string
	draws                                              int
	seed                                               uint64
	degrees                                            float64
}

func gazeUtilityCommand(ui *ui) *cobra.Command {
	f := new(gazeUtilityFlags)
	c := &cobra.Command{
		Use:   "gaze-utility",
		Short: "What protected and synthetic gaze paths are worth: position, density, durations, amplitudes (tables 3 and 4 of Ren et al.)",
		Long: "All mechanisms on the same recordings: position error (equation 15 of Ren et al. 2024 as printed and with\n" +
			"the mean; none for recordings of nobody), and the Jensen-Shannon divergence in bits of the density on\n" +
			"60 × 60 cells, of fixation durations and of saccade amplitudes. Controls: split-half compares random halves\n" +
			"of the people, prior-only draws paths from public laws alone, start-held holds the noisy start of each\n" +
			"window. As published, mechanisms run clamped to the screen and not, DPGazeSynth with both of its radii.\n" +
			"The paper's numbers stand beside; they are of other data. Noise is seeded: nothing of it is private.",
		Example: "  gazeward experiment gaze-utility --data data/gazere --mechanisms kaleido,dpgazesynth,population --epsilon 1,2,3 --draws 5 --json",
		Args:    noArguments,
	}
	f.data.add(c)
	f.screen.add(c)
	s := c.Flags()
	s.StringVar(&f.folder, "data", "", "folder or file with the recordings (required)")
	s.StringVar(&f.mechanisms, "mechanisms", "kaleido,dpgazesynth,population", "comma-separated")
	s.StringVar(&f.calibrations, "calibrations", mechanism.Published+","+mechanism.Guaranteed, "comma-separated, of mechanisms that have both")
	s.StringVar(&f.epsilons, "epsilon", "1,2,3", "ε, comma-separated")
	s.StringVar(&f.radius, "radius", "5%,10%", "radii of mechanisms that have one, comma-separated; grids are those on which it is three cells, as in the paper")
	s.StringVar(&f.window, "window", "500ms", "window of mechanisms that have one")
	s.StringArrayVar(&f.set, "set", nil, "NAME=VALUE: another parameter of mechanisms that have it; repeats")
	s.IntVar(&f.draws, "draws", 5, "draws per line")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the noise")
	s.Float64Var(&f.degrees, "pixels-per-degree", 0, "where the recordings have no geometry; default a 57th of the screen's width")
	s.StringVarP(&f.out, "output", "o", "", "folder for the table as HTML, CSV and JSON; every draw is kept there, so that an interrupted run goes on")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(ui, c) }
	return c
}

func (f *gazeUtilityFlags) run(ui *ui, c *cobra.Command) error {
	if f.folder == "" {
		return usage("--data is required: a folder or a file with recordings")
	}
	e, err := f.experiment(c.Context())
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o700); err != nil {
			return err
		}
		e.Work.Journal = filepath.Join(f.out, "cells.jsonl")
	}
	step, done := ui.progress("gaze-utility", "draws", e.Total())
	e.Work.Progress = step
	rows, err := e.Run(c.Context())
	done()
	if errors.Is(err, experiment.ErrOtherConfig) {
		return &hinted{err, "choose another folder with -o, or remove cells.jsonl there"}
	}
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := writeTable(f.out, gazeUtilityFindings(rows), gazeUtilityTable(rows), rows); err != nil {
			return err
		}
		ui.note("wrote %s", filepath.Join(f.out, "table.html"))
	}
	return ui.result(rows, func(w io.Writer) { printGazeUtility(w, rows) })
}

// gazeGround is what all lines have in common.
type gazeGround struct {
	screen    gaze.Screen
	perDegree float64
	values    map[string]string // of the data, by the names of parameters
}

// experiment reads the recordings and makes every line for them.
func (f *gazeUtilityFlags) experiment(ctx context.Context) (*experiment.GazeUtility, error) {
	epsilons, err := list(f.epsilons, "--epsilon", parseNumber)
	if err != nil {
		return nil, err
	}
	radii, err := list(f.radius, "--radius", gaze.ParseLength)
	if err != nil {
		return nil, err
	}
	trial, err := f.trial(ctx)
	if err != nil {
		return nil, err
	}
	e := &experiment.GazeUtility{Draws: f.draws, Work: experiment.Work{Seed: f.seed}}
	if e.Recordings, err = gaze.Collect(trial.Recordings); err != nil {
		return nil, err
	}
	g := f.ground(trial, e.Recordings)
	e.Settings = maps.Clone(g.values)
	e.Settings["set"] = strings.Join(f.set, "\n")
	e.Width, e.Height, e.PixelsPerDegree = float64(g.screen.Width), float64(g.screen.Height), g.perDegree
	if e.Entries, err = f.controls(g, radii, epsilons); err != nil {
		return nil, err
	}
	for _, name := range split(f.mechanisms) {
		more, err := f.entries(g, name, radii, epsilons)
		if err != nil {
			return nil, err
		}
		e.Entries = append(e.Entries, more...)
	}
	return e, nil
}

// trial brings the recordings onto their screen.
func (f *gazeUtilityFlags) trial(ctx context.Context) (*curator.Trial, error) {
	o := f.data.options()
	var err error
	if o.Screen, err = f.screen.parse(); err != nil {
		return nil, err
	}
	d, err := curator.OpenData(f.folder, o)
	if err != nil {
		return nil, refused(err)
	}
	spec := synth.Specs()[0] // which wants a screen
	job := curator.GazeJob{
		Job:  curator.Job{Data: d, Source: noise.Seeded(f.seed), Tell: func(string, ...any) {}},
		Spec: spec, Values: map[string]string{"epsilon": "1", "radius": "5%"},
	}
	t, err := job.Trial(ctx)
	if err != nil {
		return nil, refused(err)
	}
	return t, nil
}

func (f *gazeUtilityFlags) ground(t *curator.Trial, all []*gaze.Recording) gazeGround {
	g := gazeGround{screen: t.Screen, perDegree: f.degrees}
	if v, err := t.Screen.PixelsPerDegree(); err == nil && g.perDegree == 0 {
		g.perDegree = v
	}
	if g.perDegree == 0 {
		g.perDegree = float64(g.screen.Width) / 57
	}
	var samples int
	var length time.Duration
	for _, r := range all {
		if n := r.Samples.Len(); n > 1 && r.Samples.T[n-1] > r.Samples.T[0] {
			samples, length = samples+n-1, length+r.Samples.T[n-1]-r.Samples.T[0]
		}
	}
	g.values = map[string]string{
		"width": strconv.Itoa(g.screen.Width), "height": strconv.Itoa(g.screen.Height), "pixels-per-degree": decimal(g.perDegree),
		"subjects": strconv.Itoa(len(t.People)), "recordings": strconv.Itoa(len(all)), "window": f.window,
	}
	if length > 0 {
		g.values["rate"] = strconv.FormatFloat(float64(samples)/length.Seconds(), 'g', 6, 64)
		g.values["duration"] = (length / time.Duration(len(all))).Round(time.Millisecond).String()
	}
	return g
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// line is one way of asking for a mechanism.
type gazeLine struct {
	calibration, variant string
	percent, px          float64
	values               map[string]string
}

// lines are the calibrations, radii and variants of a mechanism.
func (f *gazeUtilityFlags) lines(g gazeGround, spec mechanism.Spec, radii []gaze.Length) ([]gazeLine, error) {
	calibrations := []string{""}
	if field, ok := spec.Field("calibration"); ok {
		calibrations = slices.DeleteFunc(split(f.calibrations), func(c string) bool { return !slices.Contains(field.Choices, c) })
	}
	if _, ok := spec.Field("radius"); !ok {
		radii = []gaze.Length{{}}
	}
	var out []gazeLine
	for _, l := range radii {
		px, percent, grid, err := g.radius(l)
		if err != nil {
			return nil, &usageError{err}
		}
		for _, c := range calibrations {
			for _, v := range variants(spec, c) {
				line := gazeLine{calibration: c, variant: v.name, percent: percent, px: px, values: map[string]string{"calibration": c, "grid": strconv.Itoa(grid)}}
				if px > 0 {
					line.values["radius"] = decimal(px) + "px"
				}
				for name, value := range v.values {
					line.values[name] = value
				}
				if v.values["radius-rule"] != "" {
					line.values["radius"] = ""
				}
				out = append(out, line)
			}
		}
	}
	return out, nil
}

// radius in px and per cent of the smaller side, with the grid on which it is
// three cells.
func (g gazeGround) radius(l gaze.Length) (px, percent float64, grid int, err error) {
	if l == (gaze.Length{}) {
		return 0, 0, 0, nil
	}
	px, err = l.Pixels(g.screen)
	side := float64(min(g.screen.Width, g.screen.Height))
	percent = math.Round(px/side*1e6) / 1e4
	return px, percent, max(1, min(200, int(math.Round(3*side/px)))), err
}

type gazeVariant struct {
	name   string
	values map[string]string
}

// variants are what a mechanism can be asked for beside ε and radius.
func variants(spec mechanism.Spec, calibration string) []gazeVariant {
	unclamped := map[string]string{"width": "0", "height": "0"}
	switch {
	case spec.Short() == "kaleido":
		return []gazeVariant{{"clamped", nil}, {"not clamped", unclamped}}
	case spec.Short() == "dpgazesynth" && calibration == mechanism.Published:
		var out []gazeVariant
		for _, rule := range []string{synth.RadiusTable2, synth.RadiusEq8} {
			out = append(out, gazeVariant{rule + ", clamped", map[string]string{"radius-rule": rule}},
				gazeVariant{rule + ", not clamped", map[string]string{"radius-rule": rule, "clamp": "no"}})
		}
		return out
	}
	if field, ok := spec.Field("aim"); ok {
		var out []gazeVariant
		for _, aim := range field.Choices {
			out = append(out, gazeVariant{"aim " + aim, map[string]string{"aim": aim}})
		}
		return out
	}
	return []gazeVariant{{}}
}

// entries are all lines of a mechanism at every ε.
func (f *gazeUtilityFlags) entries(g gazeGround, name string, radii []gaze.Length, epsilons []float64) ([]experiment.GazeEntry, error) {
	spec, err := pathSpec(name)
	if err != nil {
		return nil, err
	}
	lines, err := f.lines(g, spec, radii)
	if err != nil {
		return nil, err
	}
	if _, ok := spec.Field("epsilon"); !ok {
		epsilons = []float64{0}
	}
	var out []experiment.GazeEntry
	for _, line := range lines {
		for _, epsilon := range epsilons {
			m, err := f.build(g, spec, line, epsilon)
			if err != nil {
				return nil, err
			}
			guarantee := m.Guarantee()
			radius := line.px
			if guarantee.Radius > 0 {
				radius = guarantee.Radius
			}
			out = append(out, experiment.GazeEntry{
				Mechanism: name, Calibration: line.calibration, Variant: line.variant, Epsilon: epsilon, Radius: radius, Percent: line.percent,
				Guarantee: guarantee.String(), Unit: guarantee.Unit.String(), Model: guarantee.Model.String(), Nobody: spec.Product() == synthesis,
				Protect: func(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
					r, err := m.Protect(pieces, src)
					if err != nil {
						return nil, err
					}
					return r.Recordings, nil
				},
			})
		}
	}
	return out, nil
}

// build makes a mechanism from the data's numbers, the line's and what was typed.
func (f *gazeUtilityFlags) build(g gazeGround, spec mechanism.Spec, line gazeLine, epsilon float64) (mechanism.Paths, error) {
	values := map[string]string{}
	put := func(name, value string) {
		if _, takes := spec.Field(name); takes {
			values[name] = value
		}
	}
	for name, value := range g.values {
		put(name, value)
	}
	for name, value := range line.values {
		put(name, value)
	}
	put("epsilon", decimal(epsilon))
	for _, pair := range f.set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usage("--set: want NAME=VALUE, got %q", pair)
		}
		put(name, value)
	}
	built, err := spec.Build(values)
	if err != nil {
		return nil, &usageError{err}
	}
	m, ok := built.(mechanism.Paths)
	if !ok {
		return nil, usage("%s makes no gaze paths", spec.Name)
	}
	return m, nil
}

// controls are the public laws alone, and noisy starts simply held.
func (f *gazeUtilityFlags) controls(g gazeGround, radii []gaze.Length, epsilons []float64) ([]experiment.GazeEntry, error) {
	window, err := time.ParseDuration(f.window)
	if err != nil {
		return nil, usage("--window: want a duration like 500ms, got %q", f.window)
	}
	m := synth.DPGazeSynth{
		Epsilon: 1, Radius: 0.05 * float64(g.screen.Height), Window: window, PerDegree: g.perDegree,
		Area: synth.Area{Width: float64(g.screen.Width), Height: float64(g.screen.Height)},
	}
	if err := m.Check(); err != nil {
		return nil, &usageError{err}
	}
	out := []experiment.GazeEntry{{Mechanism: "prior-only", Protect: m.Prior}}
	for _, l := range radii {
		px, percent, _, err := g.radius(l)
		if err != nil {
			return nil, &usageError{err}
		}
		for _, epsilon := range epsilons {
			at := m
			at.Epsilon, at.Radius = epsilon, px
			if err := at.Check(); err != nil {
				return nil, &usageError{err}
			}
			out = append(out, experiment.GazeEntry{
				Mechanism: "start-held", Variant: "ε₁ = 0.6 ε alone", Epsilon: epsilon, Radius: px, Percent: percent, Protect: at.Held,
			})
		}
	}
	return out, nil
}

// gazeUtilityTable is the table with the paper's numbers beside.
func gazeUtilityTable(rows []experiment.GazeRow) report.Table {
	t := report.Table{Title: "Gaze paths", Columns: []string{"mechanism", "calibration", "variant", "ε", "radius px", "position error px", "as printed (eq. 15) px",
		"density bits", "duration bits", "amplitude bits", "fixations", "paper: eq. 15", "paper: density", "guarantee"}}
	mean := func(s *experiment.Spread) string {
		if s == nil {
			return ""
		}
		return short(s.Mean)
	}
	for _, r := range rows {
		var error, density []string
		for _, p := range r.Paper {
			error, density = append(error, short(p.RMSE)), append(density, short(p.Density))
		}
		t.Rows = append(t.Rows, []string{r.Mechanism, r.Calibration, r.Variant, number(r.Epsilon), number(r.Radius), mean(r.RMSE), mean(r.RMSESum),
			mean(r.Density), mean(r.Duration), mean(r.Amplitude), mean(r.Fixations), strings.Join(error, "; "), strings.Join(density, "; "), r.Guarantee})
	}
	return t
}

// gazeUtilityFindings is the page.
func gazeUtilityFindings(rows []experiment.GazeRow) *report.Findings {
	f := &report.Findings{
		Title: "What protected and synthetic gaze paths are worth", Foot: "Made by gazeward experiment gaze-utility.",
		Banner: "EVALUATION ONLY: the noise was seeded and the recordings are in plain sight of whoever ran this.",
		Intro: "All mechanisms on the same recordings, means over draws. Divergences are Jensen–Shannon, in bits; fixations are per sample, those of the recordings = 1. " +
			"Nothing below the split-half line matters; what is not better than prior-only says nothing about the people. The paper's numbers are of " + experiment.PaperGazeRemark + ".",
	}
	return f.Add(report.Section{Heading: "All numbers", Tables: []report.Table{gazeUtilityTable(rows)}})
}

func printGazeUtility(w io.Writer, rows []experiment.GazeRow) {
	mean := func(s *experiment.Spread, format string) string {
		if s == nil {
			return "–"
		}
		return fmt.Sprintf(format, s.Mean)
	}
	fmt.Fprintf(w, "%-12s %-11s %-22s %5s %8s %9s %9s %9s %9s %9s %9s   %s\n", "mechanism", "calibration", "", "ε", "r px", "RMSE px", "eq. 15", "density", "duration", "amplitude", "fixations", "paper (360_em; GazeBaseVR): eq. 15, density")
	for _, r := range rows {
		var paper []string
		for _, p := range r.Paper {
			paper = append(paper, fmt.Sprintf("%.4g, %.3f", p.RMSE, p.Density))
		}
		fmt.Fprintf(w, "%-12s %-11s %-22s %5s %8s %9s %9s %9s %9s %9s %9s   %s\n", r.Mechanism, r.Calibration, r.Variant, number(r.Epsilon), number(r.Radius),
			mean(r.RMSE, "%.0f"), mean(r.RMSESum, "%.3g"), mean(r.Density, "%.3f"), mean(r.Duration, "%.3f"), mean(r.Amplitude, "%.3f"), mean(r.Fixations, "%.2f"), strings.Join(paper, "; "))
	}
	fmt.Fprintln(w, "density, duration, amplitude: Jensen-Shannon divergence in bits; fixations: per sample, those of the recordings = 1")
	fmt.Fprintln(w, "the paper's numbers are of", experiment.PaperGazeRemark)
}
