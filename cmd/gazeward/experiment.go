package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

func experimentCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use:   "experiment NAME",
		Short: "Measure what mechanisms are worth on data you have (evaluation only: noise is seeded)",
		Args:  oneOfItsVerbs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(heatmapCCCommand(ui), heatmapExpectedCommand(ui), seriesNMSECommand(ui), seriesCorrelationCommand(ui), experimentListCommand(ui, c.Commands), identificationCommand(ui), gazeUtilityCommand(ui), populationUtilityCommand(ui))
	for _, t := range experiment.RenTables() {
		c.AddCommand(renCommand(ui, t))
	}
	for _, t := range experiment.BozkirTables() {
		c.AddCommand(bozkirCommand(ui, t))
	}
	return c
}

func heatmapExpectedCommand(ui *ui) *cobra.Command {
	var e experiment.HeatmapExpected
	c := &cobra.Command{
		Use:   "heatmap-expected",
		Short: "What plan tells its reader: correlation against relative noise, on simulated people",
		Args:  noArguments,
	}
	c.Flags().IntVar(&e.Draws, "draws", 20, "draws per point")
	c.Flags().Uint64Var(&e.Seed, "seed", 1, "seed of people and noise")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if e.Spec, err = all.ByName("heatmap", "halfblur"); err != nil {
			return err
		}
		step, done := ui.progress("heatmap-expected", "draws", e.Total())
		e.Progress = step
		rows, err := e.Run(c.Context())
		done()
		if err != nil {
			return err
		}
		return ui.result(rows, func(w io.Writer) {
			fmt.Fprintf(w, "%8s %8s %6s  %s\n", "q", "n", "ε", "CC mean ± sd of one draw")
			for _, r := range rows {
				fmt.Fprintf(w, "%8.4g %8d %6g  %.4f ± %.4f\n", r.Q, r.Subjects, r.Epsilon, r.CC.Mean, r.CC.SD)
			}
			fmt.Fprintf(w, "noise-free map: peak %.4g times its mean, standard deviation %.4g\n", rows[0].Peak, rows[0].Spread)
		})
	}
	return c
}

func heatmapCCCommand(ui *ui) *cobra.Command {
	var (
		data                          dataFlags
		query, prior                  string
		folder, subjects, eps, chosen string
		blur, cell, picture, places   string
		capacity                      string
		draws                         int
		seed                          uint64
		screen                        screenFlags
	)
	c := &cobra.Command{
		Use:     "heatmap-cc",
		Short:   "Correlation of private heatmaps with the noise-free heatmap of the same people",
		Long:    "Every recording in the data is one observer of a common canvas; n of them are drawn\nafresh for each draw of noise; δ = n^-1.5. Prints one row per mechanism, n and ε.",
		Example: "  gazeward experiment heatmap-cc --data data/osie --subjects 300 --epsilon 1 --draws 20 --mechanisms halfblur,gaussian --json",
		Args:    noArguments,
	}
	data.add(c)
	screen.add(c)
	f := c.Flags()
	f.StringVar(&folder, "data", "", "folder or file with the recordings (required)")
	f.StringVar(&chosen, "mechanisms", "halfblur,gaussian", "comma-separated")
	f.StringVar(&subjects, "subjects", "300", "n, comma-separated")
	f.StringVar(&eps, "epsilon", "1", "ε, comma-separated")
	f.IntVar(&draws, "draws", 20, "draws per row")
	f.StringVar(&blur, "blur", "", "blur of the picture; default 1deg with geometry, else 3 % of the width")
	f.StringVar(&cell, "cell", "", "cell; default a third of the blur")
	f.StringVar(&picture, "picture", "", "how pictures are made; default the mechanism's best")
	f.StringVar(&places, "places", "", "clip of halfblur; default its own")
	f.StringVar(&prior, "prior", "", "public prior of halfblur: uniform or centre")
	f.StringVar(&query, "query", "", "query blur of halfblur in px; default its own")
	f.StringVar(&capacity, "cap", "0.2", "cap of gaussian and laplace: share of the dwell that counts on one cell")
	f.Uint64Var(&seed, "seed", 1, "seed of people and noise")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if folder == "" {
			return usage("--data is required: a folder or a file with recordings")
		}
		e := experiment.HeatmapCC{Draws: draws, Seed: seed, Values: map[string]string{"cap": capacity}}
		var err error
		if e.Specs, err = specsOf("heatmap", chosen); err != nil {
			return err
		}
		if e.Subjects, err = list(subjects, "--subjects", strconv.Atoi); err != nil {
			return err
		}
		if e.Epsilons, err = list(eps, "--epsilon", parseNumber); err != nil {
			return err
		}
		for name, v := range map[string]string{"picture": picture, "places": places, "query": query, "prior": prior} {
			if v != "" {
				e.Values[name] = v
			}
		}
		o := data.options()
		if o.Screen, err = screen.parse(); err != nil {
			return err
		}
		d, err := curator.OpenData(folder, o)
		if err != nil {
			return refused(err)
		}
		if err := pool(c, d, &e, blur, cell); err != nil {
			return err
		}
		if err := e.Check(); err != nil {
			return &usageError{err}
		}
		step, done := ui.progress("heatmap-cc", "draws", e.Total())
		e.Progress = step
		rows, err := e.Run(c.Context())
		done()
		if err != nil {
			return err
		}
		return ui.result(rows, func(w io.Writer) {
			fmt.Fprintf(w, "%-20s %6s %8s %10s   %s\n", "mechanism", "n", "ε", "δ", "CC mean ± sd of one draw")
			for _, r := range rows {
				fmt.Fprintf(w, "%-20s %6d %8g %10.3g   %.4f ± %.4f  (%.3f … %.3f, %d draws)\n", r.Mechanism, r.Subjects, r.Epsilon, r.Delta, r.CC.Mean, r.CC.SD, r.CC.Min, r.CC.Max, r.Draws)
			}
		})
	}
	return c
}

// pool reads the observers onto a common canvas.
func pool(c *cobra.Command, d *curator.Data, e *experiment.HeatmapCC, blur, cell string) error {
	peek, err := d.Peek(c.Context(), nil)
	if err != nil {
		return err
	}
	if !peek.Screen.Known() {
		return usage("the data do not say how large the screen is: give --screen-px WIDTHxHEIGHT")
	}
	px, _, err := curator.Blur(blur, peek.Screen)
	if err != nil {
		return &usageError{err}
	}
	e.Blur = px
	canvas := heatmap.Canvas{Width: float64(peek.Screen.Width), Height: float64(peek.Screen.Height), Cell: max(1, float64(int(px/3)))}
	if cell != "" {
		l, err := gaze.ParseLength(cell)
		if err == nil {
			canvas.Cell, err = l.Pixels(peek.Screen)
		}
		if err != nil {
			return &usageError{err}
		}
	}
	e.Looks, err = experiment.PoolRecordings(d.Recordings(c.Context(), nil), canvas)
	return err
}

// specsOf reads a comma-separated list of a product's mechanisms.
func specsOf(product, names string) ([]mechanism.Spec, error) {
	return list(names, "--mechanisms", func(s string) (mechanism.Spec, error) {
		return all.ByName(product, strings.TrimPrefix(s, product+"/"))
	})
}

func list[T any](text, flag string, parse func(string) (T, error)) ([]T, error) {
	var out []T
	for _, s := range strings.Split(text, ",") {
		v, err := parse(strings.TrimSpace(s))
		if err != nil {
			return nil, usage("%s: %v", flag, err)
		}
		out = append(out, v)
	}
	return out, nil
}

func parseNumber(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
