package studio

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/report"
)

// unitView is the page on which it is chosen who is protected and how much one
// person may do.
type unitView struct {
	Product    string        `json:"product"`
	Mechanism  string        `json:"mechanism"`
	Data       *sourceView   `json:"data_set"`
	Products   []productView `json:"products"`
	Mechanisms []productView `json:"mechanisms"`
	Units      []unitChoice  `json:"units"`
	Bounds     []fieldView   `json:"bounds"`
	Carried    []fact        `json:"-"` // values that other pages set
	People     int           `json:"people"`
	Sessions   int           `json:"sessions"`
	Enrolled   int           `json:"enrolled"`
	Counted    bool          `json:"-"` // the number of people matters to the mechanism
	Looks      string        `json:"looks"`
	Weight     string        `json:"weight"`
	LooksOf    []fact        `json:"-"`
	Pupils     bool          `json:"pupils"`
	Blinks     string        `json:"blinks"`
	Caps       string        `json:"caps,omitempty"` // what a chosen cap is chosen from
	Histogram  string        `json:"histogram,omitempty"`
	Words      string        `json:"words"`
	Groups     []groupView   `json:"groups"`
	Next       string        `json:"next"`
	Problem    *problem      `json:"problem,omitempty"`
}

// unitChoice is one answer to "who is protected".
type unitChoice struct {
	Name   string `json:"name"`
	Words  string `json:"words"`
	Chosen bool   `json:"chosen"`
}

// groupView is what the guarantee is for several units together.
type groupView struct {
	Units int    `json:"units"`
	Terms string `json:"terms"`
	Guess string `json:"guess"`
}

var unitWords = map[string]string{
	"subject":   "Everything about one person in this release is protected together. This is what people expect when they are promised privacy.",
	"recording": "One recording of a person is protected. Somebody with several recordings loses several times as much.",
	"chunk":     "One chunk of a recording is protected. A whole recording loses many times as much.",
	"window":    "One span of time is protected. A whole recording loses many times as much.",
	"sample":    "One gaze point is protected. A whole recording loses many times as much.",
}

// looksOf says what counts as looking.
var looksOf = []fact{
	{"auto", "fixations stated by the files, else samples"}, {"stated", "fixations stated by the files"},
	{"samples", "every sample"}, {"detect", "fixations found by I-VT at 30 deg/s"},
}

func (s *Server) unit(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	v := unitView{
		Product: c.product(), Mechanism: c.Spec.Short(), Products: c.products("/unit"), Mechanisms: c.mechanisms(),
		Looks: c.Looks, Weight: c.Weight, LooksOf: looksOf, Pupils: c.Pupils, Blinks: c.Blinks, Enrolled: c.Enrolled, Next: c.link("/product"), Units: c.units(),
	}
	_, v.Counted = c.Spec.Field("subjects")
	if _, takes := c.Spec.Field("cap"); takes && c.product() == "heatmap" {
		v.Caps = c.caps()
	}
	if c.Source != nil {
		sv := s.viewOf(c.Source)
		v.Data = &sv
	}
	if f := c.found(); f != nil {
		v.People, v.Sessions = f.People, f.Sessions
	}
	for _, f := range c.fields() {
		switch f.Group {
		case "bounds":
			v.Bounds = append(v.Bounds, f)
		case "unit":
		default:
			if c.Values[f.Name] != "" {
				v.Carried = append(v.Carried, fact{f.Name, c.Values[f.Name]})
			}
		}
	}
	for _, name := range c.Stimuli {
		v.Carried = append(v.Carried, fact{inStimulus, name})
	}
	if c.Note != "" {
		v.Carried = append(v.Carried, fact{inNote, c.Note})
	}
	m, err := c.build()
	if err != nil {
		v.Problem = describe(err)
	} else {
		v.Groups = groups(m.Guarantee())
		v.Words = m.Guarantee().String()
		if _, ok := m.(heatmap.HalfBlur); ok {
			v.Histogram = c.link("/preview/bounds.png")
		}
	}
	f := frame{Title: "Unit & bounds", Tab: "product", Steps: steps(c, 2), Sofar: c.sofar(), V: v, Scripts: []string{"forms.js"}}
	return s.show(w, r, "unit", f)
}

