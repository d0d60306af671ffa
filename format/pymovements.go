package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Imported is what a data set's definition of the Python package pymovements
// says about reading the data set's files.
type Imported struct {
	Name, Title string
	Patterns    []string          // of the files, for [ParsePattern]
	Fields      map[string]string // participant, session, task, trial, stimulus: templates of the patterns' fields
	Format      string            // reader's name; empty = by the files themselves
	Mapping     *Mapping          // nil where the reader needs none
	Screen      *ScreenMapping    // what readers without mapping may not find in the file
	Notes       []string          // what is not imported, or taken for granted
}

// pmDocument is a definition of pymovements in any of the layouts of versions
// 0.18 to 0.28. Keys that say nothing about reading have no type.
type pmDocument struct {
	Name     string `yaml:"name"`
	LongName string `yaml:"long_name"`

	Resources  yaml.Node    `yaml:"resources"` // list, or before 0.23 lists by content
	Format     yaml.Node    `yaml:"filename_format"`
	Experiment pmExperiment `yaml:"experiment"`
	ReadKwargs pmArgs       `yaml:"custom_read_kwargs"` // by content, or those of gaze
	Load       pmLoad       `yaml:",inline"`
	Other      pmArgs       `yaml:",inline"`
}

// pmArgs are keyword arguments.
type pmArgs map[string]yaml.Node

// pmLoad says what the columns of a file mean: the arguments of pymovements'
// loading functions.
type pmLoad struct {
	Trial        Texts             `yaml:"trial_columns"`
	Time         *string           `yaml:"time_column"`
	TimeUnit     string            `yaml:"time_unit"`
	Pixel        Texts             `yaml:"pixel_columns"`
	Position     Texts             `yaml:"position_columns"`
	Velocity     Texts             `yaml:"velocity_columns"`
	Acceleration Texts             `yaml:"acceleration_columns"`
	Distance     string            `yaml:"distance_column"`
	Renamed      map[string]string `yaml:"column_map"` // name in the file to name elsewhere in the definition
	Added        map[string]string `yaml:"add_columns"`
	CSV          pmArgs            `yaml:"read_csv_kwargs"`
	Other        pmArgs            `yaml:",inline"`
}

type pmResource struct {
	Content  string `yaml:"content"`
	Pattern  string `yaml:"filename_pattern"`
	Function string `yaml:"load_function"`
	Load     pmLoad `yaml:"load_kwargs"`
	Other    pmArgs `yaml:",inline"`
}

type pmExperiment struct {
	Screen  pmScreen  `yaml:"screen"`
	Tracker pmTracker `yaml:"eyetracker"`

	WidthPx  int     `yaml:"screen_width_px"`
	HeightPx int     `yaml:"screen_height_px"`
	WidthCm  float64 `yaml:"screen_width_cm"`
	HeightCm float64 `yaml:"screen_height_cm"`
	Distance float64 `yaml:"distance_cm"`
	Origin   string  `yaml:"origin"`
	Rate     float64 `yaml:"sampling_rate"`
	Other    pmArgs  `yaml:",inline"`
}

type pmScreen struct {
	WidthPx  int     `yaml:"width_px"`
	HeightPx int     `yaml:"height_px"`
	WidthCm  float64 `yaml:"width_cm"`
	HeightCm float64 `yaml:"height_cm"`
	Distance float64 `yaml:"distance_cm"`
	Origin   string  `yaml:"origin"`
	Other    pmArgs  `yaml:",inline"`
}

type pmTracker struct {
	Rate  float64 `yaml:"sampling_rate"`
	Left  *bool   `yaml:"left"`
	Right *bool   `yaml:"right"`
	Other pmArgs  `yaml:",inline"`
}

// Keys that change nothing about what is read: descriptions, addresses of
// downloads, types of columns (cells are read as numbers or texts where they
// are needed), and how fast polars reads.
var pmSilent = map[string][]string{
	"definition":  {"description", "info", "has_files", "mirrors", "extract", "filename_format_schema_overrides", "preprocessed_dirname"},
	"resource":    {"source", "resource", "url", "filename", "md5", "mirrors", "filename_pattern_schema_overrides"},
	"experiment":  {},
	"screen":      {},
	"eyetracker":  {"model", "version", "vendor", "mount"},
	"load_kwargs": {"column_schema_overrides", "schema", "metadata", "encoding"},
	"read_csv_kwargs": {"columns", "dtypes", "schema_overrides", "infer_schema", "infer_schema_length", "n_threads", "low_memory", "rechunk",
		"batch_size", "use_pyarrow", "storage_options", "raise_if_empty", "ignore_errors", "truncate_ragged_lines", "try_parse_dates",
		"missing_utf8_is_empty_string", "sample_size", "glob"},
}

// Keys that only a definition of pymovements has, not a mapping or definition
// of our own.
var pmMarks = []string{"long_name", "resources", "filename_format", "custom_read_kwargs", "experiment", "time_column", "pixel_columns",
	"position_columns", "trial_columns", "column_map", "has_files"}

// IsPymovements reports whether YAML is a definition of pymovements.
func IsPymovements(text []byte) bool {
	var top map[string]yaml.Node
	if yaml.Unmarshal(text, &top) != nil {
		return false
	}
	for _, own := range [...]string{"files", "x", "time", "title"} {
		if _, ok := top[own]; ok {
			return false
		}
	}
	return slices.ContainsFunc(pmMarks, func(k string) bool { _, ok := top[k]; return ok })
}

