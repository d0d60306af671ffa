package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gazeward/gazeward/gaze"
)

// Mapping says what the columns of a table mean. Column fields hold a column's
// name as in the header line (name#2 for the second of two equal names), a
// number from 1 where the file has no header (#3), or for MATLAB files a path.
// The fields participant, session, task, trial and stimulus may instead be
// templates of what filename_pattern found and of columns: '{subject_id}',
// '{block}-{trial_no}'.
//
// A table with duration and without time is a list of fixations, one per row;
// every other table holds samples. docs/formats/mapping.md explains each key.
type Mapping struct {
	// How the table is written. Empty = recognised.
	Delimiter string   `yaml:"delimiter,omitempty"`
	Decimal   string   `yaml:"decimal,omitempty"`
	Columns   []string `yaml:"columns,omitempty"` // names, where the file has no header line
	SkipLines int      `yaml:"skip_lines,omitempty"`
	Comment   string   `yaml:"comment,omitempty"` // lines that begin so are skipped

	// When.
	Time         string  `yaml:"time,omitempty"`
	TimeUnit     string  `yaml:"time_unit,omitempty"`     // s, ms, us, ns, 100ns, samples, datetime
	TimeOptional bool    `yaml:"time_optional,omitempty"` // a file without the column time has a row each 1/sampling_rate
	TimeOrigin   string  `yaml:"time_origin,omitempty"`   // first (default): count from a recording's first row; zero: the file already does
	SamplingRate float64 `yaml:"sampling_rate,omitempty"` // Hz, nominal
	Onset        string  `yaml:"onset,omitempty"`         // of a fixation; without it durations are cumulated
	Duration     string  `yaml:"duration,omitempty"`
	DurationUnit string  `yaml:"duration_unit,omitempty"` // default: time_unit

	// Where.
	X       string  `yaml:"x,omitempty"`
	Y       string  `yaml:"y,omitempty"`
	XLeft   string  `yaml:"x_left,omitempty"`
	YLeft   string  `yaml:"y_left,omitempty"`
	XRight  string  `yaml:"x_right,omitempty"`
	YRight  string  `yaml:"y_right,omitempty"`
	Unit    string  `yaml:"unit,omitempty"`
	Frame   string  `yaml:"frame,omitempty"`    // gaze-on-screen (default), gaze-in-world, eye-in-head
	XOffset float64 `yaml:"x_offset,omitempty"` // added to positions, in unit
	YOffset float64 `yaml:"y_offset,omitempty"`
	Eye     string  `yaml:"eye,omitempty"` // left, right, cyclopean (default), or a column that says so

	Pupil           string  `yaml:"pupil,omitempty"`
	PupilLeft       string  `yaml:"pupil_left,omitempty"`
	PupilRight      string  `yaml:"pupil_right,omitempty"`
	PupilUnit       string  `yaml:"pupil_unit,omitempty"` // mm, au_area, au_diam, px
	Confidence      string  `yaml:"confidence,omitempty"`
	ConfidenceLeft  string  `yaml:"confidence_left,omitempty"`
	ConfidenceRight string  `yaml:"confidence_right,omitempty"`
	MinConfidence   float64 `yaml:"min_confidence,omitempty"` // below it a position is lost

	// Which values count.
	RowsWhere      Conditions `yaml:"rows_where,omitempty"` // other rows are skipped
	ValidWhen      Conditions `yaml:"valid_when,omitempty"` // else the positions of all eyes are lost
	ValidWhenLeft  Conditions `yaml:"valid_when_left,omitempty"`
	ValidWhenRight Conditions `yaml:"valid_when_right,omitempty"`
	NullValues     Texts      `yaml:"null_values,omitempty"` // besides empty, NaN, NA, n/a, null, ".", "-"

	// Who and what.
	Participant     string `yaml:"participant,omitempty"`
	Session         string `yaml:"session,omitempty"`
	Task            string `yaml:"task,omitempty"`
	Trial           string `yaml:"trial,omitempty"`
	Stimulus        string `yaml:"stimulus,omitempty"`
	FilenamePattern string `yaml:"filename_pattern,omitempty"`

	Label   *LabelMapping   `yaml:"label,omitempty"`
	Signals []SignalMapping `yaml:"signals,omitempty"`
	Screen  *ScreenMapping  `yaml:"screen,omitempty"`

	Notes []string `yaml:"notes,omitempty"` // for people: what the mapping leaves out or takes for granted
}

// LabelMapping says which column labels single samples and what its values
// mean: fixation, saccade, pursuit, blink, noise, oscillation. The value "*"
// stands for any that is not empty.
type LabelMapping struct {
	Column string            `yaml:"column"`
	Values map[string]string `yaml:"values"`
}

// SignalMapping keeps a column as a named signal.
type SignalMapping struct {
	Name   string `yaml:"name,omitempty"` // default: the column's name
	Column string `yaml:"column"`
	Unit   string `yaml:"unit,omitempty"`
}

