package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Guess is a mapping proposed from a table's column names and first rows.
type Guess struct {
	Mapping Mapping
	Why     []string // columns recognised and how
	Missing []string // what the names do not say; Mapping holds the best guess
}

// Sure reports whether the table may be read by the guess without asking.
func (g *Guess) Sure() bool { return len(g.Missing) == 0 }

// Usable reports whether the guess is a mapping at all.
func (g *Guess) Usable() bool { return g.Mapping.Check() == nil }

// known names of columns, without unit, case, blanks and punctuation.
var roles = map[string][]string{
	"time": {"t", "time", "timestamp", "timestamps", "ts", "times", "sampletime", "timeaxis", "elapsedtime", "recordingtime",
		"recordingtimestamp", "gazetimestamp", "devicetimestamp", "systemtimestamp", "eyetrackertimestamp", "trackertime",
		"relativetime", "trialtime", "unixtime", "unixtimestamp", "timeofday", "timecode", "zeit", "zeitstempel", "temps", "tiempo", "tempo"},
	"x": {"x", "gazex", "xgaze", "posx", "xpos", "gazeposx", "gazepositionx", "gazepointx", "positionx", "screenx", "gazescreenx",
		"porx", "xp", "xavg", "avgx", "meanx", "eyex", "xeye", "coordx", "xcoord", "gx", "xcoordinate", "bpogx", "fpogx",
		"pointofregardx", "blickpunktx", "blickx", "regardx", "miradax"},
	"x_left": {"xleft", "leftx", "lx", "xl", "gazeleftx", "leftgazex", "gazexleft", "lefteyex", "xlefteye", "gazepointleftx",
		"leftgazepointx", "lporx", "eyeleftx", "leftposx", "gazexl", "lpogx", "pointofregardleftx"},
	"x_right": {"xright", "rightx", "rx", "xr", "gazerightx", "rightgazex", "gazexright", "righteyex", "xrighteye",
		"gazepointrightx", "rightgazepointx", "rporx", "eyerightx", "rightposx", "gazexr", "rpogx", "pointofregardrightx"},
	"fixation x": {"fixx", "fixationx", "xfix", "xfixation", "currentfixx", "fixationpointx", "centroidx", "fixationpositionx"},
	"duration":   {"duration", "dur", "fixationduration", "fixduration", "fixdur", "currentfixduration", "fdur"},
	"onset": {"onset", "start", "starttime", "tstart", "fixationstart", "fixstart", "fixationonset", "begin", "begintime",
		"currentfixstart", "starttimestamp", "onsettime", "fixationstarttime"},
	"pupil":       {"pupil", "pupilsize", "pupildiameter", "pupilarea", "pupildiam", "currentfixpupil", "pupildilation"},
	"pupil_left":  {"pupilleft", "leftpupil", "pupilsizeleft", "leftpupilsize", "pupildiameterleft", "leftpupildiameter", "lpupil", "pupill"},
	"pupil_right": {"pupilright", "rightpupil", "pupilsizeright", "rightpupilsize", "pupildiameterright", "rightpupildiameter", "rpupil", "pupilr"},
	"confidence":  {"confidence", "conf"},
	"eye":         {"eye", "whicheye", "trackedeye", "eyeused"},
	"participant": {"participant", "participantid", "participantname", "participantno", "participantnumber", "subject", "subjectid",
		"subjectno", "subjectnumber", "subjectname", "subj", "subjid", "sub", "subid", "observer", "observerid", "user", "userid",
		"person", "personid", "pid", "ppid", "viewer", "reader", "readerid", "recordingsessionlabel"},
	"session": {"session", "sessionid", "sessionno", "sessionnumber", "ses"},
	"task":    {"task", "taskname", "taskid"},
	"trial":   {"trial", "trialid", "trialindex", "trialno", "trialnumber", "trialnum", "trialname"},
	"stimulus": {"stimulus", "stimulusname", "stimulusid", "stim", "stimuli", "image", "imageid", "imagename", "imagefile", "img",
		"picture", "media", "medianame", "presentedstimulusname", "presentedmedianame", "photo", "video", "videoname"},
}

