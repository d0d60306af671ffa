package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

const nasty = `</style><script>alert(1)</script>"'&<img src=x onerror=alert(2)>{{.}}`

// described is a release with a text that tries to break out in every place.
func described(void bool) *manifest.Manifest {
	g := dp.Guarantee{Measure: dp.Approximate, Epsilon: 1, Delta: 1e-5, Unprotected: []string{nasty}}
	p := mechanism.Plan{
		Mechanism: "heatmap/halfblur" + nasty, Calibration: mechanism.Guaranteed, Guarantee: g,
		Noise:      mechanism.Noise{Law: "rounded gaussian", Scale: 1e-7, Sigma: 1e-7, Grid: 1e-9},
		Parameters: map[string]string{"subjects": "300", nasty: nasty},
		Expected:   &mechanism.Expected{CC: 0.92, MeasuredOn: nasty, InWords: nasty},
		Warnings:   []error{errors.New(nasty)},
	}
	src := noise.Secure()
	if void {
		src = noise.Seeded(1)
	}
	m := manifest.Describe(mechanism.Draw(p, src))
	m.Basic.NotIntendedUse, m.BiasNotes = nasty, nasty
	m.KnownLimits, m.Assumptions, m.PostProcessing = manifest.List[string]{nasty}, manifest.List[string]{nasty}, manifest.List[string]{nasty}
	m.Preprocessing = manifest.List[manifest.Step]{{Step: nasty, Paid: nasty}}
	m.Hyperparameters = manifest.List[manifest.Hyperparameter]{{Name: nasty, Value: nasty, How: nasty}}
	m.Risk = manifest.List[manifest.Risk]{{Attack: nasty, Dataset: nasty}}
	if void {
		m.Account(nil, nil)
	}
	return m
}

func page(t testing.TB, p Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := p.WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func full(void bool) Page {
	return Page{
		Title: nasty, Intro: nasty, Manifest: described(void), NoiseFloor: nasty, Fingerprint: "SHA256:abc",
		Pictures: []Picture{{Title: nasty, Caption: nasty, Alt: nasty, PNG: []byte("\x89PNG")}},
		Tables:   []Table{{Title: nasty, Columns: []string{nasty}, Rows: [][]string{{nasty}}}},
		Files:    []File{{Path: nasty, What: nasty}},
	}
}

// TestPageEscapesEverything: whatever the texts hold, the page has the tags of
// its template and no others.
func TestPageEscapesEverything(t *testing.T) {
	for _, void := range []bool{false, true} {
		text := page(t, full(void))
		for _, bad := range []string{"<script", "alert(1)</", "<img src=x", "onerror=alert(2)>", "{{"} {
			if strings.Contains(strings.ReplaceAll(text, html.EscapeString(nasty), ""), bad) && bad != "{{" {
				t.Errorf("void %v: the page holds %q", void, bad)
			}
		}
		if n := strings.Count(text, "</style>"); n != 1 {
			t.Errorf("void %v: %d ends of the style", void, n)
		}
		if n := strings.Count(text, "<img "); n != 1 {
			t.Errorf("void %v: %d pictures, want 1", void, n)
		}
		if n := strings.Count(html.UnescapeString(text), nasty); n < 20 {
			t.Errorf("void %v: only %d of the texts are shown", void, n)
		}
	}
}

// TestPageLoadsNothing: no address, no script, no style of an element, and a
// policy that says so and lets the page's own style through.
func TestPageLoadsNothing(t *testing.T) {
	text := page(t, Page{Manifest: described(false), Pictures: []Picture{{Alt: "a", PNG: []byte("\x89PNG")}}})
	for _, m := range regexp.MustCompile(`(?i)(src|href|action|data|srcset|poster)\s*=\s*"([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[2], "data:image/png;base64,") {
			t.Errorf("the page loads %s", m[0])
		}
	}
	for _, bad := range []string{"<script", "<link", "@import", "url(", "<iframe", "javascript:", ` style="`, ` onclick`} {
		if strings.Contains(strings.ReplaceAll(text, html.EscapeString(nasty), ""), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1])
	sum := sha256.Sum256([]byte(style[1]))
	if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q lacks %q", policy, want)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(style[1], want) {
			t.Errorf("the style has no %q", want)
		}
	}
}

func TestPageSaysWhatMatters(t *testing.T) {
	p := full(false)
	p.Title, p.Fingerprint = "A study", "SHA256:abc"
	text := html.UnescapeString(page(t, p))
	for _, want := range []string{
		"<h1>A study</h1>", "(1, 1e-05)-DP per subject, replace one, central", "at most 73.2 %", "gazeward verify --key SHA256:abc .",
		"What it does not protect", "Limits and assumptions", "rounded gaussian", "not evaluated", "0.92",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "NOT PRIVATE") {
		t.Error("a private page says that it is not")
	}
	p = full(true)
	p.Title, p.Fingerprint = "A study", ""
	text = html.UnescapeString(page(t, p))
	for _, want := range []string{"<title>NOT PRIVATE: A study</title>", "<strong>NOT PRIVATE.</strong>", "none (noise drawn from a seeded source", "promises nothing", "Nothing was charged", "gazeward verify ."} {
		if !strings.Contains(text, want) {
			t.Errorf("the void page lacks %q", want)
		}
	}
	if strings.Contains(text, "at most 73") {
		t.Error("the void page has odds")
	}
}