// ScreenMapping is the geometry a table cannot state.
type ScreenMapping struct {
	WidthPx    int     `yaml:"width_px,omitempty"`
	HeightPx   int     `yaml:"height_px,omitempty"`
	WidthCm    float64 `yaml:"width_cm,omitempty"`
	HeightCm   float64 `yaml:"height_cm,omitempty"`
	DistanceCm float64 `yaml:"distance_cm,omitempty"`
	Origin     string  `yaml:"origin,omitempty"` // top-left (default), bottom-left, center
}

// ParseMapping reads a mapping's YAML, or takes it out of a definition of
// pymovements ([ImportPymovements]). Keys it does not know are errors.
func ParseMapping(text []byte) (*Mapping, error) {
	if IsPymovements(text) {
		return pymovementsMapping(text)
	}
	m := new(Mapping)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(m); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("format: mapping: the file is empty")
		}
		return nil, fmt.Errorf("format: mapping: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

// YAML returns the mapping as text that [ParseMapping] reads.
func (m *Mapping) YAML() string {
	var b strings.Builder
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(m); err != nil {
		return "# " + err.Error() + "\n" // strings and numbers always encode
	}
	return strings.Replace(b.String(), "\"y\":", "y:", 1) // quoted for YAML 1.1, where y is true
}

// fields lists the mapping's references to columns.
func (m *Mapping) fields() []*string {
	all := []*string{
		&m.Time, &m.Onset, &m.Duration, &m.X, &m.Y, &m.XLeft, &m.YLeft, &m.XRight, &m.YRight,
		&m.Pupil, &m.PupilLeft, &m.PupilRight, &m.Confidence, &m.ConfidenceLeft, &m.ConfidenceRight,
	}
	if _, fixed := fixedEye(m.Eye); !fixed {
		all = append(all, &m.Eye)
	}
	for _, s := range [...]*string{&m.Participant, &m.Session, &m.Task, &m.Trial, &m.Stimulus} {
		if !isTemplate(*s) {
			all = append(all, s)
		}
	}
	for _, list := range [...]Conditions{m.RowsWhere, m.ValidWhen, m.ValidWhenLeft, m.ValidWhenRight} {
		for i := range list {
			all = append(all, &list[i].Column)
		}
	}
	for i := range m.Signals {
		all = append(all, &m.Signals[i].Column)
	}
	if m.Label != nil {
		all = append(all, &m.Label.Column)
	}
	return all
}

// ColumnNames lists the columns the mapping uses, each once.
func (m *Mapping) ColumnNames() []string {
	var names []string
	for _, f := range m.fields() {
		if *f != "" && !slices.Contains(names, *f) {
			names = append(names, *f)
		}
	}
	return names
}

// Rename replaces the names of columns, in place.
func (m *Mapping) Rename(to func(string) string) {
	for _, f := range m.fields() {
		if *f != "" {
			*f = to(*f)
		}
	}
}

// fixedEye reads an eye that is the same for all rows.
func fixedEye(s string) (gaze.Eye, bool) {
	switch strings.ToLower(s) {
	case "", "cyclopean":
		return gaze.Cyclopean, true
	case "left", "l":
		return gaze.Left, true
	case "right", "r":
		return gaze.Right, true
	}
	return gaze.Cyclopean, false
}

// Events reports whether the rows are fixations, not samples.
func (m *Mapping) Events() bool { return m.Duration != "" && m.Time == "" }

// Check reports what is missing or contradictory, before any file is read.
func (m *Mapping) Check() error {
	for _, check := range [...]func() error{m.checkConditions, m.checkPositions, m.checkTime, m.checkNames, m.checkTable} {
		if err := check(); err != nil {
			return fmt.Errorf("format: mapping: %w", err)
		}
	}
	return nil
}

func (m *Mapping) checkConditions() error {
	for _, list := range [...]Conditions{m.RowsWhere, m.ValidWhen, m.ValidWhenLeft, m.ValidWhenRight} {
		for _, c := range list {
			if c.Column == "" || c.Op == "" {
				return errors.New("a condition needs a column and a comparison, for example confidence >= 0.6")
			}
		}
	}
	return nil
}

func (m *Mapping) checkPositions() error {
	for _, p := range [...][3]string{{"x", m.X, m.Y}, {"x_left", m.XLeft, m.YLeft}, {"x_right", m.XRight, m.YRight}} {
		if (p[1] == "") != (p[2] == "") {
			return fmt.Errorf("%s and its y must be given together", p[0])
		}
	}
	if !m.positions() && len(m.Signals) == 0 && m.Pupil == "" && m.PupilLeft == "" && m.PupilRight == "" {
		return errors.New("nothing to read: give x and y (or x_left, y_left, x_right, y_right), pupil or signals")
	}
	if m.Events() && m.X == "" {
		return errors.New("a list of fixations needs x and y")
	}
	if _, err := gaze.ParseUnit(m.Unit); err != nil {
		return err
	}
	if m.X != "" && (m.XLeft != "" || m.XRight != "") && m.Eye != "" && m.Eye != "cyclopean" {
		return errors.New("x and y beside those of single eyes are cyclopean: leave eye out")
	}
	return nil
}

func (m *Mapping) positions() bool { return m.X != "" || m.XLeft != "" || m.XRight != "" }

func (m *Mapping) checkTime() error {
	if m.Time != "" && m.Onset != "" {
		return errors.New("time is for samples, onset for fixations: give one")
	}
	if m.Onset != "" && m.Duration == "" {
		return errors.New("onset needs duration")
	}
	if !m.Events() && m.Time == "" && m.SamplingRate <= 0 {
		return errors.New("give time (with time_unit), or sampling_rate where the rows have no time, or duration for a list of fixations")
	}
	if m.TimeOptional && (m.Time == "" || m.SamplingRate <= 0) {
		return errors.New("time_optional needs time and sampling_rate")
	}
	if m.SamplingRate < 0 {
		return fmt.Errorf("sampling_rate must be positive, got %v", m.SamplingRate)
	}
	if m.Time != "" || m.Onset != "" {
		if _, err := m.clock(m.TimeUnit, "time_unit"); err != nil {
			return err
		}
	}
	if m.Events() {
		unit := m.DurationUnit
		if unit == "" {
			unit = m.TimeUnit
		}
		if c, err := m.clock(unit, "duration_unit"); err != nil {
			return err
		} else if c.datetime {
			return errors.New("duration_unit cannot be datetime")
		}
	}
	switch m.TimeOrigin {
	case "", "first", "zero":
		return nil
	}
	return fmt.Errorf("time_origin %q: want first or zero", m.TimeOrigin)
}

func (m *Mapping) checkNames() error {
	if _, err := parsePupilUnit(m.PupilUnit); err != nil {
		return err
	}
	if _, err := parseFrame(m.Frame); err != nil {
		return err
	}
	if _, err := m.screen(); err != nil {
		return err
	}
	if m.Label != nil {
		for _, v := range m.Label.Values {
			if _, err := parseLabel(v); err != nil {
				return err
			}
		}
	}
	for _, s := range m.Signals {
		if s.Column == "" {
			return errors.New("a signal needs a column")
		}
	}
	if m.FilenamePattern != "" {
		if _, err := ParsePattern(m.FilenamePattern); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mapping) checkTable() error {
	switch m.Decimal {
	case "", ".", ",":
	default:
		return fmt.Errorf("decimal %q: want . or ,", m.Decimal)
	}
	switch m.Delimiter {
	case "", ",", ";", "\t", "|", " ":
	case `\t`, "tab":
		m.Delimiter = "\t"
	default:
		return fmt.Errorf("delimiter %q: want , ; | tab or a blank", m.Delimiter)
	}
	if m.SkipLines < 0 {
		return fmt.Errorf("skip_lines must not be negative, got %d", m.SkipLines)
	}
	return nil
}

func (m *Mapping) screen() (gaze.Screen, error) { return m.Screen.Screen() }

// Screen returns the geometry; nil is that of which nothing is known.
func (m *ScreenMapping) Screen() (gaze.Screen, error) {
	if m == nil {
		return gaze.Screen{}, nil
	}
	s := gaze.Screen{Width: m.WidthPx, Height: m.HeightPx, WidthCm: m.WidthCm, HeightCm: m.HeightCm, DistanceCm: m.DistanceCm}
	if s.Width < 0 || s.Height < 0 || s.WidthCm < 0 || s.HeightCm < 0 || s.DistanceCm < 0 {
		return s, errors.New("screen: sizes must not be negative")
	}
	for o := gaze.TopLeft; o <= gaze.Center; o++ {
		if m.Origin == "" || m.Origin == o.String() {
			s.Origin = o
			return s, nil
		}
	}
	return s, fmt.Errorf("screen: origin %q: want top-left, bottom-left or center", m.Origin)
}

func parsePupilUnit(s string) (gaze.PupilUnit, error) {
	if s == "" {
		return gaze.PupilUnknown, nil
	}
	for u := gaze.PupilUnknown; u <= gaze.PupilPixels; u++ {
		if s == u.String() {
			return u, nil
		}
	}
	return gaze.PupilUnknown, fmt.Errorf("pupil_unit %q: want mm, au_area, au_diam or px", s)
}

func parseFrame(s string) (gaze.Frame, error) {
	for f := gaze.OnScreen; f <= gaze.EyeInHead; f++ {
		if s == "" || s == f.String() {
			return f, nil
		}
	}
	return gaze.OnScreen, fmt.Errorf("frame %q: want gaze-on-screen, gaze-in-world or eye-in-head", s)
}

var labelNames = map[string]gaze.Label{
	"none": gaze.Unlabelled, "fixation": gaze.InFixation, "saccade": gaze.InSaccade, "pursuit": gaze.InPursuit,
	"blink": gaze.InBlink, "noise": gaze.InNoise, "oscillation": gaze.InOscillation,
}

func parseLabel(s string) (gaze.Label, error) {
	l, ok := labelNames[strings.ToLower(s)]
	if !ok {
		return 0, fmt.Errorf("label value %q: want fixation, saccade, pursuit, blink, noise, oscillation or none", s)
	}
	return l, nil
}
