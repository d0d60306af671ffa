package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page's template and style
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/gazeward/gazeward/manifest"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// Picture is one picture of a page, inline.
type Picture struct {
	Title   string
	Caption string
	Alt     string // required: text for those who cannot see
	PNG     []byte // required
}

// File is one file of the release, for the list of what is released.
type File struct {
	Path string // relative to the release
	What string // in words
}

// Page is report.html: one file that loads nothing from elsewhere.
type Page struct {
	Title    string
	Intro    string             // one or two sentences: of what and of whom
	Manifest *manifest.Manifest // required: what is promised comes from here alone
	Pictures []Picture
	Tables   []Table
	Files    []File
	// NoiseFloor says in words what cannot be told from noise; empty = not
	// evaluated.
	NoiseFloor string
	// Fingerprint of the signing key, for the command that verifies; empty for
	// a release that is not signed.
	Fingerprint string
}

// WriteHTML writes the page.
func (p Page) WriteHTML(w io.Writer) error {
	if p.Manifest == nil {
		return errors.New("report: a page needs a manifest")
	}
	for _, picture := range p.Pictures {
		if picture.Alt == "" || len(picture.PNG) == 0 {
			return errors.New("report: a picture of a page needs an alternative text and a PNG")
		}
	}
	t, err := template.New("page").Funcs(template.FuncMap{"png": dataURI, "table": Table.HTML, "list": items}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("report: the page's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, pageData{p, p.Manifest, template.CSS(pageCSS), styleHash()}); err != nil {
		return fmt.Errorf("report: the page cannot be made: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("report: the page cannot be written: %w", err)
	}
	return nil
}

// pageData is what the template sees.
type pageData struct {
	Page
	M         *manifest.Manifest
	Style     template.CSS
	StyleHash string // for the content security policy
}

// styleHash lets the page's own style through its policy, and no other.
func styleHash() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func dataURI(png []byte) template.URL {
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))
}

// items is a list as the page shows it.
func items(l []string) []string {
	switch {
	case l == nil:
		return []string{manifest.NotEvaluated}
	case len(l) == 0:
		return []string{"none"}
	}
	return l
}

// Heading is the page's title.
func (d pageData) Heading() string {
	if d.Title != "" {
		return d.Title
	}
	return "A release of eye-tracking data"
}

// Command verifies the release from the folder that holds it.
func (d pageData) Command() string {
	if d.Fingerprint == "" {
		return "gazeward verify ."
	}
	return "gazeward verify --key " + d.Fingerprint + " ."
}

// GroupTable is the guarantee for several units together.
func (d pageData) GroupTable() Table {
	unit := d.M.PrivacyLoss.PrivacyUnit.String()
	t := Table{Title: "The guarantee for several at once", Columns: []string{unit + "s together", "guarantee", "ε", "δ"}}
	for _, g := range d.M.PrivacyLoss.Groups {
		t.Rows = append(t.Rows, []string{fmt.Sprint(g.Units), g.Terms, g.Epsilon.String(), g.Delta.String()})
	}
	return t
}

// ComposedTable is the guarantee for other units than its own.
func (d pageData) ComposedTable() Table {
	t := Table{Title: "What it amounts to for other units", Columns: []string{"unit", "guarantee", "ε", "δ"}}
	for _, c := range d.M.PrivacyLoss.Composed {
		t.Rows = append(t.Rows, []string{c.Unit, c.Terms, c.Epsilon.String(), c.Delta.String()})
	}
	return t
}

// BudgetTable is what was spent and what is left.
func (d pageData) BudgetTable() Table {
	a := d.M.Accounting
	t := Table{Title: "Privacy budget per " + a.Unit.String(), Columns: []string{"", "ε", "δ"}}
	for _, row := range []struct {
		name   string
		amount manifest.Amount
	}{{"in all", a.Budget}, {"spent so far, this release included", a.Spent}, {"left", a.Remaining}} {
		t.Rows = append(t.Rows, []string{row.name, row.amount.Epsilon.String(), row.amount.Delta.String()})
	}
	return t
}

// NoiseTable is what was added, mechanism by mechanism.
func (d pageData) NoiseTable() Table {
	t := Table{Title: "Mechanisms and their noise", Columns: []string{"mechanism", "calibration", "noise", "standard deviation", "grid", "random numbers"}}
	for _, m := range d.M.Mechanisms {
		t.Rows = append(t.Rows, []string{m.Name.String(), m.Calibration.String(), m.Noise.String(), m.Sigma.String(), m.Granularity.String(), m.RNG.String()})
	}
	return t
}

// UtilityTable is what the release is expected to be worth.
func (d pageData) UtilityTable() Table {
	t := Table{Title: "Expected quality", Columns: []string{"measure", "value", "measured on"}}
	for _, u := range d.M.Utility {
		t.Rows = append(t.Rows, []string{u.Metric, u.Value.String(), u.EvaluatedOn.String()})
	}
	return t
}
