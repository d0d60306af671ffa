package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gazeward/gazeward/format"
)

// Candidate is a definition that was compared with a folder.
type Candidate struct {
	Name  string
	Files int    // that hold recordings
	Why   string // what was found, or missing
}

// ErrNoMatch says that a folder fits no definition.
var ErrNoMatch = errors.New("dataset: the folder fits no definition")

// Match compares a folder's file names with all definitions and returns the
// one that fits, with a reason for each. No or several fits are errors, the
// former wrapping [ErrNoMatch].
func Match(fsys fs.FS) (Definition, []Candidate, error) {
	all, err := All()
	if err != nil {
		return Definition{}, nil, err
	}
	names, err := list(fsys)
	if err != nil {
		return Definition{}, nil, err
	}
	var candidates []Candidate
	var fits []Definition
	for _, d := range all {
		c, ok := d.compare(names)
		candidates = append(candidates, c)
		if ok {
			fits = append(fits, d)
		}
	}
	switch len(fits) {
	case 0:
		return Definition{}, candidates, noMatch(candidates)
	case 1:
		return fits[0], candidates, nil
	}
	return Definition{}, candidates, fmt.Errorf("dataset: the folder fits several definitions, name one of: %s", joined(fits))
}

func noMatch(candidates []Candidate) error {
	var b strings.Builder
	for _, c := range candidates {
		fmt.Fprintf(&b, "\n  not %s: %s", c.Name, c.Why)
	}
	return fmt.Errorf("%w%s", ErrNoMatch, b.String())
}

func joined(ds []Definition) string {
	var names []string
	for _, d := range ds {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

func (d *Definition) compare(names []string) (Candidate, bool) {
	c := Candidate{Name: d.Name}
	for _, text := range d.Requires {
		if count(names, text) == 0 {
			c.Why = "no file " + text
			return c, false
		}
	}
	for _, text := range d.Files {
		c.Files += count(names, text)
	}
	if c.Files == 0 {
		c.Why = "no file " + strings.Join(d.Files, " or ")
		return c, false
	}
	c.Why = fmt.Sprintf("%d files %s", c.Files, strings.Join(d.Files, " or "))
	if len(d.Requires) > 0 {
		c.Why += ", and " + strings.Join(d.Requires, ", ")
	}
	return c, true
}

// count says how many whole paths fit a pattern.
func count(names []string, pattern string) int {
	p, err := format.ParsePattern(pattern)
	if err != nil {
		return 0
	}
	n := 0
	for _, name := range names {
		if fits(p, name) != nil {
			n++
		}
	}
	return n
}

// fits compares a path below the folder with a pattern. Where the pattern has
// no slash, the file may lie in any subfolder.
func fits(p *format.Pattern, name string) map[string]string {
	if depth, fixed := p.Depth(); fixed && depth > 0 && strings.Count(name, "/") != depth {
		return nil
	}
	fields, ok := p.Match(name)
	if !ok {
		return nil
	}
	return fields
}

// odd are things in a folder that are no files: reading a pipe would wait for
// ever.
const odd = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice | fs.ModeCharDevice | fs.ModeIrregular

// list returns the folder's files in lexical order, without hidden ones.
func list(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !e.IsDir() && e.Type()&odd == 0 {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}