func TestPageIsTheSameTwice(t *testing.T) {
	first, second := page(t, full(false)), page(t, full(false))
	if first != second {
		t.Error("the page differs from one time to the next")
	}
}

func TestPageRefuses(t *testing.T) {
	m := described(false)
	for name, p := range map[string]Page{
		"no manifest":    {},
		"no alternative": {Manifest: m, Pictures: []Picture{{PNG: []byte("x")}}},
		"no picture":     {Manifest: m, Pictures: []Picture{{Alt: "x"}}},
		"ragged table":   {Manifest: m, Tables: []Table{{Columns: []string{"a"}, Rows: [][]string{{"1", "2"}}}}},
	} {
		var out bytes.Buffer
		if err := p.WriteHTML(&out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
	if err := full(false).WriteHTML(&broken{10}); err == nil {
		t.Error("a full disk: want an error")
	}
	if page(t, Page{Manifest: m}) == "" {
		t.Error("a page of little is empty")
	}
}

func TestTable(t *testing.T) {
	table := Table{Title: "a *b*", Columns: []string{"x [s]", "a|b"}, Rows: [][]string{{"1e-05", "<b>\n`c`"}, {"", "d,\"e\""}}}
	md, err := table.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	want := "**a \\*b\\***\n\n| x \\[s\\] | a\\|b |\n| --- | --- |\n| 1e-05 | &lt;b> \\`c\\` |\n|  | d,\"e\" |\n"
	if md != want {
		t.Errorf("Markdown\n%s\nwant\n%s", md, want)
	}
	text, err := table.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<caption>a *b*</caption>", `<th scope="col">x [s]</th>`, `<td class="number">1e-05</td>`, "<td>&lt;b&gt;\n`c`</td>"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("HTML %s lacks %s", text, part)
		}
	}
	ragged := Table{Columns: []string{"a"}, Rows: [][]string{{}}}
	_, errHTML := ragged.HTML()
	_, errMD := ragged.Markdown()
	if errHTML == nil || errMD == nil || ragged.WriteCSV(io.Discard) == nil {
		t.Error("a ragged table: want errors")
	}
	if err := table.WriteCSV(&broken{3}); err == nil {
		t.Error("a full disk: want an error")
	}
}

func TestTableCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab,\"\n;'|ä ")))
		n := rapid.IntRange(2, 4).Draw(t, "columns")
		row := rapid.SliceOfN(text, n, n)
		table := Table{Columns: row.Draw(t, "head"), Rows: rapid.SliceOfN(row, 0, 4).Draw(t, "rows")}
		var out bytes.Buffer
		if err := table.WriteCSV(&out); err != nil {
			t.Fatal(err)
		}
		got, err := csv.NewReader(&out).ReadAll()
		if want := append([][]string{table.Columns}, table.Rows...); err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	})
}

// TestBars: no label is cut, longer bars are longer, whiskers have the length
// of the noise.
func TestBars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bars{Title: "Dwell", Unit: "share", Guarantee: promise, Void: rapid.Bool().Draw(t, "void")}
		for range rapid.IntRange(1, 12).Draw(t, "bars") {
			b.Bars = append(b.Bars, Bar{
				Label:     rapid.SampledFrom([]string{"", "face", "a long name of an area with many words in it", strings.Repeat("unbreakable", 12)}).Draw(t, "label"),
				Value:     rapid.OneOf(rapid.SampledFrom([]float64{0, 1e-200, -1e200, 1e200}), rapid.Float64Range(-1, 1)).Draw(t, "value"),
				Deviation: rapid.SampledFrom([]float64{0, 0.1, 2}).Draw(t, "deviation"),
			})
		}
		s, err := b.draw()
		if err != nil {
			t.Fatal(err)
		}
		checkLabels(t, s)
		text := written(s)
		for _, bar := range b.Bars {
			if !strings.Contains(text, squeeze(bar.Label)) {
				t.Errorf("%q is not on the chart", bar.Label)
			}
		}
		if !strings.Contains(text, squeeze(promise)) {
			t.Error("the guarantee is not on the chart")
		}
	})
}

func TestBarsAreToScale(t *testing.T) {
	b := Bars{Bars: []Bar{{"a", 0.2, 0}, {"b", 0.4, 0.1}, {"c", -0.2, 0}}}
	s, err := b.draw()
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	blue := func(x, y int) bool { c := s.RGBAAt(x, y); return c.B > 150 && c.R < 100 }
	inside := false
	for y := range s.Rect.Dy() {
		n := 0
		for x := range s.Rect.Dx() {
			if blue(x, y) {
				n++
			}
		}
		if n > 0 && !inside {
			lengths = append(lengths, n)
		}
		inside = n > 0
	}
	if len(lengths) != 3 || lengths[1] < 2*lengths[0]-3 || lengths[1] > 2*lengths[0]+3 || lengths[2] < lengths[0]-3 || lengths[2] > lengths[0]+3 {
		t.Errorf("bars of 0.2, 0.4 and −0.2 are %v px long", lengths)
	}
	if alt := b.AltText(); !strings.Contains(alt, "b 0.4 ± 0.1") {
		t.Errorf("alt text %q", alt)
	}
	table := b.Table()
	if table.Rows[1][1] != "0.4" || table.Rows[1][2] != "0.1" {
		t.Errorf("%v", table.Rows)
	}
	for _, bad := range []Bars{{}, {Bars: []Bar{{"a", 0, -1}}}} {
		if _, err := bad.Image(); err == nil {
			t.Errorf("%+v: want an error", bad)
		}
	}
}
