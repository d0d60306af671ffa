package format

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// load turns the chosen resources into patterns, fields and one mapping.
func (im *pmImport) load(resources []pmResource) error {
	for i, r := range resources {
		one := &pmImport{doc: im.doc, out: &Imported{}}
		if err := one.resource(r); err != nil {
			return err
		}
		for _, n := range one.out.Notes {
			im.note("%s", n)
		}
		o := im.out
		if i == 0 {
			o.Fields, o.Format, o.Mapping, o.Screen = one.out.Fields, one.out.Format, one.out.Mapping, one.out.Screen
		} else if o.Format != one.out.Format || !reflect.DeepEqual(o.Mapping, one.out.Mapping) || !reflect.DeepEqual(o.Fields, one.out.Fields) {
			return fmt.Errorf("its %s resources are read in different ways: put each into a definition of its own", r.Content)
		}
		if p := one.out.Patterns[0]; !slices.Contains(o.Patterns, p) {
			o.Patterns = append(o.Patterns, p)
		}
	}
	return nil
}

func (im *pmImport) resource(r pmResource) error {
	pattern, fields, err := pmPattern(r.Pattern)
	if err != nil {
		return err
	}
	im.out.Patterns = []string{pattern}
	if r.Content != "gaze" {
		im.note("%s: pymovements does not say what their columns mean; each file is recognised by itself, or give --mapping", r.Content)
		im.out.Fields = im.fields(slotted(fields))
		return pmReadable(r.Pattern)
	}
	load, err := im.merged(r)
	if err != nil {
		return err
	}
	im.out.Format, err = pmReader(r)
	if err == nil && im.out.Format == "delimited" {
		return im.table(&load, pattern, fields)
	}
	if err != nil {
		return err
	}
	return im.vendor(&load, fields)
}

// merged is a resource's way of loading with that of the whole definition,
// which goes before it as in pymovements.
func (im *pmImport) merged(r pmResource) (pmLoad, error) {
	load, top := r.Load, im.doc.Load
	for _, list := range [...]struct{ to, from *Texts }{
		{&load.Trial, &top.Trial}, {&load.Pixel, &top.Pixel}, {&load.Position, &top.Position},
		{&load.Velocity, &top.Velocity}, {&load.Acceleration, &top.Acceleration},
	} {
		if *list.from != nil {
			*list.to = *list.from
		}
	}
	if top.Time != nil {
		load.Time = top.Time
	}
	load.TimeUnit, load.Distance = firstText(top.TimeUnit, load.TimeUnit), firstText(top.Distance, load.Distance)
	if len(top.Renamed) > 0 {
		load.Renamed = top.Renamed
	}
	args, err := im.doc.readKwargs(r.Content)
	to := &load.CSV
	if strings.EqualFold(path.Ext(r.Pattern), ".asc") {
		to = &load.Other
	}
	if *to == nil {
		*to = pmArgs{}
	}
	maps.Copy(*to, args)
	return load, err
}

// readKwargs are the arguments for files of one content. Older definitions know
// one kind of files.
func (d *pmDocument) readKwargs(content string) (pmArgs, error) {
	for _, known := range [...]string{"gaze", "precomputed_events", "precomputed_reading_measures"} {
		if hasKey(d.ReadKwargs, known) {
			var args pmArgs
			node := d.ReadKwargs[content]
			return args, node.Decode(&args)
		}
	}
	return d.ReadKwargs, nil
}

// pmReader is the reader that does what pymovements' load function does.
func pmReader(r pmResource) (string, error) {
	switch r.Function {
	case "from_csv":
		return "delimited", nil
	case "from_asc":
		return "eyelink-asc", nil
	case "from_begaze":
		return "smi", nil
	case "from_ipc":
		return "feather", nil
	case "":
	default:
		return "", fmt.Errorf("load_function %s is not known: want from_csv, from_asc, from_begaze or from_ipc", r.Function)
	}
	switch strings.ToLower(path.Ext(r.Pattern)) {
	case ".asc":
		return "eyelink-asc", nil
	case ".feather":
		return "feather", nil
	}
	return "delimited", pmReadable(r.Pattern)
}

func pmReadable(pattern string) error {
	switch ext := strings.ToLower(path.Ext(pattern)); ext {
	case ".rda", ".rdata", ".rds":
		return fmt.Errorf("%s files of R are not read: write the table as CSV (in R: write.csv) and name that in filename_pattern", ext)
	case ".xlsx", ".xls", ".jsonl", ".ndjson":
		return fmt.Errorf("%s files are not read: save the table as CSV and name that in filename_pattern", ext)
	}
	return nil
}

var pmField = regexp.MustCompile(`\{([A-Za-z_]\w*)(?::(\d*)([ds]?))?\}`)

