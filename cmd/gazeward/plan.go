package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/simulate"
)

func planCommand(ui *ui) *cobra.Command {
	c := &cobra.Command{
		Use:   "plan PRODUCT",
		Short: "What a release would promise and look like, before any data are read and anything is spent",
		Args:  oneOfItsVerbs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(planProduct(ui, "heatmap", "gazeward plan heatmap --width 800 --height 600 --subjects 100 --epsilon 1"),
		planProduct(ui, "aoi", "gazeward plan aoi --areas 5 --subjects 100 --epsilon 1"),
		planProduct(ui, "series", "gazeward plan series --mechanism cfpa --chunk 64 --length 1200 --features 48 --lower 0 --upper 1 --unit chunk --epsilon 10"),
		planProduct(ui, "gaze", "gazeward plan gaze --epsilon 3 --window 500ms --radius 50px"),
		planProduct(ui, synthesis, "gazeward plan synthesis --mechanism population --model central --subjects 300 --epsilon 3 --delta 2e-4"))
	return c
}

func planProduct(ui *ui, product, example string) *cobra.Command {
	c := &cobra.Command{Use: product, Short: "Plan the product " + product, Example: "  " + example, Args: noArguments}
	flags := addMechanismFlags(c, product)
	var model string
	if product == synthesis {
		c.Flags().StringVar(&model, "model", "", modelDoc)
	}
	c.RunE = func(*cobra.Command, []string) error {
		if product == synthesis {
			flags.name = withModel(flags.name, model)
		}
		m, warning, err := flags.build()
		if err != nil {
			return err
		}
		p := m.Plan()
		if warning != nil {
			p.Warnings = append(p.Warnings, warning)
		}
		return ui.showPlan(p)
	}
	return c
}

// build makes the mechanism from the flags alone.
func (m *mechanismFlags) build() (mechanism.Mechanism, error, error) {
	spec, err := m.spec()
	if err != nil {
		return nil, nil, err
	}
	screen, err := m.screen.parse()
	if err != nil {
		return nil, nil, err
	}
	values := m.given()
	screen = withSize(screen, values)
	fillScreen(spec, values, screen)
	var warning error
	if m.product == synthesis { // its blur is a function of the noise
		screen, warning = planSynthesisOn(screen, values)
	} else if _, takes := spec.Field("blur"); takes && values["blur"] == "" && screen.HasGeometry() {
		values["blur"] = "1deg"
	} else if takes && values["blur"] == "" && m.name == "halfblur" {
		warning = fmt.Errorf("no screen geometry and no --blur: planned with 3 %% of the width")
	}
	if err := resolveLengths(spec, values, screen); err != nil {
		return nil, nil, &usageError{err}
	}
	built, err := spec.Build(values)
	if err != nil {
		return nil, nil, &usageError{err}
	}
	return built, warning, nil
}

// planSynthesisOn fills in the screen, which a plan needs though neither the
// guarantee nor the noise depends on it: where nothing was said of it, that of
// the simulated people on whom the plan's expectation was measured.
func planSynthesisOn(s gaze.Screen, values map[string]string) (gaze.Screen, error) {
	if v, err := s.PixelsPerDegree(); err == nil && values["pixels-per-degree"] == "" {
		values["pixels-per-degree"] = strconv.FormatFloat(v, 'g', 6, 64)
	}
	if s.Known() || values["width"] != "" || values["height"] != "" || values["pixels-per-degree"] != "" {
		return s, nil
	}
	scene := simulate.ShopWindow()
	s = scene.Screen()
	perDegree, err := s.PixelsPerDegree()
	if err != nil {
		return s, err
	}
	values["width"], values["height"], values["pixels-per-degree"] = strconv.Itoa(s.Width), strconv.Itoa(s.Height), strconv.FormatFloat(perDegree, 'g', 6, 64)
	return s, fmt.Errorf("nothing was said of the screen: planned for one of %d × %d px at %.3g px per degree; the guarantee does not depend on it", s.Width, s.Height, perDegree)
}

// withSize takes the screen's size from --width and --height.
func withSize(s gaze.Screen, values map[string]string) gaze.Screen {
	w, errW := strconv.ParseFloat(values["width"], 64)
	h, errH := strconv.ParseFloat(values["height"], 64)
	if errW == nil && errH == nil && !s.Known() && w >= 1 && h >= 1 && w < 1e6 && h < 1e6 {
		s.Width, s.Height = int(w), int(h)
	}
	return s
}

// planJSON is a plan as --json prints it.
type planJSON struct {
	mechanism.Plan
	Warnings []string `json:"warnings"`
}

func asJSON(p mechanism.Plan) planJSON {
	out := planJSON{Plan: p, Warnings: []string{}}
	for _, w := range p.Warnings {
		out.Warnings = append(out.Warnings, w.Error())
	}
	return out
}

func (u *ui) showPlan(p mechanism.Plan) error {
	return u.result(asJSON(p), func(w io.Writer) {
		fmt.Fprintf(w, "mechanism    %s (%s)\n", p.Mechanism, p.Calibration)
		fmt.Fprintf(w, "guarantee    %v\n", p.Guarantee)
		for _, line := range costs(p) {
			fmt.Fprintf(w, "costs        %s\n", line)
		}
		fmt.Fprintf(w, "noise        %s, standard deviation %.6g per released number\n", p.Noise.Law, p.Noise.Sigma)
		if p.TestsPerWindow > 0 {
			fmt.Fprintf(w, "tests        %d per window, with noise of scale %.6g\n", p.TestsPerWindow, p.Noise.TestScale)
		}
		fmt.Fprintf(w, "sensitivity  L2 %.6g, L1 %.6g\n", p.Sensitivity.L2, p.Sensitivity.L1)
		for _, name := range slices.Sorted(maps.Keys(p.Parameters)) {
			fmt.Fprintf(w, "  %-18s %s\n", name, p.Parameters[name])
		}
		if e := p.PathError; e != nil {
			fmt.Fprintf(w, "expected     %.4g %s root mean square from the gaze (%s)\n", e.RMS, e.Unit, e.MeasuredOn)
		}
		if p.Expected != nil {
			fmt.Fprintf(w, "expected     %s\n", p.Expected.InWords)
		}
		if p.Likeness != nil {
			fmt.Fprintf(w, "expected     %s (%s)\n", p.Likeness.InWords, p.Likeness.MeasuredOn)
		}
		for _, u := range p.Guarantee.Unprotected {
			fmt.Fprintf(w, "not hidden   %s\n", u)
		}
		for _, warning := range p.Warnings {
			fmt.Fprintf(w, "warning      %v\n", warning)
		}
	})
}
