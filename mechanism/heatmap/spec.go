package heatmap

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Mechanism is what the heatmap mechanisms have in common.
type Mechanism interface {
	mechanism.Mechanism
	Check() error
	Release(maps Maps, src *noise.Source) (*Release, error)
}

// Specs lists the mechanisms of this room, the default first.
func Specs() []mechanism.Spec {
	return []mechanism.Spec{
		halfBlurSpec(), additiveSpec(noise.Gaussian), additiveSpec(noise.Laplace),
		selectionSpec("selection-without"), selectionSpec("selection-with"), selectionSpec("noise-free"),
		aoiSpec(),
	}
}

var (
	fieldEpsilon  = mechanism.Field{Name: "epsilon", Kind: mechanism.Number, Doc: "privacy loss ε of the whole release, per unit of privacy"}
	fieldDelta    = mechanism.Field{Name: "delta", Kind: mechanism.Number, Optional: true, Doc: "δ: probability that ε fails; default n^-1.5"}
	fieldSubjects = mechanism.Field{Name: "subjects", Kind: mechanism.Count, Unit: "people", Doc: "enrolled subjects n; public"}
	fieldUnit     = mechanism.Field{Name: "unit", Kind: mechanism.Choice, Default: "subject", Choices: []string{"subject", "recording"}, Doc: "unit of privacy"}
	fieldPicture  = mechanism.Field{Name: "picture", Kind: mechanism.Choice, Optional: true,
		Choices: []string{PictureBest, PicturePlain, PictureThreshold, PictureSpectral}, Doc: "how the picture is made from the release (costs nothing)"}
	fieldPrior = mechanism.Field{Name: "prior", Kind: mechanism.Choice, Default: PriorUniform, Choices: []string{PriorUniform, PriorCentre},
		Doc: "public prior of log-gaussian pictures: centre only where people viewed pictures freely"}
	fieldThreshold = mechanism.Field{Name: "threshold", Kind: mechanism.Number, Default: "2", Unit: "noise floors", Doc: "what --picture threshold takes off"}
)

func canvasFields(cell string) []mechanism.Field {
	return []mechanism.Field{
		{Name: "width", Kind: mechanism.Number, Unit: "px", Doc: "width of the stimulus"},
		{Name: "height", Kind: mechanism.Number, Unit: "px", Doc: "height of the stimulus"},
		{Name: "cell", Kind: mechanism.Length, Optional: true, Doc: "side of a cell; default " + cell},
		{Name: "stimuli", Kind: mechanism.Count, Default: "1", Doc: "stimuli released together: one joint clip, one charge"},
		{Name: "blur", Kind: mechanism.Length, Optional: true, Doc: "standard deviation of the picture's point spread function; default 1deg with geometry, else 3 % of the width"},
	}
}

func halfBlurSpec() mechanism.Spec {
	return mechanism.Spec{
		Name:    "heatmap/halfblur",
		Summary: "half of the blur before the noise, half after it: the error does not grow with the number of pixels",
		Source:  "gazeward, mechanism/heatmap/PROOF.md",
		Fields: slices.Concat([]mechanism.Field{fieldEpsilon, fieldDelta, fieldSubjects}, canvasFields("a third of the blur"), []mechanism.Field{
			{Name: "query", Kind: mechanism.Length, Optional: true, Doc: "part of the blur before the noise; default from public numbers"},
			{Name: "places", Kind: mechanism.Number, Optional: true, Doc: "clip: the norm of a map spread over this many separate places; default 8"},
			{Name: "seen", Kind: mechanism.Number, Optional: true, Doc: "stimuli that a subject typically sees; default all"},
			{Name: "duration", Kind: mechanism.Duration, Optional: true, Doc: "length of a film instead of one picture"},
			{Name: "step", Kind: mechanism.Duration, Optional: true, Doc: "time step of the film"},
			{Name: "time-blur", Kind: mechanism.Number, Optional: true, Unit: "steps", Doc: "blur along time; default 1 step"},
			fieldUnit, fieldPicture, fieldThreshold, fieldPrior,
		}),
		New:   newHalfBlur,
		Suite: suite(map[string]string{"epsilon": "1", "delta": "1e-3", "subjects": "3", "width": "160", "height": "30", "blur": "15px", "cell": "10px"}),
	}
}

