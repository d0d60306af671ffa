package mechtest

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

func errorIsPanic(err error) bool { return errors.As(err, new(panicked)) }

// runOnce draws one release; a panic is an error.
func runOnce(spec mechanism.Spec, m mechanism.Mechanism, input any, src *noise.Source) (out mechanism.Output, err error) {
	defer recovered(&err)
	return spec.Suite.Run(m, input, src)
}

// oddInputs: run, or are refused by an error that does not quote them; leave
// finite numbers, and the input as it was.
func oddInputs(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	inputs, twins := spec.Suite.Inputs(m), spec.Suite.Inputs(m)
	if len(inputs) < 3 {
		return fmt.Errorf("the suite has %d odd inputs", len(inputs))
	}
	var errs []error
	fail := func(name, what string) { errs = append(errs, fmt.Errorf("input %q: %s", name, what)) }
	ran := 0
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		out, err := runOnce(spec, m, inputs[name], noise.Seeded(1))
		switch {
		case errorIsPanic(err):
			fail(name, err.Error())
		case err != nil && !room.MatchString(err.Error()):
			fail(name, fmt.Sprintf("error %q does not start with its room", err))
		case err == nil && len(out.Values) == 0:
			fail(name, "nothing was released")
		}
		if err == nil {
			ran++
		}
		for i, v := range out.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				fail(name, fmt.Sprintf("value %d is %v", i, v))
				break
			}
		}
		if d := cmp.Diff(snapshot(twins[name]), snapshot(inputs[name]), alike...); d != "" {
			fail(name, "the input was modified:\n"+d)
		}
	}
	if ran == 0 {
		errs = append(errs, errors.New("every input was refused"))
	}
	return errors.Join(errs...)
}

var alike = []cmp.Option{
	cmpopts.EquateNaNs(), cmp.Exporter(func(reflect.Type) bool { return true }),
}

// snapshot makes inputs comparable: a sequence of slices becomes a slice.
func snapshot(input any) any {
	if seq, ok := input.(iter.Seq[[]float64]); ok {
		var all [][]float64
		for v := range seq {
			all = append(all, slices.Clone(v))
		}
		return all
	}
	return input
}

// sources: a seed repeats a release bit for bit and voids it; the secure source
// does neither.
func sources(spec mechanism.Spec) error {
	m, err := build(spec)
	if err != nil {
		return err
	}
	var errs []error
	ran := 0
	inputs := spec.Suite.Inputs(m)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		input := inputs[name]
		if _, err := runOnce(spec, m, input, noise.Seeded(7)); err != nil {
			continue // oddInputs judges errors
		}
		if ran++; ran > 2 {
			break
		}
		if err := seeded(spec, m, input); err != nil {
			errs = append(errs, fmt.Errorf("input %q: %w", name, err))
		}
		if err := secure(spec, m, input); err != nil {
			errs = append(errs, fmt.Errorf("input %q: %w", name, err))
		}
	}
	if ran == 0 {
		errs = append(errs, errors.New("no input runs"))
	}
	return errors.Join(errs...)
}

func seeded(spec mechanism.Spec, m mechanism.Mechanism, input any) error {
	draw, err := spec.Suite.Runner(m)
	if err != nil {
		return err
	}
	var outs []mechanism.Output
	for range 2 {
		out, err := runOnce(spec, m, input, noise.Seeded(7))
		if err != nil {
			return err
		}
		prepared, err := draw(input, noise.Seeded(7))
		if err != nil {
			return err
		}
		outs = append(outs, out, prepared)
	}
	for _, out := range outs {
		if !sameBits(outs[0].Values, out.Values) {
			return errors.New("one seed gave two releases")
		}
		if _, void := out.Guarantee.Void(); !void {
			return fmt.Errorf("a seeded release promises %v", out.Guarantee)
		}
	}
	return nil
}

func secure(spec mechanism.Spec, m mechanism.Mechanism, input any) error {
	one, err := runOnce(spec, m, input, noise.Secure())
	if err != nil {
		return err
	}
	two, err := runOnce(spec, m, input, noise.Secure())
	if err != nil {
		return err
	}
	// Noise on a lattice may repeat by chance where the lattice is coarse.
	if noisy := m.Plan().Noise.Law != "none"; noisy && len(one.Values) > 0 && sameBits(one.Values, two.Values) {
		if third, err := runOnce(spec, m, input, noise.Secure()); err != nil || sameBits(one.Values, third.Values) {
			return errors.New("three releases from the secure source are the same")
		}
	}
	return equal("the guarantee of a secure release", m.Guarantee(), dp.Guarantee(one.Guarantee))
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
