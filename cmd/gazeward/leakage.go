package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/feature"
)

// leakageJSON is what leakage --transition prints.
type leakageJSON struct {
	Epsilon  float64   `json:"epsilon"` // per release
	Sum      float64   `json:"sum"`     // what the releases cost together: no leakage exceeds it
	Backward []float64 `json:"backward"`
	Forward  []float64 `json:"forward"` // null where the chain cannot be turned round
	Total    []float64 `json:"total"`
	Ratio    float64   `json:"ratio"` // largest leakage over ε
	Note     string    `json:"note,omitempty"`
}

func leakageCommand(ui *ui) *cobra.Command {
	var (
		data                      dataFlags
		screen                    screenFlags
		how                       featureFlags
		transition, chain, folder string
		epsilon                   float64
		steps, states             int
	)
	c := &cobra.Command{
		Use:   "leakage",
		Short: "What correlation in time makes of ε: temporal leakage ε′ (Cao et al. 2017)",
		Long:  "How much releases at all times together say about the value at one time, where each alone\nis ε-DP for it. With --transition: under that Markov chain. With --data: under chains\nestimated from the feature signals of recordings, for the signals and their differences.",
		Example: "  gazeward leakage --transition '[[0.8,0.2],[0.2,0.8]]' --epsilon 0.1 --steps 10\n" +
			"  gazeward leakage --data data/gazere --window 10s --epsilon 0.1 --steps 32",
		Args: noArguments,
	}
	data.add(c)
	screen.add(c)
	how.add(c)
	f := c.Flags()
	f.StringVar(&transition, "transition", "", "rows of a transition matrix as JSON")
	f.StringVar(&chain, "chain", "backward", "what its rows say: backward (the state before, given the one now) or forward (the next state)")
	f.StringVar(&folder, "data", "", "recordings to estimate priors from: evaluation only, nothing of it may be published")
	f.Float64Var(&epsilon, "epsilon", 1, "ε of one release")
	f.IntVar(&steps, "steps", 10, "number of releases")
	f.IntVar(&states, "states", 8, "states of an estimated chain, of about equal frequency")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case (transition == "") == (folder == ""):
			return usage("give either --transition or --data")
		case !(epsilon > 0) || steps < 1 || steps > 1<<16:
			return usage("--epsilon and --steps must be positive, got %v and %d", epsilon, steps)
		case states < 2 || states > 256:
			return usage("--states must be between 2 and 256, got %d", states)
		case transition != "":
			return leakageOfChain(ui, transition, chain, slices.Repeat([]float64{epsilon}, steps))
		}
		d, err := pooledFeatures(ui, c, folder, &data, &screen, &how)
		if err != nil {
			return err
		}
		e := experiment.SeriesLeakage{Recordings: d.Recordings, Names: d.Names, States: states, Epsilon: epsilon, Steps: steps}
		rows, err := e.Run(c.Context())
		if err != nil {
			return err
		}
		return showLeakage(ui, e, rows)
	}
	return c
}

func showLeakage(ui *ui, e experiment.SeriesLeakage, rows []experiment.LeakageRow) error {
	ui.note("evaluation only: the priors were estimated from these recordings, so nothing of this table may be published")
	return ui.result(rows, func(w io.Writer) {
		fmt.Fprintf(w, "%-26s %10s %12s   ε′/ε at ε = %g, %d releases\n", "feature", "raw", "difference", e.Epsilon, e.Steps)
		for _, r := range rows {
			fmt.Fprintf(w, "%-26s %10.3g %12.3g\n", r.Feature, r.Raw.Ratio, r.Difference.Ratio)
		}
	})
}

func leakageOfChain(ui *ui, text, direction string, epsilon []float64) error {
	var chain account.Chain
	if err := json.Unmarshal([]byte(text), &chain); err != nil || len(chain) == 0 {
		return usage("--transition: want rows of a matrix like [[0.8,0.2],[0.2,0.8]]")
	}
	if direction != "backward" && direction != "forward" {
		return usage("--chain: want backward or forward, got %q", direction)
	}
	l, err := leakageUnder(chain, direction == "forward", epsilon)
	if err != nil {
		return &usageError{err}
	}
	return ui.result(l, l.print)
}

// leakageUnder applies the matrix as it stands to its own direction, and its
// reversal to the other where every state is visited for ever. All ε are equal.
func leakageUnder(chain account.Chain, forward bool, epsilon []float64) (l leakageJSON, err error) {
	l = leakageJSON{Epsilon: epsilon[0], Sum: epsilon[0] * float64(len(epsilon))}
	if l.Backward, err = chain.Along(epsilon); err != nil {
		return l, err
	}
	turned, err := chain.Reversed(chain.Stationary())
	if err != nil {
		l.Note = "some states are left for ever, so the chain cannot be turned round: one direction only"
	} else if l.Forward, err = turned.Along(epsilon); err != nil {
		return l, err
	}
	if forward {
		l.Backward, l.Forward = l.Forward, l.Backward
	}
	slices.Reverse(l.Forward) // from the last release back
	for t, e := range epsilon {
		total := 0.0
		switch {
		case l.Backward == nil:
			total = l.Forward[t]
		case l.Forward == nil:
			total = l.Backward[t]
		default:
			total = l.Backward[t] + l.Forward[t] - e
			l.Total = append(l.Total, total)
		}
		l.Ratio = max(l.Ratio, total/e)
	}
	return l, nil
}

func (l leakageJSON) print(w io.Writer) {
	fmt.Fprintf(w, "%8s %10s %10s %10s\n", "release", "backward", "forward", "total")
	at := func(v []float64, t int) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf("%.3f", v[t])
	}
	for t := range max(len(l.Backward), len(l.Forward)) {
		fmt.Fprintf(w, "%8d %10s %10s %10s\n", t+1, at(l.Backward, t), at(l.Forward, t), at(l.Total, t))
	}
	fmt.Fprintf(w, "ε′/ε = %.3g; the releases cost %g together\n", l.Ratio, l.Sum)
	if l.Note != "" {
		fmt.Fprintln(w, l.Note)
	}
}

// pooledFeatures reads the feature signals of recordings for an evaluation.
func pooledFeatures(ui *ui, c *cobra.Command, folder string, data *dataFlags, screen *screenFlags, how *featureFlags) (*experiment.SeriesData, error) {
	options, err := how.options()
	if err != nil {
		return nil, err
	}
	o := data.options()
	if o.Screen, err = screen.parse(); err != nil {
		return nil, err
	}
	d, err := curator.OpenData(folder, o)
	if err != nil {
		return nil, refused(err)
	}
	step, done := ui.progress("features", "recordings", -1)
	var tables []*feature.Table
	for t, err := range (curator.FeatureData{Data: d, Options: options}).Tables(c.Context()) {
		if err != nil {
			return nil, inDegrees(err)
		}
		tables = append(tables, t)
		step(len(tables))
	}
	done()
	return experiment.PoolTables(tables, options)
}
