//go:build slow

package synth

import (
	"testing"

	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// TestMovesAtAHundredThousandWindows: ε₃ = 0.6 on a 30 × 30 grid.
func TestMovesAtAHundredThousandWindows(t *testing.T) {
	for name, scene := range map[string]simulate.Scene{"viewing": simulate.ShopWindow(), "reading": simulate.TextPage()} {
		m := DPGazeSynth{Epsilon: 3, Area: Area{Width: scene.Width, Height: scene.Height}, Radius: 48}
		windows := windowsOf(t, m, people(t, 1667, 30, scene))
		m.Total = len(windows)
		truth := trueMoves(m, windows)
		for seed := range uint64(5) {
			got := learned(t, m, windows, noise.Seeded(seed))
			model, none := variation(got.cells, truth, got.Row), variation(got.cells, truth, uniformRow(got.cells))
			t.Logf("%s, %d windows, seed %d: TV %.3f, uniform %.3f", name, len(windows), seed, model, none)
			if model > 0.20 || model > none {
				t.Errorf("%s, %d windows, seed %d: TV %.3f, uniform %.3f", name, len(windows), seed, model, none)
			}
		}
	}
}
