package curator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
)

// FeatureData yields tables of the 52 features, whether the data are gaze or
// features already.
type FeatureData struct {
	Data    *Data                   // required
	Options feature.Options         // how they are computed; of precomputed ones the window they were computed with
	Want    func(*gaze.Header) bool // nil = all recordings
}

// Precomputed reports whether the data's definition says that they are features
// already, as MPIIDPEye's and MPIIPrivacEye's do.
func (f FeatureData) Precomputed() bool {
	m := f.Data.Folder.Definition.Mapping
	if m == nil {
		return false
	}
	var signals []gaze.Signal
	for _, s := range m.Signals {
		signals = append(signals, gaze.Signal{Name: s.Name})
	}
	return feature.Precomputed(signals)
}

// Tables yields one table per recording, in the order of the data; those of
// recordings shorter than a window have no windows. Their headers name people:
// they are for this room. Samples that are left out are counted in the report.
func (f FeatureData) Tables(ctx context.Context) iter.Seq2[*feature.Table, error] {
	pieces := f.Data.Recordings(ctx, f.Want)
	tables := f.Options.Tables(pieces)
	if f.Precomputed() {
		tables = feature.ReadTables(pieces, f.Options.Resolved().Window)
	}
	return func(yield func(*feature.Table, error) bool) {
		for t, err := range tables {
			if t != nil {
				f.Data.Report.CountSome("sample whose time does not run forward (left out of features)", t.LeftOut)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// Features writes one table per recording, for work on the curator's side:
// names become pseudonyms, but the features are those of the people,
// unprotected.
type Features struct {
	FeatureData
	Home     Home // holds the key of the pseudonyms; required
	Out      string
	Force    bool           // overwrite an older folder of features
	Program  string         // name and version
	Progress func(done int) // may be nil
}

// FeatureFolder says what was written: features.json in the folder, and what
// the command line prints.
type FeatureFolder struct {
	Protected  bool              `json:"protected"` // false
	Warning    string            `json:"warning"`
	Program    string            `json:"program"`
	Dataset    string            `json:"dataset"`
	Parameters map[string]string `json:"parameters"`
	WindowS    float64           `json:"window_s"`
	StepS      float64           `json:"step_s"`
	Columns    []FeatureColumn   `json:"columns"`
	Tables     []FeatureTable    `json:"tables"`
	Windows    int               `json:"windows"` // of all tables
	Absent     []AbsentFeature   `json:"absent"`
	Skipped    []Skipped         `json:"skipped"`
}

// FeatureColumn is one of the 52 columns. Bounds are public: they follow from
// the parameters alone.
type FeatureColumn struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// Who says, under a pseudonym, whose recording something is.
type Who struct {
	Participant string            `json:"participant"`
	Session     string            `json:"session,omitempty"`
	Task        string            `json:"task,omitempty"`
	Trial       string            `json:"trial,omitempty"`
	Stimulus    string            `json:"stimulus,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
}

// FeatureTable is one file.
type FeatureTable struct {
	Who
	File      string   `json:"file"`
	Windows   int      `json:"windows"`
	PupilUnit string   `json:"pupil_unit,omitempty"`
	Absent    []string `json:"absent"` // features without input: empty columns
}

// AbsentFeature is a feature that some tables lack.
type AbsentFeature struct {
	Name   string `json:"name"`
	Tables int    `json:"tables"`
}

// Skipped is a recording without a table: it is shorter than a window, or has
// no input for any feature.
type Skipped struct {
	Who
	Seconds float64 `json:"seconds"`
}

// rawWarning goes with every folder of features.
const rawWarning = "NOT PROTECTED: these are features of people's gaze under pseudonyms; gaze identifies people. Keep them as you keep the recordings"

// Run computes and writes the tables, one at a time.
func (f Features) Run(ctx context.Context) (*FeatureFolder, error) {
	if err := f.Options.Validate(); err != nil {
		return nil, &RefusedError{err}
	}
	pseudonym, err := f.Home.Pseudonyms()
	if err != nil {
		return nil, err
	}
	out, err := openFeatureFolder(f.Out, f.Force)
	if err != nil {
		return nil, err
	}
	defer out.discard()
	w := featureWriter{folder: out, names: canonical.Names{Pseudonym: pseudonym}, data: f.Data, about: f.about()}
	done := 0
	for t, err := range f.Tables(ctx) {
		if err == nil {
			err = w.add(t)
		}
		if err != nil {
			return nil, err
		}
		if done++; f.Progress != nil {
			f.Progress(done)
		}
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	return w.about, out.commit(w.about)
}

// about is what is known before any recording is read.
func (f Features) about() *FeatureFolder {
	o := f.Options.Resolved()
	a := &FeatureFolder{Warning: rawWarning, Program: f.Program, Dataset: f.Data.Name, Parameters: FeatureParameters(o),
		WindowS: o.Window.Seconds(), StepS: o.Step.Seconds(), Tables: []FeatureTable{}, Absent: []AbsentFeature{}, Skipped: []Skipped{}}
	if f.Precomputed() {
		a.Parameters = map[string]string{"source": "computed by the data set's authors", "window": o.Window.String()}
	}
	units, bounds := feature.Units(), o.Bounds()
	for i, name := range feature.Names() {
		a.Columns = append(a.Columns, FeatureColumn{name, units[i], bounds[i].Lo, bounds[i].Hi})
	}
	return a
}

// FeatureParameters are the options as text, all of them, under the names of
// the command line's flags.
func FeatureParameters(o feature.Options) map[string]string {
	o = o.Resolved()
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	scale := "from the recording's geometry"
	if o.Detector.PixelsPerDegree > 0 {
		scale = number(o.Detector.PixelsPerDegree)
	}
	return map[string]string{
		"window": o.Window.String(), "step": o.Step.String(),
		"velocity-threshold": number(o.Detector.Threshold), "min-fixation": o.Detector.MinDuration.String(),
		"max-gap": o.Detector.MaxGap.String(), "velocity-window": o.Detector.Window.String(), "pixels-per-degree": scale,
		"small-saccade": number(o.SmallSaccade), "alphabet": o.Alphabet.String(),
		"blinks": o.BlinkSource.String(), "min-blink": o.Blinks.MinDuration.String(), "max-blink": o.Blinks.MaxDuration.String(),
	}
}

// featureWriter writes table after table.
type featureWriter struct {
	folder  *featureFolder
	names   canonical.Names
	data    *Data
	about   *FeatureFolder
	longest time.Duration
}

func (w *featureWriter) add(t *feature.Table) error {
	who := w.who(&t.Header)
	w.longest = max(w.longest, t.Span)
	if t.Windows() == 0 {
		w.about.Skipped = append(w.about.Skipped, Skipped{who, t.Span.Seconds()})
		return nil
	}
	w.about.WindowS, w.about.StepS = t.Window.Seconds(), t.Step.Seconds()
	entry := FeatureTable{Who: who, Windows: t.Windows(), Absent: []string{}}
	if t.Has(pupilFeature) {
		entry.PupilUnit = t.Header.PupilUnit.String()
	}
	for _, i := range t.Absent {
		entry.Absent = append(entry.Absent, feature.Names()[i])
		w.lacks(feature.Names()[i])
	}
	name, err := w.folder.table(who, func(out io.Writer) error { return writeFeatures(out, t) })
	if err != nil {
		return err
	}
	entry.File = name
	w.about.Tables = append(w.about.Tables, entry)
	w.about.Windows += entry.Windows
	return nil
}

// pupilFeature is a feature in the pupil's unit.
const pupilFeature = 21

func (w *featureWriter) lacks(name string) {
	for i := range w.about.Absent {
		if w.about.Absent[i].Name == name {
			w.about.Absent[i].Tables++
			return
		}
	}
	w.about.Absent = append(w.about.Absent, AbsentFeature{name, 1})
}

// who replaces the names; labels are classes of the data set, which name nobody.
func (w *featureWriter) who(h *gaze.Header) Who {
	var labels map[string]string
	definition := &w.data.Folder.Definition
	for _, l := range definition.Labels {
		if v, ok := definition.Label(l.Name, h); ok && l.Of != "participant" && l.Of != "session" {
			if labels == nil {
				labels = map[string]string{}
			}
			labels[l.Name] = v
		}
	}
	masked := *h
	w.names.Replace(&masked)
	return Who{masked.Participant, masked.Session, masked.Task, masked.Trial, masked.Stimulus, labels}
}

// check refuses a folder without a table.
func (w *featureWriter) check() error {
	switch {
	case len(w.about.Tables) > 0:
		return nil
	case len(w.about.Skipped) == 0:
		return errors.New("curator: the data hold no recording")
	case w.longest < time.Duration(w.about.WindowS*float64(time.Second)):
		return fmt.Errorf("curator: no recording is as long as a window of %g s: the longest of %d lasts %.3g s; give a shorter --window", w.about.WindowS, len(w.about.Skipped), w.longest.Seconds())
	}
	return errors.New("curator: the recordings hold neither positions nor blinks, so there are no features")
}

// writeFeatures writes a header line, then one line per window; cells of absent
// features are empty.
func writeFeatures(out io.Writer, t *feature.Table) error {
	z := gzip.NewWriter(out)
	var line []byte
	units := feature.Units()
	for i, name := range feature.Names() {
		line = append(cell(line, i), name...)
		line = append(append(append(line, " ["...), units[i]...), ']')
	}
	for row := -1; row < t.Windows(); row++ {
		if row >= 0 {
			line = line[:0]
			for i, column := range t.Columns {
				line = cell(line, i)
				if column != nil {
					line = strconv.AppendFloat(line, column[row], 'g', -1, 64)
				}
			}
		}
		if _, err := z.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return z.Close()
}

func cell(line []byte, i int) []byte {
	if i > 0 {
		line = append(line, ',')
	}
	return line
}
