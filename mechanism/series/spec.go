package series

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Mechanism is what the mechanisms of recordings have in common.
type Mechanism interface {
	mechanism.Mechanism
	Check() error
	Accepts(recordings []Signals) error
	Release(recordings []Signals, src *noise.Source) (*Release, error)
}

// Specs lists the mechanisms of this room, the default first.
func Specs() []mechanism.Spec {
	return []mechanism.Spec{gaussianSpec(), laplaceSpec(LPA), laplaceSpec(FPA), laplaceSpec(CFPA), laplaceSpec(DCFPA), laplaceSpec(Steil), meanSpec()}
}

var (
	fieldEpsilon = mechanism.Field{Name: "epsilon", Kind: mechanism.Number, Doc: "privacy loss ε of everything released of one unit"}
	fieldDelta   = mechanism.Field{Name: "delta", Kind: mechanism.Number, Default: "1e-06", Doc: "δ: probability that ε fails"}
	fieldBounds  = []mechanism.Field{
		{Name: "lower", Kind: mechanism.Text, Optional: true, Doc: "public lower bound: one for all signals, or one each, comma-separated"},
		{Name: "upper", Kind: mechanism.Text, Optional: true, Doc: "public upper bound, likewise"},
	}
	fieldChunk        = mechanism.Field{Name: "chunk", Kind: mechanism.Count, Default: "32", Unit: "windows", Doc: "length of a chunk"}
	fieldCoefficients = mechanism.Field{Name: "coefficients", Kind: mechanism.Count, Optional: true, Doc: "k: the mean and the k−1 slowest frequencies are kept; default from public numbers"}
	fieldCalibration  = mechanism.Field{Name: "calibration", Kind: mechanism.Choice, Default: mechanism.Guaranteed, Choices: []string{mechanism.Guaranteed, mechanism.Published}, Doc: "published reads sensitivities off the data, as printed in the paper: void"}
	fieldChoose       = mechanism.Field{Name: "choose", Kind: mechanism.Choice, Default: "public", Choices: choiceNames, Doc: "where k comes from: public, paid for with a tenth of ε, or the data (void)"}
	fieldTransform    = mechanism.Field{Name: "transform", Kind: mechanism.Choice, Default: "cosine", Choices: transformNames, Doc: "orthonormal coordinates"}
	fieldClip         = mechanism.Field{Name: "clip", Kind: mechanism.Number, Default: "1", Doc: "norm that is kept, as a share of the largest possible"}
	fieldGaps         = mechanism.Field{Name: "gaps", Kind: mechanism.Choice, Default: "refuse", Choices: gapNames, Doc: "windows without a value: refuse, or interpolate inside the chunk"}
	fieldWindows      = []mechanism.Field{
		{Name: "window", Kind: mechanism.Duration, Default: "30s", Doc: "length of the features' windows"},
		{Name: "step", Kind: mechanism.Duration, Default: "500ms", Doc: "time between windows"},
		{Name: "gaze", Kind: mechanism.Duration, Default: "1s", Doc: "seconds of gaze that a plan states the guarantee for besides"},
	}
)

func cutFields(units ...string) []mechanism.Field {
	return slices.Concat([]mechanism.Field{
		{Name: "features", Kind: mechanism.Count, Default: "1", Unit: "signals", Doc: "signals of a recording that are released"},
		{Name: "length", Kind: mechanism.Count, Unit: "windows", Doc: "windows of the longest recording"},
		{Name: "recordings", Kind: mechanism.Count, Default: "1", Doc: "most tables of one subject: every trial of every session counts"},
		{Name: "trials", Kind: mechanism.Count, Default: "1", Doc: "most tables of one recording, which is a session"},
		{Name: "unit", Kind: mechanism.Choice, Default: "subject", Choices: units, Doc: "unit of privacy"},
	}, fieldWindows, fieldBounds, []mechanism.Field{fieldGaps})
}

