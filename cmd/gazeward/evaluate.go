package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

type evaluateFlags struct {
	data    dataFlags
	home    homeFlags
	screen  screenFlags
	out     string
	looks   string
	force   bool
	seed    uint64
	degrees float64 // px per degree

	areas, stimulus string // of a release of statistics of areas
}

func evaluateCommand(ui *ui) *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate RAW RELEASED",
		Short: "What a release is worth and what an attacker learns from it, held against the recordings it was made from",
		Long: "Reads the raw recordings and a release of heatmaps, gaze paths, feature signals or areas. Recordings pair by the key of their\n" +
			"pseudonyms in the curator's home; without it only distributions are compared. The report holds exact\n" +
			"numbers about private data: it is for the curator and must not be published.",
		Example: "  gazeward evaluate data/gazere out/k --dataset gazere -o out/report",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("want two arguments: the raw recordings and the release's folder, got %d", len(args))
			}
			return nil
		},
	}
	f.data.add(c)
	f.home.add(c)
	f.screen.add(c)
	s := c.Flags()
	s.StringVarP(&f.out, "output", "o", "", "new folder for report.html, report.md and report.json (required)")
	s.BoolVarP(&f.force, "force", "f", false, "overwrite reports in that folder")
	s.StringVar(&f.looks, "looks", "auto", "heatmaps: what counts as looking, as the release was made")
	s.Float64Var(&f.degrees, "pixels-per-degree", 0, "where the recordings have no geometry; fixations and saccades need it")
	s.StringVar(&f.areas, "aoi", "", "areas of interest: the CSV file that the release was made with")
	s.StringVar(&f.stimulus, "stimulus", "", "areas of interest: the stimulus that the release is about")
	s.Uint64Var(&f.seed, "seed", 1, "seed of resampling and of the attackers")
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(ui, c, args[0], args[1]) }
	return c
}

// evaluation is what evaluate finds, as --json and report.json print it.
type evaluation struct {
	ReleaseID string              `json:"release_id"`
	Mechanism string              `json:"mechanism"`
	Guarantee string              `json:"guarantee"`
	Private   bool                `json:"private"`
	Paired    bool                `json:"paired"`
	Assumed   []string            `json:"assumed"`
	Utility   []evaluated         `json:"utility"`
	Attacks   []experiment.Attack `json:"attacks"`
	Limits    []string            `json:"limits"`
	Report    []string            `json:"report"` // files
	Pictures  []report.Picture    `json:"-"`
	manifest  *manifest.Manifest  `json:"-"`
}

// evaluated are the measures of one stimulus, or of all recordings.
type evaluated struct {
	Of       string               `json:"of"`
	Measures []experiment.Measure `json:"measures"`
}

const curatorOnly = "FOR THE CURATOR ALONE: this page holds exact numbers about private recordings. Do not publish it."

func (f *evaluateFlags) run(ui *ui, c *cobra.Command, rawPath, released string) error {
	if f.out == "" {
		return usage("-o is required: a new folder for the report")
	}
	if !f.force {
		if _, err := os.Stat(filepath.Join(f.out, "report.json")); err == nil {
			return &usageError{curator.ErrExists}
		}
	}
	home, err := f.home.home()
	if err != nil {
		return err
	}
	o := f.data.options()
	if o.Screen, err = f.screen.parse(); err != nil {
		return err
	}
	raw, err := curator.OpenData(rawPath, o)
	if err != nil {
		return refused(err)
	}
	e, err := f.compare(c.Context(), ui, raw, home, released)
	if err != nil {
		return err
	}
	if err := e.write(f.out); err != nil {
		return err
	}
	return ui.result(e, e.words)
}

