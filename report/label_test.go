package report

import (
	"strings"
	"testing"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
)

func labelled(g dp.Guarantee) Label {
	m := manifest.Describe(mechanism.Draw(mechanism.Plan{Mechanism: "series/dcfpa", Guarantee: g, Composed: map[string]dp.Guarantee{"recording": g.Group(38)}}, secure{}))
	m.Basic.Name = "Signals of eye movements"
	m.Basic.Description = "Features in windows of 30 s."
	return Label{m}
}

type secure struct{}

func (secure) Seeded() bool { return false }

func TestLabel(t *testing.T) {
	l := labelled(dp.Guarantee{Epsilon: 0.48, Unit: dp.Chunk})
	var html strings.Builder
	if err := l.WriteHTML(&html); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Privacy label", "0.48-DP per chunk", "Suppose somebody", "series/dcfpa", "default-src 'none'"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the label lacks %q", want)
		}
	}
	if strings.Contains(html.String(), "NOT PRIVATE") {
		t.Error("a private release is labelled as none")
	}
	void := labelled(dp.Guarantee{Epsilon: 3}.Voided("sensitivities from the data"))
	html.Reset()
	if err := void.WriteHTML(&html); err != nil || !strings.Contains(html.String(), "NOT PRIVATE") || !strings.Contains(html.String(), "sensitivities from the data") {
		t.Errorf("a void release is not labelled as one: %v", err)
	}
	if err := (Label{}).WriteHTML(&html); err == nil {
		t.Error("a label without a manifest was written")
	}
	for _, l := range []Label{l, void} {
		s, err := l.draw()
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range s.labels {
			if !a.at.In(s.Rect) {
				t.Errorf("%q is cut off", a.text)
			}
			for _, b := range s.labels[:i] {
				if a.at.Overlaps(b.at) {
					t.Errorf("%q is printed over %q", a.text, b.text)
				}
			}
		}
	}
}
