package vive

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of SRanipal logs.
func Format() format.Format {
	return format.Format{
		Name: "vive-sranipal", Title: "HTC Vive (SRanipal)", Extensions: []string{".csv"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, o, yield) }
		},
	}
}

const timeColumn = "time(100ns)"

var signature = []string{timeColumn, "eye_valid_L", "eye_valid_R", "gaze_direct_L.x", "gaze_direct_L.y", "gaze_direct_L.z",
	"gaze_direct_R.x", "gaze_direct_R.y", "gaze_direct_R.z"}

// look splits the header line; missing are the columns it lacks.
func look(text []byte) (sheet format.Sheet, missing []string) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\r"))
	sheet = format.Sheet{Delimiter: ';', Skip: 1}
	for _, d := range [...]byte{';', '\t', ','} {
		if bytes.IndexByte(line, d) >= 0 {
			sheet.Delimiter = d
			break
		}
	}
	for _, f := range format.SplitFields(nil, line, sheet.Delimiter) {
		sheet.Columns = append(sheet.Columns, strings.TrimSpace(string(f)))
	}
	for _, c := range signature {
		if !slices.Contains(sheet.Columns, c) {
			missing = append(missing, c)
		}
	}
	return sheet, missing
}

func detect(h format.Head) format.Match {
	if _, missing := look(h.Text); len(missing) > 0 {
		return format.Match{Why: []string{"no header line with " + timeColumn + ", eye_valid_L/R and gaze_direct_L/R.x/y/z"}}
	}
	return format.Match{Score: 95, Why: []string{"columns " + timeColumn + ", eye_valid_L/R, gaze_direct_L/R.x/y/z"}}
}