// compare chooses by what the release holds.
func (f *evaluateFlags) compare(ctx context.Context, ui *ui, raw *curator.Data, home curator.Home, released string) (*evaluation, error) {
	paths := &curator.Comparison{Raw: raw, Home: home, Dir: released}
	err := paths.Open(ctx)
	if err == nil {
		return f.paths(ctx, ui, paths)
	}
	if !errors.Is(err, curator.ErrNoRecordings) {
		return nil, err
	}
	if e, err := f.signals(ctx, ui, raw, home, released); !errors.Is(err, curator.ErrNoSignals) {
		return e, err
	}
	if _, err := os.Stat(filepath.Join(released, "release.json")); errors.Is(err, fs.ErrNotExist) {
		return f.statistics(ctx, ui, raw, released)
	}
	looks, err := curator.ParseLooks(f.looks)
	if err != nil {
		return nil, &usageError{err}
	}
	ui.note("computing the noise-free heatmap")
	maps := &curator.HeatmapComparison{Raw: raw, Dir: released, Looks: looks}
	pairs, err := maps.Pairs(ctx)
	if err != nil {
		return nil, err
	}
	e := evaluationOf(maps.Manifest, true)
	for _, p := range pairs {
		name := p.Stimulus
		if name == "" {
			name = "all recordings"
		}
		e.Utility = append(e.Utility, evaluated{name, experiment.EvaluateMap(p.Released, p.Truth)})
	}
	e.Limits = append(e.Limits, "The noise-free heatmap is that of the people in the data; with other people it would differ as well.",
		"No attack is run on a heatmap: what an attacker can do is bounded by the guarantee, and gazeward audit attacks the mechanism on its worst case.")
	return e, nil
}

// signals compares feature signals, window by window.
func (f *evaluateFlags) signals(ctx context.Context, ui *ui, raw *curator.Data, home curator.Home, released string) (*evaluation, error) {
	step, done := ui.progress("computing features", "recordings", -1)
	c := &curator.SeriesComparison{Raw: raw, Home: home, Dir: released, Progress: step, PixelsPerDegree: f.degrees}
	pairs, err := c.Pairs(ctx)
	done()
	if errors.Is(err, curator.ErrOtherFeatures) {
		return nil, &hinted{err, "only releases with the usual parameters of features are compared; --pixels-per-degree may be given"}
	}
	if err != nil {
		return nil, err
	}
	e := evaluationOf(c.Manifest, len(pairs) > 0)
	if len(pairs) == 0 {
		e.Limits = append(e.Limits, "No recording pairs with what was released of it: the home does not hold the key, or the release was made from other recordings. Signals cannot be compared without.")
		return e, nil
	}
	if c.Unpaired > 0 {
		e.Limits = append(e.Limits, fmt.Sprintf("%d released tables belong to no recording here and were left out.", c.Unpaired))
	}
	var all []experiment.SignalsOf
	for _, p := range pairs {
		all = append(all, experiment.SignalsOf{Participant: p.Participant, Truth: p.Truth, Released: p.Released})
	}
	measures, err := experiment.EvaluateSignals(all, c.Signals, c.Bounds, f.seed)
	if err != nil {
		return nil, err
	}
	e.Utility = append(e.Utility, evaluated{fmt.Sprintf("%d signals of %d recordings", len(c.Signals), len(pairs)), measures})
	for k, name := range c.Signals {
		one := make([]experiment.SignalsOf, len(all))
		for i, r := range all {
			one[i] = experiment.SignalsOf{Participant: r.Participant, Truth: r.Truth[k : k+1], Released: r.Released[k : k+1]}
		}
		if measures, err = experiment.EvaluateSignals(one, []string{name}, c.Bounds[k:k+1], f.seed); err != nil {
			return nil, err
		}
		e.Utility = append(e.Utility, evaluated{name, measures})
	}
	e.Limits = append(e.Limits, "No attack is run on signals here: gazeward experiment identification and bozkir-table5 attack them, gazeward audit their mechanism.")
	return e, nil
}

