package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// dialect takes how the table is written from the arguments of polars.read_csv.
func (im *pmImport) dialect(m *Mapping, load *pmLoad) error {
	if hasKey(load.Other, "auto_column_detect") {
		im.note("auto_column_detect is not used: the columns are those that are listed")
	}
	header := true
	var named []string
	for _, key := range load.CSV.keys() {
		node := resolved(load.CSV[key])
		var err error
		switch key {
		case "separator":
			m.Delimiter = node.Value
		case "null_values":
			m.NullValues, err = im.nulls(&node)
		case "has_header":
			err = node.Decode(&header)
		case "new_columns":
			err = node.Decode(&named)
		case "schema":
			named = firstList(named, keysOf(&node))
		case "skip_rows", "skip_lines":
			err = node.Decode(&m.SkipLines)
		case "comment_prefix", "comment_char":
			m.Comment = node.Value
		case "decimal_comma":
			var comma bool
			if err = node.Decode(&comma); comma {
				m.Decimal = ","
			}
		default:
			err = im.without(key, &node, load.CSV)
		}
		if err != nil {
			return fmt.Errorf("read_csv_kwargs: %s: %w", key, err)
		}
	}
	im.head(m, load, header, named)
	return nil
}

// without handles the arguments that have no counterpart.
func (im *pmImport) without(key string, node *yaml.Node, args pmArgs) error {
	switch key {
	case "quote_char":
		if node.Value != `"` {
			im.note("quote_char is not used: double quotes around cells are taken off")
		}
	case "encoding":
		switch strings.ToLower(node.Value) {
		case "utf8", "utf-8", "utf8-lossy", "ascii":
		default:
			im.note("encoding %s is not used: what is neither UTF-8 nor UTF-16 is read as it is, numbers are not affected", node.Value)
		}
	case "n_rows":
		im.note("n_rows is not used: all rows are read")
	case "eol_char":
		im.note("eol_char is not used: the end of lines is recognised")
	default:
		return args.check("read_csv_kwargs", "separator", "null_values", "has_header", "new_columns", "schema", "skip_rows", "skip_lines",
			"comment_prefix", "comment_char", "decimal_comma", "quote_char", "encoding", "n_rows", "eol_char")
	}
	return nil
}

// head says what the columns are called.
func (im *pmImport) head(m *Mapping, load *pmLoad, header bool, named []string) {
	switch {
	case len(named) > 0 && header:
		m.Columns = named
		m.SkipLines++ // the header line, whose names are replaced
	case len(named) > 0:
		m.Columns = named
	case !header:
		im.numbered(load)
	}
}

var pmNumbered = regexp.MustCompile(`^column_(\d+)$`)

// numbered translates the names that polars gives to columns without names.
func (im *pmImport) numbered(load *pmLoad) {
	if load.Renamed == nil {
		load.Renamed = make(map[string]string)
	}
	lists := slices.Concat(load.Pixel, load.Position, load.Trial)
	if load.Time != nil {
		lists = append(lists, *load.Time)
	}
	for _, name := range lists {
		if f := pmNumbered.FindStringSubmatch(name); f != nil {
			load.Renamed["#"+f[1]] = name
		}
	}
}

// nulls are a text, a list, or texts by column.
func (im *pmImport) nulls(node *yaml.Node) (Texts, error) {
	var all Texts
	if node.Kind != yaml.MappingNode {
		err := all.UnmarshalYAML(node)
		return all, err
	}
	im.note("null_values of single columns count in all columns")
	for i := 1; i < len(node.Content); i += 2 {
		var some Texts
		if err := some.UnmarshalYAML(node.Content[i]); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// keysOf lists a mapping's keys in their order.
func keysOf(node *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		keys = append(keys, node.Content[i].Value)
	}
	return keys
}

func firstList(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}