// pmPattern turns a file name's pattern, which is a regular expression with
// fields in braces, into one of ours.
func pmPattern(text string) (pattern string, fields []string, err error) {
	if text == "" {
		return "", nil, errors.New("filename_pattern is missing: which files belong to it is not said")
	}
	expression := pmField.ReplaceAllStringFunc(text, func(m string) string {
		f := pmField.FindStringSubmatch(m)
		class, times := ".", "+"
		if f[3] == "d" {
			class = "[0-9]"
		}
		if f[2] != "" {
			times = "{" + f[2] + "}"
		}
		return "(?P<" + f[1] + ">" + class + times + ")"
	})
	expression = strings.NewReplacer("{{", "{", "}}", "}").Replace(expression)
	p, err := ParsePattern("re:" + expression)
	if err != nil {
		return "", nil, fmt.Errorf("filename_pattern %q: %w", text, err)
	}
	return p.String(), p.Fields(), nil
}

// slots are what fields of file names and columns say, by the place they have
// in a header.
type slots map[string][]string

var headerFields = [...]string{"participant", "session", "task", "trial", "stimulus"}

// words besides the usual names of columns and the fields of file names.
var pmWords = map[string]string{"pno": "participant", "ppn": "participant", "uniformid": "participant", "textid": "stimulus", "text": "stimulus",
	"itemid": "stimulus", "videoid": "stimulus", "visit": "session"}

// slotOf says whose name a field or column holds; what it does not know tells
// trials apart.
func slotOf(name string) string {
	base := takeApart(name).base
	for _, slot := range headerFields {
		if slices.Contains(roles[slot], base) || slices.ContainsFunc(canonical[slot], func(n string) bool { return takeApart(n).base == base }) {
			return slot
		}
	}
	return firstText(pmWords[base], "trial")
}

func slotted(names []string) slots {
	s := make(slots)
	for _, n := range names {
		slot := slotOf(n)
		s[slot] = append(s[slot], n)
	}
	return s
}

// fields makes templates of what the file names say.
func (im *pmImport) fields(from slots) map[string]string {
	to := make(map[string]string)
	for slot, names := range from {
		to[slot] = "{" + strings.Join(names, "}-{") + "}"
	}
	return to
}

// table makes the mapping of a table of text.
func (im *pmImport) table(load *pmLoad, pattern string, fields []string) error {
	m := &Mapping{}
	im.out.Mapping = m
	if err := load.Other.check("load_kwargs", "auto_column_detect"); err != nil {
		return err
	}
	for _, step := range [...]func(*Mapping, *pmLoad) error{im.dialect, im.columns, im.time, im.geometry} {
		if err := step(m, load); err != nil {
			return err
		}
	}
	im.names(m, load, pattern, fields)
	return m.Check()
}

// columns finds the positions.
func (im *pmImport) columns(m *Mapping, load *pmLoad) error {
	names := load.Pixel
	m.Unit = "px"
	if len(names) == 0 {
		names, m.Unit = load.Position, "deg"
	} else if len(load.Position) > 0 {
		im.note("position_columns are not read beside pixel_columns")
	}
	original := make([]string, len(names))
	for i, n := range names {
		original[i] = load.original(n)
	}
	to := [...]*string{&m.XLeft, &m.YLeft, &m.XRight, &m.YRight, &m.X, &m.Y}
	switch len(names) {
	case 0:
		return errors.New("neither pixel_columns nor position_columns say where somebody looked")
	case 2:
		m.X, m.Y, m.Eye = original[0], original[1], im.eye(original[0])
	case 4, 6:
		for i, n := range original {
			*to[i] = n
		}
	default:
		return fmt.Errorf("pixel_columns and position_columns are 2, 4 or 6, got %d", len(names))
	}
	for key, list := range map[string]Texts{"velocity_columns": load.Velocity, "acceleration_columns": load.Acceleration} {
		if len(list) > 0 {
			im.note("%s are not read: velocities are computed from positions", key)
		}
	}
	if load.Distance != "" {
		im.note("distance_column is not read: the viewing distance is the experiment's, or not known")
	}
	if m.Unit == "px" && strings.Contains(names[0], "display_area") {
		im.note("%s is taken as pixels, as the definition says; such columns of a Tobii tracker hold shares of the display (unit norm)", names[0])
	}
	return nil
}

// original is a column's name in the file.
func (load *pmLoad) original(name string) string {
	for from, to := range load.Renamed {
		if to == name {
			return from
		}
	}
	return name
}

// eye of a single pair of columns: as the tracker's settings or the columns'
// names say.
func (im *pmImport) eye(x string) string {
	t := im.doc.Experiment.Tracker
	left, right := t.Left != nil && *t.Left, t.Right != nil && *t.Right
	name := strings.ToLower(x)
	switch {
	case left && !right, strings.Contains(name, "left"):
		return "left"
	case right && !left, strings.Contains(name, "right"):
		return "right"
	}
	return ""
}

