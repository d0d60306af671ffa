package pico

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of Pico logs.
func Format() format.Format {
	return format.Format{
		Name: "pico", Title: "Pico Neo 3 Pro (Unity log)", Extensions: []string{".csv", ".tsv", ".txt"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, o, yield) }
		},
	}
}

// QuestPro returns the format of Meta Quest Pro pose logs, which are refused.
func QuestPro() format.Format {
	return format.Format{
		Name: "meta-quest-pro", Title: "Meta Quest Pro pose log", Extensions: []string{".csv"},
		Detect: detectQuest,
		Hint:   "it has no eye columns: it says where head and hands were, not where somebody looked; log the eye gaze as well",
	}
}

const vector = "Combine Eye Gaze Vector. "

var (
	signature = []string{"Timeline", "Left Eye Pose Status", "Right Eye Pose Status", vector + "x", vector + "y", vector + "z"}
	questPose = []string{"CenterEyePosX", "CenterEyePosY", "CenterEyePosZ", "CenterEyeRotX", "CenterEyeRotY", "CenterEyeRotZ", "CenterEyeRotW"}
)

// look splits the header line.
func look(text []byte) format.Sheet {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\r"))
	sheet := format.Sheet{Delimiter: '\t', Skip: 1}
	for _, d := range [...]byte{'\t', ';', ','} {
		if bytes.IndexByte(line, d) >= 0 {
			sheet.Delimiter = d
			break
		}
	}
	for _, f := range format.SplitFields(nil, line, sheet.Delimiter) {
		sheet.Columns = append(sheet.Columns, strings.TrimSpace(string(f)))
	}
	return sheet
}

// lacks lists the wanted columns that are not there.
func lacks(columns, wanted []string) []string {
	return slices.DeleteFunc(slices.Clone(wanted), func(c string) bool { return slices.Contains(columns, c) })
}

func detect(h format.Head) format.Match {
	if len(lacks(look(h.Text).Columns, signature)) > 0 {
		return format.Match{Why: []string{"no header line with Timeline, Left/Right Eye Pose Status and Combine Eye Gaze Vector"}}
	}
	return format.Match{Score: 95, Why: []string{"columns Timeline, Left/Right Eye Pose Status, Combine Eye Gaze Vector. x/y/z"}}
}

func detectQuest(h format.Head) format.Match {
	columns := look(h.Text).Columns
	if len(lacks(columns, questPose)) > 0 {
		return format.Match{Why: []string{"no header line with CenterEyePosX and CenterEyeRotW"}}
	}
	if slices.ContainsFunc(columns, func(c string) bool { return strings.Contains(strings.ToLower(c), "gaze") }) {
		return format.Match{Why: []string{"poses of a Quest headset, but with columns of gaze: a mapping can read them"}}
	}
	return format.Match{Score: 95, Why: []string{"columns CenterEyePosX to CenterEyeRotW, and none of gaze"}}
}
