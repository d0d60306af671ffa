package mechanism

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// echo is a mechanism that keeps its parameters.
type echo struct{ Params }

func (echo) Guarantee() dp.Guarantee { return dp.Guarantee{} }
func (echo) Plan() Plan              { return Plan{} }

func spec() Spec {
	return Spec{
		Name: "test/echo",
		Fields: []Field{
			{Name: "number", Kind: Number, Default: "1.5"}, {Name: "maybe", Kind: Number, Optional: true},
			{Name: "count", Kind: Count, Default: "3"}, {Name: "count-maybe", Kind: Count, Optional: true},
			{Name: "time", Kind: Duration, Default: "500ms"}, {Name: "time-maybe", Kind: Duration, Optional: true},
			{Name: "length", Kind: Length, Default: "24px"}, {Name: "length-maybe", Kind: Length, Optional: true},
			{Name: "choice", Kind: Choice, Default: "a", Choices: []string{"a", "b"}}, {Name: "text", Kind: Text},
		},
		New: func(p Params) (Mechanism, error) { return echo{p.Collect()}, nil },
	}
}

func params(t *testing.T, values map[string]string) Params {
	t.Helper()
	m, err := spec().Build(values)
	if err != nil {
		t.Fatal(err)
	}
	return m.(echo).Params
}

func TestSpecNames(t *testing.T) {
	s := spec()
	if s.Product() != "test" || s.Short() != "echo" {
		t.Errorf("%q is %q and %q", s.Name, s.Product(), s.Short())
	}
	if _, ok := s.Field("count"); !ok {
		t.Error("a field is missing")
	}
	if _, ok := s.Field("counts"); ok {
		t.Error("a field too many")
	}
	_, err := s.Build(map[string]string{"numbr": "1"})
	if err == nil || !strings.HasPrefix(err.Error(), "test/echo: ") || !strings.Contains(err.Error(), `"numbr"`) {
		t.Errorf("an unknown parameter: %v", err)
	}
}

func TestParamsDefaults(t *testing.T) {
	p := params(t, nil)
	if v := p.Number("number"); v != 1.5 {
		t.Error(v)
	}
	if v := p.Number("maybe"); !math.IsNaN(v) {
		t.Errorf("an absent number is %v", v)
	}
	if p.Count("count") != 3 || p.Count("count-maybe") != 0 {
		t.Error("counts")
	}
	if p.Duration("time") != 500*time.Millisecond || p.Duration("time-maybe") != 0 {
		t.Error("durations")
	}
	if p.Pixels("length") != 24 || p.Pixels("length-maybe") != 0 || p.Length("length-maybe") != (gaze.Length{}) {
		t.Error("lengths")
	}
	if p.Text("choice") != "a" || p.Given("choice") {
		t.Error("choice")
	}
	if err := p.Err(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	if p.Text("text"); p.Err() == nil || p.Err().Error() != "test/echo: text must be given" {
		t.Errorf("a required text: %v", p.Err())
	}
}

func TestParamsErrors(t *testing.T) {
	read := map[string]func(Params){
		"number": func(p Params) { p.Number("number") }, "count": func(p Params) { p.Count("count") }, "time": func(p Params) { p.Duration("time") },
		"length": func(p Params) { p.Pixels("length") }, "choice": func(p Params) { p.Text("choice") },
	}
	for name, bad := range map[string][]string{
		"number": {"x", "NaN", "Inf", "-inf", "1e999", " 1", "1,5"},
		"count":  {"1.5", "-1", "x", "99999999999999999999", "0x10"},
		"time":   {"5", "-1s", "x", "1e99h"},
		"length": {"5", "x", "5furlongs", "1deg", "3%", "NaNpx"},
		"choice": {"c", "A", " a"},
	} {
		for _, v := range bad {
			p := params(t, map[string]string{name: v})
			read[name](p)
			err := p.Err()
			if err == nil || !strings.HasPrefix(err.Error(), "test/echo: "+name+" must be ") {
				t.Errorf("%s = %q: %v", name, v, err)
			}
		}
	}
	p := params(t, map[string]string{"number": "x", "count": "x"})
	p.Count("count")
	p.Number("number")
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "count") {
		t.Errorf("the first error does not stick: %v", err)
	}
	p = params(t, nil)
	if p.Number("nothing"); p.Err() == nil {
		t.Error("a mechanism may read a parameter that it does not list")
	}
}

// A release takes its guarantee from the plan and its source, and what is
// appended to its warnings stays its own.
func TestDraw(t *testing.T) {
	warnings := make([]error, 1, 4)
	warnings[0] = errors.New("few")
	p := Plan{Mechanism: "test/echo", Guarantee: dp.Guarantee{Measure: dp.Pure, Epsilon: 1}, Warnings: warnings}
	r := Draw(p, noise.Seeded(1))
	if _, void := r.Guarantee.Void(); !void {
		t.Errorf("seeded: %v", r.Guarantee)
	}
	if _, void := r.Plan.Guarantee.Void(); !void {
		t.Error("the plan of a seeded release holds")
	}
	if _, void := p.Guarantee.Void(); void {
		t.Error("drawing voided the plan")
	}
	if why, void := Draw(p, noise.Secure()).Guarantee.Void(); void {
		t.Errorf("secure: %s", why)
	}
	one, two := append(r.Warnings, errors.New("one")), append(Draw(p, noise.Secure()).Warnings, errors.New("two"))
	if one[1].Error() != "one" || two[1].Error() != "two" {
		t.Error("two releases share their warnings")
	}
}

func TestPlanJSON(t *testing.T) {
	b, err := json.Marshal(Plan{Guarantee: dp.Guarantee{Epsilon: 1}, Warnings: []error{errors.New("x")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"mechanism"`, `"calibration"`, `"guarantee":{"measure":"pure"`, `"noise":{"law"`, `"sensitivity":{"l1":0,"l2":0}`, `"expected":null`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
}

// Runner prepares where the suite can, and runs where it cannot.
func TestRunner(t *testing.T) {
	calls := ""
	s := Suite{Run: func(_ Mechanism, _ any, _ *noise.Source) (Output, error) {
		calls += "run "
		return Output{}, nil
	}}
	draw, err := s.Runner(echo{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draw(nil, nil); err != nil || calls != "run " {
		t.Error(calls, err)
	}
	broken := errors.New("broken")
	s.Prepare = func(Mechanism) (Runner, error) { return nil, broken }
	if _, err := s.Runner(echo{}); !errors.Is(err, broken) {
		t.Error(err)
	}
}