// roleOrder is the order in which a role takes its column: the specific ones
// before x and y alone.
var roleOrder = [...]string{"participant", "session", "task", "trial", "stimulus", "eye", "time", "onset", "duration", "confidence",
	"pupil", "pupil_left", "pupil_right", "x_left", "x_right", "fixation x", "x"}

var timeSuffixes = map[string]string{
	"s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "ms": "ms", "msec": "ms", "millis": "ms", "millisecond": "ms",
	"milliseconds": "ms", "us": "us", "µs": "us", "μs": "us", "usec": "us", "micros": "us", "microseconds": "us", "microsecond": "us",
	"ns": "ns", "nsec": "ns", "nanos": "ns", "nanoseconds": "ns", "100ns": "100ns",
}

var placeSuffixes = map[string]string{
	"px": "px", "pix": "px", "pixel": "px", "pixels": "px", "deg": "deg", "degree": "deg", "degrees": "deg", "dva": "deg",
	"norm": "norm", "normalized": "norm", "normalised": "norm", "rad": "rad", "radians": "rad", "mm": "mm",
}

// column is a header cell taken apart.
type column struct {
	name  string
	base  string // letters and digits without unit, lower case
	time  string // unit stated, if it is one of time
	place string // unit stated, if it is one of positions
}

func takeApart(name string) column {
	c := column{name: name}
	if i := strings.LastIndexByte(name, '('); i > 0 && i+1 < len(name) && isDigit(name[i+1]) {
		name = name[:i] // TIME(2024/03/11 10:21:33): when, not what
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n := len(words); n > 1 {
		last := words[n-1]
		c.time, c.place = timeSuffixes[last], placeSuffixes[last]
		if c.time != "" || c.place != "" {
			words = words[:n-1]
		} else if p := placeSuffixes[words[0]]; p != "" {
			c.place, words = p, words[1:]
		}
	}
	c.base = strings.Join(words, "")
	return c
}

// GuessMapping proposes a mapping. rows are the cells of the first rows, with
// decimal points. It never fails: what it cannot recognise is left out.
func GuessMapping(columns []string, rows [][]string) Guess {
	g := guesser{columns: make([]column, len(columns)), rows: rows, taken: make(map[string]int)}
	for i, name := range columns {
		g.columns[i] = takeApart(name)
	}
	for _, role := range roleOrder {
		g.assign(role)
	}
	g.pairByName()
	g.timeByValue()
	g.pairByValue()
	g.names()
	g.positions()
	g.time()
	return g.Guess
}

type guesser struct {
	Guess
	columns []column
	rows    [][]string
	taken   map[string]int // role to column
	places  []int          // columns with positions
	guessed []string       // roles found by value or likeness, not by a known name
}

func (g *guesser) assign(role string) {
	for _, want := range roles[role] {
		for i, c := range g.columns {
			if c.base == want && !g.isTaken(i) {
				g.taken[role] = i
				return
			}
		}
	}
}

func (g *guesser) isTaken(i int) bool {
	for _, j := range g.taken {
		if i == j {
			return true
		}
	}
	return false
}

// name returns the column of a role for the mapping, and notes why.
func (g *guesser) name(role string) string {
	i, ok := g.taken[role]
	if !ok {
		return ""
	}
	g.Why = append(g.Why, fmt.Sprintf("%s: %q", role, DisplayName(g.columns[i].name)))
	return g.ref(i)
}

// ref is how a mapping refers to a column: by its name, or by its number where
// the name must not be repeated (it may hold a date, which other files of the
// study have not) or is not a name.
func (g *guesser) ref(i int) string {
	name := g.columns[i].name
	if strings.TrimSpace(name) == "" || DisplayName(name) != name {
		return "#" + strconv.Itoa(i+1)
	}
	return name
}

func (g *guesser) names() {
	m := &g.Mapping
	m.Participant, m.Session, m.Task = g.name("participant"), g.name("session"), g.name("task")
	m.Trial, m.Stimulus, m.Eye = g.name("trial"), g.name("stimulus"), g.name("eye")
	m.Confidence = g.name("confidence")
	m.Pupil, m.PupilLeft, m.PupilRight = g.name("pupil"), g.name("pupil_left"), g.name("pupil_right")
	for _, role := range [...]string{"pupil", "pupil_left", "pupil_right"} {
		if i, ok := g.taken[role]; ok && g.columns[i].place == "mm" {
			m.PupilUnit = "mm"
		}
	}
}

// positions pairs each x with the y of the same spelling.
func (g *guesser) positions() {
	m := &g.Mapping
	if m.Duration != "" || g.has("duration") && g.has("fixation x") {
		g.pair("fixation x", &m.X, &m.Y)
	}
	if m.X == "" {
		g.pair("x", &m.X, &m.Y)
	}
	g.pair("x_left", &m.XLeft, &m.YLeft)
	g.pair("x_right", &m.XRight, &m.YRight)
	if m.X == "" && m.XLeft == "" && m.XRight == "" {
		g.Missing = append(g.Missing, "columns with the positions x and y"+g.insteadOfPlaces())
		return
	}
	g.valid()
	if g.isGuessed("x") {
		g.Missing = append(g.Missing, fmt.Sprintf("which columns are the positions (taken: %q)", DisplayName(m.X)))
	}
	if m.Unit != "" {
		return
	}
	m.Unit = g.guessPlace()
	switch m.Unit {
	case "px":
		g.Why = append(g.Why, "unit px: values too large for anything else")
	case "":
		g.Missing = append(g.Missing, "unit of the positions (px, deg or norm)")
		m.Unit = "px"
	default:
		g.Missing = append(g.Missing, "unit of the positions")
	}
}

func (g *guesser) has(role string) bool { _, ok := g.taken[role]; return ok }

func (g *guesser) pair(role string, x, y *string) {
	i, ok := g.taken[role]
	if !ok {
		return
	}
	partner, ok := g.partner(i)
	if j, byValue := g.taken["y"]; byValue && role == "x" {
		partner, ok = j, true
	}
	if !ok {
		return
	}
	*x, *y = g.ref(i), g.ref(partner)
	g.places = append(g.places, i, partner)
	g.Why = append(g.Why, fmt.Sprintf("%s: %q, y: %q", role, DisplayName(g.columns[i].name), DisplayName(g.columns[partner].name)))
	if unit := g.columns[i].place; unit != "" {
		g.Mapping.Unit = unit
	}
}

// partner finds the column whose name differs by a y in place of one x, the
// last one first: fix_x, x [px].
func (g *guesser) partner(i int) (int, bool) { return g.sibling(i, 1) }

// sibling finds the column whose name has another letter, so many after x, in
// place of one x.
func (g *guesser) sibling(i int, after byte) (int, bool) {
	x := g.columns[i].name
	for at := len(x) - 1; at >= 0; at-- {
		if x[at] != 'x' && x[at] != 'X' {
			continue
		}
		want := x[:at] + string(x[at]+after) + x[at+1:]
		for j, c := range g.columns {
			if c.name == want {
				return j, true
			}
		}
	}
	return 0, false
}

// guessPlace tells px from the values: nothing but pixels exceeds 400 or so
// (angles end at 360), and all within 0 and 1, give or take, is likely norm.
func (g *guesser) guessPlace() string {
	var largest float64
	n := 0
	for _, i := range g.places {
		for _, v := range g.values(i) {
			if v = math.Abs(v); v < 20000 {
				largest = max(largest, v)
				n++
			}
		}
	}
	switch {
	case n == 0:
		return ""
	case largest > 400:
		return "px"
	case largest <= 1.5:
		return "norm"
	case largest <= 90:
		return "deg"
	}
	return ""
}

func (g *guesser) values(column int) []float64 {
	var all []float64
	for _, row := range g.rows {
		if column < len(row) {
			if v, ok := ParseNumber([]byte(row[column]), '.'); ok {
				all = append(all, v)
			}
		}
	}
	return all
}

func (g *guesser) time() {
	m := &g.Mapping
	if i, ok := g.taken["duration"]; ok {
		g.fixations(i)
		return
	}
	role := "time"
	i, ok := g.taken[role]
	if !ok {
		if i, ok = g.taken["onset"]; !ok {
			g.Missing = append(g.Missing, "a column with the time (or sampling_rate where the rows have none)")
			if m.positions() {
				m.SamplingRate = guessedRate
				m.Notes = append(m.Notes, fmt.Sprintf("The rows have no time: %v Hz is made up, put the tracker's rate in its place.", guessedRate))
			}
			return
		}
		g.taken[role] = i
	}
	m.Time = g.name(role)
	m.TimeUnit = g.unitOf(i, "time", guessStep)
	if g.isGuessed("time") {
		g.Missing = append(g.Missing, fmt.Sprintf("which column is the time (taken: %q)", DisplayName(g.columns[i].name)))
	}
}

// guessedRate stands in a suggestion where nothing says what the rate is.
const guessedRate = 60

func (g *guesser) fixations(duration int) {
	m := &g.Mapping
	m.Duration = g.name("duration")
	m.DurationUnit = g.unitOf(duration, "duration", guessLength)
	role := "onset"
	i, ok := g.taken[role]
	if !ok {
		role = "time"
		i, ok = g.taken[role]
	}
	if !ok {
		return
	}
	m.Onset = g.name(role)
	if m.TimeUnit = g.columns[i].time; m.TimeUnit == "" {
		if g.isDatetime(i) {
			m.TimeUnit = "datetime"
			return
		}
		m.TimeUnit = m.DurationUnit
		if g.columns[duration].time != "" {
			g.Missing = append(g.Missing, fmt.Sprintf("unit of the time in column %q", DisplayName(m.Onset)))
		}
	}
}

// unitOf returns a column's unit as its name states it, or the best guess from
// its values with a note that it is one.
func (g *guesser) unitOf(i int, what string, guess func([]float64) string) string {
	c := &g.columns[i]
	if c.time != "" {
		g.Why = append(g.Why, fmt.Sprintf("unit of %s: %s", what, c.time))
		return c.time
	}
	if g.isDatetime(i) {
		g.Why = append(g.Why, "unit of "+what+": date and time of day")
		return "datetime"
	}
	g.Missing = append(g.Missing, fmt.Sprintf("unit of the %s in column %q", what, DisplayName(c.name)))
	return guess(g.values(i))
}

func (g *guesser) isDatetime(i int) bool {
	for _, row := range g.rows {
		if i < len(row) && row[i] != "" {
			_, isNumber := ParseNumber([]byte(row[i]), '.')
			_, isDate := ParseDatetime([]byte(row[i]))
			return isDate && !isNumber
		}
	}
	return false
}

// guessStep finds the unit in which the median step is one of eye trackers: 10
// to 2500 Hz. The ranges of the units do not overlap.
func guessStep(values []float64) string {
	var steps []float64
	for i := 1; i < len(values); i++ {
		if d := values[i] - values[i-1]; d > 0 {
			steps = append(steps, d)
		}
	}
	if unit := plausibleStep(median(steps)); unit != "" {
		return unit
	}
	return "ms"
}

// plausibleStep is the unit in which a step between samples is one of eye
// trackers; empty if there is none.
func plausibleStep(step float64) string {
	for _, u := range [...]struct {
		name string
		s    float64
	}{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}} {
		if rate := 1 / (step * u.s); rate >= 10 && rate <= 2500 {
			return u.name
		}
	}
	return ""
}

// guessLength finds the unit in which the median is a fixation's duration.
func guessLength(values []float64) string {
	switch m := median(values); {
	case m <= 0 || m >= 20 && m < 2e4:
		return "ms"
	case m < 20:
		return "s"
	case m < 2e7:
		return "us"
	}
	return "ns"
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}
