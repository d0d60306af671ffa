package smi

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// shown is the column this reader adds: the stimulus in sight.
const shown = "(stimulus)"

type reader struct {
	in    *format.Input
	o     format.Options
	lines *format.Lines
	table *format.Table
	cells [][]byte

	columns  []string
	width    int // cells a sample needs
	kind     int // column of Type
	stimulus int // column of Stimulus; -1 = none
	eyes     []eye
	current  []byte // stimulus named by the last message

	other, messages int
}

// eye is where one eye's values lie.
type eye struct {
	x, y  int // in Row.Numbers
	label int // column of its event; -1 = none
}

func read(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) {
	r := &reader{in: in, o: o, lines: format.NewLines(in)}
	if err := r.open(); err != nil {
		yield(nil, err)
		return
	}
	stopped := false
	r.table.Start(func(piece *gaze.Recording, err error) bool {
		stopped = !yield(piece, err)
		return !stopped
	})
	if err := r.rows(); err != nil && !stopped {
		yield(nil, err)
	}
	if r.messages > 0 {
		o.Report.DropIdentity("text of messages (MSG)")
	}
	o.Report.CountSome("line that is neither SMP nor MSG (left out)", r.other)
	if e := in.Encoding(); e != "" {
		o.Report.Count("text is "+e, 0)
	}
}

// open reads the settings and the header line and binds the table.
func (r *reader) open() error {
	var s settings
	for {
		line, ok := r.lines.Next()
		if !ok {
			if err := r.lines.Err(); err != nil {
				return err
			}
			return format.Empty(r.in.Name, r.lines.Number())
		}
		if isHeader(line) {
			r.columns = split(line)
			break
		}
		if len(line) > 0 && !isSetting(line) {
			return r.lines.Errorf("no header line with Time and Type after the lines of ##")
		}
		s.take(line, r.o.Report)
	}
	if places(r.columns) == "" {
		return r.lines.Errorf("no column of POR X [px]: the file holds no gaze")
	}
	return r.bind(&s)
}

func (r *reader) at(column string) int { return slices.Index(r.columns, column) }

func (r *reader) bind(s *settings) error {
	m := &format.Mapping{Time: "Time", TimeUnit: "us", Unit: "px", SamplingRate: s.rate, Stimulus: shown, Decimal: decimal(r.in.Head().Text)}
	if s.screen.WidthPx > 0 {
		m.Screen = &s.screen
	}
	if r.at("Trial") >= 0 {
		m.Trial = "Trial"
	}
	if r.o.Known.Participant == "" {
		r.o.Known.Participant = s.subject
	}
	r.places(m)
	r.label(m)
	for _, c := range r.columns { // where the eyes are in space
		if strings.Contains(c, "EPOS") {
			r.o.Report.DropIdentity(c)
		}
	}
	r.kind, r.stimulus = r.at("Type"), r.at("Stimulus")
	names := append(slices.Clone(r.columns), shown)
	names[r.kind] = "" // read here
	if r.stimulus >= 0 {
		names[r.stimulus] = ""
	}
	table, err := format.NewTable(m, names, r.in, r.o)
	if err != nil {
		return err
	}
	r.table = table
	r.locate(m)
	return nil
}

// places maps positions and pupils. BeGaze gives diameters in mm; the IDF
// Converter also in the camera's px.
func (r *reader) places(m *format.Mapping) {
	for _, e := range [...]struct {
		prefix      string
		x, y, pupil *string
	}{{"L", &m.XLeft, &m.YLeft, &m.PupilLeft}, {"R", &m.XRight, &m.YRight, &m.PupilRight}, {"B", &m.X, &m.Y, &m.Pupil}} {
		if x, y := e.prefix+" POR X [px]", e.prefix+" POR Y [px]"; r.at(x) >= 0 && r.at(y) >= 0 {
			*e.x, *e.y = x, y
		}
	}
	for _, p := range [...]struct{ name, unit string }{
		{"Pupil Diameter [mm]", "mm"}, {"Mapped Diameter [mm]", "mm"}, {"Dia X [px]", "px"},
	} {
		left, right := r.at("L "+p.name) >= 0, r.at("R "+p.name) >= 0
		if left {
			m.PupilLeft, m.PupilUnit = "L "+p.name, p.unit
		}
		if right {
			m.PupilRight, m.PupilUnit = "R "+p.name, p.unit
		}
		if left || right {
			return
		}
	}
}

