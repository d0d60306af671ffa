package npy

import (
	"bytes"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// Format returns the format of NumPy arrays.
func Format() format.Format {
	return format.Format{
		Name: "npy", Title: "NumPy structured array", Extensions: []string{".npy"},
		Detect: detect, Read: Read,
	}
}

var magic = []byte("\x93NUMPY")

func detect(h format.Head) format.Match {
	if !bytes.HasPrefix(h.Raw, magic) {
		return format.Match{Why: []string{"does not begin with \\x93NUMPY"}}
	}
	why := []string{"begins with \\x93NUMPY"}
	if head, _, err := parseHeader(h.Raw); err == nil {
		why = append(why, "fields "+strings.Join(shown(head.names()), ", "))
	}
	return format.Match{Score: 100, Why: why}
}

func shown(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, format.DisplayName(n))
		if len(out) == 20 {
			return append(out, "…")
		}
	}
	return out
}
