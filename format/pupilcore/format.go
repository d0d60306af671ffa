package pupilcore

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// MinConfidence is the confidence below which Pupil Labs advise not to trust a
// position (Pupil Core documentation, "Confidence").
const MinConfidence = 0.6

// Format returns the format of gaze positions, in the scene video or on
// surfaces, with [MinConfidence].
func Format() format.Format { return WithConfidence(MinConfidence) }

// WithConfidence returns the format of gaze positions with another least
// confidence, 0..1; 0 keeps all positions. The confidence of every sample is
// kept whatever it is.
func WithConfidence(least float64) format.Format {
	return format.Format{
		Name: "pupil-core", Title: "Pupil Core (Pupil Player export)", Extensions: []string{".csv"},
		Detect: detect,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { read(in, o, least, yield) }
		},
	}
}

// Fixations returns the format of fixations.csv as a list of fixations.
func Fixations() format.Format {
	return format.Format{
		Name: "pupil-core-fixations", Title: "Pupil Core fixations", Extensions: []string{".csv"},
		Detect: detectFixations,
		Read: func(in *format.Input, o format.Options) gaze.Seq {
			return func(yield func(*gaze.Recording, error) bool) { readFixations(in, o, yield) }
		},
	}
}

// table is what the header line tells.
type table struct {
	kind    kind
	columns []string
}

type kind int

const (
	unknown kind = iota
	inVideo
	onSurface
	fixations
	companion // holds no gaze by itself
)

// kinds lists the columns that tell one file from another.
var kinds = [...]struct {
	kind      kind
	name      string
	signature []string
}{
	{onSurface, "gaze on a surface", []string{"gaze_timestamp", "x_norm", "y_norm", "on_surf"}},
	{inVideo, "gaze positions", []string{"gaze_timestamp", "confidence", "norm_pos_x", "norm_pos_y", "base_data"}},
	{fixations, "fixations", []string{"start_timestamp", "duration", "norm_pos_x", "norm_pos_y", "dispersion", "base_data"}},
	{companion, "blinks", []string{"start_timestamp", "duration", "end_timestamp", "filter_response", "base_data"}},
	{companion, "pupil positions", []string{"pupil_timestamp", "eye_id", "confidence", "norm_pos_x", "diameter"}},
}

// look recognises the header line of a file.
func look(text []byte) (table, string) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte("\r"))
	var t table
	for _, f := range format.SplitFields(nil, line, ',') {
		t.columns = append(t.columns, strings.TrimSpace(string(f)))
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(k.signature, func(c string) bool { return !slices.Contains(t.columns, c) }) {
			t.kind = k.kind
			return t, k.name + ": columns " + strings.Join(k.signature, ", ")
		}
	}
	return t, ""
}

var (
	notOurs      = format.Match{Why: []string{"no header line with gaze_timestamp, confidence, norm_pos_x, norm_pos_y, base_data"}}
	notFixations = format.Match{Why: []string{"no header line with start_timestamp, duration, norm_pos_x, norm_pos_y, dispersion, base_data"}}
)

func detect(h format.Head) format.Match {
	t, why := look(h.Text)
	switch t.kind {
	case inVideo, onSurface:
		return format.Match{Score: 95, Why: []string{why}}
	case companion:
		return format.Match{Score: 95, Why: []string{why}, Companion: "gaze_positions.csv"}
	}
	return notOurs
}

func detectFixations(h format.Head) format.Match {
	t, why := look(h.Text)
	if t.kind == fixations {
		return format.Match{Score: 95, Why: []string{why}}
	}
	return notFixations
}
