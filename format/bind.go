package format

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/gazeward/gazeward/gaze"
)

// Slot says that a table's source has to fill one place of each [Row] from one
// of its columns.
type Slot struct {
	Column int // from 0
	Kind   SlotKind
	Index  int // within the Row's slice of that kind
}

// SlotKind is the kind of a slot.
type SlotKind uint8

// Kinds of slots: the time stamp, a number, a text.
const (
	TimeSlot SlotKind = iota
	NumberSlot
	TextSlot
)

// binder turns a mapping's names into slots.
type binder struct {
	m       *Mapping
	columns []string
	byName  map[string]int
	used    []bool
	slots   []Slot
	numbers int
	texts   int
	err     error
}

func newBinder(m *Mapping, columns []string, r *Report) *binder {
	b := &binder{m: m, columns: columns, byName: make(map[string]int), used: make([]bool, len(columns))}
	twice := 0
	for i, name := range columns {
		for n := 1; ; n++ {
			key := name
			if n > 1 {
				key = name + "#" + strconv.Itoa(n)
			}
			if _, taken := b.byName[key]; !taken {
				b.byName[key] = i
				if n == 2 && name != "" {
					twice++
				}
				break
			}
		}
	}
	r.CountSome("column name that occurs again (the first is meant; name#2 names the second)", twice)
	return b
}

// find returns a column's index: by its name, by its name in other case, or by
// number (#3).
func (b *binder) find(name string) (int, bool) {
	if i, ok := b.byName[name]; ok {
		return i, true
	}
	for i, c := range b.columns {
		if strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(name)) {
			return i, true
		}
	}
	if number, ok := strings.CutPrefix(name, "#"); ok {
		if i, err := strconv.Atoi(number); err == nil && i >= 1 && i <= len(b.columns) {
			return i - 1, true
		}
	}
	return 0, false
}

// withoutTime counts rows where the mapping lets a file do without time stamps
// and it does.
func (b *binder) withoutTime(r *Report) {
	if _, ok := b.find(b.m.Time); ok || !b.m.TimeOptional {
		return
	}
	r.Count("no column with the time: rows are counted at the sampling rate", 0)
	counted := *b.m
	counted.Time, counted.TimeUnit, counted.TimeOptional = "", "", false
	b.m = &counted
}

func (b *binder) slot(name string, kind SlotKind) int {
	if name == "" || b.err != nil {
		return -1
	}
	column, ok := b.find(name)
	if !ok {
		b.err = b.missing(name)
		return -1
	}
	b.used[column] = true
	for _, s := range b.slots {
		if s.Column == column && s.Kind == kind {
			return s.Index
		}
	}
	s := Slot{Column: column, Kind: kind}
	switch kind {
	case NumberSlot:
		s.Index = b.numbers
		b.numbers++
	case TextSlot:
		s.Index = b.texts
		b.texts++
	}
	b.slots = append(b.slots, s)
	return s.Index
}

func (b *binder) number(name string) int { return b.slot(name, NumberSlot) }

func (b *binder) text(name string) int { return b.slot(name, TextSlot) }

func (b *binder) missing(name string) error {
	shown := make([]string, 0, len(b.columns))
	for _, c := range b.columns {
		if _, err := strconv.ParseFloat(strings.TrimSpace(c), 64); err == nil {
			return fmt.Errorf("no column %q: the header line holds numbers, not names (give columns, or skip_lines)", name)
		}
		shown = append(shown, DisplayName(c))
		if len(shown) == 60 {
			shown = append(shown, "…")
			break
		}
	}
	return fmt.Errorf("no column %q; the file has: %s", name, strings.Join(shown, ", "))
}

// DisplayName is a column's name as lists and errors may show it: not longer
// than 60 characters, and runs of six or more digits (dates in Gazepoint
// headers) masked.
func DisplayName(name string) string {
	var out strings.Builder
	digits, n := 0, 0
	total := 0
	for _, c := range name {
		if c >= '0' && c <= '9' {
			total++
		}
	}
	for _, c := range name {
		if n++; n > 60 {
			out.WriteString("…")
			break
		}
		switch {
		case c >= '0' && c <= '9' && total >= 6:
			if digits++; digits == 1 {
				out.WriteByte('0')
			}
		case unicode.IsPrint(c):
			out.WriteRune(c)
		default:
			out.WriteByte('?')
		}
	}
	return out.String()
}

// carriers are words in column names that say who was recorded, when and
// where, or how a person's eyes and head are built.
var carriers = [...]string{
	"name", "date", "birth", "age", "gender", "sex", "mail", "serial", "device", "wearer", "uuid", "guid", "path",
	"file", "host", "address", "experimenter", "project", "comment", "computer", "utc", "unix", "clock",
	"eyeball", "eye ball", "eye center", "eye_center", "eye centre", "eye position", "eyepos", "gaze_origin", "gaze origin",
	"gazeorigin", "optical axis", "ipd", "interocular",
}

func identifies(column string) bool {
	name := strings.ToLower(column)
	for _, c := range carriers {
		i := strings.Index(name, c)
		if i < 0 {
			continue
		}
		if len(c) > 3 || wholeWord(name, i, len(c)) {
			return true
		}
	}
	return false
}

// wholeWord keeps short words such as age from being found in image.
func wholeWord(s string, i, n int) bool {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' }
	return (i == 0 || !letter(s[i-1])) && (i+n == len(s) || !letter(s[i+n]))
}

