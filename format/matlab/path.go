package matlab

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// path leads from a variable to a column: fixations{}.subjects{}.fix_x.
type path struct {
	text     string
	variable string
	steps    []step
	column   int  // (:,k); 0 = all elements
	index    bool // ends in {#}: the number of the element
}

// step is a field, or the loop over all elements where field is empty.
type step struct{ field string }

var pathToken = regexp.MustCompile(`^(?:\.([A-Za-z]\w*)|(\{\}|\(\))|(\{#\}|\(#\))|\(:,(\d{1,5})\))`)

func parsePath(text string) (path, error) {
	p := path{text: text}
	rest := text
	for i := 0; i < len(rest) && (rest[i] == '_' || isWord(rest[i])); i++ {
		p.variable = rest[:i+1]
	}
	rest = rest[len(p.variable):]
	if p.variable == "" {
		return p, badPath(text)
	}
	for rest != "" {
		m := pathToken.FindStringSubmatch(rest)
		if m == nil || p.index || p.column > 0 {
			return p, badPath(text)
		}
		rest = rest[len(m[0]):]
		switch {
		case m[1] != "":
			p.steps = append(p.steps, step{m[1]})
		case m[2] != "":
			p.steps = append(p.steps, step{})
		case m[3] != "":
			p.steps = append(p.steps, step{})
			p.index = true
		default:
			p.column, _ = strconv.Atoi(m[4])
			if p.column == 0 {
				return p, badPath(text)
			}
		}
	}
	return p, nil
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func badPath(text string) error {
	return fmt.Errorf("path %q: want for example data.x, data.gaze(:,1), trials{}.x or trials{}.people{#}", text)
}

// loops returns the path's prefixes that end in a loop.
func (p *path) loops() []string {
	var all []string
	var b strings.Builder
	b.WriteString(p.variable)
	for _, s := range p.steps {
		if s.field != "" {
			b.WriteString("." + s.field)
			continue
		}
		b.WriteString("{}")
		all = append(all, b.String())
	}
	return all
}

// plan is the paths of a mapping with the loops they share.
type plan struct {
	paths []path
	loops []string // of the longest
}

// newPlan parses the columns of a mapping. Loops must nest: a path may leave
// out inner ones only.
func newPlan(columns []string) (*plan, error) {
	p := new(plan)
	for _, c := range columns {
		one, err := parsePath(c)
		if err != nil {
			return nil, err
		}
		p.paths = append(p.paths, one)
		if l := one.loops(); len(l) > len(p.loops) {
			p.loops = l
		}
	}
	for i := range p.paths {
		for n, l := range p.paths[i].loops() {
			if l != p.loops[n] {
				return nil, fmt.Errorf("paths %q and %q loop over different arrays", l, p.loops[n])
			}
		}
	}
	return p, nil
}

// variables are the names of the variables the plan needs.
func (p *plan) variables() map[string]bool {
	names := make(map[string]bool)
	for i := range p.paths {
		names[p.paths[i].variable] = true
	}
	return names
}

// resolve follows a path with the given index in each loop. The second result
// is the number of the element for paths that ask for it.
func (p *path) resolve(v *Value, at []int) (*Value, int) {
	loop := 0
	for n, s := range p.steps {
		if v == nil {
			return nil, 0
		}
		if s.field != "" {
			v = v.Field(s.field)
			continue
		}
		i := at[loop]
		loop++
		v = v.At(i)
		if p.index && n == len(p.steps)-1 {
			return v, i + 1
		}
	}
	return v, 0
}

// walk calls visit with every combination of loop indices.
func (p *plan) walk(vars map[string]*Value, visit func(at []int) bool) {
	longest := p.longest()
	p.descend(vars[longest.variable], longest.steps, make([]int, 0, len(p.loops)), visit)
}

func (p *plan) longest() *path {
	for i := range p.paths {
		if len(p.paths[i].loops()) == len(p.loops) {
			return &p.paths[i]
		}
	}
	return nil // newPlan took the loops from one of them
}

func (p *plan) descend(v *Value, steps []step, at []int, visit func([]int) bool) bool {
	for i, s := range steps {
		if v == nil {
			return true
		}
		if s.field != "" {
			v = v.Field(s.field)
			continue
		}
		for k := range v.Len() {
			if !p.descend(v.At(k), steps[i+1:], append(at, k), visit) {
				return false
			}
		}
		return true
	}
	if len(at) < len(p.loops) {
		return true // an element without the inner array
	}
	return visit(at)
}
