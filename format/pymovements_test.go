package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gazeward/gazeward/format"
)

// pmNewest has resources as a list, with load_kwargs.
const pmNewest = `
name: "Dots"
long_name: "Dots and pages"
description: |
  Written for this test.
resources:
  - content: gaze
    source: {url: "https://example.org/a.zip", filename: a.zip, md5: "0"}
    filename_pattern: 'r{round_id:1d}_{subject_id:d}_{page_id}.csv'
    filename_pattern_schema_overrides:
      round_id: !int
      subject_id: !int
    load_kwargs:
      trial_columns: [item, dot_nr]
      time_column: clock
      time_unit: us
      pixel_columns: [xl, yl, xr, yr]
      column_map: {dotNr: dot_nr, left_x: xl}
      read_csv_kwargs:
        separator: "\t"
        null_values: [".", "-1"]
        skip_rows: 2
        decimal_comma: true
        schema_overrides:
          clock: !polars.Int64
          left_x: !polars.Float32
  - content: precomputed_events
    filename_pattern: 'fix_{subject_id:d}.csv'
experiment:
  screen_width_px: 1280
  screen_height_px: 1024
  screen_width_cm: 38
  screen_height_cm: 30.2
  distance_cm: null
  origin: "upper left"
  sampling_rate: 500
`

// pmMiddle has resources by content, and how to load them at the top.
const pmMiddle = `
name: Wide
resources:
  gaze:
    - resource: "https://example.org/a"
      filename: a.zip
      md5: "0"
      filename_pattern: '{subject_id:d}_{condition:s}.csv'
    - resource: "https://example.org/b"
      filename_pattern: '{subject_id:d}_{condition:s}.csv'
experiment:
  screen: {width_px: 1920, height_px: 1080, width_cm: 59.8, height_cm: 33.6, origin: center}
  eyetracker: {sampling_rate: 1000, left: false, right: true, vendor: V, model: M, mount: Remote}
trial_columns: [subject_id, block]
time_column: t
time_unit: null
position_columns: [x, y]
velocity_columns: [vx, vy]
distance_column: d
column_map: {}
custom_read_kwargs:
  gaze: {separator: ",", n_rows: 5}
`

// pmOldest has the patterns of file names apart from the resources, and files
// without header and time.
const pmOldest = `
name: "Faces"
info: old
has_files: {gaze: true, precomputed_events: false}
mirrors: {gaze: ["https://example.org/"]}
resources:
  gaze:
    - {resource: "x", filename: "x.zip", md5: "0"}
extract: {gaze: true}
experiment: {screen_width_px: 800, screen_height_px: 600, screen_width_cm: 38, screen_height_cm: 30, distance_cm: 57, origin: center, sampling_rate: 60}
filename_format:
  gaze: 'gaze_sub{sub_id:d}_trial{trial_id:d}.csv'
filename_format_schema_overrides:
  gaze:
    sub_id: !int
    trial_id: !int
time_column: null
time_unit: null
pixel_columns: [x, y]
column_map: {}
custom_read_kwargs:
  gaze:
    has_header: false
    new_columns: [x, y]
    schema_overrides:
      - !polars.Float32
      - !polars.Float32
`