func laplaceSpec(m Method) mechanism.Spec {
	s := mechanism.Spec{Name: "series/" + m.String(), Source: "Bozkir et al. 2021 (published); gazeward, mechanism/series/PROOF.md (guaranteed)"}
	units := []string{"subject", "recording"}
	var own []mechanism.Field
	params := map[string]string{"epsilon": "1", "length": "4", "lower": "0", "upper": "1"}
	bad := []map[string]string{{"unit": "chunk"}, {"epsilon": "1e-30"}}
	switch m {
	case LPA:
		s.Summary = "Laplace noise on every value"
		params["length"] = "2"
	case Steil:
		s.Summary = "Laplace noise on one randomly kept window per block"
		s.Source = "Steil et al. 2019 (published); gazeward, mechanism/series/PROOF.md (guaranteed)"
		own = []mechanism.Field{{Name: "block", Kind: mechanism.Count, Default: "10", Unit: "windows", Doc: "windows of which one is kept"}}
		params["block"], bad = "2", append(bad, map[string]string{"block": "9999999"})
	case FPA:
		s.Summary = "Laplace noise on the slowest frequencies of the whole recording"
		own = []mechanism.Field{fieldCoefficients, fieldChoose}
		params["coefficients"] = "2"
	case CFPA, DCFPA:
		s.Summary = "Laplace noise on the slowest frequencies of chunks"
		if m == DCFPA {
			s.Summary = "Laplace noise on the slowest frequencies of differences inside chunks, summed up again"
		}
		own, units = []mechanism.Field{fieldChunk, fieldCoefficients, fieldChoose}, append(units, "chunk")
		params["chunk"], params["unit"], params["coefficients"], bad = "4", "chunk", "2", []map[string]string{{"chunk": "0"}, {"epsilon": "1e-30"}}
	}
	if m.kind() != plain {
		bad = append(bad, map[string]string{"coefficients": "4"}, map[string]string{"choose": "paid", "calibration": "published"})
	}
	s.Fields = slices.Concat([]mechanism.Field{fieldEpsilon}, own, cutFields(units...), []mechanism.Field{fieldCalibration})
	s.New = func(p mechanism.Params) (mechanism.Mechanism, error) { return newLaplace(m, p) }
	s.Suite = suite(params, bad)
	if m.chunked() {
		s.Suite.Faults = []mechanism.Fault{atSubjectLevel(m)}
	}
	return s
}

func newLaplace(method Method, p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Laplace{
		Method: method, Epsilon: p.Number("epsilon"), Cut: cut(p), Published: p.Text("calibration") == mechanism.Published,
		Gaps: Gaps(pick(p, "gaps", gapNames)),
	}
	if method.kind() != plain {
		m.Coefficients, m.Choose = p.Count("coefficients"), Choice(pick(p, "choose", choiceNames))
	}
	switch {
	case method.chunked():
		m.Cut.Chunk = p.Count("chunk")
	case method == Steil:
		m.Block = p.Count("block")
	}
	var err error
	if m.Bounds, err = bounds(p); err != nil {
		return nil, err
	}
	return m, check(p, m.Check())
}

func gaussianSpec() mechanism.Spec {
	chunk := fieldChunk
	chunk.Default, chunk.Optional, chunk.Doc = "", true, "length of a chunk; default the whole recording"
	return mechanism.Spec{
		Name: "series/gaussian", Source: "gazeward, mechanism/series/PROOF.md",
		Summary: "one Gaussian on the slowest coordinates of all signals of the unit together",
		Fields: slices.Concat([]mechanism.Field{fieldEpsilon, fieldDelta, chunk, fieldCoefficients, fieldTransform, fieldClip},
			cutFields("subject", "recording", "chunk")),
		New: newGaussian,
		Suite: suite(map[string]string{"epsilon": "1", "delta": "1e-3", "chunk": "4", "length": "8", "features": "2", "coefficients": "2", "lower": "0,-1", "upper": "1,0"},
			[]map[string]string{{"delta": "0"}, {"delta": "1"}, {"clip": "0"}, {"clip": "1.5"}, {"coefficients": "4"}, {"chunk": "", "unit": "chunk"}}),
	}
}

func newGaussian(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Gaussian{
		Epsilon: p.Number("epsilon"), Delta: p.Number("delta"), Cut: cut(p), Coefficients: p.Count("coefficients"),
		Transform: Transform(pick(p, "transform", transformNames)), Clip: clip(p), Gaps: Gaps(pick(p, "gaps", gapNames)),
	}
	m.Cut.Chunk = p.Count("chunk")
	var err error
	if m.Bounds, err = bounds(p); err != nil {
		return nil, err
	}
	return m, check(p, m.Check())
}

