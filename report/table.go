package report

import (
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
)

// Table is rows of text under headings. Numbers in it come from [Exact] or
// are rounded by the caller.
type Table struct {
	Title   string
	Columns []string // units in brackets: "dwell [s]"
	Rows    [][]string
}

// Exact is a number with all its digits, as Table cells and CSV have them.
func Exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (t Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("report: row %d of a table must have %d cells, got %d", i+1, len(t.Columns), len(row))
		}
	}
	return nil
}

// WriteCSV writes one line of headings and one per row (RFC 4180).
func (t Table) WriteCSV(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	if err := c.Write(t.Columns); err != nil {
		return fmt.Errorf("report: the table cannot be written: %w", err)
	}
	if err := c.WriteAll(t.Rows); err != nil {
		return fmt.Errorf("report: the table cannot be written: %w", err)
	}
	return nil
}

// Markdown returns the table in GitHub's Markdown.
func (t Table) Markdown() (string, error) {
	if err := t.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + markdown(t.Title) + "**\n\n")
	}
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + markdown(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(t.Columns)
	b.WriteString(strings.Repeat("| --- ", len(t.Columns)) + "|\n")
	for _, row := range t.Rows {
		line(row)
	}
	return b.String(), nil
}

// markdown escapes what would end a cell or be taken for markup.
func markdown(s string) string {
	r := strings.NewReplacer("\\", "\\\\", "|", "\\|", "\r", " ", "\n", " ", "<", "&lt;", "&", "&amp;",
		"*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]")
	return r.Replace(s)
}

// HTML returns the table as a <table> with a caption; all text is escaped.
func (t Table) HTML() (template.HTML, error) {
	if err := t.check(); err != nil {
		return "", err
	}
	escape := template.HTMLEscapeString
	var b strings.Builder
	b.WriteString("<table>")
	if t.Title != "" {
		b.WriteString("<caption>" + escape(t.Title) + "</caption>")
	}
	b.WriteString("<thead><tr>")
	for _, c := range t.Columns {
		b.WriteString(`<th scope="col">` + escape(c) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for _, c := range row {
			open := "<td>"
			if _, err := strconv.ParseFloat(c, 64); err == nil {
				open = `<td class="number">` // never broken at its minus sign
			}
			b.WriteString(open + escape(c) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	return template.HTML(b.String()), nil // every part was escaped above
}
