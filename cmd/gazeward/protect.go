package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/noise"
)

func protectCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use: "protect PRODUCT", Short: "Release a product of recordings: charge the ledger, draw, write pictures, numbers and manifest",
		Args: oneOfItsVerbs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(protectHeatmap(ui), protectAOI(ui), protectGaze(ui), protectSeries(ui))
	return c
}

// protectFlags are common to all products.
type protectFlags struct {
	data     dataFlags
	home     homeFlags
	out      string
	force    bool
	note     string
	enrolled int
	seed     uint64
	looks    string
	cap      curator.Cap
}

func (p *protectFlags) add(c *cobra.Command) {
	p.addPaying(c)
	c.Flags().StringVar(&p.looks, "looks", "auto", "what counts as looking: auto, stated (fixations in the file), samples, detect (I-VT)")
}

// addPaying are the flags of a release, whatever is made of the recordings.
func (p *protectFlags) addPaying(c *cobra.Command) {
	p.data.add(c)
	p.home.add(c)
	f := c.Flags()
	f.StringVarP(&p.out, "output", "o", "", "new folder for the release (required)")
	f.BoolVarP(&p.force, "force", "f", false, "overwrite an older release in that folder")
	f.StringVar(&p.note, "note", "", "words for the ledger; they stay for ever, so name nobody")
	f.IntVar(&p.enrolled, "enrolled", 0, "n, where more people were enrolled than have data")
	f.Uint64Var(&p.seed, "seed", 0, "draw from a seed, for tests: the release is NOT private and never charged")
	f.Float64Var(&p.cap.Epsilon, "budget", curator.DefaultCapEpsilon, "cap on ε of the account that the first release opens, per radius for gaze paths; it never changes")
	f.Float64Var(&p.cap.Delta, "budget-delta", curator.DefaultCapDelta, "its cap on δ")
}

func (p *protectFlags) job(ui *ui, c *cobra.Command, path string, screen gaze.Screen) (curator.Job, error) {
	if p.out == "" {
		return curator.Job{}, usage("-o is required: a new folder for the release")
	}
	home, err := p.home.home()
	if err != nil {
		return curator.Job{}, err
	}
	o := p.data.options()
	o.Screen = screen
	d, err := curator.OpenData(path, o)
	if err != nil {
		return curator.Job{}, refused(err)
	}
	ui.note("data set: %s", whyRead(d))
	src := noise.Secure()
	if c.Flags().Changed("seed") {
		src = noise.Seeded(p.seed)
	}
	return curator.Job{Data: d, Home: home, Out: p.out, Force: p.force, Source: src, Note: p.note, Cap: p.asCap(c), Tell: ui.note, CommandLine: asked(c)}, nil
}

// release runs a job and shows what was released.
func (ui *ui) release(c *cobra.Command, job *curator.Job, run func(context.Context) (*curator.Release, error)) error {
	step, done := ui.progress("reading", "recordings", -1)
	job.Progress = step
	r, err := run(c.Context())
	done()
	if err != nil {
		return refused(err)
	}
	return ui.showRelease(r)
}

// asCap is the cap that was typed, if one was.
func (p *protectFlags) asCap(c *cobra.Command) *curator.Cap {
	if !c.Flags().Changed("budget") && !c.Flags().Changed("budget-delta") {
		return nil
	}
	return &p.cap
}

// asked is the command line as it may be published: no paths, no patterns of
// file names, no notes.
func asked(c *cobra.Command) string {
	words := strings.Fields(c.CommandPath())
	public := slices.Clone(words)
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "output", "force", "note", "ledger", "participant", "mapping", "aoi", "json", "quiet":
		case "stimulus": // named beside every picture, and may repeat
		default:
			words = append(words, "--"+f.Name+"="+f.Value.String())
			public = append(public, "--"+f.Name+"=")
		}
	})
	return string(manifest.CommandLine(append(words, "DATA"), public))
}

// releaseJSON is what protect --json prints: the plan and what was written.
type releaseJSON struct {
	planJSON
	Outputs []string `json:"outputs"`
	Entry   string   `json:"ledger_entry"` // empty when nothing was charged
}

func (u *ui) showRelease(r *curator.Release) error {
	for _, w := range r.Warnings {
		u.warn(w)
	}
	p := r.Plan
	p.Warnings = r.Warnings
	return u.result(releaseJSON{asJSON(p), r.Outputs, r.ID}, func(w io.Writer) {
		fmt.Fprintf(w, "guarantee  %v\n", p.Guarantee)
		if r.ID != "" {
			fmt.Fprintf(w, "charged    ledger entry %s\n", r.ID)
		}
		wrote(w, r.Outputs)
	})
}