func newHalfBlur(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := HalfBlur{
		Epsilon: p.Number("epsilon"), Delta: delta(p), Subjects: p.Count("subjects"), Canvas: canvas(p),
		Blur: blur(p), Query: p.Pixels("query"), Places: optional(p.Number("places")), Seen: optional(p.Number("seen")),
		Unit: unit(p), Picture: picture(p),
	}
	m.Picture.Prior = p.Text("prior")
	if m.Canvas.Cell == 0 {
		m.Canvas.Cell = math.Max(1, math.Floor(m.Blur/3))
	}
	duration, step, timeBlur := p.Duration("duration"), p.Duration("step"), p.Number("time-blur")
	if err := p.Err(); err != nil {
		return nil, err
	}
	if (duration > 0) != (step > 0) || step > duration {
		return nil, fmt.Errorf("heatmap: a film needs both duration and step, the step not longer, got %v and %v", duration, step)
	}
	if step > 0 {
		m.Canvas.Steps = int((duration + step - 1) / step)
		m.TimeBlur = 1
		if p.Given("time-blur") {
			m.TimeBlur = timeBlur
		}
	}
	return m, check(p, m.Check())
}

func additiveSpec(law noise.Law) mechanism.Spec {
	s := mechanism.Spec{
		Name: "heatmap/gaussian", Source: "Liu et al. 2019, Theorem 3.4 (published); Balle and Wang 2018 (guaranteed)",
		Summary: "Gaussian noise on every pixel under a cap per pixel",
		Suite:   suite(map[string]string{"epsilon": "1", "delta": "1e-3", "subjects": "3", "width": "6", "height": "4", "cap": "1"}),
	}
	if law == noise.Laplace { // one cell: no single event of many shows all of ε
		s.Name, s.Source, s.Summary = "heatmap/laplace", "Liu et al. 2019, Theorem 3.5", "Laplace noise on every pixel under a cap per pixel"
		s.Suite = suite(map[string]string{"epsilon": "1", "subjects": "3", "width": "1", "height": "1", "cap": "1"})
	}
	budget := []mechanism.Field{fieldEpsilon, fieldDelta, fieldSubjects}
	if law == noise.Laplace {
		budget = []mechanism.Field{fieldEpsilon, fieldSubjects}
	}
	s.Fields = slices.Concat(budget, canvasFields("1px"), []mechanism.Field{
		{Name: "cap", Kind: mechanism.Number, Doc: "m: the most that counts of one subject on one cell; public or pilot"},
		{Name: "calibration", Kind: mechanism.Choice, Default: mechanism.Guaranteed, Choices: []string{mechanism.Guaranteed, mechanism.Published}, Doc: "analytic or as printed in the paper"},
		fieldUnit, fieldPicture, fieldThreshold,
	})
	s.New = func(p mechanism.Params) (mechanism.Mechanism, error) { return newAdditive(law, p) }
	return s
}

func newAdditive(law noise.Law, p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Additive{
		Law: law, Epsilon: p.Number("epsilon"), Subjects: p.Count("subjects"), Canvas: canvas(p), Cap: p.Number("cap"),
		Blur: p.Pixels("blur"), Published: p.Text("calibration") == mechanism.Published, Unit: unit(p), Picture: picture(p),
	}
	if law == noise.Gaussian {
		m.Delta = delta(p)
	}
	if m.Canvas.Cell == 0 {
		m.Canvas.Cell = 1
	}
	return m, check(p, m.Check())
}