func TestPymovementsLayouts(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want format.Imported
	}{
		"newest": {pmNewest, format.Imported{
			Name: "Dots", Title: "Dots and pages", Format: "delimited",
			Patterns: []string{`re:r(?P<round_id>[0-9]{1})_(?P<subject_id>[0-9]+)_(?P<page_id>.+).csv`},
			Fields:   map[string]string{"participant": "{subject_id}", "session": "{round_id}"},
			Mapping: &format.Mapping{
				Delimiter: "\t", Decimal: ",", SkipLines: 2, NullValues: format.Texts{".", "-1"},
				Time: "clock", TimeUnit: "us", SamplingRate: 500, Unit: "px",
				XLeft: "left_x", YLeft: "yl", XRight: "xr", YRight: "yr",
				Stimulus: "item", Trial: "{page_id}-{dotNr}",
				FilenamePattern: `re:r(?P<round_id>[0-9]{1})_(?P<subject_id>[0-9]+)_(?P<page_id>.+).csv`,
				Screen:          &format.ScreenMapping{WidthPx: 1280, HeightPx: 1024, WidthCm: 38, HeightCm: 30.2, Origin: "top-left"},
			},
		}},
		"middle": {pmMiddle, format.Imported{
			Name: "Wide", Title: "Wide", Format: "delimited",
			Patterns: []string{`re:(?P<subject_id>[0-9]+)_(?P<condition>.+).csv`},
			Fields:   map[string]string{"participant": "{subject_id}", "task": "{condition}"},
			Mapping: &format.Mapping{
				Delimiter: ",", Time: "t", TimeUnit: "ms", SamplingRate: 1000, Unit: "deg", X: "x", Y: "y", Eye: "right", Trial: "block",
				Screen: &format.ScreenMapping{WidthPx: 1920, HeightPx: 1080, WidthCm: 59.8, HeightCm: 33.6, Origin: "center"},
			},
		}},
		"oldest": {pmOldest, format.Imported{
			Name: "Faces", Title: "Faces", Format: "delimited",
			Patterns: []string{`re:gaze_sub(?P<sub_id>[0-9]+)_trial(?P<trial_id>[0-9]+).csv`},
			Fields:   map[string]string{"participant": "{sub_id}", "trial": "{trial_id}"},
			Mapping: &format.Mapping{
				Columns: []string{"x", "y"}, SamplingRate: 60, Unit: "px", X: "x", Y: "y",
				Screen: &format.ScreenMapping{WidthPx: 800, HeightPx: 600, WidthCm: 38, HeightCm: 30, DistanceCm: 57, Origin: "center"},
			},
		}},
	} {
		got, err := format.ImportPymovements([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got.Notes = nil
		if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// The oldest definitions have arguments of one kind of files; YAML's own
// abbreviations mean what they stand for.
func TestPymovementsAbbreviations(t *testing.T) {
	im, err := format.ImportPymovements([]byte(`
name: Short
filename_format: &name '{subject_id:d}.csv'
custom_read_kwargs:
  separator: &tab "\t"
  null_values: [".", *tab]
time_column: t
pixel_columns: [x, y]
long_name: *name
`))
	if err != nil || im.Mapping.Delimiter != "\t" || len(im.Mapping.NullValues) != 2 || im.Title != "{subject_id:d}.csv" {
		t.Errorf("%+v %v", im, err)
	}
	im, err = format.ImportPymovements([]byte(`
name: Again
resources:
  - &one
    content: gaze
    filename_pattern: 'a_{subject_id:d}.csv'
    load_kwargs: &how
      time_column: t
      pixel_columns: [x, y]
      read_csv_kwargs: {separator: ";"}
  - <<: *one
    filename_pattern: 'b_{subject_id:d}.csv'
    load_kwargs: *how
`))
	if err != nil || im.Mapping.Delimiter != ";" || len(im.Patterns) != 2 {
		t.Errorf("%+v %v", im, err)
	}
}

// What is read otherwise than by pymovements, or not at all, is told.
func TestPymovementsNotes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"newest": {pmNewest, []string{"precomputed_events are not read beside gaze"}},
		"middle": {pmMiddle, []string{"velocity_columns", "distance_column", "n_rows", "centre"}},
		"asc": {"{name: A, resources: [{content: gaze, filename_pattern: '{subject_id}.asc', load_kwargs: {patterns: eyelink, prefer_eye: L}}, {content: participants}]}",
			[]string{"reader eyelink-asc", "patterns", "prefer_eye", "content participants"}},
		"events":     {"{name: E, resources: [{content: precomputed_events, filename_pattern: 'fix.csv'}]}", []string{"recognised by itself"}},
		"nobody":     {oneResource("f.csv", "pixel_columns: [x, y], time_column: t"), []string{"who was recorded"}},
		"index":      {oneResource("f.csv", "pixel_columns: [x, y], time_column: ''"), []string{"first column"}},
		"shares":     {oneResource("f.csv", "pixel_columns: [display_area_x, display_area_y], time_column: t"), []string{"norm"}},
		"both units": {oneResource("f.csv", "pixel_columns: [x, y], position_columns: [a, b], time_column: t"), []string{"position_columns"}},
		"quotes": {oneResource("f.csv", "pixel_columns: [x, y], time_column: t, auto_column_detect: true, "+
			"read_csv_kwargs: {quote_char: null, encoding: macroman, eol_char: ';', null_values: {x: '-1', y: ['.']}}"),
			[]string{"quote_char", "macroman", "eol_char", "single columns", "auto_column_detect"}},
	} {
		im, err := format.ImportPymovements([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !slices.ContainsFunc(im.Notes, func(n string) bool { return strings.Contains(n, want) }) {
				t.Errorf("%s: notes %q, want one about %q", name, im.Notes, want)
			}
		}
	}
}

func oneResource(pattern, load string) string {
	return "{name: A, resources: [{content: gaze, filename_pattern: '" + pattern + "', load_kwargs: {" + load + "}}]}"
}

func TestPymovementsIsRefused(t *testing.T) {
	const good = "pixel_columns: [x, y], time_column: t"
	for text, want := range map[string]string{
		"{long_name: x}": "no resources",
		"{long_name: x, resources: [{content: precomputed_reading_measures, filename_pattern: a}]}":                                      "only precomputed_reading_measures",
		oneResource("a.csv", good+", gaze_columns: [a, b]"):                                                                              "line 1: key gaze_columns",
		oneResource("a.csv", good+", read_csv_kwargs: {magic: 3}"):                                                                       "magic",
		oneResource("a.csv", "time_column: t"):                                                                                           "neither pixel_columns",
		oneResource("a.csv", "pixel_columns: [x, y, z], time_column: t"):                                                                 "2, 4 or 6",
		oneResource("a.csv", good+", time_unit: fortnight"):                                                                              "fortnight",
		oneResource("a.csv", good+", time_unit: step"):                                                                                   "sampling_rate",
		oneResource("a.csv", "pixel_columns: [x, y], read_csv_kwargs: {has_header: false, new_columns: [x, y]}"):                         "no sampling_rate",
		oneResource("a.rda", good):                                                                                                       "files of R",
		oneResource("a.xlsx", good):                                                                                                      "save the table as CSV",
		oneResource("(?=x)a.csv", good):                                                                                                  "filename_pattern",
		oneResource("", good):                                                                                                            "filename_pattern is missing",
		"{resources: [{content: gaze, filename_pattern: a.csv, load_function: from_x}]}":                                                 "from_x",
		"{resources: [{content: gaze, pattern: a.csv}]}":                                                                                 "key pattern of resource",
		"{experiment: {origin: middle}, pixel_columns: [x, y], time_column: t, filename_format: a.csv}":                                  "middle",
		"{experiment: {colour: red}, pixel_columns: [x, y], time_column: t, filename_format: a.csv}":                                     "colour",
		"{colour: red, pixel_columns: [x, y], time_column: t, filename_format: a.csv}":                                                   "key colour of definition",
		"{resources: [{content: gaze, filename_pattern: a.csv, load_kwargs: {" + good + "}}, {content: gaze, filename_pattern: b.asc}]}": "in different ways",
	} {
		if !format.IsPymovements([]byte(text)) {
			t.Errorf("%s: not recognised", text)
		}
		if _, err := format.ImportPymovements([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", text, err, want)
		}
	}
	for _, own := range []string{fullMapping, "{name: x, files: ['*.csv'], title: y}", "", "[1, 2]", "{time: t, x: x, y: y, screen: {}}"} {
		if format.IsPymovements([]byte(own)) {
			t.Errorf("%s: is none of pymovements", own)
		}
	}
}

// As a mapping, a definition says with the file's name what its path would.
func TestPymovementsAsMapping(t *testing.T) {
	m, err := format.ParseMapping([]byte(pmNewest))
	if err != nil {
		t.Fatal(err)
	}
	if m.Participant != "{subject_id}" || m.Session != "{round_id}" || m.FilenamePattern == "" || len(m.Notes) == 0 {
		t.Errorf("%+v", m)
	}
	for _, none := range []string{"{name: A, resources: [{content: gaze, filename_pattern: 'a.asc'}]}", "{name: E, resources: [{content: precomputed_events, filename_pattern: 'fix.csv'}]}"} {
		if _, err := format.ParseMapping([]byte(none)); err == nil || !strings.Contains(err.Error(), "mapping") {
			t.Errorf("%s: %v", none, err)
		}
	}
}

func FuzzImportPymovements(f *testing.F) {
	for _, text := range []string{pmNewest, pmMiddle, pmOldest} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		im, err := format.ImportPymovements(text)
		if err != nil || im.Mapping == nil {
			return
		}
		if _, err := format.ParseMapping([]byte(im.Mapping.YAML())); err != nil {
			t.Errorf("the imported mapping is refused: %v\n%s", err, im.Mapping.YAML())
		}
	})
}

func TestExpressionPattern(t *testing.T) {
	p, err := format.ParsePattern(`re:(?P<task>a|b)((_(?P<item>\d))?_(?P<run>\d+))?\.csv`)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]map[string]string{
		"a_3_12.csv":        {"task": "a", "item": "3", "run": "12"},
		"deep/er/b.csv.gz":  {"task": "b", "item": "", "run": ""},
		"deep/er/b_7.csv":   {"task": "b", "item": "", "run": "7"},
		"c.csv":             nil,
		"xa_3_12.csv":       nil,
		"a_3_12.csv.backup": nil,
	} {
		got, ok := p.Match(name)
		if ok != (want != nil) || ok && cmp.Diff(want, got) != "" {
			t.Errorf("%s: %v %v, want %v", name, got, ok, want)
		}
	}
	if _, err := format.ParsePattern("re:(?P<a>x"); err == nil {
		t.Error("an expression without end is a pattern")
	}
}
