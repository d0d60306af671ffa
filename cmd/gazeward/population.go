package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/synth/population"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

type populationFlags struct {
	data                                            dataFlags
	screen                                          screenFlags
	folder, task, scenes, models, subjects, epsilon string
	prior, layout, laws                             string
	people, draws                                   int
	seconds, degrees                                float64
	seed                                            uint64
}

func populationUtilityCommand(ui *ui) *cobra.Command {
	f := new(populationFlags)
	c := &cobra.Command{
		Use:   "population-utility",
		Short: "What recordings of nobody are worth: density, durations and amplitudes against n people, with controls",
		Long: "Synthesis of a population against the people it was made of, n of them drawn afresh for each draw of\n" +
			"noise, δ = n^-1.5: Jensen-Shannon divergence in bits of the density on 60 × 60 cells, of fixation\n" +
			"durations and of saccade amplitudes. Without --data the people are simulated. Controls: split-half\n" +
			"compares n people with n others (half of them with the other half where there are no more), no-noise\n" +
			"is the generator on the people's own laws, prior-only the generator on the public prior. Noise is\n" +
			"seeded: nothing of it is private.",
		Example: "  gazeward experiment population-utility --scenes free,read --subjects 300,1000 --epsilon 1,3 --draws 3\n" +
			"  gazeward experiment population-utility --data data/gazere --task g-rel --subjects 24 --epsilon 1,3 --prior layout --layout @page.csv --laws reading --pixels-per-degree 45",
		Args: noArguments,
	}
	f.data.add(c)
	f.screen.add(c)
	s := c.Flags()
	s.StringVar(&f.folder, "data", "", "folder or file with recordings; default: people are simulated")
	s.StringVar(&f.task, "task", "", "with --data: only recordings of this task")
	s.StringVar(&f.scenes, "scenes", "free,read", "simulated people: what they do, comma-separated: free (a picture), read (a page)")
	s.IntVar(&f.people, "people", 0, "simulated people to draw n from; default twice the largest n")
	s.Float64Var(&f.seconds, "seconds", 30, "simulated people: length of a recording")
	s.StringVar(&f.models, "models", "central", "comma-separated: central, local")
	s.StringVar(&f.subjects, "subjects", "300,1000", "n, comma-separated")
	s.StringVar(&f.epsilon, "epsilon", "3", "ε, comma-separated")
	s.IntVar(&f.draws, "draws", 3, "draws per line")
	s.Uint64Var(&f.seed, "seed", 1, "seed of people and noise")
	s.StringVar(&f.prior, "prior", population.PriorUniform, "public prior of where people look: uniform, centre, layout")
	s.StringVar(&f.layout, "layout", "", "boxes as x,y,width,height[,weight];… in px, or @FILE with one per line")
	s.StringVar(&f.laws, "laws", "", "published laws of durations and saccades as prior: viewing, reading; default: that of the scene, else viewing")
	s.Float64Var(&f.degrees, "pixels-per-degree", 0, "with --data: scale where the recordings have no geometry; there is no default")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(ui, c) }
	return c
}

// populationTable is one table: rows of one group of people.
type populationTable struct {
	People string                     `json:"people"`
	Rows   []experiment.PopulationRow `json:"rows"`
}

func (f *populationFlags) run(ui *ui, c *cobra.Command) error {
	base, err := f.experiment()
	if err != nil {
		return err
	}
	names := []string{f.task}
	if f.folder == "" {
		names = split(f.scenes)
	}
	var tables []populationTable
	for _, name := range names {
		e := *base
		if e.Values, err = f.values(name); err != nil {
			return err
		}
		if e.People, err = f.gather(c.Context(), name, slices.Max(e.Subjects)); err != nil {
			return err
		}
		if err := e.Check(); err != nil {
			return &usageError{err}
		}
		step, done := ui.progress("population-utility "+name, "draws", e.Total())
		e.Progress = step
		rows, err := e.Run(c.Context())
		done()
		if err != nil {
			return err
		}
		tables = append(tables, populationTable{name, rows})
	}
	return ui.result(tables, func(w io.Writer) { printPopulations(w, tables) })
}

