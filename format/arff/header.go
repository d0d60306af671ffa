package arff

import (
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// header is what stands before the rows.
type header struct {
	relation   bool
	name       string // of the relation
	attributes []attribute
	metadata   map[string]float64
	data       bool // @DATA was found
	lines      int  // up to and with @DATA
}

type attribute struct {
	name   string
	values []string // of a nominal attribute
}

// parse reads a text up to its @DATA line. Lines with metadata may stand
// before and after @RELATION.
func parse(text []byte) header {
	h := header{metadata: make(map[string]float64)}
	lineSplitter(text, func(line string) bool {
		h.lines++
		word, rest := cutWord(line)
		switch strings.ToUpper(word) {
		case "@RELATION":
			h.relation = true
			h.name, _ = cutWord(rest)
		case "@ATTRIBUTE":
			h.attributes = append(h.attributes, parseAttribute(rest))
		case "%@METADATA":
			key, value := cutWord(rest)
			if v, ok := format.ParseNumber([]byte(value), '.'); ok {
				h.metadata[strings.ToLower(key)] = v
			}
		case "@DATA":
			h.data = true
			return false
		}
		return true
	})
	return h
}

func parseAttribute(s string) attribute {
	name, kind := cutWord(s)
	a := attribute{name: name}
	if i := strings.IndexByte(kind, '{'); i >= 0 {
		list, _, _ := strings.Cut(kind[i+1:], "}")
		for v := range strings.SplitSeq(list, ",") {
			a.values = append(a.values, strings.Trim(strings.TrimSpace(v), `'"`))
		}
	}
	return a
}

// find returns an attribute's column, -1 if there is none.
func (h *header) find(name string) int {
	for i, a := range h.attributes {
		if strings.EqualFold(a.name, name) {
			return i
		}
	}
	return -1
}

func (h *header) names() []string {
	var names []string
	for _, a := range h.attributes {
		names = append(names, a.name)
	}
	return names
}

// isSphere reports the equirectangular recordings of 360_em.
func (h *header) isSphere() bool {
	return strings.EqualFold(h.name, "gaze_360") || h.find("x_head") >= 0 && h.find("y_head") >= 0
}

func (h *header) frame() gaze.Frame {
	if h.isSphere() {
		return gaze.InWorld
	}
	return gaze.OnScreen
}

// screen reads the metadata; what is 0 there is unknown.
func (h *header) screen() gaze.Screen {
	s := gaze.Screen{
		WidthCm: h.positive("width_mm") / 10, HeightCm: h.positive("height_mm") / 10, DistanceCm: h.positive("distance_mm") / 10,
	}
	w, ht := h.positive("width_px"), h.positive("height_px")
	if w >= 1 && ht >= 1 {
		s.Width, s.Height = int(math.Round(w)), int(math.Round(ht))
	}
	if h.isSphere() {
		s.FieldWidthDeg, s.FieldHeightDeg = 360, 180
	}
	return s
}

func (h *header) positive(key string) float64 {
	if v := h.metadata[key]; v > 0 && v < 1e6 {
		return v
	}
	return 0
}

// mapping says what the attributes mean.
func (h *header) mapping() *format.Mapping {
	m := &format.Mapping{Time: "time", TimeUnit: "us", X: "x", Y: "y", Unit: "px", NullValues: format.Texts{"?"}}
	if h.find("confidence") >= 0 {
		m.Confidence = "confidence"
		m.ValidWhen = format.Conditions{{Column: "confidence", Op: ">", Value: "0"}}
	}
	for _, s := range headSignals {
		if h.find(s.Column) >= 0 {
			m.Signals = append(m.Signals, s)
		}
	}
	if a, ok := h.label(); ok {
		m.Label = &format.LabelMapping{Column: a.name, Values: a.meanings()}
	}
	return m
}

// headSignals are the head's pose in 360_em, kept beside the gaze.
var headSignals = [...]format.SignalMapping{
	{Column: "x_head", Unit: "px"}, {Column: "y_head", Unit: "px"}, {Column: "angle_deg_head", Unit: "deg"},
}

// label chooses the attribute that labels samples: a final or primary label of
// people before those of single labellers, these before an algorithm's.
func (h *header) label() (best attribute, ok bool) {
	most := 0
	for _, a := range h.attributes {
		if n := a.labelRank(); n > most {
			best, most = a, n
		}
	}
	return best, most > 0
}

func (a *attribute) labelRank() int {
	name := strings.ToLower(a.name)
	switch {
	case strings.Contains(name, "secondary"):
		return 0
	case strings.Contains(name, "labeller") && strings.Contains(name, "final"):
		return 5
	case strings.Contains(name, "labeller") && strings.Contains(name, "primary"):
		return 4
	case strings.Contains(name, "labeller"):
		return 3
	case name == "eye_movement_type" || name == "em_type" || name == "label":
		return 2
	}
	return 0
}

// integers is what the numbers of labels mean in GazeCom.
var integers = map[string]string{"0": "none", "1": "fixation", "2": "saccade", "3": "pursuit", "4": "noise"}

var words = map[string]string{
	"fix": "fixation", "fixation": "fixation", "saccade": "saccade", "sp": "pursuit", "pursuit": "pursuit", "smooth_pursuit": "pursuit",
	"noise": "noise", "noise_cluster": "noise", "blink": "blink", "pso": "oscillation",
}

// meanings maps an attribute's values; those the model does not have (VOR,
// OKN, unassigned) are no label.
func (a *attribute) meanings() map[string]string {
	if len(a.values) == 0 {
		return integers
	}
	m := make(map[string]string)
	for _, v := range a.values {
		m[v] = "none"
		if label, ok := words[strings.ToLower(v)]; ok {
			m[v] = label
		} else if label, ok := integers[v]; ok {
			m[v] = label
		}
	}
	return m
}

// metres reads a length in metres as centimetres; 0 where it is none.
func metres(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0 && v < 1000) {
		return 0
	}
	return v * 100
}
