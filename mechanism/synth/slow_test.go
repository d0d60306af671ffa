//go:build slow

package synth

import (
	"testing"

	"github.com/gazeward/gazeward/simulate"
)

// TestMovesAtAHundredThousandWindows: ε₃ = 0.6 on a 30 × 30 grid.
func TestMovesAtAHundredThousandWindows(t *testing.T) {
	for name, scene := range map[string]simulate.Scene{"viewing": simulate.ShopWindow(), "reading": simulate.TextPage()} {
		m := DPGazeSynth{Epsilon: 3, Area: Area{Width: scene.Width, Height: scene.Height}, Radius: 48}
		windows := windowsOf(t, m, people(t, 1667, 30, scene))
		for _, total := range []int{0, len(windows)} {
			m.Total = total
			r, _ := m.resolve()
			model, none := compareMoves(t, m, windows)
			t.Logf("%s, %d windows, levels %v: TV %.3f, uniform %.3f", name, len(windows), r.Levels, model, none)
			if name == "viewing" && model > 0.20 || model > none {
				t.Errorf("%s, levels %v: TV %.3f, uniform %.3f", name, r.Levels, model, none)
			}
		}
	}
}