// statistics compares those of areas of interest.
func (f *evaluateFlags) statistics(ctx context.Context, ui *ui, raw *curator.Data, released string) (*evaluation, error) {
	looks, err := curator.ParseLooks(f.looks)
	if err != nil {
		return nil, &usageError{err}
	}
	c := &curator.AOIComparison{Raw: raw, Dir: released, Stimulus: f.stimulus, Looks: looks}
	if f.areas != "" {
		if c.Areas, err = readAreas(f.areas); err != nil {
			return nil, err
		}
	}
	ui.note("computing the statistics without noise")
	pairs, err := c.Pairs(ctx)
	switch {
	case errors.Is(err, curator.ErrNoAOI):
		return nil, errors.New("the release holds nothing that can be evaluated: no recordings, feature signals, heatmaps or statistics of areas of interest")
	case errors.Is(err, curator.ErrNeedAreas):
		return nil, &hinted{err, "give --aoi FILE, and --stimulus where there are several"}
	case err != nil:
		return nil, refused(err)
	}
	e := evaluationOf(c.Manifest, true)
	u := evaluated{Of: "areas of interest"}
	for _, p := range pairs {
		u.Measures = append(u.Measures, experiment.EvaluateValues(p.Statistic, p.Unit, p.Released, p.Truth, p.Deviation))
	}
	e.Utility = append(e.Utility, u)
	e.Limits = append(e.Limits, "The statistics without noise are those of the people in the data; with other people they would differ as well.",
		"No attack is run on statistics: what an attacker can do is bounded by the guarantee, and gazeward audit attacks the mechanism on its worst case.")
	return e, nil
}

func evaluationOf(m *manifest.Manifest, paired bool) *evaluation {
	e := &evaluation{
		ReleaseID: m.ReleaseID.String(), Guarantee: m.Guarantee, Private: m.Private, Paired: paired, manifest: m,
		Assumed: []string{}, Utility: []evaluated{}, Attacks: []experiment.Attack{}, Limits: []string{},
	}
	for _, k := range m.Mechanisms {
		e.Mechanism = k.Name.String()
	}
	return e
}

func (f *evaluateFlags) paths(ctx context.Context, ui *ui, c *curator.Comparison) (*evaluation, error) {
	e := evaluationOf(c.Manifest, c.Paired)
	p, err := f.evaluator(ctx, c, e)
	if err != nil {
		return nil, err
	}
	if err := counted(ui, "reading the recordings", c.RawRecordings(ctx), p.AddRaw); err != nil {
		return nil, err
	}
	if err := counted(ui, "reading the release", c.ReleasedRecordings(ctx), p.AddReleased); err != nil {
		return nil, err
	}
	if c.Paired {
		for pair, err := range c.Pairs(ctx) {
			if err != nil {
				return nil, err
			}
			p.AddPair(pair.Raw, pair.Released)
		}
	} else {
		e.Limits = append(e.Limits, "The home holds no key that pairs the release with these recordings: only distributions are compared, and no position error is known.")
	}
	ui.note("comparing %d people, resampled for the intervals", p.People())
	measures, err := p.Measures()
	if err != nil {
		return nil, err
	}
	e.Utility = append(e.Utility, evaluated{"all recordings", measures})
	if !c.Paired {
		e.Limits = append(e.Limits, "Nobody can be identified in recordings that belong to nobody known here: no attack was run.")
		return e, nil
	}
	ui.note("attacking: %d people are looked for in the release; this takes the longest", p.People())
	return e, f.attack(ctx, c, e, p.PixelsPerDegree)
}

// counted passes recordings on and shows how many there were.
func counted(ui *ui, label string, all gaze.Seq, to func(*gaze.Recording) error) error {
	ui.note("%s", label)
	step, done := ui.progress(label, "recordings", -1)
	defer done()
	n := 0
	for r, err := range all {
		if err == nil {
			err = to(r)
		}
		if err != nil {
			return err
		}
		n++
		step(n)
	}
	return nil
}

// attack lets somebody who knows other recordings of the same people look for
// them in the release.
func (f *evaluateFlags) attack(ctx context.Context, c *curator.Comparison, e *evaluation, perDegree float64) error {
	s := experiment.Suspects{PixelsPerDegree: perDegree}
	for pair, err := range c.Pairs(ctx) {
		if err != nil {
			return err
		}
		if err := s.Add(pair.Raw, pair.Released); err != nil {
			return err
		}
	}
	l := c.Manifest.PrivacyLoss
	epsilon, delta := l.Parameters.Epsilon.Value, l.Parameters.Delta.Value
	if !e.Private {
		_, _ = fmt.Sscanf(l.Nominal.String(), "ε = %g", &epsilon)
	}
	attacks, err := s.Identify(epsilon, delta, e.Private && l.PrivacyUnit.String() == dp.Subject.String(), noise.Seeded(f.seed))
	if errors.Is(err, experiment.ErrTooFew) {
		e.Limits = append(e.Limits, "No attack was run: "+err.Error()+".")
		return nil
	}
	e.Attacks = attacks
	e.Limits = append(e.Limits,
		"An attacker that fails proves nothing; a stronger one may succeed. What no attacker can exceed is the guarantee.",
		"References and probes are different recordings of the same people. Where the references come from the same release, they may share its noise: such rows say nothing about ε.")
	return err
}

