package population_test

import (
	"testing"

	"github.com/gazeward/gazeward/mechanism/mechtest"
	"github.com/gazeward/gazeward/mechanism/synth/population"
)

func TestSpecs(t *testing.T) {
	for _, spec := range population.Specs() {
		t.Run(spec.Short(), func(t *testing.T) { mechtest.Run(t, spec) })
	}
}
