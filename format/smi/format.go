package smi

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of SMI's raw samples.
func Format() format.Format {
	return format.Format{
		Name: "smi", Title: "SMI BeGaze or IDF Converter", Extensions: []string{".txt", ".tsv"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, o, yield) }
		},
	}
}

func detect(h format.Head) format.Match {
	var m format.Match
	for rest := h.Text; len(rest) > 0; {
		var line []byte
		line, rest, _ = cutLine(rest)
		switch {
		case bytes.HasPrefix(line, []byte("## [BeGaze]")), bytes.HasPrefix(line, []byte("## [iView]")):
			m.Why = append(m.Why, "`"+string(line)+"`")
		case isHeader(line):
			columns := split(line)
			if places(columns) == "" {
				return format.Match{Why: []string{"columns Time and Type of SMI, but none of POR X [px]: it holds no gaze"}}
			}
			m.Score = 95
			m.Why = append(m.Why, "columns Time, Type, "+places(columns))
			return m
		case len(line) > 0 && !isSetting(line):
			return format.Match{Why: []string{"no header line with Time, Type and L POR X [px] after lines of ##"}}
		}
	}
	return format.Match{Why: []string{"no header line with Time, Type and L POR X [px]"}}
}

func cutLine(text []byte) (line, rest []byte, found bool) {
	i := bytes.IndexAny(text, "\r\n")
	if i < 0 {
		return text, nil, false
	}
	return text[:i], text[i+1:], true
}

// isSetting reports whether a line is one of the ## lines at the beginning.
func isSetting(line []byte) bool { return bytes.HasPrefix(line, []byte("##")) }

// isHeader reports whether a line names the columns.
func isHeader(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Time\t")) && slices.Contains(split(line), "Type")
}

func split(line []byte) []string {
	var columns []string
	for _, f := range format.SplitFields(nil, line, '\t') {
		columns = append(columns, strings.TrimSpace(string(f)))
	}
	return columns
}

// places names the first column with positions; empty where there is none.
func places(columns []string) string {
	for _, c := range [...]string{"L POR X [px]", "R POR X [px]", "B POR X [px]"} {
		if slices.Contains(columns, c) {
			return c
		}
	}
	return ""
}
