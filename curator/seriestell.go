package curator

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/report"
)

// tell writes one table per released recording, or per condition.
func (j *SeriesJob) tell(ctx context.Context, out *staging, t *till, r *series.Release) (*Release, error) {
	tell, err := newTeller(ctx, &j.Job, j.Spec, out, t, r.Release)
	if err != nil {
		return nil, err
	}
	pseudonym, err := j.Home.Pseudonyms()
	if err != nil {
		return nil, err
	}
	j.describe(tell, r)
	names := canonical.Names{Pseudonym: pseudonym}
	taken := map[string]int{}
	list := report.Table{Title: "Tables", Columns: []string{"file", "windows"}}
	for i := range r.Recordings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := j.file(i, &r.Recordings[i], names, taken)
		if err := out.file(name, j.schema(), func(w io.Writer) error { return j.writeSignals(w, &r.Recordings[i]) }); err != nil {
			return nil, err
		}
		list.Rows = append(list.Rows, []string{name, strconv.Itoa(r.Recordings[i].Windows())})
	}
	if len(list.Rows) <= 40 { // longer lists stand in the manifest
		tell.page.Tables = append(tell.page.Tables, list)
	}
	tell.page.Tables = append(tell.page.Tables, j.costs(r.Plan))
	if err := j.picture(tell, r); err != nil {
		return nil, err
	}
	if err := tell.json("signals.json", "the released signals: names, units, public bounds, windows", j.legend(r)); err != nil {
		return nil, err
	}
	return tell.finish(r.Release)
}

// means says that no recording of a person is released.
func (j *SeriesJob) means() bool { _, ok := j.mechanism.(series.Mean); return ok }

func (j *SeriesJob) describe(tell *teller, r *series.Release) {
	m := tell.manifest
	m.Warnings = texts(r.Warnings)
	m.Basic.Name, m.Basic.DataProductType = "Feature signals", "Dataset"
	m.Basic.Description = manifest.Text(fmt.Sprintf("%d eye-movement features of %d recordings (%s).", len(j.Features), len(r.Recordings), r.Plan.Mechanism))
	tell.page.Title = "Feature signals"
	tell.page.Intro = fmt.Sprintf("%d eye-movement features over windows of %v, of %d recordings, with noise.", len(j.Features), j.Options.Window, len(r.Recordings))
	if j.means() {
		m.Basic.Name, m.Basic.DataProductType = "Mean feature signals", "Summary statistics"
		m.Basic.Description = manifest.Text(fmt.Sprintf("%d eye-movement features, means over the enrolled people in each of %d conditions.", len(j.Features), len(r.Recordings)))
		tell.page.Title = "Mean feature signals"
		tell.page.Intro = fmt.Sprintf("%d eye-movement features over windows of %v, means over people in %d conditions, with noise.", len(j.Features), j.Options.Window, len(r.Recordings))
	}
	if !m.Private {
		tell.page.Intro += " They have NO privacy guarantee. Do not publish them."
	}
	parameters := manifest.Parameters{}
	for name, v := range FeatureParameters(j.Options) {
		parameters[name] = v
	}
	m.Preprocessing = manifest.List[manifest.Step]{{Step: "features of windows, from samples inside the window alone; values outside public bounds count as the bound", Parameters: parameters, Paid: manifest.NotApplicable}}
	m.PostProcessing = manifest.List[string]{"inverse transform", "names replaced by pseudonyms"}
	tell.page.NoiseFloor = "the noise of a released value has " + r.Plan.Parameters["expected-squared-error"] + " as its variance; a guess between the bounds has 0.0833"
}

// file names a recording's table, unlike any before.
func (j *SeriesJob) file(i int, s *series.Signals, names canonical.Names, taken map[string]int) string {
	stem := "mean"
	if j.means() {
		stem += "_" + plain(j.shown[s.Condition], "all")
	} else {
		h := j.headers[i]
		names.Replace(&h)
		stem = (&Who{Participant: h.Participant, Session: h.Session, Task: h.Task, Trial: h.Trial, Stimulus: h.Stimulus}).stem()
	}
	if taken[stem]++; taken[stem] > 1 {
		stem += fmt.Sprintf("_part-%d", taken[stem])
	}
	return "signals/" + stem + ".csv.gz"
}

func (j *SeriesJob) schema() string {
	return fmt.Sprintf("one row per window: its start in s since the recording's first sample, then %d features", len(j.Features))
}

