package anonymity_test

import (
	"testing"

	"github.com/gazeward/gazeward/mechanism/anonymity"
	"github.com/gazeward/gazeward/mechanism/mechtest"
)

func TestSpecs(t *testing.T) {
	for _, s := range anonymity.Specs() {
		t.Run(s.Short(), func(t *testing.T) { mechtest.Run(t, s) })
	}
}