func selectionSpec(short string) mechanism.Spec {
	s := mechanism.Spec{
		Name: "heatmap/" + short, Source: "Liu et al. 2019, Theorems 3.2 and 3.3",
		Summary: "baseline without a guarantee: the mean of randomly selected subjects",
		Fields: slices.Concat([]mechanism.Field{fieldSubjects}, canvasFields("1px"), []mechanism.Field{
			{Name: "share", Kind: mechanism.Number, Default: "0.5", Doc: "part of the subjects that is drawn"}, fieldUnit,
		}),
		Suite: suite(map[string]string{"subjects": "4", "width": "6", "height": "4"}),
	}
	if short == "noise-free" {
		s.Summary = "baseline without a guarantee: the mean map as it is"
		s.Suite.Bad = []map[string]string{{"subjects": "0"}, {"width": "0"}}
	}
	s.Suite.Pair, s.Suite.Zero = pairOfSelection, nil
	s.New = func(p mechanism.Params) (mechanism.Mechanism, error) {
		p = p.Collect()
		m := Selection{
			Share: p.Number("share"), Replacement: short == "selection-with", Subjects: p.Count("subjects"),
			Canvas: canvas(p), Blur: p.Pixels("blur"), Unit: unit(p),
		}
		if short == "noise-free" {
			m.Share = 1
		}
		if m.Canvas.Cell == 0 {
			m.Canvas.Cell = 1
		}
		return m, check(p, m.Check())
	}
	return s
}

func check(p mechanism.Params, err error) error {
	if first := p.Err(); first != nil {
		return first
	}
	return err
}