// wrote lists files that were written; of a folder with many it says how many.
func wrote(w io.Writer, files []string) {
	const many = 12
	count := map[string]int{}
	for _, name := range files {
		count[filepath.Dir(name)]++
	}
	told := map[string]bool{}
	for _, name := range files {
		dir := filepath.Dir(name)
		switch {
		case count[dir] <= many:
			fmt.Fprintf(w, "wrote      %s\n", name)
		case !told[dir]:
			fmt.Fprintf(w, "wrote      %s%c (%d files)\n", dir, filepath.Separator, count[dir])
			told[dir] = true
		}
	}
}

// refused turns what was refused before data were read into a usage error.
func refused(err error) error {
	var r *curator.RefusedError
	if errors.As(err, &r) || errors.Is(err, curator.ErrExists) {
		return &usageError{err}
	}
	return err
}

func protectHeatmap(ui *ui) *cobra.Command {
	var p protectFlags
	var stimuli []string
	var weight, capRange string
	c := &cobra.Command{
		Use: "heatmap FILE|FOLDER", Short: "Release where people looked",
		Example: "  gazeward protect heatmap --dataset osie --stimulus 1001.jpg --epsilon 3 --delta 1e-3 -o out/heatmap data/osie",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	m := addMechanismFlags(c, "heatmap", "subjects", "width", "height", "stimuli")
	p.add(c)
	c.Flags().StringArrayVar(&stimuli, "stimulus", nil, "name of a stimulus; repeats; all = every stimulus under one joint clip and one charge")
	c.Flags().StringVar(&weight, "weight", "dwell", "what a look weighs: dwell (seconds) or count (fixations)")
	c.Flags().StringVar(&capRange, "caps", "1x32", "STEPxCOUNT: caps that --cap auto (void) or --cap paid (a tenth of ε) chooses from")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := m.spec()
		if err != nil {
			return err
		}
		screen, err := m.screen.parse()
		if err != nil {
			return err
		}
		if weight != "dwell" && weight != "count" {
			return usage("--weight: want dwell or count, got %q", weight)
		}
		job := curator.HeatmapJob{Spec: spec, Values: m.given(), Stimuli: stimuli, Counts: weight == "count", Enrolled: p.enrolled}
		if job.Looks, err = curator.ParseLooks(p.looks); err != nil {
			return &usageError{err}
		}
		if job.CapRange, err = parseCaps(capRange); err != nil {
			return err
		}
		if err := job.Precheck(); err != nil {
			return refused(err)
		}
		if job.Job, err = p.job(ui, c, args[0], screen); err != nil {
			return err
		}
		return ui.release(c, &job.Job, job.Run)
	}
	return c
}

func parseCaps(s string) (heatmap.Caps, error) {
	step, count, err := pair(s)
	if err != nil || count != float64(int(count)) || count < 2 {
		return heatmap.Caps{}, usage("--caps: want STEPxCOUNT like 0.1x50, got %q", s)
	}
	return heatmap.Caps{Step: step, Count: int(count)}, nil
}

func protectAOI(ui *ui) *cobra.Command {
	var p protectFlags
	var stimulus, file string
	c := &cobra.Command{
		Use: "aoi FILE|FOLDER", Short: "Release statistics of areas of interest: dwell shares, hits, first fixations, transitions, order",
		Example: "  gazeward protect aoi --dataset osie --stimulus 1001.jpg --aoi areas.csv --epsilon 3 -o out/aoi data/osie",
		Args:    oneArgument("a file or a folder with recordings"),
	}
	m := addMechanismFlags(c, "aoi", "subjects", "areas")
	p.add(c)
	c.Flags().StringVar(&stimulus, "stimulus", "", "name of the stimulus")
	c.Flags().StringVar(&file, "aoi", "", "CSV with the areas: name,x,y,width,height or name,polygon; optional column stimulus (required)")
	c.RunE = func(c *cobra.Command, args []string) error {
		spec, err := m.spec()
		if err != nil {
			return err
		}
		screen, err := m.screen.parse()
		if err != nil {
			return err
		}
		if file == "" {
			return usage("--aoi is required: a CSV file with the areas of interest")
		}
		job := curator.AOIJob{Spec: spec, Values: m.given(), Stimulus: stimulus, Enrolled: p.enrolled}
		if job.Looks, err = curator.ParseLooks(p.looks); err != nil {
			return &usageError{err}
		}
		if err := job.Precheck(); err != nil {
			return refused(err)
		}
		if job.Areas, err = readAreas(file); err != nil {
			return err
		}
		if job.Job, err = p.job(ui, c, args[0], screen); err != nil {
			return err
		}
		return ui.release(c, &job.Job, job.Run)
	}
	return c
}

func readAreas(file string) (grid.AOIs, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return grid.ParseAOIs(f)
}
