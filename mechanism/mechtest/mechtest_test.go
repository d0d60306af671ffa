package mechtest

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gazeward/gazeward/calibrate"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// mean is the smallest right mechanism: two means of n values clamped to
// [0, 1], with Laplace noise. fault makes it wrong in one way.
type mean struct {
	epsilon float64
	n       int
	fault   string
	seen    *atomic.Int64 // runs so far, for faults with a memory
	sampler func() *noise.Sampler
}

const steps = 1 << 20 // of the lattice in one sensitivity

func (m mean) Guarantee() dp.Guarantee {
	g := dp.Guarantee{Measure: dp.Pure, Epsilon: m.epsilon, Unit: dp.Subject}
	switch {
	case m.fault == "guarantee follows the data":
		g.Epsilon /= 1 + float64(m.seen.Load())
	case m.fault == "guarantee is none":
		g.Epsilon = -1
	case m.fault == "void":
		return g.Voided("for a test")
	}
	return g
}

func (m mean) Plan() mechanism.Plan {
	unit := 1 / float64(m.n) / steps
	b := 2 * steps / m.epsilon
	p := mechanism.Plan{
		Mechanism: "test/mean", Calibration: mechanism.Guaranteed, Guarantee: m.Guarantee(),
		Noise:       mechanism.Noise{Law: laplaceLaw, Scale: b * unit, Sigma: math.Sqrt2 * b * unit, Grid: unit},
		Sensitivity: mechanism.Sensitivity{L1: 2 * steps * unit, L2: math.Sqrt2 * steps * unit},
	}
	switch m.fault {
	case "plan has no number":
		p.Sensitivity.L1 = math.Inf(1)
	case "plan promises too much":
		p.Sensitivity.L1 *= 2
	case "plan is nameless":
		p.Mechanism = ""
	case "plan is of an unknown law":
		p.Noise.Law = "triangular"
	}
	return p
}

func (m mean) draw(input any, src *noise.Source) (mechanism.Output, error) {
	m.seen.Add(1)
	values := input.([]float64)
	if len(values) == 0 && m.fault == "panics on data" {
		_ = values[0]
	}
	if len(values) > m.n {
		return mechanism.Output{}, m.tooMany()
	}
	g := m.Guarantee().DrawnFrom(src)
	switch m.fault {
	case "seeded is not void":
		g = m.Guarantee()
	case "ignores the seed":
		src = noise.Secure()
	case "ignores the secure source":
		src = noise.Seeded(3)
	}
	sum := int64(0)
	for i, v := range values {
		if m.fault == "modifies the input" {
			values[i] = 0
		}
		sum += int64(math.Min(math.Max(m.clean(v), 0), m.top()) * steps)
	}
	out := mechanism.Output{Values: m.noisy(sum, src), Guarantee: g}
	if m.fault == "infinite output" {
		out.Values[0] = math.Inf(1)
	}
	return out, nil
}

func (m mean) tooMany() error {
	if m.fault == "error without a room" {
		return errors.New("Too many values")
	}
	return errors.New("test: more values than subjects")
}

