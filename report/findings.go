package report

import (
	"bytes"
	_ "embed" // for the template
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed findings.html
var findingsHTML string

// Section is a part of [Findings]: what was found, in words, pictures and
// tables, in this order.
type Section struct {
	Heading    string
	Paragraphs []string
	Pictures   []Picture
	Tables     []Table
	Items      []string
	Code       string // a command to be typed
}

// Findings is a page about measurements: of a release, or of an experiment.
// It is one file that loads nothing from elsewhere.
type Findings struct {
	Title string
	Intro string
	// Banner stands on top in the colour of warnings: where the page holds exact
	// numbers about private data, that it must not be released.
	Banner   string
	Sections []Section
	Foot     string
}

// Add appends a section and returns f, for chains.
func (f *Findings) Add(s ...Section) *Findings { f.Sections = append(f.Sections, s...); return f }

// Chart makes a picture of curves.
func Chart(c Curves) (Picture, error) {
	var png bytes.Buffer
	if err := c.WritePNG(&png); err != nil {
		return Picture{}, err
	}
	return Picture{Alt: c.AltText(), PNG: png.Bytes()}, nil
}

// WriteHTML writes the page.
func (f Findings) WriteHTML(w io.Writer) error {
	for _, s := range f.Sections {
		for _, picture := range s.Pictures {
			if picture.Alt == "" || len(picture.PNG) == 0 {
				return errors.New("report: a picture of a page needs an alternative text and a PNG")
			}
		}
	}
	t, err := template.New("findings").Funcs(template.FuncMap{"png": dataURI, "table": Table.HTML}).Parse(findingsHTML)
	if err != nil {
		return fmt.Errorf("report: the page's template: %w", err)
	}
	data := struct {
		Findings
		Style     template.CSS
		StyleHash string
	}{f, template.CSS(pageCSS), styleHash()}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return fmt.Errorf("report: the page cannot be made: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("report: the page cannot be written: %w", err)
	}
	return nil
}

// WriteMarkdown writes the same as text; pictures are named by their
// alternative texts.
func (f Findings) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", markdown(f.Title))
	for _, p := range []string{f.Intro, f.Banner} {
		if p != "" {
			fmt.Fprintf(&b, "%s\n\n", markdown(p))
		}
	}
	for _, s := range f.Sections {
		if err := s.markdown(&b); err != nil {
			return err
		}
	}
	if f.Foot != "" {
		fmt.Fprintf(&b, "---\n\n%s\n", markdown(f.Foot))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("report: the page cannot be written: %w", err)
	}
	return nil
}

func (s Section) markdown(b *strings.Builder) error {
	fmt.Fprintf(b, "## %s\n\n", markdown(s.Heading))
	for _, p := range s.Paragraphs {
		fmt.Fprintf(b, "%s\n\n", markdown(p))
	}
	for _, p := range s.Pictures {
		fmt.Fprintf(b, "*%s*\n\n", markdown(p.Alt))
	}
	for _, t := range s.Tables {
		text, err := t.Markdown()
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s\n", text)
	}
	for _, i := range s.Items {
		fmt.Fprintf(b, "* %s\n", markdown(i))
	}
	if len(s.Items) > 0 {
		b.WriteString("\n")
	}
	if s.Code != "" {
		fmt.Fprintf(b, "```\n%s\n```\n\n", s.Code)
	}
	return nil
}