// evaluator knows the screen and what a degree is.
func (f *evaluateFlags) evaluator(ctx context.Context, c *curator.Comparison, e *evaluation) (*experiment.PathsEvaluation, error) {
	for r, err := range c.RawRecordings(ctx) {
		if err != nil {
			return nil, err
		}
		p := &experiment.PathsEvaluation{Width: float64(r.Screen.Width), Height: float64(r.Screen.Height), PixelsPerDegree: f.degrees, Seed: f.seed}
		if r.Unit == gaze.Degrees {
			return nil, errors.New("directions on the sphere are not evaluated yet: evaluate a release on a screen or a panorama in px")
		}
		if p.PixelsPerDegree == 0 {
			if perDegree, err := r.Screen.PixelsPerDegree(); err == nil {
				p.PixelsPerDegree = perDegree
			} else {
				p.PixelsPerDegree = assumedPixelsPerDegree
				e.Assumed = append(e.Assumed, fmt.Sprintf("%d px per degree of visual angle: the recordings have no geometry; give --pixels-per-degree", assumedPixelsPerDegree))
			}
		}
		return p, nil
	}
	return nil, errors.New("the data hold no recordings")
}

// assumedPixelsPerDegree is that of a desktop screen at reading distance; it is
// said wherever it was used.
const assumedPixelsPerDegree = 45

// write makes the three reports.
func (e *evaluation) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the report's folder: %w", err)
	}
	page := e.page()
	for name, write := range map[string]func(io.Writer) error{
		"report.html": page.WriteHTML, "report.md": page.WriteMarkdown,
	} {
		if err := writeFile(filepath.Join(dir, name), true, write); err != nil {
			return err
		}
	}
	e.Report = []string{filepath.Join(dir, "report.html"), filepath.Join(dir, "report.md"), filepath.Join(dir, "report.json")}
	return writeFile(e.Report[2], true, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(e)
	})
}

// page is the report.
func (e *evaluation) page() *report.Findings {
	m := e.manifest
	p := &report.Findings{
		Title: "What a release is worth: " + m.Basic.Name.String(), Banner: curatorOnly,
		Intro: fmt.Sprintf("Release %s, made on %s by %s.", m.ReleaseID, m.Created, e.Mechanism),
		Foot:  "Made by gazeward evaluate.",
	}
	p.Add(report.Section{Heading: "What it promises", Paragraphs: []string{"Guarantee: " + m.Guarantee + ".", m.PrivacyLoss.PlainLanguage.OddsStatement.String()},
		Items: m.PrivacyLoss.PlainLanguage.DoesNotProtect})
	p.Add(e.budget())
	for _, u := range e.Utility {
		s := report.Section{Heading: "What it is worth: " + u.Of, Tables: []report.Table{measureTable(u.Measures)}}
		if e.floors(u) {
			s.Paragraphs = []string{"The floor is what two random halves of the raw people differ by: nothing below it matters. Intervals are 95 %, from resampling people."}
		}
		p.Add(s)
	}
	p.Add(e.attackSection())
	p.Add(report.Section{Heading: "Limits", Items: append(append([]string{}, e.Assumed...), e.Limits...)})
	p.Add(report.Section{Heading: "How to verify the release", Paragraphs: []string{"Anyone who has the release can check it against its manifest:"}, Code: "gazeward verify FOLDER"})
	return p
}

func (e *evaluation) floors(u evaluated) bool {
	for _, m := range u.Measures {
		if m.Floor != nil {
			return true
		}
	}
	return false
}

func (e *evaluation) budget() report.Section {
	a, s := e.manifest.Accounting, report.Section{Heading: "Budget and mechanism"}
	if e.Private {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Of the same people ε = %s of %s per %s was spent, this release included.", a.Spent.Epsilon, a.Budget.Epsilon, a.Unit))
	} else {
		s.Paragraphs = append(s.Paragraphs, "Nothing was charged: the release has no guarantee.")
	}
	for _, k := range e.manifest.Mechanisms {
		s.Items = append(s.Items, fmt.Sprintf("%s (%s): noise %s, standard deviation %s", k.Name, k.Calibration, k.Noise, k.Sigma))
	}
	return s
}

