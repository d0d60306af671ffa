package report

import (
	"strings"
	"testing"
)

func someFindings(t *testing.T) Findings {
	t.Helper()
	chart, err := Chart(someCurves())
	if err != nil {
		t.Fatal(err)
	}
	f := Findings{Title: "What <it> is worth", Intro: "Measured & printed.", Banner: "NOT FOR RELEASE", Foot: "made here"}
	f.Add(Section{Heading: "Attacks", Paragraphs: []string{"a | b"}, Pictures: []Picture{chart}, Tables: []Table{someCurves().Table()}, Items: []string{"one"}, Code: "gazeward verify ."})
	return f
}

func TestFindings(t *testing.T) {
	f := someFindings(t)
	var html, text strings.Builder
	if err := f.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What &lt;it&gt; is worth", "NOT FOR RELEASE", "data:image/png;base64,", "<caption>", "gazeward verify .", "default-src 'none'"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(html.String(), "ZgotmplZ") || strings.Contains(html.String(), "http://") || strings.Contains(html.String(), "https://") {
		t.Error("the page loads something, or the template refused a value")
	}
	if err := f.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# What &lt;it> is worth", "## Attacks", "a \\| b", "| curve |", "* one", "```\ngazeward verify .\n```"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	f.Sections[0].Pictures[0].Alt = ""
	if err := f.WriteHTML(&html); err == nil {
		t.Error("a picture without words was shown")
	}
	f.Sections[0].Tables[0].Rows = append(f.Sections[0].Tables[0].Rows, []string{"short"})
	if err := f.WriteMarkdown(&text); err == nil {
		t.Error("a broken table was written")
	}
}
