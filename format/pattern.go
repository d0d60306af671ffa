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
type Pattern struct {
	text  string
	parts int
	re    *regexp.Regexp
	names []string
}

var placeholder = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)(?::(\d*)([ds]?))?\}|\*\*|\*`)

// ParsePattern compiles a pattern.
func ParsePattern(text string) (*Pattern, error) {
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
		fields[n] = m[i+1]
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

// isTemplate reports whether a text has {name}s to fill.
func isTemplate(s string) bool {
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if m[1] != "" {
			return true
		}
	}
	return false
}

// Expand fills a template's {name}s with fields; a name without field is an
// error.
func Expand(template string, fields map[string]string) (string, error) {
	var missing string
	out := placeholder.ReplaceAllStringFunc(template, func(m string) string {
		if m[0] == '*' {
			return m
		}
		name := strings.Trim(m, "{}")
		v, ok := fields[name]
		if !ok {
			missing = name
		}
		return v
	})
	if missing != "" {
		return "", fmt.Errorf("format: template %q: no field %s", template, missing)
	}
	return out, nil
}