// writeSignals writes a header line, then one line per window, nine digits
// each: rounding noisy values costs nothing.
func (j *SeriesJob) writeSignals(out io.Writer, s *series.Signals) error {
	z := gzip.NewWriter(out)
	z.ModTime = time.Time{}
	units := feature.Units()
	line := []byte("start [s]")
	for _, i := range j.Features {
		line = append(line, ","+feature.Names()[i]+" ["+units[i]+"]"...)
	}
	for row := -1; row < s.Windows(); row++ {
		if row >= 0 {
			window := row
			if s.At != nil {
				window = s.At[row]
			}
			line = strconv.AppendFloat(line[:0], float64(window)*j.step.Seconds(), 'g', 9, 64)
			for _, v := range s.Values {
				line = strconv.AppendFloat(append(line, ','), v[row], 'g', 9, 64)
			}
		}
		if _, err := z.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return z.Close()
}

// costs are what the guarantee amounts to for parts and larger units.
func (j *SeriesJob) costs(p mechanism.Plan) report.Table {
	t := report.Table{Title: "What it costs", Columns: []string{"of", "guarantee"}}
	t.Rows = append(t.Rows, []string{"one " + p.Guarantee.Unit.String(), p.Guarantee.String()})
	if p.PerFeature != nil && p.Composed != nil {
		t.Rows = append(t.Rows, []string{"one signal of it", p.PerFeature.Terms()})
	}
	for _, name := range []string{"chunk", "gaze", "recording", "subject"} {
		if g, ok := p.Composed[name]; ok && g.Unit != p.Guarantee.Unit {
			of := "one " + name
			if name == "gaze" {
				of = "any " + p.Parameters["gaze"] + " of gaze"
			}
			t.Rows = append(t.Rows, []string{of, g.Terms()})
		}
	}
	return t
}

// picture draws one released signal of a few recordings, or all means of it.
func (j *SeriesJob) picture(tell *teller, r *series.Release) error {
	const most = 3
	_, void := r.Guarantee.Void()
	name := feature.Names()[j.Features[0]]
	c := report.Curves{
		Title: name + " as released", X: "start of the window [s]", Y: name + " [" + feature.Units()[j.Features[0]] + "]",
		Guarantee: r.Guarantee.String(), Void: void,
		Alt: fmt.Sprintf("%s over time, as released with noise, of %d of %d tables", name, min(most, len(r.Recordings)), len(r.Recordings)),
	}
	for i := range r.Recordings[:min(most, len(r.Recordings))] {
		s := &r.Recordings[i]
		line := report.Line{Name: "table " + strconv.Itoa(i+1)}
		for t, v := range s.Values[0] {
			window := t
			if s.At != nil {
				window = s.At[t]
			}
			line.Points = append(line.Points, report.Point{X: float64(window) * j.step.Seconds(), Y: v})
		}
		c.Lines = append(c.Lines, line)
	}
	return tell.picture("signals.png", c.Title, "Noise included: what the curve does between its neighbours may be noise alone.", c.AltText(), c.WritePNG)
}

// signalLegend is one entry of signals.json.
type signalLegend struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

func (j *SeriesJob) legend(r *series.Release) any {
	bounds := j.used()
	var list []signalLegend
	for k, i := range j.Features {
		l := signalLegend{Name: feature.Names()[i], Unit: feature.Units()[i]}
		if len(bounds) > 0 {
			b := bounds[min(k, len(bounds)-1)]
			l.Lower, l.Upper = b.Lo, b.Hi
		}
		list = append(list, l)
	}
	return struct {
		WindowS    float64        `json:"window_s"`
		StepS      float64        `json:"step_s"`
		Signals    []signalLegend `json:"signals"`
		Conditions string         `json:"conditions,omitempty"`
		Chosen     int            `json:"coefficients,omitempty"`
	}{j.Options.Window.Seconds(), j.step.Seconds(), list, strings.Join(j.publicConditions(), ","), r.Coefficients}
}

func (j *SeriesJob) publicConditions() []string {
	if !j.means() {
		return nil
	}
	var out []string
	for _, c := range j.conditions {
		out = append(out, j.shown[c])
	}
	return out
}

// showConditions gives every condition a name that tells neither who nor when:
// a condition may be a session, and a stimulus may be called after a person.
func (j *SeriesJob) showConditions() (map[string]string, error) {
	pseudonym, err := j.Home.Pseudonyms()
	if err != nil {
		return nil, err
	}
	names, shown := canonical.Names{Pseudonym: pseudonym}, map[string]string{}
	for i, h := range j.headers {
		c, session := j.Recordings[i].Condition, h.Stimulus == "" && h.Task == ""
		names.Replace(&h)
		name := cmp.Or(h.Stimulus, h.Task, h.Session)
		if !session {
			name = bareName(name)
		}
		if name != bareName(c) || shown[c] == "" { // a pseudonym for one is one for all
			shown[c] = name
		}
	}
	return shown, nil
}