func (f *populationFlags) experiment() (*experiment.PopulationUtility, error) {
	e := &experiment.PopulationUtility{Draws: f.draws, Seed: f.seed}
	var err error
	if e.Subjects, err = list(f.subjects, "--subjects", strconv.Atoi); err != nil {
		return nil, err
	}
	if e.Epsilons, err = list(f.epsilon, "--epsilon", parseNumber); err != nil {
		return nil, err
	}
	var names []string
	for _, m := range split(f.models) {
		names = append(names, "population-"+m)
	}
	e.Specs, err = specsOf(synthesis, strings.Join(names, ","))
	return e, err
}

// values are the prior, that of a scene's manner where none is named.
func (f *populationFlags) values(name string) (map[string]string, error) {
	v := map[string]string{"prior": f.prior, "layout": f.layout, "laws": f.laws}
	if f.laws == "" && f.folder == "" && name == "read" {
		v["laws"] = population.LawsReading
	}
	if path, ok := strings.CutPrefix(f.layout, "@"); ok {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		v["layout"] = string(b)
	}
	for k, text := range v {
		if text == "" {
			delete(v, k)
		}
	}
	return v, nil
}

func (f *populationFlags) gather(ctx context.Context, name string, most int) (*experiment.Populace, error) {
	if f.folder != "" {
		return f.read(ctx)
	}
	scene := simulate.ShopWindow()
	switch name {
	case "free":
	case "read":
		scene = simulate.TextPage()
	default:
		return nil, usage("--scenes: want free or read, got %q", name)
	}
	people := f.people
	if people == 0 {
		people = 2 * most
	}
	return experiment.Simulated(scene, people, f.seconds, noise.Seeded(f.seed))
}

// read is the people of a data set, on their screen.
func (f *populationFlags) read(ctx context.Context) (*experiment.Populace, error) {
	reader := gazeUtilityFlags{data: f.data, screen: f.screen, folder: f.folder, seed: f.seed}
	t, err := reader.trial(ctx)
	if err != nil {
		return nil, err
	}
	pieces, own := t.Recordings, false
	if f.task != "" {
		pieces = func(yield func(*gaze.Recording, error) bool) {
			for r, err := range t.Recordings {
				if err == nil && !r.Continues {
					own = r.Task == f.task
				}
				if (err != nil || own) && !yield(r, err) {
					return
				}
			}
		}
	}
	return experiment.NewPopulace(population.Shape{Screen: gaze.Screen{
		Width: t.Screen.Width, Height: t.Screen.Height, WidthCm: t.Screen.WidthCm, HeightCm: t.Screen.HeightCm, DistanceCm: t.Screen.DistanceCm,
	}, PixelsPerDegree: f.degrees}, pieces)
}

func printPopulations(w io.Writer, tables []populationTable) {
	for _, t := range tables {
		fmt.Fprintf(w, "%s\n%-20s %7s %5s %9s   %-18s %-18s %-18s %s\n", t.People, "mechanism", "n", "ε", "δ", "density", "durations", "amplitudes", "bits; mean ± sd of one draw")
		for _, r := range t.Rows {
			epsilon, delta := "–", "–"
			if r.Epsilon > 0 {
				epsilon, delta = fmt.Sprintf("%g", r.Epsilon), fmt.Sprintf("%.3g", r.Delta)
			}
			fmt.Fprintf(w, "%-20s %7d %5s %9s", r.Mechanism, r.Subjects, epsilon, delta)
			for _, v := range []experiment.Spread{r.Density, r.Duration, r.Amplitude} {
				fmt.Fprintf(w, "   %.4f ± %.4f", v.Mean, v.SD)
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintln(w, "central and local protect a subject with everything recorded of them; mechanisms of gaze paths protect less")
}
