// Package mechtest is the test room of mechanisms: what every [mechanism.Spec]
// must keep, whatever it does.
//
// [Run] builds the mechanism from Spec.Suite.Params and puts it through the
// checks below, each a subtest. Sources are seeded, so a verdict is the same in
// every run; every statistical check was wrong about a right mechanism with
// probability at most 1e-6 when its seed was chosen, and says no to the same
// noise at 0.7 times its scale, or it fails for want of power.
package mechtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gazeward/gazeward/mechanism"
)

// Check is one thing that every Spec must keep.
type Check struct {
	Name string
	Of   func(mechanism.Spec) error
}

// Skipped wraps why a check does not apply to a Spec.
type Skipped struct{ Why string }

func (s Skipped) Error() string { return s.Why }

// Checks lists the suite.
func Checks() []Check {
	return []Check{
		{"fields", fields},
		{"bad parameters", badParameters},
		{"any parameters", anyParameters},
		{"guarantee", guarantee},
		{"plan", plan},
		{"odd inputs", oddInputs},
		{"sources", sources},
		{"law of the noise", law},
		{"lattice", lattice},
		{"audit", claims},
	}
}

// Run is the conformance suite of one Spec.
func Run(t *testing.T, spec mechanism.Spec) {
	t.Helper()
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			err := c.Of(spec)
			var skipped Skipped
			if errors.As(err, &skipped) {
				t.Skip(skipped.Why)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// build makes the mechanism of the Spec's own Params.
func build(spec mechanism.Spec) (mechanism.Mechanism, error) {
	m, err := buildWith(spec, spec.Suite.Params)
	if err != nil {
		return nil, fmt.Errorf("the suite's own parameters are refused: %w", err)
	}
	return m, nil
}

// buildWith is Spec.Build with a panic as an error.
func buildWith(spec mechanism.Spec, values map[string]string) (m mechanism.Mechanism, err error) {
	defer recovered(&err)
	return spec.Build(values)
}

// panicked is a panic of the mechanism.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = panicked{r}
	}
}
