package report

import (
	"bytes"
	_ "embed" // for the template
	"errors"
	"fmt"
	"html/template"
	"image"
	"io"
	"strings"

	"github.com/gazeward/gazeward/manifest"
)

//go:embed label.html
var labelHTML string

// Label is one page about a release for those who read nothing else: the
// promise, in words and numbers, and what it leaves open (Dibia et al. 2025).
type Label struct {
	Manifest *manifest.Manifest // required
}

// labelData is what the label says.
type labelData struct {
	Title, Guarantee, Odds string
	Void                   bool
	Facts                  Table
	Open                   []string
	Foot                   string
}

func (l Label) data() (labelData, error) {
	if l.Manifest == nil {
		return labelData{}, errors.New("report: a label needs a manifest")
	}
	m := l.Manifest
	d := labelData{
		Title: m.Basic.Name.String(), Guarantee: "Guarantee: " + m.Guarantee, Void: !m.Private,
		Odds: m.PrivacyLoss.PlainLanguage.OddsStatement.String(), Facts: Table{Columns: []string{"", ""}},
		Open: items(m.PrivacyLoss.PlainLanguage.DoesNotProtect),
		Foot: fmt.Sprintf("Release %s of %s, made with %s %s. Check it with: gazeward verify FOLDER", m.ReleaseID, m.Created, m.Tool.Name, m.Tool.Version),
	}
	for _, f := range l.facts() {
		d.Facts.Rows = append(d.Facts.Rows, []string{f[0], f[1]})
	}
	return d, nil
}

// facts are the rows of the label.
func (l Label) facts() [][2]string {
	m := l.Manifest
	p := m.PrivacyLoss
	facts := [][2]string{
		{"What it is", m.Basic.Description.String()},
		{"Who or what is protected", p.PrivacyUnitDetails.String()},
		{"Who is trusted", m.DeploymentModel.ModelName.String() + " model"},
	}
	if m.Private {
		facts = append(facts, [2]string{"ε", p.Parameters.Epsilon.String()}, [2]string{"δ", p.Parameters.Delta.String()})
		a := m.Accounting
		facts = append(facts, [2]string{"Budget of the same people",
			fmt.Sprintf("spent ε = %s of %s per %s, this release included", a.Spent.Epsilon, a.Budget.Epsilon, a.Unit)})
	} else {
		facts = append(facts, [2]string{"What was typed", p.Nominal.String()})
	}
	for _, k := range m.Mechanisms {
		facts = append(facts, [2]string{"Mechanism", fmt.Sprintf("%s (%s), noise %s, standard deviation %s", k.Name, k.Calibration, k.Noise, k.Sigma)})
	}
	facts = append(facts, [2]string{"Subjects", m.Source.Participants.String()})
	for _, u := range m.Utility {
		if u.InWords != "" {
			facts = append(facts, [2]string{"What to expect of it", u.InWords.String()})
		}
	}
	for _, r := range m.Risk {
		facts = append(facts, [2]string{"Attack: " + r.Attack, fmt.Sprintf("%s %s (chance %s)", r.Metric, r.Value, r.Chance)})
	}
	return facts
}

// WriteHTML writes the label as a page that loads nothing.
func (l Label) WriteHTML(w io.Writer) error {
	d, err := l.data()
	if err != nil {
		return err
	}
	t, err := template.New("label").Funcs(template.FuncMap{"table": Table.HTML}).Parse(labelHTML)
	if err != nil {
		return fmt.Errorf("report: the label's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, struct {
		labelData
		Style     template.CSS
		StyleHash string
	}{d, template.CSS(pageCSS), styleHash()}); err != nil {
		return fmt.Errorf("report: the label cannot be made: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("report: the label cannot be written: %w", err)
	}
	return nil
}

// WritePNG draws the label.
func (l Label) WritePNG(w io.Writer) error {
	return writePNG(w, func() (*image.RGBA, error) {
		s, err := l.draw()
		if err != nil {
			return nil, err
		}
		return s.RGBA, nil
	})
}

const (
	labelWidth = 820
	nameColumn = 210
)

// labelBlock is some lines in a style at a distance from the left.
type labelBlock struct {
	style style
	lines []string
	x     int
	after int // px below
}

func (l Label) draw() (*sheet, error) {
	d, err := l.data()
	if err != nil {
		return nil, err
	}
	s, err := newStyles()
	if err != nil {
		return nil, err
	}
	inner := labelWidth - 2*margin
	head := []labelBlock{
		{s.title, s.title.wrap("Privacy label: "+d.Title, inner), margin, 10},
		{s.text, s.text.wrap(d.Odds, inner), margin, 16},
	}
	foot := s.strip(strings.TrimPrefix(d.Guarantee, "Guarantee: "), d.Void, labelWidth)
	height := margin + foot.height()
	for _, b := range head {
		height += b.style.block(b.lines) + b.after
	}
	for _, row := range d.Facts.Rows {
		height += factHeight(s, row) + 10
	}
	open := []labelBlock{{s.bold, []string{"What it does not protect"}, margin, 6}}
	for _, o := range d.Open {
		open = append(open, labelBlock{s.small, s.small.wrap("– "+o, inner), margin, 3})
	}
	open = append(open, labelBlock{s.small, s.small.wrap(d.Foot, inner), margin, 14})
	for _, b := range open {
		height += b.style.block(b.lines) + b.after
	}
	sheet := s.sheet(labelWidth, height+18)
	y := sheet.blocks(head, margin)
	for _, row := range d.Facts.Rows {
		sheet.fill(image.Rect(margin, y-5, labelWidth-margin, y-4), hairline)
		sheet.setLines(s.bold, s.bold.wrap(row[0], nameColumn-12), margin, y, ink)
		sheet.setLines(s.text, s.text.wrap(row[1], inner-nameColumn), margin+nameColumn, y, ink)
		y += factHeight(s, row) + 10
	}
	sheet.fill(image.Rect(margin, y-5, labelWidth-margin, y-4), hairline)
	sheet.blocks(open, y+8)
	sheet.drawStrip(foot)
	return sheet, nil
}

func factHeight(s styles, row []string) int {
	return max(s.bold.block(s.bold.wrap(row[0], nameColumn-12)), s.text.block(s.text.wrap(row[1], labelWidth-2*margin-nameColumn)))
}

// blocks sets blocks below each other and returns the y below them.
func (s *sheet) blocks(all []labelBlock, y int) int {
	for _, b := range all {
		y = s.setLines(b.style, b.lines, b.x, y, ink) + b.after
	}
	return y
}