// units are those that the mechanism knows.
func (c *choice) units() []unitChoice {
	f, ok := c.Spec.Field("unit")
	if !ok {
		m, err := c.build()
		if err != nil {
			return nil
		}
		u := m.Guarantee().Unit.String()
		return []unitChoice{{u, unitWords[u], true}}
	}
	var out []unitChoice
	for _, name := range f.Choices {
		out = append(out, unitChoice{name, unitWords[name], name == or(c.Values["unit"], f.Default)})
	}
	return out
}

// groups are what is left of the guarantee for several units of one person or
// family.
func groups(g dp.Guarantee) []groupView {
	if _, void := g.Void(); void || g.Measure == dp.None {
		return nil
	}
	var out []groupView
	for _, k := range []int{1, 2, 5, 10} {
		group := g.Group(k)
		out = append(out, groupView{k, group.Terms(), share(manifest.GuessBound(group))})
	}
	return out
}

// boundsPicture shows how far simulated people reach, beside the clip: what a
// clip costs is seen without looking at anybody.
func (s *Server) boundsPicture(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	v := &heatView{&s.previews, &s.previews.heat}
	m, err := v.mechanism(c)
	if err != nil {
		return err
	}
	h, ok := m.(heatmap.HalfBlur)
	if !ok {
		return missing("There is no such picture of this product.")
	}
	reach, err := v.places(h)
	if err != nil {
		return err
	}
	return s.picture(w, histogram(reach, clipOf(h)))
}

// clipOf is the number of places of the clip.
func clipOf(h heatmap.HalfBlur) float64 {
	if h.Places == 0 {
		return heatmap.DefaultPlaces
	}
	return h.Places
}

// reachPeople is how many simulated people stand in the histogram.
const reachPeople = 100

// places is, for each simulated person, over how many separate places the
// person's map is spread: the clip lets those through whole who have at least
// as many. It is one over Σ wᵢwⱼ exp(−d²/4q²), which compares the blurred map's
// norm with that of a map in one place.
func (v *heatView) places(h heatmap.HalfBlur) ([]float64, error) {
	q, err := lengthOf(h.Plan().Parameters["query"])
	if err != nil {
		return nil, err
	}
	canvas, _, _, _ := shapeOf(h)
	return v.h.reach.get(keyOf(canvas, q), func() ([]float64, error) {
		maps, err := v.maps(canvas, reachPeople, true)
		if err != nil {
			return nil, err
		}
		var out []float64
		g := canvas.Grid()
		for m := range maps {
			var at [][3]float64
			for i, w := range m {
				if w > 0 {
					x, y := g.Center(i)
					at = append(at, [3]float64{x, y, w})
				}
			}
			if overlap := overlapOf(at, q); overlap > 0 {
				out = append(out, 1/overlap)
			}
		}
		slices.Sort(out)
		return out, nil
	})
}

// overlapOf is Σ wᵢwⱼ exp(−d²/4q²) over weighted points.
func overlapOf(at [][3]float64, q float64) float64 {
	sum := 0.0
	for i, a := range at {
		sum += a[2] * a[2]
		for _, b := range at[:i] {
			dx, dy := a[0]-b[0], a[1]-b[1]
			sum += 2 * a[2] * b[2] * math.Exp(-(dx*dx+dy*dy)/(4*q*q))
		}
	}
	return sum
}

// histogram counts people by their reach, with the clip in words.
func histogram(reach []float64, clip float64) picture {
	top := math.Max(clip*1.5, 12)
	step := math.Ceil(top / 12)
	counts := make([]float64, int(math.Ceil(top/step))+1)
	cut := 0
	for _, r := range reach {
		counts[min(len(counts)-1, int(r/step))]++
		if r < clip {
			cut++
		}
	}
	title := fmt.Sprintf("Simulated people: %.0f %% look at fewer than %s places and are scaled down", 100*float64(cut)/float64(max(1, len(reach))), significant(clip))
	b := report.Bars{Title: title, Unit: "people of " + strconv.Itoa(len(reach)), Guarantee: "simulated people, for choosing only"}
	for i, n := range counts {
		label := fmt.Sprintf("%g to %g places", float64(i)*step, float64(i+1)*step)
		if i == len(counts)-1 {
			label = fmt.Sprintf("%g places and more", float64(i)*step)
		}
		b.Bars = append(b.Bars, report.Bar{Label: label, Value: n})
	}
	return picture{draw: b.WritePNG, alt: b.AltText()}
}
