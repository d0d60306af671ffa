package mechtest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func equal(what string, a, b any) error {
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("%s differs: %v and %v", what, a, b)
	}
	return nil
}

// guarantee is a function of the parameters: the same before and after
// releases of any input, and what a release carries.
func guarantee(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	before, planned := m.Guarantee(), m.Plan()
	if err := before.Validate(); err != nil {
		return err
	}
	draw, err := spec.Suite.Runner(m)
	if err != nil {
		return err
	}
	for name, input := range spec.Suite.Inputs(m) {
		if err := survives(draw, input); err != nil {
			return fmt.Errorf("input %q: %w", name, err)
		}
		if err := equal("the guarantee after input "+name, before, m.Guarantee()); err != nil {
			return err
		}
		if err := equal("the plan after input "+name, planned, m.Plan()); err != nil {
			return err
		}
	}
	again, err := build(spec)
	if err != nil {
		return err
	}
	return equal("the guarantee of the same parameters", before, again.Guarantee())
}

// survives reports a panic; errors are for oddInputs to judge.
func survives(draw mechanism.Runner, input any) (err error) {
	defer recovered(&err)
	_, _ = draw(input, noise.Seeded(1))
	return nil
}

func plan(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	return planOf(m, spec.Name)
}

// planOf checks that a plan is complete, that it can be written, and that its
// guarantee follows from its noise and sensitivity.
func planOf(m mechanism.Mechanism, name string) (err error) {
	defer recovered(&err)
	p := m.Plan()
	if b, err := json.Marshal(p); err != nil { // NaN and Inf have no JSON
		return fmt.Errorf("the plan cannot be written: %w", err)
	} else if strings.Contains(string(b), "Inf") || strings.Contains(string(b), "NaN") {
		return fmt.Errorf("the plan holds a number that is none: %s", b)
	}
	if err := p.Guarantee.Validate(); err != nil {
		return err
	}
	if p.Mechanism != name {
		return fmt.Errorf("the plan calls the mechanism %q", p.Mechanism)
	}
	if p.Calibration != mechanism.Published && p.Calibration != mechanism.Guaranteed {
		return fmt.Errorf("calibration %q is neither published nor guaranteed", p.Calibration)
	}
	if err := equal("the plan's guarantee", p.Guarantee, m.Guarantee()); err != nil {
		return err
	}
	return follows(p)
}

// follows: Δ/scale gives the guarantee, up to what calibration charges for
// tables and roundings.
func follows(p mechanism.Plan) error {
	const slack = 1 + 1e-6
	g, n, s := p.Guarantee, p.Noise, p.Sensitivity
	if n.Law == "none" {
		if _, void := g.Void(); !void {
			return fmt.Errorf("a release without noise promises %v", g)
		}
		return nil
	}
	for what, v := range map[string]float64{"scale": n.Scale, "deviation": n.Sigma, "L1 sensitivity": s.L1, "L2 sensitivity": s.L2} {
		if !(v > 0) {
			return fmt.Errorf("%s is %v", what, v)
		}
	}
	if s.L2 > s.L1*slack {
		return fmt.Errorf("L2 sensitivity %v exceeds L1 sensitivity %v", s.L2, s.L1)
	}
	if n.Grid < 0 {
		return fmt.Errorf("grid is %v", n.Grid)
	}
	switch {
	case g.Mu > 0 && g.Measure == dp.Approximate:
		if mu := s.L2 / n.Scale; mu > g.Mu*slack || dp.GaussianDelta(g.Mu/slack, g.Epsilon) > g.Delta*slack {
			return fmt.Errorf("sensitivity over noise Δ₂/σ = %v does not give %v (μ = %v)", mu, g, g.Mu)
		}
	case g.Measure == dp.Pure && n.Law == laplaceLaw:
		if eps := s.L1 / n.Scale; eps > g.Epsilon*slack || math.IsNaN(eps) {
			return fmt.Errorf("sensitivity over noise Δ₁/b = %v does not give %v", eps, g)
		}
	}
	return nil
}
