package synth

import (
	"testing"

	"github.com/gazeward/gazeward/mechanism/mechtest"
)

func TestSpecs(t *testing.T) {
	for _, s := range Specs() {
		t.Run(s.Short(), func(t *testing.T) { mechtest.Run(t, s) })
	}
}
