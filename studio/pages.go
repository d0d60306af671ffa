package studio

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

//go:embed templates static
var files embed.FS

// pages are the templates, each with the common frame around it.
type pages struct{ all map[string]*template.Template }

func newPages() (*pages, error) {
	base, err := template.New("").Funcs(functions).ParseFS(files, "templates/common/*.html")
	if err != nil {
		return nil, fmt.Errorf("studio: the common templates: %w", err)
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	p := &pages{map[string]*template.Template{}}
	for _, name := range names {
		t, err := base.Clone()
		if err == nil {
			t, err = t.ParseFS(files, name)
		}
		if err != nil {
			return nil, fmt.Errorf("studio: the template %s: %w", name, err)
		}
		p.all[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	return p, nil
}

// functions are what templates may call.
var functions = template.FuncMap{
	"percent": percentOf,
	"short":   significant,
	"bytes":   byteCount,
	"amount":  amount,
	"plural":  plural,
	"inc":     func(i int) int { return i + 1 },
	"label":   humanName,
	"join":    strings.Join,
	"dict":    dict,
	"first":   func(text string) string { line, _, _ := strings.Cut(text, "\n"); return line },
	"rest":    func(text string) string { _, rest, _ := strings.Cut(text, "\n"); return rest },
}

// dict makes a map of names and values, to hand several to a template.
func dict(pairs ...any) (map[string]any, error) {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, errors.New("studio: a name in a template must be a text")
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

// significant is a number in running text: three digits.
func significant(v float64) string {
	if v >= 1000 && v < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func byteCount(n int64) string {
	unit, v := 0, float64(n)
	for v >= 1000 && unit < 4 {
		v /= 1000
		unit++
	}
	return significant(v) + "\u00a0" + [...]string{"bytes", "kB", "MB", "GB", "TB"}[unit]
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// humanName turns a parameter's name into a label.
func humanName(name string) string {
	if name == "" {
		return ""
	}
	text := strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// frame is what every page has around it.
type frame struct {
	Title   string
	Tab     string // of the navigation: data, product, releases, ledger, audit
	Steps   []step
	Sofar   []fact // choices made before
	Scripts []string
	Twin    string // address of the same in JSON
	Program string
	V       any // what the page and its twin are about
}

// fact is a name with a value.
type fact struct{ Name, Value string }

// step is one of the five steps, with a link where one can go there.
type step struct {
	Name    string
	Link    string
	Current bool
	Done    bool
}

// show writes the page, or its twin.
func (s *Server) show(w http.ResponseWriter, r *http.Request, page string, f frame) error {
	return s.write(w, r, http.StatusOK, page, f)
}

func (s *Server) write(w http.ResponseWriter, r *http.Request, status int, page string, f frame) error {
	if wantsJSON(r) {
		return writeJSON(w, status, f.V)
	}
	f.Program = s.o.Program
	q := r.URL.Query()
	q.Set("format", "json")
	f.Twin = "?" + q.Encode()
	var out bytes.Buffer
	if err := s.pages.all[page].ExecuteTemplate(&out, "frame", f); err != nil {
		return fmt.Errorf("studio: the page %s cannot be made: %w", page, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(out.Bytes())
	return gone{err}.orNil()
}

// gone is an error of a reader who went away.
type gone struct{ error }

func (g gone) orNil() error {
	if g.error == nil {
		return nil
	}
	return g
}

func wantsJSON(r *http.Request) bool {
	if f := r.URL.Query().Get("format"); f != "" {
		return f == "json"
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		switch t, _, _ := mime.ParseMediaType(part); t {
		case "text/html":
			return false
		case "application/json":
			return true
		}
	}
	return false
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("studio: the answer cannot be written as JSON: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err := w.Write(out.Bytes())
	return gone{err}.orNil()
}

// to is an address with a query.
func to(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
