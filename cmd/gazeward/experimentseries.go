package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/experiment"
)

// nmseJSON is what experiment series-nmse prints.
type nmseJSON struct {
	Rows          []experiment.NMSERow   `json:"rows"`
	All           []experiment.NMSERow   `json:"rows_all_coefficients"` // the published mechanisms with k = n/2+1, what the authors' numbers look like
	GaussianRatio float64                `json:"gaussian_ratio"`        // squared error of the best Laplace whose ε are added, over that of one Gaussian
	Ratios        experiment.RatioResult `json:"gaussian_ratios"`
	Orders        []experiment.Order     `json:"orders"` // what rows say of the papers' claims
	OrdersAll     []experiment.Order     `json:"orders_all_coefficients"`
	Recordings    int                    `json:"recordings"`
	Signals       int                    `json:"signals"`
	Skipped       int                    `json:"skipped"`
	Remark        string                 `json:"remark"`
}

func seriesNMSECommand(ui *ui) *cobra.Command {
	var data dataFlags
	var screen screenFlags
	var how featureFlags
	var folder, chosen, eps, calibration string
	var e experiment.SeriesNMSE
	c := &cobra.Command{
		Use:   "series-nmse",
		Short: "What released feature signals are worth: NMSE and utility of Bozkir et al. 2021, with medians and squared errors",
		Long: "ε is that of the papers' tables: 48 times the ε of one signal; per chunk for cfpa and dcfpa,\n" +
			"per recording for the others. gaussian is (ε, δ) with public bounds for all signals together.",
		Example: "  gazeward experiment series-nmse --data data/gazere --window 10s --mechanisms lpa,fpa,cfpa-32,dcfpa-32,gaussian --epsilon 0.48,48 --draws 100 --json",
		Args:    noArguments,
	}
	data.add(c)
	screen.add(c)
	how.add(c)
	f := c.Flags()
	f.StringVar(&folder, "data", "", "folder or file with the recordings (required)")
	f.StringVar(&chosen, "mechanisms", "lpa,fpa,cfpa-32,cfpa-64,cfpa-128,dcfpa-32,dcfpa-64,dcfpa-128,gaussian", "comma-separated: lpa, fpa, cfpa-CHUNK, dcfpa-CHUNK, steil-BLOCK, gaussian, gaussian-CHUNK")
	f.StringVar(&eps, "epsilon", "0.48,2.4,4.8,24,48", "ε of the table, comma-separated")
	f.IntVar(&e.Draws, "draws", 100, "draws per row")
	f.StringVar(&calibration, "calibration", "published", "published (sensitivities and k from the data, as in the papers) or guaranteed (public)")
	f.StringVar(&e.Criterion, "criterion", experiment.Criteria[0], "how published mechanisms choose k: squared-error (closed form), nmse (100 noisy runs per k, as in the papers: slow), or all (keep every coefficient)")
	f.Float64Var(&e.Delta, "delta", 1e-5, "δ of gaussian")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the noise")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if folder == "" {
			return usage("--data is required: a folder or a file with recordings")
		}
		if calibration != "published" && calibration != "guaranteed" {
			return usage("--calibration: want published or guaranteed, got %q", calibration)
		}
		e.Guaranteed, e.Mechanisms = calibration == "guaranteed", strings.Split(strings.ReplaceAll(chosen, " ", ""), ",")
		if e.Epsilons, err = list(eps, "--epsilon", parseNumber); err != nil {
			return err
		}
		if e.Data, err = pooledFeatures(ui, c, folder, &data, &screen, &how); err != nil {
			return err
		}
		if err := e.Check(); err != nil {
			return &usageError{err}
		}
		return runNMSE(ui, c, e)
	}
	return c
}

func runNMSE(ui *ui, c *cobra.Command, e experiment.SeriesNMSE) (err error) {
	all, more := e.All()
	total := e.Total()
	if more {
		total += all.Total()
	}
	step, done := ui.progress("series-nmse", "draws", total)
	defer done()
	e.Progress, all.Progress = step, func(n int) { step(e.Total() + n) }
	out := nmseJSON{Recordings: len(e.Data.Recordings), Signals: len(e.Data.Names), Skipped: e.Data.Skipped, Remark: experiment.PrintedRemark, All: []experiment.NMSERow{}}
	if out.Rows, err = e.Run(c.Context()); err != nil {
		return err
	}
	if more {
		if out.All, err = all.Run(c.Context()); err != nil {
			return err
		}
	}
	if out.Ratios, err = experiment.StandardRatio.Run(); err != nil {
		return err
	}
	out.GaussianRatio = out.Ratios.AddedRatio
	out.Orders, out.OrdersAll = experiment.PapersOrders(out.Rows), experiment.PapersOrders(out.All)
	return ui.result(out, out.print)
}