func optional(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// delta is n^−1.5 unless given, rounded down.
func delta(p mechanism.Params) float64 {
	if p.Given("delta") {
		return p.Number("delta")
	}
	return math.Min(dp.RoundDown(math.Pow(float64(p.Count("subjects")), -1.5)), 0.5)
}

func canvas(p mechanism.Params) Canvas {
	return Canvas{Width: p.Number("width"), Height: p.Number("height"), Cell: p.Pixels("cell"), Stimuli: p.Count("stimuli")}
}

func blur(p mechanism.Params) float64 {
	if p.Given("blur") {
		return p.Pixels("blur")
	}
	return 0.03 * p.Number("width")
}

func unit(p mechanism.Params) dp.Unit {
	u, err := dp.ParseUnit(p.Text("unit"))
	if err != nil {
		return dp.Subject
	}
	return u
}

func picture(p mechanism.Params) Picture {
	return Picture{Method: p.Text("picture"), Threshold: p.Number("threshold")}
}

func aoiSpec() mechanism.Spec {
	return mechanism.Spec{
		Name: "aoi/gaussian", Source: "gazeward, mechanism/heatmap/PROOF.md",
		Summary: "dwell shares, hits, first-fixation times, transitions and visit order of areas of interest",
		Fields: []mechanism.Field{
			fieldEpsilon, fieldDelta, fieldSubjects,
			{Name: "areas", Kind: mechanism.Count, Doc: "number of areas of interest; public"},
			{Name: "horizon", Kind: mechanism.Duration, Default: "10s", Doc: "later first fixations, and never, count as this"},
			{Name: "statistics", Kind: mechanism.Text, Optional: true, Doc: "comma-separated: " + strings.Join(AllAOIStatistics, ",") + "; default all"},
			fieldUnit,
		},
		New:   newAOI,
		Suite: aoiSuite(),
	}
}

func newAOI(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := AOI{
		Epsilon: p.Number("epsilon"), Delta: delta(p), Subjects: p.Count("subjects"), Areas: p.Count("areas"),
		Horizon: p.Duration("horizon").Seconds(), Unit: unit(p),
	}
	if s := p.Text("statistics"); s != "" {
		m.Statistics = strings.Split(s, ",")
	}
	return m, check(p, m.Check())
}

var badBudgets = []map[string]string{
	{"epsilon": "0"}, {"epsilon": "-1"}, {"epsilon": "NaN"}, {"epsilon": "Inf"}, {"epsilon": "1e7"}, {"epsilon": "x"}, {"subjects": "0"}, {"subjects": "-3"}, {"unit": "window"},
}

// suite is the conformance suite of the mechanisms that take maps.
func suite(params map[string]string) mechanism.Suite {
	bad := slices.Concat(badBudgets, []map[string]string{{"width": "0"}, {"height": "NaN"}, {"width": "1e9"}, {"blur": "24"}, {"blur": "-2px"}})
	if params["epsilon"] == "" {
		bad = []map[string]string{{"subjects": "0"}, {"width": "0"}, {"share": "0"}, {"share": "1.5"}}
	} else if params["delta"] != "" {
		bad = append(bad, map[string]string{"delta": "0"}, map[string]string{"delta": "1"}, map[string]string{"delta": "NaN"})
	}
	return mechanism.Suite{Params: params, Bad: bad, Inputs: oddMaps, Run: runMaps, Prepare: prepareMaps, Zero: zeroMaps, Pair: pairOfMaps}
}

func runMaps(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	r, err := m.(Mechanism).Release(slices.Values(input.([][]float64)), src)
	if err != nil {
		return mechanism.Output{}, err
	}
	return mechanism.Output{Values: r.Raw, Guarantee: r.Guarantee}, nil
}

// prepareMaps draws without making pictures.
func prepareMaps(m mechanism.Mechanism) (mechanism.Runner, error) {
	var draw func(Maps, *noise.Source) (*Release, error)
	switch m := m.(type) {
	case HalfBlur:
		h, err := m.prepare()
		if err != nil {
			return nil, err
		}
		draw = h.draw
	case Additive:
		a, err := m.prepare()
		if err != nil {
			return nil, err
		}
		draw = a.draw
	default:
		draw = m.(Mechanism).Release
	}
	return func(input any, src *noise.Source) (mechanism.Output, error) {
		r, err := draw(slices.Values(input.([][]float64)), src)
		if err != nil {
			return mechanism.Output{}, err
		}
		return mechanism.Output{Values: r.Raw, Guarantee: r.Guarantee}, nil
	}, nil
}

func shapeOf(m mechanism.Mechanism) (Canvas, int) {
	switch m := m.(type) {
	case HalfBlur:
		return m.Canvas, m.Subjects
	case Additive:
		return m.Canvas, m.Subjects
	case Selection:
		return m.Canvas, m.Subjects
	}
	return Canvas{}, 0
}

func zeroMaps(mechanism.Mechanism) any { return [][]float64{} }

func oddMaps(m mechanism.Mechanism) map[string]any {
	c, n := shapeOf(m)
	fill := func(v float64) [][]float64 {
		maps := make([][]float64, n)
		for i := range maps {
			maps[i] = slices.Repeat([]float64{v}, c.Len())
		}
		return maps
	}
	one := fill(0)
	one[0][0] = 1e-300
	return map[string]any{
		"nobody": [][]float64{}, "all lost": fill(0), "one sample": one, "NaN": fill(math.NaN()), "infinite": fill(math.Inf(1)),
		"negative": fill(-1), "huge": fill(math.MaxFloat64), "tiny": fill(5e-324), "even": fill(1),
	}
}

// pairOfMaps is the worst case for maps that are not negative: one subject
// looks at one corner, or at everything but it under a cap.
func pairOfMaps(m mechanism.Mechanism) mechanism.Pair {
	c, _ := shapeOf(m)
	a, b := make([]float64, c.Len()), make([]float64, c.Len())
	if _, capped := m.(Additive); capped {
		for i := range b {
			b[i] = math.MaxFloat64
		}
	} else {
		a[0], b[c.Len()-1] = 1, 1
	}
	direction := direct(m, a, b)
	return mechanism.Pair{A: [][]float64{a}, B: [][]float64{b}, Statistic: func(v []float64) float64 {
		s := 0.0
		for i, d := range direction {
			s += d * v[i]
		}
		return s
	}}
}

// pairOfSelection is one subject who alone looks at the first cell, or does
// not: whatever is released there comes from them.
func pairOfSelection(m mechanism.Mechanism) mechanism.Pair {
	c, n := shapeOf(m)
	a, b := make([][]float64, n), make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, c.Len())
		a[i][c.Len()-1] = 1
		b[i] = a[i]
	}
	b[n-1] = make([]float64, c.Len())
	b[n-1][0] = 1
	return mechanism.Pair{
		A: a, B: b, Statistic: func(v []float64) float64 { return v[0] },
		Never: func(x float64) bool { return x > 0 },
	}
}

