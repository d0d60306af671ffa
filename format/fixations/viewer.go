package fixations

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// DataViewer returns the format of EyeLink Data Viewer's fixation reports.
func DataViewer() format.Format {
	return report{
		name: "data-viewer-fixations", title: "EyeLink Data Viewer fixation report",
		marks: []string{"CURRENT_FIX_X", "CURRENT_FIX_Y", "CURRENT_FIX_DURATION"}, mapping: fixationReport,
	}.format()
}

// DataViewerSamples returns the format of EyeLink Data Viewer's sample reports.
func DataViewerSamples() format.Format {
	return report{
		name: "data-viewer-samples", title: "EyeLink Data Viewer sample report",
		marks: []string{"TIMESTAMP", "RECORDING_SESSION_LABEL"}, any: []string{"LEFT_GAZE_X", "RIGHT_GAZE_X", "AVERAGE_GAZE_X"},
		mapping: sampleReport,
	}.format()
}

// DataViewerSaccades returns the format of EyeLink Data Viewer's saccade
// reports, which are refused.
func DataViewerSaccades() format.Format {
	r := report{
		name: "data-viewer-saccades", title: "EyeLink Data Viewer saccade report",
		marks: []string{"RECORDING_SESSION_LABEL", "CURRENT_SAC_DURATION"},
	}
	f := r.format()
	f.Read, f.Hint = nil, "export a fixation report or a sample report of the same trials, or read the .asc"
	return f
}

// report is one kind of report, known by its columns.
type report struct {
	name, title string
	marks       []string // columns it must have
	any         []string // of which it must have one
	mapping     func(sheet) *format.Mapping
}

func (r report) format() format.Format {
	return format.Format{
		Name: r.name, Title: r.title, Extensions: []string{".txt", ".tsv", ".csv", ".xls"},
		Detect: r.detect, Read: r.read,
	}
}

func (r report) detect(h format.Head) format.Match {
	s := parse(h.Text)
	if missing := r.missing(s); missing != "" {
		return format.Match{Why: []string{"no column " + missing}}
	}
	return format.Match{Score: 95, Why: []string{"columns " + strings.Join(append(slices.Clone(r.marks), r.found(s)...), ", ")}}
}

func (r report) found(s sheet) []string {
	var have []string
	for _, name := range r.any {
		if s.has(name) {
			have = append(have, name)
		}
	}
	return have
}

// missing names what a table lacks, empty if nothing.
func (r report) missing(s sheet) string {
	for _, name := range r.marks {
		if !s.has(name) {
			return name
		}
	}
	if len(r.any) > 0 && len(r.found(s)) == 0 {
		return strings.Join(r.any, " or ")
	}
	return ""
}

func (r report) read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if err := r.rows(in, o, yield); err != nil {
			yield(nil, err)
		}
	}
}

func (r report) rows(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	text := in.Head().Text
	if len(bytes.TrimSpace(text)) == 0 {
		return format.Empty(in.Name, 1)
	}
	s := parse(text)
	if missing := r.missing(s); missing != "" {
		return &format.SyntaxError{File: in.Name, Line: 1, Msg: "no column " + missing}
	}
	m := o.Mapping
	if m == nil {
		m = r.mapping(s)
	}
	for _, name := range s.columns {
		if slices.Contains(identity, strings.ToUpper(name)) && !slices.Contains(m.ColumnNames(), name) {
			o.Report.DropIdentity(name)
		}
	}
	return format.Sheet{Delimiter: s.delimiter, Columns: s.columns, Skip: s.skip + 1}.Read(m, in, o, yield)
}

// identity are Data Viewer's columns that say who was recorded, when and where.
var identity = []string{
	"DATA_FILE", "TRIAL_START_TIME", "RECORDING_DATE", "SESSION_DATE", "TRIAL_LABEL", "EYETRACKER", "TRACKER_ADDRESS", "EDF_FILE",
	"CURRENT_FIX_MSG_TEXT_1", "CURRENT_FIX_MSG_LIST_TEXT", "SAMPLE_MESSAGE",
}

// sheet is a report's head.
type sheet struct {
	delimiter byte
	comma     bool // decimal
	skip      int  // lines before the header
	columns   []string
	rows      [][]string
}

