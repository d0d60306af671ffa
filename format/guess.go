package format

import (
	"fmt"
	"math"
	"slices"
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
		"relativetime", "trialtime", "unixtime", "unixtimestamp"},
	"x": {"x", "gazex", "xgaze", "posx", "xpos", "gazeposx", "gazepositionx", "gazepointx", "positionx", "screenx", "gazescreenx",
		"porx", "xp", "xavg", "avgx", "meanx", "eyex", "xeye", "coordx", "xcoord", "gx", "xcoordinate"},
	"x_left": {"xleft", "leftx", "lx", "xl", "gazeleftx", "leftgazex", "gazexleft", "lefteyex", "xlefteye", "gazepointleftx",
		"leftgazepointx", "lporx", "eyeleftx", "leftposx", "gazexl"},
	"x_right": {"xright", "rightx", "rx", "xr", "gazerightx", "rightgazex", "gazexright", "righteyex", "xrighteye",
		"gazepointrightx", "rightgazepointx", "rporx", "eyerightx", "rightposx", "gazexr"},
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
	return g.columns[i].name
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
		g.Missing = append(g.Missing, "columns with the positions x and y")
		return
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
	partner, ok := g.partner(g.columns[i].name)
	if !ok {
		return
	}
	*x, *y = g.columns[i].name, partner
	g.Why = append(g.Why, fmt.Sprintf("%s: %q, y: %q", role, DisplayName(*x), DisplayName(*y)))
	if unit := g.columns[i].place; unit != "" {
		g.Mapping.Unit = unit
	}
}

// partner finds the column whose name differs by a y in place of one x, the
// last one first: fix_x, x [px].
func (g *guesser) partner(x string) (string, bool) {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != 'x' && x[i] != 'X' {
			continue
		}
		y := x[:i] + string(x[i]+1) + x[i+1:]
		for _, c := range g.columns {
			if c.name == y {
				return y, true
			}
		}
	}
	return "", false
}

// guessPlace tells px from the values: nothing but pixels exceeds 400 or so
// (angles end at 360), and all within 0 and 1, give or take, is likely norm.
func (g *guesser) guessPlace() string {
	var largest float64
	n := 0
	m := &g.Mapping
	for i, c := range g.columns {
		if c.name != m.X && c.name != m.Y && c.name != m.XLeft && c.name != m.XRight && c.name != m.YLeft && c.name != m.YRight {
			continue
		}
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
			return
		}
		g.taken[role] = i
	}
	m.Time = g.name(role)
	m.TimeUnit = g.unitOf(i, "time", guessStep)
}

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
	step := median(steps)
	for _, u := range [...]struct {
		name string
		s    float64
	}{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}} {
		if rate := 1 / (step * u.s); rate >= 10 && rate <= 2500 {
			return u.name
		}
	}
	return "ms"
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