// label maps the events that BeGaze writes beside each sample; where both eyes
// have them, those of the left eye.
func (r *reader) label(m *format.Mapping) {
	for _, c := range [...]string{"L Event Info", "Info", "R Event Info", "B Event Info"} {
		if r.at(c) >= 0 {
			m.Label = &format.LabelMapping{Column: c, Values: map[string]string{"Fixation": "fixation", "Saccade": "saccade", "Blink": "blink"}}
			return
		}
	}
}

// locate notes where in a row the positions lie.
func (r *reader) locate(m *format.Mapping) {
	index := make(map[int]int)
	for _, s := range r.table.Slots() {
		if s.Kind == format.NumberSlot {
			index[s.Column] = s.Index
		}
		if s.Kind != format.TextSlot {
			r.width = max(r.width, s.Column+1)
		}
	}
	for _, e := range [...]struct{ x, y, label string }{
		{m.XLeft, m.YLeft, "L Event Info"}, {m.XRight, m.YRight, "R Event Info"}, {m.X, m.Y, "B Event Info"},
	} {
		if e.x == "" {
			continue
		}
		label := r.at(e.label)
		if label < 0 {
			label = r.at("Info")
		}
		r.eyes = append(r.eyes, eye{index[r.at(e.x)], index[r.at(e.y)], label})
	}
	r.width = max(r.width, r.kind+1)
}

// decimal recognises decimal commas in the first sample.
func decimal(text []byte) string {
	i := bytes.Index(text, []byte("\tSMP\t"))
	if i < 0 {
		return ""
	}
	line, _, _ := cutLine(text[i:])
	if bytes.IndexByte(line, ',') >= 0 && bytes.IndexByte(line, '.') < 0 {
		return ","
	}
	return ""
}

func (r *reader) rows() error {
	row := r.table.Row()
	for {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		row.Line = r.lines.Number()
		r.cells = format.SplitFields(r.cells[:0], line, '\t')
		switch kind := r.cell(r.kind); {
		case len(line) == 0:
		case string(kind) == "MSG":
			r.message()
		case string(kind) != "SMP":
			r.other++
		case len(r.cells) < r.width, !r.lines.Complete() && len(r.cells) < len(r.columns):
			r.table.Short()
		default:
			r.fill(row)
			if !r.table.Add(row) {
				return r.table.Close()
			}
		}
	}
	err := r.table.Close()
	if e := r.lines.Err(); e != nil {
		return e
	}
	return err
}

func (r *reader) cell(column int) []byte {
	if column < 0 || column >= len(r.cells) {
		return nil
	}
	return bytes.TrimSpace(r.cells[column])
}

// fill puts a sample's cells where the table wants them. A position of 0, 0 is
// how SMI writes a lost one; in a blink it is lost whatever is written.
func (r *reader) fill(row *format.Row) {
	for _, s := range r.table.Slots() {
		switch {
		case s.Column == len(r.columns):
			row.Texts[s.Index] = r.sight()
		case s.Kind == format.TimeSlot:
			row.Time, row.HasTime = r.table.Time(r.cells[s.Column])
		case s.Kind == format.NumberSlot:
			row.Numbers[s.Index] = r.table.Number(r.cells[s.Column], row.Line)
		default:
			row.Texts[s.Index] = r.cell(s.Column)
		}
	}
	for _, e := range r.eyes {
		if row.Numbers[e.x] == 0 && row.Numbers[e.y] == 0 || string(r.cell(e.label)) == "Blink" {
			row.Numbers[e.x], row.Numbers[e.y] = math.NaN(), math.NaN()
		}
	}
}

// sight is the stimulus of a row: that of its own column, else that of the
// last message.
func (r *reader) sight() []byte {
	if s := r.cell(r.stimulus); len(s) > 0 && string(s) != "-" {
		return fileName(s)
	}
	return r.current
}

// message takes the name of a picture or video from messages such as
// "Scene Image: d:\pictures\cups.bmp" and "# Message: cups.bmp". All others
// are free text.
func (r *reader) message() {
	text := r.cell(len(r.cells) - 1)
	if i := bytes.Index(text, []byte(": ")); i >= 0 {
		text = bytes.TrimSpace(text[i+2:])
	}
	name := fileName(text)
	dot := bytes.LastIndexByte(name, '.')
	if dot > 0 && slices.Contains(media[:], strings.ToLower(string(name[dot+1:]))) {
		r.current = append(r.current[:0], name...)
		return
	}
	r.messages++
}

var media = [...]string{"bmp", "jpg", "jpeg", "png", "gif", "tif", "tiff", "avi", "mpg", "mpeg", "mp4", "mov", "wmv", "webm", "xvid", "swf", "htm", "html"}

// fileName is a path's last part: folders may carry names of people.
func fileName(path []byte) []byte {
	return path[bytes.LastIndexAny(path, `\/`)+1:]
}
