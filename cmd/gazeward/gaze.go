package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
)

// gazeFlags are common to protect gaze and synthesize.
type gazeFlags struct {
	protectFlags
	mechanism *mechanismFlags
	stimuli   []string
	pictures  int
	clock     float64
}

// fromData are the parameters that a job reads off the data.
var fromData = []string{"subjects"}

func (g *gazeFlags) add(c *cobra.Command, product string) {
	g.mechanism = addMechanismFlags(c, product, fromData...)
	g.addPaying(c)
	f := c.Flags()
	f.StringArrayVar(&g.stimuli, "stimulus", nil, "only recordings of this stimulus; repeats")
	if product == "gaze" {
		f.Float64Var(&g.clock, "clock", 0, "put all recordings on one clock of so many samples per second: a tracker's own time stamps tell which recording it is")
	}
	f.IntVar(&g.pictures, "pictures", curator.DefaultScanPaths, "how many recordings are drawn as scan paths")
}

func (g *gazeFlags) run(ui *ui, c *cobra.Command, spec mechanism.Spec, path string) error {
	screen, err := g.mechanism.screen.parse()
	if err != nil {
		return err
	}
	job := curator.GazeJob{Spec: spec, Values: g.mechanism.given(), Stimuli: g.stimuli, Enrolled: g.enrolled, Pictures: g.pictures, Clock: gaze.Hertz(g.clock)}
	if g.clock < 0 || g.clock > 1e6 {
		return usage("--clock: want samples per second, got %g", g.clock)
	}
	if g.pictures == 0 {
		job.Pictures = -1
	}
	if err := job.Precheck(); err != nil {
		return refused(err)
	}
	if job.Job, err = g.job(ui, c, path, screen); err != nil {
		return err
	}
	return ui.release(c, &job.Job, job.Run)
}

func protectGaze(ui *ui) *cobra.Command {
	var g gazeFlags
	c := &cobra.Command{
		Use: "gaze FILE|FOLDER", Short: "Release gaze paths: one protected recording for each",
		Example: "  gazeward protect gaze --dataset gazere --mechanism kaleido --epsilon 3 --window 500ms --radius 5% -o out/gaze data/gazere",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	g.add(c, "gaze")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := g.mechanism.spec()
		if err != nil {
			return err
		}
		return g.run(ui, c, spec, args[0])
	}
	return c
}

// synthesis is the product whose recordings are of nobody.
const synthesis = "synthesis"

const modelDoc = "who is trusted with the data: central (a curator), local (nobody)"

// synthesisCommands are there as soon as a mechanism is.
func synthesisCommands(ui *ui) []*cobra.Command {
	if len(all.Of(synthesis)) == 0 {
		return nil
	}
	return []*cobra.Command{synthesizeCommand(ui)}
}

func synthesizeCommand(ui *ui) *cobra.Command {
	var g gazeFlags
	var model string
	c := &cobra.Command{
		Use: "synthesize FILE|FOLDER", Short: "Release recordings of nobody, drawn from a model of the people in the data",
		Example: "  gazeward synthesize --dataset gazere --mechanism population --model central --epsilon 3 --delta 1e-3 --recordings 200 --rate 250 -o out/people data/gazere",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	g.add(c, synthesis)
	if c.Flags().Lookup("model") == nil {
		c.Flags().StringVar(&model, "model", "", modelDoc)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if f := c.Flags().Lookup("model"); f != nil && f.Changed {
			model = f.Value.String()
		}
		g.mechanism.name = withModel(g.mechanism.name, model)
		spec, err := g.mechanism.spec()
		if err != nil {
			return err
		}
		return g.run(ui, c, spec, args[0])
	}
	return c
}

// withModel finds the mechanism that a family has for a model of trust:
// population and central make population-central.
func withModel(name, model string) string {
	name = strings.TrimPrefix(name, synthesis+"/")
	has := func(name string) bool {
		return slices.ContainsFunc(all.Of(synthesis), func(s mechanism.Spec) bool { return s.Short() == name })
	}
	switch {
	case model != "":
		return strings.TrimSuffix(strings.TrimSuffix(name, "-central"), "-local") + "-" + model
	case !has(name) && has(name+"-central"):
		return name + "-central"
	}
	return name
}

// fillScreen gives a mechanism of gaze paths the screen that was typed, as the
// data would.
func fillScreen(spec mechanism.Spec, values map[string]string, s gaze.Screen) {
	if p := spec.Product(); p != "gaze" && p != synthesis || !s.Known() || values["surface"] == "sphere" {
		return
	}
	for name, side := range map[string]int{"width": s.Width, "height": s.Height} {
		if _, takes := spec.Field(name); takes && values[name] == "" {
			values[name] = strconv.Itoa(side)
		}
	}
}
