package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gazeward/gazeward/mechanism"
)

// steps is a product that notes what is asked of it and how many charges the
// ledger then holds, and fails where it is told to.
type steps struct {
	t     *testing.T
	lab   *lab
	spec  mechanism.Spec
	fails string
	seen  []string
}

var errStep = errors.New("as it was told to")

func (s *steps) at(name string) error {
	s.seen = append(s.seen, fmt.Sprintf("%s %d", name, len(s.lab.entries(s.t))))
	if name == s.fails {
		return errStep
	}
	return nil
}

func (s *steps) Precheck() error { return s.at("precheck") }

func (s *steps) promise(context.Context) (mechanism.Mechanism, error) {
	if err := s.at("promise"); err != nil {
		return nil, err
	}
	return s.spec.Build(map[string]string{"epsilon": "1", "delta": "1e-3", "subjects": "5", "width": "320", "height": "240"})
}

func (s *steps) about() (mechanism.Spec, []string) { return s.spec, []string{"hill"} }

func (s *steps) shape(context.Context) error { return s.at("shape") }

func (s *steps) what() string { return "steps" }

func (s *steps) release(context.Context, *staging, *till) (*Release, error) {
	return &Release{}, s.at("release")
}

// TestWalkOrder: the data are read before the charge, nothing is drawn before
// it, and what fails costs only what was charged.
func TestWalkOrder(t *testing.T) {
	all := []string{"precheck 0", "promise 0", "shape 0", "release 1"}
	for i, fails := range []string{"precheck", "promise", "shape", "release", "nothing"} {
		l := newLab(t)
		l.table(t, "recordings.csv", 5)
		s := &steps{t: t, lab: l, spec: spec(t, "heatmap", "halfblur"), fails: fails}
		j := l.job(t)
		_, err := j.walk(t.Context(), s)
		if want := all[:min(i+1, len(all))]; !slices.Equal(s.seen, want) {
			t.Errorf("failing at %s: walked %v, want %v", fails, s.seen, want)
		}
		var charged *ChargedError
		if errors.Is(err, errStep) != (fails != "nothing") || errors.As(err, &charged) != (fails == "release") {
			t.Errorf("failing at %s: %v", fails, err)
		}
		want := 0
		if fails == "release" || fails == "nothing" {
			want = 1
		}
		if n := len(l.entries(t)); n != want {
			t.Errorf("failing at %s: %d charges, want %d", fails, n, want)
		}
		if left := l.leftovers(t); len(left) > 0 {
			t.Errorf("failing at %s: left behind %v", fails, left)
		}
	}
}
