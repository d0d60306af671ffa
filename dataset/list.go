package dataset

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gazeward/gazeward/format"
)

//go:embed definitions/*.yaml
var definitions embed.FS

// shipped lists the definitions, the most specific first.
var shipped = [...]string{"osie", "gazere", "vrload", "edvam", "vive360", "gazebase", "gazebasevr", "360_em", "mpiidpeye", "mpiiprivaceye", "bids"}

// All lists the data sets that come with the program.
func All() ([]Definition, error) {
	var all []Definition
	for _, name := range shipped {
		text, err := definitions.ReadFile("definitions/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		d, err := ParseDefinition(text)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// ByName returns the data set with a name.
func ByName(name string) (Definition, error) {
	all, err := All()
	if err != nil {
		return Definition{}, err
	}
	var names []string
	for _, d := range all {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Definition{}, fmt.Errorf("dataset: no definition %q: want one of %s, or a YAML file", name, strings.Join(names, ", "))
}

// ParseDefinition reads a definition from YAML, with the keys of [Definition]
// and [format.Mapping], or from a definition of the Python package pymovements.
// Keys it does not know are errors.
func ParseDefinition(text []byte) (Definition, error) {
	if format.IsPymovements(text) {
		return fromPymovements(text)
	}
	var d Definition
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&d); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return Definition{}, fmt.Errorf("dataset: definition: %w", err)
	}
	if err := d.Check(); err != nil {
		return Definition{}, err
	}
	return d, nil
}

// fromPymovements makes a definition of one of pymovements.
func fromPymovements(text []byte) (Definition, error) {
	im, err := format.ImportPymovements(text)
	if err != nil {
		return Definition{}, err
	}
	d := Definition{
		Name: im.Name, Title: im.Title, Files: im.Patterns, Fields: im.Fields,
		Format: im.Format, Mapping: im.Mapping, Screen: im.Screen, Notes: im.Notes,
	}
	return d, d.Check()
}

// FromPattern makes a definition of a file name's pattern, for a folder of
// exports that needs no more than that: 'S{participant}_{session}.tsv'. The
// pattern must hold {participant}.
func FromPattern(pattern string) (Definition, error) {
	d := Definition{Name: "pattern", Title: "files named " + pattern, Files: []string{pattern}}
	p, err := format.ParsePattern(pattern)
	if err != nil {
		return Definition{}, err
	}
	if !known(p.Fields(), "participant") {
		return Definition{}, fmt.Errorf("dataset: pattern %q: want a field {participant}", pattern)
	}
	return d, d.Check()
}
