package studio

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/all"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// choice is everything that was chosen so far. It stands in the address of
// every page, so that a page can be shared, reloaded and gone back to. Nothing
// else is remembered.
type choice struct {
	Source   *source // nil = planning without data
	Spec     mechanism.Spec
	Stimuli  []string
	Looks    string
	Weight   string // dwell or count
	Enrolled int
	Note     string
	Pupils   bool              // series: the pupil's features too
	Blinks   string            // series: where blinks come from; empty = there are none
	Caps     heatmap.Caps      // what a cap that is chosen from the data is chosen from
	Values   map[string]string // of the mechanism, as typed
}

// Names in an address that are no parameters of a mechanism.
const (
	inData, inProduct, inMechanism, inStimulus, inLooks, inWeight, inEnrolled, inNote, inFormat = "data", "product", "mechanism", "stimulus", "looks", "weight", "enrolled", "note", "format"
	inSketch, inShow, inPupils, inBlinks, inCaps                                                = "sketch", "show", "pupils", "blink-source", "caps"
)

// reserved lists them: no mechanism may have such a parameter.
var reserved = []string{inData, inProduct, inMechanism, inStimulus, inLooks, inWeight, inEnrolled, inNote, inFormat, inSketch, inShow, inPupils, inBlinks, inCaps}

// choose reads a choice from an address.
func (s *Server) choose(q url.Values) (*choice, error) {
	c := &choice{Looks: or(q.Get(inLooks), "auto"), Weight: or(q.Get(inWeight), "dwell"), Note: strings.TrimSpace(q.Get(inNote)), Values: map[string]string{}}
	var err error
	if id := q.Get(inData); id != "" {
		if c.Source, err = s.sources.get(id); err != nil {
			return nil, err
		}
	}
	product := or(q.Get(inProduct), curator.Products()[0])
	if !slices.Contains(curator.Products(), product) {
		return nil, missing("There is no product of that name.")
	}
	if c.Spec, err = all.ByName(product, q.Get(inMechanism)); err != nil {
		if c.Spec, err = all.ByName(product, ""); err != nil { // another product's mechanism
			return nil, err
		}
	}
	if c.Enrolled, err = strconv.Atoi(or(q.Get(inEnrolled), "0")); err != nil || c.Enrolled < 0 {
		return nil, refuse("The number of enrolled people must be a whole number.", "Leave it empty to count those who have data.")
	}
	if err := c.measured(q); err != nil {
		return nil, err
	}
	for _, name := range q[inStimulus] {
		if name != "" {
			c.Stimuli = append(c.Stimuli, name)
		}
	}
	for _, f := range c.Spec.Fields {
		if v := strings.TrimSpace(q.Get(f.Name)); v != "" {
			c.Values[f.Name] = v
		}
	}
	for name, v := range starting {
		if f, takes := c.Spec.Field(name); takes && c.Values[name] == "" && f.Default == "" && (!f.Optional || name == "radius") {
			c.Values[name] = v
		}
	}
	c.onto()
	c.fill()
	return c, nil
}

// usualCaps are those of the command line.
var usualCaps = heatmap.Caps{Step: 1, Count: 32}

// measured reads what is measured of the recordings for a product.
func (c *choice) measured(q url.Values) error {
	c.Pupils, c.Blinks, c.Caps = q.Get(inPupils) != "", q.Get(inBlinks), usualCaps
	if c.Blinks != "" && c.Blinks != feature.StatedBlinks.String() && c.Blinks != feature.DetectedBlinks.String() {
		return refuse("Blinks are stated by the files, found by losses, or left out.", "Say stated, detect, or nothing.")
	}
	if text := q.Get(inCaps); text != "" {
		step, count, err := pair(text)
		if c.Caps = (heatmap.Caps{Step: step, Count: int(count)}); err != nil || count != float64(int(count)) || count < 2 || count > 1<<16 {
			return refuse("The caps to choose from must be a step and how many there are.", "For example 0.1x50.")
		}
	}
	return nil
}

// starting are values for parameters that must be given and have no default, so
// that there is something to look at. They stand in the form as if typed.
var starting = map[string]string{"epsilon": "1", "cap": "1", "radius": "5%", "sigma": "2%", "keep": "10", "coarse": "128"}

