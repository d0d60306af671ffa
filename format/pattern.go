package format

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Pattern matches file names and takes fields out of them, with the syntax of
// pymovements' filename_pattern: {name} is any text without a slash, as short
// as possible; {name:d} digits; {name:3d} exactly three digits; * any text
// without a slash; ** any text. A pattern with n slashes is compared with the
// last n+1 parts of a path; a name's final .gz may be missing in the pattern.
//
// What this cannot say a regular expression can: a pattern that begins with re:
// is one, with fields as named groups, compared with the end of a path from any
// of its parts on: re:(?P<participant>\d+)(_(?P<run>\d))?\.csv.
type Pattern struct {
	text  string
	parts int
	re    *regexp.Regexp
	names []string

	groups []int // of the fields, where the expression has others besides
}

var placeholder = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)(?::(\d*)([ds]?))?\}|\*\*|\*`)

// ParsePattern compiles a pattern.
func ParsePattern(text string) (*Pattern, error) {
	if expression, ok := strings.CutPrefix(text, "re:"); ok {
		return parseExpression(text, expression)
	}
	p := &Pattern{text: text, parts: strings.Count(text, "/") + 1}
	var b strings.Builder
	b.WriteString("^")
	at := 0
	seen := make(map[string]bool)
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[at:m[0]]))
		at = m[1]
		switch text[m[0]:m[1]] {
		case "**":
			b.WriteString(".*")
			p.parts = 0
			continue
		case "*":
			b.WriteString("[^/]*")
			continue
		}
		name := text[m[2]:m[3]]
		if seen[name] {
			return nil, fmt.Errorf("format: pattern %q: %s occurs twice", text, name)
		}
		seen[name] = true
		p.names = append(p.names, name)
		b.WriteString("(" + fieldExpression(text, m) + ")")
	}
	rest := text[at:]
	if strings.ContainsAny(rest, "{}") || strings.ContainsAny(placeholder.ReplaceAllString(text[:at], ""), "{}") {
		return nil, fmt.Errorf("format: pattern %q: want fields like {participant}, {trial:d} or {session:1d}", text)
	}
	b.WriteString(regexp.QuoteMeta(rest) + `(?:\.gz)?$`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("format: pattern %q: %w", text, err)
	}
	p.re = re
	return p, nil
}

// parseExpression compiles a pattern that is a regular expression.
func parseExpression(text, expression string) (*Pattern, error) {
	re, err := regexp.Compile(`^(?:.*/)?(?:` + expression + `)(?:\.gz)?$`)
	if err != nil {
		return nil, fmt.Errorf("format: pattern %q: %w", text, err)
	}
	p := &Pattern{text: text, re: re}
	for i, name := range re.SubexpNames() {
		if name != "" {
			p.names, p.groups = append(p.names, name), append(p.groups, i)
		}
	}
	return p, nil
}

func fieldExpression(text string, m []int) string {
	if m[6] < 0 || m[6] == m[7] && m[4] == m[5] {
		return `[^/]+?`
	}
	width, class := text[m[4]:m[5]], `[^/]`
	if text[m[6]:m[7]] == "d" {
		class = `\d`
	}
	if width != "" {
		return class + "{" + width + "}"
	}
	return class + "+?"
}

// String returns the pattern as written.
func (p *Pattern) String() string { return p.text }

// Depth is how many folders a file that fits lies below; false where that is
// not fixed.
func (p *Pattern) Depth() (int, bool) { return p.parts - 1, p.parts > 0 }

// Fields lists the names in the pattern, in order.
func (p *Pattern) Fields() []string { return p.names }

// Match compares a slash-separated path and returns the fields found.
func (p *Pattern) Match(name string) (map[string]string, bool) {
	m := p.re.FindStringSubmatch(p.tail(path.Clean(name)))
	if m == nil {
		return nil, false
	}
	fields := make(map[string]string, len(p.names))
	for i, n := range p.names {
		group := i + 1
		if p.groups != nil {
			group = p.groups[i]
		}
		fields[n] = m[group]
	}
	return fields, true
}

func (p *Pattern) tail(name string) string {
	if p.parts == 0 {
		return name
	}
	parts := strings.Split(name, "/")
	return strings.Join(parts[max(0, len(parts)-p.parts):], "/")
}

// inTemplate finds the names in a template; they may be those of columns. The
// braces of MATLAB paths hold nothing or a #.
var inTemplate = regexp.MustCompile(`\{([\pL_][^{}]*)\}`)

// isTemplate reports whether a text has {name}s to fill.
func isTemplate(s string) bool { return inTemplate.MatchString(s) }

// TemplateNames lists the {name}s of a template.
func TemplateNames(template string) []string {
	var names []string
	for _, m := range inTemplate.FindAllStringSubmatch(template, -1) {
		names = append(names, m[1])
	}
	return names
}

// Expand fills a template's {name}s with fields; a name without field is an
// error.
func Expand(template string, fields map[string]string) (string, error) {
	var missing string
	out := inTemplate.ReplaceAllStringFunc(template, func(m string) string {
		v, ok := fields[m[1:len(m)-1]]
		if !ok {
			missing = m
		}
		return v
	})
	if missing != "" {
		return "", fmt.Errorf("format: template %q: no field %s", template, missing)
	}
	return out, nil
}
