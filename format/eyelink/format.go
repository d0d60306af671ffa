package eyelink

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
)

// ASC returns the format of EyeLink text files.
func ASC() format.Format {
	return format.Format{
		Name: "eyelink-asc", Title: "EyeLink ASC", Extensions: []string{".asc"},
		Detect: detect, Read: Read,
	}
}

// EDF returns the format of EyeLink binary files, which are refused.
func EDF() format.Format {
	return format.Format{
		Name: "eyelink-edf", Title: "EyeLink EDF (binary)", Extensions: []string{".edf"},
		Detect: detectEDF,
		Hint:   "convert it with SR Research's edf2asc (edf2asc FILE.edf) and read the .asc",
	}
}

func detectEDF(h format.Head) format.Match {
	if bytes.HasPrefix(h.Raw, []byte("SR_RESEARCH")) {
		return format.Match{Score: 100, Why: []string{"begins with SR_RESEARCH"}}
	}
	return format.Match{Why: []string{"does not begin with SR_RESEARCH"}}
}

// marks are line beginnings that only EyeLink files have, with what one of
// them is worth.
var marks = [...]struct {
	begin string
	name  string
	score int
}{
	{"** CONVERTED FROM", "`** CONVERTED FROM`", 60},
	{"** TYPE: EDF_FILE", "`** TYPE: EDF_FILE`", 60},
	{"START\t", "a START line", 20},
	{"SAMPLES\t", "a SAMPLES line", 40},
	{"EVENTS\t", "an EVENTS line", 20},
	{"PRESCALER\t", "a PRESCALER line", 20},
	{"MSG\t", "MSG lines", 15},
	{"EFIX ", "EFIX lines", 20},
	{"ESACC ", "ESACC lines", 20},
	{"EBLINK ", "EBLINK lines", 20},
}

func detect(h format.Head) format.Match {
	if h.Text == nil {
		return format.Match{Why: []string{"binary, not text"}}
	}
	var m format.Match
	for _, mark := range marks {
		if hasLine(h.Text, mark.begin) {
			m.Score += mark.score
			m.Why = append(m.Why, mark.name)
		}
	}
	if m.Score < format.Likely {
		return format.Match{Why: []string{"no `** CONVERTED FROM`, `** TYPE: EDF_FILE` or START and SAMPLES lines"}}
	}
	m.Score = min(m.Score, 100)
	return m
}

func hasLine(text []byte, begin string) bool {
	return bytes.HasPrefix(text, []byte(begin)) ||
		bytes.Contains(text, []byte("\n"+begin)) || bytes.Contains(text, []byte("\r"+begin))
}
