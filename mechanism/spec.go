package mechanism

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Kind is what a parameter's text must be.
type Kind uint8

// Kinds of parameters.
const (
	Number   Kind = iota // 0.5
	Count                // 12
	Duration             // 500ms, 30s
	Length               // 50px, 2deg, 5%
	Choice               // one of Field.Choices
	Text
)

// Field is one parameter of a mechanism: a flag of the command line, a control
// of the studio's form.
type Field struct {
	Name    string // as the flag is called, without dashes
	Kind    Kind
	Unit    string // unit of a Number or Count in words; empty = none
	Default string // empty = must be given, unless Optional
	Choices []string
	Doc     string
	// Optional fields may stay empty; the mechanism then chooses from the
	// others, and says what in Plan.Parameters.
	Optional bool
}

// Spec is a mechanism as a value, to be chosen by name.
type Spec struct {
	Name    string // product/mechanism, for example heatmap/halfblur
	Summary string
	Source  string // paper and theorem, or "gazeward" with the proof's place
	Fields  []Field
	New     func(Params) (Mechanism, error)
	Suite   Suite
}

// Product is the part of the name before the slash: heatmap, aoi, series.
func (s Spec) Product() string { product, _, _ := strings.Cut(s.Name, "/"); return product }

// Short is the part of the name after the slash.
func (s Spec) Short() string { _, short, _ := strings.Cut(s.Name, "/"); return short }

// Build makes the mechanism from texts, refusing names the Spec does not have.
func (s Spec) Build(values map[string]string) (Mechanism, error) {
	p := Params{spec: s, values: values}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := s.Field(name); !ok {
			return nil, fmt.Errorf("%s: there is no parameter %q", s.Name, name)
		}
	}
	return s.New(p)
}

// Field returns the field of that name.
func (s Spec) Field(name string) (Field, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Suite is what the conformance suite and the audit run a mechanism on. The
// inputs are of the type that Run expects.
type Suite struct {
	Params map[string]string // small enough for 10⁵ runs in seconds
	// Bad lists parameters that New must refuse, each on top of Params.
	Bad []map[string]string
	// Inputs makes every odd input that must not break the mechanism, by name.
	Inputs func(Mechanism) map[string]any
	// Run draws one release and returns its numbers before post-processing.
	Run func(m Mechanism, input any, src *noise.Source) (Output, error)
	// Prepare does once what Run does anew for every release, such as building
	// noise tables; nil = there is nothing to prepare.
	Prepare func(m Mechanism) (Runner, error)
	// Zero is an input whose release is nothing but noise; nil, or nil for a
	// mechanism = there is none.
	Zero func(Mechanism) any
	// Pair is a worst case of two neighbouring inputs; nil, or without a Statistic
	// for a mechanism = no claim to audit.
	Pair func(Mechanism) Pair
	// Faults are claims in the literature that do not hold, each with a draw that
	// shows it: audits refute them.
	Faults []Fault
}

// Fault is a claim that does not hold. The guarantee of whatever makes it is
// void.
type Fault struct {
	Name  string       // what is wrong
	Claim dp.Guarantee // with the nominal parameters; void
	// Composed is what does hold on the same draw; zero = nothing is stated.
	Composed dp.Guarantee
	// Prepare returns the number that tells two neighbours apart, false for the
	// one and true for the other: a fresh release every time it is called. It is
	// safe for concurrent use with one source per goroutine.
	Prepare func() (func(side bool, src *noise.Source) (float64, error), error)
}

// Runner draws one release of a prepared mechanism. It is safe for concurrent
// use with one source per goroutine.
type Runner func(input any, src *noise.Source) (Output, error)

// Runner is Run for one mechanism, prepared for many releases.
func (s Suite) Runner(m Mechanism) (Runner, error) {
	if s.Prepare != nil {
		return s.Prepare(m)
	}
	return func(input any, src *noise.Source) (Output, error) { return s.Run(m, input, src) }, nil
}

// Output is a release as the suite sees it.
type Output struct {
	Values    []float64 // in the unit of Plan().Noise
	Guarantee dp.Guarantee
}

// Pair is two neighbouring inputs and the statistic that tells them apart
// best; it is larger for B.
type Pair struct {
	A, B      any
	Statistic func([]float64) float64
	// Never names values of the statistic that A cannot give whatever the
	// randomness: their frequency on B is a leak. nil = there are none.
	Never func(float64) bool
}

// Draw is a draw of a statistic of what is released for the pair: for B where
// side is true, for A otherwise. It is what an audit asks for.
func (p Pair) Draw(run Runner, of func([]float64) float64) func(side bool, src *noise.Source) (float64, error) {
	return func(side bool, src *noise.Source) (float64, error) {
		input := p.A
		if side {
			input = p.B
		}
		out, err := run(input, src)
		if err != nil {
			return 0, err
		}
		return of(out.Values), nil
	}
}

// Params reads a mechanism's parameters. The first error sticks, so that New
// can read all of them and check Err once.
type Params struct {
	spec   Spec
	values map[string]string
	err    *error
}

// Collect returns a copy of p that remembers its first error, for Err.
func (p Params) Collect() Params { p.err = new(error); return p }

// Err is the first error met by a copy made with Collect.
func (p Params) Err() error { return *p.err }

// Given reports whether the parameter was given, not left to its default.
func (p Params) Given(name string) bool { return p.values[name] != "" }

// Text returns the parameter's text or its default.
func (p Params) Text(name string) string {
	f, ok := p.spec.Field(name)
	if !ok {
		p.fail(name, "is not a parameter of this mechanism")
		return ""
	}
	v := p.values[name]
	if v == "" {
		v = f.Default
	}
	if v == "" && !f.Optional {
		p.fail(name, "must be given")
	}
	if f.Kind == Choice && v != "" && !slices.Contains(f.Choices, v) {
		p.fail(name, fmt.Sprintf("must be one of %s, got %q", strings.Join(f.Choices, ", "), v))
	}
	return v
}

// Number returns a number; NaN when an optional one is absent.
func (p Params) Number(name string) float64 {
	v := p.Text(name)
	if v == "" {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		p.fail(name, fmt.Sprintf("must be a finite number, got %q", v))
	}
	return x
}

// Count returns a whole number; 0 when an optional one is absent.
func (p Params) Count(name string) int {
	v := p.Text(name)
	if v == "" {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		p.fail(name, fmt.Sprintf("must be a whole number of at least 0, got %q", v))
	}
	return n
}

// Duration returns a duration; 0 when an optional one is absent.
func (p Params) Duration(name string) time.Duration {
	v := p.Text(name)
	if v == "" {
		return 0
	}
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 {
		p.fail(name, fmt.Sprintf("must be a duration like 500ms or 30s, got %q", v))
	}
	return d
}

// Length returns a length; the zero Length when an optional one is absent.
func (p Params) Length(name string) gaze.Length {
	v := p.Text(name)
	if v == "" {
		return gaze.Length{}
	}
	l, err := gaze.ParseLength(v)
	if err != nil {
		p.fail(name, fmt.Sprintf("must be a length like 24px, 1deg or 3%%, got %q", v))
	}
	return l
}

// Pixels returns a length that must be given in pixels; 0 when absent.
func (p Params) Pixels(name string) float64 {
	l := p.Length(name)
	if l.Unit != gaze.LengthPixels {
		p.fail(name, "must be resolved to pixels first, got "+l.String())
	}
	return l.Value
}

func (p Params) fail(name, why string) {
	if p.err != nil && *p.err == nil {
		*p.err = fmt.Errorf("%s: %s %s", p.spec.Name, name, why)
	}
}