func (im *pmImport) time(m *Mapping, load *pmLoad) error {
	e := im.doc.Experiment
	m.SamplingRate = max(e.Rate, e.Tracker.Rate)
	units := map[string]string{"": "ms", "ms": "ms", "s": "s", "us": "us", "step": "samples"}
	unit, ok := units[load.TimeUnit]
	if !ok {
		return fmt.Errorf("time_unit %q: want s, ms, us or step", load.TimeUnit)
	}
	switch {
	case load.Time == nil && len(m.Columns) > 0 && !slices.Contains(m.Columns, "time"):
	case load.Time == nil:
		m.Time, m.TimeUnit, m.TimeOptional = "time", unit, m.SamplingRate > 0
	case *load.Time == "":
		m.Time, m.TimeUnit = "#1", unit
		im.note("time_column has no name: the first column is taken")
	default:
		m.Time, m.TimeUnit = load.original(*load.Time), unit
	}
	if m.Time == "" && m.SamplingRate <= 0 {
		return errors.New("the rows have no time, and the experiment no sampling_rate")
	}
	return nil
}

var pmOrigins = map[string]string{"": "", "upper left": "top-left", "lower left": "bottom-left", "bottom left": "bottom-left", "center": "center"}

func (im *pmImport) geometry(m *Mapping, _ *pmLoad) error {
	screen, err := im.screen()
	if err != nil {
		return err
	}
	if m.Unit == "deg" {
		screen.Origin = "center" // of angles, whatever the pixels' is
	}
	if screen.Origin == "center" {
		im.note("positions count from the screen's centre, y upwards, which the definition does not say; if many are off screen, it means origin: upper left")
	}
	if *screen != (ScreenMapping{}) {
		m.Screen = screen
	}
	return nil
}

func (im *pmImport) screen() (*ScreenMapping, error) {
	e, s := im.doc.Experiment, im.doc.Experiment.Screen
	origin := firstText(e.Origin, s.Origin)
	to, ok := pmOrigins[origin]
	if !ok {
		return nil, fmt.Errorf("origin %q: want upper left, lower left or center", origin)
	}
	return &ScreenMapping{
		WidthPx: max(e.WidthPx, s.WidthPx), HeightPx: max(e.HeightPx, s.HeightPx),
		WidthCm: max(e.WidthCm, s.WidthCm), HeightCm: max(e.HeightCm, s.HeightCm),
		DistanceCm: max(e.Distance, s.Distance), Origin: to,
	}, nil
}

// names are the fields of a header by their name.
func (m *Mapping) names() map[string]*string {
	return map[string]*string{"participant": &m.Participant, "session": &m.Session, "task": &m.Task, "trial": &m.Trial, "stimulus": &m.Stimulus}
}

// names says who and what was recorded: by the file's name, and by the columns
// that tell trials apart.
func (im *pmImport) names(m *Mapping, load *pmLoad, pattern string, fields []string) {
	im.out.Fields = im.fields(slotted(fields))
	byColumn := load.trials(fields)
	to := m.names()
	for slot, parts := range byColumn {
		if path := im.out.Fields[slot]; path != "" { // both: the path alone must not decide
			parts = append([]string{path}, parts...)
			delete(im.out.Fields, slot)
			m.FilenamePattern = pattern
		}
		*to[slot] = strings.Join(parts, "-")
		if name := strings.Trim(parts[0], "{}"); len(parts) == 1 && parts[0] == "{"+name+"}" {
			*to[slot] = name
		}
	}
	if m.Participant == "" && im.out.Fields["participant"] == "" {
		im.note("nothing in the definition says who was recorded: a release will ask for it (--participant)")
	}
}

// trials places the columns that tell trials apart, but those that pymovements
// makes of the file's name.
func (load *pmLoad) trials(fields []string) slots {
	columns := make(slots)
	for _, c := range load.Trial {
		if slices.Contains(fields, c) {
			continue
		}
		part, fixed := load.Added[c]
		if !fixed {
			part = "{" + load.original(c) + "}"
		}
		columns[slotOf(c)] = append(columns[slotOf(c)], part)
	}
	return columns
}

// vendor takes what readers of tracker files do not find in them.
func (im *pmImport) vendor(load *pmLoad, fields []string) error {
	im.out.Fields = im.fields(slotted(fields))
	screen, err := im.screen()
	if err != nil {
		return err
	}
	known := []string{"patterns", "metadata_patterns", "prefer_eye", "events", "trial_columns", "definition"}
	if err := load.Other.check("load_kwargs", known...); err != nil {
		return err
	}
	if im.out.Format == "feather" {
		im.out.Screen = screen
		return nil
	}
	im.out.Screen = &ScreenMapping{WidthCm: screen.WidthCm, HeightCm: screen.HeightCm, DistanceCm: screen.DistanceCm}
	im.note("the reader %s takes rate, eyes, trials, and the screen in pixels from the files themselves", im.out.Format)
	if len(load.Trial) > 0 || hasKey(load.Other, "patterns") {
		im.note("patterns and trial_columns are not used: trials and stimuli are those that the reader finds in messages")
	}
	if hasKey(load.Other, "prefer_eye") {
		im.note("prefer_eye is not used: all eyes are read")
	}
	return nil
}

func hasKey(args map[string]yaml.Node, key string) bool { _, ok := args[key]; return ok }
