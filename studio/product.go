package studio

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dp"
)

// productPageView is the page on which a product is chosen and looked at.
type productPageView struct {
	Product    string        `json:"product"`
	Mechanism  string        `json:"mechanism"`
	Summary    string        `json:"summary"`
	Paper      string        `json:"source"`
	Data       *sourceView   `json:"data_set"`
	Products   []productView `json:"products"`
	Mechanisms []productView `json:"mechanisms"`
	Fields     []fieldView   `json:"fields"`
	Stimuli    []optionView  `json:"stimuli"`
	Looks      string        `json:"looks"`
	Weight     string        `json:"weight"`
	Carried    []fact        `json:"-"` // what other pages set
	Slider     float64       `json:"-"`
	Estimate   estimate      `json:"estimate"`
	Preview    previewView   `json:"preview"`
	Missing    *problem      `json:"missing,omitempty"` // what the product still needs of the data
	Confirm    string        `json:"confirm"`
	Unit       string        `json:"unit_page"`
	AllStimuli bool          `json:"all_stimuli"`
	Bounded    []fieldView   `json:"-"` // unit and bounds, which another page sets
	AreaNames  []string      `json:"areas"`
	AreasOf    []string      `json:"-"` // files with areas among the data
	Typed      string        `json:"-"`
	Here       string        `json:"-"`
}

// optionView is one thing among which to choose.
type optionView struct {
	Name   string `json:"name"`
	Chosen bool   `json:"chosen"`
}

// previewView says where the two sides of the preview are.
type previewView struct {
	Shown     bool         `json:"shown"`
	Before    string       `json:"before,omitempty"`
	After     string       `json:"after,omitempty"`
	Sketch    string       `json:"sketch,omitempty"`
	First     string       `json:"-"`               // what stands there until a script asks
	Scene     string       `json:"scene,omitempty"` // what overlays are laid over
	BeforeAlt string       `json:"before_alt,omitempty"`
	AfterAlt  string       `json:"after_alt,omitempty"`
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	Shows     []optionView `json:"shows"`
	Made      string       `json:"made_of"` // what stands in for the data
}

// Range of the slider; any other ε can be typed.
const sliderLow, sliderHigh, sliderSteps = 0.05, 20.0, 200

// sliderAt is where an ε lies on the slider.
func sliderAt(epsilon float64) float64 {
	return math.Round(sliderSteps * math.Log(math.Min(sliderHigh, math.Max(sliderLow, epsilon))/sliderLow) / math.Log(sliderHigh/sliderLow))
}

func (s *Server) product(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	v := productPageView{
		Product: c.product(), Mechanism: c.Spec.Short(), Summary: c.Spec.Summary, Paper: c.Spec.Source, Products: c.products("/product"), Mechanisms: c.mechanisms(),
		Looks: c.Looks, Weight: c.Weight, Estimate: c.estimate(), Confirm: c.link("/confirm"), Unit: c.link("/unit"), Here: c.link("/product"),
	}
	v.Preview = s.previewView(c, r.FormValue(inShow))
	q := c.query()
	for _, name := range carried {
		if q.Has(name) {
			v.Carried = append(v.Carried, fact{name, q.Get(name)})
		}
	}
	if !wantsJSON(r) || r.FormValue("fields") != "" {
		v.Fields, v.Stimuli, v.AllStimuli = c.fields(), c.stimuli(), c.all()
		for _, f := range v.Fields {
			if f.Group == "unit" || f.Group == "bounds" {
				v.Bounded = append(v.Bounded, f)
			}
		}
	}
	if c.Source != nil {
		sv := s.viewOf(c.Source)
		v.Data, v.Missing = &sv, c.lacks()
		c.Source.set(func() { v.Typed, v.AreaNames = c.Source.typed, c.Source.areas.Names() })
	}
	if f := c.found(); f != nil {
		v.AreasOf = f.Areas
	}
	if epsilon, err := strconv.ParseFloat(c.Values["epsilon"], 64); err == nil {
		v.Slider = sliderAt(epsilon)
	}
	f := frame{Title: titleOf(c.product()), Tab: "product", Steps: steps(c, 3), Sofar: c.sofar(), V: v, Scripts: []string{"product.js"}}
	return s.show(w, r, "product", f)
}

// carried are choices of the page of units and bounds that this one hands on.
var carried = []string{inLooks, inWeight, inEnrolled, inPupils, inBlinks, inCaps, inNote}

// previewView addresses the preview of a choice.
func (s *Server) previewView(c *choice, asked string) previewView {
	p := s.previews.of(c.product())
	v := previewView{Shows: []optionView{}}
	if p == nil {
		return v
	}
	show := showOf(p, c, asked)
	screen := c.screen()
	v.Shown, v.Width, v.Height = true, screen.Width, screen.Height
	v.Before, v.After = c.link("/preview/before.png", inShow, show), c.link("/preview/after.png", inShow, show)
	v.Sketch = c.link("/preview/after.png", inShow, show, inSketch, "1")
	if v.First = v.Sketch; !p.sketches(c) {
		v.First = v.Before
	}
	if c.product() != "aoi" && c.product() != "series" {
		v.Scene = to("/preview/scene.png", "width", strconv.Itoa(screen.Width), "height", strconv.Itoa(screen.Height))
	}
	v.Made = madeOf(c)
	v.BeforeAlt = "Simulated people, without noise"
	v.AfterAlt = "Simulated people, with the noise of this choice"
	for _, name := range p.shows(c) {
		v.Shows = append(v.Shows, optionView{name, name == show})
	}
	return v
}