// parse splits the head into cells. The header is the first line that is not
// empty.
func parse(text []byte) sheet {
	s := sheet{delimiter: '\t'}
	lines := bytes.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	if len(lines) == 0 {
		return s
	}
	for _, c := range text {
		if c != '\n' && c != '\r' {
			break
		}
		if c == '\n' || !bytes.Contains(text, []byte("\n")) {
			s.skip++
		}
	}
	for _, c := range []byte{';', ','} {
		if bytes.Count(lines[0], []byte{c}) > bytes.Count(lines[0], []byte{s.delimiter}) {
			s.delimiter = c
		}
	}
	for i, line := range lines[:min(len(lines), 100)] {
		var row []string
		for _, cell := range format.SplitFields(nil, line, s.delimiter) {
			row = append(row, strings.TrimSpace(string(cell)))
		}
		if i == 0 {
			s.columns = row
		} else {
			s.rows = append(s.rows, row)
		}
	}
	s.comma = s.decimalComma()
	return s
}

func (s *sheet) decimalComma() bool {
	if s.delimiter == ',' {
		return false
	}
	for _, row := range s.rows {
		for _, cell := range row {
			_, point := format.ParseNumber([]byte(cell), '.')
			_, comma := format.ParseNumber([]byte(cell), ',')
			if comma && !point && strings.Contains(cell, ",") {
				return true
			}
		}
	}
	return false
}

func (s *sheet) has(name string) bool { return s.column(name) != "" }

// column returns a column's name as the file spells it.
func (s *sheet) column(name string) string {
	for _, c := range s.columns {
		if strings.EqualFold(c, name) {
			return c
		}
	}
	return ""
}

func (s *sheet) base() *format.Mapping {
	m := &format.Mapping{
		TimeUnit: "ms", Unit: "px", PupilUnit: "au_area", NullValues: format.Texts{"-99", "."},
		Participant: s.column("RECORDING_SESSION_LABEL"), Trial: s.column("TRIAL_INDEX"), Stimulus: s.stimulus(),
	}
	if s.comma {
		m.Decimal = ","
	}
	return m
}

// stimulus is the experimenter's own variable, if it has a usual name.
func (s *sheet) stimulus() string {
	return format.GuessMapping(s.columns, nil).Mapping.Stimulus
}

func fixationReport(s sheet) *format.Mapping {
	m := s.base()
	m.X, m.Y = s.column("CURRENT_FIX_X"), s.column("CURRENT_FIX_Y")
	m.Onset, m.Duration = s.column("CURRENT_FIX_START"), s.column("CURRENT_FIX_DURATION")
	m.DurationUnit = "ms"
	m.TimeOrigin = "zero" // of the trial
	m.Pupil = s.column("CURRENT_FIX_PUPIL")
	for _, name := range [...]string{"EYE_REPORTED", "EYE_USED"} {
		if s.oneEye(name) {
			m.Eye = s.column(name)
			break
		}
	}
	return m
}

// oneEye reports whether a column says left or right in every row.
func (s *sheet) oneEye(name string) bool {
	at := slices.IndexFunc(s.columns, func(c string) bool { return strings.EqualFold(c, name) })
	for _, row := range s.rows {
		if at < 0 || at >= len(row) || !strings.EqualFold(row[at], "LEFT") && !strings.EqualFold(row[at], "RIGHT") {
			return false
		}
	}
	return at >= 0
}

func sampleReport(s sheet) *format.Mapping {
	m := s.base()
	m.Time = s.column("TIMESTAMP")
	m.X, m.Y = s.both("AVERAGE_GAZE_X", "AVERAGE_GAZE_Y")
	m.XLeft, m.YLeft = s.both("LEFT_GAZE_X", "LEFT_GAZE_Y")
	m.XRight, m.YRight = s.both("RIGHT_GAZE_X", "RIGHT_GAZE_Y")
	if m.X != "" {
		m.Pupil = s.column("AVERAGE_PUPIL_SIZE")
	}
	m.PupilLeft, m.PupilRight = s.column("LEFT_PUPIL_SIZE"), s.column("RIGHT_PUPIL_SIZE")
	if c := s.column("LEFT_IN_BLINK"); c != "" {
		m.ValidWhenLeft = format.Conditions{{Column: c, Op: "!=", Value: "1"}}
	}
	if c := s.column("RIGHT_IN_BLINK"); c != "" {
		m.ValidWhenRight = format.Conditions{{Column: c, Op: "!=", Value: "1"}}
	}
	return m
}

func (s *sheet) both(x, y string) (string, string) {
	if !s.has(x) || !s.has(y) {
		return "", ""
	}
	return s.column(x), s.column(y)
}