func measureTable(all []experiment.Measure) report.Table {
	t := report.Table{Columns: []string{"measure", "value", "from", "to", "floor", "unit", "remark"}}
	for _, m := range all {
		t.Rows = append(t.Rows, []string{m.Name, number(m.Value), number(m.Low), number(m.High), number(m.Floor), m.Unit, m.Note})
	}
	return t
}

// attackSection shows the attacks as a chart and a table.
func (e *evaluation) attackSection() report.Section {
	s := report.Section{Heading: "What an attacker can still do"}
	if len(e.Attacks) == 0 {
		s.Paragraphs = []string{"No attack was run."}
		return s
	}
	s.Paragraphs = []string{"Somebody who has other recordings of the same people says of each person's released recordings whose they are. Persons are trials; intervals are exact at 95 %."}
	b := report.Bars{Title: "Share of people identified", Unit: "share", Guarantee: e.Guarantee, Void: !e.Private}
	t := report.Table{Columns: []string{"attack", "people", "identified", "from", "to", "chance", "F1", "if ε were claimed per person: ceiling", "then"}}
	for _, a := range e.Attacks {
		b.Bars = append(b.Bars, report.Bar{Label: a.String(), Value: a.Rate})
		row := []string{a.String(), strconv.Itoa(a.Candidates), short(a.Rate), short(a.Interval.Lower), short(a.Interval.Upper), short(a.Chance), short(a.MacroF1), "", ""}
		if a.PerPerson != nil {
			row[7], row[8] = short(a.PerPerson.Ceiling), a.PerPerson.Verdict
		}
		t.Rows = append(t.Rows, row)
		for _, w := range a.Warnings {
			s.Items = append(s.Items, a.String()+": "+w)
		}
	}
	b.Bars = append(b.Bars, report.Bar{Label: "chance", Value: e.Attacks[0].Chance})
	var png bytes.Buffer
	if err := b.WritePNG(&png); err == nil {
		s.Pictures = []report.Picture{{Alt: b.AltText(), PNG: png.Bytes()}}
	}
	s.Tables = []report.Table{t}
	return s
}

func (e *evaluation) attackWords(w io.Writer) {
	for _, a := range e.Attacks {
		fmt.Fprintf(w, "attack     %s: %.3g of %d people (%.3g … %.3g), chance %.3g", a, a.Rate, a.Candidates, a.Interval.Lower, a.Interval.Upper, a.Chance)
		if a.PerPerson != nil {
			fmt.Fprintf(w, "; read per person the ceiling is %.3g: %s", a.PerPerson.Ceiling, a.PerPerson.Verdict)
		}
		fmt.Fprintln(w)
		for _, warning := range a.Warnings {
			fmt.Fprintf(w, "           %s\n", warning)
		}
	}
}

// mostShown is how many tables of measures a terminal gets.
const mostShown = 6

// words prints the result on a terminal.
func (e *evaluation) words(w io.Writer) {
	fmt.Fprintf(w, "guarantee  %s\n", e.Guarantee)
	for i, u := range e.Utility {
		if i == mostShown {
			fmt.Fprintf(w, "and %d more in the report\n", len(e.Utility)-i)
			break
		}
		fmt.Fprintf(w, "%s\n", u.Of)
		for _, m := range u.Measures {
			fmt.Fprintf(w, "  %-62s %10s %-6s", m.Name, number(m.Value), m.Unit)
			if m.Low != nil {
				fmt.Fprintf(w, " (%s … %s)", number(m.Low), number(m.High))
			}
			if m.Floor != nil {
				fmt.Fprintf(w, " floor %s", number(m.Floor))
			}
			fmt.Fprintln(w, strings.TrimRight(" "+m.Note, " "))
		}
	}
	e.attackWords(w)
	for _, l := range append(append([]string{}, e.Assumed...), e.Limits...) {
		fmt.Fprintf(w, "note       %s\n", l)
	}
	for _, name := range e.Report {
		fmt.Fprintf(w, "wrote      %s\n", name)
	}
}