// ImportPymovements reads a definition of pymovements. What it would read
// otherwise than pymovements does is told in Notes; keys that are not known and
// what cannot be read at all are errors.
func ImportPymovements(text []byte) (*Imported, error) {
	out, err := importPymovements(text)
	if err != nil {
		return nil, fmt.Errorf("format: pymovements definition: %w", err)
	}
	return out, nil
}

// pymovementsMapping is the mapping in a definition of pymovements.
func pymovementsMapping(text []byte) (*Mapping, error) {
	im, err := ImportPymovements(text)
	switch {
	case err != nil:
		return nil, err
	case im.Mapping == nil && im.Format != "":
		return nil, fmt.Errorf("format: pymovements definition: its files are read by the reader %s, without a mapping: give the definition as data set", im.Format)
	case im.Mapping == nil:
		return nil, errors.New("format: pymovements definition: it says of no table what its columns mean, so it is no mapping")
	}
	m := im.Mapping
	to := m.names()
	for slot, template := range im.Fields {
		*to[slot] = template
		m.FilenamePattern = im.Patterns[0]
	}
	m.Notes = im.Notes
	if len(im.Fields) > 0 && len(im.Patterns) > 1 {
		m.Notes = append(m.Notes, "of several patterns of file names the first is used")
	}
	return m, nil
}

func importPymovements(text []byte) (*Imported, error) {
	var doc pmDocument
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return nil, err
	}
	resources, err := doc.resources()
	if err != nil {
		return nil, err
	}
	im := &pmImport{doc: &doc, out: &Imported{Name: doc.Name, Title: firstText(doc.LongName, doc.Name)}}
	if err := im.unknown(); err != nil {
		return nil, err
	}
	chosen, err := im.choose(resources)
	if err != nil {
		return nil, err
	}
	if err := im.load(chosen); err != nil {
		return nil, err
	}
	return im.out, nil
}

// resources lists the resources with their files' patterns, whatever the
// layout.
func (d *pmDocument) resources() ([]pmResource, error) {
	var all []pmResource
	node := resolved(d.Resources)
	switch node.Kind {
	case yaml.SequenceNode:
		if err := node.Decode(&all); err != nil {
			return nil, err
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			var some []pmResource
			if err := node.Content[i+1].Decode(&some); err != nil {
				return nil, err
			}
			for _, r := range some {
				r.Content = node.Content[i].Value
				all = append(all, r)
			}
		}
	}
	return d.patterns(all)
}

// resolved is what an alias stands for.
func resolved(n yaml.Node) yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = *n.Alias
	}
	return n
}

// patterns gives the resources the file names' patterns that older layouts
// state by content.
func (d *pmDocument) patterns(all []pmResource) ([]pmResource, error) {
	var by map[string]string
	switch node := resolved(d.Format); node.Kind {
	case 0:
		return all, nil
	case yaml.ScalarNode:
		by = map[string]string{"gaze": node.Value}
	default:
		if err := node.Decode(&by); err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].Pattern = firstText(all[i].Pattern, by[all[i].Content])
		delete(by, all[i].Content)
	}
	for content, pattern := range by {
		all = append(all, pmResource{Content: content, Pattern: pattern})
	}
	slices.SortStableFunc(all, func(a, b pmResource) int { return strings.Compare(a.Content, b.Content) })
	return all, nil
}

type pmImport struct {
	doc *pmDocument
	out *Imported
}

func (im *pmImport) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(im.out.Notes, n) {
		im.out.Notes = append(im.out.Notes, n)
	}
}

// unknown refuses keys that mean nothing to us, as they may mean a lot.
func (im *pmImport) unknown() error {
	d := im.doc
	for _, part := range [...]struct {
		name string
		args pmArgs
	}{{"definition", d.Other}, {"experiment", d.Experiment.Other}, {"screen", d.Experiment.Screen.Other}, {"eyetracker", d.Experiment.Tracker.Other}} {
		if err := part.args.check(part.name); err != nil {
			return err
		}
	}
	return nil
}

// check refuses keys that are not known in a part of the document.
func (args pmArgs) check(part string, known ...string) error {
	for _, key := range args.keys() {
		if !slices.Contains(pmSilent[part], key) && !slices.Contains(known, key) {
			return fmt.Errorf("line %d: key %s of %s is not known: take it out if it does not change what is read", args.line(key), key, part)
		}
	}
	return nil
}

func (args pmArgs) keys() []string {
	var keys []string
	for k := range args {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (args pmArgs) line(key string) int {
	n := args[key]
	return n.Line
}

// choose returns the resources to read: samples, else lists of events. What is
// left is noted.
func (im *pmImport) choose(all []pmResource) ([]pmResource, error) {
	var others []string
	for _, content := range [...]string{"gaze", "precomputed_events"} {
		var chosen []pmResource
		others = others[:0]
		for _, r := range all {
			if err := r.Other.check("resource"); err != nil {
				return nil, err
			}
			if r.Content == content {
				chosen = append(chosen, r)
			} else if name := r.Content; !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
		if len(chosen) > 0 {
			im.left(others)
			return chosen, nil
		}
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("it has no resource with gaze or events, only %s", strings.Join(others, ", "))
	}
	return nil, errors.New("no resources: which files belong to it is not said (filename_pattern)")
}

func (im *pmImport) left(others []string) {
	for _, o := range others {
		switch o {
		case "precomputed_events":
			im.note("precomputed_events are not read beside gaze: to read them, take the gaze resource out of the definition")
		default:
			im.note("resources with content %s are not read", o)
		}
	}
}
