package studio

import (
	"slices"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
)

// fieldView is a parameter as a control of a form.
type fieldView struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Kind     string   `json:"kind"` // number, count, duration, length, choice, text
	Unit     string   `json:"unit,omitempty"`
	Doc      string   `json:"doc"`
	Value    string   `json:"value"`
	Default  string   `json:"default,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Optional bool     `json:"optional"`
	Chosen   string   `json:"chosen,omitempty"` // what stands for an empty value
	Example  string   `json:"-"`
	Group    string   `json:"group"` // budget, unit, bounds, data, rest
}

var kindNames = map[mechanism.Kind]string{
	mechanism.Number: "number", mechanism.Count: "count", mechanism.Duration: "duration", mechanism.Length: "length", mechanism.Choice: "choice", mechanism.Text: "text",
}

var kindExamples = map[mechanism.Kind]string{
	mechanism.Duration: "for example 500ms or 30s", mechanism.Length: "for example 24px, 1deg or 3%",
}

// Groups of parameters by what they decide.
var (
	budgetFields = []string{"epsilon", "delta", "rho"}
	// boundFields limit what one person can do to a release.
	boundFields = []string{"places", "cap", "seen", "horizon", "duration", "step", "share", "chunk", "window", "windows", "clip", "bound", "lower", "upper", "length", "points", "trajectories", "radius", "range", "samples", "looks"}
)

func groupOf(product, name string) string {
	switch {
	case name == "unit":
		return "unit"
	case slices.Contains(curator.FromData(product), name):
		return "data"
	case slices.Contains(budgetFields, name):
		return "budget"
	case slices.Contains(boundFields, name):
		return "bounds"
	}
	return "rest"
}

// fields are the controls of the chosen mechanism, made from its Spec.
func (c *choice) fields() []fieldView {
	var chosen map[string]string
	if m, err := c.build(); err == nil {
		chosen = m.Plan().Parameters
	}
	public := c.public()
	var out []fieldView
	for _, f := range c.Spec.Fields {
		v := fieldView{
			Name: f.Name, Label: humanName(f.Name), Kind: kindNames[f.Kind], Unit: f.Unit, Doc: f.Doc, Value: c.Values[f.Name],
			Default: f.Default, Choices: f.Choices, Optional: f.Optional, Chosen: chosen[f.Name], Example: kindExamples[f.Kind], Group: groupOf(c.product(), f.Name),
		}
		if f.Name == "cap" && c.product() == "heatmap" {
			v.Doc += "; paid chooses it from the data for a tenth of ε, auto for nothing, which voids the guarantee"
		}
		if v.Group == "data" && v.Value == "" {
			v.Value = public[f.Name]
		}
		out = append(out, v)
	}
	return out
}

// productView is a product or mechanism to choose, with the address that
// chooses it.
type productView struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Link    string `json:"link"`
	Current bool   `json:"current"`
}

var productTitles = map[string][2]string{
	"heatmap":   {"Heatmap", "Where people looked"},
	"aoi":       {"Areas of interest", "How long and how often people looked at named areas"},
	"series":    {"Feature series", "How features of gaze develop over time"},
	"gaze":      {"Protected gaze", "Gaze positions with noise, sample by sample"},
	"synth":     {"Synthetic paths", "Gaze paths of nobody, made like those of the group"},
	"synthesis": {"Synthetic paths", "Gaze paths of nobody, made like those of the group"},
}

func titleOf(product string) string {
	if t, ok := productTitles[product]; ok {
		return t[0]
	}
	return humanName(product)
}

// products are links to the same page with another product.
func (c *choice) products(path string) []productView {
	var out []productView
	for _, p := range curator.Products() {
		other := *c
		if p != c.product() {
			spec, err := all.ByName(p, "")
			if err != nil {
				continue
			}
			other.Spec, other.Values = spec, c.shared(spec)
		}
		out = append(out, productView{p, titleOf(p), productTitles[p][1], other.link(path), p == c.product()})
	}
	return out
}

// shared are the values that another mechanism takes too.
func (c *choice) shared(s mechanism.Spec) map[string]string {
	out := map[string]string{}
	for name, v := range c.Values {
		if f, takes := s.Field(name); takes && (len(f.Choices) == 0 || slices.Contains(f.Choices, v)) {
			out[name] = v
		}
	}
	return out
}

// mechanisms are the ways to make the chosen product.
func (c *choice) mechanisms() []productView {
	var out []productView
	for _, s := range all.Of(c.product()) {
		out = append(out, productView{Name: s.Short(), Title: humanName(s.Short()), Summary: s.Summary, Current: s.Name == c.Spec.Name})
	}
	return out
}