func (m mean) clean(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

func (m mean) top() float64 {
	if m.fault == "clamps too late" {
		return 2
	}
	return 1
}

// table is the noise's, of two sensitivities: each of the two means may move.
func (m mean) table() *noise.Sampler {
	b, err := calibrate.Laplace(m.epsilon, 2*steps)
	if err != nil {
		panic(err)
	}
	switch m.fault {
	case "0.7 times the noise":
		b *= 0.7
	case "0.95 times the noise":
		b *= 0.95
	}
	s, err := noise.NewLaplace(b)
	if m.fault == "another law" {
		s, err = noise.NewGaussian(math.Sqrt2 * b)
	}
	if err != nil {
		panic(err)
	}
	return s
}

func (m mean) noisy(sum int64, src *noise.Source) []float64 {
	one, two := m.sampler().Draw(src), m.sampler().Draw(src)
	if m.fault == "one noise for both" {
		two = one
	}
	off := 0.0
	if m.fault == "off the lattice" {
		off = 0.25
	}
	unit := 1 / float64(m.n) / steps
	return []float64{(float64(sum+one) + off) * unit, (float64(sum+two) + off) * unit}
}

func spec(fault string) mechanism.Spec {
	s := mechanism.Spec{
		Name: "test/mean", Summary: "two means", Source: "this file",
		Fields: []mechanism.Field{
			{Name: "epsilon", Kind: mechanism.Number, Doc: "ε"},
			{Name: "subjects", Kind: mechanism.Count, Doc: "n", Default: "4"},
			{Name: "unit", Kind: mechanism.Choice, Default: "subject", Choices: []string{"subject", "recording"}, Doc: "unit"},
		},
		New: func(p mechanism.Params) (mechanism.Mechanism, error) { return newMean(p, fault) },
	}
	s.Suite = mechanism.Suite{
		Params: map[string]string{"epsilon": "1"},
		Bad:    []map[string]string{{"epsilon": "0"}, {"epsilon": "-1"}, {"subjects": "0"}, {"unit": "window"}},
		Inputs: func(mechanism.Mechanism) map[string]any {
			return map[string]any{
				"nobody": []float64{}, "NaN": []float64{math.NaN()}, "huge": []float64{1e308, -1e308}, "one": []float64{0.5},
				"too many": make([]float64, 5),
			}
		},
		Run: func(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
			return m.(mean).draw(input, src)
		},
		Zero: func(mechanism.Mechanism) any { return []float64{} },
		Pair: func(mechanism.Mechanism) mechanism.Pair {
			// Both means move; the smaller of the two noises decides.
			return mechanism.Pair{A: []float64{0, 1, 0, 1}, B: []float64{2, 1, 0, 1}, Statistic: func(v []float64) float64 { return v[0] + v[1] }}
		},
	}
	return s
}

func newMean(p mechanism.Params, fault string) (mechanism.Mechanism, error) {
	p = p.Collect()
	m := mean{epsilon: p.Number("epsilon"), n: p.Count("subjects"), fault: fault, seen: new(atomic.Int64)}
	p.Text("unit")
	if err := p.Err(); err != nil {
		return nil, err
	}
	switch {
	case fault == "accepts anything":
	case fault == "panics on parameters" && m.n == 0:
		panic("division by zero")
	case fault == "error names nothing" && m.n == 0:
		return nil, errors.New("test: wrong")
	case !(m.epsilon >= 1e-6 && m.epsilon <= 1e6):
		return nil, fmt.Errorf("test: epsilon must lie between 1e-6 and 1e6, got %v", m.epsilon)
	case m.n < 1 || m.n > 1e6:
		return nil, fmt.Errorf("test: subjects must lie between 1 and 1e6, got %v", m.n)
	}
	m.sampler = sync.OnceValue(m.table)
	return m, nil
}

func TestRightMechanismPasses(t *testing.T) {
	Run(t, spec(""))
}

func TestEveryFaultIsFound(t *testing.T) {
	for fault, check := range map[string]string{
		"accepts anything": "bad parameters", "panics on parameters": "bad parameters", "error names nothing": "bad parameters",
		"guarantee follows the data": "guarantee", "guarantee is none": "guarantee",
		"plan has no number": "plan", "plan promises too much": "plan", "plan is nameless": "plan", "plan is of an unknown law": "law of the noise",
		"panics on data": "odd inputs", "modifies the input": "odd inputs", "infinite output": "odd inputs", "error without a room": "odd inputs",
		"ignores the seed": "sources", "ignores the secure source": "sources", "seeded is not void": "sources",
		"0.7 times the noise": "law of the noise", "0.95 times the noise": "law of the noise", "another law": "law of the noise",
		"one noise for both": "law of the noise",
		"off the lattice":    "lattice",
		"clamps too late":    "audit",
	} {
		t.Run(fault, func(t *testing.T) {
			s := spec(fault)
			for _, c := range Checks() {
				if c.Name != check {
					continue
				}
				err := c.Of(s)
				if err == nil || errors.As(err, new(Skipped)) {
					t.Errorf("%s did not find it: %v", check, err)
				}
			}
		})
	}
}

// A void claim is not audited here: rooms show theirs falsified themselves.
func TestVoidClaimsAreSkipped(t *testing.T) {
	if err := claims(spec("void")); !errors.As(err, new(Skipped)) {
		t.Errorf("a void claim was judged: %v", err)
	}
}