func meanSpec() mechanism.Spec {
	fields := slices.DeleteFunc(cutFields("subject", "recording"), func(f mechanism.Field) bool {
		return f.Name == "recordings" || f.Name == "trials" || f.Name == "unit" || f.Name == "gaze"
	})
	s := mechanism.Spec{
		Name: "series/mean", Source: "gazeward, mechanism/series/PROOF.md",
		Summary: "mean signals over the subjects of each condition",
		Fields: slices.Concat([]mechanism.Field{fieldEpsilon, fieldDelta,
			{Name: "subjects", Kind: mechanism.Count, Unit: "people", Doc: "enrolled subjects n; public"},
			{Name: "conditions", Kind: mechanism.Count, Default: "1", Doc: "conditions that have a mean each"},
			{Name: "chunk", Kind: mechanism.Count, Optional: true, Unit: "windows", Doc: "length of a chunk; default the whole mean"},
			fieldCoefficients, fieldTransform, fieldClip}, fields),
		New: newMean,
		Suite: suite(map[string]string{"epsilon": "1", "delta": "1e-3", "subjects": "3", "length": "4", "coefficients": "2", "lower": "0", "upper": "1"},
			[]map[string]string{{"subjects": "0"}, {"delta": "1"}, {"clip": "2"}, {"coefficients": "4"}}),
	}
	s.Suite.Run = runMean
	s.Suite.Zero = func(mechanism.Mechanism) any { return []Signals{} }
	return s
}

func newMean(p mechanism.Params) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := Mean{
		Epsilon: p.Number("epsilon"), Delta: p.Number("delta"), Subjects: p.Count("subjects"), Conditions: p.Count("conditions"),
		Cut:          Cut{Features: p.Count("features"), Length: p.Count("length"), Chunk: p.Count("chunk"), Window: p.Duration("window"), Step: p.Duration("step")},
		Coefficients: p.Count("coefficients"), Transform: Transform(pick(p, "transform", transformNames)), Clip: clip(p), Gaps: Gaps(pick(p, "gaps", gapNames)),
	}
	var err error
	if m.Bounds, err = bounds(p); err != nil {
		return nil, err
	}
	return m, check(p, m.Check())
}

func check(p mechanism.Params, err error) error {
	if first := p.Err(); first != nil {
		return first
	}
	return err
}

func cut(p mechanism.Params) Cut {
	u, _ := dp.ParseUnit(p.Text("unit"))
	return Cut{
		Features: p.Count("features"), Length: p.Count("length"), Recordings: p.Count("recordings"), Trials: p.Count("trials"), Unit: u,
		Window: p.Duration("window"), Step: p.Duration("step"), Gaze: p.Duration("gaze"),
	}
}

// clip keeps a zero that was typed from meaning the default.
func clip(p mechanism.Params) float64 {
	if v := p.Number("clip"); v != 0 {
		return v
	}
	return math.NaN()
}

func pick(p mechanism.Params, name string, names []string) int {
	return max(0, slices.Index(names, p.Text(name)))
}

// bounds reads the lists of lower and upper bounds.
func bounds(p mechanism.Params) ([]Bounds, error) {
	lower, upper := p.Text("lower"), p.Text("upper")
	if lower == "" && upper == "" {
		return nil, nil
	}
	lo, hi := strings.Split(lower, ","), strings.Split(upper, ",")
	if len(lo) != len(hi) {
		return nil, fmt.Errorf("series: there must be as many lower as upper bounds, got %d and %d", len(lo), len(hi))
	}
	list := make([]Bounds, len(lo))
	for i := range lo {
		var errs [2]error
		list[i].Lo, errs[0] = strconv.ParseFloat(strings.TrimSpace(lo[i]), 64)
		list[i].Hi, errs[1] = strconv.ParseFloat(strings.TrimSpace(hi[i]), 64)
		if errs[0] != nil || errs[1] != nil {
			return nil, fmt.Errorf("series: lower and upper must be numbers or lists of numbers like 0,0,-1, got %.40q and %.40q", lo[i], hi[i])
		}
	}
	return list, nil
}