func (t nmseJSON) print(w io.Writer) {
	fmt.Fprintf(w, "%d recordings, %d signals; %d recordings shorter than a window\n", t.Recordings, t.Signals, t.Skipped)
	printRows(w, t.Rows, t.Orders)
	if len(t.All) > 0 {
		fmt.Fprintln(w, "\nwith every coefficient kept (k = n/2+1), which is what the authors' released numbers look like:")
		printRows(w, t.All, t.OrdersAll)
	}
	g := t.Ratios
	fmt.Fprintf(w, "noise at %s:\n", g.Setting)
	fmt.Fprintf(w, "  one Gaussian has 1/%.0f of the squared error of %s with added ε, 1/%.1f of that of %s composed under (ε, δ)\n", g.AddedRatio, g.AddedBy, g.ComposedRatio, g.ComposedBy)
	fmt.Fprintln(w, t.Remark)
}

func printRows(w io.Writer, rows []experiment.NMSERow, orders []experiment.Order) {
	fmt.Fprintf(w, "%-10s %-10s %6s  %10s %10s  %10s %10s  %10s  %s\n", "mechanism", "calibr.", "ε", "NMSE mean", "median", "util. mean", "median", "MSE", "printed R1/R2/R3")
	for _, r := range rows {
		printed := "–"
		if r.Printed != nil {
			printed = fmt.Sprintf("%.2g/%.2g/%.2g", r.Printed["R1"], r.Printed["R2"], r.Printed["R3"])
		}
		fmt.Fprintf(w, "%-10s %-10s %6g  %10.3g %10.3g  %10.3g %10.3g  %10.3g  %s\n", r.Mechanism, r.Calibration, r.Epsilon, r.NMSE.Mean, r.NMSE.Median, r.Utility.Mean, r.Utility.Median, r.MSE, printed)
	}
	fmt.Fprintf(w, "%-46s %-32s %-32s %s\n", "the papers' claim", "by squared error", "by median |NMSE|", "by mean utility")
	for _, o := range orders {
		fmt.Fprintf(w, "%-46s %-32s %-32s %s\n", o.Claim, o.Squared, o.Median, o.Utility)
	}
}

func seriesCorrelationCommand(ui *ui) *cobra.Command {
	var data dataFlags
	var screen screenFlags
	var how featureFlags
	var folder, features string
	var e experiment.SeriesCorrelation
	c := &cobra.Command{
		Use:     "series-correlation",
		Short:   "Figures 3 to 6 of Bozkir et al. 2021: correlation in time of feature signals and of their differences",
		Example: "  gazeward experiment series-correlation --data data/gazere --window 10s --features large_saccade_share --json",
		Args:    noArguments,
	}
	data.add(c)
	screen.add(c)
	how.add(c)
	f := c.Flags()
	f.StringVar(&folder, "data", "", "folder or file with the recordings (required)")
	f.StringVar(&features, "features", "", "names of features, comma-separated; default all (the papers draw large_saccade_share and blink_rate)")
	f.IntVar(&e.At, "at", 5, "the earlier value, counted from 1")
	f.IntVar(&e.Lags, "lags", 50, "largest lag in windows")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if folder == "" {
			return usage("--data is required: a folder or a file with recordings")
		}
		if features != "" {
			e.Features = strings.Split(features, ",")
		}
		if e.At < 1 || e.Lags < 1 {
			return usage("--at and --lags must be positive, got %d and %d", e.At, e.Lags)
		}
		if e.Data, err = pooledFeatures(ui, c, folder, &data, &screen, &how); err != nil {
			return err
		}
		if i := slices.IndexFunc(e.Features, func(name string) bool { return !slices.Contains(e.Data.Names, name) }); i >= 0 {
			return usage("--features: the data have no %q; they have %s", e.Features[i], strings.Join(e.Data.Names, ", "))
		}
		rows, err := e.Run(c.Context())
		if err != nil {
			return err
		}
		return ui.result(rows, func(w io.Writer) {
			fmt.Fprintf(w, "%-26s %-24s %-10s %4s %8s %4s\n", "feature", "condition", "signal", "lag", "r", "n")
			for _, r := range rows {
				fmt.Fprintf(w, "%-26s %-24s %-10s %4d %8.3f %4d\n", r.Feature, r.Condition, r.Signal, r.Lag, r.Correlation, r.Recordings)
			}
		})
	}
	return c
}