// direct is the difference of the two inputs' releases without noise.
func direct(m mechanism.Mechanism, a, b []float64) []float64 {
	h, ok := m.(HalfBlur)
	if !ok {
		return slices.Repeat([]float64{1}, len(a))
	}
	r, err := h.resolve()
	if err != nil {
		return nil
	}
	x, y := make([]float64, r.len()), make([]float64, r.len())
	r.spread(x, a)
	r.spread(y, b)
	for i := range y {
		y[i] -= x[i]
	}
	return y
}

func aoiSuite() mechanism.Suite {
	return mechanism.Suite{
		Params: map[string]string{"epsilon": "1", "delta": "1e-3", "subjects": "3", "areas": "2"},
		Bad:    slices.Concat(badBudgets, []map[string]string{{"areas": "0"}, {"areas": "1000000"}, {"horizon": "-1s"}, {"statistics": "hits,hits"}, {"statistics": "age"}, {"delta": "1"}}),
		Inputs: func(mechanism.Mechanism) map[string]any {
			nan := math.NaN()
			return map[string]any{
				"nobody": []*grid.AOIAccumulator{}, "without data": []*grid.AOIAccumulator{nil, {}},
				"other areas": []*grid.AOIAccumulator{{Dwell: []float64{1}}},
				"NaN": []*grid.AOIAccumulator{{
					Areas: make(grid.AOIs, 2), Dwell: []float64{nan, nan, nan}, Fixations: []float64{nan, 1, 2}, FirstFixation: []float64{nan, nan},
					Transitions: slices.Repeat([]float64{nan}, 9), Visits: []float64{1, 1, 1},
				}},
			}
		},
		Run: func(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
			r, err := m.(AOI).Release(iter.Seq[*grid.AOIAccumulator](slices.Values(input.([]*grid.AOIAccumulator))), src)
			if err != nil {
				return mechanism.Output{}, err
			}
			return mechanism.Output{Values: r.Raw, Guarantee: r.Guarantee}, nil
		},
		Prepare: func(m mechanism.Mechanism) (mechanism.Runner, error) {
			a, err := m.(AOI).prepare()
			if err != nil {
				return nil, err
			}
			return func(input any, src *noise.Source) (mechanism.Output, error) {
				r, err := a.draw(slices.Values(input.([]*grid.AOIAccumulator)), src)
				if err != nil {
					return mechanism.Output{}, err
				}
				return mechanism.Output{Values: r.Raw, Guarantee: r.Guarantee}, nil
			}, nil
		},
		Zero: func(mechanism.Mechanism) any { return []*grid.AOIAccumulator{} },
		Pair: func(m mechanism.Mechanism) mechanism.Pair {
			never := math.NaN()
			areas := make(grid.AOIs, 2)
			a := &grid.AOIAccumulator{Areas: areas, Dwell: []float64{0, 0, 1}, Fixations: []float64{0, 0, 1}, FirstFixation: []float64{never, never}, Transitions: []float64{0, 0, 0, 0, 0, 0, 0, 0, 1}, Visits: []float64{0, 0, 1}}
			b := &grid.AOIAccumulator{Areas: areas, Dwell: []float64{1, 0, 0}, Fixations: []float64{1, 1, 0}, FirstFixation: []float64{0, 0}, Transitions: []float64{1, 0, 0, 0, 0, 0, 0, 0, 0}, Visits: []float64{1, 1, 0}, Order: []int{0, 1}}
			r, err := m.(AOI).resolve()
			if err != nil {
				return mechanism.Pair{}
			}
			x, y := make([]float64, r.len()), make([]float64, r.len())
			if r.vector(x, a) != nil || r.vector(y, b) != nil {
				return mechanism.Pair{}
			}
			return mechanism.Pair{A: []*grid.AOIAccumulator{a}, B: []*grid.AOIAccumulator{b}, Statistic: func(v []float64) float64 {
				s := 0.0
				for i := range v {
					s += (y[i] - x[i]) * v[i]
				}
				return s
			}}
		},
	}
}