// madeOf says what a preview shows instead of the data.
func madeOf(c *choice) string {
	if c.product() == "series" {
		return "An invented signal stands in for those of your recordings; nothing of them is used."
	}
	text := "200 simulated people in front of a shop window stand in for yours; nothing of your recordings is used."
	switch c.product() {
	case "heatmap":
		text += " Hatched: cannot be told from noise."
	case "gaze", "synthesis":
		text += " Each dot is a sample, each colour a recording."
	}
	if c.sphere() {
		text += " The picture shows directions straight ahead, " + significant(viewWidth) + "° × " + significant(viewHeight) + "°; what lies beside and behind is not drawn."
	}
	return text
}

// previewPicture draws one side of the preview.
func (s *Server) previewPicture(w http.ResponseWriter, r *http.Request) error {
	c, err := s.choose(r.URL.Query())
	if err != nil {
		return err
	}
	p := s.previews.of(c.product())
	if p == nil {
		return missing("There is no preview of this product.")
	}
	show := showOf(p, c, r.FormValue(inShow))
	var pic picture
	switch sketch := r.FormValue(inSketch) != ""; {
	case r.PathValue("side") == "before.png":
		pic, err = p.before(c, show)
	case sketch:
		pic, err = p.after(c, show, true)
	default:
		if s.previews.turn.take(r.Context()) != nil {
			return gone{r.Context().Err()}
		}
		defer s.previews.turn.give()
		pic, err = p.after(c, show, false)
	}
	if err != nil && r.Header.Get("Sec-Fetch-Dest") == "empty" { // a script asks, and the words say what is wrong
		w.Header().Set("X-Why", url.PathEscape(describe(err).What))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	w.Header().Set("X-Alt-Text", url.PathEscape(pic.alt))
	return s.picture(w, pic)
}

// picture sends a PNG.
func (s *Server) picture(w http.ResponseWriter, p picture) error {
	var b bytes.Buffer
	if err := p.draw(&b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, err := w.Write(b.Bytes())
	return gone{err}.orNil()
}

// sceneSide is the longer side of its picture, in px, at most.
const sceneSide = 1600.0

// scene is the picture that simulated people look at, in the size of the screen.
func (s *Server) scene(w http.ResponseWriter, r *http.Request) error {
	width, errW := strconv.Atoi(r.FormValue("width"))
	height, errH := strconv.Atoi(r.FormValue("height"))
	if errW != nil || errH != nil || width < 1 || height < 1 || width > maxSide || height > maxSide {
		return missing("There is no scene of that size.")
	}
	w.Header().Set("Cache-Control", "private, max-age=86400") // the same for everybody
	png, err := s.previews.scenes.get(keyOf(width, height), func() ([]byte, error) {
		var b bytes.Buffer
		zoom := math.Min(1, sceneSide/math.Max(float64(width), float64(height))) // the page shows it smaller than any screen
		err := curator.Paint(&b, previewScene().Resize(math.Max(1, zoom*float64(width)), math.Max(1, zoom*float64(height))))
		return b.Bytes(), err
	})
	if err != nil {
		return err
	}
	return s.picture(w, picture{draw: func(out io.Writer) error { _, err := out.Write(png); return err }})
}

// stimuli are those of the data.
func (c *choice) stimuli() []optionView {
	out := []optionView{}
	if f := c.found(); f != nil {
		for _, name := range f.Stimuli {
			out = append(out, optionView{name, slices.Contains(c.Stimuli, name)})
		}
	}
	return out
}

// lacks says what the product still needs of the data.
func (c *choice) lacks() *problem {
	f := c.found()
	back := "/data/" + c.Source.ID
	switch {
	case f == nil:
		return &problem{What: "The data set has not been read to its end.", Hint: "Look at step 1 first.", Back: back}
	case f.People == 0:
		return &problem{What: "Nothing in the data says who was recorded.", Hint: "Say in step 1 where the participant stands in the file names.", Back: back + "#settings"}
	case c.product() != "aoi" && c.product() != "series" && !c.sphere() && !f.Peek.Screen.Known():
		return &problem{What: "The recordings do not say how large the screen is.", Hint: "Say it in step 1.", Back: back + "#settings"}
	case c.product() == "aoi":
		var areas int
		c.Source.set(func() { areas = len(c.Source.areas) })
		if areas == 0 {
			return &problem{What: "No areas of interest are given yet.", Hint: "Give them below: one line per area.", Back: "#areas"}
		}
	}
	return nil
}

// sofar is what was chosen before, for the top of later pages.
func (c *choice) sofar() []fact {
	var out []fact
	if c.Source == nil {
		out = append(out, fact{"Data", "none, planning only"})
	} else {
		out = append(out, fact{"Data", c.Source.Name})
	}
	if n := c.public()["subjects"]; n != "" {
		out = append(out, fact{"People", n})
	}
	if u := c.unitName(); u != "" {
		out = append(out, fact{"Protected", u})
	}
	out = append(out, fact{"Product", titleOf(c.product()) + " (" + c.Spec.Short() + ")"})
	if e := c.Values["epsilon"]; e != "" {
		out = append(out, fact{"ε", e})
	}
	return out
}

// unitName is the unit that is chosen, or the one that the mechanism fixes.
func (c *choice) unitName() string {
	if f, takes := c.Spec.Field("unit"); takes {
		return or(c.Values["unit"], f.Default)
	}
	m, err := c.build()
	if err != nil || m.Guarantee().Measure == dp.None {
		return ""
	}
	return m.Guarantee().Unit.String()
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
