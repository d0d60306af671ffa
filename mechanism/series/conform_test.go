package series_test

import (
	"testing"

	"github.com/gazeward/gazeward/mechanism/mechtest"
	"github.com/gazeward/gazeward/mechanism/series"
)

func TestConformance(t *testing.T) {
	for _, spec := range series.Specs() {
		t.Run(spec.Name, func(t *testing.T) { mechtest.Run(t, spec) })
	}
}
