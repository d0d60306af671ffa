package format_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/format"
)

const fullMapping = `delimiter: ";"
decimal: ","
time: timestamp
time_unit: us
x_left: lx
y_left: ly
x_right: rx
y_right: ry
unit: px
pupil_left: lp
pupil_unit: mm
min_confidence: 0.6
valid_when:
  - Sensor == Eye Tracker
  - worn != 0
valid_when_left: Validity left == Valid
null_values:
  - "-32768.00"
  - "-1"
participant: '{subject_id}'
session: run
filename_pattern: S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv
label:
  column: lab
  values:
    "1": fixation
    "2": saccade
signals:
  - name: openness
    column: openness_L
screen:
  width_px: 1680
  height_px: 1050
  width_cm: 47.4
  height_cm: 29.7
  distance_cm: 55
  origin: center
`

func TestMappingSurvivesYAML(t *testing.T) {
	m, err := format.ParseMapping([]byte(fullMapping))
	if err != nil {
		t.Fatal(err)
	}
	if want := (format.Condition{Column: "Sensor", Op: "==", Value: "Eye Tracker"}); m.ValidWhen[0] != want {
		t.Errorf("condition %+v, want %+v", m.ValidWhen[0], want)
	}
	if m.NullValues[0] != "-32768.00" {
		t.Errorf("null value %q lost its zeros", m.NullValues[0])
	}
	again, err := format.ParseMapping([]byte(m.YAML()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, again); d != "" {
		t.Error(d)
	}
}

func TestMappingIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty",
		"{time: t, time_unit: ms, x: x, y: y, colour: red}": "colour",
		"{x: x, y: y}":                                                             "give time",
		"{time: t, x: x, y: y}":                                                    "time_unit is missing",
		"{time: t, time_unit: parsec, x: x, y: y}":                                 "parsec",
		"{time: t, time_unit: samples, x: x, y: y}":                                "sampling_rate",
		"{time: t, time_unit: ms, x: x}":                                           "together",
		"{time: t, time_unit: ms}":                                                 "nothing to read",
		"{time: t, time_unit: ms, x: x, y: y, unit: inch}":                         "unit",
		"{time: t, time_unit: ms, onset: o, duration: d, x: x, y: y}":              "give one",
		"{onset: t, time_unit: ms, x: x, y: y}":                                    "duration",
		"{duration: d, x: x, y: y}":                                                "duration_unit",
		"{time: t, time_unit: ms, x: x, y: y, valid_when: val}":                    "condition",
		"{time: t, time_unit: ms, x: x, y: y, valid_when: a < b}":                  "numbers",
		"{time: t, time_unit: ms, x: x, y: y, screen: {origin: top}}":              "origin",
		"{time: t, time_unit: ms, x: x, y: y, pupil_unit: inch}":                   "pupil_unit",
		"{time: t, time_unit: ms, x: x, y: y, filename_pattern: '{a}{a}'}":         "twice",
		"{time: t, time_unit: ms, x: x, y: y, label: {column: c, values: {1: z}}}": "label",
		"{time: t, time_unit: ms, x: x, y: y, decimal: ';'}":                       "decimal",
		"{time: t, time_unit: ms, x: x, y: y, delimiter: x}":                       "delimiter",
		"{time: t, time_unit: ms, x: x, y: y, time_origin: birth}":                 "time_origin",
		"[1, 2]": "mapping",
	} {
		_, err := format.ParseMapping([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add([]byte(fullMapping))
	f.Add([]byte("{time: t, time_unit: ms, x: x, y: y}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := format.ParseMapping(text)
		if err != nil {
			return
		}
		if _, err := format.ParseMapping([]byte(m.YAML())); err != nil {
			t.Errorf("its own YAML is refused: %v\n%s", err, m.YAML())
		}
	})
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          map[string]string // nil = no match
	}{
		{"S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv", "S_1001_S1_TEX.csv",
			map[string]string{"round_id": "1", "subject_id": "001", "session_id": "1", "task": "TEX"}},
		{"S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv", "deep/S_1001_S1_TEX.csv.gz",
			map[string]string{"round_id": "1", "subject_id": "001", "session_id": "1", "task": "TEX"}},
		{"{participant}/{task}/{order:d}_{stimulus}.csv.gz", "data/A01/g-rel/10_g-rel_q118-1_r.csv.gz",
			map[string]string{"participant": "A01", "task": "g-rel", "order": "10", "stimulus": "g-rel_q118-1_r"}},
		{"S{participant}_{session}.tsv", "S07_2.tsv", map[string]string{"participant": "07", "session": "2"}},
		{"S{participant}_{session}.tsv", "T07_2.tsv", nil},
		{"S{participant:d}.tsv", "Sx.tsv", nil},
		{"S{participant:2d}.tsv", "S123.tsv", nil},
		{"*/{participant}.csv", "a/b.csv", map[string]string{"participant": "b"}},
		{"**/{participant}.csv", "a/b/c.csv", map[string]string{"participant": "c"}},
		{"{participant}.csv", ".csv", nil},
		{"a.b", "axb", nil},
	} {
		p, err := format.ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := p.Match(c.name)
		if ok != (c.want != nil) || ok && cmp.Diff(c.want, got) != "" {
			t.Errorf("%s on %s: %v %v, want %v", c.pattern, c.name, got, ok, c.want)
		}
	}
	for _, bad := range []string{"{a", "a}", "{1}", "{a:x}", "{a}{a}", "{}"} {
		if _, err := format.ParsePattern(bad); err == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
}

func TestExpand(t *testing.T) {
	got, err := format.Expand("stimuli/{stimulus}", map[string]string{"stimulus": "1001.jpg"})
	if got != "stimuli/1001.jpg" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if _, err := format.Expand("{other}", nil); err == nil {
		t.Error("a field that is not there expands")
	}
}

func TestConditionsWithoutColumnAreRefused(t *testing.T) {
	m := format.Mapping{Time: "t", TimeUnit: "ms", X: "x", Y: "y", Unit: "px", ValidWhen: format.Conditions{{}}}
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "condition") {
		t.Errorf("an empty condition: %v", err)
	}
	m.ValidWhen = format.Conditions{{Column: "val", Op: "==", Value: "0"}}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}
