package canonical

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gazeward/gazeward/gaze"
)

var labelNames = [...]string{
	gaze.Unlabelled: "none", gaze.InFixation: "fixation", gaze.InSaccade: "saccade", gaze.InPursuit: "pursuit",
	gaze.InBlink: "blink", gaze.InNoise: "noise", gaze.InOscillation: "oscillation",
}

// LabelName is the word for a label of a sample.
func LabelName(l gaze.Label) string {
	if int(l) < len(labelNames) {
		return labelNames[l]
	}
	return labelNames[0]
}

func parseLabel(word []byte) gaze.Label {
	for l, name := range labelNames {
		if string(word) == name {
			return gaze.Label(l)
		}
	}
	return gaze.Unlabelled
}

// parseName finds the value of an enumeration by its name; 0 if there is none.
func parseName[T interface {
	~uint8
	fmt.Stringer
}](word string, last T) T {
	for v := T(0); v <= last; v++ {
		if v.String() == word {
			return v
		}
	}
	return 0
}

// Plain is a text fit for a cell: valid UTF-8 without control characters.
func Plain(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, "?"))
}

// ParseLabel finds a label by its word; unlabelled where it is none.
func ParseLabel(word string) gaze.Label { return parseLabel([]byte(word)) }