// fill chooses where there is but one choice, and takes the scale of the screen
// from its geometry where a mechanism must know it.
func (c *choice) fill() {
	if f, takes := c.Spec.Field("pixels-per-degree"); takes && !f.Optional && c.Values[f.Name] == "" {
		if v, err := c.screen().PixelsPerDegree(); err == nil {
			c.Values[f.Name] = strconv.FormatFloat(v, 'g', 4, 64)
		}
	}
	if f := c.found(); f != nil && len(c.Stimuli) == 0 && len(f.Stimuli) > 0 && c.product() != "series" {
		c.Stimuli = f.Stimuli[:1]
	}
}

// all says that every stimulus is meant.
func (c *choice) all() bool { return len(c.Stimuli) == 1 && c.Stimuli[0] == "all" }

func (c *choice) product() string {
	if c == nil {
		return ""
	}
	return c.Spec.Product()
}

// found is what is known of the data; nil without data.
func (c *choice) found() *found {
	if c == nil || c.Source == nil {
		return nil
	}
	f, _, _ := c.Source.state()
	return f
}

// query is the choice as it stands in an address, with further names and
// values; an empty value takes a name out.
func (c *choice) query(pairs ...string) url.Values {
	q := url.Values{}
	if c.Source != nil {
		q.Set(inData, c.Source.ID)
	}
	if c.Spec.Name != "" {
		q.Set(inProduct, c.Spec.Product())
		q.Set(inMechanism, c.Spec.Short())
	}
	for _, name := range c.Stimuli {
		q.Add(inStimulus, name)
	}
	for _, p := range [][2]string{{inLooks, c.Looks}, {inWeight, c.Weight}, {inNote, c.Note}} {
		if p[1] != "" && p[1] != "auto" && p[1] != "dwell" {
			q.Set(p[0], p[1])
		}
	}
	if c.Blinks != "" {
		q.Set(inBlinks, c.Blinks)
	}
	if c.Pupils {
		q.Set(inPupils, "1")
	}
	if c.Caps != usualCaps && c.Caps.Count > 0 {
		q.Set(inCaps, c.caps())
	}
	if c.Enrolled > 0 {
		q.Set(inEnrolled, strconv.Itoa(c.Enrolled))
	}
	for name, v := range c.Values {
		q.Set(name, v)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Del(pairs[i])
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

// caps are the caps to choose from, as they are typed.
func (c *choice) caps() string {
	return strconv.FormatFloat(c.Caps.Step, 'g', -1, 64) + "x" + strconv.Itoa(c.Caps.Count)
}

// link is the address of another page with the same choice.
func (c *choice) link(path string, pairs ...string) string {
	return path + "?" + c.query(pairs...).Encode()
}

// order is what is asked of the curator's room.
func (c *choice) order() curator.Order {
	o := curator.Order{
		Product: c.product(), Mechanism: c.Spec.Short(), Values: map[string]string{}, Looks: c.Looks, Stimuli: c.Stimuli,
		Enrolled: c.Enrolled, Counts: c.Weight == "count", Pupils: c.Pupils, Blinks: c.Blinks, CapRange: c.Caps,
	}
	for name, v := range c.Values {
		if !slices.Contains(curator.FromData(c.product()), name) {
			o.Values[name] = v
		}
	}
	if c.Source != nil {
		c.Source.set(func() { o.Areas = c.Source.areas })
	}
	return o
}

// maxSide bounds a screen that was typed, in px.
const maxSide = 8192

// assumed are the public facts that a plan without data needs: those of the
// simulated people.
var assumed = map[string]string{
	"subjects": "300", "width": "1280", "height": "960", "stimuli": "1", "areas": "9", "rate": "60", "surface": "plane",
	"features": "1", "length": "120", "recordings": "1", "conditions": "1",
}

// public are the facts that a job reads off the data, as far as they are known.
func (c *choice) public() map[string]string {
	out := map[string]string{}
	for _, name := range curator.FromData(c.product()) {
		if _, takes := c.Spec.Field(name); takes {
			out[name] = assumed[name]
		}
	}
	if c.product() == "series" { // a job knows the bounds of its features
		for name, v := range map[string]string{"lower": "0", "upper": "1"} {
			if _, takes := c.Spec.Field(name); takes {
				out[name] = v
			}
		}
	}
	if c.sphere() {
		delete(out, "width")
		delete(out, "height")
		out[surfaceField] = onSphere
	}
	f := c.found()
	if f == nil {
		return out
	}
	n := f.People
	if c.Values["unit"] == "recording" {
		n = f.Sessions
	}
	set := func(name string, v int) {
		if _, takes := out[name]; takes && v > 0 {
			out[name] = strconv.Itoa(v)
		}
	}
	set("subjects", max(n, c.Enrolled))
	if f.Rate > 0 {
		if _, takes := out["rate"]; takes {
			out["rate"] = strconv.FormatFloat(f.Rate, 'g', 6, 64)
		}
	}
	set("width", f.Peek.Screen.Width)
	set("height", f.Peek.Screen.Height)
	if c.all() {
		set("stimuli", len(f.Stimuli))
	} else {
		set("stimuli", len(c.Stimuli))
	}
	c.Source.set(func() { set("areas", len(c.Source.areas)) })
	return out
}

// screen is that of the data, or that of the simulated people in the size that
// was typed.
func (c *choice) screen() gaze.Screen {
	if c.Source != nil {
		if s := c.Source.screen(); s.Known() {
			return s
		}
	}
	scene := previewScene()
	s := scene.Screen()
	for name, side := range map[string]*int{"width": &s.Width, "height": &s.Height} {
		if v, err := strconv.Atoi(c.Values[name]); err == nil && v > 0 && v <= maxSide {
			*side = v
		}
	}
	perPixel := s.WidthCm / scene.Width
	s.WidthCm, s.HeightCm = perPixel*float64(s.Width), perPixel*float64(s.Height)
	if c.Source != nil { // its size is assumed, so nothing follows from it
		s.WidthCm, s.HeightCm, s.DistanceCm = 0, 0, 0
	}
	return s
}

// resolved are all parameters with the public facts filled in and lengths in
// pixels, as a mechanism is built from them.
func (c *choice) resolved() (map[string]string, error) {
	values := c.public()
	for name, v := range c.Values {
		if _, takes := c.Spec.Field(name); takes {
			values[name] = v
		}
	}
	if c.sphere() {
		return values, c.onlyDegrees(values)
	}
	screen := c.screen()
	if f, takes := c.Spec.Field("blur"); takes && f.Kind == mechanism.Length {
		px, _, err := curator.Blur(values["blur"], screen)
		if err != nil {
			return nil, err
		}
		values["blur"] = strconv.FormatFloat(px, 'g', -1, 64) + "px"
	}
	for _, f := range c.Spec.Fields {
		if f.Kind != mechanism.Length || values[f.Name] == "" {
			continue
		}
		px, err := pixels(values[f.Name], screen)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", humanName(f.Name), values[f.Name], err)
		}
		values[f.Name] = px
	}
	return values, nil
}

// onlyDegrees leaves directions without the size of a screen, and refuses
// lengths that are not angles.
func (c *choice) onlyDegrees(values map[string]string) error {
	delete(values, "width")
	delete(values, "height")
	values[surfaceField] = onSphere
	for _, f := range c.Spec.Fields {
		if f.Kind != mechanism.Length || values[f.Name] == "" {
			continue
		}
		if err := lengthOnSphere(f.Name, values[f.Name]); err != nil {
			return err
		}
	}
	return nil
}

func pixels(length string, screen gaze.Screen) (string, error) {
	l, err := gaze.ParseLength(length)
	if err != nil {
		return "", err
	}
	px, err := l.Pixels(screen)
	return strconv.FormatFloat(px, 'g', -1, 64) + "px", err
}

// build makes the mechanism of the choice from public facts alone.
func (c *choice) build() (mechanism.Mechanism, error) {
	values, err := c.resolved()
	if err != nil {
		return nil, err
	}
	how := values["cap"]
	if how != curator.CapAuto && how != curator.CapPaid {
		return c.Spec.Build(values)
	}
	values["cap"] = strconv.FormatFloat(c.Caps.Step*float64(c.Caps.Count), 'g', -1, 64) // the largest, as in a release until the data are read
	m, err := c.Spec.Build(values)
	if a, ok := m.(heatmap.Additive); ok {
		return curator.CapChosen(a, how), err
	}
	return m, err
}