// drop lists the columns nobody asked for.
func (b *binder) drop(r *Report) {
	for i, used := range b.used {
		name := DisplayName(b.columns[i])
		switch {
		case used || name == "":
		case identifies(b.columns[i]):
			r.DropIdentity(name)
		default:
			r.Drop(name)
		}
	}
}

// eyeColumns are the places of one eye's values in a Row; -1 = none.
type eyeColumns struct {
	eye                     gaze.Eye
	x, y, pupil, confidence int
	valid                   []test
}

func (b *binder) eyes(fallback gaze.Eye) []eyeColumns {
	m := *b.m
	if m.X == "" { // one confidence for both eyes
		m.ConfidenceLeft = firstText(m.ConfidenceLeft, m.Confidence)
		m.ConfidenceRight = firstText(m.ConfidenceRight, m.Confidence)
		if m.XLeft != "" || m.XRight != "" {
			m.Confidence = ""
		}
	}
	all := []eyeColumns{
		{fallback, b.number(m.X), b.number(m.Y), b.number(m.Pupil), b.number(m.Confidence), b.tests(m.ValidWhen)},
		{gaze.Left, b.number(m.XLeft), b.number(m.YLeft), b.number(m.PupilLeft), b.number(m.ConfidenceLeft), b.tests(m.ValidWhen, m.ValidWhenLeft)},
		{gaze.Right, b.number(m.XRight), b.number(m.YRight), b.number(m.PupilRight), b.number(m.ConfidenceRight), b.tests(m.ValidWhen, m.ValidWhenRight)},
	}
	var some []eyeColumns
	for _, e := range all {
		if e.x >= 0 || e.pupil >= 0 || e.confidence >= 0 {
			some = append(some, e)
		}
	}
	return some
}

func firstText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// test is a condition bound to a text slot.
type test struct {
	text    int
	op      string
	value   string
	number  float64
	numeric bool
}

func (b *binder) tests(lists ...Conditions) []test {
	var all []test
	for _, list := range lists {
		for _, c := range list {
			t := test{text: b.text(c.Column), op: c.Op, value: c.Value}
			t.number, t.numeric = ParseNumber([]byte(c.Value), '.')
			all = append(all, t)
		}
	}
	return all
}

func (t *test) holds(row *Row, decimal byte) bool {
	cell := trimBlanks(row.Texts[t.text])
	if t.numeric {
		if v, ok := ParseNumber(cell, decimal); ok {
			return compare(v, t.op, t.number)
		}
	}
	switch t.op {
	case "==":
		return string(cell) == t.value
	case "!=":
		return string(cell) != t.value
	}
	return false
}

func compare(v float64, op string, to float64) bool {
	switch op {
	case "==":
		return v == to
	case "!=":
		return v != to
	case "<":
		return v < to
	case "<=":
		return v <= to
	case ">":
		return v > to
	}
	return v >= to
}

// key is one of the header's fields, put together of what is fixed for the file
// and of cells.
type key []keyPart

type keyPart struct {
	text  int // slot; -1 = fixed
	fixed string
}

// of is the field's value in a row.
func (k key) of(row *Row) string {
	var all strings.Builder
	for _, p := range k {
		if p.text >= 0 {
			all.Write(trimBlanks(row.Texts[p.text]))
		}
		all.WriteString(p.fixed)
	}
	return strings.ToValidUTF8(all.String(), "?")
}

// canonical lists the names a filename pattern may use for a field.
var canonical = map[string][]string{
	"participant": {"participant", "participant_id", "subject", "subject_id", "subject_number", "sub", "observer"},
	"session":     {"session", "session_id", "ses", "round", "round_id"},
	"task":        {"task", "task_id", "task_name", "condition"},
	"trial":       {"trial", "trial_id", "trial_index", "order"},
	"stimulus":    {"stimulus", "stimulus_id", "stimulus_name", "image", "item", "text_id"},
}

// keys binds participant, session, task, trial and stimulus.
func (b *binder) keys(fields map[string]string) [5]key {
	m := b.m
	var keys [5]key
	for i, k := range [...]struct{ name, spec string }{
		{"participant", m.Participant}, {"session", m.Session}, {"task", m.Task}, {"trial", m.Trial}, {"stimulus", m.Stimulus},
	} {
		switch {
		case isTemplate(k.spec) && !b.isColumn(k.spec):
			keys[i] = b.template(k.spec, fields)
		case k.spec != "":
			keys[i] = key{{text: b.text(k.spec)}}
		default:
			keys[i] = key{{-1, firstOf(fields, canonical[k.name])}}
		}
	}
	return keys
}

// template binds a template of what the file's name says and of columns. A
// field that the name would have if it fitted is empty.
func (b *binder) template(spec string, fields map[string]string) key {
	var k key
	at := 0
	for _, m := range inTemplate.FindAllStringSubmatchIndex(spec, -1) {
		k = append(k, keyPart{-1, spec[at:m[0]]})
		at = m[1]
		name := spec[m[2]:m[3]]
		value, ok := fields[name]
		switch {
		case ok:
			k = append(k, keyPart{-1, value})
		case b.isColumn(name):
			k = append(k, keyPart{text: b.text(name)})
		case b.err == nil:
			b.err = fmt.Errorf("template %q: %s is neither a field of filename_pattern nor a column", spec, name)
		}
	}
	return append(k, keyPart{-1, spec[at:]})
}

func (b *binder) isColumn(name string) bool {
	_, ok := b.byName[name]
	return ok
}

func firstOf(fields map[string]string, names []string) string {
	for _, n := range names {
		if v := fields[n]; v != "" {
			return v
		}
	}
	return ""
}
